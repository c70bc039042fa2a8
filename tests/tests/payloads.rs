//! Whatever comes on stdin: exit 0, at most one object, in time, and a row that says how it went.
#![expect(clippy::expect_used, reason = "a test without its ground has to stop, and say where")]

use std::fs;
use std::path::PathBuf;

use serde_json::{Value, json};
use testkit::{HOOKS, Scratch, Tree, payload, shared};

fn installed() -> Scratch {
    let scratch = Scratch::new();
    scratch.six(&["install", "--no-templates", "--no-ingest"]).ok();
    scratch
}

/// Every payload of the real client in the shared data, with its file's name.
fn samples() -> Option<Vec<(String, Value)>> {
    let folder = shared("data/host/payloads")?;
    let mut files: Vec<PathBuf> =
        fs::read_dir(folder).expect("a folder").filter_map(|entry| Some(entry.ok()?.path())).collect();
    files.retain(|file| file.extension().is_some_and(|end| end == "json"));
    files.sort();
    let read = |file: PathBuf| {
        let payload = serde_json::from_slice(&fs::read(&file).expect("a sample")).expect("a sample is JSON");
        (file.file_stem().expect("a name").to_string_lossy().into_owned(), payload)
    };
    Some(files.into_iter().map(read).collect())
}

/// The payload of the event that a hook is for.
fn own(scratch: &Scratch, hook: &str) -> Value {
    let mut session = scratch.session(1);
    match hook {
        "session-start" => payload::session_start(&session, "startup"),
        "stop" => payload::stop(&session, "The lamp is lit."),
        "pre-compact" => payload::pre_compact(&session, "auto"),
        "session-end" => payload::session_end(&session, "other"),
        "pre-tool-use" => payload::pre_tool_use(&session, "Bash", &json!({ "command": "make lamp" })),
        _ => payload::user_prompt(&mut session, "Build a lamp for the pier."),
    }
}

#[test]
fn every_payload_of_the_client_through_every_hook() {
    let Some(samples) = samples() else { return };
    let scratch = installed();
    for (hook, event) in HOOKS {
        for (name, payload) in &samples {
            let run = scratch.hook(hook, payload).keeping_the_contract(hook);
            let beat = scratch.last_heartbeat();
            let wanted = if payload["hook_event_name"] == event { "ok" } else { "failed" };
            assert_eq!((beat.hook.as_str(), beat.outcome.as_deref()), (hook, Some(wanted)), "{name}: {beat:?}");
            assert!(wanted == "ok" || run.stdout.is_empty(), "{name} is not for {hook}");
        }
    }
    assert_eq!(scratch.heartbeats().len(), HOOKS.len() * samples.len());
    let receipts = scratch.store_rows("SELECT 1 FROM receipt").len();
    let prompts = samples.iter().filter(|(_, payload)| payload["hook_event_name"] == "UserPromptSubmit").count();
    assert_eq!(receipts, prompts, "every turn leaves a receipt");
}

/// Bytes that are no payload, and what they are.
fn hostile(scratch: &Scratch, hook: &str) -> Vec<(&'static str, Vec<u8>)> {
    let good = own(scratch, hook);
    let text = good.to_string();
    let without = |name: &str| {
        let mut less = good.clone();
        less.as_object_mut().expect("a payload is an object").remove(name);
        less.to_string().into_bytes()
    };
    let with = |name: &str, value: Value| {
        let mut other = good.clone();
        other[name] = value;
        other.to_string().into_bytes()
    };
    vec![
        ("nothing", Vec::new()),
        ("a line end", b"\n".to_vec()),
        ("an empty object", b"{}".to_vec()),
        ("a list", format!("[{text}]").into_bytes()),
        ("a string", b"\"SessionStart\"".to_vec()),
        ("null", b"null".to_vec()),
        ("a number", b"42".to_vec()),
        ("cut", text.as_bytes()[..text.len() - 9].to_vec()),
        ("a brace", b"{".to_vec()),
        ("no JSON", b"SessionStart please".to_vec()),
        ("invalid UTF-8", [b"{\"session_id\": \"\xff\xfe".as_slice(), b"\"}"].concat()),
        ("UTF-16", text.encode_utf16().flat_map(u16::to_le_bytes).collect()),
        ("zero bytes", vec![0; 70_000]),
        ("closing brackets", vec![b'}'; 200_000]),
        ("deep", format!("{}{}", "[".repeat(200_000), "]".repeat(200_000)).into_bytes()),
        ("an unknown field", with("extra", json!({ "a": [1, null] }))),
        ("no session", without("session_id")),
        ("null session", with("session_id", Value::Null)),
        ("empty session", with("session_id", json!(""))),
        ("session as number", with("session_id", json!(7))),
        ("session as list", with("session_id", json!(["a"]))),
        ("no event", without("hook_event_name")),
        ("null event", with("hook_event_name", Value::Null)),
        ("unknown event", with("hook_event_name", json!("MoonRise"))),
        ("event in small letters", with("hook_event_name", json!("sessionstart"))),
    ]
}

#[test]
fn what_is_no_payload_is_answered_by_silence_and_a_row() {
    for (hook, _) in HOOKS {
        let scratch = installed();
        for (count, (what, stdin)) in (1..).zip(hostile(&scratch, hook)) {
            let run = scratch.hook_bytes(scratch.hook_command(hook), &stdin).keeping_the_contract(hook);
            let beats = scratch.heartbeats();
            let beat = beats.last().expect("a row");
            assert_eq!(beats.len(), count, "{hook}: {what}");
            if what == "an unknown field" {
                assert_eq!(beat.outcome.as_deref(), Some("ok"), "{what}: unknown fields are nothing bad");
                continue;
            }
            assert!(run.stdout.is_empty(), "{hook}: {what}: {}", String::from_utf8_lossy(&run.stdout));
            assert_eq!((beat.outcome.as_deref(), beat.class.as_str()), (Some("failed"), "payload"), "{hook}: {what}");
        }
        let said = scratch.six(&["status"]).ok().stdout.clone();
        let line = said.lines().find(|line| line.trim_start().starts_with(hook)).expect("a line for the hook");
        assert!(line.contains("last failure"), "{line}");
        let odd = scratch.store_rows("SELECT session FROM heartbeat WHERE session IN ('', 'undefined', 'null', '7')");
        assert_eq!(odd, [], "no state is shared by those who have no session");
        let receipts = scratch.store_rows("SELECT 1 FROM receipt").len();
        assert_eq!(receipts, usize::from(hook == "user-prompt-submit"), "only the one that was a prompt");
    }
}

#[test]
fn odd_values_in_the_right_payload_are_survived() {
    for (hook, _) in HOOKS {
        let scratch = installed();
        let fifo = scratch.folder("odd").join("fifo");
        let mut mkfifo = scratch.command("mkfifo");
        mkfifo.arg(&fifo);
        scratch.run(mkfifo).ok();
        let odd = [
            ("transcript_path", json!(scratch.folder("odd"))),
            ("transcript_path", json!(fifo)),
            ("transcript_path", json!("/nonexistent/a.jsonl")),
            ("transcript_path", json!("/dev/zero")),
            ("transcript_path", json!("relative.jsonl")),
            ("transcript_path", json!("")),
            ("transcript_path", Value::Null),
            ("transcript_path", json!({ "path": 1 })),
            ("transcript_path", json!("x".repeat(100_000))),
            ("transcript_path", json!("a\u{0}b")),
            ("cwd", Value::Null),
            ("cwd", json!(7)),
            ("cwd", json!("a\u{0}b")),
            ("cwd", json!("/nonexistent/deep/down")),
            ("session_id", json!("../../etc/passwd")),
            ("session_id", json!("s".repeat(100_000))),
            ("session_id", json!("a\u{0}\u{202e}\u{1b}[2Jb")),
            ("source", json!("moon")),
            ("source", json!([1])),
            ("reason", json!({})),
            ("agent_id", json!(5)),
            ("prompt_id", json!(["a"])),
            ("permission_mode", json!(3)),
        ];
        let count = odd.len();
        for (field, value) in odd {
            let mut payload = own(&scratch, hook);
            let shown = value.to_string().chars().take(60).collect::<String>();
            payload[field] = value;
            let run = scratch.hook_bytes(scratch.hook_command(hook), payload.to_string().as_bytes());
            let _ = run.keeping_the_contract(hook);
            let outcome = scratch.last_heartbeat().outcome;
            assert!(matches!(outcome.as_deref(), Some("ok" | "failed")), "{hook}: {field} {shown}: {outcome:?}");
        }
        assert_eq!(scratch.heartbeats().len(), count, "{hook}");
        let report = scratch.six(&["ingest"]);
        report.ok();
        assert!(!scratch.project().join("relative.jsonl").exists());
    }
}

#[test]
fn an_odd_prompt_is_a_prompt_or_a_failure_that_is_told() {
    let scratch = installed();
    let odd =
        [json!(null), json!(7), json!(["a"]), json!({ "text": "a" }), json!(""), json!("   "), json!("\u{0}\u{0}")];
    for prompt in &odd {
        let mut payload = own(&scratch, "user-prompt-submit");
        payload["prompt"] = prompt.clone();
        assert!(scratch.answer("user-prompt-submit", &payload).stdout.is_empty(), "{prompt}");
        let beat = scratch.last_heartbeat();
        let wanted = if prompt.is_string() { "ok" } else { "failed" };
        assert_eq!(beat.outcome.as_deref(), Some(wanted), "{prompt}: {beat:?}");
    }
    let receipts = scratch.store_rows("SELECT receipt_json FROM receipt");
    assert_eq!(receipts.len(), odd.iter().filter(|prompt| prompt.is_string()).count());
}

#[test]
fn stdin_that_never_ends_is_not_waited_for() {
    for (hook, _) in HOOKS {
        let scratch = installed();
        let text = own(&scratch, hook).to_string();
        let mut deep = own(&scratch, hook);
        deep["extra"] = json!("DEEP");
        let nested = format!("{}{}", "[".repeat(300), "]".repeat(300));
        let deep = deep.to_string().replace("\"DEEP\"", &nested);
        for (what, stdin, outcome) in [
            ("the payload and no end", text.as_bytes(), "ok"),
            ("a deep payload and no end", deep.as_bytes(), "ok"),
            ("half a payload and no end", &text.as_bytes()[..text.len() / 2], "timed-out"),
            ("nothing at all", b"".as_slice(), "timed-out"),
        ] {
            let command = match outcome {
                "ok" => scratch.hook_command(hook),
                _ => scratch.impatient_hook(hook),
            };
            drop(scratch.hook_held_open(command, stdin).keeping_the_contract(hook));
            let beat = scratch.last_heartbeat();
            assert_eq!((beat.hook.as_str(), beat.outcome.as_deref()), (hook, Some(outcome)), "{what}: {beat:?}");
        }
        assert_eq!(scratch.heartbeats().len(), 4, "{hook}");
    }
}

#[test]
fn what_the_hook_is_told_on_its_command_line_never_fails_it() {
    let scratch = installed();
    for args in [&["--via"][..], &["--via", "plugin"], &["--help"], &["--version"], &["\u{1b}", "--", "-x"]] {
        let mut command = scratch.hook_command("session-start");
        command.args(args);
        let stdin = own(&scratch, "session-start").to_string();
        let run = scratch.hook_bytes(command, stdin.as_bytes()).keeping_the_contract("session-start");
        assert!(run.context().is_some(), "{args:?}");
    }
}

#[cfg(unix)]
#[test]
fn an_argument_that_is_not_unicode_never_fails_it() {
    use std::ffi::OsStr;
    use std::os::unix::ffi::OsStrExt;
    let scratch = installed();
    let mut command = scratch.hook_command("session-start");
    command.args([OsStr::from_bytes(b"\xff\xfe"), OsStr::new("--via"), OsStr::from_bytes(b"\xc3")]);
    let stdin = own(&scratch, "session-start").to_string();
    let run = scratch.hook_bytes(command, stdin.as_bytes()).keeping_the_contract("session-start");
    assert!(run.context().is_some());
    assert_eq!(scratch.last_heartbeat().outcome.as_deref(), Some("ok"));
}

#[test]
fn where_six_is_not_installed_nothing_is_said_and_nothing_is_made() {
    let scratch = Scratch::new();
    let samples = samples().unwrap_or_default();
    let before = Tree::of(scratch.project().parent().expect("the machine has a folder"));
    for (hook, _) in HOOKS {
        let hostile = hostile(&scratch, hook).into_iter().map(|(_, stdin)| stdin);
        let own = own(&scratch, hook).to_string().into_bytes();
        let real = samples.iter().map(|(_, payload)| payload.to_string().into_bytes());
        for stdin in hostile.chain(real).chain([own]) {
            let run = scratch.hook_bytes(scratch.hook_command(hook), &stdin).keeping_the_contract(hook);
            assert!(run.stdout.is_empty(), "{hook}: {}", String::from_utf8_lossy(&stdin));
        }
    }
    before.is_unchanged(&Tree::of(scratch.project().parent().expect("the machine has a folder")));
}
