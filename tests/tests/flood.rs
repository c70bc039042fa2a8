//! Sessions far larger than usual: read in bounded memory, admitted by rule with every omission counted, and an end that is
//! killed in the midst of one is completed later.
#![cfg(target_os = "linux")]
#![expect(clippy::expect_used, reason = "a test without its ground has to stop, and say where")]

use std::fs::{self, File};
use std::io::{BufWriter, Write as _};
use std::time::Duration;

use serde_json::json;
use testkit::{Scratch, Session, payload};

fn installed() -> Scratch {
    let scratch = Scratch::new();
    scratch.six(&["install", "--no-templates", "--no-ingest"]).ok();
    scratch
}

fn count(scratch: &Scratch, sql: &str) -> i64 {
    scratch.store_rows(sql)[0]["n"].as_i64().expect("a count")
}

fn end(scratch: &Scratch, session: &Session) {
    scratch.answer("session-end", &payload::session_end(session, "other"));
}

#[test]
fn of_fourteen_thousand_events_what_was_said_and_done_is_kept_and_what_is_left_out_is_counted() {
    const CALLS: usize = 7_000;
    let scratch = installed();
    let session = scratch.session(1);
    let mut told = scratch.transcript(&session).prompt("Count every ship of the zebrawood pier.");
    let output = "a line that a tool printed and nobody needs\n".repeat(20);
    for number in 0..CALLS {
        told = told.tool("Bash", &json!({ "command": format!("count --ship {number}") }), &output);
    }
    let file = told.answer("All ships of the zebrawood pier are counted.").write();
    end(&scratch, &session);
    scratch.six(&["ingest"]).ok();

    let of_kind = |kind: &str| {
        count(&scratch, &format!("SELECT count(*) AS n FROM entry WHERE source = 'transcript' AND kind = '{kind}'"))
    };
    assert_eq!((of_kind("prompt"), of_kind("answer")), (1, 1));
    assert_eq!(of_kind("tool"), 7_000, "a line for each call");
    let left_out = "SELECT sum(count) AS n FROM skip WHERE reason = 'tool-output'";
    assert_eq!(count(&scratch, left_out), 7_000, "and each output is counted");
    assert_eq!(count(&scratch, "SELECT count(*) AS n FROM entry WHERE length(text) > 400 AND kind = 'tool'"), 0);
    let (store, transcript) = (scratch.store_folder().join("memory.db"), file);
    let size = |path| fs::metadata(path).expect("it is there").len();
    assert!(size(&store) < size(&transcript), "{} bytes for {}", size(&store), size(&transcript));
    let found = scratch.six(&["search", "zebrawood pier"]);
    assert!(found.ok().stdout.contains("zebrawood pier"), "{}", found.stdout);
    assert_eq!(scratch.six(&["ingest", "--json"]).ok().json()["entries"], 0);
    scratch.six(&["health"]).ok();
}

/// Writes a transcript of so many megabytes: prompts, answers and long outputs of tools; answers how many prompts.
fn write_megabytes(scratch: &Scratch, session: &Session, megabytes: usize) -> usize {
    let mut made = scratch
        .transcript(session)
        .prompt("Where is berth NUMBER of the zebrawood pier?")
        .answer("Behind mole NUMBER.");
    for _ in 0..4 {
        made = made.tool("Bash", &json!({ "command": "ls" }), &"a line of output\\n".repeat(600));
    }
    let turn = fs::read_to_string(made.write()).expect("it was written");
    let turns = megabytes * 1_000_000 / turn.len();
    let mut file = BufWriter::new(File::create(&session.transcript).expect("a scratch file opens"));
    for number in 0..turns {
        // Every record of every turn has a uuid of its own.
        let turn = turn.replace("NUMBER", &number.to_string()).replace("ec000000", &format!("{number:08x}"));
        file.write_all(turn.as_bytes()).expect("a scratch file can be written");
    }
    turns
}

fn prompts(scratch: &Scratch) -> i64 {
    count(scratch, "SELECT count(*) AS n FROM entry WHERE source = 'transcript' AND kind = 'prompt'")
}

/// `six ingest` with so much address space; fails the test when it needs more.
fn ingest_within(scratch: &Scratch, kilobytes: usize) {
    let six = scratch.six_command(&["ingest"]);
    let mut bounded = scratch.command("sh");
    bounded.env("SIX", six.get_program()).args(["-c", &format!("ulimit -v {kilobytes} && exec \"$SIX\" ingest")]);
    scratch.run(bounded).ok();
}

#[test]
fn an_end_of_fifty_megabytes_comes_in_time_and_one_that_is_killed_is_completed_by_the_next_start() {
    let scratch = installed();
    let session = scratch.session(1);
    let turns = write_megabytes(&scratch, &session, 50);
    let hook = scratch.hook_command("session-end");
    let mut killed = scratch.command("timeout");
    killed
        .env("CLAUDE_PROJECT_DIR", scratch.project())
        .args(["-s", "KILL", "0.3"])
        .arg(hook.get_program())
        .args(["--via", "settings"]);
    scratch.hook_bytes(killed, payload::session_end(&session, "other").to_string().as_bytes());
    let next = scratch.session(2);
    scratch.answer("session-start", &payload::session_start(&next, "startup"));
    ingest_within(&scratch, 400_000);
    assert_eq!(prompts(&scratch), i64::try_from(turns).expect("a small number"));
    let twice = scratch.store_rows("SELECT key FROM entry GROUP BY source, key HAVING count(*) > 1");
    assert!(twice.is_empty());
    end(&scratch, &session);
    scratch.work();
    let red = scratch.six(&["health"]);
    assert!(!red.stdout.contains("RED store") && !red.stdout.contains("RED ingest"), "{}", red.stdout);
}

/// Two hundred megabytes take most of a minute unoptimised:
/// `cargo test --release -p six-tests --test flood -- --ignored`
#[test]
#[ignore = "200 MB: run it by hand, optimised"]
fn two_hundred_megabytes_are_read_in_bounded_memory_and_afterwards_only_what_is_new() {
    let scratch = installed();
    let session = scratch.session(1);
    let turns = write_megabytes(&scratch, &session, 200);
    ingest_within(&scratch, 400_000);
    assert_eq!(prompts(&scratch), i64::try_from(turns).expect("a small number"));
    let mut more = scratch.transcript(&session);
    more = more.prompt("And the last berth?").answer("Behind the last mole.");
    more.write();
    let started = std::time::Instant::now();
    ingest_within(&scratch, 400_000);
    assert!(started.elapsed() < Duration::from_secs(5), "only the new end is read: {:?}", started.elapsed());
    assert_eq!(prompts(&scratch), i64::try_from(turns + 1).expect("a small number"));
}
