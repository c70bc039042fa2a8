//! `six triage`

mod apply;
mod desk;
mod list;
mod read;
mod review;
mod screen;
mod undo;

use std::io::{self, IsTerminal as _};
use std::process::ExitCode;

use six_core::curate::{Judge, RulingFault};
use six_core::text::printable;

use crate::cli::TriageArgs;
use crate::context::Context;
use crate::failure::{Exit, Failure};
use crate::output::object;

/// Runs it: exit code 1 when nothing waits, 2 when verdicts are refused.
pub(crate) fn run(context: &Context, args: &TriageArgs) -> Result<ExitCode, Failure> {
    if let Some(file) = &args.apply {
        return apply::run(context, file, args.dry_run);
    }
    if let Some(batch) = &args.undo {
        return undo::run(context, batch);
    }
    if args.review {
        return review::run(context);
    }
    let is_terminal = || io::stdin().is_terminal() && io::stdout().is_terminal();
    if args.is_plain() && !context.json && is_terminal() {
        return desk::run(context);
    }
    list::run(context, args)
}

/// Who gives the command. Inside Claude Code it may be the agent's.
const fn judge_of(context: &Context) -> Judge {
    if context.env.claudecode { Judge::Agent } else { Judge::Operator }
}

/// Tells why a thing was refused: each fault on a line or, as JSON, in the answer. Nothing was changed.
fn refuse(context: &Context, done: &str, faults: &[RulingFault], what: &str, next: &str) -> ExitCode {
    if context.json {
        let body = serde_json::json!({done: 0, "batch": null, "errors": faults});
        context.print(&object("triage", body));
    }
    let line = |fault: &RulingFault| match fault.id.as_str() {
        "" => format!("  {}", printable(&fault.why)),
        id => format!("  {}: {}", printable(id), printable(&fault.why)),
    };
    let faults: Vec<String> = faults.iter().map(line).collect();
    crate::output::complain(Failure::misuse(format_args!("{what}\n{}", faults.join("\n")), next));
    Exit::Misuse.into()
}
