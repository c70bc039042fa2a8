//! `six triage --undo`: a batch of verdicts taken back.

use std::process::ExitCode;

use serde_json::json;
use six_core::curate::RulingFault;
use six_core::text::printable;
use six_runtime::project::identity::Project;
use six_store::{NotUndone, Store, Undone};

use super::{judge_of, refuse};
use crate::command::records::kind_name;
use crate::context::Context;
use crate::failure::{Exit, Failure, store_failure};
use crate::output::{count, object};

/// The word for the newest batch.
const LAST: &str = "last";

/// Runs it: exit code 1 when there is no batch to take back.
pub(super) fn run(context: &Context, asked: &str) -> Result<ExitCode, Failure> {
    let project = context.project()?;
    let store = context.writer(&project)?;
    let id = if asked == LAST {
        let last = store.last_batch(judge_of(context)).map_err(|fault| store_failure(&project, &fault))?;
        last.ok_or_else(|| {
            let next = "six triage --list (what waits for a verdict)";
            Failure::new(Exit::Nothing, "there is no batch of verdicts to take back", next)
        })?
    } else {
        asked.trim().to_owned()
    };
    match take_back(context, &project, &store, &id)? {
        Ok(undone) => {
            context.print(&if context.json { told_json(&undone) } else { told(&undone) });
            Ok(ExitCode::SUCCESS)
        }
        Err(faults) => {
            let what = format!("batch {} stays as it is, and nothing was changed:", printable(&id));
            Ok(refuse(context, "undone", &faults, &what, "six log RECORD (what became of a record)"))
        }
    }
}

/// Takes a batch back, or says what is in the way.
pub(super) fn take_back(
    context: &Context,
    project: &Project,
    store: &Store,
    id: &str,
) -> Result<Result<Undone, Vec<RulingFault>>, Failure> {
    let now = six_runtime::clock::now();
    let undone = store.undo_batch(id, judge_of(context), now).map_err(|fault| store_failure(project, &fault))?;
    let why = |why: &str| vec![RulingFault { id: id.to_owned(), why: why.to_owned() }];
    Ok(undone.map_err(|refusal| match refusal {
        NotUndone::Unknown => why("there is no such batch"),
        NotUndone::Several => why("several batches begin so"),
        NotUndone::Before(at) => why(&format!("it was taken back at {}", at.minute(context.offset))),
        NotUndone::OfOperator => why("a person gave these verdicts, and only a person takes them back"),
        NotUndone::Changed(faults) => faults,
    }))
}

fn told_json(undone: &Undone) -> String {
    let changed = undone.records.iter().chain(&undone.withdrawn);
    let ids: Vec<_> = changed.map(|record| json!({"id": record.id, "state": record.state})).collect();
    let kept: Vec<_> = undone.kept.iter().map(|thread| json!({"id": thread.id, "name": thread.name})).collect();
    object(
        "triage",
        json!({"undone": ids.len(), "batch": undone.batch, "errors": [], "records": ids, "threads_kept": kept}),
    )
}

fn told(undone: &Undone) -> String {
    let mut lines: Vec<String> = undone
        .records
        .iter()
        .map(|one| {
            let title = printable(one.title.as_str());
            format!("{} {} is {} again: {title}", kind_name(one.kind), one.id, one.state.as_str())
        })
        .collect();
    lines.extend(undone.withdrawn.iter().map(|one| {
        format!("{} {} was added by it and is retired: {}", kind_name(one.kind), one.id, printable(one.title.as_str()))
    }));
    let kept = undone.kept.iter();
    lines.extend(
        kept.map(|thread| format!("thread {} stays, it is in use: {}", thread.id, printable(thread.name.as_str()))),
    );
    lines.push(format!("{} taken back", count((undone.records.len() + undone.withdrawn.len()) as u64, "change")));
    lines.join("\n")
}
