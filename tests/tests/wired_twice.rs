//! Wired by the settings and by a plugin: the host starts the hook twice with one payload, and only one call answers. A prompt
//! that was taken back before the model had it is answered again.
#![expect(clippy::expect_used, reason = "a test without its ground has to stop, and say where")]

use serde_json::{Value, json};
use testkit::{HookRun, Scratch, payload};

fn installed() -> Scratch {
    let scratch = Scratch::new();
    let sections: Vec<String> =
        (0..400).map(|n| format!("## Part {n}\n\nThe rope of part {n} is checked.\n")).collect();
    scratch.write("docs/parts.md", &sections.join("\n"));
    scratch.commit("docs: the parts");
    scratch.six(&["install", "--no-templates"]).ok();
    scratch.six(&["correction", "add", "The zebrawood pontoon is never painted blue"]).ok();
    scratch
}

fn call(scratch: &Scratch, hook: &str, via: &str, payload: &Value) -> HookRun {
    let mut command = scratch.hook_command(hook);
    command.args(["--via", via]);
    scratch.hook_bytes(command, payload.to_string().as_bytes())
}

const PROMPT: &str = "Make the zebrawood pontoon blue in the renderer.";

#[test]
fn of_two_calls_with_one_payload_one_answers_whatever_the_event() {
    let scratch = installed();
    let mut session = scratch.session(1);
    let payloads = [
        ("session-start", payload::session_start(&session, "startup")),
        ("user-prompt-submit", payload::user_prompt(&mut session, PROMPT)),
    ];
    for (hook, payload) in &payloads {
        let spoken = ["settings", "plugin"].map(|via| call(&scratch, hook, via, payload).context().is_some());
        assert_eq!(spoken, [true, false], "{hook}");
    }
    let beats: Vec<_> =
        scratch.heartbeats().into_iter().map(|beat| (beat.outcome.unwrap_or_default(), beat.class)).collect();
    let answered = (String::from("ok"), String::new());
    let silent = (String::from("skipped"), String::from("wired-twice"));
    assert_eq!(beats, [answered.clone(), silent.clone(), answered, silent]);
    assert_eq!(scratch.store_rows("SELECT 1 FROM receipt").len(), 1);
    assert_eq!(scratch.store_rows("SELECT count FROM delivery")[0]["count"], json!(1));
    scratch.six(&["health"]).ok();
}

#[test]
fn one_wiring_alone_always_answers() {
    let scratch = installed();
    let session = scratch.session(1);
    let start = payload::session_start(&session, "startup");
    for _ in 0..3 {
        assert!(call(&scratch, "session-start", "settings", &start).context().is_some());
    }
}

#[test]
fn a_prompt_that_was_taken_back_and_sent_again_is_answered_again() {
    let scratch = installed();
    let mut session = scratch.session(1);
    let first = payload::user_prompt(&mut session, PROMPT);
    let again = payload::user_prompt(&mut session, PROMPT);
    assert_ne!(first["prompt_id"], again["prompt_id"]);
    assert!(call(&scratch, "user-prompt-submit", "settings", &first).context().is_some());
    assert!(
        call(&scratch, "user-prompt-submit", "settings", &again).context().is_some(),
        "the first never reached the model"
    );
    assert_eq!(scratch.store_rows("SELECT count FROM delivery")[0]["count"], json!(1));
    let other = payload::user_prompt(&mut session, "Then make the zebrawood pontoon green in the renderer.");
    assert_eq!(call(&scratch, "user-prompt-submit", "settings", &other).context(), None, "this one was answered");
}
