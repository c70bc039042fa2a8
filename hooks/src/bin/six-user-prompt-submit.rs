//! The hook of the host's `UserPromptSubmit` event: payload on stdin, one JSON object or nothing on stdout.

use std::process::ExitCode;

use six_runtime::hook::UserPromptSubmit;

fn main() -> ExitCode {
    six_hooks::main::<UserPromptSubmit>()
}
