//! One item: what it is, what it says, where it stands, and how far it can be trusted today.

use super::super::{CandidateReceipt, quote};
use super::{BlockKind, correction, lineage, stale_claim};
use crate::inject::label::{Today, age, anchor_label, place, places};
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
pub(super) const BODY_UNITS: usize = 220;
const REVIVE_UNITS: usize = 120;
const OPTION_UNITS: usize = 80;
const THREAD_UNITS: usize = 60;
pub(super) const ID_UNITS: usize = 60;
/// Rejected options that are named.
pub(super) const MAX_OPTIONS: usize = 2;

/// The lines of an item in a block, without its number. `facts` has its anchors' states, if they were looked at.
pub fn render_item(block: BlockKind, shown: Shown<'_>, facts: &CandidateReceipt, today: Today) -> String {
    let lines = match (block, shown) {
        (_, Shown::Thread(thread)) => lineage::lines(thread, today.offset),
        (BlockKind::Correction, Shown::Item(candidate)) => correction::lines(candidate, facts, today),
        (BlockKind::StaleClaim, Shown::Item(candidate)) => stale_claim::lines(candidate, facts, today),
        (_, Shown::Item(candidate)) => lines(candidate, facts, today),
    };
    lines.iter().flat_map(|line| [line.as_str(), "\n"]).collect()
}

fn lines(candidate: &Candidate, facts: &CandidateReceipt, today: Today) -> Vec<String> {
    let mut lines = vec![head(candidate)];
    lines.extend(body(candidate));
    if !candidate.rejected.is_empty() {
        lines.push(format!("   rejected: {}", options(&candidate.rejected, OPTION_UNITS)));
    }
    if !candidate.revive_if.trim().is_empty() {
        lines.push(format!("   worth another try if: {}", quoted(&candidate.revive_if, REVIVE_UNITS)));
    }
    if !candidate.anchors.is_empty() {
        let label = anchor_label(&candidate.anchors, &facts.anchors, today.offset);
        lines.push(format!("   where: {}", label.unwrap_or_else(|| unchecked(candidate))));
    }
    lines.push(source(candidate, today));
    lines
}

/// What it is and its title.
pub(super) fn head(candidate: &Candidate) -> String {
    let state =
        if candidate.state.is_empty() { String::new() } else { format!(", {}", bare(&candidate.state, ID_UNITS)) };
    format!("{}{state}: {}", label(candidate.kind), quoted(&candidate.title, TITLE_UNITS))
}

/// What it is for, or why it is so; nothing where that was not recorded.
pub(super) fn body(candidate: &Candidate) -> Option<String> {
    let name = if candidate.kind == EntryKind::Subsystem { "for" } else { "why" };
    if candidate.body.trim().is_empty() {
        None
    } else {
        Some(format!("   {name}: {}", quoted(&candidate.body, BODY_UNITS)))
    }
}

/// The first of some options, the others counted.
pub(super) fn options(all: &[String], max_units: usize) -> String {
    let mut shown: Vec<String> = all.iter().take(MAX_OPTIONS).map(|option| quoted(option, max_units)).collect();
    let rest = all.len().saturating_sub(MAX_OPTIONS);
    if rest > 0 {
        shown.push(format!("{rest} more"));
    }
    shown.join(", ")
}

/// Its id, who said it, how long ago a person last confirmed it, and its thread. An inventory is not confirmed again.
pub(super) fn source(candidate: &Candidate, today: Today) -> String {
    let thread =
        candidate.thread.as_ref().map_or_else(String::new, |name| format!(", thread {}", quoted(name, THREAD_UNITS)));
    let (id, age) = (bare(candidate.item.as_str(), ID_UNITS), age(candidate.validated, today));
    if let Some(file) = &candidate.named_in {
        return format!("   record: {id}, from {}, last changed {age}", quoted(file, TITLE_UNITS));
    }
    let done = if candidate.kind == EntryKind::Subsystem { "entered" } else { "last confirmed" };
    let worded = match candidate.written_by.as_str() {
        "" => String::new(),
        by => format!(", worded by {}", bare(by, ID_UNITS)),
    };
    format!("   record: {id}, from {}{worded}, {done} {age}{thread}", candidate.origin.as_str())
}

const fn label(kind: EntryKind) -> &'static str {
    match kind {
        EntryKind::Decision => "decision",
        EntryKind::DeadEnd => "dead end (tried or ruled out)",
        EntryKind::Correction => "standing correction",
        EntryKind::Subsystem => "subsystem",
        _ => "note",
    }
}

/// The places that it cites, where none of them could be looked at.
fn unchecked(candidate: &Candidate) -> String {
    let cited: Vec<String> = candidate.anchors.iter().map(|anchor| place(&anchor.path, anchor.lines)).collect();
    format!("not checked: {}", places(&cited))
}

/// Stored text between double quotes, which it can't end.
pub(crate) fn quoted(text: &str, max_units: usize) -> String {
    format!("\"{}\"", bare(text, max_units).replace('"', "'"))
}

pub(super) fn bare(text: &str, max_units: usize) -> String {
    // Cut with room to spare, so that a body of a megabyte costs no more than a line.
    quote(cut_bytes(text, max_units * 16), max_units)
}
