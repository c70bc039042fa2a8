//! What `six report` asks.

use std::collections::BTreeMap;

use six_core::record::{HookName, UnixMs};
use six_core::telemetry::{HookReport, Measure, UnixDay};

use crate::error::Result;
use crate::facts::is_running;
use crate::open::Store;
use crate::table::{heartbeat, telemetry_day};

/// The hooks in a window, all sums by day.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct HookDays {
    /// Without days on which nothing ran.
    pub by_day: BTreeMap<(HookOrder, UnixDay), HookReport>,
    /// Rows of benchmarks and tests, which count nowhere.
    pub synthetic_left_out: u64,
}

/// A hook by its place in [`HookName::ALL`].
pub type HookOrder = usize;

impl Store {
    /// Invocations that began at `from` or later and before `until`. Of rows that are gone only the day is known: they
    /// count when their day (UTC) begins in the window.
    pub fn gather_hook_days(
        &self,
        (from, until): (UnixMs, UnixMs),
        now: UnixMs,
        pid_alive: &dyn Fn(u32) -> bool,
    ) -> Result<HookDays> {
        self.read(|conn| {
            let mut days = HookDays::default();
            for (counted, by) in telemetry_day::all(conn)?.iter() {
                let begins = UnixMs(counted.day.0.saturating_mul(UnixMs::DAY_MS));
                let hook = HookName::ALL.into_iter().position(|hook| hook.as_str() == counted.name);
                let Some(hook) = hook.filter(|_| from <= begins && begins < until) else { continue };
                match counted.measure {
                    Measure::Synthetic => days.synthetic_left_out = days.synthetic_left_out.saturating_add(by),
                    Measure::Invocation | Measure::Failure | Measure::Latency | Measure::Row => {
                        days.by_day.entry((hook, counted.day)).or_default().add_count(counted, by);
                    }
                    _ => {}
                }
            }
            days.synthetic_left_out =
                days.synthetic_left_out.saturating_add(heartbeat::synthetic_between(conn, from, until)?);
            for (hook, name) in HookName::ALL.into_iter().enumerate() {
                let is_running = |seen: &heartbeat::Seen| is_running(seen, now, pid_alive);
                heartbeat::each_between(conn, name, (from, until), &is_running, |started, invocation| {
                    days.by_day.entry((hook, UnixDay::of(started))).or_default().add(invocation);
                })?;
            }
            Ok(days)
        })
    }
}

#[cfg(test)]
mod tests {
    use six_core::record::{Family, Heartbeat, OutcomeKind};

    use super::*;
    use crate::testkit::{NOW, Scratch, heartbeat, outcome};

    #[test]
    fn a_report_counts_a_row_once_whether_it_is_there_or_rolled_up() {
        let s = Scratch::new();
        let then = UnixMs(NOW.0 + 190 * UnixMs::DAY_MS);
        for (id, synthetic) in [("1", false), ("2", false), ("3", false), ("4", true)] {
            s.store.open_heartbeat(&Heartbeat { synthetic, ..heartbeat(id, HookName::Stop) }).unwrap();
            let kind = if id == "1" { OutcomeKind::Failed } else { OutcomeKind::Ok };
            s.store.close_heartbeat(&heartbeat(id, HookName::Stop).id, &outcome(kind)).unwrap();
        }
        s.store.open_heartbeat(&heartbeat("5", HookName::Stop)).unwrap();
        let told = || {
            let window = (UnixMs(NOW.0 - UnixMs::DAY_MS), then);
            let days = s.store.gather_hook_days(window, then, &|_| false).unwrap();
            let [report] = days.by_day.values().collect::<Vec<_>>()[..] else { panic!("one hook, one day") };
            let latency = report.latency().map(|latency| (latency.p50_us, latency.max_us));
            let families = [Family::Ok, Family::Other, Family::Crash].map(|family| report.of(family));
            (days.synthetic_left_out, report.invocations(), families, latency)
        };
        let expected = (1, 4, [2, 1, 1], Some((5000, 5000)));
        assert_eq!(told(), expected);
        assert!(s.store.roll_up(then, &|| false).unwrap() > 0);
        assert_eq!(told(), expected);
    }

    #[test]
    fn a_row_without_an_end_runs_while_its_process_does() {
        let s = Scratch::new();
        s.store.open_heartbeat(&heartbeat("1", HookName::Stop)).unwrap();
        let window = (NOW, UnixMs(NOW.0 + 1));
        let days = s.store.gather_hook_days(window, NOW, &|_| true).unwrap();
        assert_eq!(days.by_day.values().map(|report| report.running).collect::<Vec<_>>(), [1]);
        let before = s.store.gather_hook_days((UnixMs(0), NOW), NOW, &|_| true).unwrap();
        assert!(before.by_day.is_empty());
    }
}
