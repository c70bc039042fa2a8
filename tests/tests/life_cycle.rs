//! A session from its start to its end, over compaction, clearing and resuming: every new context is told once what it has to
//! know, nothing disturbs a compaction, and who is muted is silent everywhere.
#![expect(clippy::panic, reason = "a test without its ground has to stop, and say where")]

use serde_json::json;
use testkit::{HOOKS, Scratch, Session, payload};

const DECIDED: &str = "Ship manifests are kept in Parquet files";
const BUILD: &str = "Build a Parquet writer for the ship manifests.";

fn installed() -> Scratch {
    let scratch = Scratch::new();
    scratch.six(&["install", "--no-templates"]).ok();
    scratch.six(&["decision", "add", DECIDED, "--why", "row stores took an hour"]).ok();
    scratch.six(&["correction", "add", "use pnpm, not npm"]).ok();
    scratch
}

fn start(scratch: &Scratch, session: &Session, source: &str) -> String {
    let run = scratch.answer("session-start", &payload::session_start(session, source));
    run.context().unwrap_or_else(|| panic!("nothing was said at a {source}"))
}

#[test]
fn every_new_context_is_told_once_what_holds_and_one_that_goes_on_is_not_told_again() {
    let scratch = installed();
    let session = scratch.session(1);
    for (source, is_new) in
        [("startup", true), ("compact", true), ("resume", false), ("fork", false), ("compact", true)]
    {
        let said = start(&scratch, &session, source);
        assert_eq!(said.matches("MEMORY-HEALTH").count(), 1, "{source}: {said}");
        assert_eq!(said.matches("use pnpm, not npm").count(), usize::from(is_new), "{source}: {said}");
    }
    scratch.answer("session-end", &payload::session_end(&session, "clear"));
    let cleared = start(&scratch, &scratch.session(2), "clear");
    assert_eq!(cleared.matches("use pnpm, not npm").count(), 1, "{cleared}");
    let starts = scratch.heartbeats().into_iter().filter(|beat| beat.hook == "session-start");
    assert!(starts.map(|beat| beat.outcome).eq((0..6).map(|_| Some(String::from("ok")))), "a row for each");
}

#[test]
fn a_compaction_is_never_held_up_and_nothing_gets_into_its_summary() {
    let scratch = installed();
    let mut session = scratch.session(1);
    scratch.answer("user-prompt-submit", &payload::user_prompt(&mut session, BUILD));
    for trigger in ["manual", "auto", "something new"] {
        let run = scratch.answer("pre-compact", &payload::pre_compact(&session, trigger));
        assert!(run.stdout.is_empty(), "{trigger}: plain output and JSON both become instructions of the summary");
    }
    std::fs::write(scratch.store_folder().join("memory.db"), "no store").expect("a scratch file can be written");
    let run = scratch.answer("pre-compact", &payload::pre_compact(&session, "auto"));
    assert!(run.stdout.is_empty(), "not even when there is something to complain about");
}

#[test]
fn in_a_muted_project_no_hook_says_anything_and_every_call_leaves_its_row() {
    let scratch = installed();
    scratch.six(&["mute"]).ok();
    let mut session = scratch.session(1);
    scratch.transcript(&session).prompt(BUILD).answer("Built.").write();
    let payloads = [
        payload::session_start(&session, "startup"),
        payload::user_prompt(&mut session, BUILD),
        payload::pre_tool_use(&session, "Bash", &json!({ "command": "npm ci" })),
        payload::stop(&session, "Built."),
        payload::pre_compact(&session, "auto"),
        payload::session_end(&session, "other"),
    ];
    for ((name, _), payload) in HOOKS.iter().zip(&payloads) {
        let run = scratch.answer(name, payload);
        assert!(run.context().is_none(), "{name}: {}", String::from_utf8_lossy(&run.stdout));
    }
    assert_eq!(scratch.heartbeats().len(), HOOKS.len());
    scratch.six(&["mute", "--off"]).ok();
    let mut next = scratch.session(2);
    assert!(start(&scratch, &next, "startup").contains("use pnpm"));
    let run = scratch.answer("user-prompt-submit", &payload::user_prompt(&mut next, BUILD));
    assert!(run.context().is_some_and(|block| block.contains(DECIDED)));
}
