//! A memory of a thousand records says nothing on prompts about other matters, and never the same thing again and again.
#![expect(clippy::expect_used, reason = "a test without its ground has to stop, and say where")]

use std::collections::BTreeMap;
use std::fmt::Write as _;
use std::fs;
use std::path::Path;

use serde_json::Value;
use testkit::{Scratch, payload};

/// The prompts about other projects that `six bench gate` measures with.
fn unrelated() -> Vec<String> {
    let file = Path::new(env!("CARGO_MANIFEST_DIR")).join("../crates/six-cli/src/command/bench/gate/unrelated.jsonl");
    let text = fs::read_to_string(file).expect("the prompts are beside the benchmark");
    let prompt = |line: &str| {
        let row: Value = serde_json::from_str(line).expect("a prompt is JSON");
        row["text"].as_str().expect("a text").to_owned()
    };
    text.lines().map(prompt).collect()
}

/// What a made-up harbour has: things of some kinds for some purposes, each with a sentence of its own.
fn inventory() -> String {
    const OF: [&str; 40] = [
        "berth",
        "crane",
        "pilot",
        "tide",
        "quay",
        "buoy",
        "dredger",
        "tug",
        "ferry",
        "lock",
        "mooring",
        "pontoon",
        "slipway",
        "lighthouse",
        "customs",
        "manifest",
        "container",
        "bollard",
        "gangway",
        "hawser",
        "anchor",
        "capstan",
        "fender",
        "ballast",
        "cargo",
        "draught",
        "freight",
        "harbour fee",
        "ice",
        "keel",
        "lading",
        "mast",
        "navigation",
        "oil boom",
        "passenger",
        "radar",
        "salvage",
        "towing",
        "vessel",
        "wharf",
    ];
    const WHAT: [(&str, &str); 25] = [
        ("ledger", "keeps what was counted at the end of every watch"),
        ("planner", "shares out places for the next two days"),
        ("alarm", "wakes the officer when a reading leaves its range"),
        ("importer", "reads the weekly list of the port authority"),
        ("exporter", "writes the monthly sheet for the insurer"),
        ("board", "shows the next twelve hours on the big screen"),
        ("form", "takes the request of a captain and checks it"),
        ("cache", "holds answers of the slow register for an hour"),
        ("queue", "lines up what waits for a free hand"),
        ("calendar", "knows holidays and nights without work"),
        ("tariff", "tells what a day costs for which length"),
        ("index", "finds an entry by any part of its name"),
        ("mirror", "copies what changes to the second site"),
        ("simulator", "plays a storm from old readings"),
        ("scanner", "reads plates and papers at the gate"),
        ("rota", "gives every shift its crew"),
        ("map", "draws depths and hazards"),
        ("log", "notes who did what, and signs it"),
        ("mailer", "sends notices to agents in their language"),
        ("gauge", "turns raw volts into metres"),
        ("archive", "puts what is older than a year away"),
        ("report", "sums the week up for the council"),
        ("bridge", "talks to the old system over a serial line"),
        ("payment", "takes cards at the kiosk"),
        ("search", "answers the front desk within a second"),
    ];
    let mut text = String::from("# Inventory\n\n");
    for (thing, of) in OF.iter().enumerate() {
        for (what, does) in WHAT {
            let path = of.replace(' ', "_");
            let _ = writeln!(
                text,
                "## The {of} {what}\n\nFor {of} number {thing}: {does}.\n- paths: `src/{path}/{what}.rs`\n"
            );
        }
    }
    text
}

#[test]
fn two_hundred_prompts_on_other_matters_stay_unanswered() {
    let scratch = Scratch::new();
    scratch.write("INVENTORY.md", &inventory());
    scratch.commit("docs: what there is");
    scratch.six(&["install", "--no-templates"]).ok();
    assert_eq!(scratch.store_rows("SELECT 1 FROM subsystem").len(), 1_000);

    let prompts: Vec<String> = unrelated().into_iter().take(200).collect();
    let mut shown: BTreeMap<String, Vec<&str>> = BTreeMap::new();
    for (number, prompt) in (1..).zip(&prompts) {
        let mut session = scratch.session(number);
        let run = scratch.answer("user-prompt-submit", &payload::user_prompt(&mut session, prompt));
        if let Some(block) = run.context() {
            shown.entry(block).or_default().push(prompt);
        }
    }
    let fired: usize = shown.values().map(Vec::len).sum();
    assert!(fired * 100 <= prompts.len(), "{fired} of {}: {shown:#?}", prompts.len());
    assert!(shown.values().all(|prompts| prompts.len() == 1), "one thing for everything: {shown:#?}");

    let asked = "Build a dredger calendar that knows holidays and nights without work.";
    let run = scratch.answer("user-prompt-submit", &payload::user_prompt(&mut scratch.session(300), asked));
    assert!(run.context().is_some_and(|block| block.contains("The dredger calendar")), "what is on the matter is said");
}
