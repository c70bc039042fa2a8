//! What a report tells of hooks and checks, as the real programs leave it.

use std::fs;
use std::os::unix::process::ExitStatusExt as _;
use std::process::{Output, Stdio};

use serde_json::{Value, json};
use testkit::{Scratch, payload};

fn installed() -> Scratch {
    let scratch = Scratch::new();
    scratch.six(&["install", "--no-templates"]).ok();
    scratch
}

fn report(scratch: &Scratch) -> Value {
    scratch.six(&["report", "--json"]).ok().json()
}

/// Stop, killed as soon as its row is there.
fn killed_stop(scratch: &Scratch) -> std::io::Result<Output> {
    let mut command = scratch.hook_command("stop");
    command.env("SIX_KILL_AT", "hook.opened").stdin(Stdio::null()).stdout(Stdio::null()).output()
}

#[test]
fn every_run_is_counted_by_what_came_of_it() {
    let scratch = installed();
    let mut session = scratch.session(1);
    scratch.answer("session-start", &payload::session_start(&session, "startup"));
    let prompt = payload::user_prompt(&mut session, "Where is the pier?").to_string();
    for via in ["settings", "plugin"] {
        let mut command = scratch.hook_command("user-prompt-submit");
        command.args(["--via", via]);
        scratch.hook_bytes(command, prompt.as_bytes());
    }
    scratch.hook_bytes(scratch.hook_command("pre-tool-use"), b"{ no payload");
    let killed = killed_stop(&scratch).map(|output| output.status.signal());
    assert_eq!(killed.ok().flatten(), Some(9), "it came as far as its row");
    let mut synthetic = scratch.hook_command("stop");
    synthetic.env("SIX_SYNTHETIC", "1");
    scratch.hook_bytes(synthetic, payload::stop(&session, "Done.").to_string().as_bytes());

    let told = report(&scratch);
    assert_eq!((&told["schema"], &told["synthetic_left_out"]), (&json!("six.report/1"), &json!(1)), "{told:#}");
    let counts = |hook: &str| {
        ["invocations", "ok", "failed", "crashed", "skipped"]
            .map(|field| told["hooks"][hook][field].as_u64().unwrap_or(u64::MAX))
    };
    assert_eq!(counts("session-start"), [1, 1, 0, 0, 0], "{told:#}");
    assert_eq!(counts("user-prompt-submit"), [2, 1, 0, 0, 1], "{told:#}");
    assert_eq!(counts("pre-tool-use"), [1, 0, 1, 0, 0], "{told:#}");
    assert_eq!(counts("stop"), [1, 0, 0, 1, 0], "{told:#}");
    assert_eq!(told["hooks"]["stop"]["p50_us"], Value::Null);
    assert_eq!(told["hooks"]["pre-tool-use"]["families"], json!({ "payload": 1 }));
    let measured = scratch.store_rows("SELECT took_us FROM heartbeat WHERE hook = 'session-start'");
    assert_eq!(told["hooks"]["session-start"]["p50_us"], measured[0]["took_us"], "as the hook measured it");
    assert!(measured[0]["took_us"].as_u64().is_some_and(|took| took > 0), "{measured:?}");

    let text = scratch.six(&["report"]).ok().stdout.clone();
    let (failures, table) = (text.find("pre-tool-use: 1 of 1 run failed"), text.find("hook  "));
    assert!(failures.is_some() && failures < table, "what failed comes first: {text}");
    assert!(text.contains("stop: 0 of 1 run failed, 1 crashed"), "{text}");
}

#[test]
fn a_red_check_and_its_fix_are_an_episode() {
    let scratch = installed();
    let settings = scratch.project().join(".claude/settings.local.json");
    let text = fs::read_to_string(&settings).unwrap_or_default().replace("six-stop", "six-gone");
    assert!(fs::write(&settings, text).is_ok());
    assert_eq!(scratch.six(&["health"]).status, Some(1));
    let open = report(&scratch)["health"]["episodes"][0].clone();
    assert_eq!(
        (&open["check"], &open["fault"], &open["open"]),
        (&json!("heartbeats"), &json!("hook-unwired"), &json!(1))
    );
    let said = scratch.six(&["report"]).ok().stdout.clone();
    assert!(said.contains("FIX: ") && said.contains("heartbeats hook-unwired: 1 time, 1 open"), "{said}");
    scratch.six(&["install", "--no-templates"]).ok();
    let fixed = report(&scratch)["health"]["episodes"][0].clone();
    assert_eq!((&fixed["open"], &fixed["remedied"]), (&json!(0), &json!({ "fix": 1, "gone": 0 })), "{fixed:#}");
    assert_eq!(fixed["shown_after_ms"], json!(null), "nothing tells when it was unwired");
    assert!(fixed["lasted_ms"]["max"].as_u64() > Some(0), "{fixed:#}");
}

#[test]
fn a_window_without_anything_is_nothing_found_and_a_wrong_one_is_refused() {
    let scratch = installed();
    let empty = scratch.six(&["report", "--since", "2001-01-01", "--until", "2001-01-02"]);
    assert_eq!(empty.status, Some(1), "{}", empty.stdout);
    assert!(empty.stdout.contains("nothing happened"), "{}", empty.stdout);
    for wrong in [&["--since", "soon"][..], &["--since", "2001-01-02", "--until", "2001-01-01"], &["--days", "0"]] {
        assert_eq!(scratch.six(&[&["report"], wrong].concat()).status, Some(2), "{wrong:?}");
    }
}
