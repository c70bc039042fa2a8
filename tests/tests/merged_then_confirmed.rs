//! What was merged away and is confirmed on second thoughts stands by itself again.

use serde_json::json;
use testkit::{Scratch, payload};

#[test]
fn what_was_merged_and_is_in_force_after_all_is_not_told_to_be_replaced() {
    let scratch = Scratch::new();
    scratch.six(&["install", "--no-templates"]).ok();
    let session = scratch.session(1);
    scratch
        .transcript(&session)
        .prompt("We decided to keep the tide ledger in SQLite.")
        .prompt("We decided to paint every buoy magenta.")
        .write();
    assert!(scratch.answer("stop", &payload::stop(&session, "Done.")).stdout.is_empty());
    let ids: Vec<String> = scratch
        .store_rows("SELECT id FROM record ORDER BY turn")
        .iter()
        .map(|row| row["id"].as_str().unwrap_or_default().to_owned())
        .collect();
    let [merged, into] = ids.as_slice() else { panic!("two decisions wait: {ids:?}") };
    let verdicts = json!([{ "id": merged, "verdict": "merge", "into": into }]).to_string();
    scratch.six_with(&["triage", "--apply", "-"], &verdicts).ok();
    scratch.six(&["decision", "confirm", merged]).ok();

    let shown = scratch.six(&["decision", "show", merged, "--json"]).ok().json();
    assert_eq!(shown["record"]["state"], "confirmed");
    assert_eq!(shown["record"]["superseded_by"], json!(null), "in force, and replaced");
    let evidence = scratch.store_rows("SELECT 1 FROM sighting");
    assert!(evidence.is_empty(), "it is evidence of another decision as well");
}
