//! Two projects that are one: what was known in either is known in both, and nothing is read twice.
#![expect(clippy::expect_used, reason = "a test without its ground has to stop, and say where")]

use std::fs::File;
use std::path::{Path, PathBuf};

use rusqlite::Connection;
use serde_json::Value;
use testkit::{Ran, Scratch, payload};

const DECIDED: &str = "Ship manifests are kept in Parquet files, one a berth";
const BUILD: &str = "Build a Parquet writer for the ship manifests of a berth.";

fn name(path: &Path) -> &str {
    path.to_str().expect("scratch paths are UTF-8")
}

/// The project of this scratch, and another one with a decision, a thread, a session and a commit.
fn split_project() -> (Scratch, PathBuf) {
    let scratch = Scratch::new();
    let other = scratch.repository("other");
    scratch.git_in(&other, &["commit", "-q", "--allow-empty", "-m", "dredge the northern fairway"]);
    for folder in [&scratch.project(), &other] {
        scratch.six_in(folder, &["install", "--no-templates"]).ok();
    }
    let session = scratch.session_in(7, &other);
    let talk =
        scratch.transcript(&session).prompt("Which lanterns does the lighthouse use?").answer("Fresnel ones.").write();
    scratch.six_in(&other, &["ingest", "--transcript", name(&talk)]).ok();
    scratch.six(&["decision", "add", "Piers stand on oak piles", "--why", "iron rusted"]).ok();
    scratch
        .six_in(&other, &["decision", "add", DECIDED, "--why", "row stores took an hour", "--thread", "berths"])
        .ok();
    (scratch, other)
}

fn project(scratch: &Scratch, folder: &Path) -> Value {
    scratch.six_in(folder, &["project", "where", "--json"]).ok().json()
}

fn id(scratch: &Scratch, folder: &Path) -> String {
    project(scratch, folder)["project"]["id"].as_str().expect("a project has an id").to_owned()
}

fn store(scratch: &Scratch, folder: &Path) -> PathBuf {
    PathBuf::from(project(scratch, folder)["store"]["path"].as_str().expect("a store has a path"))
}

/// A search always finds what is nearest: here it has to be what holds the word.
fn finds(scratch: &Scratch, folder: &Path, word: &str) -> bool {
    scratch.six_in(folder, &["search", word]).stdout.contains(word)
}

fn entries(store: &Path) -> i64 {
    let store = Connection::open(store).expect("the store opens");
    store.query_row("SELECT count(*) FROM entry", [], |row| row.get(0)).expect("it can be counted")
}

fn merge(scratch: &Scratch, other: &str) -> Ran {
    scratch.six(&["project", "merge", other])
}

#[test]
fn what_the_other_project_knew_is_known_here_and_its_folder_has_this_memory() {
    let (scratch, other) = split_project();
    let (here, theirs) = (scratch.project(), id(&scratch, &other));
    let kept = store(&scratch, &other);
    let rows = entries(&kept);
    let plan = scratch.six(&["project", "merge", name(&other), "--dry-run", "--json"]).ok().json();
    assert_eq!((&plan["merged"], &plan["taken"]["record"]["new"]), (&false.into(), &1.into()));
    assert!(!finds(&scratch, &here, "fairway"), "a dry run takes nothing");
    assert_eq!(id(&scratch, &other), theirs);

    let done = merge(&scratch, name(&other));
    done.ok();
    assert!(done.stdout.contains(name(kept.parent().expect("a store is in a folder"))), "{}", done.stdout);
    assert_eq!(entries(&kept), rows, "the other store is kept as it was");
    assert_eq!(id(&scratch, &other), id(&scratch, &here));
    let health = scratch.six(&["health"]);
    assert_eq!(health.status, Some(0), "{}", health.stdout);
    for folder in [&here, &other] {
        for word in ["fairway", "piles", "Fresnel"] {
            assert!(finds(&scratch, folder, word), "{word} in {}", folder.display());
        }
        let mut session = scratch.session_in(20, folder);
        let told = scratch.answer("user-prompt-submit", &payload::user_prompt(&mut session, BUILD)).context();
        assert!(told.is_some_and(|block| block.contains(DECIDED)), "{}", folder.display());
    }
    let threads = scratch.six(&["thread", "list"]);
    assert!(threads.ok().stdout.contains("berths"), "{}", threads.stdout);
    let listed = scratch.six(&["project", "list"]);
    assert!(listed.ok().stdout.contains(&format!("merged: {theirs}")), "{}", listed.stdout);
    assert!(scratch.six(&["project", "where"]).ok().stdout.contains(&theirs));
}

#[test]
fn reading_everything_again_adds_nothing_twice() {
    let (scratch, other) = split_project();
    merge(&scratch, name(&other)).ok();
    let store = store(&scratch, &scratch.project());
    let talk = scratch.transcript(&scratch.session_in(7, &other)).write();
    let merged = entries(&store);
    scratch.six(&["ingest", "--transcript", name(&talk)]).ok();
    assert_eq!(entries(&store), merged);
    assert!(finds(&scratch, &scratch.project(), "Fresnel"));
}

#[test]
fn it_can_be_named_by_its_id_and_the_second_time_there_is_nothing_to_do() {
    let (scratch, other) = split_project();
    let theirs = id(&scratch, &other);
    merge(&scratch, &theirs).ok();
    for named in [theirs.as_str(), name(&other), "."] {
        let again = merge(&scratch, named);
        assert_eq!(again.status, Some(2), "{named}: {again:?}");
        assert!(again.stderr.contains("already") && again.stderr.contains("next:"), "{}", again.stderr);
    }
}

#[test]
fn a_refusal_changes_nothing_and_names_the_next_step() {
    let (scratch, other) = split_project();
    let (mine, theirs) = (store(&scratch, &scratch.project()), store(&scratch, &other));
    let before = (id(&scratch, &other), entries(&mine));
    let refused = |ran: &Ran, code: i32, word: &str| {
        assert_eq!(ran.status, Some(code), "{ran:?}");
        assert!(ran.stderr.contains(word) && ran.stderr.contains("next: "), "{}", ran.stderr);
        assert_eq!((id(&scratch, &other), entries(&mine)), before);
    };

    refused(&scratch.six_as_agent(&["project", "merge", name(&other)]), 2, "person");
    refused(&merge(&scratch, "nowhere"), 2, "no folder");
    refused(&merge(&scratch, name(&scratch.folder("plain"))), 2, "no memory");

    let lock = File::options().write(true).open(theirs.with_file_name("ingest.lock")).expect("ingest leaves its lock");
    lock.lock().expect("nobody ingests");
    refused(&merge(&scratch, name(&other)), 3, "in use");
    drop(lock);

    let schema = Connection::open(&theirs).expect("the store opens");
    let now: u32 = schema.pragma_query_value(None, "user_version", |row| row.get(0)).expect("it has a schema");
    for (version, word) in [(now - 1, "this binary needs"), (now + 1, "this binary knows")] {
        schema.pragma_update(None, "user_version", version).expect("the store can be written");
        refused(&merge(&scratch, name(&other)), 3, word);
        refused(&scratch.six(&["project", "merge", name(&other), "--dry-run"]), 3, word);
    }
    schema.pragma_update(None, "user_version", now).expect("the store can be written");
    merge(&scratch, name(&other)).ok();
}
