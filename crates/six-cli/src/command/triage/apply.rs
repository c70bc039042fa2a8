//! `six triage --apply`: verdicts from a file, all of them or none.

use std::process::ExitCode;

use serde_json::json;
use six_core::curate::{Batch, Judged, JudgedBatch, Ruling, RulingFault};
use six_core::record::RecordState;
use six_core::text::printable;
use six_runtime::project::identity::Project;
use six_store::Store;

use super::read::{parse_rulings, read};
use super::{judge_of, refuse};
use crate::command::records::{embed_at_once, fresh_id, kind_name};
use crate::context::Context;
use crate::failure::{Failure, store_failure};
use crate::output::{count, object};

/// Runs it.
pub(super) fn run(context: &Context, file: &str, dry_run: bool) -> Result<ExitCode, Failure> {
    let text = read(file)?;
    let project = context.project()?;
    let rulings = match parse_rulings(&text) {
        Ok(rulings) => rulings,
        Err(fault) => return Ok(refused(context, &[fault])),
    };
    let store = if dry_run { Context::reader(&project)? } else { context.writer(&project)? };
    let id = fresh_id()?;
    match give(context, &project, &store, &rulings, &id, dry_run)? {
        Ok(judged) => {
            context.print(&if context.json { told_json(&judged, &id, dry_run) } else { told(&judged, &id, dry_run) });
            Ok(ExitCode::SUCCESS)
        }
        Err(faults) => Ok(refused(context, &faults)),
    }
}

/// Applies verdicts as a batch of that id. What they put in force gets its vector at once.
pub(super) fn give(
    context: &Context,
    project: &Project,
    store: &Store,
    rulings: &[Ruling],
    id: &str,
    dry_run: bool,
) -> Result<Result<JudgedBatch, Vec<RulingFault>>, Failure> {
    let batch = Batch { id, judge: judge_of(context), now: six_runtime::clock::now() };
    let judged = store.apply_rulings(rulings, batch, dry_run).map_err(|fault| store_failure(project, &fault))?;
    let confirmed =
        |judged: &JudgedBatch| judged.judged.iter().filter(|one| one.new.state == RecordState::Confirmed).count();
    match judged.as_ref().map(confirmed) {
        Ok(put_in_force) if put_in_force > 0 && !dry_run => embed_at_once(context, project, store, put_in_force),
        _ => {}
    }
    Ok(judged)
}

fn refused(context: &Context, faults: &[RulingFault]) -> ExitCode {
    let what = format!("{} refused, and nothing was changed:", count(faults.len() as u64, "verdict"));
    refuse(context, "applied", faults, &what, "six triage --list --json (the ids), six thread list (the threads)")
}

fn told_json(batch: &JudgedBatch, id: &str, dry_run: bool) -> String {
    let is_applied = !dry_run && !batch.judged.is_empty();
    let verdicts = batch.judged.iter().map(|Judged { new, verdict, .. }| {
        json!({
            "id": new.id,
            "kind": new.kind,
            "verdict": verdict,
            "state": new.state,
            "title": new.title,
            "thread": new.thread,
            "superseded_by": new.superseded_by,
        })
    });
    let opened = batch.opened.iter().map(|thread| json!({"id": thread.id, "name": thread.name}));
    object(
        "triage",
        json!({
            "applied": if is_applied { batch.judged.len() } else { 0 },
            "batch": is_applied.then_some(id),
            "errors": [],
            "dry_run": dry_run,
            "verdicts": verdicts.collect::<Vec<_>>(),
            "opened": opened.collect::<Vec<_>>(),
        }),
    )
}

fn told(batch: &JudgedBatch, id: &str, dry_run: bool) -> String {
    let mut lines: Vec<String> = batch.judged.iter().map(|judged| line(judged, dry_run)).collect();
    lines.extend(
        batch
            .opened
            .iter()
            .map(|thread| format!("thread {} {} {}", thread.id, becomes(dry_run), printable(thread.name.as_str()))),
    );
    lines.push(match (batch.judged.len(), dry_run) {
        (0, _) => String::from("no verdicts, nothing changed"),
        (n, true) => format!("{} could be applied, nothing changed", count(n as u64, "verdict")),
        (n, false) => format!("{} applied; six triage --undo {id} takes them back", count(n as u64, "verdict")),
    });
    lines.join("\n")
}

fn line(Judged { new, .. }: &Judged, dry_run: bool) -> String {
    let by = new.superseded_by.as_ref().map_or_else(String::new, |id| match new.state {
        RecordState::Superseded => format!(" by {id}"),
        _ => format!(", evidence of {id}"),
    });
    let word = becomes(dry_run);
    format!("{} {} {word} {}{by}: {}", kind_name(new.kind), new.id, new.state.as_str(), printable(new.title.as_str()))
}

const fn becomes(dry_run: bool) -> &'static str {
    if dry_run { "would be" } else { "is" }
}
