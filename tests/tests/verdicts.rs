//! Who may put a record in force: a person, and nobody else.

use serde_json::{Value, json};
use testkit::{Scratch, payload};

const TITLE: &str = "Ship manifests are kept in Parquet files";

/// What a session is told at its start.
fn told(scratch: &Scratch, number: u16) -> String {
    let session = scratch.session(number);
    scratch.answer("session-start", &payload::session_start(&session, "startup")).context().unwrap_or_default()
}

fn installed() -> Scratch {
    let scratch = Scratch::new();
    scratch.six(&["install", "--no-templates", "--no-ingest"]).ok();
    scratch
}

fn entered(scratch: &Scratch) -> String {
    let added = scratch.six_as_agent(&["decision", "add", TITLE, "--json"]).ok().json();
    assert_eq!(added["record"]["state"], "pending");
    added["record"]["id"].as_str().unwrap_or_default().to_owned()
}

fn states(scratch: &Scratch) -> Vec<Value> {
    let rows = scratch.store_rows("SELECT state FROM record ORDER BY created_unix_ms, id");
    rows.into_iter().map(|row| row["state"].clone()).collect()
}

#[test]
fn what_an_agent_enters_is_told_once_a_person_has_confirmed_it() {
    let scratch = installed();
    let id = entered(&scratch);
    assert!(!told(&scratch, 1).contains(TITLE));

    let refused = scratch.six_as_agent(&["decision", "confirm", &id]);
    assert_eq!(refused.status, Some(2), "{refused:?}");
    assert!(refused.stderr.contains("person"), "{}", refused.stderr);
    assert_eq!(states(&scratch), [json!("pending")]);

    scratch.six(&["decision", "confirm", &id[..8]]).ok();
    assert!(told(&scratch, 2).contains(TITLE));
}

#[test]
fn what_a_person_rejects_is_told_to_nobody() {
    let scratch = installed();
    let id = entered(&scratch);
    scratch.six(&["decision", "reject", &id]).ok();
    assert!(!told(&scratch, 1).contains(TITLE));
    assert_eq!(states(&scratch), [json!("rejected")]);
}

#[test]
fn one_id_that_can_not_be_judged_leaves_all_as_they_were() {
    let scratch = installed();
    let id = entered(&scratch);
    for wrong in [["decision", "confirm", id.as_str(), "nobody"], ["decision", "reject", id.as_str(), "nobody"]] {
        assert_eq!(scratch.six(&wrong).status, Some(2));
    }
    let other_kind = scratch.six(&["dead-end", "confirm", &id]);
    assert_eq!(other_kind.status, Some(2));
    assert!(other_kind.stderr.contains(&format!("six decision confirm {id}")), "{}", other_kind.stderr);
    assert_eq!(states(&scratch), [json!("pending")]);

    scratch.six(&["decision", "confirm", &id]).ok();
    assert_eq!(scratch.six(&["decision", "confirm", &id]).status, Some(2), "it is in force already");
}
