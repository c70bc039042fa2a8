//! One item: what it is, what it says, where it stands, and how far it can be trusted today.

use chrono::FixedOffset;

use super::super::{CandidateReceipt, quote};
use super::{BlockKind, correction, lineage, stale_claim};
use crate::inject::label::{anchor_label, place};
use crate::inject::{Candidate, ThreadStory};
use crate::record::EntryKind;
use crate::text::cut_bytes;

/// What is shown of a candidate.
#[derive(Debug, Clone, Copy)]
pub enum Shown<'a> {
    /// A record or a subsystem.
    Item(&'a Candidate),
    /// A thread.
    Thread(&'a ThreadStory),
}

/// UTF-16 units of the parts of one item; a longer one is cut and ends in `…`.
pub(super) const TITLE_UNITS: usize = 160;
pub(super) const BODY_UNITS: usize = 280;
pub(super) const REVIVE_UNITS: usize = 140;
pub(super) const PATH_UNITS: usize = 120;
pub(super) const THREAD_UNITS: usize = 60;
pub(super) const ID_UNITS: usize = 60;
const MAX_PLACES: usize = 3;

/// The lines of an item in a block, without its number. `facts` has its anchors' states, if they were looked at. Dates are
/// those of `offset`.
pub fn render_item(block: BlockKind, shown: Shown<'_>, facts: &CandidateReceipt, offset: FixedOffset) -> String {
    let lines = match (block, shown) {
        (_, Shown::Thread(thread)) => lineage::lines(thread, offset),
        (BlockKind::Correction, Shown::Item(candidate)) => correction::lines(candidate, offset),
        (BlockKind::StaleClaim, Shown::Item(candidate)) => stale_claim::lines(candidate, facts, offset),
        (_, Shown::Item(candidate)) => lines(candidate, facts, offset),
    };
    lines.iter().flat_map(|line| [line.as_str(), "\n"]).collect()
}

fn lines(candidate: &Candidate, facts: &CandidateReceipt, offset: FixedOffset) -> Vec<String> {
    let mut lines = vec![head(candidate)];
    if !candidate.body.trim().is_empty() {
        lines.push(format!("   {}: {}", body_name(candidate.kind), quoted(&candidate.body, BODY_UNITS)));
    }
    if !candidate.revive_if.trim().is_empty() {
        lines.push(format!("   worth another try if: {}", quoted(&candidate.revive_if, REVIVE_UNITS)));
    }
    if !candidate.anchors.is_empty() {
        lines.push(format!("   where: {}", places(candidate)));
        lines.extend(anchor_label(&candidate.anchors, &facts.anchors, offset).map(|label| format!("   now: {label}")));
    }
    lines.push(source(candidate, offset));
    lines
}

/// What it is and its title.
pub(super) fn head(candidate: &Candidate) -> String {
    let state =
        if candidate.state.is_empty() { String::new() } else { format!(", {}", bare(&candidate.state, ID_UNITS)) };
    format!("{}{state}: {}", label(candidate.kind), quoted(&candidate.title, TITLE_UNITS))
}

/// Its id, who said it, since when it holds, and its thread.
pub(super) fn source(candidate: &Candidate, offset: FixedOffset) -> String {
    let thread =
        candidate.thread.as_ref().map_or_else(String::new, |name| format!(", thread {}", quoted(name, THREAD_UNITS)));
    let (id, date) = (bare(candidate.item.as_str(), ID_UNITS), candidate.validated.date(offset));
    match &candidate.named_in {
        Some(file) => format!("   record: {id}, from {}, last changed {date}", quoted(file, PATH_UNITS)),
        None => format!("   record: {id}, from {}, confirmed {date}{thread}", candidate.origin.as_str()),
    }
}

const fn label(kind: EntryKind) -> &'static str {
    match kind {
        EntryKind::Decision => "decision",
        EntryKind::DeadEnd => "dead end (tried before)",
        EntryKind::Correction => "standing correction",
        EntryKind::Subsystem => "subsystem",
        _ => "note",
    }
}

pub(super) const fn body_name(kind: EntryKind) -> &'static str {
    match kind {
        EntryKind::Subsystem => "for",
        _ => "why",
    }
}

fn places(candidate: &Candidate) -> String {
    let mut shown: Vec<String> =
        candidate.anchors.iter().take(MAX_PLACES).map(|anchor| place(&anchor.path, anchor.lines)).collect();
    let rest = candidate.anchors.len().saturating_sub(MAX_PLACES);
    if rest > 0 {
        shown.push(format!("{rest} more"));
    }
    shown.join(", ")
}

/// Stored text between double quotes, which it can't end.
pub(in crate::inject) fn quoted(text: &str, max_units: usize) -> String {
    format!("\"{}\"", bare(text, max_units).replace('"', "'"))
}

pub(super) fn bare(text: &str, max_units: usize) -> String {
    // Cut with room to spare, so that a body of a megabyte costs no more than a line.
    quote(cut_bytes(text, max_units * 16), max_units)
}
