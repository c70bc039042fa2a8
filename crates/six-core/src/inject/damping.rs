//! How often one item is shown in one session.

use super::{Candidate, Limits};
use crate::record::EntryKind;

/// Times that an item of this kind is shown in a session. A rule is read once; what exists may be forgotten again.
pub fn max_deliveries(kind: EntryKind, limits: &Limits) -> u32 {
    match kind {
        EntryKind::Correction | EntryKind::Cheatsheet => limits.max_deliveries.min(1),
        _ => limits.max_deliveries,
    }
}

/// Whether this session has been shown the item often enough. The counts begin again after a compaction.
pub fn is_damped(candidate: &Candidate, limits: &Limits) -> bool {
    candidate.delivered >= max_deliveries(candidate.kind, limits)
}

#[cfg(test)]
mod tests {
    use super::super::relevance::tests::item;
    use super::*;

    #[test]
    fn the_fourth_time_is_too_often_and_a_rule_is_said_once() {
        let shown = |kind, delivered| is_damped(&Candidate { kind, delivered, ..item("x") }, &Limits::default());
        assert!(!shown(EntryKind::Subsystem, 2) && shown(EntryKind::Subsystem, 3));
        assert!(!shown(EntryKind::Correction, 0) && shown(EntryKind::Correction, 1));
    }
}
