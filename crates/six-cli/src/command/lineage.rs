//! `six lineage`

use std::process::ExitCode;

use serde_json::{Value, json};
use six_core::curate::{Prose, compose, compose_step, compose_today};
use six_core::inject::StoryRecord;
use six_core::record::ThreadId;
use six_core::text::printable;
use six_runtime::curate::{Synthesized, refresh};
use six_runtime::project::identity::Project;
use six_store::{Lineage, Store};

use super::thread;
use crate::cli::LineageArgs;
use crate::context::Context;
use crate::failure::{Exit, Failure, store_failure};
use crate::output::object;

/// Runs it: exit code 1 when there is no story to tell.
pub(crate) fn run(context: &Context, args: &LineageArgs) -> Result<ExitCode, Failure> {
    let project = context.project()?;
    let store = if args.refresh { context.writer(&project)? } else { Context::reader(&project)? };
    let thread =
        args.thread.as_deref().map(|name| thread::find(&project, &store, name)).transpose()?.map(|thread| thread.id);
    if args.refresh {
        let config = context.config(&project)?;
        let written = refresh(&store, &config, thread.as_ref()).map_err(|fault| store_failure(&project, &fault))?;
        context.say(&refreshed(config.capture.synthesis, &written));
    }
    match thread {
        Some(id) => tell(context, &project, &store, &id),
        None => list(context, &project, &store),
    }
}

fn refreshed(synthesis: bool, written: &Synthesized) -> String {
    if !synthesis {
        return String::from("no model tells stories here (capture.synthesis is false)");
    }
    if written.failure.is_empty() {
        return format!("stories told anew: {}", written.told);
    }
    format!("the model told {} and then nothing more: {}", written.told, written.failure)
}

fn tell(context: &Context, project: &Project, store: &Store, id: &ThreadId) -> Result<ExitCode, Failure> {
    let found = store.lineage(id).map_err(|fault| store_failure(project, &fault))?;
    let Some(lineage) = found.filter(|lineage| !lineage.story.records.is_empty()) else {
        return Err(Failure::new(
            Exit::Nothing,
            format_args!("nothing was ever in force in thread {id}"),
            "six decision add TITLE --thread NAME",
        ));
    };
    context.print(&if context.json {
        object("lineage", lineage_json(&lineage, context))
    } else {
        text(&lineage, context)
    });
    Ok(ExitCode::SUCCESS)
}

fn text(lineage: &Lineage, context: &Context) -> String {
    let mut parts = vec![compose(&lineage.story, context.offset)];
    if let Some(Prose { text: told, model, at }) = &lineage.story.prose {
        let (model, told) = (printable(model.as_str()), printable(told.as_str()));
        parts.push(format!("told by {model} on {}: {told}", at.date(context.offset)));
    }
    parts.join("\n\n")
}

fn lineage_json(lineage: &Lineage, context: &Context) -> Value {
    let steps: Vec<Value> = lineage.story.records.iter().map(|step| step_json(step, context)).collect();
    let prose = lineage.story.prose.as_ref();
    json!({
        "thread": lineage.thread,
        "key": lineage.key,
        "steps": steps,
        "today": compose_today(&lineage.story),
        "text": compose(&lineage.story, context.offset),
        "prose": prose.map(|prose| json!({"text": prose.text, "model": prose.model, "date": prose.at.rfc3339()})),
    })
}

fn step_json(step: &StoryRecord, context: &Context) -> Value {
    json!({
        "record": step.item,
        "kind": step.kind,
        "state": step.state,
        "origin": step.origin,
        "date": step.at.rfc3339(),
        "title": step.title,
        "why": step.body,
        "rejected": step.rejected,
        "revive_if": step.revive_if,
        "replaced_by": step.superseded_by,
        "text": compose_step(step, context.offset),
    })
}

/// The state of every thread today, the newest thread first. One that was merged is told as the one that took it in.
fn list(context: &Context, project: &Project, store: &Store) -> Result<ExitCode, Failure> {
    let failed = |fault| store_failure(project, &fault);
    let mut told = Vec::new();
    for thread in store.threads().map_err(failed)? {
        let lineage = store.lineage(&thread.id).map_err(failed)?;
        told.extend(lineage.filter(|lineage| lineage.thread.id == thread.id));
    }
    context.print(&if context.json {
        let row = |lineage: &Lineage| {
            json!({"thread": lineage.thread, "steps": lineage.story.records.len(), "today": compose_today(&lineage.story)})
        };
        object("lineage", json!({"threads": told.iter().map(row).collect::<Vec<_>>()}))
    } else {
        told.iter().map(line).collect::<Vec<_>>().join("\n")
    });
    if told.is_empty() {
        context.say("no threads yet: six thread add NAME");
        return Ok(Exit::Nothing.into());
    }
    Ok(ExitCode::SUCCESS)
}

fn line(lineage: &Lineage) -> String {
    let name = printable(lineage.thread.name.as_str());
    if lineage.story.records.is_empty() {
        let open = if lineage.thread.open { "open" } else { "closed" };
        return format!("{}  {name}: {open}; nothing was ever in force", lineage.thread.id);
    }
    format!("{}  {name}: {}", lineage.thread.id, compose_today(&lineage.story))
}
