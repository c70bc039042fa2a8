//! Days, as counts are kept by them.

use serde::{Deserialize, Serialize};

use crate::record::UnixMs;

/// Days since 1970-01-01, by UTC: a day is the same one wherever the machine is carried.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord, Serialize, Deserialize)]
#[serde(transparent)]
pub struct UnixDay(pub i64);

impl UnixDay {
    /// The day of a point in time.
    pub const fn of(at: UnixMs) -> Self {
        Self(at.0.div_euclid(UnixMs::DAY_MS))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_day_begins_at_midnight_by_utc_also_before_1970() {
        let day = |text: &str| UnixDay::of(UnixMs::parse_rfc3339(text).unwrap()).0;
        assert_eq!(day("1970-01-01T00:00:00Z"), 0);
        assert_eq!(day("1970-01-01T23:59:59.999Z"), 0);
        assert_eq!(day("1970-01-02T00:00:00Z"), 1);
        assert_eq!(day("1970-01-02T01:00:00+02:00"), 0);
        assert_eq!(day("1969-12-31T23:59:59.999Z"), -1);
    }
}
