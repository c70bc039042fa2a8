//! `six dead-end`

use std::process::ExitCode;

use six_core::record::RecordKind;

use super::records::{self, Retyped, Typed};
use crate::cli::{DeadEndAdd, DeadEndEdit, RecordCommand};
use crate::context::Context;
use crate::failure::Failure;

/// Runs one of its verbs.
pub(crate) fn run(context: &Context, verb: RecordCommand<DeadEndAdd, DeadEndEdit>) -> Result<ExitCode, Failure> {
    match verb {
        RecordCommand::Add(args) => {
            let typed = Typed {
                title: &args.title,
                why: args.why.as_deref(),
                revive_if: args.revive_if.as_deref(),
                evidence: args.evidence.as_deref(),
                supersedes: args.place.supersedes.as_deref(),
                ..Typed::default()
            };
            records::add(context, RecordKind::DeadEnd, &typed, &args.place)
        }
        RecordCommand::Edit(args) => {
            let typed = Retyped {
                revive_if: args.revive_if.as_deref(),
                evidence: args.evidence.as_deref(),
                ..Retyped::default()
            };
            records::edit(context, RecordKind::DeadEnd, &args.edit, &typed)
        }
        RecordCommand::Verb(verb) => records::run(context, RecordKind::DeadEnd, &verb),
    }
}
