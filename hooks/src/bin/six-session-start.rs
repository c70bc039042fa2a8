//! The hook of the host's `SessionStart` event: payload on stdin, one JSON object or nothing on stdout.

use std::process::ExitCode;

use six_runtime::hook::SessionStart;

fn main() -> ExitCode {
    six_hooks::main::<SessionStart>()
}
