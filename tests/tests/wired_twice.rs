//! Wired by the settings and by a plugin: the host starts the hook twice with one payload, and only one call answers. A prompt
//! that was taken back before the model had it is answered again.

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
    scratch.six(&["correction", "add", "use pnpm, not npm"]).ok();
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
        ("pre-tool-use", payload::pre_tool_use(&session, "Bash", &json!({ "command": "npm ci" }))),
    ];
    for (hook, payload) in &payloads {
        let spoken = ["settings", "plugin"].map(|via| call(&scratch, hook, via, payload).context().is_some());
        assert_eq!(spoken, [true, false], "{hook}");
    }
    let beats: Vec<_> =
        scratch.heartbeats().into_iter().map(|beat| (beat.outcome.unwrap_or_default(), beat.class)).collect();
    let answered = (String::from("ok"), String::new());
    let silent = (String::from("skipped"), String::from("wired-twice"));
    let pair = [answered, silent];
    assert_eq!(beats, [pair.clone(), pair.clone(), pair].concat());
    assert_eq!(scratch.store_rows("SELECT 1 FROM receipt").len(), 2, "of the prompt and of the tool");
    let shown = scratch.store_rows("SELECT count FROM delivery");
    assert!(shown.len() == 2 && shown.iter().all(|item| item["count"] == json!(1)), "{shown:?}");
    scratch.six(&["health"]).ok();
}

#[test]
fn of_two_calls_one_answers_although_only_one_of_them_could_write_the_store() {
    let scratch = installed();
    let mut session = scratch.session(1);
    let holder = rusqlite::Connection::open(scratch.store_folder().join("memory.db")).expect("the store opens");
    let lock = || holder.execute_batch("BEGIN IMMEDIATE").expect("nobody else holds the lock");
    let free = || holder.execute_batch("COMMIT").expect("the lock is ours");
    let first = payload::pre_tool_use(&session, "Bash", &json!({ "command": "npm ci" }));
    assert!(call(&scratch, "pre-tool-use", "settings", &first).context().is_some());
    lock();
    assert_eq!(call(&scratch, "pre-tool-use", "plugin", &first).context(), None, "the store tells");
    let prompt = payload::user_prompt(&mut session, PROMPT);
    assert!(call(&scratch, "user-prompt-submit", "plugin", &prompt).context().is_some());
    free();
    assert_eq!(call(&scratch, "user-prompt-submit", "settings", &prompt).context(), None, "a file tells");
    let silent = scratch.heartbeats().into_iter().filter(|beat| beat.class == "wired-twice").count();
    assert_eq!((silent, scratch.store_rows("SELECT 1 FROM receipt").len()), (2, 2));
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
