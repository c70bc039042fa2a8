//! Prompts, each with what its writer intends, as a person labelled them.

use serde::Deserialize;
use six_core::inject::Intent;

/// The prompts inside the binary: made up, in nine languages.
const BUILT_IN: &str = include_str!("prompts.jsonl");

/// Made-up prompts of other projects than the planted one.
const UNRELATED: &str = include_str!("unrelated.jsonl");

/// A labelled prompt.
#[derive(Debug, Clone, PartialEq)]
pub(super) struct Labelled {
    /// Its id, else `line N`.
    pub(super) id: String,
    /// What was typed, or handed over.
    pub(super) text: String,
    /// What it intends; empty for nothing that six acts on.
    pub(super) intents: Vec<Intent>,
    /// Whether a program wrote it.
    pub(super) machine: bool,
    /// Its language.
    pub(super) lang: String,
    /// Where it comes from.
    pub(super) source: String,
    /// Whether the person who labelled it had doubts.
    pub(super) unsure: bool,
}

#[derive(Deserialize)]
struct Line {
    id: Option<String>,
    text: String,
    intent: Names,
    #[serde(default)]
    machine: bool,
    lang: Option<String>,
    source: Option<String>,
    #[serde(default)]
    unsure: bool,
}

#[derive(Deserialize)]
#[serde(untagged)]
enum Names {
    One(String),
    Several(Vec<String>),
}

/// The prompts inside the binary.
pub(super) fn built_in() -> Result<Vec<Labelled>, String> {
    parse_labels("built-in", BUILT_IN)
}

/// Prompts that have nothing to do with the planted project.
pub(super) fn unrelated() -> Result<Vec<Labelled>, String> {
    parse_labels("unrelated", UNRELATED)
}

/// Reads a line of JSON a prompt: `text`, `intent` (one of build, investigate, decide, none, or a list of them), and where
/// they are known `id`, `machine`, `lang`, `source` and `unsure`. Further members are passed over. `name` is the source of
/// prompts that name none.
pub(super) fn parse_labels(name: &str, text: &str) -> Result<Vec<Labelled>, String> {
    let lines = (1..).zip(text.lines()).filter(|(_, line)| !line.trim().is_empty());
    lines.map(|(number, line)| labelled(name, number, line).map_err(|why| format!("line {number}: {why}"))).collect()
}

fn labelled(name: &str, number: usize, line: &str) -> Result<Labelled, String> {
    let line: Line = serde_json::from_str(line).map_err(|fault| fault.to_string())?;
    let names = match line.intent {
        Names::One(name) => vec![name],
        Names::Several(names) => names,
    };
    let intents = names.iter().filter(|name| *name != "none").map(|name| {
        let intent = Intent::ALL.into_iter().find(|intent| intent.as_str() == name);
        intent.ok_or_else(|| format!("there is no intent {name:?}"))
    });
    Ok(Labelled {
        id: line.id.unwrap_or_else(|| format!("line {number}")),
        text: line.text,
        intents: intents.collect::<Result<_, _>>()?,
        machine: line.machine,
        lang: line.lang.unwrap_or_else(|| String::from("?")),
        source: line.source.unwrap_or_else(|| name.to_owned()),
        unsure: line.unsure,
    })
}

#[cfg(test)]
mod tests {
    use std::collections::{BTreeMap, BTreeSet};

    use super::*;

    #[test]
    fn a_label_is_a_name_or_a_list_and_all_else_may_be_left_out() {
        let found = parse_labels(
            "mine",
            concat!(
                r#"{"text": "add a cache", "intent": "build", "id": "a", "lang": "en", "source": "s", "unsure": true}"#,
                "\n\n",
                r#"{"text": "ok", "intent": "none", "machine": true}"#,
                "\n",
                r#"{"text": "x", "intent": ["build", "decide"], "chars": 1}"#,
            ),
        )
        .unwrap();
        assert_eq!(found.iter().map(|one| one.id.as_str()).collect::<Vec<_>>(), ["a", "line 3", "line 4"]);
        assert_eq!(found.iter().map(|one| one.source.as_str()).collect::<Vec<_>>(), ["s", "mine", "mine"]);
        assert_eq!(found[2].intents, [Intent::Build, Intent::Decide]);
        assert!(found[0].unsure && found[1].machine && found[1].intents.is_empty() && found[1].lang == "?");
    }

    #[test]
    fn a_line_that_is_no_label_is_named() {
        let fault = |text| parse_labels("mine", text).unwrap_err();
        assert_eq!(
            fault("{\"text\": \"x\", \"intent\": []}\n{\"text\": \"x\", \"intent\": \"biuld\"}"),
            "line 2: there is no intent \"biuld\""
        );
        assert!(fault("{\"intent\": []}").starts_with("line 1: missing field `text`"));
    }

    #[test]
    fn the_prompts_inside_the_binary_are_in_nine_languages_and_of_every_intent() {
        let all = built_in().unwrap();
        let ids: BTreeSet<&str> = all.iter().map(|one| one.id.as_str()).collect();
        assert_eq!((all.len(), ids.len()), (434, 434));
        let mut languages: BTreeMap<&str, usize> = BTreeMap::new();
        for one in &all {
            *languages.entry(one.lang.as_str()).or_default() += 1;
            assert!(!one.machine && one.intents.len() <= 2, "{}", one.id);
        }
        assert_eq!(languages["en"], 210);
        let others: Vec<&str> = languages.iter().filter(|(_, count)| **count == 28).map(|(lang, _)| *lang).collect();
        assert_eq!(others, ["de", "es", "fr", "ja", "ko", "pt", "ru", "zh"]);
        for intent in Intent::ALL {
            assert!(all.iter().filter(|one| one.intents.contains(&intent)).count() > 60, "{intent:?}");
        }
        assert!(all.iter().filter(|one| one.intents.is_empty()).count() > 60);
    }

    #[test]
    fn every_unrelated_prompt_wants_something() {
        let all = unrelated().unwrap();
        assert_eq!(all.len(), 320);
        assert_eq!(all.iter().map(|one| one.lang.as_str()).collect::<BTreeSet<_>>().len(), 9);
        assert!(all.iter().all(|one| !one.intents.is_empty()));
    }
}
