//! A standing correction: the rule, why, where it holds, who set it and when.

use super::item::{TITLE_UNITS, body, quoted, source};
use crate::inject::label::{Today, anchor_label};
use crate::inject::{Candidate, CandidateReceipt};

/// UTF-16 units of where a rule holds.
const SCOPE_UNITS: usize = 120;

pub(super) fn lines(candidate: &Candidate, facts: &CandidateReceipt, today: Today) -> Vec<String> {
    let mut lines = vec![quoted(&candidate.title, TITLE_UNITS)];
    lines.extend(body(candidate));
    if !candidate.scope.trim().is_empty() {
        lines.push(format!("   holds for: {}", quoted(&candidate.scope, SCOPE_UNITS)));
    }
    // A rule is in force whatever became of what it cites, but its reader has to know.
    if facts.is_stale() {
        let label = anchor_label(&candidate.anchors, &facts.anchors, today.offset);
        lines.extend(label.map(|label| format!("   cites: {label}")));
    }
    lines.push(source(candidate, today));
    lines
}
