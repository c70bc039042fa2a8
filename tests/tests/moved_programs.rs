//! Hooks whose program is gone are wired again by a repair; what a person took out stays out.
#![cfg(unix)]
#![expect(clippy::expect_used, reason = "a test without its ground has to stop, and say where")]

use std::fs;
use std::os::unix::fs::PermissionsExt as _;

use serde_json::Value;
use testkit::Scratch;

const SETTINGS: &str = ".claude/settings.local.json";

fn installed() -> Scratch {
    let scratch = Scratch::new();
    scratch.six(&["install", "--no-templates"]).ok();
    scratch
}

fn settings(scratch: &Scratch) -> String {
    fs::read_to_string(scratch.project().join(SETTINGS)).expect("it is installed")
}

/// The hooks part of what a repair says.
fn said(scratch: &Scratch, args: &[&str]) -> Value {
    scratch.six(args).ok().json()["hooks"].clone()
}

#[test]
fn hooks_that_point_to_a_program_that_is_gone_are_wired_to_the_one_beside_six_and_nothing_else_is_touched() {
    let scratch = installed();
    let whole = settings(&scratch);
    let moved = whole.replace("/six-stop\"", "/old/six-stop\"").replace("/six-session-end\"", "/old/six-session-end\"");
    let with_others = moved.replacen('{', "{\n  \"model\":   \"opus\",", 1);
    scratch.write(SETTINGS, &with_others);
    assert_eq!(scratch.six(&["health", "--check", "heartbeats"]).status, Some(1));
    let tried = said(&scratch, &["repair", "--dry-run", "--json"]);
    let events = serde_json::json!(["Stop", "SessionEnd"]);
    assert_eq!(tried["wired"][0]["events"], events, "{tried}");
    assert_eq!(settings(&scratch), with_others, "a try changes nothing");
    let done = said(&scratch, &["repair", "--json"]);
    assert_eq!((&done["wired"][0]["events"], &done["unwired"]), (&events, &serde_json::json!([])), "{done}");
    assert_eq!(settings(&scratch), whole.replacen('{', "{\n  \"model\":   \"opus\",", 1));
    scratch.six(&["health", "--check", "heartbeats"]).ok();
    let again = said(&scratch, &["repair", "--json"]);
    assert_eq!(again["wired"], serde_json::json!([]), "{again}");
}

#[test]
fn what_was_taken_out_on_purpose_stays_out_and_is_named_with_the_command() {
    let scratch = installed();
    let mut parsed: Value = serde_json::from_str(&settings(&scratch)).expect("JSON");
    parsed["hooks"].as_object_mut().expect("hooks").remove("Stop");
    let without = serde_json::to_string_pretty(&parsed).expect("JSON");
    scratch.write(SETTINGS, &without);
    let told = scratch.six(&["repair"]).ok().stdout.clone();
    assert!(told.contains("hooks that are wired nowhere: Stop; to wire them: six install"), "{told}");
    assert_eq!(settings(&scratch), without);
}

#[test]
fn a_file_that_was_not_written_on_this_machine_is_named_and_left() {
    let scratch = installed();
    let shared = settings(&scratch).replace("/six-", "/usr-of-another-machine/six-");
    scratch.write(".claude/settings.json", &shared);
    let told = scratch.six(&["repair"]).ok().stdout.clone();
    assert!(told.contains("six install --scope project"), "{told}");
    assert_eq!(fs::read_to_string(scratch.project().join(".claude/settings.json")).expect("a file"), shared);
}

#[test]
fn a_file_of_this_machine_that_can_not_be_edited_is_told_with_what_is_in_the_way() {
    let scratch = installed();
    let dead = settings(&scratch).replace("/six-stop\"", "/old/six-stop\"");
    scratch.write(SETTINGS, &dead);
    let file = scratch.project().join(SETTINGS);
    let mode = |mode| fs::set_permissions(&file, fs::Permissions::from_mode(mode)).expect("a mode can be set");
    mode(0o400);
    let told = scratch.six(&["repair"]).ok().stdout.clone();
    assert!(told.contains("settings.local.json is read-only; once that is put right: six repair"), "{told}");
    assert!(!told.contains("not of this machine's making"), "{told}");
    assert_eq!(settings(&scratch), dead);
    mode(0o600);
    assert_eq!(said(&scratch, &["repair", "--json"])["left"], serde_json::json!([]));
    scratch.six(&["health", "--check", "heartbeats"]).ok();
}

#[test]
fn in_a_linked_worktree_the_hooks_of_the_main_checkout_are_wired_again_too() {
    let scratch = installed();
    let tree = scratch.folder("trees").join("quay");
    scratch.git(&["worktree", "add", "--quiet", tree.to_str().expect("a path")]);
    let whole = settings(&scratch);
    scratch.write(SETTINGS, &whole.replace("/six-stop\"", "/old/six-stop\""));
    assert_eq!(scratch.six_in(&tree, &["health", "--check", "heartbeats"]).status, Some(1));
    let done = scratch.six_in(&tree, &["repair", "--json"]).ok().json()["hooks"].clone();
    assert_eq!((&done["wired"][0]["events"], &done["unwired"]), (&serde_json::json!(["Stop"]), &serde_json::json!([])));
    assert_eq!(settings(&scratch), whole);
    scratch.six_in(&tree, &["health", "--check", "heartbeats"]).ok();
}

#[test]
fn what_a_repair_wired_again_is_taken_back_by_an_uninstall() {
    let scratch = Scratch::new();
    scratch.write(SETTINGS, "{\n  \"model\": \"opus\"\n}\n");
    scratch.six(&["install", "--no-templates"]).ok();
    scratch.write(SETTINGS, &settings(&scratch).replace("/six-stop\"", "/old/six-stop\""));
    scratch.six(&["repair"]).ok();
    scratch.six(&["uninstall"]).ok();
    assert!(!settings(&scratch).contains("six-"), "{}", settings(&scratch));
}
