//! One change of a record on one line.

use serde_json::Value;
use six_core::record::{FieldChange, Record, RecordState, Step, Thread, UnixMs};
use six_core::text::printable;
use unicode_width::UnicodeWidthStr as _;

use super::text::cited;
use crate::context::Context;
use crate::output::fit;

/// Columns of a value; of a longer one the beginning tells which it is, and JSON has it whole.
const VALUE_COLUMNS: usize = 60;

/// What the ids in a history are called.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Known<'a> {
    /// Threads that records stood in.
    pub(crate) threads: &'a [Thread],
    /// Records that took the place of others.
    pub(crate) records: &'a [Record],
}

/// When, who, what and why.
pub(crate) fn step_line(step: &Step, known: &Known<'_>, context: &Context) -> String {
    let change = &step.change;
    let mut what = Vec::new();
    match change.from {
        None => what.push(format!("made, {}", change.to.as_str())),
        Some(from) if from != change.to => what.push(format!("{} -> {}", from.as_str(), change.to.as_str())),
        Some(_) => {}
    }
    let mut fields: Vec<&FieldChange> = step.fields.iter().filter(|field| field.name != SILENT).collect();
    fields.sort_by_key(|field| place_of(field));
    what.extend(fields.into_iter().map(|field| field_change(field, step, known, context)));
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

/// What took the place of a record in that state: what expired by a merge became evidence, and was replaced by nothing.
pub(super) const fn superseded_name(state: RecordState) -> &'static str {
    if matches!(state, RecordState::Expired) { "merged into" } else { "superseded by" }
}

fn field_change(field: &FieldChange, step: &Step, known: &Known<'_>, context: &Context) -> String {
    if let (SUPERSEDED_BY, Some(id)) = (field.name.as_str(), field.after.as_str()) {
        let title = known.records.iter().find(|record| record.id.as_str() == id).map(|record| record.title.as_str());
        let title = title.map_or_else(String::new, |title| format!(" \"{}\"", fit(&one_line(title), VALUE_COLUMNS)));
        return format!("{}: {}{title}", superseded_name(step.change.to), printable(id));
    }
    let value = |value: &Value| value_text(&field.name, value, known.threads, context);
    let name = FIELDS.get(place_of(field)).map_or(field.name.as_str(), |(_, name)| name);
    let (before, after) = differing(value(&field.before).as_deref(), value(&field.after).as_deref());
    let shown = |text: Option<String>| text.map_or_else(|| String::from("none"), |text| format!("\"{text}\""));
    format!("{name}: {} -> {}", shown(before), shown(after))
}

/// Two values cut to what is shown of each. Where the beginning that is shown would be the same, it is left out but for a
/// few words.
fn differing(before: Option<&str>, after: Option<&str>) -> (Option<String>, Option<String>) {
    let (Some(before), Some(after)) = (before, after) else { return (before.map(cut), after.map(cut)) };
    let same = before.chars().zip(after.chars()).take_while(|(one, other)| one == other).count();
    if same < VALUE_COLUMNS / 2 || before.width().max(after.width()) <= VALUE_COLUMNS {
        return (Some(cut(before)), Some(cut(after)));
    }
    let head: Vec<char> = before.chars().take(same.saturating_sub(LEAD_CHARS)).collect();
    let from = head.iter().rposition(|c| c.is_whitespace()).map_or(head.len(), |blank| blank + 1);
    let tail = |text: &str| cut(&format!("…{}", text.chars().skip(from).collect::<String>()));
    (Some(tail(before)), Some(tail(after)))
}

fn cut(text: &str) -> String {
    fit(text, VALUE_COLUMNS)
}

/// Characters that are shown before the first that differs, and the rest of their word.
const LEAD_CHARS: usize = 12;

const SUPERSEDED_BY: &str = "superseded_by";

/// Fields as JSON and `six show` call them, in the order of the latter; others come behind.
const FIELDS: [(&str, &str); 14] = [
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
    (SUPERSEDED_BY, "superseded by"),
    ("created", "said"),
];

/// Only tells when a person last said that it holds, which the change itself does.
const SILENT: &str = "validated";

fn place_of(field: &FieldChange) -> usize {
    FIELDS.iter().position(|(name, _)| *name == field.name).unwrap_or(FIELDS.len())
}

/// A value on one line; nothing of one that is empty.
fn value_text(name: &str, value: &Value, threads: &[Thread], context: &Context) -> Option<String> {
    let text = match value {
        Value::Null => return None,
        Value::Array(all) if all.is_empty() => return None,
        Value::String(text) if text.is_empty() => return None,
        Value::Number(ms) if name == "created" => &UnixMs(ms.as_i64()?).minute(context.offset),
        Value::String(id) if name == "thread" => {
            threads.iter().find(|thread| thread.id.as_str() == id).map_or(id.as_str(), |thread| thread.name.as_str())
        }
        Value::String(text) => text,
        Value::Array(all) => &all.iter().map(item_text).collect::<Vec<_>>().join("; "),
        other => &other.to_string(),
    };
    Some(one_line(text))
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
        let known = Known { threads: &threads, records: whole.superseded_by.as_slice() };
        let lines = whole.history.iter().map(|step| step_line(step, &known, &Context::fixed()));
        insta::assert_snapshot!(lines.collect::<Vec<_>>().join("\n"), @r#"
        2026-01-01 00:00  extraction  made, pending
        2026-01-01 00:00  operator    pending -> confirmed; batch b1
        2026-01-01 00:00  operator    title: "Outbox" -> "Events go through an outbox"; why: none -> "they survive a restart"; worded by: none -> "made-up:7b"; rejected: none -> "polling: too slow; two phases: no driver has them"; evidence: none -> "cargo test relay: 12 passed"; commits: none -> "0a1b2c3"; stands on: none -> "src/relay.rs:3-9; src/vote.rs#settle"; thread: none -> "Queue"  (said in full)
        2026-01-01 00:00  operator    confirmed -> superseded; superseded by: r9 "Events go through the broker"  (the broker keeps order)
        "#);
    }

    fn changed(name: &str, before: Value, after: Value, to: RecordState) -> String {
        let mut step = sample::whole().history.remove(1);
        step.change.to = to;
        let field = FieldChange { name: name.to_owned(), before, after };
        field_change(&field, &step, &Known { threads: &[], records: &[] }, &Context::fixed())
    }

    #[test]
    fn of_two_long_texts_the_part_that_differs_is_shown() {
        let long = "the relay lost mails whenever two of them came in the same second, as the log of ";
        let told = changed(
            "body",
            format!("{long}March shows").into(),
            format!("{long}May shows").into(),
            RecordState::Pending,
        );
        assert_eq!(told, "why: \"…the log of March shows\" -> \"…the log of May shows\"");
        let whole = changed("body", format!("It: {long}").into(), long.into(), RecordState::Pending);
        assert!(whole.starts_with("why: \"It: the relay"), "{whole}");
    }

    #[test]
    fn times_are_dates_and_a_merge_is_called_one() {
        let times =
            changed("created", 1_767_225_600_000_i64.into(), 1_767_312_000_000_i64.into(), RecordState::Pending);
        assert_eq!(times, "said: \"2026-01-01 00:00\" -> \"2026-01-02 00:00\"");
        assert_eq!(changed(SUPERSEDED_BY, Value::Null, "r9".into(), RecordState::Expired), "merged into: r9");
    }
}
