//! `six correction`

use std::process::ExitCode;

use six_core::record::{RecordKind, RecordState};

use super::records::{self, Typed};
use crate::cli::{CorrectionAdd, RecordCommand};
use crate::context::Context;
use crate::failure::Failure;

/// Runs one of its verbs.
pub(crate) fn run(context: &Context, verb: RecordCommand<CorrectionAdd>) -> Result<ExitCode, Failure> {
    match verb {
        RecordCommand::Add(args) => {
            let typed = Typed {
                title: &args.title,
                why: args.why.as_deref(),
                scope: args.scope.as_deref(),
                ..Typed::default()
            };
            records::add(context, RecordKind::Correction, &typed, &args.place)
        }
        RecordCommand::List(args) => records::list(context, RecordKind::Correction, &args),
        RecordCommand::Confirm(args) => records::judge(context, RecordKind::Correction, &args, RecordState::Confirmed),
        RecordCommand::Reject(args) => records::judge(context, RecordKind::Correction, &args, RecordState::Rejected),
    }
}
