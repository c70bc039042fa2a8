//! A short soak; `cargo run --release -p six-tests --example soak` runs long ones.
#![cfg(target_os = "linux")]

use testkit::{Plan, soak};

#[test]
fn whatever_is_killed_or_held_nothing_is_lost_nothing_is_there_twice_and_every_failure_has_a_row() {
    let report = soak(&Plan { invocations: 240, seed: 11, processes: 4 });
    assert!(report.holds(), "{report}");
    assert!(report.kills() > 0, "nothing was killed:\n{report}");
}
