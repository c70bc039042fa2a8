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

const DAY_MS: i64 = 24 * 60 * 60 * 1_000;

#[test]
fn a_project_that_nobody_used_for_days_is_green_with_a_note_and_a_new_one_says_that_it_is_new() {
    let scratch = Scratch::new();
    let install = scratch.six(&["install", "--no-templates", "--no-ingest"]);
    assert!(install.ok().stdout.contains("first run"), "{}", install.stdout);
    let mut session = scratch.session(1);
    scratch.transcript(&session).prompt("Where is the pier?").answer("Behind the mole.").write();
    scratch.answer("session-start", &payload::session_start(&session, "startup"));
    scratch.answer("user-prompt-submit", &payload::user_prompt(&mut session, "Where is the pier?"));
    scratch.answer("session-end", &payload::session_end(&session, "other"));
    scratch.work();
    scratch.six(&["ingest"]).ok();
    scratch.six(&["health"]).ok();

    let store = Connection::open(scratch.store_folder().join("memory.db")).expect("the store opens");
    for (table, column) in [
        ("heartbeat", "started_unix_ms"),
        ("heartbeat", "ended_unix_ms"),
        ("boundary", "at_unix_ms"),
        ("session", "first_unix_ms"),
        ("session", "last_unix_ms"),
        ("source_file", "tried_unix_ms"),
        ("source_file", "consumed_unix_ms"),
    ] {
        let sql = format!("UPDATE {table} SET {column} = {column} - {}", 5 * DAY_MS);
        store.execute_batch(&sql).unwrap_or_else(|why| panic!("{sql}: {why}"));
    }
    drop(store);
    scratch.write("late.md", "# Late\n\nWritten by somebody else.\n");
    scratch.git(&["add", "--all"]);
    let days_ago = std::time::SystemTime::now() - std::time::Duration::from_secs(4 * 24 * 60 * 60);
    let late = fs::File::options().write(true).open(scratch.project().join("late.md")).expect("it was written");
    late.set_modified(days_ago).expect("a time can be set");
    let health = scratch.six(&["health", "--verbose"]);
    assert!(health.ok().stdout.contains("note ingest: idle: 4 d behind"), "{}", health.stdout);
}

#[test]
fn a_check_that_is_blocked_says_by_which_when_it_is_asked_for_alone() {
    let scratch = installed();
    let file = scratch.store_folder().join("memory.db");
    let store = Connection::open(&file).expect("the store opens");
    store.pragma_update(None, "user_version", 999).expect("the store is ours");
    drop(store);
    let health = scratch.six(&["health", "--check", "queue"]);
    assert_eq!(health.status, Some(1), "{}", health.stdout);
    assert!(health.stdout.contains("RED queue: blocked by store  FIX: six health --check store"), "{}", health.stdout);
}
