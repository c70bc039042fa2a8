//! `six report`: what the hooks did in a window, and what the checks found.

mod json;
mod text;

use std::collections::BTreeMap;
use std::process::ExitCode;

use six_core::record::{HookName, UnixMs};
use six_core::telemetry::{FaultReport, HookReport, summarise_episodes};
use six_runtime::report::gather_hook_days;
use six_store::HookDays;

use crate::cli::ReportArgs;
use crate::context::Context;
use crate::failure::{Exit, Failure, store_failure};
use crate::output::object;
use crate::parse::parse_day;

/// All that is told.
struct Report {
    /// From the first time on, before the second.
    window: (UnixMs, UnixMs),
    hooks: HookDays,
    totals: BTreeMap<HookName, HookReport>,
    /// By check and fault.
    faults: BTreeMap<(String, String), FaultReport>,
}

impl Report {
    fn new(window: (UnixMs, UnixMs), hooks: HookDays, faults: BTreeMap<(String, String), FaultReport>) -> Self {
        Self { window, totals: hooks.totals(), hooks, faults }
    }

    fn is_empty(&self) -> bool {
        self.totals.is_empty() && self.faults.is_empty()
    }
}

/// Runs it: exit code 1 when nothing happened in the window.
pub(crate) fn run(context: &Context, args: &ReportArgs) -> Result<ExitCode, Failure> {
    let window = parse_window(context, args)?;
    let project = context.project()?;
    let store = Context::reader(&project)?;
    let failed = |fault| store_failure(&project, &fault);
    let hooks = gather_hook_days(&store, window, context.now).map_err(failed)?;
    let episodes = store.gather_episodes(window).map_err(failed)?;
    let report = Report::new(window, hooks, summarise_episodes(episodes));
    context.print(&if context.json {
        object("report", json::body(&report))
    } else {
        text::whole(&report, context.offset)
    });
    Ok(if report.is_empty() { Exit::Nothing.into() } else { ExitCode::SUCCESS })
}

/// What is yet to come is in no window.
fn parse_window(context: &Context, args: &ReportArgs) -> Result<(UnixMs, UnixMs), Failure> {
    let Some(since) = &args.since else {
        let back = i64::from(args.days.get()).saturating_mul(UnixMs::DAY_MS);
        return Ok((UnixMs(context.now.0.saturating_sub(back)), context.now));
    };
    let day = |flag: &str, text: &str| {
        parse_day(text, context.offset)
            .ok_or_else(|| Failure::misuse(format_args!("{flag} {text:?} is no day"), "a date: 2026-03-14"))
    };
    let from = day("--since", since)?;
    let until = match &args.until {
        Some(last) => UnixMs(day("--until", last)?.0.saturating_add(UnixMs::DAY_MS)).min(context.now),
        None => context.now,
    };
    if until <= from {
        return Err(Failure::misuse(
            format_args!("nothing is between {} and {}", from.minute(context.offset), until.minute(context.offset)),
            "name a day that has begun, and --until one that is not before it",
        ));
    }
    Ok((from, until))
}

#[cfg(test)]
mod tests {
    use clap::Parser as _;
    use six_core::record::{Family, OutcomeKind};
    use six_core::telemetry::{Episode, Invocation, Remedy, UnixDay};
    use six_store::HookFailure;

    use super::*;
    use crate::cli::{Cli, Command};

    fn window(context: &Context, line: &str) -> Result<(i64, i64), String> {
        let cli =
            Cli::try_parse_from(format!("six report {line}").split_whitespace()).map_err(|why| why.to_string())?;
        let Command::Report(args) = cli.command else { panic!("report") };
        let hours = |at: UnixMs| (at.0 - context.now.0) / 3_600_000;
        parse_window(context, &args).map(|(from, until)| (hours(from), hours(until))).map_err(|why| why.to_string())
    }

    #[test]
    fn a_window_is_of_local_days_and_ends_now_at_the_latest() {
        let context = Context::fixed();
        assert_eq!(window(&context, ""), Ok((-7 * 24, 0)));
        assert_eq!(window(&context, "--days 1"), Ok((-24, 0)));
        assert_eq!(window(&context, "--since 2025-12-30"), Ok((-48, 0)));
        assert_eq!(window(&context, "--since 2025-12-30 --until 2025-12-30"), Ok((-48, -24)));
        assert_eq!(window(&context, "--since 2025-12-30 --until 2026-05-01"), Ok((-48, 0)));
        let mut east = context;
        east.offset = chrono::FixedOffset::east_opt(2 * 3600).unwrap();
        assert_eq!(window(&east, "--since 2025-12-30 --until 2025-12-30"), Ok((-50, -26)));
    }

    #[test]
    fn a_window_that_holds_no_time_is_refused() {
        let context = Context::fixed();
        for line in ["--days 0", "--days 3 --since 2025-12-30", "--until 2025-12-30", "--since yesterday"] {
            assert!(window(&context, line).is_err(), "{line}");
        }
        insta::assert_snapshot!(window(&context, "--since 2025-12-30 --until 2025-12-29").unwrap_err(), @r"
        six: nothing is between 2025-12-30 00:00 and 2025-12-30 00:00
          next: name a day that has begun, and --until one that is not before it
        ");
        assert!(window(&context, "--since 2026-01-02").is_err(), "tomorrow");
    }

    fn sample() -> Report {
        let window = (UnixMs(1_767_225_600_000 - 2 * UnixMs::DAY_MS), UnixMs(1_767_225_600_000));
        let ended = |kind, class, took_us| Invocation::Ended {
            kind,
            class,
            took_us: Some(took_us),
            rows_written: 2,
            bytes_emitted: 40,
        };
        let at = UnixMs(window.0.0 + 5_000);
        let today = UnixDay::of(at);
        let mut hooks = HookDays { synthetic_left_out: 3, ..HookDays::default() };
        for (hook, day, invocation) in [
            (HookName::SessionStart, today, ended(OutcomeKind::Ok, "", 31_200)),
            (HookName::UserPromptSubmit, today, ended(OutcomeKind::Ok, "", 950)),
            (HookName::UserPromptSubmit, today, ended(OutcomeKind::Ok, "degraded", 4_210)),
            (HookName::UserPromptSubmit, today, ended(OutcomeKind::Failed, "busy", 51_000)),
            (HookName::UserPromptSubmit, UnixDay(today.0 + 1), Invocation::Crashed),
            (HookName::UserPromptSubmit, UnixDay(today.0 + 1), ended(OutcomeKind::TimedOut, "deadline", 150_400)),
            (HookName::UserPromptSubmit, UnixDay(today.0 + 1), ended(OutcomeKind::Skipped, "wired-twice", 1_100)),
            (HookName::Worker, UnixDay(today.0 + 1), Invocation::Running),
        ] {
            hooks.by_day.entry((hook, day)).or_default().add(invocation);
        }
        hooks.events_seen.extend([(HookName::UserPromptSubmit, 6), (HookName::PreToolUse, 2)]);
        hooks.newest_failure.insert(
            HookName::UserPromptSubmit,
            HookFailure { started: at, family: Family::Store, text: "the store\u{1b}[2J is busy".to_owned() },
        );
        let episode = |fault: &str, shown_ms: i64, remedied: Option<(i64, Remedy)>| Episode {
            check: "queue".into(),
            fault: fault.into(),
            detail: "47 candidates pending, oldest 12 d".into(),
            fix: "six triage".into(),
            evidence: (fault != "unknown").then_some(at),
            shown: UnixMs(at.0 + shown_ms),
            remedied: remedied.map(|(ms, how)| (UnixMs(at.0 + ms), how)),
        };
        let faults = summarise_episodes(vec![
            episode("backlog", 300, Some((7_200_000, Remedy::Fix))),
            episode("backlog", 90_000, Some((9_000_000, Remedy::Gone))),
            episode("backlog", 10_000_000, None),
            episode("old", 61_000, Some((70_000, Remedy::Fix))),
            episode("unknown", 61_000, None),
        ]);
        Report::new(window, hooks, faults)
    }

    #[test]
    fn a_report_tells_what_failed_first_then_counts_then_faults() {
        insta::assert_snapshot!(text::whole(&sample(), Context::fixed().offset));
    }

    #[test]
    fn a_program_reads_totals_days_and_faults() {
        insta::assert_snapshot!(format!("{:#}", json::body(&sample())));
    }

    #[test]
    fn a_window_in_which_nothing_happened_says_so() {
        let report = Report::new((UnixMs(0), UnixMs(UnixMs::DAY_MS)), HookDays::default(), BTreeMap::new());
        assert!(report.is_empty());
        insta::assert_snapshot!(
            text::whole(&report, Context::fixed().offset),
            @"1970-01-01 00:00 to 1970-01-02 00:00: nothing happened: no hook ran, and no check was red"
        );
    }
}
