//! `six health`

mod prove;

use std::process::ExitCode;

use serde_json::{Value, json};
use six_core::config::Gate;
use six_core::health::{ALL_NOTES, CheckName, HealthLimits, HealthReport, MAX_NOTES_IN_HOOKS, judge_health};
use six_core::record::Why;
use six_runtime::config::Configuration;
use six_runtime::embed::Patience;
use six_runtime::health::{GateRow, Look, gather};
use six_runtime::ingest::find_unread;
use six_runtime::project::identity::Project;

use crate::cli::HealthArgs;
use crate::context::Context;
use crate::failure::{Exit, Failure, nearest};

/// Runs it: exit code 0 when all is green or the gate is off, 1 when anything is red, 2 when it could not run.
pub(crate) fn run(context: &Context, args: &HealthArgs) -> Result<ExitCode, Failure> {
    let only = args.check.as_deref().map(named).transpose()?;
    let project = context.project()?;
    if args.prove {
        return prove::run(context, &project, only);
    }
    let mut report = judge(context, &project);
    report.checks.retain(|check| only.is_none_or(|only| check.name == only));
    context.print(&if context.json {
        report.to_json().to_string()
    } else {
        report.render_text(if args.verbose { ALL_NOTES } else { MAX_NOTES_IN_HOOKS })
    });
    Ok(if report.red() == 0 { ExitCode::SUCCESS } else { Exit::Nothing.into() })
}

/// The text and the JSON of all checks, for the end of an install.
pub(crate) fn report(context: &Context, project: &Project) -> (String, Value) {
    let report = judge(context, project);
    (report.render_text(MAX_NOTES_IN_HOOKS), json!(report.to_json()))
}

/// Looks at everything, the whole file included, and judges. A store that can't be opened is what the check `store` is
/// red about, not an error of this command.
/// Where the gate is off nothing is looked at.
fn judge(context: &Context, project: &Project) -> HealthReport {
    let configuration = Configuration::read(&context.env, Some(&project.store_dir));
    if configuration.config.health.gate == Gate::Off {
        return HealthReport::off();
    }
    let store = context.health_reader(project);
    let row = store.as_ref().ok().and_then(|store| GateRow::open(store, &context.env));
    let look = Look { now: context.now, until: None, find_unread, patience: Patience::Person };
    let evidence = gather(project, &context.env, &configuration, store.as_ref().map_err(|why: &Why| *why), look);
    let limits = HealthLimits::default();
    let report = judge_health(&evidence, &limits);
    if let Ok(store) = &store {
        // Where the store can't be written, the judgement itself says so.
        let _ = store.note_health(context.now, &report.judged(&evidence, &limits));
        if let Some(row) = row {
            row.close(store, &report);
        }
    }
    report
}

fn named(name: &str) -> Result<CheckName, Failure> {
    let known = CheckName::ALL.map(CheckName::as_str);
    CheckName::parse(name).ok_or_else(|| {
        let next = nearest(name, &known)
            .map_or_else(|| format!("one of: {}", known.join(", ")), |near| format!("six health --check {near}"));
        Failure::misuse(format_args!("there is no check {name:?}"), next)
    })
}
