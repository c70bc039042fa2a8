//! A report as programs read it; `docs/report.md` tells of every field.

use chrono::{Offset as _, Utc};
use serde_json::{Map, Value, json};
use six_core::record::{Family, UnixMs};
use six_core::telemetry::{FaultReport, HookReport, UnixDay};

use super::Report;

pub(super) fn body(report: &Report) -> Value {
    json!({
        "from": report.window.0.rfc3339(),
        "until": report.window.1.rfc3339(),
        "synthetic_left_out": report.hooks.synthetic_left_out,
        "hooks": hooks(report),
        "days": days(report),
        "health": {"episodes": report.faults.iter().map(fault).collect::<Vec<_>>()},
    })
}

fn hooks(report: &Report) -> Map<String, Value> {
    let hook = |(hook, total): (&_, &HookReport)| {
        let mut fields = counts(total);
        fields.insert("events_seen".into(), json!(report.hooks.events_seen.get(hook)));
        let failure = report.hooks.newest_failure.get(hook).map(
            |failure| json!({"at": failure.started.rfc3339(), "family": failure.family.as_str(), "text": failure.text}),
        );
        fields.insert("newest_failure".into(), json!(failure));
        (hook.as_str().to_owned(), Value::Object(fields))
    };
    report.totals.iter().map(hook).collect()
}

fn days(report: &Report) -> Vec<Value> {
    let mut days: Vec<_> = report.hooks.by_day.iter().collect();
    days.sort_by_key(|((hook, day), _)| (*day, *hook));
    let row = |((hook, day), report): (&(_, UnixDay), &HookReport)| {
        let mut fields = counts(report);
        let begins = UnixMs(day.0.saturating_mul(UnixMs::DAY_MS));
        fields.insert("day".into(), json!(begins.date(Utc.fix())));
        fields.insert("hook".into(), json!(hook));
        Value::Object(fields)
    };
    days.into_iter().map(row).collect()
}

fn counts(report: &HookReport) -> Map<String, Value> {
    let families: Map<String, Value> = Family::ALL
        .into_iter()
        .filter(|family| report.of(*family) > 0)
        .map(|family| (family.as_str().to_owned(), json!(report.of(family))))
        .collect();
    let latency = report.latency();
    [
        ("invocations", json!(report.invocations())),
        ("ok", json!(report.of(Family::Ok).saturating_add(report.of(Family::Degraded)))),
        ("degraded", json!(report.of(Family::Degraded))),
        ("failed", json!(report.failed())),
        ("timed_out", json!(report.timed_out)),
        ("crashed", json!(report.of(Family::Crash))),
        ("skipped", json!(report.of(Family::Skipped))),
        ("cancelled", json!(report.of(Family::Cancelled))),
        ("running", json!(report.running)),
        ("families", Value::Object(families)),
        ("p50_us", json!(latency.map(|latency| latency.p50_us))),
        ("p95_us", json!(latency.map(|latency| latency.p95_us))),
        ("max_us", json!(latency.map(|latency| latency.max_us))),
        ("rounded", json!(latency.map_or(0, |latency| latency.rounded))),
        ("rows_written", json!(report.rows_written)),
        ("emitted_bytes", json!(report.bytes_emitted)),
    ]
    .map(|(name, value)| (name.to_owned(), value))
    .into_iter()
    .collect()
}

fn fault(((check, fault), report): (&(String, String), &FaultReport)) -> Value {
    let newest = &report.newest;
    json!({
        "check": check,
        "fault": fault,
        "count": report.count,
        "open": report.open,
        "shown_after_ms": report.shown_after_ms,
        "lasted_ms": report.lasted_ms,
        "remedied": {"fix": report.by_fix, "gone": report.gone},
        "newest": {
            "at": newest.shown.rfc3339(),
            "detail": newest.detail,
            "fix": newest.fix,
            "open": newest.remedied.is_none(),
        },
    })
}
