//! `six log`

use std::process::ExitCode;

use serde_json::{Value, json};
use six_core::record::{Record, Step};
use six_store::{Store, StoreError};

use crate::cli::LogArgs;
use crate::context::Context;
use crate::failure::{Exit, Failure, store_failure};
use crate::output::{Known, object, record_head, step_json, step_line};

/// Runs it: exit code 1 when there is no such record, or nothing was ever recorded.
pub(crate) fn run(context: &Context, args: &LogArgs) -> Result<ExitCode, Failure> {
    let project = context.project()?;
    let store = Context::reader(&project)?;
    let failed = |fault| store_failure(&project, &fault);
    let changes: Vec<(Record, Step)> = match &args.record {
        None => store.log(args.limit.get()).map_err(failed)?,
        Some(id) => {
            let found = store.record(id).map_err(|fault| match fault {
                StoreError::NotOne { found: 0 } => Failure::new(
                    Exit::Nothing,
                    format_args!("there is no record {id:?}"),
                    "six log (what changed last)",
                ),
                StoreError::NotOne { found } => Failure::misuse(
                    format_args!("{found} records begin with {id:?}"),
                    "give more of the id: six log ID",
                ),
                fault => failed(fault),
            })?;
            let whole = store.whole_record(&found.id).map_err(failed)?;
            whole.history.into_iter().map(|step| (whole.record.clone(), step)).collect()
        }
    };
    let threads = store.threads().map_err(failed)?;
    let records = successors(&store, &changes);
    let known = Known { threads: &threads, records: &records };
    context.print(&if context.json {
        object("log", json!({"changes": changes.iter().map(change_json).collect::<Vec<_>>()}))
    } else {
        let mut lines = Vec::new();
        for (record, step) in &changes {
            if args.record.is_none() || lines.is_empty() {
                lines.push(record_head(record));
            }
            lines.push(format!("  {}", step_line(step, &known, context)));
        }
        lines.join("\n")
    });
    if changes.is_empty() {
        context.say("nothing was recorded yet: six decision add TITLE");
        return Ok(Exit::Nothing.into());
    }
    Ok(ExitCode::SUCCESS)
}

/// The records that took the place of others in these changes, as far as they are still there.
fn successors(store: &Store, changes: &[(Record, Step)]) -> Vec<Record> {
    let fields = changes.iter().flat_map(|(_, step)| &step.fields).filter(|field| field.name == "superseded_by");
    fields.filter_map(|field| store.record(field.after.as_str()?).ok()).collect()
}

fn change_json((record, step): &(Record, Step)) -> Value {
    let mut change = step_json(step);
    if let Some(fields) = change.as_object_mut() {
        fields.insert(String::from("record"), json!(record.id));
        fields.insert(String::from("kind"), json!(record.kind));
        fields.insert(String::from("title"), json!(record.title));
    }
    change
}
