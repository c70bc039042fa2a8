//! How long the rest will take.

use six_core::record::UnixMs;

/// What a verdict is taken to cost before this session has shown it: reading a quote with its neighbours, some 60 words.
const USUAL_MS: i64 = 15_000;

/// As how many verdicts of this session that counts.
const USUAL_WEIGHT: i64 = 4;

/// A longer gap between two verdicts was a break.
const BREAK_MS: i64 = 120_000;

/// The speed of this session.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) struct Pace {
    since: UnixMs,
    verdicts: i64,
    spent_ms: i64,
}

impl Pace {
    /// That of a session that begins now.
    pub(super) const fn from(now: UnixMs) -> Self {
        Self { since: now, verdicts: 0, spent_ms: 0 }
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
        let each = (USUAL_MS * USUAL_WEIGHT + self.spent_ms) / (USUAL_WEIGHT + self.verdicts);
        let minutes = i64::try_from(left).unwrap_or(i64::MAX).saturating_mul(each).saturating_add(59_999) / 60_000;
        if minutes < 100 { format!("{minutes} min") } else { format!("{} h", (minutes + 30) / 60) }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_estimate_follows_the_session() {
        let mut pace = Pace::from(UnixMs(0));
        assert_eq!([pace.estimate(0), pace.estimate(1), pace.estimate(40)], ["0 min", "1 min", "10 min"]);
        for verdict in 1..=36 {
            pace.note(UnixMs(verdict * 5_000));
        }
        assert_eq!(pace.estimate(40), "4 min");
        assert_eq!(pace.estimate(4_000), "7 h");
    }

    #[test]
    fn a_break_is_no_slow_verdict() {
        let mut pace = Pace::from(UnixMs(0));
        pace.note(UnixMs(8 * 3_600_000));
        assert_eq!(pace.estimate(10), "6 min");
    }
}
