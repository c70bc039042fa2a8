//! What the kinds of records have in common.

mod add;
mod edit;
mod list;
mod show;
mod verdict;

use std::process::ExitCode;

use serde_json::{Value, json};
use six_core::record::{LineFault, Record, RecordKind, RecordState, judge_line, parse_commit};
use six_core::text::printable;
use six_runtime::embed::embed_entered;
use six_runtime::ids;
use six_runtime::project::identity::Project;
use six_store::{Store, StoreError};

pub(crate) use add::{Typed, add};
pub(crate) use edit::{Retyped, edit};
pub(crate) use show::whole;

use crate::cli::RecordVerb;
use crate::context::Context;
use crate::failure::{Failure, nearest, store_failure};
use crate::output::object;

/// Runs a verb that is the same for every kind.
pub(crate) fn run(context: &Context, kind: RecordKind, verb: &RecordVerb) -> Result<ExitCode, Failure> {
    match verb {
        RecordVerb::List(args) => list::list(context, kind, args),
        RecordVerb::Show { id } => show::show(context, kind, id),
        RecordVerb::Confirm(args) => verdict::judge(context, kind, args, RecordState::Confirmed, "confirm"),
        RecordVerb::Reject(args) => verdict::judge(context, kind, args, RecordState::Rejected, "reject"),
        RecordVerb::Retire(args) => verdict::judge(context, kind, args, RecordState::Retired, "retire"),
        RecordVerb::Supersede(args) => verdict::supersede(context, kind, args),
    }
}

fn check_title(title: &str) -> Result<(), Failure> {
    judge_line(title).map_err(|fault| {
        let next = match fault {
            LineFault::Long(_) => "say it in one clause and put the rest into --why",
            LineFault::Empty | LineFault::Lines => "say it in one clause",
        };
        Failure::misuse(format_args!("the title {fault}"), next)
    })
}

fn commits(typed: &[String]) -> Result<Vec<String>, Failure> {
    let parse = |text: &String| {
        parse_commit(text).ok_or_else(|| {
            Failure::misuse(
                format_args!("{text:?} is no name of a commit: 7 to 64 hexadecimal digits"),
                "git log --oneline shows them: --commit HASH",
            )
        })
    };
    typed.iter().map(parse).collect()
}

/// What was done to a record, with what it says: of an id nobody sees whether it is the one that was meant.
fn titled(done: &str, record: &Record) -> String {
    format!("{done}: {}", printable(record.title.as_str()))
}

/// How that is taken back.
pub(crate) fn taken_back_by(batch: &str) -> String {
    format!("take it back: six triage --undo {batch}")
}

/// A random id.
pub(crate) fn fresh_id() -> Result<String, Failure> {
    ids::random_record_id().map_err(|fault| Failure::misuse(fault, "run this again"))
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

/// The one record of that kind whose id begins so; `verb` is what is to be done with it.
fn find(project: &Project, store: &Store, kind: RecordKind, id: &str, verb: &str) -> Result<Record, Failure> {
    let next = format!("six {} list", kind_name(kind));
    let record = store.record(id).map_err(|fault| match fault {
        StoreError::NotOne { found: 0 } => Failure::misuse(format_args!("there is no record {id:?}"), &next),
        StoreError::NotOne { found } => Failure::misuse(format_args!("{found} records begin with {id:?}"), &next),
        fault => store_failure(project, &fault),
    })?;
    if record.kind != kind {
        return Err(Failure::misuse(
            format_args!("{id:?} is a {}, not a {}", kind_name(record.kind), kind_name(kind)),
            format_args!("six {} {verb} {id}", kind_name(record.kind)),
        ));
    }
    Ok(record)
}

/// The kind of that name, as it is called on the command line or in JSON.
pub(crate) fn parse_kind(name: &str) -> Result<RecordKind, Failure> {
    let plain = name.trim().to_lowercase().replace('-', "_");
    RecordKind::parse(&plain).ok_or_else(|| {
        let known = RecordKind::ALL.map(kind_name);
        let next = nearest(name, &known)
            .map_or_else(|| format!("one of: {}", known.join(", ")), |near| format!("did you mean --kind {near}?"));
        Failure::misuse(format_args!("there is no kind {:?}", printable(name)), next)
    })
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
