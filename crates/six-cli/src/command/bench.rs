//! `six bench`

use std::process::ExitCode;

use crate::cli::BenchCommand;
use crate::context::Context;
use crate::failure::Failure;

mod corpus;
mod extract;
mod gate;
mod machine;
mod measure;
mod rates;
mod retrieval;
mod scores;
mod set;
mod sources;
mod speed;
mod verdict;

/// Runs it.
pub(crate) fn run(context: &Context, command: &BenchCommand) -> Result<ExitCode, Failure> {
    match command {
        BenchCommand::Retrieval(args) => retrieval::run(context, args),
        BenchCommand::Gate(args) => gate::run(context, args),
        BenchCommand::Extract(args) => extract::run(context, args),
        BenchCommand::Speed(args) => speed::run(context, args),
    }
}
