//! What the kinds of records have in common: adding one, listing them.

use std::process::ExitCode;

use serde_json::{Value, json};
use six_core::record::{Origin, Record, RecordId, RecordKind, RecordState, Thread, ThreadId, UnixMs};
use six_core::text::{Redacted, Redactor, printable};
use six_runtime::embed::embed_entered;
use six_runtime::ids;
use six_runtime::project::identity::Project;
use six_store::{Store, StoreError};

use super::place;
use crate::cli::{ListArgs, PlaceArgs, VerdictArgs};
use crate::context::Context;
use crate::failure::{Exit, Failure, nearest, store_failure};
use crate::output::{fit, object};

/// What the person typed for a new record.
#[derive(Debug, Default)]
pub(crate) struct Typed<'a> {
    /// The one clause.
    pub(crate) title: &'a str,
    /// Why.
    pub(crate) why: Option<&'a str>,
    /// Options that were rejected.
    pub(crate) rejected: &'a [String],
    /// When to try again.
    pub(crate) revive_if: Option<&'a str>,
    /// Where it holds.
    pub(crate) scope: Option<&'a str>,
}

/// Adds a record. What a person enters is in force at once; what an agent enters waits for triage, since nothing that
/// a program says confirms itself.
pub(crate) fn add(
    context: &Context,
    kind: RecordKind,
    typed: &Typed<'_>,
    place: &PlaceArgs,
) -> Result<ExitCode, Failure> {
    check_title(typed.title)?;
    let project = context.project()?;
    let store = context.writer(&project)?;
    let thread = place.thread.as_deref().map(|name| thread_named(context, &project, &store, name)).transpose()?;
    let origin = if context.env.claudecode { Origin::Agent } else { Origin::Operator };
    let state = RecordState::of_entry(origin);
    let redactor = Redactor::new();
    let redact = |text: Option<&str>| redactor.redact(text.unwrap_or_default());
    let (title, body) = (redactor.redact(typed.title.trim()), redact(typed.why));
    let anchors = place::anchors(&project, &place.anchor, &[&title, &body], redactor)?;
    let record = Record {
        id: RecordId::new(fresh_id()?),
        kind,
        state,
        origin,
        title,
        body,
        quote: Redacted::literal(""),
        rejected: typed.rejected.iter().map(|text| redactor.redact(text)).collect(),
        revive_if: redact(typed.revive_if),
        scope: redact(typed.scope),
        thread,
        superseded_by: None,
        session: None,
        turn: None,
        anchors,
        created: context.now,
        validated: context.now,
        evidence: Redacted::default(),
        commits: Vec::new(),
        source_path: None,
        written_by: Redacted::default(),
    };
    store.add_record(&record, origin.as_str()).map_err(|fault| store_failure(&project, &fault))?;
    if state == RecordState::Confirmed {
        embed_at_once(context, &project, &store, 1);
    }
    context.print(&if context.json {
        object(kind_name(kind), json!({"record": record}))
    } else {
        format!("{} {} is {}", kind_name(kind), record.id, state.as_str())
    });
    if state == RecordState::Pending {
        context.say("entered by an agent: it counts once a person has confirmed it");
    }
    Ok(ExitCode::SUCCESS)
}

fn check_title(title: &str) -> Result<(), Failure> {
    let chars = title.trim().chars().count();
    if chars == 0 {
        return Err(Failure::misuse("the title is empty", "say it in one clause"));
    }
    if chars > Record::TITLE_MAX_CHARS {
        return Err(Failure::misuse(
            format_args!("the title has {chars} characters, more than {}", Record::TITLE_MAX_CHARS),
            "say it in one clause and put the rest into --why",
        ));
    }
    Ok(())
}

/// The thread of that id or name; a new name opens one.
fn thread_named(context: &Context, project: &Project, store: &Store, name: &str) -> Result<ThreadId, Failure> {
    let failed = |fault| store_failure(project, &fault);
    let threads = store.threads().map_err(failed)?;
    let name = Redactor::new().redact(name.trim());
    if let Some(known) = threads.iter().find(|t| t.id.as_str() == name.as_str() || t.name == name) {
        return Ok(known.id.clone());
    }
    let thread = Thread {
        id: ThreadId::new(fresh_id()?),
        name,
        summary: Redacted::literal(""),
        open: true,
        created: context.now,
    };
    store.add_thread(&thread).map_err(failed)?;
    Ok(thread.id)
}

/// A random id.
pub(crate) fn fresh_id() -> Result<String, Failure> {
    ids::random_record_id().map_err(|fault| Failure::misuse(fault, "run this again"))
}

/// Puts pending records in force, or refuses them: all of them or, when one can't be, none.
pub(crate) fn judge(
    context: &Context,
    kind: RecordKind,
    args: &VerdictArgs,
    verdict: RecordState,
) -> Result<ExitCode, Failure> {
    if context.env.claudecode {
        return Err(Failure::misuse(
            "a verdict on a record is a person's, and this command was given by an agent",
            "ask the operator to run it in a terminal of their own",
        ));
    }
    let project = context.project()?;
    let store = context.writer(&project)?;
    let records = args.ids.iter().map(|id| pending(&project, &store, kind, id)).collect::<Result<Vec<_>, _>>()?;
    for record in &records {
        store
            .set_state(record.id.as_str(), verdict, Origin::Operator.as_str(), context.now)
            .map_err(|fault| store_failure(&project, &fault))?;
    }
    if verdict == RecordState::Confirmed {
        embed_at_once(context, &project, &store, records.len());
    }
    let ids: Vec<&str> = records.iter().map(|record| record.id.as_str()).collect();
    context.print(&if context.json {
        object(kind_name(kind), json!({"state": verdict, "ids": ids}))
    } else {
        let lines = ids.iter().map(|id| format!("{} {id} is {}", kind_name(kind), verdict.as_str()));
        lines.collect::<Vec<_>>().join("\n")
    });
    Ok(ExitCode::SUCCESS)
}

/// What of more trusted kinds may be waiting for its vector: it gets it first.
const OTHERS_WAITING: usize = 8;

/// Gives what was just put in force its vector, so that the next prompt that says it in other words finds it. Where that
/// fails the worker makes it, and the check `vectors` tells what is in the way.
pub(crate) fn embed_at_once(context: &Context, project: &Project, store: &Store, count: usize) {
    if let Ok(config) = context.config(project) {
        let _ = embed_entered(store, &config.embed, count + OTHERS_WAITING);
    }
}

/// The one pending record of that kind whose id begins so.
fn pending(project: &Project, store: &Store, kind: RecordKind, id: &str) -> Result<Record, Failure> {
    let next = format!("six {} list --state pending", kind_name(kind));
    let record = store.record(id).map_err(|fault| match fault {
        StoreError::NotOne { found: 0 } => Failure::misuse(format_args!("there is no record {id:?}"), &next),
        StoreError::NotOne { found } => Failure::misuse(format_args!("{found} records begin with {id:?}"), &next),
        fault => store_failure(project, &fault),
    })?;
    if record.kind != kind {
        return Err(Failure::misuse(
            format_args!("{id:?} is a {}, not a {}", kind_name(record.kind), kind_name(kind)),
            format_args!("six {} confirm {id}", kind_name(record.kind)),
        ));
    }
    if record.state != RecordState::Pending {
        return Err(Failure::misuse(format_args!("{id:?} is {} already", record.state.as_str()), &next));
    }
    Ok(record)
}

/// Lists the records of a kind: exit code 1 when there is none.
pub(crate) fn list(context: &Context, kind: RecordKind, args: &ListArgs) -> Result<ExitCode, Failure> {
    let states = states(&args.state)?;
    let project = context.project()?;
    let store = Context::reader(&project)?;
    let failed = |fault| store_failure(&project, &fault);
    let mut records = store.records(Some(kind), &states).map_err(failed)?;
    records.truncate(args.limit.get());
    let threads = store.threads().map_err(failed)?;
    context.print(&if context.json {
        object(kind_name(kind), json!({"records": records}))
    } else {
        records.iter().map(|record| line(record, &threads, context)).collect::<Vec<_>>().join("\n")
    });
    if records.is_empty() {
        context.say(&if args.state.is_empty() {
            format!("no {} yet: six {0} add TITLE", kind_name(kind))
        } else {
            format!("no {} is {}", kind_name(kind), args.state.join(" or "))
        });
        return Ok(Exit::Nothing.into());
    }
    Ok(ExitCode::SUCCESS)
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

fn line(record: &Record, threads: &[Thread], context: &Context) -> String {
    let thread = record
        .thread
        .as_ref()
        .and_then(|id| threads.iter().find(|thread| thread.id == *id))
        .map_or_else(String::new, |thread| format!("  [{}]", printable(thread.name.as_str())));
    format!(
        "{}  {}  {:<10} {}{thread}",
        record.id,
        UnixMs::date(record.created, context.offset),
        record.state.as_str(),
        fit(&printable(record.title.as_str()), 100),
    )
}

/// The name of a kind on the command line.
pub(crate) const fn kind_name(kind: RecordKind) -> &'static str {
    match kind {
        RecordKind::Decision => "decision",
        RecordKind::DeadEnd => "dead-end",
        RecordKind::Correction => "correction",
        RecordKind::Cheatsheet => "cheatsheet",
    }
}

/// A list of names or rows as JSON, used by the commands whose nouns are no records.
pub(crate) fn rows<T: serde::Serialize>(command: &str, name: &str, items: &[T]) -> String {
    object(command, Value::Object([(name.to_owned(), json!(items))].into_iter().collect()))
}
