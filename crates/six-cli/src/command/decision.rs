//! `six decision`

use std::process::ExitCode;

use six_core::record::{RecordKind, RecordState};

use super::records::{self, Typed};
use crate::cli::{DecisionAdd, RecordCommand};
use crate::context::Context;
use crate::failure::Failure;

/// Runs one of its verbs.
pub(crate) fn run(context: &Context, verb: RecordCommand<DecisionAdd>) -> Result<ExitCode, Failure> {
    match verb {
        RecordCommand::Add(args) => {
            let typed =
                Typed { title: &args.title, why: args.why.as_deref(), rejected: &args.rejected, ..Typed::default() };
            records::add(context, RecordKind::Decision, &typed, &args.place)
        }
        RecordCommand::List(args) => records::list(context, RecordKind::Decision, &args),
        RecordCommand::Confirm(args) => records::judge(context, RecordKind::Decision, &args, RecordState::Confirmed),
        RecordCommand::Reject(args) => records::judge(context, RecordKind::Decision, &args, RecordState::Rejected),
    }
}
