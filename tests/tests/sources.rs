//! What is read, from where, and what is set.

use std::fs;
use std::time::{Duration, SystemTime};

use serde_json::Value;
use testkit::{Scratch, payload};

fn installed() -> Scratch {
    let scratch = Scratch::new();
    scratch.six(&["install", "--no-templates"]).ok();
    scratch
}

fn ingest(scratch: &Scratch) -> Value {
    scratch.six(&["ingest", "--json"]).ok().json()
}

/// How many hits have a word of the query; what is only near in meaning does not count.
fn hits(scratch: &Scratch, query: &str) -> usize {
    let found = scratch.six(&["search", query, "--json"]).json();
    let has_a_word = |hit: &&Value| hit["parts"]["lexical"].as_f64().is_some_and(|score| score > 0.0);
    found["hits"].as_array().into_iter().flatten().filter(has_a_word).count()
}

/// A word for a number that no other has a part of.
fn word(n: u64) -> String {
    format!("quay{}", n.to_string().bytes().map(|digit| char::from(digit - b'0' + b'k')).collect::<String>())
}

#[test]
fn fifty_files_of_any_age_are_all_found() {
    let scratch = installed();
    for n in 0..50_u64 {
        scratch.write(&format!("docs/{n}.md"), &format!("{} alpha", word(n)));
    }
    scratch.commit("docs: fifty");
    ingest(&scratch);
    for n in 0..50_u64 {
        scratch.write(&format!("docs/{n}.md"), &format!("{} beta", word(n + 50)));
        let then = SystemTime::UNIX_EPOCH + Duration::from_secs(1_000_000_000 + n * 7_919 % 50 * 86_400);
        let file = fs::File::options().write(true).open(scratch.project().join(format!("docs/{n}.md")));
        file.and_then(|file| file.set_modified(then)).expect("a scratch file has a time");
    }
    ingest(&scratch);
    assert!((0..50).all(|n| hits(&scratch, &word(n + 50)) == 1));
    assert_eq!(ingest(&scratch)["entries"], 0);
}

#[test]
fn install_ingest_and_the_host_agree_on_the_folder_of_an_odd_name() {
    let scratch = Scratch::new();
    let root = scratch.repository("My_Project.v2");
    scratch.six_in(&root, &["install"]).ok();
    let real = root.canonicalize().expect("a repository is there");
    let slug: String =
        real.to_string_lossy().chars().map(|c| if c.is_ascii_alphanumeric() { c } else { '-' }).collect();
    let memory = scratch.home().join(".claude/projects").join(slug).join("memory");
    assert!(memory.join("MEMORY.md").is_file(), "{}", memory.display());
    fs::write(memory.join("rounding.md"), "---\nname: rounding\ntags: [tax]\n---\nAlways down.\n")
        .expect("a file can be written");
    scratch.six_in(&root, &["ingest"]).ok();
    let found = scratch.six_in(&root, &["search", "tax", "--json"]).ok().json();
    assert_eq!(found["hits"][0]["source"], "memory", "{found}");
}

#[test]
fn a_setting_is_listed_with_where_it_comes_from_and_a_wrong_one_is_refused() {
    let scratch = installed();
    let get = |key: &str| scratch.six(&["config", "get", key, "--json"]).ok().json();
    assert_eq!(get("store.quota_mib")["from"], "default");
    scratch.six(&["config", "set", "store.quota_mib", "9", "--machine"]).ok();
    assert_eq!(
        (get("store.quota_mib")["value"].clone(), get("store.quota_mib")["from"].clone()),
        (9.into(), "machine".into())
    );
    scratch.six(&["config", "set", "store.quota_mib", "7"]).ok();
    assert_eq!(
        (get("store.quota_mib")["value"].clone(), get("store.quota_mib")["from"].clone()),
        (7.into(), "project".into())
    );
    scratch.six(&["config", "unset", "store.quota_mib"]).ok();
    assert_eq!(get("store.quota_mib")["value"], 9);
    let listed = scratch.six(&["config", "list", "--json"]).ok().json();
    let keys = listed["keys"].as_array().expect("a list");
    assert!(keys.iter().all(|key| ["key", "value", "default", "from"].iter().all(|field| key.get(field).is_some())));
    let wrong = scratch.six(&["config", "set", "store.quota", "7"]);
    assert_eq!(wrong.status, Some(2));
    assert!(wrong.stderr.contains("store.quota_mib"), "{}", wrong.stderr);
    assert_eq!(scratch.six(&["config", "set", "store.quota_mib", "lots"]).status, Some(2));
}

#[test]
fn a_broken_setting_is_refused_by_commands_and_told_by_status() {
    let scratch = installed();
    let file = scratch.store_folder().join("config.json");
    fs::write(&file, "{\n  \"store.quota_mib\": 7,\n}\n").expect("a scratch file can be written");
    let refused = scratch.six(&["ingest"]);
    assert_eq!(refused.status, Some(2));
    assert!(refused.stderr.contains("line 3"), "{}", refused.stderr);
    let status = scratch.six(&["status", "--json"]).ok().json();
    assert!(status["config"]["faults"][0].as_str().is_some_and(|fault| fault.contains("line 3")), "{status}");
    let mut session = scratch.session(1);
    let _ = scratch.answer("user-prompt-submit", &payload::user_prompt(&mut session, "Shall we build the export now?"));
}

#[test]
fn an_equal_text_in_two_places_outlives_one_of_them() {
    let scratch = installed();
    scratch.write("docs/a.md", "Retry with jitter.");
    scratch.write("docs/b.md", "Retry with jitter.");
    scratch.commit("docs: twice");
    ingest(&scratch);
    let bodies = "SELECT DISTINCT body_id FROM chunk JOIN entry ON entry.id = entry_id WHERE path LIKE 'docs/%'";
    assert_eq!(scratch.store_rows(bodies).len(), 1);
    scratch.git(&["rm", "-q", "docs/a.md"]);
    ingest(&scratch);
    assert_eq!(hits(&scratch, "jitter"), 1);
}

#[test]
fn a_small_quota_holds_sessions_back_and_status_says_so() {
    let scratch = installed();
    scratch.six(&["config", "set", "store.quota_mib", "1"]).ok();
    let session = scratch.session(1);
    let mut transcript = scratch.transcript(&session);
    for n in 0..400 {
        transcript = transcript
            .prompt(&format!("say{n} {}", (0..500).map(|w| format!("w{n}x{w}")).collect::<Vec<_>>().join(" ")));
    }
    transcript.write();
    let first = ingest(&scratch);
    assert!(first["held_back"]["files"].as_u64().is_some_and(|files| files > 0), "{first}");
    let status = scratch.six(&["status", "--json"]).ok().json();
    assert_eq!(status["store"]["is_full"], true);
    scratch.write("docs/late.md", "goes on");
    scratch.commit("docs: late");
    ingest(&scratch);
    assert_eq!(hits(&scratch, "goes"), 1);
    scratch.six(&["config", "unset", "store.quota_mib"]).ok();
    let rest = ingest(&scratch);
    assert_eq!(rest["held_back"], Value::Null);
    assert!(hits(&scratch, "say399") > 0);
}
