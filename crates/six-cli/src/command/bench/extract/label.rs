//! Turns, each with what it states, as a person labelled them.

use std::collections::BTreeSet;

use serde::Deserialize;
use six_core::curate::Speaker;
use six_core::record::RecordKind;

/// A labelled turn.
#[derive(Debug, Clone, PartialEq)]
pub(super) struct Labelled {
    /// Its id, else `line N`.
    pub(super) id: String,
    /// What was said.
    pub(super) text: String,
    /// By whom.
    pub(super) speaker: Speaker,
    /// What it states; nothing if a program wrote it.
    pub(super) states: BTreeSet<RecordKind>,
    /// Its language.
    pub(super) lang: String,
    /// Where it comes from.
    pub(super) source: String,
    /// Whether the person who labelled it had doubts.
    pub(super) unsure: bool,
}

#[derive(Deserialize)]
#[expect(clippy::struct_excessive_bools, reason = "a line of the file has them")]
struct Line {
    id: Option<String>,
    text: String,
    decision: bool,
    dead_end: bool,
    #[serde(default)]
    correction: bool,
    #[serde(default)]
    machine: bool,
    lang: Option<String>,
    source: Option<String>,
    #[serde(default)]
    unsure: bool,
}

/// Reads a line of JSON a turn: `text`, `decision`, `dead_end` and `correction` (yes or no), and where they are known `id`,
/// `machine`, `lang`, `source` and `unsure`. Further members are passed over. `name` is the source of turns that name none.
pub(super) fn parse_labels(name: &str, text: &str, speaker: Speaker) -> Result<Vec<Labelled>, String> {
    let lines = (1..).zip(text.lines()).filter(|(_, line)| !line.trim().is_empty());
    let parse = |(number, line): (usize, &str)| {
        let line: Line = serde_json::from_str(line).map_err(|fault| format!("line {number}: {fault}"))?;
        let states = [
            (RecordKind::Decision, line.decision),
            (RecordKind::DeadEnd, line.dead_end),
            (RecordKind::Correction, line.correction && speaker == Speaker::Operator),
        ];
        Ok(Labelled {
            id: line.id.unwrap_or_else(|| format!("line {number}")),
            text: line.text,
            speaker,
            states: states.into_iter().filter(|(_, is)| *is && !line.machine).map(|(kind, _)| kind).collect(),
            lang: line.lang.unwrap_or_else(|| String::from("?")),
            source: line.source.unwrap_or_else(|| name.to_owned()),
            unsure: line.unsure,
        })
    };
    lines.map(parse).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_a_line_states_is_read_and_a_program_states_nothing() {
        let lines = r#"{"id":"a","text":"x","decision":true,"dead_end":false,"correction":true,"lang":"en","unsure":true}

{"text":"y","decision":true,"dead_end":false,"machine":true,"more":1}"#;
        let turns = parse_labels("set", lines, Speaker::Operator).unwrap();
        assert_eq!(turns[0].states, BTreeSet::from([RecordKind::Decision, RecordKind::Correction]));
        assert_eq!((turns[0].source.as_str(), turns[0].unsure), ("set", true));
        assert_eq!((turns[1].id.as_str(), turns[1].states.len(), turns[1].lang.as_str()), ("line 3", 0, "?"));
    }

    #[test]
    fn an_agent_corrects_nobody_and_a_bad_line_is_named() {
        let line = r#"{"text":"x","decision":false,"dead_end":false,"correction":true}"#;
        assert!(parse_labels("set", line, Speaker::Agent).unwrap()[0].states.is_empty());
        assert!(parse_labels("set", "\n{}", Speaker::Agent).unwrap_err().starts_with("line 2: missing field `text`"));
    }
}
