//! Told to end, long work stops at its next safe point: what was done stays, what was not is still queued.
#![cfg(target_os = "linux")]
#![expect(clippy::expect_used, reason = "a test without its ground has to stop, and say where")]

use std::fs;
use std::io::Write as _;
use std::os::unix::fs::PermissionsExt as _;
use std::process::{Child, Command, Output, Stdio};

use rusqlite::Connection;
use testkit::{Scratch, wait_until};

/// A project with more text to read and to embed than there is time for until it is told to end.
fn with_much_to_do() -> Scratch {
    let scratch = Scratch::new();
    scratch.six(&["install", "--no-templates", "--no-ingest"]).ok();
    let session = scratch.session(1);
    let mut told = scratch.transcript(&session);
    for number in 0..TURNS {
        told = told
            .prompt(&format!("Where is pier {number}? {}", "words ".repeat(60)))
            .answer(&format!("Behind {number}."));
    }
    told.write();
    for n in 0..60 {
        let lines: Vec<String> = (0..30).map(|line| format!("Berth {n} has mooring {line} of zebrawood.")).collect();
        scratch.write(&format!("docs/berth-{n}.md"), &format!("# Berth {n}\n\n{}\n", lines.join("\n\n")));
    }
    scratch.commit("docs: the berths");
    let queued = "INSERT INTO work (kind, payload_json, queued_unix_ms) VALUES ('ingest', '{\"ingest\":{\"transcript\":null}}', 1)";
    Connection::open(scratch.store_folder().join("memory.db")).expect("a store").execute_batch(queued).expect("a row");
    scratch
}

fn count(scratch: &Scratch, sql: &str) -> i64 {
    scratch.store_rows(sql)[0]["n"].as_i64().expect("a count")
}

/// Signals that whoever starts the tests may have them ignore: `nohup` does the one, `&` of a script the other.
const HANG_UP: (&str, u32) = ("-HUP", 1);
const INTERRUPT: (&str, u32) = ("-INT", 2);

/// Whether this process ignores a signal, and so do its children; it says so.
fn is_ignored((name, number): (&str, u32)) -> bool {
    let status = fs::read_to_string("/proc/self/status").expect("Linux has it");
    let mask = status.lines().find_map(|line| line.strip_prefix("SigIgn:")).expect("a mask").trim();
    let is_ignored = u64::from_str_radix(mask, 16).expect("a number") >> (number - 1) & 1 == 1;
    if is_ignored {
        let _ = writeln!(std::io::stderr(), "SKIPPED: whoever started these tests has them ignore SIG{}", &name[1..]);
    }
    is_ignored
}

/// Each is a prompt and an answer.
const TURNS: i64 = 1_500;

const ENTRIES: &str = "SELECT count(*) AS n FROM entry";

/// Whether a process has that lock of the store: it is at work, and hears signals.
fn is_held(scratch: &Scratch, lock: &str) -> bool {
    let file = fs::OpenOptions::new().write(true).open(scratch.store_folder().join(lock)).expect("a lock file");
    file.try_lock().is_err()
}

/// Starts it, signals it as soon as that is seen of it, and waits for its end.
fn signalled(mut command: Command, signal: &str, seen: impl Fn() -> bool) -> Output {
    let mut child: Child =
        command.stdin(Stdio::null()).stdout(Stdio::piped()).stderr(Stdio::piped()).spawn().expect("six starts");
    wait_until(&mut child, "that it is at work", seen);
    let sent = Command::new("kill").args([signal, &child.id().to_string()]).status().expect("kill is there");
    assert!(sent.success());
    child.wait_with_output().expect("a child can be waited for")
}

/// The worker was told to end: its row and its exit code say so, and what was queued is queued still.
fn assert_cancelled(scratch: &Scratch, signal: &str, code: i32) {
    let ended = signalled(scratch.six_command(&["worker"]), signal, || count(scratch, ENTRIES) > 0);
    assert_eq!(ended.status.code(), Some(code), "{signal}: {}", String::from_utf8_lossy(&ended.stderr));
    scratch.six(&["status"]).ok();
    let rows = scratch.store_rows("SELECT outcome FROM heartbeat WHERE hook = 'worker'");
    assert_eq!(rows.len(), 1, "{signal}");
    assert_eq!(rows[0]["outcome"], "cancelled", "{signal}");
    assert_eq!(count(scratch, "SELECT count(*) AS n FROM work WHERE done_unix_ms IS NULL"), 1, "{signal}");
}

#[test]
fn a_worker_that_is_told_to_end_closes_its_row_gives_up_its_lock_and_leaves_the_rest_queued() {
    let scratch = with_much_to_do();
    assert_cancelled(&scratch, "-TERM", 143);
    assert!(count(&scratch, ENTRIES) > 0, "what was read stays");
    let log = scratch.store_folder().join("worker.log");
    let text = fs::read_to_string(&log).expect("a log");
    assert!(text.contains(" started, six ") && text.contains(" ended cancelled"), "{text}");
    assert_eq!(fs::metadata(&log).expect("a log").permissions().mode() & 0o777, 0o600);
    scratch.six(&["ingest"]).ok();
    let read = &scratch
        .store_rows("SELECT count(*) AS n, count(DISTINCT key) AS keys FROM entry WHERE source = 'transcript'")[0];
    assert_eq!((&read["n"], &read["keys"]), (&(2 * TURNS).into(), &(2 * TURNS).into()), "all of it, and nothing twice");
    scratch.six(&["health", "--check", "store"]).ok();
}

#[test]
fn a_worker_that_is_interrupted_at_the_terminal_or_hung_up_on_says_by_which_of_them() {
    for (signal, code) in [(INTERRUPT, 130), (HANG_UP, 129)] {
        if !is_ignored(signal) {
            assert_cancelled(&with_much_to_do(), signal.0, code);
        }
    }
}

#[test]
fn an_ingest_a_backfill_or_a_repair_that_is_told_to_end_says_so_and_goes_on_the_next_time() {
    let scratch = with_much_to_do();
    let ended = signalled(scratch.six_command(&["ingest", "--json"]), "-TERM", || count(&scratch, ENTRIES) > 0);
    assert_eq!(ended.status.code(), Some(143), "{}", String::from_utf8_lossy(&ended.stderr));
    let said: serde_json::Value = serde_json::from_slice(&ended.stdout).expect("one JSON value");
    assert_eq!(said["stopped"], true, "{said}");
    let vectors = "SELECT count(*) AS n FROM vector";
    scratch.work();
    let whole = count(&scratch, vectors);
    throw_vectors_away(&scratch);
    let backfill = scratch.six_command(&["embed", "--backfill"]);
    let ended = signalled(backfill, "-TERM", || is_held(&scratch, "embed.lock"));
    assert_eq!(ended.status.code(), Some(143), "{}", String::from_utf8_lossy(&ended.stderr));
    assert!(count(&scratch, vectors) < whole, "it did not end before all was done");
    throw_vectors_away(&scratch);
    let ended = signalled(scratch.six_command(&["repair"]), "-TERM", || is_held(&scratch, "embed.lock"));
    assert_eq!(ended.status.code(), Some(143), "{}", String::from_utf8_lossy(&ended.stderr));
    let said = String::from_utf8_lossy(&ended.stdout);
    assert!(said.contains("repaired: ") && said.contains("the old file is kept: "), "{said}");
    scratch.six(&["embed", "--backfill"]).ok();
    assert_eq!(count(&scratch, vectors), whole);
    scratch.six(&["health", "--check", "vectors"]).ok();
}

fn throw_vectors_away(scratch: &Scratch) {
    Connection::open(scratch.store_folder().join("memory.db"))
        .and_then(|conn| conn.execute_batch("DELETE FROM vector; UPDATE body SET model_id = NULL"))
        .expect("vectors can be thrown away");
}

#[test]
fn a_signal_that_whoever_started_it_has_it_ignore_does_not_end_it() {
    let scratch = with_much_to_do();
    let six = scratch.six_command(&[]).get_program().to_owned();
    let mut command = scratch.command("sh");
    command.args(["-c", "trap '' HUP; exec \"$0\" ingest --quiet"]).arg(six);
    let ended = signalled(command, "-HUP", || count(&scratch, ENTRIES) > 0);
    assert_eq!(ended.status.code(), Some(0), "{}", String::from_utf8_lossy(&ended.stderr));
}

#[test]
fn of_two_workers_one_works_and_while_a_repair_runs_none_does() {
    let scratch = with_much_to_do();
    let mut first = scratch.six_command(&["worker"]).stderr(Stdio::null()).spawn().expect("six starts");
    wait_until(&mut first, "its first rows", || count(&scratch, ENTRIES) > 0);
    assert_eq!(scratch.six(&["worker", "--json"]).ok().json()["left_to_another"], true);
    first.kill().and_then(|()| first.wait()).expect("a child can be killed");
    // Killed, it leaves a row without an end and no lock.
    assert_eq!(count(&scratch, "SELECT count(*) AS n FROM heartbeat WHERE hook = 'worker' AND outcome IS NULL"), 1);
    let lock =
        fs::OpenOptions::new().write(true).open(scratch.store_folder().join("worker.lock")).expect("a lock file");
    lock.try_lock().expect("the dead hold no lock");
    // As a repair holds it.
    assert_eq!(scratch.six(&["worker", "--json"]).ok().json()["left_to_another"], true);
    drop(lock);
    assert_eq!(scratch.six(&["worker", "--json"]).ok().json()["left_to_another"], false);
    assert_eq!(count(&scratch, "SELECT count(*) AS n FROM work WHERE done_unix_ms IS NULL"), 0);
}
