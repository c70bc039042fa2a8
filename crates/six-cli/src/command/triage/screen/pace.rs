//! How long the rest will take.

use six_core::curate::Inbox;
use six_core::record::UnixMs;

/// As how many verdicts of this session counts what the store has measured before.
const USUAL_WEIGHT: i64 = 4;

/// A longer gap between two verdicts was a break.
const BREAK_MS: i64 = 120_000;

/// The speed of this session.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) struct Pace {
    /// Milliseconds that the store expects a verdict to take.
    usual_ms: i64,
    since: UnixMs,
    verdicts: i64,
    spent_ms: i64,
}

impl Pace {
    /// That of a session that begins now.
    pub(super) fn new(now: UnixMs, waiting: &Inbox) -> Self {
        let pending = i64::try_from(waiting.pending).unwrap_or(i64::MAX).max(1);
        Self { usual_ms: waiting.remaining_ms / pending, since: now, verdicts: 0, spent_ms: 0 }
    }

    /// Notes a verdict.
    pub(super) fn note(&mut self, now: UnixMs) {
        let gap = now.0.saturating_sub(self.since.0);
        self.since = now;
        self.verdicts += 1;
        self.spent_ms += gap.clamp(0, BREAK_MS);
    }

    /// What the rest will take: `2 min`, `1 h`; rounded up, so that it is never nothing.
    pub(super) fn estimate(&self, left: usize) -> String {
        let each = (self.usual_ms * USUAL_WEIGHT + self.spent_ms) / (USUAL_WEIGHT + self.verdicts);
        let minutes = i64::try_from(left).unwrap_or(i64::MAX).saturating_mul(each).saturating_add(59_999) / 60_000;
        if minutes < 100 { format!("{minutes} min") } else { format!("{} h", (minutes + 30) / 60) }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn opened() -> Pace {
        Pace::new(UnixMs(0), &Inbox { items: Vec::new(), pending: 4, remaining_ms: 60_000 })
    }

    #[test]
    fn the_estimate_follows_the_session() {
        let mut pace = opened();
        assert_eq!([pace.estimate(0), pace.estimate(1), pace.estimate(40)], ["0 min", "1 min", "10 min"]);
        for verdict in 1..=36 {
            pace.note(UnixMs(verdict * 5_000));
        }
        assert_eq!(pace.estimate(40), "4 min");
        assert_eq!(pace.estimate(4_000), "7 h");
    }

    #[test]
    fn a_break_is_no_slow_verdict() {
        let mut pace = opened();
        pace.note(UnixMs(8 * 3_600_000));
        assert_eq!(pace.estimate(10), "6 min");
    }
}
