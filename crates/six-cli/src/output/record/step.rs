//! One change of a record on one line.

use serde_json::Value;
use six_core::record::{FieldChange, Step, Thread};
use six_core::text::printable;

use super::text::cited;
use crate::context::Context;
use crate::output::fit;

/// Columns of a value; of a longer one the beginning tells which it is, and JSON has it whole.
const VALUE_COLUMNS: usize = 60;

/// When, who, what and why.
pub(crate) fn step_line(step: &Step, threads: &[Thread], context: &Context) -> String {
    let change = &step.change;
    let mut what = Vec::new();
    match change.from {
        None => what.push(format!("made, {}", change.to.as_str())),
        Some(from) if from != change.to => what.push(format!("{} -> {}", from.as_str(), change.to.as_str())),
        Some(_) => {}
    }
    let mut fields: Vec<&FieldChange> = step.fields.iter().filter(|field| field.name != SILENT).collect();
    fields.sort_by_key(|field| place_of(field));
    what.extend(fields.into_iter().map(|field| field_change(field, threads)));
    if what.is_empty() {
        what.push(String::from("said to hold"));
    }
    if let Some(batch) = &change.batch {
        what.push(format!("batch {}", printable(batch)));
    }
    let reason = change.reason.as_str();
    let reason = if reason.is_empty() { String::new() } else { format!("  ({})", one_line(reason)) };
    format!(
        "{}  {:<10}  {}{reason}",
        change.at.minute(context.offset),
        printable(&change.author.name()),
        what.join("; ")
    )
}

fn field_change(field: &FieldChange, threads: &[Thread]) -> String {
    let value = |value: &Value| value_text(&field.name, value, threads);
    let name = FIELDS.get(place_of(field)).map_or(field.name.as_str(), |(_, name)| name);
    format!("{name}: {} -> {}", value(&field.before), value(&field.after))
}

/// Fields as JSON and `six show` call them, in the order of the latter; others come behind.
const FIELDS: [(&str, &str); 13] = [
    ("title", "title"),
    ("body", "why"),
    ("written_by", "worded by"),
    ("quote", "quote"),
    ("rejected", "rejected"),
    ("evidence", "evidence"),
    ("revive_if", "revive if"),
    ("scope", "scope"),
    ("commits", "commits"),
    ("source_path", "stands in"),
    ("anchors", "stands on"),
    ("thread", "thread"),
    ("superseded_by", "superseded by"),
];

/// Only tells when a person last said that it holds, which the change itself does.
const SILENT: &str = "validated";

fn place_of(field: &FieldChange) -> usize {
    FIELDS.iter().position(|(name, _)| *name == field.name).unwrap_or(FIELDS.len())
}

fn value_text(name: &str, value: &Value, threads: &[Thread]) -> String {
    let text = match value {
        Value::Null => return String::from("none"),
        Value::Array(all) if all.is_empty() => return String::from("none"),
        Value::String(text) if text.is_empty() => return String::from("none"),
        Value::String(id) if name == "thread" => {
            threads.iter().find(|thread| thread.id.as_str() == id).map_or(id.as_str(), |thread| thread.name.as_str())
        }
        Value::String(text) => text,
        Value::Array(all) => &all.iter().map(item_text).collect::<Vec<_>>().join("; "),
        other => &other.to_string(),
    };
    format!("\"{}\"", fit(&one_line(text), VALUE_COLUMNS))
}

/// A rejected option, a commit, or an anchor.
fn item_text(value: &Value) -> String {
    if let Some(text) = value.as_str() {
        return text.to_owned();
    }
    serde_json::from_value(value.clone()).map_or_else(|_| value.to_string(), |anchor| cited(&anchor))
}

/// The text as it can be printed, on one line.
fn one_line(text: &str) -> String {
    printable(text).split_whitespace().collect::<Vec<_>>().join(" ")
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::output::record::text::sample;

    #[test]
    fn a_change_is_told_on_one_line_with_what_was_and_what_is() {
        let whole = sample::whole();
        let threads: Vec<Thread> = whole.thread.clone().into_iter().collect();
        let lines = whole.history.iter().map(|step| step_line(step, &threads, &Context::fixed()));
        insta::assert_snapshot!(lines.collect::<Vec<_>>().join("\n"), @r#"
        2026-01-01 00:00  extraction  made, pending
        2026-01-01 00:00  operator    pending -> confirmed; batch b1
        2026-01-01 00:00  operator    title: "Outbox" -> "Events go through an outbox"; why: none -> "they survive a restart"; worded by: none -> "made-up:7b"; rejected: none -> "polling: too slow; two phases: no driver has them"; evidence: none -> "cargo test relay: 12 passed"; commits: none -> "0a1b2c3"; stands on: none -> "src/relay.rs:3-9; src/vote.rs#settle"; thread: none -> "Queue"  (said in full)
        2026-01-01 00:00  operator    confirmed -> superseded; superseded by: none -> "r9"  (the broker keeps order)
        "#);
    }
}
