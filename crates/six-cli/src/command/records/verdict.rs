//! A person's word on records.

use std::process::ExitCode;

use serde_json::json;
use six_core::record::{Record, RecordId, RecordKind, RecordState};
use six_core::text::Redactor;

use super::{embed_at_once, find, fresh_id, kind_name, taken_back_by, titled};
use crate::cli::{SupersedeArgs, VerdictArgs};
use crate::command::refused::{check_person, write_failure};
use crate::context::Context;
use crate::failure::Failure;
use crate::output::object;

/// Moves records to another state: all of them or, when one can't be, none.
pub(super) fn judge(
    context: &Context,
    kind: RecordKind,
    args: &VerdictArgs,
    to: RecordState,
    verb: &str,
) -> Result<ExitCode, Failure> {
    check_person(context)?;
    let name = kind_name(kind);
    let project = context.project()?;
    let store = context.writer(&project)?;
    let found = args.ids.iter().map(|id| find(&project, &store, kind, id, verb));
    let found = found.collect::<Result<Vec<Record>, Failure>>()?;
    let ids: Vec<RecordId> = found.iter().map(|record| record.id.clone()).collect();
    let batch = fresh_id()?;
    let reason = Redactor::new().redact(args.reason.as_deref().unwrap_or_default());
    store
        .judge_records(&ids, to, context.origin(), &reason, Some(&batch), context.now)
        .map_err(|fault| write_failure(&project, name, &fault))?;
    if to == RecordState::Confirmed {
        embed_at_once(context, &project, &store, ids.len());
    }
    context.print(&if context.json {
        object(name, json!({"state": to, "ids": ids, "batch": batch}))
    } else {
        let line = |record: &Record| titled(&format!("{name} {} is {}", record.id, to.as_str()), record);
        found.iter().map(line).chain([taken_back_by(&batch)]).collect::<Vec<_>>().join("\n")
    });
    Ok(ExitCode::SUCCESS)
}

/// That it is, with its title.
pub(super) fn superseded(old: &Record) -> String {
    titled(&format!("{} {} is superseded", kind_name(old.kind), old.id), old)
}

/// Closes a record that another one replaced.
pub(super) fn supersede(context: &Context, kind: RecordKind, args: &SupersedeArgs) -> Result<ExitCode, Failure> {
    check_person(context)?;
    let name = kind_name(kind);
    let project = context.project()?;
    let store = context.writer(&project)?;
    let [old, new] = [&args.old, &args.new].map(|id| find(&project, &store, kind, id, "show"));
    let (old, new) = (old?, new?);
    let reason = Redactor::new().redact(args.reason.as_deref().unwrap_or_default());
    let batch = fresh_id()?;
    store
        .supersede(&old.id, &new.id, context.origin(), &reason, Some(&batch), context.now)
        .map_err(|fault| write_failure(&project, name, &fault))?;
    context.print(&if context.json {
        let state = RecordState::Superseded;
        object(name, json!({"state": state, "ids": [old.id], "superseded_by": new.id, "batch": batch}))
    } else {
        [superseded(&old), titled(&format!("  by {}", new.id), &new), taken_back_by(&batch)].join("\n")
    });
    Ok(ExitCode::SUCCESS)
}
