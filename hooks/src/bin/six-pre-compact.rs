//! The hook of the host's `PreCompact` event: payload on stdin, nothing on stdout.

use std::process::ExitCode;

use six_runtime::hook::PreCompact;

fn main() -> ExitCode {
    six_hooks::main::<PreCompact>()
}
