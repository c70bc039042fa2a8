//! Text is cut at a sign and never within one, whatever it is made of and wherever the limit falls; and the cut is said.

use std::fs;

use serde_json::{Value, json};
use testkit::{Scratch, payload};

/// Signs of one to twenty-five bytes, among them such as are made of several characters.
const SIGNS: [(&str, &str); 7] = [
    ("letters", "a"),
    ("umlauts", "ü"),
    ("CJK", "数"),
    ("emoji", "🚢"),
    ("a family", "👩\u{200d}👩\u{200d}👧\u{200d}👦"),
    ("marks", "e\u{301}\u{323}"),
    ("flags", "🇳🇴"),
];

fn installed() -> Scratch {
    let scratch = Scratch::new();
    scratch.six(&["install", "--no-templates", "--no-ingest"]).ok();
    scratch
}

/// Everything that the store holds as text is text.
fn is_text(scratch: &Scratch) {
    for table in ["entry", "record", "receipt", "heartbeat", "chunk", "body"] {
        for row in scratch.store_rows(&format!("SELECT * FROM {table}")) {
            for (column, value) in row {
                let broken = value.as_str().is_some_and(|text| text.contains('\u{fffd}'));
                assert!(!broken, "{table}.{column}: {value}");
            }
        }
    }
}

#[test]
fn prompts_of_any_signs_around_every_limit_are_answered_and_kept_as_text() {
    let scratch = installed();
    scratch.six(&["decision", "add", "Ship manifests are kept in Parquet files"]).ok();
    let mut session = scratch.session(1);
    for (what, sign) in SIGNS {
        // The head of a receipt, an error's text, the redacted prefix: one before, at and after each.
        for limit in [200, 500, 16 * 1024] {
            for shift in 0..4 {
                let text = format!("{}{}", "x".repeat(shift), sign.repeat(limit / sign.len() + 8));
                let prompt = format!("Build a Parquet writer. {text}");
                let run = scratch.answer("user-prompt-submit", &payload::user_prompt(&mut session, &prompt));
                assert!(run.output().is_none_or(|said| !said.to_string().contains('\u{fffd}')), "{what}");
            }
        }
    }
    scratch.six(&["status"]).ok();
    is_text(&scratch);
}

#[test]
fn records_of_any_signs_are_kept_or_refused_and_shown_whole_or_cut_at_a_sign() {
    let scratch = installed();
    for (what, sign) in SIGNS {
        let title = format!("{what} {}", sign.repeat(400 / sign.len()));
        let long = sign.repeat(40_000 / sign.len());
        let ran = scratch.six(&["decision", "add", &format!("{what} quay"), "--why", &long]);
        assert_eq!(ran.status, Some(0), "{what}: {}", ran.stderr);
        let ran = scratch.six(&["decision", "add", &title]);
        assert!(matches!(ran.status, Some(0 | 2)), "{what}: {}", ran.stderr);
        assert!(ran.status == Some(0) || ran.stderr.contains("next: "), "{what}: {}", ran.stderr);
    }
    let mut session = scratch.session(1);
    for (what, _) in SIGNS {
        let prompt = format!("Build the {what} quay.");
        let run = scratch.answer("user-prompt-submit", &payload::user_prompt(&mut session, &prompt));
        assert!(run.context().is_none_or(|told| !told.contains('\u{fffd}')), "{what}");
        let hits = scratch.six(&["search", &format!("{what} quay"), "--json"]).json();
        assert!(!hits.to_string().contains('\u{fffd}'), "{what}");
        let snippet = hits["hits"][0]["snippet"].as_str().unwrap_or_default();
        assert!(snippet.chars().count() <= 402, "{what}: {}", snippet.chars().count());
    }
    let start = scratch.answer("session-start", &payload::session_start(&session, "startup"));
    assert!(start.context().is_some_and(|told| !told.contains('\u{fffd}')));
    is_text(&scratch);
}

#[test]
fn long_texts_of_any_signs_are_chunked_whole_and_found_to_their_end() {
    let scratch = installed();
    for ((what, sign), number) in SIGNS.into_iter().zip(1..) {
        let sentence = format!("{} {what} mole. ", sign.repeat(30));
        scratch.write(&format!("docs/{number}.md"), &format!("# Signs\n\n{}\n", sentence.repeat(400)));
        let session = scratch.session(number);
        let last = format!("{}zebrawood{number}", sentence.repeat(900_000 / sentence.len()));
        scratch.transcript(&session).prompt(&last).answer(&last).write();
    }
    scratch.six(&["ingest"]).ok();
    for ((what, _), number) in SIGNS.into_iter().zip(1..) {
        let hits = scratch.six(&["search", &format!("zebrawood{number}"), "--json"]).json();
        assert_eq!(hits["hits"][0]["session"], scratch.session(number).id.as_str(), "{what}: {hits:#}");
    }
    is_text(&scratch);
}

#[test]
fn a_tool_output_of_twenty_megabytes_is_one_line_and_hides_nothing() {
    let scratch = installed();
    let session = scratch.session(1);
    let output = "数🚢e\u{301} line of output\n".repeat(800_000);
    let before = scratch.transcript(&session).prompt("Where is the zebrawood pier?");
    before
        .tool("Bash", &json!({ "command": "cat everything", "description": "read" }), &output)
        .answer("It is behind the amber mole.")
        .write();
    let size = fs::metadata(&session.transcript).expect("it was written").len();
    assert!(size > 20_000_000, "{size}");
    scratch.six(&["ingest"]).ok();
    scratch.six(&["search", "zebrawood pier"]).ok();
    scratch.six(&["search", "amber mole"]).ok();
    let stored = fs::metadata(scratch.store_folder().join("memory.db")).expect("it is there").len();
    assert!(stored < 4_000_000, "{stored} bytes");
    let sources = scratch.six(&["status", "--json"]).ok().json()["sources"].clone();
    let transcripts: Vec<Value> = sources.as_array().expect("sources").clone();
    let transcripts = transcripts.iter().find(|source| source["source"] == "transcript").expect("transcripts");
    let skipped = transcripts["skipped"].as_object().is_some_and(|skipped| !skipped.is_empty());
    let kept = scratch.store_rows("SELECT kind, length(text) AS length FROM entry");
    assert!(
        skipped || kept.iter().any(|row| row["kind"] == "tool"),
        "what was left out is said: {transcripts} {kept:?}"
    );
    assert!(kept.iter().all(|row| row["length"].as_i64() < Some(100_000)), "{kept:?}");
    is_text(&scratch);
}
