//! Another process holds the store's write lock for as long as it likes: hooks answer in time, nothing is lost.

use std::fs;
use std::process::Stdio;
use std::thread;
use std::time::{Duration, Instant};

use rusqlite::Connection;
use serde_json::json;
use testkit::{Scratch, payload};

fn waiting(scratch: &Scratch) -> usize {
    fs::read_dir(scratch.store_folder().join("spool")).map_or(0, Iterator::count)
}

#[test]
fn while_the_store_is_locked_hooks_answer_in_time_and_their_events_are_taken_in_once_afterwards() {
    let scratch = Scratch::new();
    scratch.six(&["install", "--no-templates"]).ok();
    scratch.six(&["decision", "add", "The pier stands on oak piles", "--why", "iron rusted through"]).ok();
    let mut session = scratch.session(1);
    let holder = Connection::open(scratch.store_folder().join("memory.db")).expect("the store opens");
    holder.execute_batch("BEGIN IMMEDIATE").expect("nobody else holds the lock");

    let start = scratch.answer("session-start", &payload::session_start(&session, "startup"));
    let told = start.context().expect("the health line");
    assert!(told.contains("MEMORY-HEALTH: ") && told.contains("oak piles"), "what is there can be read: {told}");
    for _ in 0..3 {
        let run =
            scratch.answer("user-prompt-submit", &payload::user_prompt(&mut session, "Build a pier on oak piles."));
        assert!(run.context().is_some_and(|block| block.contains("oak piles")));
    }
    assert_eq!(waiting(&scratch), 4, "one file for each event");
    scratch.six(&["search", "ships"]).ok();
    let health = scratch.six(&["health"]);
    assert_eq!(health.status, Some(1), "{}", health.stdout);
    assert!(health.stdout.contains("RED store: another process holds the store's lock"), "{}", health.stdout);
    assert_eq!(waiting(&scratch), 4, "nothing is thrown away meanwhile");

    holder.execute_batch("COMMIT").expect("the lock is ours");
    drop(holder);
    scratch.answer("session-start", &payload::session_start(&session, "resume"));
    assert_eq!(waiting(&scratch), 0);
    scratch.work();
    let ended: Vec<_> = scratch.heartbeats().into_iter().map(|row| (row.hook, row.outcome)).collect();
    let ok = |hook: &str| (hook.to_owned(), Some(String::from("ok")));
    let prompt = ok("user-prompt-submit");
    assert_eq!(ended, [ok("session-start"), prompt.clone(), prompt.clone(), prompt, ok("session-start")]);
    let receipts = scratch.store_rows("SELECT count(*) AS n, count(DISTINCT prompt_id) AS prompts FROM receipt");
    assert_eq!((&receipts[0]["n"], &receipts[0]["prompts"]), (&3.into(), &3.into()));
    assert_eq!(scratch.store_rows("SELECT count(*) AS n FROM boundary")[0]["n"], 2);
    scratch.six(&["health"]).ok();
}

#[test]
fn a_store_that_somebody_else_is_writing_just_now_is_no_red() {
    let scratch = Scratch::new();
    scratch.six(&["install", "--no-templates"]).ok();
    scratch.work();
    let holder = Connection::open(scratch.store_folder().join("memory.db")).expect("the store opens");
    holder.execute_batch("BEGIN IMMEDIATE").expect("nobody else holds the lock");
    let began = Instant::now();
    let mut health = scratch.six_command(&["health", "--check", "store"]);
    let mut health = health.stdout(Stdio::null()).spawn().expect("six starts");
    // Longer than a hook would wait, and not for long.
    while began.elapsed() < Duration::from_millis(600) {
        assert!(health.try_wait().expect("a child can be asked").is_none(), "it waits for the writer");
        thread::sleep(Duration::from_millis(10));
    }
    holder.execute_batch("COMMIT").expect("the lock is ours");
    assert_eq!(health.wait().expect("a child can be waited for").code(), Some(0));
}

#[test]
fn while_nobody_may_even_read_prompts_are_answered_by_silence_in_time_and_taken_in_once_afterwards() {
    let scratch = Scratch::new();
    scratch.six(&["install", "--no-templates"]).ok();
    scratch.work();
    let mut session = scratch.session(1);
    let holder = Connection::open(scratch.store_folder().join("memory.db")).expect("the store opens");
    holder
        .execute_batch("PRAGMA locking_mode = EXCLUSIVE; BEGIN EXCLUSIVE; UPDATE meta SET value = value")
        .expect("free");
    for _ in 0..3 {
        let run = scratch.answer("user-prompt-submit", &payload::user_prompt(&mut session, "Build a pier of oak."));
        assert!(run.stdout.is_empty());
    }
    assert_eq!(waiting(&scratch), 3, "one file for each event");
    holder.execute_batch("COMMIT").expect("the lock is ours");
    drop(holder);
    scratch.six(&["ingest"]).ok();
    scratch.work();
    scratch.six(&["status"]).ok();
    assert_eq!(waiting(&scratch), 0);
    let receipts = scratch.store_rows("SELECT count(*) AS n, count(DISTINCT prompt_id) AS prompts FROM receipt");
    assert_eq!((&receipts[0]["n"], &receipts[0]["prompts"]), (&3.into(), &3.into()));
    scratch.six(&["health"]).ok();
}

#[test]
fn while_the_store_is_locked_a_call_that_would_be_refused_once_is_told_and_never_refused() {
    let scratch = Scratch::new();
    scratch.six(&["install", "--no-templates", "--no-ingest"]).ok();
    scratch.six(&["dead-end", "add", "Polling the tide gauge", "--why", "it stalls whenever the gauge sleeps"]).ok();
    scratch.six(&["config", "set", "guard.dead_ends", "deny-once"]).ok();
    let session = scratch.session(1);
    let input = json!({ "file_path": scratch.project().join("gauge.rs"), "content": "poll the tide gauge" });
    let act = payload::pre_tool_use(&session, "Write", &input);
    let holder = Connection::open(scratch.store_folder().join("memory.db")).expect("the store opens");
    holder.execute_batch("BEGIN IMMEDIATE").expect("nobody else holds the lock");
    for _ in 0..2 {
        let said = scratch.answer("pre-tool-use", &act).output().expect("an object");
        assert!(said["hookSpecificOutput"]["permissionDecision"].is_null(), "nobody could count it: {said}");
        assert!(said["hookSpecificOutput"]["additionalContext"].is_string(), "{said}");
    }
    holder.execute_batch("COMMIT").expect("the lock is ours");
    scratch.six(&["status"]).ok();
    assert!(scratch.answer("pre-tool-use", &act).stdout.is_empty(), "it was told");
}
