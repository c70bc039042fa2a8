//! A damaged store is red, is never taken for an empty one, and is green again after the command that the red names.
#![expect(clippy::expect_used, clippy::panic, reason = "a test without its ground has to stop, and say where")]

use std::fs;
use std::ops::Range;
use std::path::PathBuf;
use std::process::Stdio;
use std::thread;
use std::time::Duration;

use rusqlite::Connection;
use serde_json::Value;
use testkit::{Scratch, payload};

const DECIDED: &str = "Ship manifests are kept in Parquet files";
const BUILD: &str = "Build a Parquet writer for the ship manifests.";

/// A project with documents, a session and a decision in its memory.
fn installed() -> Scratch {
    let scratch = Scratch::new();
    for n in 0..40 {
        let lines: Vec<String> = (0..30).map(|line| format!("Berth {n} has mooring {line} of zebrawood.")).collect();
        scratch.write(&format!("docs/berth-{n}.md"), &format!("# Berth {n}\n\n{}\n", lines.join("\n\n")));
    }
    scratch.commit("docs: the berths");
    let session = scratch.session(7);
    scratch.transcript(&session).prompt("Which lamp marks the mole?").answer("The third one, it is amber.").write();
    scratch.six(&["install", "--no-templates"]).ok();
    scratch.six(&["decision", "add", DECIDED, "--why", "row stores took an hour"]).ok();
    scratch
}

fn file(scratch: &Scratch) -> PathBuf {
    scratch.store_folder().join("memory.db")
}

/// The store as one file, with nobody at it.
fn settle(scratch: &Scratch) {
    scratch.work();
    let conn = Connection::open(file(scratch)).expect("the store opens");
    conn.query_row("PRAGMA wal_checkpoint(TRUNCATE)", [], |_| Ok(())).expect("nobody is in the way");
}

fn spoil(scratch: &Scratch, sql: &str) {
    Connection::open(file(scratch))
        .and_then(|conn| conn.execute_batch(sql))
        .unwrap_or_else(|why| panic!("{sql}: {why}"));
}

/// Puts such a file in the store's place. A journal that was left beside the former one is none of it.
fn put(scratch: &Scratch, bytes: &[u8]) {
    for end in ["memory.db-wal", "memory.db-shm"] {
        let _ = fs::remove_file(scratch.store_folder().join(end));
    }
    fs::write(file(scratch), bytes).expect("the store can be written");
}

/// Where the pages of a table's lowest level lie in the file.
fn leaves(scratch: &Scratch, table: &str) -> Vec<Range<usize>> {
    let conn = Connection::open(file(scratch)).expect("the store opens");
    let sql = "SELECT pgoffset FROM dbstat WHERE name = ?1 AND pagetype = 'leaf' ORDER BY path";
    let mut pages = conn.prepare(sql).expect("dbstat is built in");
    let starts = pages.query_map([table], |row| row.get::<_, i64>(0)).expect("pages");
    starts
        .map(|start| usize::try_from(start.expect("an offset")).expect("not negative"))
        .map(|start| start..start + 4096)
        .collect()
}

fn flip(scratch: &Scratch, places: &[Range<usize>]) {
    let mut bytes = fs::read(file(scratch)).expect("the store is a file");
    for place in places {
        bytes[place.clone()].iter_mut().for_each(|byte| *byte = !*byte);
    }
    put(scratch, &bytes);
}

/// The check `store` as `six health --json` has it.
fn judged(scratch: &Scratch) -> Value {
    let health = scratch.six(&["health", "--json"]).json();
    let checks = health["checks"].as_array().expect("checks");
    checks.iter().find(|check| check["check"] == "store").expect("the check").clone()
}

/// Fails unless the check is red, tells one command, and is green after it; answers what the command said.
#[track_caller]
fn is_repaired(scratch: &Scratch, what: &str) -> Value {
    let red = judged(scratch);
    assert_eq!(red["verdict"], "red", "{what}: {red}");
    assert_eq!(red["fix"], "six repair", "{what}: {red}");
    let said = scratch.six(&["repair", "--json"]).ok().json();
    let green = judged(scratch);
    assert_eq!(green["verdict"], "green", "{what}: {green}");
    said
}

/// Whether a session that has heard nothing yet is told the decision.
fn is_told(scratch: &Scratch, number: u16) -> bool {
    let mut session = scratch.session(number);
    let run = scratch.answer("user-prompt-submit", &payload::user_prompt(&mut session, BUILD));
    run.context().is_some_and(|told| told.contains(DECIDED))
}

#[test]
fn a_repair_that_was_done_is_told_with_the_old_file_though_the_configuration_can_not_be_read() {
    let scratch = installed();
    settle(&scratch);
    for json in [false, true] {
        spoil(&scratch, "DROP TABLE body_fts");
        fs::write(scratch.store_folder().join("config.json"), "{ \"embed\": ")
            .expect("the store's folder can be written");
        let said = scratch.six(if json { &["repair", "--json"] } else { &["repair"] });
        let said = said.ok();
        if json {
            let said = said.json();
            assert!(said["kept"].is_string() && said["embedded"]["error"].is_string(), "{said}");
        } else {
            assert!(said.stdout.contains("the old file is kept: "), "{}", said.stdout);
            assert!(said.stdout.contains("the vectors could not be looked at: "), "{}", said.stdout);
        }
    }
    fs::remove_file(scratch.store_folder().join("config.json")).expect("it is there");
    scratch.six(&["health", "--check", "store"]).ok();
}

#[test]
fn a_damaged_index_is_red_and_made_anew_from_the_text() {
    let scratch = installed();
    settle(&scratch);
    let whole = fs::read(file(&scratch)).expect("the store is a file");
    for (damage, number) in [
        "DROP TABLE body_fts",
        "DELETE FROM body_fts WHERE rowid = (SELECT max(id) FROM body)",
        "DELETE FROM body_fts_data WHERE id > 10",
        "DELETE FROM term",
        "DROP TABLE term",
        "UPDATE meta SET value = '3' WHERE key = 'bodies'",
    ]
    .into_iter()
    .zip(20..)
    {
        put(&scratch, &whole);
        spoil(&scratch, damage);
        if damage.starts_with("DROP") {
            // Found by meaning, the answer says what it is short of; without anything it is a failure, not an empty answer.
            let search = scratch.six(&["search", "zebrawood"]);
            search.ok();
            assert!(search.stderr.contains("found by meaning alone"), "{damage}: {}", search.stderr);
            assert!(search.stderr.contains("six repair"), "{damage}: {}", search.stderr);
            spoil(&scratch, "DELETE FROM vector; UPDATE body SET model_id = NULL");
            let search = scratch.six(&["search", "zebrawood"]);
            assert_eq!(search.status, Some(3), "{damage}: what is gone is no empty answer: {}", search.stdout);
            assert!(search.stderr.contains("next: six repair"), "{damage}: {}", search.stderr);
        }
        let said = is_repaired(&scratch, damage);
        assert_eq!(said["whole"], true, "{damage}: {said}");
        scratch.six(&["search", "zebrawood"]).ok();
        assert!(is_told(&scratch, number), "{damage}");
    }
}

#[test]
fn of_a_file_with_flipped_bytes_everything_else_is_kept_and_the_sources_are_read_again() {
    let scratch = installed();
    settle(&scratch);
    let whole = fs::read(file(&scratch)).expect("the store is a file");
    let entries = scratch.store_rows("SELECT id FROM entry").len();
    for (table, number) in ["entry", "chunk", "body"].into_iter().zip(20..) {
        put(&scratch, &whole);
        let pages = leaves(&scratch, table);
        flip(&scratch, &pages[pages.len() / 2..=pages.len() / 2]);
        let said = is_repaired(&scratch, table);
        assert_eq!(said["whole"], false, "{table}: {said}");
        let kept = PathBuf::from(said["kept"].as_str().expect("a path"));
        assert!(kept.is_file(), "{table}: the damaged file is kept");
        assert!(is_told(&scratch, number), "{table}");
        scratch.six(&["ingest"]).ok();
        assert_eq!(scratch.store_rows("SELECT id FROM entry").len(), entries, "{table}");
        for berth in [0, 19, 39] {
            scratch.six(&["search", &format!("\"Berth {berth}\" mooring")]).ok();
        }
        scratch.six(&["health"]).ok();
    }
}

#[test]
fn a_file_that_was_cut_off_is_red_and_what_is_left_is_kept() {
    let scratch = installed();
    settle(&scratch);
    let bytes = fs::read(file(&scratch)).expect("the store is a file");
    put(&scratch, &bytes[..bytes.len() / 2 / 4096 * 4096 + 100]);
    assert_eq!(scratch.six(&["search", "zebrawood"]).status, Some(3));
    let tried = scratch.six(&["repair", "--dry-run"]).ok().stdout.clone();
    assert!(tried.contains("not read whole: ") && tried.contains("nothing is changed"), "{tried}");
    let said = is_repaired(&scratch, "cut off");
    assert_eq!(said["whole"], false, "{said}");
    scratch.six(&["ingest"]).ok();
    scratch.six(&["search", "zebrawood"]).ok();
    scratch.six(&["search", "lamp mole amber"]).ok();
}

#[test]
fn what_nothing_can_be_read_of_is_left_alone_and_said() {
    let scratch = installed();
    settle(&scratch);
    let mut bytes = fs::read(file(&scratch)).expect("the store is a file");
    bytes[4096..].fill(0);
    for bytes in [bytes, b"no database at all".repeat(500), Vec::new()] {
        put(&scratch, &bytes);
        assert_eq!(judged(&scratch)["verdict"], "red");
        let start = scratch.answer("session-start", &payload::session_start(&scratch.session(1), "startup"));
        assert!(start.context().is_some_and(|told| told.contains("RED store: ")));
        let repair = scratch.six(&["repair"]);
        assert_eq!((repair.status, repair.stdout.as_str()), (Some(3), ""), "{}", repair.stderr);
        assert!(repair.stderr.contains("  next: move ") && repair.stderr.contains("six install "), "{}", repair.stderr);
        let left = fs::read(file(&scratch)).expect("it is there");
        assert!(left.len() == bytes.len() && left.iter().skip(100).eq(bytes.iter().skip(100)));
    }
}

#[test]
fn what_hooks_left_while_the_store_was_damaged_is_taken_in_once_by_the_repair() {
    let scratch = installed();
    settle(&scratch);
    let bytes = fs::read(file(&scratch)).expect("the store is a file");
    put(&scratch, &bytes[..bytes.len() - 40_960]);
    let mut session = scratch.session(3);
    for _ in 0..3 {
        scratch.answer("user-prompt-submit", &payload::user_prompt(&mut session, BUILD));
    }
    let waiting = || fs::read_dir(scratch.store_folder().join("spool")).map_or(0, Iterator::count);
    assert_eq!(waiting(), 3);
    let said = scratch.six(&["repair", "--json"]).ok().json();
    assert_eq!((&said["replayed"], waiting()), (&3.into(), 0), "{said}");
    scratch.six(&["repair"]).ok();
    let receipts = scratch.store_rows("SELECT count(*) AS n, count(DISTINCT prompt_id) AS prompts FROM receipt");
    assert_eq!((&receipts[0]["n"], &receipts[0]["prompts"]), (&3.into(), &3.into()));
}

/// That every check is green. On a machine with more to do than it can, a hook may need longer than it allows itself: then
/// that is what `heartbeats` says, and it is true.
fn assert_well(scratch: &Scratch) {
    let report = scratch.six(&["health", "--json"]).json();
    let checks = report["checks"].as_array().expect("a report has checks");
    let overran = |check: &Value| {
        check["check"] == "heartbeats" && check["detail"].as_str().is_some_and(|said| said.contains(" timed out "))
    };
    let red: Vec<&Value> = checks.iter().filter(|check| check["verdict"] != "green" && !overran(check)).collect();
    assert!(red.is_empty(), "{red:#?}");
}

#[test]
fn a_repair_that_is_killed_leaves_the_old_store_or_the_new_one() {
    let scratch = installed();
    settle(&scratch);
    let decisions = || scratch.store_rows("SELECT count(*) AS n FROM record")[0]["n"].clone();
    let unfinished = scratch.store_folder().join("memory.db.repair");
    let backups = scratch.store_folder().join("backup");
    // From the moment that something of it is seen on the disk, later and later.
    for (delay, number) in [0, 1, 2, 5, 10, 20, 40, 80].into_iter().zip(20..) {
        let mut child = scratch.six_command(&["repair"]).stdout(Stdio::null()).spawn().expect("six starts");
        while !unfinished.exists() && child.try_wait().expect("a child can be looked at").is_none() {
            thread::yield_now();
        }
        thread::sleep(Duration::from_millis(delay));
        let _ = child.kill();
        child.wait().expect("a child can be waited for");
        // Whoever may write comes first: of a change that was cut short there may be a journal.
        scratch.six(&["search", "zebrawood"]).ok();
        assert_eq!(decisions(), 1, "{delay}");
        assert!(is_told(&scratch, number), "{delay}");
        assert_well(&scratch);
    }
    scratch.six(&["repair"]).ok();
    assert!(!unfinished.exists());
    let kept: Vec<_> = fs::read_dir(&backups).expect("the folder").flatten().map(|entry| entry.file_name()).collect();
    let kept: Vec<_> = kept.iter().filter(|name| name.to_string_lossy().starts_with("memory-")).collect();
    assert_eq!(kept.len(), 1, "the old file, once: {kept:?}");
    let journal = scratch.store_rows("PRAGMA journal_mode");
    assert_eq!(journal[0]["journal_mode"], "wal");
}

#[test]
fn hooks_that_run_while_a_store_is_repaired_lose_nothing() {
    let scratch = installed();
    settle(&scratch);
    let sessions = 4;
    thread::scope(|threads| {
        for number in 1..=sessions {
            let scratch = &scratch;
            threads.spawn(move || {
                let mut session = scratch.session(number);
                for _ in 0..15 {
                    scratch.answer("user-prompt-submit", &payload::user_prompt(&mut session, BUILD));
                }
            });
        }
        for _ in 0..4 {
            scratch.six(&["repair"]).ok();
        }
    });
    scratch.work();
    assert_eq!(fs::read_dir(scratch.store_folder().join("spool")).map_or(0, Iterator::count), 0);
    let rows = scratch.heartbeats().into_iter().filter(|row| row.hook == "user-prompt-submit").count();
    assert_eq!(rows, usize::from(sessions) * 15);
    let receipts = scratch.store_rows("SELECT count(*) AS n, count(DISTINCT prompt_id) AS prompts FROM receipt");
    assert_eq!(receipts[0]["n"], receipts[0]["prompts"]);
    assert_well(&scratch);
}

#[cfg(unix)]
#[test]
fn a_folder_that_can_not_be_scanned_deletes_nothing_and_is_named() {
    let scratch = installed();
    let found = || scratch.six(&["search", "zebrawood", "--source", "doc", "--json", "--limit", "100"]).json();
    let before = found()["hits"].as_array().map_or(0, Vec::len);
    assert!(before > 0);
    let docs = scratch.project().join("docs");
    let elsewhere = scratch.project().with_file_name("elsewhere");
    fs::rename(&docs, &elsewhere).expect("a folder can be renamed");
    // A loop of links can't be listed, whoever asks.
    std::os::unix::fs::symlink(&docs, &docs).expect("a link can be made");
    let ingest = scratch.six(&["ingest"]);
    assert_eq!(found()["hits"].as_array().map_or(0, Vec::len), before, "{}{}", ingest.stdout, ingest.stderr);
    fs::remove_file(&docs).expect("a link can be removed");
    fs::rename(&elsewhere, &docs).expect("a folder can be renamed");
    scratch.six(&["ingest"]).ok();
    assert_eq!(found()["hits"].as_array().map_or(0, Vec::len), before);
}
