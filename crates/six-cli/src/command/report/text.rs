//! A report as a person reads it: what failed first, with the command that looks into it.

use chrono::FixedOffset;
use six_core::record::{Family, HookName};
use six_core::telemetry::{FaultReport, HookReport, Spread};
use six_core::text::printable;

use super::Report;
use crate::output::count;

/// Columns without which a table would not be one; the others are left out where they say nothing.
const ALWAYS: [&str; 5] = ["hook", "runs", "ok", "failed", "crashed"];

pub(super) fn whole(report: &Report, offset: FixedOffset) -> String {
    let parts = [head(report, offset), failures(report, offset), table(report), faults(report, offset)];
    parts.into_iter().filter(|part| !part.is_empty()).collect::<Vec<_>>().join("\n\n")
}

fn head(report: &Report, offset: FixedOffset) -> String {
    let (from, until) = report.window;
    let runs = report.totals.values().fold(0_u64, |sum, total| sum.saturating_add(total.invocations()));
    let said = if report.is_empty() {
        String::from("nothing happened: no hook ran, and no check was red")
    } else {
        format!("{} of {}", count(runs, "run"), count(hooks_that_ran(report), "hook"))
    };
    let left_out = match report.hooks.synthetic_left_out {
        0 => String::new(),
        rows => format!("; left out: {} of benchmarks and tests", count(rows, "row")),
    };
    format!("{} to {}: {said}{left_out}", from.minute(offset), until.minute(offset))
}

fn hooks_that_ran(report: &Report) -> u64 {
    let ran = report.totals.values().filter(|total| total.invocations() > 0).count();
    u64::try_from(ran).unwrap_or(u64::MAX)
}

fn failures(report: &Report, offset: FixedOffset) -> String {
    let mut lines = Vec::new();
    for (hook, total) in &report.totals {
        let (failed, crashed) = (total.failed(), total.of(Family::Crash));
        let runs = total.invocations();
        let seen = report.hooks.events_seen.get(hook).copied().unwrap_or_default();
        if failed + crashed > 0 {
            lines.push(format!("{}: {failed} of {} failed, {crashed} crashed", hook.as_str(), count(runs, "run")));
            lines.extend(newest(report, *hook, offset));
        } else if runs == 0 && seen > 0 {
            lines.push(format!("{}: never ran; transcripts show {}", hook.as_str(), count(seen, "call")));
            lines.push(String::from("  next: six health --check heartbeats"));
        }
    }
    lines.join("\n")
}

fn newest(report: &Report, hook: HookName, offset: FixedOffset) -> [String; 2] {
    let Some(failure) = report.hooks.newest_failure.get(&hook) else {
        return [String::from("  only counts are left of them"), String::from("  next: six health --check heartbeats")];
    };
    let check = match failure.family {
        Family::Store | Family::Unrecorded => "store",
        _ => "heartbeats",
    };
    let said = match (failure.family, failure.text.as_str()) {
        (Family::Crash, _) => String::from(": it left no end, and its process is gone"),
        (_, "") => String::new(),
        (_, text) => format!(": {}", printable(text)),
    };
    [
        format!("  newest: {}  {}{said}", failure.started.minute(offset), failure.family.as_str()),
        format!("  next: six health --check {check}"),
    ]
}

/// A column: its head, and what it says of a hook.
type Column<'a> = (&'static str, Box<dyn Fn(HookName, &HookReport) -> String + 'a>);

fn table(report: &Report) -> String {
    if report.totals.is_empty() {
        return String::new();
    }
    let number = |of: fn(&HookReport) -> u64| Box::new(move |_: HookName, total: &HookReport| of(total).to_string());
    let time = |of: fn(six_core::telemetry::LatencyUs) -> u64| {
        Box::new(move |_: HookName, total: &HookReport| total.latency().map_or_else(|| "-".into(), |l| took(of(l))))
    };
    let seen = |hook: HookName, _: &HookReport| {
        report.hooks.events_seen.get(&hook).map_or_else(|| "-".into(), ToString::to_string)
    };
    let columns: [Column<'_>; 13] = [
        ("hook", Box::new(|hook, _| hook.as_str().to_owned())),
        ("runs", number(HookReport::invocations)),
        ("ok", number(|total| total.of(Family::Ok).saturating_add(total.of(Family::Degraded)))),
        ("degraded", number(|total| total.of(Family::Degraded))),
        ("failed", number(HookReport::failed)),
        ("crashed", number(|total| total.of(Family::Crash))),
        ("skipped", number(|total| total.of(Family::Skipped))),
        ("cancelled", number(|total| total.of(Family::Cancelled))),
        ("running", number(|total| total.running)),
        ("seen", Box::new(seen)),
        ("p50", time(|latency| latency.p50_us)),
        ("p95", time(|latency| latency.p95_us)),
        ("max", time(|latency| latency.max_us)),
    ];
    let mut lines = vec![String::new(); report.totals.len() + 1];
    for (head, cell) in &columns {
        let cells: Vec<String> = report.totals.iter().map(|(hook, total)| cell(*hook, total)).collect();
        let says_nothing = cells.iter().all(|cell| cell == "0" || cell == "-");
        if says_nothing && !ALWAYS.contains(head) {
            continue;
        }
        let width = cells.iter().map(|cell| cell.chars().count()).max().unwrap_or_default().max(head.len());
        for (line, cell) in lines.iter_mut().zip(std::iter::once(*head).chain(cells.iter().map(String::as_str))) {
            *line = if line.is_empty() { format!("{cell:<width$}") } else { format!("{line}  {cell:>width$}") };
        }
    }
    let rounded = report.totals.values().filter_map(HookReport::latency).map(|latency| latency.rounded).sum::<u64>();
    if rounded > 0 {
        lines.push(format!(
            "of {} only counts are left: their times are told up to an eighth too long",
            count(rounded, "run")
        ));
    }
    lines.join("\n")
}

fn faults(report: &Report, offset: FixedOffset) -> String {
    if report.is_empty() {
        return String::new();
    }
    if report.faults.is_empty() {
        return String::from("no check was red");
    }
    let lines = report.faults.iter().flat_map(|((check, fault), told)| fault_lines(check, fault, told, offset));
    std::iter::once(String::from("red checks")).chain(lines).collect::<Vec<_>>().join("\n")
}

fn fault_lines(check: &str, fault: &str, told: &FaultReport, offset: FixedOffset) -> Vec<String> {
    let shown = told
        .shown_after_ms
        .map_or_else(|| String::from("nothing tells when it began"), |times| format!("shown after {}", spread(times)));
    let lasted = told.lasted_ms.map_or_else(String::new, |times| format!("; lasted {}", spread(times)));
    let mut lines = vec![
        format!(
            "  {} {}: {}, {} open, {} ended by its fix, {} seen gone",
            printable(check),
            printable(fault),
            count(told.count, "time"),
            told.open,
            told.by_fix,
            told.gone
        ),
        format!("    {shown}{lasted}"),
    ];
    let newest = &told.newest;
    if newest.remedied.is_none() {
        let since = newest.evidence.map_or("first said", |_| "open since");
        lines.push(format!("    {since} {}: {}", newest.began().minute(offset), printable(&newest.detail)));
        lines.push(format!("    FIX: {}", printable(&newest.fix)));
    }
    lines
}

fn spread(times: Spread) -> String {
    if times.p50 == times.max {
        return span(times.p50);
    }
    format!("{} (longest {})", span(times.p50), span(times.max))
}

/// `850 µs`, `4.2 ms`, `1.3 s`.
fn took(us: u64) -> String {
    match us {
        0..1_000 => format!("{us} µs"),
        1_000..1_000_000 => format!("{}.{} ms", us / 1_000, us % 1_000 / 100),
        _ => format!("{}.{} s", us / 1_000_000, us % 1_000_000 / 100_000),
    }
}

/// `20 ms`, `12 s`, `5 min`, `4 h`, `3 d`.
fn span(ms: u64) -> String {
    match ms {
        0..1_000 => format!("{ms} ms"),
        1_000..60_000 => format!("{} s", ms / 1_000),
        60_000..3_600_000 => format!("{} min", ms / 60_000),
        3_600_000..86_400_000 => format!("{} h", ms / 3_600_000),
        _ => format!("{} d", ms / 86_400_000),
    }
}
