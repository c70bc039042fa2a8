//! `six correction`

use std::process::ExitCode;

use six_core::record::RecordKind;

use super::records::{self, Retyped, Typed};
use crate::cli::{CorrectionAdd, CorrectionEdit, RecordCommand};
use crate::context::Context;
use crate::failure::Failure;

/// Runs one of its verbs.
pub(crate) fn run(context: &Context, verb: RecordCommand<CorrectionAdd, CorrectionEdit>) -> Result<ExitCode, Failure> {
    match verb {
        RecordCommand::Add(args) => {
            let typed = Typed {
                title: &args.title,
                why: args.why.as_deref(),
                scope: args.scope.as_deref(),
                supersedes: args.place.supersedes.as_deref(),
                ..Typed::default()
            };
            records::add(context, RecordKind::Correction, &typed, &args.place)
        }
        RecordCommand::Edit(args) => {
            let typed = Retyped { scope: args.scope.as_deref(), ..Retyped::default() };
            records::edit(context, RecordKind::Correction, &args.edit, &typed)
        }
        RecordCommand::Verb(verb) => records::run(context, RecordKind::Correction, &verb),
    }
}
