//! Every health check can go red: faults put into a scratch copy are found by exactly the right check, and healed by the fix
//! that it names.
#![expect(clippy::expect_used, reason = "a test without its ground has to stop, and say where")]

use std::collections::{BTreeMap, BTreeSet};
use std::fs;
use std::path::{Path, PathBuf};

use rusqlite::Connection;
use serde_json::Value;
use testkit::{Scratch, payload};

/// All checks, as `six health --json` names them.
const CHECKS: [&str; 11] = [
    "store",
    "ingest",
    "vectors",
    "embedding",
    "heartbeats",
    "queue",
    "lineage",
    "memory_files",
    "constitution",
    "render",
    "derived",
];

/// A project with a document, a session and a decision in its memory.
fn installed() -> Scratch {
    let scratch = Scratch::new();
    scratch.write("docs/moorings.md", "# Moorings\n\nA mooring is checked after every storm.\n");
    scratch.commit("docs: the moorings");
    let mut session = scratch.session(7);
    scratch.transcript(&session).prompt("Which lamp marks the mole?").answer("The third one, it is amber.").write();
    scratch.six(&["install"]).ok();
    scratch.answer("session-start", &payload::session_start(&session, "startup"));
    scratch.answer("user-prompt-submit", &payload::user_prompt(&mut session, "Which lamp marks the mole?"));
    scratch.six(&["decision", "add", "Ship manifests are kept in Parquet files", "--why", "row stores were slow"]).ok();
    scratch.work();
    scratch
}

/// Every file below these folders with its bytes. What `SQLite` keeps beside a store while somebody has it open is left out.
fn files(folders: &[&Path]) -> BTreeMap<PathBuf, Vec<u8>> {
    let mut found = BTreeMap::new();
    let mut waiting: Vec<PathBuf> = folders.iter().map(|folder| folder.to_path_buf()).collect();
    while let Some(folder) = waiting.pop() {
        for entry in fs::read_dir(&folder).expect("a folder can be listed").flatten() {
            let path = entry.path();
            if path.is_dir() {
                found.insert(path.clone(), Vec::new());
                waiting.push(path);
            } else if !["db-wal", "db-shm"].iter().any(|end| path.to_string_lossy().ends_with(end)) {
                found.insert(path.clone(), fs::read(&path).expect("a file can be read"));
            }
        }
    }
    found
}

#[test]
fn every_check_turns_red_alone_and_green_again_and_nothing_of_the_users_is_touched() {
    let scratch = installed();
    let (six_home, home, project) = (scratch.six_home(), scratch.home(), scratch.project());
    let all = [six_home.as_path(), home.as_path(), project.as_path()];
    let before = files(&all);
    let run = scratch.six(&["health", "--prove", "--json"]);
    let proven = run.json();
    assert_eq!(proven["schema"], "six.health-prove/1");
    let faults = proven["faults"].as_array().expect("a list of faults");
    let wrong: Vec<&Value> = faults
        .iter()
        .filter(|fault| {
            let is = |field: &str| fault[field] == true;
            !(is("turned_red") && is("only_that") && is("fixed_green") && is("fix_is_known"))
                || fault["found"] != fault["fault"]
        })
        .collect();
    assert!(wrong.is_empty(), "{wrong:#?}");
    let checks: BTreeSet<&str> = faults.iter().filter_map(|fault| fault["check"].as_str()).collect();
    assert_eq!(checks, BTreeSet::from(CHECKS));
    assert_eq!((&proven["passed"], run.status), (&Value::Bool(true), Some(0)));
    let copied = faults.iter().filter(|fault| fault["store"] == "copy").count();
    assert!(copied * 2 > faults.len(), "most faults are put into a copy of the project's own store: {copied}");

    let after = files(&all);
    let changed: Vec<&PathBuf> =
        before.keys().chain(after.keys()).filter(|path| before.get(*path) != after.get(*path)).collect();
    assert!(changed.is_empty(), "{changed:?}");
}

#[test]
fn a_check_that_is_red_already_is_proved_on_a_store_that_was_made_for_it() {
    let scratch = installed();
    let store = scratch.store_folder().join("memory.db");
    let failed = "UPDATE heartbeat SET outcome = 'failed' WHERE hook = 'user-prompt-submit'";
    Connection::open(store).and_then(|conn| conn.execute(failed, [])).expect("the store can be written");
    assert_eq!(scratch.six(&["health", "--check", "heartbeats"]).status, Some(1));
    let said = scratch.six(&["health", "--prove", "--check", "heartbeats"]).ok().stdout.clone();
    let last = said.lines().last().expect("a sum");
    assert!(last.starts_with("proved: ") && last.ends_with(" 1 of 1 checks were shown to go red"), "{said}");
    assert!(said.contains("\n* on a made-up store: ") && said.contains("(red as it is: heartbeats)"), "{said}");
}
