//! How well turns and intents are judged on labelled prompts.
//!
//! `cargo test -p six-core --test labels -- --nocapture` prints the figures. The labels are no part of the repository:
//! without them (`SIX_SHARED`, default `../shared` beside the workspace) the test says that it was skipped.

use std::collections::BTreeMap;
use std::path::PathBuf;

use serde::Deserialize;
use six_core::event::Context;
use six_core::inject::{Intent, Turn, judge_intents, judge_turn};
use six_core::record::SessionId;

#[derive(Debug, Deserialize)]
struct Row {
    text: String,
    intent: String,
    machine: bool,
    split: String,
    source: String,
    unsure: bool,
}

#[expect(clippy::disallowed_methods, reason = "a test reads its data where the environment says")]
fn read(file: &str) -> Option<String> {
    let workspace = PathBuf::from(env!("CARGO_MANIFEST_DIR")).join("../..");
    let shared = std::env::var_os("SIX_SHARED").map_or_else(|| workspace.join("../shared"), PathBuf::from);
    std::fs::read_to_string(shared.join("data").join(file)).ok()
}

fn rows() -> Option<Vec<Row>> {
    let text = read("labels/prompts.jsonl")?;
    let rows: Vec<Row> = text.lines().filter_map(|line| serde_json::from_str(line).ok()).collect();
    Some(rows.into_iter().filter(|row| row.split == "dev").collect())
}

fn context() -> Context {
    Context {
        session_id: SessionId::new("s-labels"),
        transcript_path: None,
        cwd: None,
        prompt_id: None,
        agent: None,
        permission_mode: None,
    }
}

/// Right, wrongly said, missed.
#[derive(Debug, Default, Clone, Copy)]
struct Count {
    hit: u32,
    extra: u32,
    missed: u32,
}

impl Count {
    fn note(&mut self, said: bool, is: bool) {
        match (said, is) {
            (true, true) => self.hit += 1,
            (true, false) => self.extra += 1,
            (false, true) => self.missed += 1,
            (false, false) => {}
        }
    }

    fn precision(self) -> f64 {
        share(self.hit, self.hit + self.extra)
    }

    fn recall(self) -> f64 {
        share(self.hit, self.hit + self.missed)
    }
}

fn share(part: u32, whole: u32) -> f64 {
    if whole == 0 { 1.0 } else { f64::from(part) / f64::from(whole) }
}

#[test]
fn machine_turns_are_told_from_human_ones() {
    let Some(rows) = rows() else {
        println!("skipped: no labelled prompts");
        return;
    };
    let mut count = Count::default();
    for row in &rows {
        let said = matches!(judge_turn(&row.text, &context()), Turn::Machine { .. });
        count.note(said, row.machine);
        if said != row.machine {
            println!("machine={} said={said}: {:.100?}", row.machine, row.text);
        }
    }
    println!("machine  precision {:.3}  recall {:.3}  {count:?}", count.precision(), count.recall());
    assert!(count.precision() >= 0.97 && count.recall() >= 0.95);
}

#[test]
fn of_the_hosts_own_payloads_only_the_notification_is_a_machine_turn() {
    for (name, machine) in [("prompt", false), ("pasted", false), ("slash-command", false), ("task-notification", true)]
    {
        let Some(text) = read(&format!("host/payloads/UserPromptSubmit-{name}.json")) else {
            println!("skipped: no payload {name}");
            continue;
        };
        let payload: serde_json::Value = serde_json::from_str(&text).expect("a payload");
        let prompt = payload["prompt"].as_str().expect("a prompt");
        assert_eq!(matches!(judge_turn(prompt, &context()), Turn::Machine { .. }), machine, "{name}");
    }
}

#[test]
fn intents_of_people_are_found_and_small_talk_has_none() {
    let Some(rows) = rows() else {
        println!("skipped: no labelled prompts");
        return;
    };
    let mut counts: BTreeMap<Intent, Count> = BTreeMap::new();
    let mut by_source: BTreeMap<&str, Count> = BTreeMap::new();
    let mut silence = (0, 0);
    for row in rows.iter().filter(|row| !row.machine) {
        let Turn::Human { text, .. } = judge_turn(&row.text, &context()) else { continue };
        let found = judge_intents(&text);
        for intent in Intent::ALL {
            counts.entry(intent).or_default().note(found.has(intent), row.intent == intent.as_str());
        }
        let right = if row.intent == "none" {
            found.is_empty()
        } else {
            Intent::ALL.iter().any(|i| i.as_str() == row.intent && found.has(*i))
        };
        by_source.entry(&row.source).or_default().note(right, true);
        if row.intent == "none" {
            silence.1 += 1;
            silence.0 += u32::from(found.is_empty());
        }
        let exact = Intent::ALL.iter().all(|i| found.has(*i) == (row.intent == i.as_str()));
        if !exact {
            let mark = if row.unsure { "?" } else { "" };
            println!("{}{mark} <- {:?}: {:.160?}", row.intent, found.into_found(), text.trim());
        }
    }
    for (intent, count) in &counts {
        println!("{:<12} precision {:.3}  recall {:.3}  {count:?}", intent.as_str(), count.precision(), count.recall());
    }
    println!("none         silent {:.3} of {}", share(silence.0, silence.1), silence.1);
    for (source, count) in by_source {
        println!("{source:<32} label found {:.3} of {}", count.recall(), count.hit + count.missed);
    }
    for (intent, floor) in [(Intent::Build, 0.75), (Intent::Investigate, 0.75), (Intent::Decide, 0.5)] {
        assert!(counts[&intent].precision() >= floor && counts[&intent].recall() >= floor, "{intent:?}");
    }
    assert!(share(silence.0, silence.1) >= 0.8);
}
