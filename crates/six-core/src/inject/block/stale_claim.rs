//! A claim whose anchors no longer hold: what it said, and what became of each place that it cites.

use chrono::FixedOffset;

use super::item::{BODY_UNITS, body_name, head, quoted, source};
use crate::inject::label::anchor_label;
use crate::inject::{Candidate, CandidateReceipt};

pub(super) fn lines(candidate: &Candidate, facts: &CandidateReceipt, offset: FixedOffset) -> Vec<String> {
    let mut lines = vec![head(candidate)];
    if !candidate.body.trim().is_empty() {
        lines.push(format!("   {}: {}", body_name(candidate.kind), quoted(&candidate.body, BODY_UNITS)));
    }
    lines.extend(anchor_label(&candidate.anchors, &facts.anchors, offset).map(|label| format!("   now: {label}")));
    lines.push(source(candidate, offset));
    lines
}
