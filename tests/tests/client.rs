//! End to end with the real client: the hooks that it runs, and the text that really reached the model.
//!
//! The client is fetched at the first run (400 MB) and then runs offline against a mock of the model's API. Without the
//! rig beside the checkout every test says that it is skipped.
#![expect(clippy::expect_used, reason = "a test without its ground has to stop, and say where")]

use std::fs;
use std::os::unix::fs::PermissionsExt as _;
use std::path::{Path, PathBuf};
use std::sync::OnceLock;

use serde_json::{Value, json};
use testkit::{Rig, Scratch, Witness};

/// How every health line begins.
const HEALTH: &str = "MEMORY-HEALTH: ";

/// A machine with an installed project. The binaries are those that `install.sh` puts under a prefix: once for all
/// tests, since nobody replaces a binary while the host runs it.
fn installed() -> Scratch {
    static PREFIX: OnceLock<PathBuf> = OnceLock::new();
    let prefix = PREFIX.get_or_init(|| {
        let prefix = Path::new(env!("CARGO_TARGET_TMPDIR")).join("client");
        Scratch::with_binaries(Path::new("")).install_script(&["--prefix", path(&prefix)]).ok();
        prefix
    });
    let scratch = Scratch::with_binaries(&prefix.join("bin"));
    scratch.six(&["install", path(&scratch.project())]).ok();
    scratch
}

fn path(path: &Path) -> &str {
    path.to_str().expect("scratch paths are UTF-8")
}

/// Wires a hook that is not ours, for the control below.
fn wire_foreign_hook(scratch: &Scratch, event: &str, says: &str) {
    let said = json!({ "hookSpecificOutput": { "hookEventName": event, "additionalContext": says } });
    let hook = json!({ "type": "command", "command": "printf", "args": ["%s", said.to_string()] });
    let settings = json!({ "hooks": { event: [{ "hooks": [hook] }] } });
    scratch.write(".claude/settings.local.json", &settings.to_string());
}

/// How many heartbeats of a hook ended well, for each call of its event that the host made.
fn heartbeats_match(scratch: &Scratch, witness: &Witness, event: &str, hook: &str) {
    let calls = witness.payloads(event).len();
    assert!(calls > 0, "the host never called {event}");
    let rows = scratch.store_rows("SELECT hook, session, outcome FROM heartbeat ORDER BY rowid");
    let well = rows.iter().filter(|row| row["hook"] == hook && row["outcome"] == "ok").count();
    assert_eq!(well, calls, "{event} was called {calls} times; heartbeats: {rows:#?}");
}

/// The control of the tests below: the rig shows what a hook says, and only what one said.
#[test]
#[ignore = "needs the real client (npm, once) and the rig beside the checkout"]
fn what_any_hook_says_is_seen_in_the_request() {
    let Some(rig) = Rig::find() else { return };
    let scratch = Scratch::with_binaries(Path::new(""));
    wire_foreign_hook(&scratch, "UserPromptSubmit", "the lighthouse is painted green");
    let witness = rig.run(&scratch, "Which colour has it?").answered("Green, it seems.");

    let told = witness.request_with("the lighthouse is painted green").expect("the hook said so");
    let words = told.told_by("UserPromptSubmit");
    assert!(words.is_some_and(|words| words.starts_with("the lighthouse is painted green")), "{words:?}");
    assert_eq!(told.kind, "turn");
    assert!(witness.request_with("the lighthouse is painted red").is_none());
    assert!(!witness.requests[0].holds(HEALTH), "nothing of ours is wired");
    assert_eq!(witness.payloads("UserPromptSubmit").len(), 2, "a session and its resumption");
}

#[test]
#[ignore = "needs the real client (npm, once) and the rig beside the checkout"]
fn every_hook_of_a_session_leaves_its_heartbeat_and_the_session_is_found() {
    let Some(rig) = Rig::find() else { return };
    let scratch = installed();
    let witness = rig
        .run(&scratch, "What does the tidegate module of the harbour service do?")
        .answered("The tidegate module closes the quay when the barnacle sensor reads above seven.");

    for (event, hook) in
        [("SessionStart", "session-start"), ("UserPromptSubmit", "user-prompt-submit"), ("SessionEnd", "session-end")]
    {
        heartbeats_match(&scratch, &witness, event, hook);
    }
    assert!(witness.requests[0].holds(HEALTH), "the model was not told the state of its memory");

    let session = witness.payloads("SessionStart")[0]["session_id"].clone();
    for said in ["tidegate module harbour", "barnacle sensor"] {
        let found = scratch.six(&["search", said, "--json"]).ok().json();
        let hits = found["hits"].as_array().expect("an answer has hits");
        let from_session = hits.iter().any(|hit| hit["source"] == "transcript" && hit["session"] == session);
        assert!(from_session, "{said:?} was said in {session}, but found: {found:#}");
    }
}

#[test]
#[ignore = "needs the real client (npm, once) and the rig beside the checkout"]
fn what_was_decided_after_one_session_is_in_the_next_ones_first_request() {
    const TITLE: &str = "Ship manifests are kept in Parquet files, one a berth";
    let Some(rig) = Rig::find() else { return };
    let scratch = installed();
    let before = rig.run(&scratch, "Which ports does the harbour count?").answered("Three of them.");
    assert!(before.request_with(TITLE).is_none(), "nothing was decided yet");

    scratch
        .six(&["decision", "add", TITLE, "--rationale", "Row stores made the quarterly manifest report take an hour."])
        .ok();
    let after = rig
        .run(&scratch, "Good morning, where were we?")
        .then("Build a Parquet writer for the ship manifests of a berth.")
        .answered("Understood.");

    let first = &after.requests[0];
    assert!(first.holds(HEALTH) && first.holds(TITLE), "the session began without them: {:#?}", first.texts);
    let last = after.requests.last().expect("the resumed session asked the model");
    let block = last.told_by("UserPromptSubmit");
    assert!(block.is_some_and(|block| block.contains(TITLE)), "the prompt to build brought no block: {block:?}");
}

#[test]
#[ignore = "needs the real client (npm, once), tmux and the rig beside the checkout"]
fn after_a_compaction_the_model_is_told_again() {
    let Some(rig) = Rig::find() else { return };
    let scratch = installed();
    let witness = rig.run(&scratch, "Which ports does the harbour count?").interactive().answered("Three of them.");

    let starts = witness.payloads("SessionStart");
    let compacted = starts.iter().find(|payload| payload["source"] == "compact").expect("/compact was typed");
    let session = compacted["session_id"].as_str().expect("a session has an id");
    let sources: Vec<&Value> =
        starts.iter().filter(|payload| payload["session_id"] == session).map(|payload| &payload["source"]).collect();
    assert_eq!(sources, ["startup", "compact"]);
    heartbeats_match(&scratch, &witness, "SessionStart", "session-start");
    heartbeats_match(&scratch, &witness, "UserPromptSubmit", "user-prompt-submit");
    heartbeats_match(&scratch, &witness, "SessionEnd", "session-end");

    let summary = witness.requests.iter().position(|request| request.kind == "compact").expect("/compact was typed");
    let next = &witness.requests[summary + 1];
    assert!(next.holds("After compaction"), "the turn after the compaction: {:#?}", next.texts);
    assert!(next.holds(HEALTH), "the compaction took the memory's state away: {:#?}", next.texts);
}

#[test]
#[ignore = "needs the real client (npm, once) and the rig beside the checkout"]
fn an_acknowledgement_and_a_task_notification_bring_no_byte() {
    const TITLE: &str = "Ship manifests are kept in Parquet files, one a berth";
    let Some(rig) = Rig::find() else { return };
    let scratch = installed();
    scratch.six(&["decision", "add", TITLE]).ok();
    let call = json!({
        "command": "sleep 1",
        "run_in_background": true,
        "description": "Build a Parquet writer for the ship manifests of a berth",
    });
    let count = format!("<<tool:Bash {call}>> <<text:It runs.>>");
    let witness = rig
        .run(&scratch, "ok, go on")
        .then("thanks, looks good")
        .scripted(&[("go on", &count), ("", "<<text:Fine.>>")]);

    let prompts = witness.payloads("UserPromptSubmit");
    let said = |part: &str| {
        prompts.iter().filter(|prompt| prompt["prompt"].as_str().is_some_and(|said| said.contains(part))).count()
    };
    assert_eq!((said("<task-notification>"), said("thanks, looks good")), (1, 1), "{prompts:#?}");
    assert_eq!(said("Build a Parquet writer"), 1, "the notification has the words of a prompt to build");
    for request in &witness.requests {
        assert!(request.told_by("UserPromptSubmit").is_none(), "{:#?}", request.texts);
    }
    let rows = scratch.store_rows("SELECT silenced FROM receipt ORDER BY id");
    let silenced: Vec<&str> = rows.iter().map(|row| row["silenced"].as_str().unwrap_or_default()).collect();
    assert_eq!(silenced, ["no-intent", "machine:task-notification", "no-intent"]);
}

#[test]
#[ignore = "needs the real client (npm, once) and the rig beside the checkout"]
fn what_a_session_decided_tried_and_corrected_is_confirmed_once_and_told_in_the_next() {
    const DECIDED: &str = "We decided to keep ship manifests in Parquet files, since row stores made the report slow.";
    const TRIED: &str = "I tried polling the tide gauge from the scheduler thread, but that does not work because the \
                         scheduler stalls whenever the gauge sleeps.";
    const CORRECTED: &str = "no, use pnpm instead of npm in this repository";
    let Some(rig) = Rig::find() else { return };
    let scratch = installed();
    let tried = format!("<<text:{TRIED}>>");
    let witness = rig.run(&scratch, DECIDED).then(CORRECTED).scripted(&[("pnpm", "<<text:Done.>>"), ("", &tried)]);
    heartbeats_match(&scratch, &witness, "Stop", "stop");
    scratch.work();

    let waiting = scratch.six(&["triage", "--list", "--json"]).ok().json();
    let mut items = waiting["items"].as_array().expect("a list").clone();
    items.sort_by_key(|item| item["kind"].to_string());
    let kinds: Vec<&Value> = items.iter().map(|item| &item["kind"]).collect();
    assert_eq!(kinds, ["correction", "dead_end", "decision"], "{waiting:#}");
    assert!(items.iter().all(|item| item["quote"].as_str().is_some_and(|quote| !quote.is_empty())), "{waiting:#}");

    let rulings: Vec<Value> = items.iter().map(|item| json!({ "id": item["id"], "verdict": "confirm" })).collect();
    let applied =
        scratch.six_with(&["triage", "--apply", "-", "--json"], &Value::from(rulings).to_string()).ok().json();
    assert_eq!(applied["applied"], 3, "{applied:#}");

    let after = rig
        .run(&scratch, "Good morning, where were we?")
        .then("Build a Parquet writer for the ship manifests.")
        .answered("Understood.");
    for said in ["manifests in Parquet files", "polling the tide gauge", "pnpm"] {
        assert!(after.requests[0].holds(said), "{said}: {:#?}", after.requests[0].texts);
    }
    let last = after.requests.last().expect("the resumed session asked the model");
    let block = last.told_by("UserPromptSubmit");
    assert!(block.is_some_and(|block| block.contains("manifests in Parquet files")), "{block:?}");
}

/// The fault of the check `render`, if it is red.
fn render_fault(scratch: &Scratch) -> Value {
    scratch.six(&["ingest"]).ok();
    scratch.six(&["health", "--check", "render", "--json"]).json()["checks"][0]["fault"].take()
}

#[test]
#[ignore = "needs the real client (npm, once), tmux and the rig beside the checkout"]
fn the_block_of_every_kind_of_start_is_seen_in_the_transcript() {
    let Some(rig) = Rig::find() else { return };
    let scratch = installed();
    rig.run(&scratch, "Which ports does the harbour count?").interactive().answered("Three of them.");
    assert_eq!(render_fault(&scratch), Value::Null);
    let starts = scratch.store_rows(
        "SELECT b.detail, s.start_trace, s.client, s.entrypoint FROM boundary b JOIN session s ON s.name = b.session \
         WHERE b.edge = 'start' ORDER BY b.id",
    );
    let sources: Vec<&Value> = starts.iter().map(|row| &row["detail"]).collect();
    assert_eq!(sources, ["startup", "resume", "startup", "compact", "clear"], "{starts:#?}");
    assert!(starts.iter().all(|start| start["start_trace"] == 2), "the client writes no such thing down: {starts:#?}");
}

#[test]
#[ignore = "needs the real client (npm, once) and the rig beside the checkout"]
fn a_block_that_something_swallowed_is_missed_until_one_arrives_again() {
    const BLOCK: &str = "<six-memory>";
    let Some(rig) = Rig::find() else { return };
    let scratch = installed();
    let good = rig.run(&scratch, "Which ports does the harbour count?").answered("Three of them.");
    assert!(good.requests[0].holds(BLOCK));
    assert_eq!(render_fault(&scratch), Value::Null);

    let wired = scratch.project().join(".claude/settings.local.json");
    let settings = fs::read_to_string(&wired).expect("install wires the hooks here");
    let ours = settings.split('"').find(|part| part.ends_with("six-session-start")).expect("the hook is wired");
    let wrapper = scratch.folder("wrapped").join("swallows");
    fs::write(&wrapper, format!("#!/bin/sh\nexec '{ours}' \"$@\" >/dev/null\n")).expect("a scratch file");
    fs::set_permissions(&wrapper, fs::Permissions::from_mode(0o755)).expect("the file is ours");
    fs::write(&wired, settings.replace(ours, path(&wrapper))).expect("a scratch file");
    let swallowed = rig.run(&scratch, "And which piers?").answered("Two of them.");
    assert!(!swallowed.requests[0].holds(BLOCK), "{:#?}", swallowed.requests[0].texts);
    assert_eq!(render_fault(&scratch), "render-undelivered");

    fs::write(&wired, &settings).expect("a scratch file");
    rig.run(&scratch, "And which lights?").answered("One of them.");
    assert_eq!(render_fault(&scratch), Value::Null);
}
