//! In which order candidates are shown, and how long judging them takes.

use std::cmp::Ordering;

use super::LikelyUse;
use crate::record::{Origin, Record, UnixMs};

/// Milliseconds that a candidate takes until it is measured: to read a sentence with its neighbours and to press a key.
const ASSUMED_MS: i64 = 12_000;

/// A longer pause between two verdicts was spent on something else.
const MAX_PAUSE_MS: i64 = 5 * 60 * 1_000;

/// Pauses from which on their median is believed.
const LEAST_MEASURED: usize = 10;

/// Which of two candidates is shown first: whose words came up more often (a prompt on which it would have been shown counts
/// twice), then what the operator said, then the newer one.
pub fn by_expected_use(a: (&Record, &LikelyUse), b: (&Record, &LikelyUse)) -> Ordering {
    let key = |(record, likely): (&Record, &LikelyUse)| {
        (likely.came_up.saturating_add(likely.fired), record.origin == Origin::Operator)
    };
    key(b).cmp(&key(a)).then_with(|| b.0.created.cmp(&a.0.created)).then_with(|| a.0.id.cmp(&b.0.id))
}

/// Milliseconds that reading a candidate takes at least: who went faster did not read, and the rest deserves a look.
const LEAST_MS: i64 = 4_000;

/// Milliseconds that one candidate takes, by the pauses between batches that a person gave one after another: when each was
/// given, oldest first, and how many verdicts it had.
pub fn measured_ms(batches: &[(UnixMs, u64)]) -> i64 {
    let mut pauses: Vec<i64> = batches
        .iter()
        .zip(batches.iter().skip(1))
        .map(|((before, _), (at, verdicts))| (at.0.saturating_sub(before.0), i64::try_from(*verdicts).unwrap_or(1)))
        .filter(|(pause, _)| (1..=MAX_PAUSE_MS).contains(pause))
        .map(|(pause, verdicts)| pause / verdicts.max(1))
        .collect();
    pauses.sort_unstable();
    match pauses.get(pauses.len() / 2) {
        Some(median) if pauses.len() >= LEAST_MEASURED => (*median).max(LEAST_MS),
        _ => ASSUMED_MS,
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::curate::sample::{NOW, pending};
    use crate::record::RecordKind;

    #[test]
    fn what_came_up_comes_first_then_the_operator_then_the_newest() {
        let record = |id: &str, origin, days: i64| {
            let record = pending(id, RecordKind::Decision, origin, id);
            Record { created: UnixMs(NOW.0 - days * UnixMs::DAY_MS), ..record }
        };
        let mut all = [
            (record("agent-new", Origin::Agent, 0), 0),
            (record("operator-old", Origin::Operator, 9), 0),
            (record("operator-new", Origin::Operator, 1), 0),
            (record("agent-in-use", Origin::Agent, 9), 3),
        ]
        .map(|(record, came_up)| (record, LikelyUse { came_up, ..LikelyUse::default() }));
        all.sort_by(|a, b| by_expected_use((&a.0, &a.1), (&b.0, &b.1)));
        let ids = all.each_ref().map(|(record, _)| record.id.as_str());
        assert_eq!(ids, ["agent-in-use", "operator-new", "operator-old", "agent-new"]);
    }

    #[test]
    fn time_is_assumed_until_ten_pauses_are_measured_and_breaks_do_not_count() {
        let every = |ms: i64, n: i64| (0..n).map(|at| (UnixMs(at * ms), 1)).collect::<Vec<_>>();
        assert_eq!(measured_ms(&[]), ASSUMED_MS);
        assert_eq!(measured_ms(&every(4_000, 10)), ASSUMED_MS);
        assert_eq!(measured_ms(&every(4_000, 11)), 4_000);
        assert_eq!(measured_ms(&every(400, 11)), LEAST_MS);
        assert_eq!(measured_ms(&every(3_600_000, 40)), ASSUMED_MS);
        let of_four: Vec<_> = every(20_000, 11).into_iter().map(|(at, _)| (at, 4)).collect();
        assert_eq!(measured_ms(&of_four), 5_000);
    }
}
