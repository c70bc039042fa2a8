//! `six thread`

use std::process::ExitCode;

use serde_json::json;
use six_core::record::{Thread, ThreadId};
use six_core::text::{Redactor, printable};

use super::records::{fresh_id, rows};
use crate::cli::ThreadCommand;
use crate::context::Context;
use crate::failure::{Exit, Failure, store_failure};
use crate::output::object;

/// Runs one of its verbs.
pub(crate) fn run(context: &Context, verb: ThreadCommand) -> Result<ExitCode, Failure> {
    match verb {
        ThreadCommand::Add { name, summary } => add(context, &name, summary.as_deref().unwrap_or_default()),
        ThreadCommand::List => list(context),
    }
}

fn add(context: &Context, name: &str, summary: &str) -> Result<ExitCode, Failure> {
    if name.trim().is_empty() {
        return Err(Failure::misuse("the name is empty", "six thread add NAME"));
    }
    let project = context.project()?;
    let store = context.writer(&project)?;
    let failed = |fault| store_failure(&project, &fault);
    let redactor = Redactor::new();
    let name = redactor.redact(name.trim());
    if let Some(known) = store.threads().map_err(failed)?.into_iter().find(|thread| thread.name == name) {
        return Err(Failure::misuse(
            format_args!("there is a thread {:?} already: {}", printable(name.as_str()), known.id),
            "take another name, or use it: six decision add TITLE --thread NAME",
        ));
    }
    let thread = Thread {
        id: ThreadId::new(fresh_id()?),
        name,
        summary: redactor.redact(summary),
        open: true,
        created: context.now,
    };
    store.add_thread(&thread).map_err(failed)?;
    context.print(&if context.json {
        object("thread", json!({"thread": thread}))
    } else {
        format!("thread {} is open", thread.id)
    });
    Ok(ExitCode::SUCCESS)
}

fn list(context: &Context) -> Result<ExitCode, Failure> {
    let project = context.project()?;
    let store = Context::reader(&project)?;
    let threads = store.threads().map_err(|fault| store_failure(&project, &fault))?;
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
