//! The hook of the host's `SessionEnd` event: payload on stdin, one JSON object or nothing on stdout.

use std::process::ExitCode;

use six_runtime::hook::SessionEnd;

fn main() -> ExitCode {
    six_hooks::main::<SessionEnd>()
}
