//! Hooks and commands by the thousand, at once and killed at random, and whether anything was lost:
//!
//! ```text
//! cargo run --release -p six-tests --example soak -- --invocations 20000 --seed 7 --processes 4
//! ```
//!
//! Prints a summary; exits 1 when something does not hold, and then keeps its machine and says where. Linux only.
#![expect(clippy::print_stdout, reason = "the summary is what it is run for")]

use std::process::ExitCode;

use testkit::{Plan, soak};

fn main() -> ExitCode {
    let given: Vec<String> = std::env::args().skip(1).collect();
    let number = |name: &str, default: u64| {
        let at = given.iter().position(|word| word == name).map(|at| at + 1);
        at.and_then(|at| given.get(at)).map_or(Ok(default), |word| word.parse::<u64>())
    };
    let wanted = (number("--invocations", 20_000), number("--seed", 7), number("--processes", 4));
    let (Ok(invocations), Ok(seed), Ok(processes)) = wanted else {
        println!("usage: soak [--invocations N] [--seed N] [--processes N]");
        return ExitCode::from(2);
    };
    let plan = Plan { invocations: invocations as usize, seed, processes: processes.max(1) as usize };
    let report = soak(&plan);
    println!("{report}");
    if report.holds() { ExitCode::SUCCESS } else { ExitCode::FAILURE }
}
