//! `six triage`

mod screen;

use std::process::ExitCode;

use crate::context::Context;
use crate::failure::Failure;

/// Runs it.
pub(crate) fn run(context: &Context) -> Result<ExitCode, Failure> {
    screen::run(context)
}
