//! Points in time.

use std::fmt;

use chrono::{DateTime, FixedOffset, SecondsFormat};
use serde::{Deserialize, Serialize};

/// Milliseconds since 1970-01-01 UTC. Where "now" is needed it is an argument.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord, Default, Serialize, Deserialize)]
#[serde(transparent)]
pub struct UnixMs(pub i64);

impl UnixMs {
    /// One day.
    pub const DAY_MS: i64 = 24 * 60 * 60 * 1000;

    /// Reads an RFC 3339 time, as transcripts carry it; `None` for anything else.
    pub fn parse_rfc3339(text: &str) -> Option<Self> {
        DateTime::parse_from_rfc3339(text.trim()).ok().map(|t| Self(t.timestamp_millis()))
    }

    /// Whole days from `earlier` to `self`; 0 when the clock ran backwards.
    pub fn days_since(self, earlier: Self) -> i64 {
        (self.0.saturating_sub(earlier.0) / Self::DAY_MS).max(0)
    }

    /// `2026-03-14T09:26:53.000Z`, for JSON. Times out of chrono's range print as the raw number.
    pub fn rfc3339(self) -> String {
        DateTime::from_timestamp_millis(self.0)
            .map_or_else(|| self.0.to_string(), |t| t.to_rfc3339_opts(SecondsFormat::Millis, true))
    }

    /// `2026-03-14` in the given offset, for text that a person or the model reads.
    pub fn date(self, offset: FixedOffset) -> String {
        self.local(offset, "%Y-%m-%d")
    }

    /// `2026-03-14 09:26` in the given offset.
    pub fn minute(self, offset: FixedOffset) -> String {
        self.local(offset, "%Y-%m-%d %H:%M")
    }

    fn local(self, offset: FixedOffset, format: &str) -> String {
        DateTime::from_timestamp_millis(self.0)
            .map_or_else(|| self.0.to_string(), |t| t.with_timezone(&offset).format(format).to_string())
    }
}

impl fmt::Display for UnixMs {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.rfc3339())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_transcript_time_goes_there_and_back() {
        let at = UnixMs::parse_rfc3339("2026-03-14T09:26:53.589Z");
        assert_eq!(at.map(UnixMs::rfc3339).as_deref(), Some("2026-03-14T09:26:53.589Z"));
        assert_eq!(UnixMs::parse_rfc3339("yesterday"), None);
    }

    #[test]
    fn a_clock_that_ran_backwards_gives_no_negative_age() {
        assert_eq!(UnixMs(0).days_since(UnixMs(UnixMs::DAY_MS * 3)), 0);
        assert_eq!(UnixMs(UnixMs::DAY_MS * 3).days_since(UnixMs(0)), 3);
    }
}
