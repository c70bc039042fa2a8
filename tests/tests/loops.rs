//! What comes back to six from itself or from a machine is never taken for a person's words; what was read outlives its source;
//! and nothing is left running.
#![expect(clippy::expect_used, reason = "a test without its ground has to stop, and say where")]

use std::fs;
use std::thread;
use std::time::{Duration, Instant};

use serde_json::{Value, json};
use testkit::{Scratch, payload};

const DECIDED: &str = "Ship manifests are kept in Parquet files";
const BUILD: &str = "Build a Parquet writer for the ship manifests.";

fn installed() -> Scratch {
    let scratch = Scratch::new();
    scratch.six(&["install", "--no-templates"]).ok();
    scratch.six(&["decision", "add", DECIDED, "--why", "row stores took an hour"]).ok();
    scratch
}

/// What the store holds as a person's own words and has this text.
fn said_by_people(scratch: &Scratch, text: &str) -> Vec<serde_json::Map<String, Value>> {
    scratch.store_rows(&format!(
        "SELECT text FROM entry WHERE source = 'transcript' AND origin = 'operator' AND text LIKE '%{text}%'"
    ))
}

fn stored(scratch: &Scratch, text: &str) -> usize {
    scratch.store_rows(&format!("SELECT 1 FROM entry WHERE source = 'transcript' AND text LIKE '%{text}%'")).len()
}

#[test]
fn our_own_block_is_not_taken_in_again_wherever_the_transcript_has_it() {
    let scratch = installed();
    let mut session = scratch.session(1);
    let start = scratch.answer("session-start", &payload::session_start(&session, "startup"));
    let answer = scratch.answer("user-prompt-submit", &payload::user_prompt(&mut session, BUILD));
    let blocks = [start.context().expect("a block"), answer.context().expect("a block")];
    assert!(blocks[1].contains(DECIDED), "{}", blocks[1]);
    let mut told = scratch.transcript(&session).prompt(BUILD);
    for block in &blocks {
        let context = json!({ "type": "hook_additional_context", "hookName": "UserPromptSubmit", "content": [block] });
        let success = json!({ "type": "hook_success", "command": "six-user-prompt-submit", "exitCode": 0,
            "stdout": json!({ "hookSpecificOutput": { "additionalContext": block } }).to_string(), "content": block });
        told = told
            .conversation(json!({ "type": "attachment", "attachment": context }))
            .conversation(json!({ "type": "attachment", "attachment": success }))
            // An older model gets it as part of the person's message.
            .conversation(json!({ "type": "user", "message": { "role": "user", "content": [
                { "type": "text", "text": format!("<system-reminder>\nhook context: {block}\n</system-reminder>") }] } }))
            .conversation(json!({ "type": "user", "message": { "role": "user", "content": block } }))
            .tool("Bash", &json!({ "command": "six search Parquet" }), block);
    }
    told.answer("The writer is built.").write();
    scratch.answer("stop", &payload::stop(&session, "The writer is built."));
    scratch.answer("session-end", &payload::session_end(&session, "other"));
    scratch.six(&["ingest"]).ok();
    scratch.work();
    assert_eq!(stored(&scratch, "The writer is built"), 1, "the session was read");
    assert_eq!(said_by_people(&scratch, "Build a Parquet writer").len(), 1, "the prompt is a person's");
    let echoed = said_by_people(&scratch, DECIDED);
    assert!(echoed.is_empty(), "{echoed:?}");
    assert_eq!(scratch.store_rows("SELECT id FROM record").len(), 1, "it is no second decision");
}

#[test]
fn a_prompt_that_a_timer_sent_is_no_persons_wish() {
    let scratch = installed();
    let session = scratch.session(1);
    let wish = "No, use pnpm, not npm. We decided to keep the tide tables in SQLite because files got lost.";
    let sent_by = |origin: &str, source: &str| {
        json!({ "type": "user", "message": { "role": "user", "content": format!("{wish} {origin}{source}") },
            "origin": { "kind": origin }, "promptSource": source })
    };
    scratch
        .transcript(&session)
        .prompt("Where is the pier?")
        .conversation(sent_by("scheduled", "system"))
        .conversation(sent_by("loop", "loop_wakeup"))
        .conversation(
            json!({ "type": "user", "message": { "role": "user", "content": wish }, "promptSource": "system" }),
        )
        .answer("Behind the mole.")
        .write();
    scratch.answer("session-end", &payload::session_end(&session, "other"));
    scratch.six(&["ingest"]).ok();
    scratch.work();
    assert_eq!(said_by_people(&scratch, "Where is the pier").len(), 1, "the prompt is a person's");
    let timed = said_by_people(&scratch, "pnpm");
    assert!(timed.is_empty(), "{timed:?}");
    let taken =
        scratch.store_rows("SELECT origin, title FROM record WHERE title LIKE '%pnpm%' OR title LIKE '%SQLite%'");
    assert!(taken.is_empty(), "{taken:?}");
}

#[test]
fn what_was_read_stays_when_the_host_deletes_its_transcripts() {
    let scratch = installed();
    for number in 1..=3 {
        let session = scratch.session(number);
        let said = format!("The zebrawood pontoon number{number} swims on casks.");
        scratch.transcript(&session).prompt("What swims?").answer(&said).write();
    }
    scratch.six(&["ingest"]).ok();
    for number in 1..=3 {
        fs::remove_file(scratch.session(number).transcript).expect("it was written");
    }
    let folder = scratch.session(1).transcript;
    fs::remove_dir_all(folder.parent().expect("a folder")).expect("the folder of the transcripts goes too");
    let session = scratch.session(4);
    scratch.answer("session-start", &payload::session_start(&session, "startup"));
    scratch.answer("session-end", &payload::session_end(&session, "other"));
    scratch.six(&["ingest"]).ok();
    scratch.work();
    assert_eq!(stored(&scratch, "zebrawood pontoon"), 3);
    for number in 1..=3 {
        let found = scratch.six(&["search", &format!("zebrawood number{number}")]);
        assert!(found.ok().stdout.contains(&format!("number{number}")), "{}", found.stdout);
    }
    scratch.six(&["health"]).ok();
}

/// Processes of this machine that still run.
#[cfg(target_os = "linux")]
fn running(scratch: &Scratch) -> Vec<String> {
    let mark = format!("SIX_HOME={}", scratch.six_home().display());
    let processes = fs::read_dir("/proc").expect("Linux has one").flatten();
    let ours = processes.filter(|process| {
        let environment = fs::read(process.path().join("environ")).unwrap_or_default();
        environment.split(|byte| *byte == 0).any(|variable| variable == mark.as_bytes())
    });
    ours.map(|process| fs::read_to_string(process.path().join("cmdline")).unwrap_or_default()).collect()
}

#[cfg(target_os = "linux")]
#[test]
fn when_a_session_is_over_nothing_of_six_keeps_running() {
    let scratch = installed();
    for number in 1..=3 {
        let mut session = scratch.session(number);
        scratch.answer("session-start", &payload::session_start(&session, "startup"));
        scratch.answer("user-prompt-submit", &payload::user_prompt(&mut session, BUILD));
        scratch.transcript(&session).prompt(BUILD).answer("The writer is built.").write();
        scratch.answer("stop", &payload::stop(&session, "The writer is built."));
        scratch.answer("session-end", &payload::session_end(&session, "other"));
    }
    let limit = Instant::now() + Duration::from_secs(120);
    while !running(&scratch).is_empty() {
        assert!(Instant::now() < limit, "{:?}", running(&scratch));
        thread::sleep(Duration::from_millis(10));
    }
    let open = scratch.store_rows("SELECT kind FROM work WHERE done_unix_ms IS NULL");
    assert!(open.is_empty(), "nothing is left to do: {open:?}");
}
