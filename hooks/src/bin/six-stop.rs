//! The hook of the host's `Stop` event: payload on stdin, nothing on stdout.

use std::process::ExitCode;

use six_runtime::hook::Stop;

fn main() -> ExitCode {
    six_hooks::main::<Stop>()
}
