//! Many hooks at once, some of them killed, while the same store is read into and worked on: every event is there once.
#![expect(clippy::expect_used, reason = "a test without its ground has to stop, and say where")]

use std::fs;
use std::io::Write;
use std::process::Stdio;
use std::thread;

use serde_json::Value;
use testkit::{Scratch, Session, payload};

/// Sessions that run side by side.
const SESSIONS: u16 = 20;
/// Prompts of each: every second one is the same text in all of them.
const PROMPTS: usize = 50;

fn count(scratch: &Scratch, sql: &str) -> i64 {
    scratch.store_rows(sql)[0]["n"].as_i64().expect("a count")
}

/// A session from its start to its end, with one prompt hook that is killed at once.
fn live(scratch: &Scratch, mut session: Session) {
    scratch.answer("session-start", &payload::session_start(&session, "startup"));
    for number in 0..PROMPTS {
        let text = match number % 2 {
            0 => String::from("Build the same ship counter everywhere."),
            _ => format!("Build pier number {number} of {}.", session.id),
        };
        scratch.answer("user-prompt-submit", &payload::user_prompt(&mut session, &text));
    }
    kill_one(scratch, &payload::user_prompt(&mut session, "Build what is never answered."));
    scratch.answer("session-end", &payload::session_end(&session, "other"));
}

fn kill_one(scratch: &Scratch, payload: &Value) {
    let mut hook = scratch.hook_command("user-prompt-submit");
    let mut child = hook.stdin(Stdio::piped()).stdout(Stdio::null()).spawn().expect("a hook starts");
    // It may be dead before it has read.
    let _ = child.stdin.take().expect("stdin is piped").write_all(payload.to_string().as_bytes());
    child.kill().and_then(|()| child.wait()).expect("a child can be killed");
}

#[test]
fn of_many_hooks_at_once_every_event_is_there_once() {
    let scratch = Scratch::new();
    scratch.six(&["install", "--no-templates", "--no-ingest"]).ok();
    let long = scratch.session(99);
    let mut told = scratch.transcript(&long);
    for number in 0..1_500 {
        told = told.prompt(&format!("Where is pier {number}?")).answer(&format!("Behind mole {number}."));
    }
    told.write();

    thread::scope(|threads| {
        for number in 1..=SESSIONS {
            let (scratch, session) = (&scratch, scratch.session(number));
            threads.spawn(move || live(scratch, session));
        }
        threads.spawn(|| scratch.six(&["ingest"]).ok().status);
        threads.spawn(|| scratch.six(&["worker"]).ok().status);
    });
    // Two that take in what is left, side by side; those that the session ends have started may be at it too.
    thread::scope(|threads| {
        threads.spawn(|| scratch.six(&["worker"]).ok().status);
        threads.spawn(|| scratch.six(&["status"]).ok().status);
    });
    scratch.six(&["ingest"]).ok();
    scratch.six(&["status"]).ok();

    let sessions = i64::from(SESSIONS);
    let prompts = i64::try_from(PROMPTS).expect("a small number") * sessions;
    let rows = |hook: &str| count(&scratch, &format!("SELECT count(*) AS n FROM heartbeat WHERE hook = '{hook}'"));
    assert_eq!((rows("session-start"), rows("session-end")), (sessions, sessions));
    let left = rows("user-prompt-submit");
    assert!((prompts..=prompts + sessions).contains(&left), "{left} rows for {prompts} prompts and {sessions} killed");

    let receipts = "SELECT count(*) AS n FROM receipt";
    let distinct = "SELECT count(DISTINCT prompt_id) AS n FROM receipt";
    assert_eq!(count(&scratch, receipts), count(&scratch, distinct), "no turn has two receipts");
    let answered = "SELECT count(*) AS n FROM heartbeat h WHERE hook = 'user-prompt-submit' AND outcome = 'ok'";
    let told = format!("{answered} AND EXISTS (SELECT 1 FROM receipt r WHERE r.event_id = h.event_id)");
    assert_eq!(count(&scratch, answered), count(&scratch, &told), "no answer without a receipt");
    // A hook whose deadline passed before it had a plan has no boundary to leave, and says so in its row.
    let without_edge = "SELECT count(*) AS n FROM heartbeat h WHERE outcome = 'ok' AND (\
        hook = 'session-start' AND NOT EXISTS (SELECT 1 FROM boundary b WHERE b.session = h.session AND b.edge = 'start') \
        OR hook = 'session-end' AND NOT EXISTS (SELECT 1 FROM boundary b WHERE b.session = h.session AND b.edge = 'end'))";
    assert_eq!(count(&scratch, without_edge), 0, "no start or end without its boundary");
    assert!(count(&scratch, "SELECT count(*) AS n FROM boundary") <= 2 * sessions, "none twice");
    assert_eq!(count(&scratch, "SELECT count(*) AS n FROM entry WHERE source = 'transcript'"), 3_000);

    let whole = scratch.store_rows("PRAGMA integrity_check");
    assert_eq!(whole[0]["integrity_check"], "ok");
    let spool = fs::read_dir(scratch.store_folder().join("spool")).map_or(0, Iterator::count);
    assert_eq!(spool, 0, "nothing waits any more");
    let journal = fs::metadata(scratch.store_folder().join("memory.db-wal")).map_or(0, |file| file.len());
    assert!(journal < 4 << 20, "a journal of {journal} bytes");
}

#[test]
fn two_prompts_of_one_text_are_two_turns_in_one_session_and_in_two_at_once() {
    const TEXT: &str = "Build the same ship counter everywhere.";
    let scratch = Scratch::new();
    scratch.six(&["install", "--no-templates", "--no-ingest"]).ok();
    let (mut one, mut two) = (scratch.session(1), scratch.session(2));
    for _ in 0..2 {
        let (first, second) = (payload::user_prompt(&mut one, TEXT), payload::user_prompt(&mut two, TEXT));
        thread::scope(|threads| {
            threads.spawn(|| scratch.answer("user-prompt-submit", &first).exit);
            threads.spawn(|| scratch.answer("user-prompt-submit", &second).exit);
        });
    }
    for session in [&one, &two] {
        scratch.transcript(session).prompt(TEXT).answer("Counted.").prompt(TEXT).answer("Counted again.").write();
    }
    scratch.six(&["ingest"]).ok();
    assert_eq!(scratch.heartbeats().len(), 4);
    let receipts = "SELECT count(*) AS n FROM receipt r JOIN heartbeat h ON h.event_id = r.event_id";
    let distinct = "SELECT count(DISTINCT prompt_id) AS n FROM receipt";
    assert_eq!((count(&scratch, receipts), count(&scratch, distinct)), (4, 4));
    let told = format!("SELECT count(*) AS n FROM entry WHERE kind = 'prompt' AND text = '{TEXT}'");
    assert_eq!(count(&scratch, &told), 4);
}
