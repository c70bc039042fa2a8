//! A person's word on records.

use std::process::ExitCode;

use serde_json::json;
use six_core::record::{RecordId, RecordKind, RecordState};
use six_core::text::Redactor;

use super::{embed_at_once, find, kind_name};
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
    let ids = args.ids.iter().map(|id| Ok(find(&project, &store, kind, id, verb)?.id));
    let ids = ids.collect::<Result<Vec<RecordId>, Failure>>()?;
    let reason = Redactor::new().redact(args.reason.as_deref().unwrap_or_default());
    store
        .judge_records(&ids, to, context.origin(), &reason, context.now)
        .map_err(|fault| write_failure(&project, name, &fault))?;
    if to == RecordState::Confirmed {
        embed_at_once(context, &project, &store, ids.len());
    }
    context.print(&if context.json {
        object(name, json!({"state": to, "ids": ids}))
    } else {
        ids.iter().map(|id| format!("{name} {id} is {}", to.as_str())).collect::<Vec<_>>().join("\n")
    });
    Ok(ExitCode::SUCCESS)
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
    store
        .supersede(&old.id, &new.id, context.origin(), &reason, context.now)
        .map_err(|fault| write_failure(&project, name, &fault))?;
    context.print(&if context.json {
        object(name, json!({"state": RecordState::Superseded, "ids": [old.id], "superseded_by": new.id}))
    } else {
        format!("{name} {} is superseded by {}", old.id, new.id)
    });
    Ok(ExitCode::SUCCESS)
}
