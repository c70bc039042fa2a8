//! A claim whose anchors no longer hold: what it said, and what became of each place that it cites.

use super::item::{body, head, source};
use crate::inject::label::{Today, fate, fates};
use crate::inject::{Candidate, CandidateReceipt};

/// Fates that are told; places of one fate share a line.
const MAX_FATES: usize = 4;

pub(super) fn lines(candidate: &Candidate, facts: &CandidateReceipt, today: Today) -> Vec<String> {
    let mut lines = vec![head(candidate)];
    lines.extend(body(candidate));
    let fates = fates(&candidate.anchors, &facts.anchors, today.offset);
    lines.extend(fates.iter().take(MAX_FATES).map(|one| format!("   {}", fate(one))));
    let rest: usize = fates.iter().skip(MAX_FATES).map(|(_, cited)| cited.len()).sum();
    if rest > 0 {
        lines.push(format!("   ({rest} more places)"));
    }
    lines.push(source(candidate, today));
    lines
}
