//! What a report tells of the hooks, added up from rows that are there and from the counts of those that are gone.

use std::collections::BTreeMap;

use super::{Counted, LatencyBucket, Measure};
use crate::record::{Family, OutcomeKind};

/// One invocation, as a report counts it.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Invocation<'a> {
    /// It has no end and its process is there.
    Running,
    /// It has no end and its process is gone.
    Crashed,
    /// It has no end because a person did not wait for it: a gate that was asked for.
    GivenUp,
    /// It wrote its end.
    Ended {
        /// How.
        kind: OutcomeKind,
        /// The class that it gave.
        class: &'a str,
        /// How long it took, in microseconds; `None` when the clock was set back meanwhile.
        took_us: Option<u64>,
        /// Rows written beside its own.
        rows_written: u64,
        /// Bytes printed on stdout.
        bytes_emitted: u64,
    },
}

/// Latencies in microseconds, by nearest rank.
#[derive(Debug, Clone, Copy, PartialEq, Eq, serde::Serialize)]
pub struct LatencyUs {
    /// Half of the invocations took no longer.
    pub p50_us: u64,
    /// Nineteen of twenty took no longer.
    pub p95_us: u64,
    /// None took longer.
    pub max_us: u64,
    /// Of so many of the latencies only a [`LatencyBucket`] is left: from 16 ms on they are told too long, by less than an
    /// eighth, and never too short.
    pub rounded: u64,
}

/// The invocations of one hook in a window. The order in which they are added does not matter.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct HookReport {
    /// Without an end so far; in no family.
    pub running: u64,
    /// Ended at their deadline.
    pub timed_out: u64,
    /// Rows written beside their own.
    pub rows_written: u64,
    /// Bytes printed on stdout; those of rows that are gone are not known.
    pub bytes_emitted: u64,
    families: BTreeMap<Family, u64>,
    took_us: BTreeMap<u64, u64>,
    rounded: u64,
}

impl HookReport {
    /// Adds a row that is there.
    pub fn add(&mut self, invocation: Invocation<'_>) {
        match invocation {
            Invocation::Running => self.running = self.running.saturating_add(1),
            Invocation::Crashed => self.count(Family::Crash, 1),
            Invocation::GivenUp => self.count(Family::Cancelled, 1),
            Invocation::Ended { kind, class, took_us, rows_written, bytes_emitted } => {
                self.count(Family::of(Some(kind), class), 1);
                self.timed_out = self.timed_out.saturating_add(u64::from(kind == OutcomeKind::TimedOut));
                self.rows_written = self.rows_written.saturating_add(rows_written);
                self.bytes_emitted = self.bytes_emitted.saturating_add(bytes_emitted);
                if let Some(took) = took_us {
                    self.time(took, 1);
                }
            }
        }
    }

    /// Adds a count of rows that are gone; what it counts must be of this hook. Of failures the class is counted apart,
    /// and what was well with less than all is counted as well.
    pub fn add_count(&mut self, counted: &Counted, by: u64) {
        match (counted.measure, counted.detail.as_str()) {
            (Measure::Invocation, "crashed") => self.count(Family::Crash, by),
            (Measure::Invocation, how) => match OutcomeKind::parse(how) {
                Some(OutcomeKind::Failed) | None => {}
                Some(OutcomeKind::TimedOut) => self.timed_out = self.timed_out.saturating_add(by),
                Some(kind) => self.count(Family::of(Some(kind), ""), by),
            },
            (Measure::Failure, class) => self.count(Family::of(Some(OutcomeKind::Failed), class), by),
            (Measure::Latency, bucket) => {
                if let Some(bucket) = LatencyBucket::parse(bucket) {
                    self.time(bucket.longest_ms().saturating_mul(1000), by);
                    self.rounded = self.rounded.saturating_add(by);
                }
            }
            (Measure::Row, _) => self.rows_written = self.rows_written.saturating_add(by),
            _ => {}
        }
    }

    fn count(&mut self, family: Family, by: u64) {
        let count = self.families.entry(family).or_default();
        *count = count.saturating_add(by);
    }

    fn time(&mut self, took_us: u64, by: u64) {
        let count = self.took_us.entry(took_us).or_default();
        *count = count.saturating_add(by);
    }

    /// Adds all of another: of its rows, not of its percentiles.
    pub fn merge(&mut self, other: &Self) {
        let add = |to: &mut u64, by: u64| *to = to.saturating_add(by);
        add(&mut self.running, other.running);
        add(&mut self.timed_out, other.timed_out);
        add(&mut self.rows_written, other.rows_written);
        add(&mut self.bytes_emitted, other.bytes_emitted);
        add(&mut self.rounded, other.rounded);
        other.families.iter().for_each(|(family, by)| self.count(*family, *by));
        other.took_us.iter().for_each(|(took, by)| self.time(*took, *by));
    }

    /// Failures of every kind but crashes.
    pub fn failed(&self) -> u64 {
        let failures = Family::ALL.into_iter().filter(|family| family.is_failure() && *family != Family::Crash);
        failures.fold(0, |sum, family| sum.saturating_add(self.of(family)))
    }

    /// How many came to that.
    pub fn of(&self, family: Family) -> u64 {
        self.families.get(&family).copied().unwrap_or_default()
    }

    /// All invocations, those that run included.
    pub fn invocations(&self) -> u64 {
        self.families.values().fold(self.running, |sum, count| sum.saturating_add(*count))
    }

    /// `None` when none ended.
    pub fn latency(&self) -> Option<LatencyUs> {
        let total = self.took_us.values().fold(0_u64, |sum, count| sum.saturating_add(*count));
        let rank = |percent: u64| {
            let wanted = total.saturating_mul(percent).div_ceil(100);
            let mut seen = 0_u64;
            self.took_us.iter().find_map(|(took, count)| {
                seen = seen.saturating_add(*count);
                (seen >= wanted).then_some(*took)
            })
        };
        Some(LatencyUs { p50_us: rank(50)?, p95_us: rank(95)?, max_us: rank(100)?, rounded: self.rounded })
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::record::UnixMs;
    use crate::telemetry::{Counts, TelemetryRow};

    fn ended(kind: OutcomeKind, class: &str, took_us: u64) -> Invocation<'_> {
        Invocation::Ended { kind, class, took_us: Some(took_us), rows_written: 2, bytes_emitted: 10 }
    }

    fn timed(latencies: impl IntoIterator<Item = u64>) -> Option<(u64, u64, u64)> {
        let mut report = HookReport::default();
        for took in latencies {
            report.add(ended(OutcomeKind::Ok, "", took));
        }
        report.latency().map(|latency| (latency.p50_us, latency.p95_us, latency.max_us))
    }

    #[test]
    fn percentiles_are_those_of_the_rows_however_few_there_are() {
        assert_eq!(timed([]), None);
        assert_eq!(timed([7]), Some((7, 7, 7)));
        assert_eq!(timed([9, 4]), Some((4, 9, 9)));
        assert_eq!(timed(1..=100), Some((50, 95, 100)));
    }

    #[test]
    fn the_percentiles_of_a_window_are_those_of_its_rows_and_not_of_its_days() {
        let day = |latencies: &[u64]| {
            let mut report = HookReport::default();
            for took in latencies {
                report.add(ended(OutcomeKind::Ok, "", *took));
            }
            report
        };
        let mut window = day(&[900]);
        window.merge(&day(&[1, 2, 3, 4, 5]));
        window.merge(&HookReport::default());
        let told = window.latency().map(|latency| (latency.p50_us, latency.p95_us, latency.max_us));
        assert_eq!(told, Some((3, 900, 900)));
        assert_eq!((window.invocations(), window.rows_written, window.bytes_emitted), (6, 12, 60));
    }

    #[test]
    fn a_failure_is_every_bad_end_but_a_crash() {
        let mut report = HookReport::default();
        for (kind, class) in
            [("failed", "busy"), ("timed-out", "deadline"), ("ok", "degraded"), ("cancelled", "signal")]
        {
            report.add(ended(OutcomeKind::parse(kind).unwrap(), class, 1));
        }
        report.add(Invocation::Crashed);
        report.add(Invocation::GivenUp);
        assert_eq!((report.failed(), report.of(Family::Crash), report.of(Family::Cancelled)), (2, 1, 2));
    }

    #[test]
    fn what_still_runs_is_neither_a_crash_nor_a_failure_and_has_no_time() {
        let mut report = HookReport::default();
        report.add(Invocation::Running);
        report.add(Invocation::Crashed);
        assert_eq!((report.invocations(), report.running, report.of(Family::Crash)), (2, 1, 1));
        assert_eq!(report.latency(), None);
    }

    #[test]
    fn a_row_counts_the_same_before_and_after_it_was_rolled_up() {
        let ends =
            [("ok", ""), ("skipped", "child"), ("cancelled", "signal"), ("failed", "busy"), ("timed-out", "deadline")];
        let (mut there, mut gone) = (HookReport::default(), HookReport::default());
        let mut counts = Counts::default();
        let mut roll_up = |ended| {
            counts.add(&TelemetryRow::Heartbeat {
                hook: "stop".to_owned(),
                started: UnixMs(0),
                ended,
                rows_written: 2,
                synthetic: false,
            });
        };
        for (kind, class) in ends {
            there.add(ended(OutcomeKind::parse(kind).unwrap(), class, 5000));
            roll_up(Some((UnixMs(5), kind.to_owned(), class.to_owned())));
        }
        there.add(Invocation::Crashed);
        roll_up(None);
        for (counted, by) in counts.iter() {
            gone.add_count(counted, by);
        }
        assert_eq!(there.families, gone.families);
        assert_eq!((there.invocations(), gone.invocations()), (6, 6));
        assert_eq!((there.timed_out, gone.timed_out), (1, 1));
        assert_eq!(gone.rows_written, 12);
        let latency = LatencyUs { p50_us: 5000, p95_us: 5000, max_us: 5000, rounded: 0 };
        assert_eq!(there.latency(), Some(latency));
        assert_eq!(gone.latency(), Some(LatencyUs { rounded: 5, ..latency }));
    }
}
