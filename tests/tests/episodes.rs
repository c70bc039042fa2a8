//! What was red is remembered: since when, first shown when, and what became of it.
#![expect(clippy::expect_used, reason = "a test without its ground has to stop, and say where")]

use std::fs;

use testkit::{Scratch, payload};

const EPISODES: &str =
    "SELECT name, fault, shown_unix_ms - evidence_unix_ms AS shown_after_ms, remedy FROM episode ORDER BY id";

fn installed() -> Scratch {
    let scratch = Scratch::new();
    scratch.six(&["install", "--no-templates"]).ok();
    scratch
}

fn unwire(scratch: &Scratch) {
    let settings = scratch.project().join(".claude/settings.local.json");
    let text = fs::read_to_string(&settings).expect("install wrote it").replace("six-stop", "six-gone");
    fs::write(&settings, text).expect("a scratch file can be written");
}

#[test]
fn a_fault_opens_one_episode_however_often_it_is_shown_and_its_fix_ends_it() {
    let scratch = installed();
    unwire(&scratch);
    assert_eq!(scratch.six(&["health"]).status, Some(1));
    let session = scratch.session(1);
    scratch.hook("session-start", &payload::session_start(&session, "startup"));
    let open = scratch.store_rows(EPISODES);
    assert_eq!(open.len(), 1, "{open:?}");
    assert_eq!((&open[0]["name"], &open[0]["fault"]), (&"heartbeats".into(), &"hook-unwired".into()));
    let unknown = &serde_json::Value::Null;
    assert_eq!((&open[0]["shown_after_ms"], &open[0]["remedy"]), (unknown, unknown));
    scratch.six(&["install", "--no-templates"]).ok();
    assert_eq!(scratch.store_rows(EPISODES)[0]["remedy"], "fix");
    scratch.six(&["health"]).ok();
    assert_eq!(scratch.store_rows(EPISODES).len(), 1);
}

#[test]
fn a_fault_that_went_by_itself_is_gone_when_its_check_is_next_green() {
    let scratch = installed();
    unwire(&scratch);
    assert_eq!(scratch.six(&["health"]).status, Some(1));
    let settings = scratch.project().join(".claude/settings.local.json");
    let text = fs::read_to_string(&settings).expect("it is there").replace("six-gone", "six-stop");
    fs::write(&settings, text).expect("a scratch file can be written");
    scratch.six(&["health"]).ok();
    assert_eq!(scratch.store_rows(EPISODES)[0]["remedy"], "gone");
    unwire(&scratch);
    assert_eq!(scratch.six(&["health"]).status, Some(1));
    assert_eq!(scratch.store_rows(EPISODES).len(), 2, "the same fault again is another episode");
}

#[test]
fn the_gate_and_the_block_of_a_start_leave_rows_of_their_own() {
    let scratch = installed();
    let session = scratch.session(1);
    scratch.hook("session-start", &payload::session_start(&session, "startup"));
    scratch.six(&["health"]).ok();
    let rows = "SELECT hook, event, outcome, emitted_bytes FROM heartbeat WHERE hook IN ('gate', 'render') ORDER BY id";
    let told: Vec<String> = scratch.store_rows(rows).iter().map(|row| format!("{row:?}")).collect();
    assert_eq!(scratch.store_rows(rows).len(), 4, "install and health ask, the start shows: {told:#?}");
    let is_well =
        |row: &serde_json::Map<String, serde_json::Value>| row["outcome"] == "ok" && row["emitted_bytes"] == 0;
    assert!(scratch.store_rows(rows).iter().all(is_well), "the hook printed it, and counts it: {told:#?}");
}

#[test]
fn only_a_command_that_the_fix_names_ends_an_episode() {
    let scratch = installed();
    scratch.six(&["config", "set", "derived.code_graph", "graph"]).ok();
    assert_eq!(scratch.six(&["health"]).status, Some(1));
    let remedy = || scratch.store_rows(EPISODES)[0]["remedy"].clone();
    assert_eq!(scratch.store_rows(EPISODES)[0]["fault"], "derived-missing");
    scratch.six(&["config", "set", "inject.max_items", "3"]).ok();
    scratch.six(&["config", "unset", "derived.project_state"]).ok();
    scratch.six(&["ingest"]).ok();
    assert_eq!(remedy(), serde_json::Value::Null);
    scratch.six(&["config", "unset", "derived.code_graph"]).ok();
    assert_eq!(remedy(), "fix");
}

#[test]
fn a_command_that_is_told_the_folder_ends_the_episode_of_that_project() {
    let scratch = installed();
    unwire(&scratch);
    assert_eq!(scratch.six(&["health"]).status, Some(1));
    let project = scratch.project();
    let elsewhere = scratch.folder("elsewhere");
    scratch.six_in(&elsewhere, &["install", "--no-templates", &project.to_string_lossy()]).ok();
    assert_eq!(scratch.store_rows(EPISODES)[0]["remedy"], "fix");
}
