//! No byte of a secret reaches the disk, by whatever door it comes.
#![expect(clippy::expect_used, reason = "a test without its ground has to stop, and say where")]

use std::fs;
use std::io::ErrorKind;
use std::path::Path;

use serde_json::json;
use testkit::{Scratch, payload};

/// Forty keys as they would be drawn, put together here so that none stands in the source, each as it is written and the
/// part of it that nobody may find; and what only the person calls private.
fn secrets() -> Vec<(String, String)> {
    const DRAWN: &str = "q7Zb2XkP9mRt4WsV8cYd3LhJ6nGf5TgB1vQ0aEwUiOxMyCzDrHpNjKuFlSeA";
    let drawn = |number: usize, len: usize| DRAWN.chars().cycle().skip(number).take(len).collect::<String>();
    let prefixed = [
        ("ghp_", 36),
        ("gho_", 36),
        ("ghs_", 36),
        ("github_pat_", 82),
        ("glpat-", 20),
        ("ATBB", 32),
        ("sk-ant-api03-", 58),
        ("sk-proj-", 48),
        ("sk-", 48),
        ("hf_", 34),
        ("gsk_", 52),
        ("r8_", 37),
        ("xai-", 80),
        ("AIza", 35),
        ("ya29.", 60),
        ("GOCSPX-", 28),
        ("npm_", 36),
        ("pypi-AgE", 120),
        ("dckr_pat_", 27),
        ("xoxb-123456789012-", 24),
        ("sk_live_", 24),
        ("rk_live_", 24),
        ("whsec_", 32),
        ("sq0csp-", 43),
        ("HRKU-", 60),
        ("dp.pt.", 43),
        ("lin_api_", 40),
        ("ntn_", 46),
        ("sntrys_", 60),
        ("nfp_", 36),
        ("hvs.", 90),
        ("figd_", 43),
    ];
    let keys = (0..).zip(prefixed).map(|(number, (prefix, len))| format!("{prefix}{}", drawn(number, len)));
    let mut all: Vec<(String, String)> = keys.map(|key| (key.clone(), key)).collect();
    for (number, (before, after)) in [
        ("postgres://app:", "@db.example.invalid/app"),
        ("DB_PASSWORD=", ""),
        ("{\"client_secret\":\"", "\"}"),
        ("Authorization: Bearer ", ""),
        ("Cookie: sessionid=", "; theme=dark"),
        ("Server=db.invalid;Password=", ";Encrypt=true"),
        ("curl -u app:", " https://api.example.invalid"),
    ]
    .into_iter()
    .enumerate()
    {
        let value = drawn(40 + number, 20);
        all.push((format!("{before}{value}{after}"), value));
    }
    all.push((String::from("<private>xylophone</private>"), String::from("xylophone")));
    assert!(all.len() >= 40, "{} secrets", all.len());
    all
}

/// What looks like a secret and has to be found as it was written.
const LOOK_ALIKES: &[&str] = &[
    "3f9a0c7be152d4863f9a0c7be152d4863f9a0c7b",
    "550e8400-e29b-41d4-a716-446655440000",
    "sha256:3f9a0c7be152d4863f9a0c7be152d4863f9a0c7be152d4863f9a0c7be152d486",
    "import.meta.env.VITE_API_KEY",
    "process.env.TOKEN",
    "SECRET=${SECRET}",
    "os.environ[\"API_KEY\"]",
    "api_key: <your-api-key>",
    "TOKEN=YOUR_TOKEN_HERE",
    "the password is checked by the gate",
    "password: string",
    "token: &str",
    "api_key: Option<String>",
    "src/secret/token_v2.rs",
    "refs/heads/feat/token-refresh",
    "crate::text::redact::password_value",
    "aVeryLongIdentifierThatNamesTheTokenOfASessionInFullLengthAndMore2Times",
    "background: #7be152d4",
    "max_tokens: 4096",
    "docker run -p 8080:80",
];

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
    for group in secrets().chunks(4) {
        let all = group.iter().map(|(written, _)| written.as_str()).collect::<Vec<_>>().join("\nand ");
        let mut foreign = payload::session_start(&session, "startup");
        foreign["session_id"] = json!(group[0].0);
        let prompts = [format!("Build a pier with {all}"), format!("#remember use {all}")]
            .map(|prompt| ("user-prompt-submit", payload::user_prompt(&mut session, &prompt)));
        let mut named = payload::session_end(&session, "other");
        named["transcript_path"] = json!(format!("{}/{}", scratch.folder("odd").display(), group[0].0));
        let others =
            [("session-end", payload::session_end(&session, &all)), ("session-end", named), ("session-start", foreign)];
        for (hook, payload) in prompts.into_iter().chain(others) {
            let run = scratch.answer(hook, &payload);
            let said = String::from_utf8_lossy(&run.stdout).into_owned() + &run.stderr;
            assert!(group.iter().all(|(_, secret)| !said.contains(secret)), "{hook} said {said}");
        }
    }
    let receipts = scratch.store_rows("SELECT count(*) AS n FROM receipt")[0]["n"].clone();
    assert!(receipts.as_u64().is_some_and(|n| n > 10), "{receipts} receipts");
    none_is_written(&scratch);
}

#[test]
fn no_secret_of_the_settings_is_written() {
    let scratch = Scratch::new();
    let environment: serde_json::Map<_, _> =
        secrets().into_iter().enumerate().map(|(number, (key, _))| (format!("VALUE_{number}"), json!(key))).collect();
    scratch.write(".claude/settings.json", &json!({ "env": environment }).to_string());
    scratch.write(".claude/settings.local.json", &json!({ "env": environment }).to_string());
    scratch.six(&["install", "--no-templates"]).ok();
    scratch.six(&["health"]);
    scratch.work();
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
        told = told.conversation(json!({
            "type": "user",
            "uuid": written,
            "sessionId": written,
            "version": written,
            "gitBranch": written,
            "entrypoint": written,
            "message": { "role": "user", "content": [{ "type": "text", "text": format!("Nested {written}") }] },
        }));
        if written == secret {
            scratch.write(&format!("docs/key-{written}.md"), "# A key in a name\n\nPier.\n");
        }
        scratch.write(&format!("docs/{number}.md"), &format!("# Title {written}\n\nBody {written}\n"));
        if number % 4 == 1 {
            scratch.commit(&format!("deploy with {written}"));
        }
        if number % 4 == 0 {
            let short = if written.len() > 80 { "a key" } else { &written };
            let add = ["decision", "add", &format!("Deploy {number} with {short}"), "--why", &written];
            scratch.six(&[add.as_slice(), &["--rejected", &written, "--thread", short]].concat()).ok();
        }
    }
    for (number, look_alike) in LOOK_ALIKES.iter().enumerate() {
        told = told.prompt(&format!("The lantern{number} shows {look_alike} here"));
    }
    told.write();
    scratch.six(&["ingest"]).ok();
    scratch.answer("session-end", &payload::session_end(&session, "other"));
    scratch.work();
    assert!(scratch.six(&["search", "deploy"]).ok().stdout.contains("[redacted:"), "the words around are found");
    for (number, look_alike) in LOOK_ALIKES.iter().enumerate() {
        let found = scratch.six(&["search", "--json", &format!("lantern{number}")]).ok().json().to_string();
        let written = json!(look_alike).to_string();
        assert!(found.contains(written.trim_matches('"')), "{look_alike} in {found}");
    }
    none_is_written(&scratch);
    for args in [["search", "deploy"].as_slice(), &["status"], &["status", "--json"], &["decision", "list"]] {
        let stdout = scratch.six(args).stdout.clone();
        let shown: Vec<_> = secrets().into_iter().filter(|(_, secret)| stdout.contains(secret)).collect();
        assert!(shown.is_empty(), "{args:?} shows {shown:?}");
    }
}
