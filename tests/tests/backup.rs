//! `six backup`: a whole copy while hooks go on, and a way back that loses nothing and is a person's.
#![cfg(unix)]
#![expect(clippy::expect_used, reason = "a test without its ground has to stop, and say where")]

use std::fs;
use std::os::unix::fs::{PermissionsExt as _, symlink};
use std::path::PathBuf;
use std::sync::atomic::{AtomicBool, Ordering};
use std::thread;

use rusqlite::Connection;
use serde_json::Value;
use testkit::{Scratch, payload, repository};

const DECIDED: &str = "Ship manifests are kept in Parquet files";

fn installed() -> Scratch {
    let scratch = Scratch::new();
    scratch.six(&["install", "--no-templates"]).ok();
    scratch.six(&["decision", "add", DECIDED, "--why", "row stores took an hour"]).ok();
    scratch
}

fn file(scratch: &Scratch) -> PathBuf {
    scratch.store_folder().join("memory.db")
}

fn records(scratch: &Scratch) -> i64 {
    scratch.store_rows("SELECT count(*) AS n FROM record")[0]["n"].as_i64().expect("a count")
}

fn path(said: &Value) -> PathBuf {
    PathBuf::from(said["path"].as_str().expect("a path"))
}

#[test]
fn a_backup_is_whole_private_and_one_file_though_hooks_write_and_events_wait() {
    let scratch = installed();
    let held = Connection::open(file(&scratch)).expect("the store opens");
    held.execute_batch("BEGIN IMMEDIATE").expect("nobody else writes");
    scratch.answer("user-prompt-submit", &payload::user_prompt(&mut scratch.session(9), "Build a lamp."));
    drop(held);
    let done = AtomicBool::new(false);
    thread::scope(|threads| {
        threads.spawn(|| {
            let mut session = scratch.session(1);
            while !done.load(Ordering::Relaxed) {
                scratch.answer("user-prompt-submit", &payload::user_prompt(&mut session, "Build a lamp."));
            }
        });
        for _ in 0..3 {
            let said = scratch.six(&["backup", "--json"]).ok().json();
            let copy = Connection::open(path(&said)).expect("it opens");
            let whole: String = copy.query_row("PRAGMA integrity_check", [], |row| row.get(0)).expect("a line");
            assert_eq!(whole, "ok");
            let rows: i64 = copy.query_row("SELECT count(*) FROM receipt", [], |row| row.get(0)).expect("a count");
            assert_eq!(said["holds"]["receipts"], rows, "{said}");
            assert_eq!(said["holds"]["records"], 1, "{said}");
            let mode = fs::metadata(path(&said)).expect("a file").permissions().mode();
            assert_eq!(mode & 0o777, 0o600);
        }
        done.store(true, Ordering::Relaxed);
    });
    let first = scratch.six(&["backup", "list", "--json"]).ok().json();
    let oldest = first["backups"].as_array().and_then(|all| all.last()).expect("three").clone();
    let copy = Connection::open(path(&oldest)).expect("it opens");
    let spooled = "SELECT count(*) FROM heartbeat WHERE session = ?1";
    let rows: i64 = copy.query_row(spooled, [&scratch.session(9).id], |row| row.get(0)).expect("a count");
    assert_eq!(rows, 1, "what waited in the spool is in it");
    assert!(scratch.six(&["backup"]).ok().stdout.contains("the newest 7 stay there"));
}

#[test]
fn of_the_backups_in_the_memorys_own_folder_the_newest_seven_stay_and_those_elsewhere_all() {
    let scratch = installed();
    let elsewhere = scratch.folder("elsewhere");
    let away = scratch.six(&["backup", "--to", "../elsewhere", "--json"]).ok().json();
    assert_eq!(path(&away).parent(), Some(elsewhere.as_path()));
    let made: Vec<PathBuf> = (0..8).map(|_| path(&scratch.six(&["backup", "--json"]).ok().json())).collect();
    let there: Vec<bool> = made.iter().map(|path| path.is_file()).collect();
    assert_eq!(there, [false, true, true, true, true, true, true, true]);
    let list = scratch.six(&["backup", "list"]).ok().stdout.clone();
    assert_eq!(list.matches("asked for").count(), 7, "{list}");
    assert!(path(&away).is_file());
}

#[test]
fn a_backup_goes_over_no_file_through_no_link_and_into_no_folder_that_is_not_there() {
    let scratch = installed();
    let elsewhere = scratch.folder("elsewhere");
    fs::write(elsewhere.join("mine"), "mine").expect("a scratch file can be written");
    symlink(elsewhere.join("nowhere"), elsewhere.join("link")).expect("a link can be made");
    for to in ["../elsewhere/mine", "../elsewhere/link", "../no/such/folder/memory.db"] {
        let run = scratch.six(&["backup", "--to", to]);
        assert_eq!((run.status, run.stdout.as_str()), (Some(2), ""), "{to}: {}", run.stderr);
        assert!(run.stderr.contains("  next: "), "{to}: {}", run.stderr);
    }
    assert_eq!(fs::read(elsewhere.join("mine")).expect("mine"), b"mine");
    assert_eq!(fs::read_dir(&elsewhere).expect("a folder").count(), 2, "nothing half done is left");
    // Without a list the exit code says that there is nothing.
    assert_eq!(scratch.six(&["backup", "list"]).status, Some(1));
}

#[test]
fn a_restore_is_a_persons_and_says_what_it_would_do_before_it_does_it() {
    let scratch = installed();
    let backup = path(&scratch.six(&["backup", "--json"]).ok().json());
    let name = backup.file_name().and_then(|name| name.to_str()).expect("a name");
    scratch.six(&["decision", "add", "Lamps are green"]).ok();
    let before = fs::read(file(&scratch)).expect("the store is a file");
    for run in [
        scratch.six_as_agent(&["backup", "restore", name, "--yes"]),
        scratch.six(&["backup", "restore", name]),
        scratch.six(&["backup", "restore", "memory-by-hand-1.db", "--yes"]),
    ] {
        assert_eq!((run.status, run.stdout.as_str()), (Some(2), ""), "{}", run.stderr);
    }
    assert_eq!(fs::read(file(&scratch)).expect("the store is a file"), before);
    let said = scratch.six(&["backup", "restore", name, "--yes", "--json"]).ok().json();
    assert_eq!((&said["holds"]["records"], &said["held_before"]["records"]), (&1.into(), &2.into()), "{said}");
    assert_eq!(records(&scratch), 1);
    scratch.six(&["ingest"]).ok();
    scratch.six(&["health"]).ok();
    // What it held before is a backup too.
    let kept = said["kept"].as_str().expect("a path");
    scratch.six(&["backup", "restore", kept, "--yes"]).ok();
    assert_eq!(records(&scratch), 2);
}

#[test]
fn a_restore_that_was_done_is_told_with_the_former_store_though_the_spool_can_not_be_read() {
    let scratch = installed();
    let backup = path(&scratch.six(&["backup", "--json"]).ok().json());
    scratch.six(&["decision", "add", "Berths are numbered from the mole"]).ok();
    let spool = scratch.store_folder().join("spool");
    let _ = fs::remove_dir_all(&spool);
    fs::write(&spool, "no folder").expect("a scratch file can be written");
    let said = scratch.six(&["backup", "restore", backup.to_str().expect("a path"), "--yes"]).ok().stdout.clone();
    assert!(said.contains("before-restore-") && said.contains("  not taken in, what waits in the spool: "), "{said}");
    assert!(said.contains("; next: give yourself ") && said.contains("to read and write, then: six ingest"), "{said}");
    assert_eq!(records(&scratch), 1);
    let said = scratch.six(&["backup", "restore", backup.to_str().expect("a path"), "--yes", "--json"]).ok().json();
    assert!(said["kept"].is_string() && said["not_replayed"].is_string(), "{said}");
}

#[test]
fn nothing_is_written_through_a_link_in_the_place_of_the_backup_folder() {
    let scratch = installed();
    let own = scratch.store_folder().join("backup");
    let elsewhere = scratch.folder("elsewhere");
    let _ = fs::remove_dir_all(&own);
    symlink(&elsewhere, &own).expect("a scratch link can be made");
    for command in [vec!["backup"], vec!["repair"]] {
        let run = scratch.six(&command);
        assert_eq!((run.status, run.stdout.as_str()), (Some(3), ""), "{command:?}: {}", run.stderr);
        assert!(run.stderr.contains("is a link") && run.stderr.contains("  next: remove "), "{}", run.stderr);
    }
    assert_eq!(fs::read_dir(elsewhere).expect("a folder").count(), 0);
    assert_eq!(records(&scratch), 1);
}

#[test]
fn hooks_that_come_during_a_restore_lose_nothing() {
    let scratch = installed();
    let backup = path(&scratch.six(&["backup", "--json"]).ok().json());
    let backup = backup.to_str().expect("a path");
    let said: usize = thread::scope(|threads| {
        let prompts = threads.spawn(|| {
            let mut session = scratch.session(1);
            let told = (0..25)
                .map(|_| scratch.hook("user-prompt-submit", &payload::user_prompt(&mut session, "Build a lamp.")));
            told.filter(|run| run.exit == Some(0)).count()
        });
        for _ in 0..2 {
            scratch.six(&["backup", "restore", backup, "--yes"]).ok();
        }
        prompts.join().expect("hooks end")
    });
    assert_eq!(said, 25);
    scratch.six(&["ingest"]).ok();
    // Each is in the store, or in the one that was put aside for the backup: none is lost.
    let mut events = std::collections::BTreeSet::new();
    let kept = fs::read_dir(scratch.store_folder().join("backup")).expect("a folder");
    let kept = kept.map(|entry| entry.expect("an entry").path());
    for store in kept.filter(|path| path.to_string_lossy().contains("before-restore")).chain([file(&scratch)]) {
        let conn = Connection::open(store).expect("it opens");
        let mut rows =
            conn.prepare("SELECT event_id FROM heartbeat WHERE hook = 'user-prompt-submit'").expect("a table");
        events.extend(rows.query_map([], |row| row.get::<_, String>(0)).expect("rows").map(|id| id.expect("an id")));
    }
    assert_eq!(events.len(), 25);
    assert_eq!(fs::read_dir(scratch.store_folder().join("spool")).map_or(0, Iterator::count), 0);
}

#[test]
fn a_file_that_is_foreign_newer_damaged_or_anothers_takes_nobodys_place() {
    let scratch = installed();
    let backup = path(&scratch.six(&["backup", "--to", "../elsewhere.db", "--json"]).ok().json());
    let at = |name: &str| scratch.folder("files").join(name);
    fs::write(at("foreign.db"), "no database at all".repeat(300)).expect("a scratch file can be written");
    fs::write(at("empty.db"), "").expect("a scratch file can be written");
    fs::copy(&backup, at("newer.db")).expect("a copy");
    Connection::open(at("newer.db")).and_then(|conn| conn.pragma_update(None, "user_version", 99)).expect("a version");
    let mut bytes = fs::read(&backup).expect("a file");
    let half = bytes.len() / 2;
    bytes[half..].iter_mut().for_each(|byte| *byte = !*byte);
    fs::write(at("damaged.db"), bytes).expect("a scratch file can be written");
    fs::copy(&backup, at("anothers.db")).expect("a copy");
    Connection::open(at("anothers.db"))
        .and_then(|conn| {
            conn.execute_batch("UPDATE meta SET value = 'zyxwvutsrqponmlkjihgfedcba' WHERE key = 'project'")
        })
        .expect("a row");
    let told = [
        ("foreign.db", "not a store of six"),
        ("empty.db", "not a store of six"),
        ("newer.db", "schema 99"),
        ("damaged.db", "damaged"),
        ("anothers.db", "another project"),
    ];
    for (name, why) in told {
        let run = scratch.six(&["backup", "restore", at(name).to_str().expect("a path"), "--yes"]);
        assert_eq!(run.status, Some(2), "{name}: {}", run.stderr);
        assert!(run.stderr.contains(why) && run.stderr.contains("  next: "), "{name}: {}", run.stderr);
        assert_eq!(records(&scratch), 1, "{name}");
    }
    let another = at("anothers.db");
    scratch.six(&["backup", "restore", another.to_str().expect("a path"), "--yes", "--other-project"]).ok();
}

#[test]
fn a_store_of_an_older_schema_is_a_backup_too() {
    let scratch = installed();
    let fixture = repository().join("crates/six-store/tests/fixtures/schema-3.db");
    let fixture = fixture.to_str().expect("a path");
    let said = scratch.six(&["backup", "restore", fixture, "--yes", "--other-project", "--json"]).ok().json();
    assert_eq!(said["from_schema"], 3, "{said}");
    assert_eq!(records(&scratch), 3);
    scratch.six(&["health", "--check", "store"]).ok();
}

type Loss = fn(&std::path::Path);

#[test]
fn a_store_that_is_gone_or_empty_is_told_with_the_backup_that_takes_its_place() {
    let scratch = installed();
    scratch.six(&["backup"]).ok();
    let losses: [Loss; 3] = [
        |file| fs::remove_file(file).expect("it is there"),
        |file| fs::write(file, "").expect("it can be written"),
        |file| fs::write(file, "no database at all".repeat(300)).expect("it can be written"),
    ];
    for (n, lose) in losses.into_iter().enumerate() {
        lose(&file(&scratch));
        let judged = scratch.six(&["health", "--check", "store", "--json"]).json();
        let fix = judged["checks"][0]["fix"].as_str().unwrap_or_default();
        assert!(fix.starts_with("six backup restore memory-by-hand-"), "{n}: {judged}");
        for command in [vec!["repair"], vec!["repair", "--dry-run"]] {
            let run = scratch.six(&command);
            assert_eq!((run.status, run.stdout.as_str()), (Some(3), ""), "{n}: {}", run.stderr);
            assert!(run.stderr.contains("next: six backup restore memory-by-hand-"), "{n}: {}", run.stderr);
        }
        let run = scratch.six(&["repair"]);
        let next = run.stderr.split("restore ").nth(1).and_then(|rest| rest.split(' ').next()).expect("a name");
        scratch.six(&["backup", "restore", next, "--yes"]).ok();
        assert_eq!(records(&scratch), 1, "{n}");
        scratch.six(&["health", "--check", "store"]).ok();
    }
}
