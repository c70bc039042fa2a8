//! A store of any older schema: hooks wait with their rows, a command brings it up to date, nothing is lost.
#![expect(clippy::expect_used, reason = "a test without its ground has to stop, and say where")]

use std::fs;
use std::path::PathBuf;

use rusqlite::Connection;
use testkit::{Scratch, payload, repository};

/// Stores that earlier schemas left, oldest first.
fn fixtures() -> Vec<PathBuf> {
    let folder = repository().join("crates/six-store/tests/fixtures");
    let mut files: Vec<PathBuf> = fs::read_dir(folder)
        .expect("the fixtures are a folder")
        .map(|entry| entry.expect("an entry").path())
        .filter(|path| path.extension().is_some_and(|end| end == "db"))
        .collect();
    files.sort();
    assert!(!files.is_empty());
    files
}

fn schema(scratch: &Scratch) -> i64 {
    scratch.store_rows("PRAGMA user_version")[0]["user_version"].as_i64().expect("a number")
}

fn counts(scratch: &Scratch) -> Vec<i64> {
    ["record", "receipt", "work", "thread", "subsystem", "boundary"]
        .iter()
        .map(|table| scratch.store_rows(&format!("SELECT count(*) AS n FROM {table}"))[0]["n"].as_i64().expect("n"))
        .collect()
}

#[test]
fn a_store_of_every_schema_is_brought_up_to_date_by_a_command_and_never_by_a_hook() {
    for fixture in fixtures() {
        // One for each: the worker that a session start leaves behind would migrate the next store.
        let scratch = Scratch::new();
        scratch.six(&["install", "--no-templates", "--no-ingest"]).ok();
        let newest = schema(&scratch);
        let what = fixture.display();
        let file = scratch.store_folder().join("memory.db");
        for end in ["memory.db-wal", "memory.db-shm"] {
            let _ = fs::remove_file(scratch.store_folder().join(end));
        }
        fs::copy(&fixture, &file).expect("a file can be copied");
        let (old, before) = (schema(&scratch), counts(&scratch));

        let mut session = scratch.session(1);
        scratch.answer("user-prompt-submit", &payload::user_prompt(&mut session, "Build a lamp."));
        if old < newest {
            assert_eq!(schema(&scratch), old, "{what}: a hook does not migrate");
            let start = scratch.answer("session-start", &payload::session_start(&session, "startup"));
            assert!(start.context().is_some_and(|told| told.contains("older schema")), "{what}");
        }
        scratch.six(&["decision", "add", "Lamps are green"]).ok();
        assert_eq!(schema(&scratch), newest, "{what}");
        let after = counts(&scratch);
        assert_eq!(after[0], before[0] + 1, "{what}");
        assert!(after.iter().zip(&before).all(|(after, before)| after >= before), "{what}: {before:?} {after:?}");
        let backups = fs::read_dir(scratch.store_folder().join("backup")).expect("the folder").count();
        assert!(backups <= 3 && (backups > 0 || old == newest), "{what}: {backups} backups");
        scratch.six(&["search", "jitter"]).ok();
        assert!(scratch.heartbeats().iter().any(|row| row.hook == "user-prompt-submit"), "{what}: its row came later");
    }
}

#[test]
fn a_store_from_the_future_is_read_and_not_written_and_every_command_says_so() {
    let scratch = Scratch::new();
    scratch.six(&["install", "--no-templates"]).ok();
    scratch.work();
    let file = scratch.store_folder().join("memory.db");
    Connection::open(&file).and_then(|store| store.pragma_update(None, "user_version", 999)).expect("it is ours");
    let before = fs::read(&file).expect("the store is a file");
    scratch.six(&["search", "ships"]).ok();
    for command in [["decision", "add", "Lamps are green"].as_slice(), &["ingest"], &["repair"], &["install"]] {
        let ran = scratch.six(command);
        assert_eq!(ran.status, Some(3), "{command:?}: {}", ran.stderr);
        assert!(
            ran.stderr.contains("schema 999") && ran.stderr.contains("  next: install the newer six"),
            "{}",
            ran.stderr
        );
    }
    let mut session = scratch.session(1);
    let prompt = scratch.answer("user-prompt-submit", &payload::user_prompt(&mut session, "Build a lamp."));
    assert!(prompt.stdout.is_empty());
    let start = scratch.answer("session-start", &payload::session_start(&session, "startup"));
    assert!(start.context().is_some_and(|told| told.contains("written by a newer six")));
    scratch.answer("session-end", &payload::session_end(&session, "other"));
    assert!(fs::read(&file).expect("the store is a file") == before, "not a byte is changed");
    assert_eq!(fs::read_dir(scratch.store_folder().join("spool")).expect("the spool").count(), 3, "nothing is lost");
}
