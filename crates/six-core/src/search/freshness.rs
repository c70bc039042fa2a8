//! How much an entry's age takes from its score.

use crate::record::{EntryKind, UnixMs};

/// What age leaves at least: an old decision still holds until another one supersedes it.
const MIN_FRESHNESS: f64 = 0.25;

/// Days after which half of the score is left; `None` where age says nothing. A decision and a dead end are about code
/// that moves on; a cheatsheet is how things are done this month. A correction is a rule until it is taken back, and
/// what was said, written or committed is as true of its day as ever.
const fn half_life_days(kind: EntryKind) -> Option<u16> {
    match kind {
        EntryKind::Decision | EntryKind::DeadEnd => Some(180),
        EntryKind::Cheatsheet => Some(30),
        EntryKind::Correction
        | EntryKind::Subsystem
        | EntryKind::Prompt
        | EntryKind::Answer
        | EntryKind::Tool
        | EntryKind::Subagent
        | EntryKind::Summary
        | EntryKind::Doc
        | EntryKind::Memory
        | EntryKind::Ledger
        | EntryKind::Commit => None,
    }
}

/// The factor of age: 1 on the day when it was last validated and where age says nothing, never below
/// a quarter. A time to come counts as now.
#[expect(clippy::cast_precision_loss, reason = "a span of time needs no more digits")]
pub fn freshness(kind: EntryKind, validated: UnixMs, now: UnixMs) -> f64 {
    let Some(half_life) = half_life_days(kind) else { return 1.0 };
    let age_days = now.0.saturating_sub(validated.0).max(0) as f64 / UnixMs::DAY_MS as f64;
    0.5_f64.powf(age_days / f64::from(half_life)).max(MIN_FRESHNESS)
}

#[cfg(test)]
mod tests {
    use super::*;

    const NOW: UnixMs = UnixMs(1_770_000_000_000);

    fn after(kind: EntryKind, days: i64) -> f64 {
        freshness(kind, UnixMs(NOW.0 - days * UnixMs::DAY_MS), NOW)
    }

    fn near(left: f64, right: f64) -> bool {
        (left - right).abs() < 1e-9
    }

    #[test]
    fn a_decision_and_a_dead_end_lose_half_in_half_a_year_and_a_cheatsheet_in_a_month() {
        for (kind, half_life) in [(EntryKind::Decision, 180), (EntryKind::DeadEnd, 180), (EntryKind::Cheatsheet, 30)] {
            assert!(near(after(kind, 0), 1.0));
            assert!(near(after(kind, half_life), 0.5), "{kind:?}");
            assert!(near(after(kind, 2 * half_life), 0.25), "{kind:?}");
            assert!(near(after(kind, 20 * half_life), MIN_FRESHNESS), "{kind:?}");
        }
    }

    #[test]
    fn what_is_no_claim_about_today_does_not_age() {
        for kind in [EntryKind::Correction, EntryKind::Doc, EntryKind::Prompt, EntryKind::Memory, EntryKind::Subsystem]
        {
            assert!(near(after(kind, 10_000), 1.0), "{kind:?}");
        }
    }

    #[test]
    fn no_clock_makes_more_than_one_or_less_than_the_least() {
        for (validated, now) in [(NOW.0 + 1, NOW.0), (i64::MIN, i64::MAX), (i64::MAX, i64::MIN)] {
            let factor = freshness(EntryKind::Decision, UnixMs(validated), UnixMs(now));
            assert!((MIN_FRESHNESS..=1.0).contains(&factor), "{validated} {now}: {factor}");
        }
    }
}
