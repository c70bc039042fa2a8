//! `six worker`: started by hooks, harmless by hand.

use std::process::ExitCode;

use serde_json::json;
use six_runtime::end::EndSignal;
use six_runtime::process;
use six_runtime::worker::{self, WorkerError};

use crate::context::Context;
use crate::failure::{Exit, Failure, store_failure};
use crate::output::object;

/// Runs it until nothing is queued.
pub(crate) fn run(context: &Context) -> Result<ExitCode, Failure> {
    if context.env.six_child {
        process::detach();
    }
    let project = context.project()?;
    let end = EndSignal::watch();
    let worked = worker::run(&project, &context.env, &end).map_err(|fault| match fault {
        WorkerError::Store(fault) => store_failure(&project, &fault),
        fault => Failure::new(Exit::Store, fault, "six health"),
    })?;
    if context.json {
        context.print(&object(
            "worker",
            json!({
                "work": worked.work,
                "entries": worked.entries,
                "candidates": worked.candidates,
                "settled": worked.settled,
                "embedded": worked.embedded,
                "unembedded": worked.unembedded,
                "worded": worked.synthesized.worded,
                "told": worked.synthesized.told,
                "unwritten": worked.synthesized.failure,
                "replayed": worked.replayed,
                "cut_short": worked.cut_short,
                "left_to_another": worked.left_to_another,
            }),
        ));
    } else if worked.left_to_another {
        context.say("another worker is at it");
    } else {
        context.say(&format!(
            "work done: {}, new entries: {}, new candidates: {}, new vectors: {}, events replayed: {}",
            worked.work, worked.entries, worked.candidates, worked.embedded, worked.replayed
        ));
    }
    Ok(end.exit_code().map_or(ExitCode::SUCCESS, ExitCode::from))
}
