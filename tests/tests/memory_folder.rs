//! The client's memory folder and the standing rules, from files to the health line.
#![expect(clippy::expect_used, reason = "a test without its ground has to stop, and say where")]

use std::fs;
use std::path::PathBuf;
use std::time::{Duration, SystemTime};

use serde_json::Value;
use testkit::{Scratch, payload};

const TOPIC: &str =
    "---\nname: pier\ndescription: Where the pier is\nmetadata:\n  type: project\n---\n\nBehind the mole.\n";

/// An installed project that was used for one session.
fn used() -> Scratch {
    let scratch = Scratch::new();
    scratch.six(&["install", "--no-templates", "--no-ingest"]).ok();
    scratch
}

fn folder(scratch: &Scratch) -> PathBuf {
    let projects = scratch.home().join(".claude/projects");
    let path = scratch.project().to_string_lossy().replace(|c: char| !c.is_ascii_alphanumeric(), "-");
    let folder = projects.join(path).join("memory");
    fs::create_dir_all(&folder).expect("a scratch folder can be made");
    folder
}

/// Writes a memory file as it was an hour ago: the model has long gone on.
fn remember(scratch: &Scratch, name: &str, text: &str) {
    let path = folder(scratch).join(name);
    fs::create_dir_all(path.parent().expect("a file has a folder")).expect("a scratch folder can be made");
    fs::write(&path, text).expect("a scratch file can be written");
    let file = fs::File::options().write(true).open(&path).expect("it was written");
    file.set_modified(SystemTime::now() - Duration::from_secs(3_600)).expect("a time can be set");
}

fn check(scratch: &Scratch, name: &str) -> Value {
    let report = scratch.six(&["health", "--json"]).json();
    let checks = report["checks"].as_array().expect("there are checks");
    checks.iter().find(|check| check["check"] == name).expect("every check is told").clone()
}

/// Fails unless the check is red with this fault, and no other check of files is red with it.
#[track_caller]
fn red(scratch: &Scratch, name: &str, fault: &str) -> Value {
    let found = check(scratch, name);
    assert_eq!((found["verdict"].as_str(), found["fault"].as_str()), (Some("red"), Some(fault)), "{found}");
    let other = if name == "constitution" { "memory_files" } else { "constitution" };
    green(scratch, other);
    found
}

#[track_caller]
fn green(scratch: &Scratch, name: &str) -> Option<String> {
    let found = check(scratch, name);
    assert_eq!(found["verdict"], "green", "{found}");
    found["note"].as_str().map(str::to_owned)
}

#[test]
fn a_fresh_install_with_what_it_seeds_is_green() {
    let scratch = Scratch::new();
    scratch.six(&["install", "--no-ingest"]).ok();
    assert_eq!(green(&scratch, "memory_files"), None);
    assert_eq!(green(&scratch, "constitution"), None);
}

#[test]
fn a_project_without_either_is_green_with_notes() {
    let scratch = used();
    assert_eq!(green(&scratch, "memory_files").as_deref(), Some("the memory folder is empty"));
    assert_eq!(green(&scratch, "constitution").as_deref(), Some("there is no CLAUDE.md"));
}

#[test]
fn what_the_clients_own_model_writes_is_green_without_any_anchor() {
    let scratch = used();
    remember(&scratch, "pier.md", TOPIC);
    remember(&scratch, "user_tea.md", "Likes tea.\n");
    remember(&scratch, "sub/notes.md", "no topic\n");
    remember(&scratch, ".hidden.md", "no topic\n");
    remember(&scratch, "shot.png", "no topic");
    let index =
        "- [Pier](pier.md) — where it is\n- [Tea](./user_tea.md#tea) — likes\n- [Site](https://example.invalid/x.md)\n";
    remember(&scratch, "MEMORY.md", index);
    let note = green(&scratch, "memory_files").expect("the missing anchor is noted");
    assert!(note.contains("no section LATEST"), "{note}");
}

#[test]
fn an_index_of_a_persons_own_owes_six_no_anchor_whatever_its_headings_are() {
    let scratch = used();
    remember(&scratch, "MEMORY.md", "# Notes\n\n## INVARIANTS of the harbour\n\nTides win.\n");
    let note = green(&scratch, "memory_files").expect("the missing anchor is noted");
    assert!(note.contains("no section LATEST"), "{note}");
}

#[test]
fn a_broken_link_is_red_until_it_is_corrected() {
    let scratch = used();
    remember(&scratch, "MEMORY.md", "# Memory\n\n- [Pier](pier.md): where it is\n");
    let found = red(&scratch, "memory_files", "memory-link-broken");
    assert!(found["detail"].as_str().is_some_and(|detail| detail.contains("MEMORY.md:3 links pier.md")), "{found}");
    remember(&scratch, "pier.md", TOPIC);
    green(&scratch, "memory_files");
}

#[test]
fn a_topic_that_nothing_names_is_red_until_it_is_linked_and_one_just_written_is_not() {
    let scratch = used();
    remember(&scratch, "MEMORY.md", "# Memory\n");
    fs::write(folder(&scratch).join("pier.md"), TOPIC).expect("a scratch file can be written");
    green(&scratch, "memory_files");
    remember(&scratch, "pier.md", TOPIC);
    red(&scratch, "memory_files", "memory-orphan");
    remember(&scratch, "MEMORY.md", "# Memory\n\n- [Pier](pier.md): where it is\n");
    green(&scratch, "memory_files");
    fs::remove_file(folder(&scratch).join("MEMORY.md")).expect("it is there");
    red(&scratch, "memory_files", "memory-orphan");
}

#[test]
fn an_index_that_the_client_would_cut_is_red() {
    let scratch = used();
    let lines = |count: usize| "- a line\n".repeat(count);
    remember(&scratch, "MEMORY.md", &format!("---\nname: x\n---\n<!-- not\nsent -->\n{}", lines(200)));
    green(&scratch, "memory_files");
    remember(&scratch, "MEMORY.md", &lines(201));
    red(&scratch, "memory_files", "memory-over-limit");
    remember(&scratch, "MEMORY.md", &"港".repeat(25_000));
    green(&scratch, "memory_files");
    remember(&scratch, "MEMORY.md", &"港".repeat(25_001));
    red(&scratch, "memory_files", "memory-over-limit");
    remember(&scratch, "MEMORY.md", &"x".repeat(3 << 20));
    red(&scratch, "memory_files", "memory-over-limit");
}

#[test]
fn what_a_merge_or_a_slip_of_the_pen_left_is_red() {
    let scratch = used();
    let index = "# Memory\r\n\r\n- [Pier](pier.md): where it is\r\n";
    remember(&scratch, "MEMORY.md", &format!("\u{feff}{index}"));
    remember(&scratch, "pier.md", "---\nname: pier\nthis is no field\n---\n\nBehind the mole.\n");
    red(&scratch, "memory_files", "memory-front-matter");
    remember(&scratch, "pier.md", TOPIC);
    green(&scratch, "memory_files");
    remember(&scratch, "MEMORY.md", &format!("{index}<<<<<<< HEAD\r\nours\r\n=======\r\ntheirs\r\n>>>>>>> other\r\n"));
    red(&scratch, "memory_files", "memory-conflict");
    remember(&scratch, "MEMORY.md", index);
    green(&scratch, "memory_files");
}

#[test]
fn an_anchor_that_was_taken_out_of_the_seeded_index_is_red() {
    let scratch = Scratch::new();
    scratch.six(&["install", "--no-ingest"]).ok();
    let index = folder(&scratch).join("MEMORY.md");
    let seeded = fs::read_to_string(&index).expect("it is seeded");
    fs::write(&index, seeded.replace("## LATEST", "## Now")).expect("it can be written");
    red(&scratch, "memory_files", "anchor-missing");
    fs::write(&index, seeded).expect("it can be written");
    green(&scratch, "memory_files");
}

#[test]
fn an_anchor_ages_by_days_of_activity() {
    let scratch = used();
    remember(&scratch, "MEMORY.md", "# Memory\n\n## LATEST\n\n[The pier](pier.md) is half done.\n");
    remember(&scratch, "pier.md", TOPIC);
    let day = Duration::from_secs(24 * 60 * 60);
    let long_ago = SystemTime::now() - 30 * day;
    let pier = fs::File::options().write(true).open(folder(&scratch).join("pier.md")).expect("it was written");
    pier.set_modified(long_ago).expect("a time can be set");
    for _ in 0..9 {
        scratch.answer("session-start", &payload::session_start(&scratch.session(1), "startup"));
    }
    green(&scratch, "memory_files");
    let store = rusqlite::Connection::open(scratch.store_folder().join("memory.db")).expect("the store opens");
    let spread = "UPDATE heartbeat SET started_unix_ms = started_unix_ms - 86400000 * (id % 9), \
                  ended_unix_ms = ended_unix_ms - 86400000 * (id % 9)";
    store.execute_batch(spread).expect("the rows can be moved");
    drop(store);
    red(&scratch, "memory_files", "anchor-stale");
    remember(&scratch, "pier.md", TOPIC);
    green(&scratch, "memory_files");
}

#[test]
fn a_memory_that_is_switched_off_is_not_judged() {
    let scratch = used();
    remember(&scratch, "MEMORY.md", "- [Pier](pier.md)\n");
    red(&scratch, "memory_files", "memory-link-broken");
    scratch.write(".claude/settings.json", "{\"autoMemoryEnabled\": false}");
    assert_eq!(green(&scratch, "memory_files").as_deref(), Some("the client's memory is switched off"));
}

#[test]
fn rules_that_name_what_is_gone_are_red_until_they_are_corrected() {
    let scratch = used();
    scratch.write("src/pier.rs", "fn pier() {}\n");
    scratch.write("package.json", "{\"scripts\": {\"lint\": \"x\"}}");
    scratch.write("Makefile", "check:\n\ttrue\n");
    scratch.commit("pier");
    let rules = "# Rules\n\nThe pier is `src/pier.rs`.\n\n- `npm run lint`, then `make check`.\n";
    scratch.write("CLAUDE.md", rules);
    assert_eq!(green(&scratch, "constitution"), None);
    for (from, to, fault, told) in [
        ("src/pier.rs", "src/mole.rs", "constitution-path", "CLAUDE.md:3 names src/mole.rs"),
        ("npm run lint", "npm run lintt", "constitution-command", "CLAUDE.md:5 names the script lintt"),
        ("make check", "make chekc", "constitution-command", "CLAUDE.md:5 names the target chekc"),
        ("# Rules", "# {{name}}", "constitution-slot", "CLAUDE.md:1 has a place to fill in: {{name}}"),
    ] {
        scratch.write("CLAUDE.md", &rules.replace(from, to));
        let found = red(&scratch, "constitution", fault);
        assert!(found["detail"].as_str().is_some_and(|detail| detail.contains(told)), "{found}");
        assert!(found["fix"].as_str().is_some_and(|fix| fix.contains("correct CLAUDE.md:")), "{found}");
    }
    scratch.write("CLAUDE.md", rules);
    green(&scratch, "constitution");
    scratch.six(&["config", "set", "health.deprecated_terms", "npm"]).ok();
    red(&scratch, "constitution", "constitution-term");
    scratch.write("CLAUDE.md", "# Rules\n\nNever use npm.\n");
    green(&scratch, "constitution");
}

#[test]
fn rules_may_name_what_lies_elsewhere_or_need_not_be_there() {
    let scratch = used();
    scratch.write("web/src/app.ts", "");
    scratch.write("web/package.json", "{\"scripts\": {\"dev\": \"x\"}}");
    scratch.write("package.json", "{\"scripts\": {}}");
    scratch.write("src/lib.rs", "");
    scratch.write(".gitignore", "/src/made.rs\n");
    scratch.commit("a web part");
    scratch.write(
        "CLAUDE.md",
        "# Rules\n\n- `src/app.ts` starts it, `npm run dev` runs it\n- `src/made.rs` comes from the schema\n\
         - branch `feature/quay.md`, package `@scope/pkg/a.js`, type `application/json`, route `/api/v1/users`\n\
         - never edit `src/old.rs`\n- e.g. `src/any.rs`\n",
    );
    assert_eq!(green(&scratch, "constitution"), None);
}

#[test]
fn an_imported_document_is_read_as_the_rules_are_and_a_missing_one_is_told() {
    let scratch = used();
    scratch.write("src/lib.rs", "");
    scratch.write("CLAUDE.md", "@AGENTS.md\n");
    let found = red(&scratch, "constitution", "constitution-path");
    assert!(found["detail"].as_str().is_some_and(|detail| detail.contains("CLAUDE.md:1 names AGENTS.md")), "{found}");
    scratch.write("AGENTS.md", "# Agents\n\nThe gate is `src/gate.rs`.\n");
    let found = red(&scratch, "constitution", "constitution-path");
    assert!(found["detail"].as_str().is_some_and(|detail| detail.contains("AGENTS.md:3 names src/gate.rs")), "{found}");
    scratch.write("AGENTS.md", "# Agents\n\nThe library is `src/lib.rs`.\n");
    green(&scratch, "constitution");
}
