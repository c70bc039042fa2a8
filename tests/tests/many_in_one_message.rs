//! However many decisions one message states, none of them is lost without a trace.

use serde_json::Value;
use testkit::{Scratch, payload};

const SAID: [&str; 6] = [
    "We decided to keep the tide ledger in SQLite.",
    "We decided to ship pilot rosters nightly over Rsync.",
    "We decided to paint every buoy magenta.",
    "We decided to store manifests as Parquet files.",
    "We decided to measure currents with Doppler sensors.",
    "We decided to sign customs forms with Ed25519.",
];

#[test]
fn all_decisions_of_one_message_become_candidates_or_are_counted_as_dropped() {
    let scratch = Scratch::new();
    scratch.six(&["install", "--no-templates"]).ok();
    let session = scratch.session(1);
    scratch.transcript(&session).prompt(&SAID.join("\n\n")).write();
    assert!(scratch.answer("stop", &payload::stop(&session, "Done.")).stdout.is_empty());
    scratch.six(&["extract", "--session", &session.id, "--json"]);
    let count = |sql: &str| scratch.store_rows(sql).first().and_then(|row| row["n"].as_u64()).unwrap_or_default();
    let waiting = count("SELECT count(DISTINCT quote) AS n FROM record WHERE kind = 'decision'");
    let dropped = count("SELECT coalesce(sum(count), 0) AS n FROM extraction_drop");
    let told = SAID.len() as u64;
    let rest: Vec<Value> = scratch.store_rows("SELECT quote FROM record").into_iter().map(Value::Object).collect();
    assert_eq!(waiting + dropped, told, "{rest:?}");
}
