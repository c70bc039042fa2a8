//! Age in days of activity.

use crate::record::UnixMs;

/// Days with any heartbeat since some time: what nobody works on gets no older.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct ActiveDays {
    /// When the first heartbeat of each came, oldest first.
    pub began: Vec<UnixMs>,
}

impl ActiveDays {
    /// How many.
    pub fn count(&self) -> u32 {
        u32::try_from(self.began.len()).unwrap_or(u32::MAX)
    }

    /// When they became more than `days`; `None` while they are not.
    pub fn passed(&self, days: u32) -> Option<UnixMs> {
        self.began.get(usize::try_from(days).ok()?).copied()
    }
}

#[cfg(test)]
impl ActiveDays {
    /// So many, the last of them today.
    pub(crate) fn until_today(days: u32) -> Self {
        let days = i64::from(days);
        Self { began: (0..days).map(|day| crate::health::sample::days_ago(days - 1 - day)).collect() }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::health::sample::{NOW, days_ago};

    #[test]
    fn a_limit_is_passed_on_the_day_after_as_many_as_it_allows() {
        let days = ActiveDays::until_today(4);
        assert_eq!(days.count(), 4);
        assert_eq!((days.passed(4), days.passed(3), days.passed(2)), (None, Some(NOW), Some(days_ago(1))));
        assert_eq!(ActiveDays::default().passed(0), None);
    }
}
