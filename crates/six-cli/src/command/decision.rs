//! `six decision`

use std::process::ExitCode;

use six_core::record::RecordKind;

use super::records::{self, Retyped, Typed};
use crate::cli::{DecisionAdd, DecisionEdit, RecordCommand};
use crate::context::Context;
use crate::failure::Failure;

/// Runs one of its verbs.
pub(crate) fn run(context: &Context, verb: RecordCommand<DecisionAdd, DecisionEdit>) -> Result<ExitCode, Failure> {
    match verb {
        RecordCommand::Add(args) => {
            let typed = Typed {
                title: &args.title,
                why: args.why.as_deref(),
                rejected: &args.rejected,
                commits: &args.commit,
                supersedes: args.place.supersedes.as_deref(),
                ..Typed::default()
            };
            records::add(context, RecordKind::Decision, &typed, &args.place)
        }
        RecordCommand::Edit(args) => {
            let typed = Retyped {
                rejected: Retyped::list(&args.rejected, args.no_rejected),
                commits: Retyped::list(&args.commit, args.no_commit),
                ..Retyped::default()
            };
            records::edit(context, RecordKind::Decision, &args.edit, &typed)
        }
        RecordCommand::Verb(verb) => records::run(context, RecordKind::Decision, &verb),
    }
}
