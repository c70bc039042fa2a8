//! Listing records.

use std::process::ExitCode;

use serde_json::json;
use six_core::record::{RecordKind, RecordState};

use super::kind_name;
use crate::cli::ListArgs;
use crate::command::thread;
use crate::context::Context;
use crate::failure::{Exit, Failure, nearest, store_failure};
use crate::output::{object, record_line};

/// Lists the records of a kind: exit code 1 when there is none.
pub(super) fn list(context: &Context, kind: RecordKind, args: &ListArgs) -> Result<ExitCode, Failure> {
    let states = states(&args.state)?;
    let project = context.project()?;
    let store = Context::reader(&project)?;
    let failed = |fault| store_failure(&project, &fault);
    let mut records = store.records(Some(kind), &states).map_err(failed)?;
    if let Some(name) = &args.thread {
        let thread = thread::find(&project, &store, name)?;
        records.retain(|record| record.thread.as_ref() == Some(&thread.id));
    }
    records.truncate(args.limit.get());
    let threads = store.threads().map_err(failed)?;
    context.print(&if context.json {
        object(kind_name(kind), json!({"records": records}))
    } else {
        records.iter().map(|record| record_line(record, &threads, context)).collect::<Vec<_>>().join("\n")
    });
    if records.is_empty() {
        context.say(&nothing(kind, args));
        return Ok(Exit::Nothing.into());
    }
    Ok(ExitCode::SUCCESS)
}

fn nothing(kind: RecordKind, args: &ListArgs) -> String {
    let of_thread = args.thread.as_ref().map_or_else(String::new, |name| format!(" of thread {name:?}"));
    if !args.state.is_empty() {
        return format!("no {}{of_thread} is {}", kind_name(kind), args.state.join(" or "));
    }
    let flag = if args.thread.is_some() { " --thread NAME" } else { "" };
    format!("no {}{of_thread} yet: six {0} add TITLE{flag}", kind_name(kind))
}

fn states(names: &[String]) -> Result<Vec<RecordState>, Failure> {
    if names.is_empty() {
        return Ok(vec![RecordState::Confirmed, RecordState::Pending]);
    }
    let known = RecordState::ALL.map(RecordState::as_str);
    names
        .iter()
        .map(|name| {
            RecordState::parse(name).ok_or_else(|| {
                let next = nearest(name, &known).map_or_else(
                    || format!("one of: {}", known.join(", ")),
                    |near| format!("did you mean --state {near}?"),
                );
                Failure::misuse(format_args!("there is no state {name:?}"), next)
            })
        })
        .collect()
}
