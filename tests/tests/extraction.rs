//! What was said becomes candidates: whichever hook takes it in, however often, and whatever is killed on the way, once.

use std::collections::BTreeSet;
use std::thread;
use std::time::{Duration, Instant};

use serde_json::{Map, Value, json};
use testkit::{Scratch, Session, payload};

const DECISION: &str = "We decided to keep the tide ledger in SQLite.";
const DEAD_END: &str = "Polling the harbour feed was ruled out because the provider bans us after ten calls.";
const CORRECTION: &str = "Don't ever touch the generated files.";

fn installed() -> Scratch {
    let scratch = Scratch::new();
    scratch.six(&["install", "--no-templates"]).ok();
    scratch
}

/// A session in which one of each kind is said, by the person and by the agent.
fn told(scratch: &Scratch, number: u16) -> Session {
    let session = scratch.session(number);
    scratch
        .transcript(&session)
        .prompt(DECISION)
        .answer("I edited the generated files.")
        .prompt(CORRECTION)
        .answer(DEAD_END)
        .write();
    session
}

fn end(scratch: &Scratch, session: &Session) {
    assert!(scratch.answer("session-end", &payload::session_end(session, "other")).stdout.is_empty());
}

fn stop(scratch: &Scratch, session: &Session) {
    assert!(scratch.answer("stop", &payload::stop(session, "Done.")).stdout.is_empty());
}

/// Kind, origin, turn and quote of the candidates, by turn.
fn candidates(scratch: &Scratch) -> Vec<Map<String, Value>> {
    scratch.store_rows("SELECT kind, origin, turn, quote FROM record WHERE state = 'pending' ORDER BY turn, kind")
}

/// Waits for the worker that a session's end has started.
fn settled(scratch: &Scratch) {
    let until = Instant::now() + Duration::from_secs(60);
    loop {
        let open = "SELECT 1 FROM work WHERE done_unix_ms IS NULL UNION ALL \
                    SELECT 1 FROM heartbeat WHERE hook = 'worker' AND ended_unix_ms IS NULL";
        if scratch.store_rows(open).is_empty() {
            return;
        }
        assert!(Instant::now() < until, "the worker does not end");
        scratch.work();
    }
}

/// That each of the three is there, and nothing that was said twice.
fn assert_one_of_each(scratch: &Scratch, number: u16) {
    let turn = |record: usize| format!("ec000000-0000-4000-8000-{number:04x}{record:08x}");
    let of = |kind: &str, origin: &str, record: usize, quote: &str| json!({"kind": kind, "origin": origin, "turn": turn(record), "quote": quote});
    let found = candidates(scratch);
    assert_said_once(&found);
    let expected = [
        of("decision", "operator", 0, DECISION),
        of("correction", "operator", 2, CORRECTION),
        of("dead_end", "agent", 3, DEAD_END),
    ];
    for one in expected {
        assert!(found.iter().any(|found| json!(found) == one), "{one}: {found:?}");
    }
}

/// A sentence may state a rule and a decision, but neither of them twice.
fn assert_said_once(found: &[Map<String, Value>]) {
    let distinct: BTreeSet<String> = found.iter().map(|one| format!("{} {}", one["kind"], one["quote"])).collect();
    assert_eq!(distinct.len(), found.len(), "{found:?}");
}

#[test]
fn a_session_that_ends_leaves_what_was_decided_ruled_out_and_corrected_once() {
    let scratch = installed();
    let session = told(&scratch, 1);
    end(&scratch, &session);
    settled(&scratch);
    assert_one_of_each(&scratch, 1);
    let authors = scratch.store_rows("SELECT DISTINCT author FROM record_history");
    assert_eq!(authors.len(), 1);
    assert_eq!(authors[0]["author"], "extraction");
    end(&scratch, &session);
    settled(&scratch);
    assert_one_of_each(&scratch, 1);
    assert_eq!(scratch.store_rows("SELECT 1 FROM sighting").len(), 0, "and is no evidence of itself");
}

#[test]
fn turns_that_end_a_compaction_and_the_sessions_end_make_nothing_twice() {
    let scratch = installed();
    let session = scratch.session(1);
    let mut transcript = scratch.transcript(&session).prompt(DECISION).answer("I edited the generated files.");
    transcript.write();
    stop(&scratch, &session);
    assert_eq!(candidates(&scratch).len(), 1, "at once, without a worker");
    let mut transcript = transcript.prompt(CORRECTION);
    transcript.write();
    assert!(scratch.answer("pre-compact", &payload::pre_compact(&session, "auto")).stdout.is_empty());
    assert!(candidates(&scratch).iter().any(|one| one["quote"] == CORRECTION));
    transcript.answer(DEAD_END).write();
    stop(&scratch, &session);
    stop(&scratch, &session);
    assert_one_of_each(&scratch, 1);
    end(&scratch, &session);
    settled(&scratch);
    assert_one_of_each(&scratch, 1);
}

#[test]
fn the_last_answer_that_the_transcript_lacks_is_taken_in_when_it_is_there() {
    let scratch = installed();
    let session = scratch.session(1);
    let mut transcript = scratch.transcript(&session).prompt("Shall we poll the harbour feed?");
    transcript.write();
    let payload = payload::stop(&session, DEAD_END);
    assert!(scratch.answer("stop", &payload).stdout.is_empty());
    assert_eq!(candidates(&scratch), []);
    transcript.answer(DEAD_END).write();
    scratch.answer("stop", &payload);
    end(&scratch, &session);
    settled(&scratch);
    assert_eq!(candidates(&scratch).len(), 1);
    assert_eq!(scratch.store_rows("SELECT 1 FROM entry WHERE kind = 'answer'").len(), 1);
}

#[test]
fn sub_agents_tools_programs_and_summaries_propose_nothing() {
    let scratch = installed();
    let session = scratch.session(1);
    let notice = format!("<task-notification>\n<result>{DECISION}</result>\n</task-notification>");
    scratch
        .transcript(&session)
        .prompt("Look at the page, please.")
        .tool("WebFetch", &json!({ "url": "https://page.example.invalid" }), DECISION)
        .failed_tool("Bash", &json!({ "command": format!("echo '{DECISION}'") }), DEAD_END)
        .conversation(json!({
            "type": "user",
            "message": { "role": "user", "content": notice },
            "origin": { "kind": "task-notification" },
        }))
        .conversation(json!({
            "type": "user",
            "message": { "role": "user", "content": format!("{DECISION} {DEAD_END}") },
            "isCompactSummary": true,
        }))
        .conversation(json!({
            "type": "assistant",
            "isSidechain": true,
            "agentId": "a-1",
            "message": { "role": "assistant", "content": [{ "type": "text", "text": DECISION }] },
        }))
        .answer(&format!("The page says:\n\n> {DECISION}\n\n```\n{DEAD_END}\n```"))
        .write();
    stop(&scratch, &session);
    end(&scratch, &session);
    settled(&scratch);
    assert_eq!(candidates(&scratch), []);
}

#[test]
fn the_end_of_a_sub_agent_is_not_the_end_of_the_sessions_turn() {
    let scratch = installed();
    let session = told(&scratch, 1);
    let mut payload = payload::stop(&session, "Done.");
    payload["agent_id"] = json!("a-1");
    payload["agent_type"] = json!("");
    assert!(scratch.answer("stop", &payload).stdout.is_empty());
    assert_eq!(scratch.store_rows("SELECT 1 FROM entry WHERE source = 'transcript'").len(), 0);
}

#[test]
fn an_install_makes_nothing_of_history_and_a_person_may_ask_for_it() {
    let scratch = Scratch::new();
    let session = told(&scratch, 1);
    scratch.six(&["install", "--no-templates"]).ok();
    scratch.work();
    assert_eq!(candidates(&scratch), []);
    end(&scratch, &scratch.session(2));
    settled(&scratch);
    assert_eq!(candidates(&scratch), [], "another session's end does not begin it");

    let read = scratch.six(&["extract", "--session", &session.id, "--json"]).ok().json();
    assert_eq!((&read["messages"], &read["waiting"]), (&json!(4), &json!(0)));
    assert_eq!(read["candidates"], candidates(&scratch).len());
    assert_one_of_each(&scratch, 1);
    let again = scratch.six(&["extract", "--all"]);
    assert_eq!((again.status, again.stderr.contains("nothing new")), (Some(1), true), "{}", again.stdout);
    assert_eq!(scratch.six(&["extract", "--session", "nobody"]).status, Some(2));
}

#[test]
fn what_is_over_the_cap_waits_is_told_and_comes_in_when_there_is_room() {
    let scratch = installed();
    let session = scratch.session(1);
    let parts = ["quay", "crane", "buoy", "tug", "rope", "lamp", "chart", "sonar", "anchor", "pilot", "berth", "ferry"];
    let mut transcript = scratch.transcript(&session);
    for number in 0..15 {
        let part = parts[number % parts.len()];
        transcript = transcript.prompt(&format!("We decided to run the {part} service as process {number}."));
    }
    transcript.write();
    end(&scratch, &session);
    settled(&scratch);
    assert_eq!(candidates(&scratch).len(), 12);
    assert_eq!(scratch.six(&["status", "--json"]).ok().json()["unread_messages"], 3);
    let told = scratch.six(&["extract"]);
    assert_eq!(told.status, Some(1));
    assert!(told.stdout.contains("waiting   3 messages"), "{}", told.stdout);

    let listed = scratch.six(&["decision", "list", "--state", "pending", "--json"]).ok().json();
    let ids = [0, 1].map(|at: usize| listed["records"][at]["id"].as_str().expect("an id").to_owned());
    scratch.six(&["decision", "reject", &ids[0], &ids[1]]).ok();
    scratch.work();
    assert_eq!(scratch.six(&["status", "--json"]).ok().json()["unread_messages"], 1);
    scratch.six(&["extract", "--session", &session.id]).ok();
    assert_eq!(scratch.store_rows("SELECT 1 FROM record").len(), 15);
}

#[test]
fn a_hook_that_is_killed_at_any_time_loses_nothing() {
    let scratch = installed();
    for (number, after_ms) in [0, 1, 2, 4, 8, 16, 32].into_iter().enumerate() {
        let number = u16::try_from(number).expect("a small number") + 1;
        let session = told(&scratch, number);
        let mut command = scratch.hook_command("stop");
        command.stdin(std::process::Stdio::piped()).stdout(std::process::Stdio::null());
        let mut child = command.spawn().expect("it starts");
        let payload = payload::stop(&session, "Done.").to_string();
        let mut stdin = child.stdin.take().expect("stdin is piped");
        // A hook that has been killed before it read takes nothing.
        let _ = std::io::Write::write_all(&mut stdin, payload.as_bytes());
        drop(stdin);
        thread::sleep(Duration::from_millis(after_ms));
        child.kill().and_then(|()| child.wait()).expect("it can be killed");
        end(&scratch, &session);
    }
    settled(&scratch);
    // Seven sessions say the same: the first that was read has it, the others are evidence.
    let found = candidates(&scratch);
    assert!(found.len() >= 3);
    assert_said_once(&found);
    assert_eq!(scratch.store_rows("SELECT 1 FROM sighting").len(), found.len() * 6);
    scratch.six(&["health"]);
    assert_eq!(scratch.store_rows("PRAGMA integrity_check")[0]["integrity_check"], "ok");
}

#[test]
fn two_that_read_the_same_session_side_by_side_make_it_once() {
    let scratch = installed();
    let session = told(&scratch, 1);
    thread::scope(|threads| {
        for _ in 0..2 {
            threads.spawn(|| stop(&scratch, &session));
            threads.spawn(|| scratch.six(&["worker"]));
        }
    });
    end(&scratch, &session);
    settled(&scratch);
    assert_one_of_each(&scratch, 1);
    assert_eq!(scratch.store_rows("SELECT 1 FROM sighting").len(), 0);
}

#[test]
fn a_turn_that_is_taken_back_takes_its_candidate_with_it() {
    let scratch = installed();
    let session = scratch.session(1);
    let begun = scratch.transcript(&session).prompt("Where does the ledger live?").answer("Nowhere yet.");
    let fork = begun.leaf();
    let mut transcript = begun.prompt(DECISION).answer("Noted.");
    transcript.write();
    stop(&scratch, &session);
    assert_eq!(candidates(&scratch).len(), 1);
    transcript.rewind_to(fork).prompt("What about the lamps?").answer("They are lit.").write();
    stop(&scratch, &session);
    assert_eq!(candidates(&scratch), []);
    let ended = scratch.store_rows("SELECT state FROM record");
    assert_eq!(ended[0]["state"], "expired");
}

#[test]
fn a_mute_silences_what_is_said_and_not_what_is_remembered() {
    let scratch = installed();
    scratch.six(&["mute", "--whole-project"]).ok();
    let session = told(&scratch, 1);
    stop(&scratch, &session);
    assert_one_of_each(&scratch, 1);
}

#[test]
fn wired_twice_a_turn_is_taken_in_once() {
    let scratch = installed();
    let session = told(&scratch, 1);
    let payload = payload::stop(&session, "Done.").to_string();
    for via in ["settings", "plugin"] {
        let mut command = scratch.hook_command("stop");
        command.args(["--via", via]);
        assert!(scratch.hook_bytes(command, payload.as_bytes()).keeping_the_contract("stop").stdout.is_empty());
    }
    let classes: Vec<_> = scratch.heartbeats().into_iter().map(|beat| beat.class).collect();
    assert_eq!(classes, ["", "wired-twice"]);
    assert_one_of_each(&scratch, 1);
}
