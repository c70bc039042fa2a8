//! The hook of the host's `PreToolUse` event: payload on stdin, one JSON object or nothing on stdout.

use std::process::ExitCode;

use six_runtime::hook::PreToolUse;

fn main() -> ExitCode {
    six_hooks::main::<PreToolUse>()
}
