//! A short soak; `cargo run --release -p six-tests --example soak` runs long ones.
#![cfg(target_os = "linux")]

use std::fs;

use rusqlite::Connection;
use testkit::{Plan, Scratch, reds, soak};

#[test]
fn whatever_is_killed_or_held_nothing_is_lost_nothing_is_there_twice_and_every_failure_has_a_row() {
    let report = soak(&Plan { invocations: 240, seed: 11, processes: 4 });
    assert!(report.holds(), "{report}");
    assert!(report.kills() > 0, "nothing was killed:\n{report}");
}

#[test]
fn a_hook_that_is_not_wired_any_more_and_an_index_that_is_gone_are_seen_by_what_judges_the_soak() {
    let scratch = Scratch::new();
    scratch.six(&["install", "--no-templates"]).ok();
    assert_eq!(reds(&scratch), Vec::<String>::new());
    let settings = scratch.project().join(".claude/settings.local.json");
    let wired = fs::read_to_string(&settings).expect("it is installed");
    fs::write(&settings, wired.replace("six-stop", "gone/six-stop")).expect("settings can be written");
    assert!(is_red(&scratch, "heartbeats "), "{:?}", reds(&scratch));
    fs::write(&settings, wired).expect("settings can be written");
    let store = Connection::open(scratch.store_folder().join("memory.db")).expect("a store");
    store.execute_batch("DROP TABLE body_fts").expect("a table");
    drop(store);
    assert!(is_red(&scratch, "store "), "{:?}", reds(&scratch));
}

fn is_red(scratch: &Scratch, check: &str) -> bool {
    reds(scratch).iter().any(|red| red.starts_with(check))
}
