//! `six thread`

use std::process::ExitCode;

use serde_json::json;
use six_core::record::{RecordState, Thread, ThreadEdit, ThreadId, judge_line};
use six_core::text::{Redacted, Redactor, printable};
use six_runtime::project::identity::Project;
use six_store::{Store, StoreError};

use super::records::{fresh_id, rows};
use super::refused::{check_person, write_failure};
use crate::cli::ThreadCommand;
use crate::context::Context;
use crate::failure::{Exit, Failure, nearest, store_failure};
use crate::output::{count, object, record_line};

/// States of the records that a thread is shown with: those that were in force or may come to be.
const SHOWN: [RecordState; 4] =
    [RecordState::Pending, RecordState::Confirmed, RecordState::Superseded, RecordState::Retired];

/// Runs one of its verbs.
pub(crate) fn run(context: &Context, verb: ThreadCommand) -> Result<ExitCode, Failure> {
    let is_open = |open| ThreadEdit { open: Some(open), ..ThreadEdit::default() };
    let redact = |text: &str| Redactor::new().redact(text.trim());
    match verb {
        ThreadCommand::Add { name, summary } => add(context, &name, summary.as_deref().unwrap_or_default()),
        ThreadCommand::List => list(context),
        ThreadCommand::Show { name } => show(context, &name),
        ThreadCommand::Close { name } => edit(context, &name, &is_open(false), "closed"),
        ThreadCommand::Reopen { name } => edit(context, &name, &is_open(true), "open"),
        ThreadCommand::Edit { name, summary } => {
            let other = ThreadEdit { summary: Some(redact(&summary)), ..ThreadEdit::default() };
            edit(context, &name, &other, "changed")
        }
        ThreadCommand::Rename { name, new } => {
            check_name(&new)?;
            let other = ThreadEdit { name: Some(redact(&new)), ..ThreadEdit::default() };
            edit(context, &name, &other, "renamed")
        }
        ThreadCommand::Merge { from, into, reason } => {
            merge(context, &from, &into, &redact(reason.as_deref().unwrap_or_default()))
        }
    }
}

fn check_name(name: &str) -> Result<(), Failure> {
    judge_line(name)
        .map_err(|fault| Failure::misuse(format_args!("the name {fault}"), "name the matter in a few words"))
}

fn add(context: &Context, name: &str, summary: &str) -> Result<ExitCode, Failure> {
    check_name(name)?;
    let project = context.project()?;
    let store = context.writer(&project)?;
    let thread = open(context, &project, &store, name, summary)?;
    context.print(&if context.json {
        object("thread", json!({"thread": thread}))
    } else {
        format!("thread {} is open", thread.id)
    });
    Ok(ExitCode::SUCCESS)
}

fn open(context: &Context, project: &Project, store: &Store, name: &str, summary: &str) -> Result<Thread, Failure> {
    let redactor = Redactor::new();
    let thread = Thread {
        id: ThreadId::new(fresh_id()?),
        name: redactor.redact(name.trim()),
        summary: redactor.redact(summary.trim()),
        open: true,
        created: context.now,
        merged_into: None,
    };
    store.add_thread(&thread).map_err(|fault| write_failure(project, "thread", &fault))?;
    Ok(thread)
}

/// The thread of that name or id, or the only one whose id begins so.
pub(crate) fn find(project: &Project, store: &Store, name: &str) -> Result<Thread, Failure> {
    match found(project, store, name)? {
        Some(thread) => Ok(thread),
        None => Err(unknown(project, store, name)?),
    }
}

/// The id of the thread of that name or id; a new name opens one.
pub(crate) fn named(context: &Context, project: &Project, store: &Store, name: &str) -> Result<ThreadId, Failure> {
    check_name(name)?;
    if let Some(known) = found(project, store, name)? {
        return Ok(known.id);
    }
    let new = open(context, project, store, name, "")?;
    context.say(&format!("a new thread: {}", printable(new.name.as_str())));
    Ok(new.id)
}

fn found(project: &Project, store: &Store, name: &str) -> Result<Option<Thread>, Failure> {
    match store.thread(Redactor::new().redact(name.trim()).as_str()) {
        Ok(thread) => Ok(Some(thread)),
        Err(StoreError::NotOne { found: 0 }) => Ok(None),
        Err(StoreError::NotOne { found }) => Err(Failure::misuse(
            format_args!("{found} threads are called {name:?} or begin so"),
            "name one by more of its id: six thread list",
        )),
        Err(fault) => Err(store_failure(project, &fault)),
    }
}

fn unknown(project: &Project, store: &Store, name: &str) -> Result<Failure, Failure> {
    let threads = store.threads().map_err(|fault| store_failure(project, &fault))?;
    let names: Vec<&str> = threads.iter().map(|thread| thread.name.as_str()).collect();
    let next = nearest(name.trim(), &names).map_or_else(
        || String::from("six thread list"),
        |near| format!("did you mean {:?}? (six thread list)", printable(near)),
    );
    Ok(Failure::misuse(format_args!("there is no thread {name:?}"), next))
}

fn list(context: &Context) -> Result<ExitCode, Failure> {
    let project = context.project()?;
    let store = Context::reader(&project)?;
    let mut threads = store.threads().map_err(|fault| store_failure(&project, &fault))?;
    threads.retain(|thread| thread.merged_into.is_none());
    context.print(&if context.json {
        rows("thread", "threads", &threads)
    } else {
        threads.iter().map(|thread| line(thread, context)).collect::<Vec<_>>().join("\n")
    });
    if threads.is_empty() {
        context.say("no threads yet: six thread add NAME");
        return Ok(Exit::Nothing.into());
    }
    Ok(ExitCode::SUCCESS)
}

fn line(thread: &Thread, context: &Context) -> String {
    format!(
        "{}  {}  {:<6} {}",
        thread.id,
        thread.created.date(context.offset),
        if thread.open { "open" } else { "closed" },
        printable(thread.name.as_str())
    )
}

fn show(context: &Context, name: &str) -> Result<ExitCode, Failure> {
    let project = context.project()?;
    let store = Context::reader(&project)?;
    let failed = |fault| store_failure(&project, &fault);
    let thread = find(&project, &store, name)?;
    let records = store.records_of_thread(&thread.id, &SHOWN).map_err(failed)?;
    let all = store.threads().map_err(failed)?;
    let merged = all.iter().filter(|other| other.merged_into.as_ref() == Some(&thread.id));
    let merged: Vec<&Thread> = merged.collect();
    context.print(&if context.json {
        object("thread", json!({"thread": thread, "merged": merged, "records": records}))
    } else {
        let mut lines = vec![line(&thread, context)];
        if !thread.summary.is_empty() {
            lines.push(format!("about: {}", printable(thread.summary.as_str())));
        }
        let names = merged.iter().map(|other| format!("merged into it: {}", printable(other.name.as_str())));
        lines.extend(names);
        // The thread itself needs no naming on each line.
        lines.extend(records.iter().map(|record| format!("  {}", record_line(record, &[], context))));
        lines.join("\n")
    });
    if records.is_empty() {
        context.say("no record belongs to it yet: six decision add TITLE --thread NAME");
    }
    Ok(ExitCode::SUCCESS)
}

fn edit(context: &Context, name: &str, other: &ThreadEdit, done: &str) -> Result<ExitCode, Failure> {
    check_person(context)?;
    let project = context.project()?;
    let store = context.writer(&project)?;
    let old = find(&project, &store, name)?;
    let thread = store
        .edit_thread(&old.id, other, context.origin())
        .map_err(|fault| write_failure(&project, "thread", &fault))?;
    context.print(&if context.json {
        object("thread", json!({"thread": thread}))
    } else {
        format!("thread {} is {done}: {}", thread.id, printable(thread.name.as_str()))
    });
    Ok(ExitCode::SUCCESS)
}

fn merge(context: &Context, from: &str, into: &str, reason: &Redacted) -> Result<ExitCode, Failure> {
    check_person(context)?;
    let project = context.project()?;
    let store = context.writer(&project)?;
    let (from, into) = (find(&project, &store, from)?, find(&project, &store, into)?);
    let moved = store
        .merge_threads(&from.id, &into.id, context.origin(), reason, context.now)
        .map_err(|fault| write_failure(&project, "thread", &fault))?;
    context.print(&if context.json {
        object("thread", json!({"thread": into, "merged": from.id, "moved": moved}))
    } else {
        format!(
            "thread {} leads to {}: {}, {} moved",
            printable(from.name.as_str()),
            into.id,
            printable(into.name.as_str()),
            count(moved, "record")
        )
    });
    Ok(ExitCode::SUCCESS)
}
