//! How often one item is shown in one session.

use super::{BlockKind, CandidateReceipt, ItemKind, Limits};

/// Times that an item is shown in this block in one session. A rule is read once; what exists may be forgotten again.
pub fn max_deliveries(block: BlockKind, kind: ItemKind, limits: &Limits) -> u32 {
    match (block, kind) {
        (BlockKind::StaleClaim, _) => limits.max_stale_deliveries,
        (_, ItemKind::Thread) => limits.max_thread_deliveries,
        (_, ItemKind::Correction | ItemKind::Cheatsheet) => limits.max_rule_deliveries,
        _ => limits.max_deliveries,
    }
}

/// Whether this session has been shown the item often enough. The counts begin again after a compaction.
pub fn is_damped(facts: &CandidateReceipt, block: BlockKind, limits: &Limits) -> bool {
    let shown = if block == BlockKind::StaleClaim { facts.delivered_stale } else { facts.delivered };
    shown >= max_deliveries(block, facts.kind, limits)
}

#[cfg(test)]
mod tests {
    use super::super::decide::tests::facts;
    use super::*;

    #[test]
    fn each_kind_is_shown_as_often_as_it_is_worth() {
        let damped = |kind, delivered| {
            let facts = CandidateReceipt { delivered, ..facts(kind) };
            is_damped(&facts, BlockKind::DoNotRebuild, &Limits::default())
        };
        assert!(!damped(ItemKind::Subsystem, 2) && damped(ItemKind::Subsystem, 3));
        assert!(!damped(ItemKind::Thread, 1) && damped(ItemKind::Thread, 2));
        assert!(!damped(ItemKind::Correction, 0) && damped(ItemKind::Correction, 1));
    }

    #[test]
    fn that_an_item_is_stale_is_counted_by_itself() {
        let shown = CandidateReceipt { delivered: 9, delivered_stale: 2, ..facts(ItemKind::Decision) };
        assert!(!is_damped(&shown, BlockKind::StaleClaim, &Limits::default()));
        let told = CandidateReceipt { delivered: 0, delivered_stale: 3, ..facts(ItemKind::Decision) };
        assert!(is_damped(&told, BlockKind::StaleClaim, &Limits::default()));
    }
}
