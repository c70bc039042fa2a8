//! No byte of a secret reaches the disk, by whatever door it comes.
#![expect(clippy::expect_used, reason = "a test without its ground has to stop, and say where")]

use std::fs;
use std::io::ErrorKind;
use std::path::Path;

use serde_json::json;
use testkit::{Scratch, payload};

/// Keys as they would be drawn, put together here so that none stands in the source; and what only the person calls
/// private.
fn secrets() -> Vec<(String, String)> {
    let drawn = "q7Zb2XkP9mRt4WsV8cYd3LhJ6nGf5TgB1vQ0aEwUiOxMyCzDrHpNjKuFlSeA";
    let whole = |prefix: &str, len: usize| format!("{prefix}{}", &drawn[..len]);
    let password = "Zx81kkLmNq77";
    let mut all: Vec<(String, String)> =
        [("ghp_", 36), ("sk-ant-api03-", 58), ("sk_live_", 24), ("npm_", 36), ("glpat-", 20)]
            .map(|(prefix, len)| (whole(prefix, len), whole(prefix, len)))
            .into();
    all.push((format!("postgres://app:{password}@db.example.invalid/app"), password.to_owned()));
    all.push((String::from("<private>xylophone</private>"), String::from("xylophone")));
    all
}

/// Files below `folder` that hold `secret` in whole or folded to lower case.
fn holders(folder: &Path, secret: &str, found: &mut Vec<String>) {
    let has = |bytes: &[u8], part: &str| bytes.windows(part.len()).any(|window| window == part.as_bytes());
    for entry in fs::read_dir(folder).expect("a folder of ours").flatten() {
        let path = entry.path();
        if path.is_dir() {
            holders(&path, secret, found);
            continue;
        }
        let read = fs::read(&path);
        // The journal goes when the worker that the last hook started closes the store.
        if read.as_ref().is_err_and(|fault| fault.kind() == ErrorKind::NotFound) {
            continue;
        }
        let bytes = read.expect("a file of ours");
        if has(&bytes, secret) || has(&bytes, &secret.to_lowercase()) {
            found.push(format!("{secret} in {}", path.display()));
        }
    }
}

#[track_caller]
fn none_is_written(scratch: &Scratch) {
    let mut found = Vec::new();
    for (_, secret) in secrets() {
        holders(&scratch.six_home(), &secret, &mut found);
    }
    assert!(found.is_empty(), "{found:#?}");
}

#[test]
fn no_secret_of_a_prompt_is_written_by_the_hooks() {
    let scratch = Scratch::new();
    scratch.six(&["install", "--no-templates", "--no-ingest"]).ok();
    let mut session = scratch.session(1);
    for (written, _) in secrets() {
        scratch
            .answer("user-prompt-submit", &payload::user_prompt(&mut session, &format!("Build a pier with {written}")));
        scratch.answer("user-prompt-submit", &payload::user_prompt(&mut session, &format!("#remember use {written}")));
        scratch.answer("session-end", &payload::session_end(&session, &written));
    }
    let receipts = scratch.store_rows("SELECT count(*) AS n FROM receipt")[0]["n"].clone();
    assert!(receipts.as_u64().is_some_and(|n| n > 10), "{receipts} receipts");
    none_is_written(&scratch);
}

#[test]
fn no_secret_of_a_source_or_a_record_is_written() {
    let scratch = Scratch::new();
    scratch.six(&["install", "--no-templates", "--no-ingest"]).ok();
    let session = scratch.session(1);
    let mut told = scratch.transcript(&session);
    for (number, (written, secret)) in secrets().into_iter().enumerate() {
        told = told
            .prompt(&format!("Deploy with {written}"))
            .answer(&format!("Running with {written}"))
            .tool("Bash", &json!({ "command": format!("deploy {written}"), "note": { "deep": [written] } }), &written)
            .failed_tool("Bash", &json!({ "command": "deploy" }), &format!("refused: {written}"));
        if !secret.contains("xylophone") && !written.contains('/') {
            scratch.write(&format!("docs/key-{written}.md"), "# A key in a name\n\nPier.\n");
        }
        scratch.write(&format!("docs/{number}.md"), &format!("# Title {written}\n\nBody {written}\n"));
        scratch.commit(&format!("deploy with {written}"));
        let add = ["decision", "add", &format!("Deploy {number} with {written}"), "--why", &written];
        scratch.six(&[add.as_slice(), &["--rejected", &written, "--thread", &written]].concat()).ok();
    }
    told.write();
    scratch.six(&["ingest"]).ok();
    scratch.answer("session-end", &payload::session_end(&session, "other"));
    scratch.six(&["worker"]).ok();
    assert!(scratch.six(&["search", "deploy"]).ok().stdout.contains("[redacted:"), "the words around are found");
    none_is_written(&scratch);
}
