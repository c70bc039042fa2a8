//! Folds rows into counts of a day.

use std::collections::BTreeMap;

use super::{Latency, LatencyBucket, TelemetryRow, UnixDay, summarise_latency};
use crate::record::{HookName, UnixMs};

/// What is counted.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub enum Measure {
    /// Invocations: hook, how they ended (without an end `crashed`, or `cancelled` where somebody did not wait for it).
    Invocation,
    /// Failures: hook, class.
    Failure,
    /// Latencies: hook, [`LatencyBucket`].
    Latency,
    /// Rows that invocations wrote: hook.
    Row,
    /// Invocations and receipts of benchmarks and tests, which count nowhere else: hook, or `receipt`.
    Synthetic,
    /// Receipts: of prompts, and as `tool` those of calls of tools.
    Prompt,
    /// Receipts of what a person wrote.
    Human,
    /// Receipts that say that something was said: on a prompt, and as `tool` before a tool.
    Fired,
    /// Receipts of what was not looked at: reason.
    Silenced,
    /// What checks said: check, fault (empty for green).
    Health,
    /// Blocks of session starts.
    Render,
    /// Starts and ends: edge, the host's word.
    Boundary,
    /// Deliveries: kind of the item.
    Delivery,
    /// Work done: kind.
    Work,
}

impl Measure {
    /// All measures.
    pub const ALL: [Self; 14] = [
        Self::Invocation,
        Self::Failure,
        Self::Latency,
        Self::Row,
        Self::Synthetic,
        Self::Prompt,
        Self::Human,
        Self::Fired,
        Self::Silenced,
        Self::Health,
        Self::Render,
        Self::Boundary,
        Self::Delivery,
        Self::Work,
    ];

    /// The name in the store.
    pub const fn as_str(self) -> &'static str {
        match self {
            Self::Invocation => "invocation",
            Self::Failure => "failure",
            Self::Latency => "latency",
            Self::Row => "row",
            Self::Synthetic => "synthetic",
            Self::Prompt => "prompt",
            Self::Human => "human",
            Self::Fired => "fired",
            Self::Silenced => "silenced",
            Self::Health => "health",
            Self::Render => "render",
            Self::Boundary => "boundary",
            Self::Delivery => "delivery",
            Self::Work => "work",
        }
    }

    /// The measure of that name.
    pub fn parse(name: &str) -> Option<Self> {
        Self::ALL.into_iter().find(|measure| measure.as_str() == name)
    }
}

/// What one count is of.
#[derive(Debug, Clone, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct Counted {
    /// On which day.
    pub day: UnixDay,
    /// What.
    pub measure: Measure,
    /// Of which hook, check, edge or kind; see [`Measure`].
    pub name: String,
    /// In which way; see [`Measure`].
    pub detail: String,
}

/// Counts that add up, whichever rows they were folded from first.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Counts(BTreeMap<Counted, u64>);

impl Counts {
    /// Adds one row.
    pub fn add(&mut self, row: &TelemetryRow) {
        match row {
            TelemetryRow::Heartbeat { hook, started, synthetic: true, .. } => {
                self.count(*started, Measure::Synthetic, hook, "", 1);
            }
            TelemetryRow::Heartbeat { hook, started, ended, rows_written, synthetic: false } => {
                self.add_invocation(hook, *started, ended.as_ref(), *rows_written);
            }
            TelemetryRow::Receipt { at, synthetic: true, .. } => {
                self.count(*at, Measure::Synthetic, "receipt", "", 1);
            }
            TelemetryRow::Receipt { at, tool, human, fired, silenced, synthetic: false } => {
                let of = if *tool { "tool" } else { "" };
                self.count(*at, Measure::Prompt, of, "", 1);
                self.count(*at, Measure::Human, of, "", u64::from(*human));
                self.count(*at, Measure::Fired, of, "", u64::from(*fired));
                if let Some(reason) = silenced {
                    self.count(*at, Measure::Silenced, reason, "", 1);
                }
            }
            TelemetryRow::Health { at, check, fault } => {
                self.count(*at, Measure::Health, check, fault.as_deref().unwrap_or_default(), 1);
            }
            TelemetryRow::Render { at } => self.count(*at, Measure::Render, "", "", 1),
            TelemetryRow::Boundary { at, edge, detail } => self.count(*at, Measure::Boundary, edge, detail, 1),
            TelemetryRow::Delivery { last, item, count } => {
                let kind = item.split_once(':').map_or(item.as_str(), |(kind, _)| kind);
                self.count(*last, Measure::Delivery, kind, "", *count);
            }
            TelemetryRow::Work { done, kind } => self.count(*done, Measure::Work, kind, "", 1),
        }
    }

    fn add_invocation(&mut self, hook: &str, at: UnixMs, ended: Option<&(UnixMs, String, String)>, rows: u64) {
        self.count(at, Measure::Row, hook, "", rows);
        let Some((end, outcome, class)) = ended else {
            let gave_up = hook == HookName::Gate.as_str();
            return self.count(at, Measure::Invocation, hook, if gave_up { "cancelled" } else { "crashed" }, 1);
        };
        self.count(at, Measure::Invocation, hook, outcome, 1);
        // A clock that was set back meanwhile tells no time.
        if let Ok(ms) = u64::try_from(end.0.saturating_sub(at.0)) {
            self.count(at, Measure::Latency, hook, &LatencyBucket::of_ms(ms).name(), 1);
        }
        if ["failed", "timed-out"].contains(&outcome.as_str()) {
            self.count(at, Measure::Failure, hook, class, 1);
        }
    }

    fn count(&mut self, at: UnixMs, measure: Measure, name: &str, detail: &str, by: u64) {
        let day = UnixDay::of(at);
        self.add_count(Counted { day, measure, name: name.to_owned(), detail: detail.to_owned() }, by);
    }

    /// Adds what was counted before.
    pub fn add_count(&mut self, counted: Counted, by: u64) {
        if by > 0 {
            let count = self.0.entry(counted).or_default();
            *count = count.saturating_add(by);
        }
    }

    /// All counts, none of them 0, by day.
    pub fn iter(&self) -> impl Iterator<Item = (&Counted, u64)> {
        self.0.iter().map(|(counted, count)| (counted, *count))
    }

    /// How long a hook took on a day; `None` when it did not run.
    pub fn latency(&self, hook: HookName, day: UnixDay) -> Option<Latency> {
        let of_hook = self.iter().filter(|(counted, _)| {
            (counted.day, counted.measure, counted.name.as_str()) == (day, Measure::Latency, hook.as_str())
        });
        let buckets = of_hook.filter_map(|(counted, count)| Some((LatencyBucket::parse(&counted.detail)?, count)));
        summarise_latency(&buckets.collect())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const AT: UnixMs = UnixMs(1_770_000_000_000);

    fn beat(at: UnixMs, ended: Option<(i64, &str, &str)>, synthetic: bool) -> TelemetryRow {
        TelemetryRow::Heartbeat {
            hook: "session-start".to_owned(),
            started: at,
            ended: ended.map(|(ms, outcome, class)| (UnixMs(at.0 + ms), outcome.to_owned(), class.to_owned())),
            rows_written: 2,
            synthetic,
        }
    }

    fn told(rows: &[TelemetryRow]) -> String {
        let mut counts = Counts::default();
        for row in rows {
            counts.add(row);
        }
        let or_dash = |text: &str| if text.is_empty() { "-".to_owned() } else { text.to_owned() };
        let line = |(c, n): (&Counted, u64)| {
            format!("{} {} {} {} {n}", c.day.0, c.measure.as_str(), or_dash(&c.name), or_dash(&c.detail))
        };
        counts.iter().map(line).collect::<Vec<_>>().join("\n")
    }

    #[test]
    fn an_invocation_is_counted_by_its_end_its_failure_its_time_and_its_rows() {
        let next_day = UnixMs(AT.0 + UnixMs::DAY_MS);
        let rows = [
            beat(AT, Some((5, "ok", "")), false),
            beat(AT, Some((5, "ok", "")), false),
            beat(AT, Some((700, "timed-out", "deadline")), false),
            beat(AT, None, false),
            beat(AT, Some((-9, "skipped", "child")), false),
            beat(next_day, Some((3, "failed", "panic")), false),
        ];
        insta::assert_snapshot!(told(&rows), @r"
        20486 invocation session-start crashed 1
        20486 invocation session-start ok 2
        20486 invocation session-start skipped 1
        20486 invocation session-start timed-out 1
        20486 failure session-start deadline 1
        20486 latency session-start 5 2
        20486 latency session-start 58 1
        20486 row session-start - 10
        20487 invocation session-start failed 1
        20487 failure session-start panic 1
        20487 latency session-start 3 1
        20487 row session-start - 2
        ");
    }

    #[test]
    fn what_a_benchmark_left_counts_only_as_left_by_one() {
        let receipt = TelemetryRow::Receipt {
            at: AT,
            tool: false,
            human: true,
            fired: true,
            silenced: Some("x".into()),
            synthetic: true,
        };
        insta::assert_snapshot!(told(&[beat(AT, Some((5, "failed", "panic")), true), receipt]), @r"
        20486 synthetic receipt - 1
        20486 synthetic session-start - 1
        ");
    }

    #[test]
    fn receipts_checks_blocks_boundaries_deliveries_and_work_have_counts_of_their_own() {
        let receipt = |human, fired, silenced: Option<&str>| TelemetryRow::Receipt {
            at: AT,
            tool: false,
            human,
            fired,
            silenced: silenced.map(str::to_owned),
            synthetic: false,
        };
        let health = |fault: Option<&str>| TelemetryRow::Health {
            at: AT,
            check: "store".into(),
            fault: fault.map(str::to_owned),
        };
        let before_a_tool =
            TelemetryRow::Receipt { at: AT, tool: true, human: false, fired: true, silenced: None, synthetic: false };
        let rows = [
            before_a_tool,
            receipt(true, true, None),
            receipt(true, false, Some("no-intent")),
            receipt(false, false, Some("subagent")),
            health(None),
            health(Some("parity")),
            TelemetryRow::Render { at: AT },
            TelemetryRow::Boundary { at: AT, edge: "start".into(), detail: "resume".into() },
            TelemetryRow::Delivery { last: AT, item: "decision:4k2".into(), count: 3 },
            TelemetryRow::Work { done: AT, kind: "ingest".into() },
        ];
        insta::assert_snapshot!(told(&rows), @r"
        20486 prompt - - 3
        20486 prompt tool - 1
        20486 human - - 2
        20486 fired - - 1
        20486 fired tool - 1
        20486 silenced no-intent - 1
        20486 silenced subagent - 1
        20486 health store - 1
        20486 health store parity 1
        20486 render - - 1
        20486 boundary start resume 1
        20486 delivery decision - 3
        20486 work ingest - 1
        ");
    }

    #[test]
    fn a_days_latency_is_that_of_all_its_rows_whichever_were_counted_first() {
        let mut counts = Counts::default();
        for ms in [2, 4, 9] {
            counts.add(&beat(AT, Some((ms, "ok", "")), false));
        }
        let latency = counts.latency(HookName::SessionStart, UnixDay::of(AT)).unwrap();
        assert_eq!(latency, Latency { p50_ms: 4, p95_ms: 9, max_ms: 9 });
        assert_eq!(counts.latency(HookName::SessionEnd, UnixDay::of(AT)), None);
    }
}
