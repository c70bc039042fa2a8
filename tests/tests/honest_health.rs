//! What the hooks can't use is not green: a person who asks is told what a session start is told.
#![expect(clippy::expect_used, reason = "a test without its ground has to stop, and say where")]

use std::fs;

use rusqlite::Connection;
use testkit::{HookRun, Scratch, payload};

fn installed() -> Scratch {
    let scratch = Scratch::new();
    scratch.six(&["install", "--no-templates"]).ok();
    scratch
}

fn start(scratch: &Scratch) -> HookRun {
    scratch.answer("session-start", &payload::session_start(&scratch.session(1), "startup"))
}

/// Fails unless the hook and the command tell the same red of the store.
#[track_caller]
fn both_say(scratch: &Scratch, fault: &str) {
    let red = format!("RED store: {fault}");
    let told = start(scratch).context().expect("the health line");
    assert!(told.contains(&red), "{told}");
    let health = scratch.six(&["health"]);
    assert_eq!(health.status, Some(1), "{}", health.stdout);
    assert!(health.stdout.contains(&red), "{}", health.stdout);
}

#[test]
fn a_store_of_a_newer_six_is_red_and_stays_as_it_is() {
    let scratch = installed();
    let file = scratch.store_folder().join("memory.db");
    let store = Connection::open(&file).expect("the store opens");
    store.pragma_update(None, "user_version", 999).expect("the store is ours");
    drop(store);
    let before = fs::read(&file).expect("the store is a file");
    both_say(&scratch, "the store was written by a newer six");
    scratch.six(&["search", "ships"]).ok();
    for command in [["ingest"].as_slice(), &["worker"], &["install"]] {
        assert_eq!(scratch.six(command).status, Some(3), "{command:?}");
    }
    assert!(fs::read(&file).expect("the store is a file") == before, "not a byte is changed");
}

#[test]
fn what_is_no_file_is_no_store_of_six() {
    let scratch = installed();
    let file = scratch.store_folder().join("memory.db");
    fs::remove_file(&file).expect("the store is a file");
    fs::create_dir(&file).expect("a folder can be made");
    both_say(&scratch, "the store file is not one of six's");
    fs::remove_dir(&file).expect("nothing was put into it");
}

#[test]
fn an_install_that_was_cut_short_is_completed_by_the_next() {
    let scratch = installed();
    let file = scratch.store_folder().join("memory.db");
    fs::rename(&file, scratch.store_folder().join("memory.db.new")).expect("the store is a file");
    both_say(&scratch, "there is no store file");
    scratch.six(&["install", "--no-templates"]).ok();
    scratch.six(&["health"]).ok();
    scratch.six(&["search", "ships"]).ok();
}
