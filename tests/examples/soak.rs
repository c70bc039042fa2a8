//! Hooks and commands by the thousand, at once and killed at random, and whether anything was lost:
//!
//! ```text
//! cargo run --release -p six-tests --example soak -- --invocations 20000 --seed 7 --processes 4
//! ```
//!
//! Prints a summary; exits 1 when something does not hold, and then keeps its machine and says where. Linux only.
#![expect(clippy::print_stdout, reason = "the summary is what it is run for")]

use std::process::ExitCode;
use std::str::FromStr;

use testkit::{Plan, soak};

fn main() -> ExitCode {
    let given: Vec<String> = std::env::args().skip(1).collect();
    let (Ok(invocations), Ok(seed), Ok(processes @ 1..), true) = (
        number(&given, "--invocations", 20_000),
        number(&given, "--seed", 7),
        number(&given, "--processes", 4),
        is_known(&given),
    ) else {
        println!("usage: soak [--invocations N] [--seed N] [--processes N]");
        return ExitCode::from(2);
    };
    let plan = Plan { invocations, seed, processes };
    let report = soak(&plan);
    println!("{report}");
    if report.holds() { ExitCode::SUCCESS } else { ExitCode::FAILURE }
}

/// Whether all that is given are names with their numbers.
fn is_known(given: &[String]) -> bool {
    given.iter().step_by(2).all(|word| ["--invocations", "--seed", "--processes"].contains(&word.as_str()))
}

/// What follows `name`, or else the default.
fn number<T: FromStr>(given: &[String], name: &str, default: T) -> Result<T, T::Err> {
    let at = given.iter().position(|word| word == name).map(|at| at + 1);
    at.and_then(|at| given.get(at)).map_or(Ok(default), |word| word.parse())
}
