//! Showing a record whole.

use std::process::ExitCode;

use six_core::inject::AnchorQuery;
use six_core::record::{Record, RecordKind};
use six_runtime::anchor::verify;
use six_runtime::project::identity::Project;
use six_store::Store;

use super::{find, kind_name};
use crate::context::Context;
use crate::failure::{Failure, store_failure};
use crate::output::{object, record_json, record_text};

/// Time for looking at what a record stands on: a person waits, and nothing else does.
const LOOK_US: u64 = 1_000_000;

pub(super) fn show(context: &Context, kind: RecordKind, id: &str) -> Result<ExitCode, Failure> {
    let project = context.project()?;
    let store = Context::reader(&project)?;
    let found = find(&project, &store, kind, id, "show")?;
    whole(context, &project, &store, &found, kind_name(kind))
}

/// Prints a record with all that is known about it, as JSON under the name of `command`.
pub(crate) fn whole(
    context: &Context,
    project: &Project,
    store: &Store,
    found: &Record,
    command: &str,
) -> Result<ExitCode, Failure> {
    let failed = |fault| store_failure(project, &fault);
    let whole = store.whole_record(&found.id).map_err(failed)?;
    let items = vec![(whole.record.item(), whole.record.anchors.clone())];
    let states = verify(&project.root, &AnchorQuery { items, within_us: LOOK_US });
    let states = states.into_values().next().unwrap_or_default();
    context.print(&if context.json {
        object(command, record_json(&whole, &states))
    } else {
        record_text(&whole, &states, &store.threads().map_err(failed)?, context)
    });
    Ok(ExitCode::SUCCESS)
}
