//! What is said in one session is proposed, judged once, and then told where it matters.
#![expect(clippy::expect_used, reason = "a test without its ground has to stop, and say where")]

use serde_json::{Value, json};
use testkit::{Scratch, payload};

const DECIDED: &str = "We decided to keep ship manifests in Parquet files, since row stores made the report slow.";
const TRIED: &str = "I tried polling the tide gauge from the scheduler thread, but that does not work because the \
                     scheduler stalls whenever the gauge sleeps.";
const CORRECTED: &str = "no, use pnpm instead of npm in this repository";

/// A project after one session in which all three were said.
fn after_one_session() -> Scratch {
    let scratch = Scratch::new();
    scratch.six(&["install", "--no-templates"]).ok();
    let mut session = scratch.session(1);
    let _ = scratch.answer("session-start", &payload::session_start(&session, "startup"));
    let _ = scratch.answer("user-prompt-submit", &payload::user_prompt(&mut session, DECIDED));
    scratch
        .transcript(&session)
        .prompt(DECIDED)
        .answer(&format!("Understood. {TRIED}\n\nI ran `npm install` for the writer."))
        .prompt(CORRECTED)
        .answer("Done.")
        .write();
    let _ = scratch.answer("session-end", &payload::session_end(&session, "other"));
    scratch.work();
    scratch
}

fn waiting(scratch: &Scratch) -> Vec<Value> {
    let listed = scratch.six(&["triage", "--list", "--json"]).json();
    listed["items"].as_array().cloned().unwrap_or_default()
}

fn judge(scratch: &Scratch, verdict: &str) {
    let rulings: Vec<Value> =
        waiting(scratch).iter().map(|item| json!({ "id": item["id"], "verdict": verdict })).collect();
    scratch.write("rulings.json", &Value::from(rulings).to_string());
    let file = scratch.project().join("rulings.json");
    scratch.six(&["triage", "--apply", file.to_str().expect("scratch paths are UTF-8"), "--json"]).ok();
}

fn start(scratch: &Scratch, session: u16) -> String {
    let start = payload::session_start(&scratch.session(session), "startup");
    scratch.answer("session-start", &start).context().expect("a start says something")
}

fn prompted(scratch: &Scratch, session: u16, prompt: &str) -> Option<String> {
    scratch.answer("user-prompt-submit", &payload::user_prompt(&mut scratch.session(session), prompt)).context()
}

#[test]
fn a_session_proposes_what_was_decided_tried_and_corrected_with_the_words_that_said_it() {
    let scratch = after_one_session();
    let mut items = waiting(&scratch);
    items.sort_by_key(|item| item["kind"].to_string());
    let told: Vec<(&str, &str, bool)> = items
        .iter()
        .map(|item| {
            let quote = item["quote"].as_str().expect("a quote");
            let said = [DECIDED, TRIED, CORRECTED].iter().any(|said| said.contains(quote.trim_end_matches('.')));
            (item["kind"].as_str().expect("a kind"), item["origin"].as_str().expect("an origin"), said)
        })
        .collect();
    assert_eq!(
        told,
        [("correction", "operator", true), ("dead_end", "agent", true), ("decision", "operator", true)],
        "{items:#?}"
    );
    for prompt in ["Build a Parquet writer for the manifests", "Install the date picker package."] {
        let told = prompted(&scratch, 7, prompt).unwrap_or_default();
        assert!(!told.contains("Parquet files") && !told.contains("pnpm"), "nobody has confirmed it: {told}");
    }
}

#[test]
fn what_was_confirmed_is_in_the_next_start_and_on_the_prompts_that_it_is_about() {
    let scratch = after_one_session();
    judge(&scratch, "confirm");
    assert!(waiting(&scratch).is_empty());
    let told = start(&scratch, 2);
    for said in ["manifests in Parquet files", "polling the tide gauge", "pnpm"] {
        assert!(told.contains(said), "{said}: {told}");
    }
    for (number, prompt, said) in [
        (3, "Build a Parquet writer for the ship manifests.", "manifests in Parquet files"),
        (4, "Implement polling of the tide gauge in the scheduler thread.", "polling the tide gauge"),
        (5, "Install the date picker package.", "pnpm"),
    ] {
        let told = prompted(&scratch, number, prompt).unwrap_or_default();
        assert!(told.contains(said), "{prompt}: {told}");
    }
    assert_eq!(prompted(&scratch, 6, "Thanks, looks good"), None);
}

#[test]
fn what_was_rejected_is_never_shown_and_not_proposed_again() {
    let scratch = after_one_session();
    judge(&scratch, "reject");
    let session = scratch.session(2);
    let _ = scratch.answer("session-start", &payload::session_start(&session, "startup"));
    scratch.transcript(&session).prompt(DECIDED).answer(TRIED).prompt(CORRECTED).answer("Done.").write();
    let _ = scratch.answer("session-end", &payload::session_end(&session, "other"));
    scratch.work();
    assert_eq!(waiting(&scratch), Vec::<Value>::new());
    let told = start(&scratch, 3);
    assert!(!told.contains("Parquet files") && !told.contains("pnpm"), "{told}");
}
