//! The ground itself: what the other tests take for granted about the scratch machine and the host's shapes.

use serde_json::{Value, json};
use testkit::{Scratch, binaries, payload, shared};

/// The names of an object's fields, nested ones as `a.b`, in the order of the alphabet; what a tool takes and gives is
/// its own matter.
fn fields(value: &Value) -> Vec<String> {
    let Value::Object(object) = value else { return Vec::new() };
    let nested = |(name, value): (&String, &Value)| {
        let inner = fields(value).into_iter().map(|field| format!("{name}.{field}"));
        std::iter::once(name.clone()).chain(inner).collect::<Vec<_>>()
    };
    let of_the_host = object.iter().filter(|(name, _)| *name != "tool_input" && *name != "tool_response");
    let mut names: Vec<String> = of_the_host.flat_map(nested).collect();
    names.sort();
    names
}

#[test]
fn payloads_have_the_fields_that_the_host_sends() {
    let Some(samples) = shared("data/host/payloads") else { return };
    let scratch = Scratch::with_binaries("".as_ref());
    let mut session = scratch.session(1);
    let prompt = payload::user_prompt(&mut session, "Fix the rounding, please.");
    let built = [
        ("SessionStart-startup", payload::session_start(&session, "startup")),
        ("UserPromptSubmit-prompt", prompt),
        ("PreToolUse-Bash", payload::pre_tool_use(&session, "Bash", &json!({ "command": "ls" }))),
        ("PostToolUse-Bash", payload::post_tool_use(&session, "Bash", &json!({}), &json!({ "stdout": "" }))),
        ("Stop", payload::stop(&session, "Done.")),
        ("PreCompact-manual", payload::pre_compact(&session, "manual")),
        ("SessionEnd-other", payload::session_end(&session, "other")),
    ];
    for (name, built) in built {
        let sample = std::fs::read(samples.join(format!("{name}.json"))).unwrap();
        let sample: Value = serde_json::from_slice(&sample).unwrap();
        assert_eq!(fields(&built), fields(&sample), "{name}");
        assert_eq!(built["hook_event_name"], sample["hook_event_name"], "{name}");
    }
}

#[test]
fn a_scratch_project_is_the_same_every_time() {
    let [one, two] = [(); 2].map(|()| Scratch::with_binaries("".as_ref()));
    assert_ne!(one.project(), two.project());
    assert_eq!(one.git(&["rev-parse", "HEAD"]), two.git(&["rev-parse", "HEAD"]));
}

#[test]
fn the_command_under_test_is_built_from_this_tree() {
    let scratch = Scratch::new();
    scratch.six(&["--version"]).ok();
    assert!(binaries().starts_with(std::env::current_exe().unwrap().ancestors().nth(2).unwrap()));
}

#[test]
fn nothing_of_the_callers_environment_gets_in() {
    let scratch = Scratch::with_binaries("".as_ref());
    let names = scratch.run(scratch.command("env")).ok().stdout.clone();
    let mut names: Vec<&str> = names.lines().filter_map(|line| Some(line.split_once('=')?.0)).collect();
    names.sort_unstable();
    let ours =
        ["GIT_CONFIG_GLOBAL", "GIT_CONFIG_NOSYSTEM", "HOME", "LANG", "PATH", "SIX_HOME", "SIX_PATIENCE", "TMPDIR"];
    assert_eq!(names, ours);
}

#[test]
fn a_transcript_is_a_tree_that_grows() {
    let scratch = Scratch::with_binaries("".as_ref());
    let session = scratch.session(3);
    let mut transcript = scratch.transcript(&session).prompt("Count the ships.").answer("Four.");
    let turn = transcript.leaf();
    transcript.write();
    let mut transcript = transcript.prompt("No, the boats.").rewind_to(turn.clone()).prompt("And the boats?");
    let written = std::fs::read_to_string(transcript.write()).unwrap();

    let records: Vec<Value> = written.lines().map(|line| serde_json::from_str(line).unwrap()).collect();
    let parents: Vec<Option<&str>> = records.iter().map(|record| record["parentUuid"].as_str()).collect();
    assert_eq!(parents, [None, records[0]["uuid"].as_str(), turn.as_deref(), turn.as_deref()]);
    assert!(session.transcript.starts_with(scratch.home().join(".claude/projects")));
}

#[test]
fn a_process_is_waited_for_and_not_what_it_left_behind() {
    let scratch = Scratch::with_binaries("".as_ref());
    let mut command = scratch.command("sh");
    command.args(["-c", "sleep 60 & echo $!"]);
    let run = scratch.hook_bytes(command, &vec![b' '; 1 << 20]);
    let child = String::from_utf8(run.stdout).unwrap();
    let mut end = scratch.command("kill");
    end.arg(child.trim());
    scratch.run(end).ok();
    assert!(run.exit == Some(0) && run.took.as_secs() < 60, "{:?} {:?}", run.exit, run.took);
}
