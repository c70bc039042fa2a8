//! `six dead-end`

use std::process::ExitCode;

use six_core::record::{RecordKind, RecordState};

use super::records::{self, Typed};
use crate::cli::{DeadEndAdd, RecordCommand};
use crate::context::Context;
use crate::failure::Failure;

/// Runs one of its verbs.
pub(crate) fn run(context: &Context, verb: RecordCommand<DeadEndAdd>) -> Result<ExitCode, Failure> {
    match verb {
        RecordCommand::Add(args) => {
            let typed = Typed {
                title: &args.title,
                why: args.why.as_deref(),
                revive_if: args.revive_if.as_deref(),
                ..Typed::default()
            };
            records::add(context, RecordKind::DeadEnd, &typed, &args.place)
        }
        RecordCommand::List(args) => records::list(context, RecordKind::DeadEnd, &args),
        RecordCommand::Confirm(args) => records::judge(context, RecordKind::DeadEnd, &args, RecordState::Confirmed),
        RecordCommand::Reject(args) => records::judge(context, RecordKind::DeadEnd, &args, RecordState::Rejected),
    }
}
