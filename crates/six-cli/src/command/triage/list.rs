//! `six triage --list`: what waits, for people and for programs.

use std::collections::BTreeMap;
use std::process::ExitCode;

use serde_json::{Value, json};
use six_core::curate::{Inbox, TriageItem, version_of};
use six_core::record::{Record, RecordKind, ThreadId};
use six_core::text::printable;

use crate::cli::TriageArgs;
use crate::command::records::kind_name;
use crate::context::Context;
use crate::failure::{Exit, Failure, nearest, store_failure};
use crate::output::{count, fit, object};

/// Candidates of a list.
const LISTED: usize = 50;

/// Columns of what another record or a prompt says.
const SHOWN_COLUMNS: usize = 100;

/// Similar records and prompts that are shown of each; JSON has all of them.
const SHOWN: usize = 3;

type Names = BTreeMap<ThreadId, String>;

/// Runs it: exit code 1 when nothing waits.
pub(super) fn run(context: &Context, args: &TriageArgs) -> Result<ExitCode, Failure> {
    let kind = args.kind.as_deref().map(parse_kind).transpose()?;
    let project = context.project()?;
    let store = Context::reader(&project)?;
    let failed = |fault| store_failure(&project, &fault);
    let limit = args.limit.map_or(LISTED, std::num::NonZeroUsize::get);
    let inbox = store.inbox(kind, limit, context.offset).map_err(failed)?;
    let names: Names =
        store.threads().map_err(failed)?.into_iter().map(|thread| (thread.id, thread.name.to_string())).collect();
    context.print(&if context.json { told_json(&inbox, &names) } else { told(&inbox, &names, context) });
    let unseen = store.unseen_batches().map_err(failed)?.len();
    if unseen > 0 {
        context.say(&format!("{} of an agent's verdicts to look through: six triage --review", batches(unseen)));
    }
    if inbox.items.is_empty() {
        context.say("nothing waits for triage");
        return Ok(Exit::Nothing.into());
    }
    Ok(ExitCode::SUCCESS)
}

fn batches(n: usize) -> String {
    if n == 1 { String::from("1 batch") } else { format!("{n} batches") }
}

/// The kind of that name, as it is called on the command line or in JSON.
fn parse_kind(name: &str) -> Result<RecordKind, Failure> {
    let plain = name.trim().to_lowercase().replace('-', "_");
    RecordKind::parse(&plain).ok_or_else(|| {
        let known = RecordKind::ALL.map(kind_name);
        let next = nearest(name, &known)
            .map_or_else(|| format!("one of: {}", known.join(", ")), |near| format!("did you mean --kind {near}?"));
        Failure::misuse(format_args!("there is no kind {:?}", printable(name)), next)
    })
}

fn told_json(inbox: &Inbox, names: &Names) -> String {
    let items: Vec<Value> = inbox.items.iter().map(|item| item_json(item, names)).collect();
    object("triage", json!({"items": items, "pending": inbox.pending, "remaining_s": inbox.remaining_ms / 1_000}))
}

fn item_json(item: &TriageItem, names: &Names) -> Value {
    let TriageItem { record, neighbours, sightings, similar, suggestion, fired } = item;
    let sightings = sightings
        .iter()
        .map(|one| json!({"origin": one.origin, "session": one.session, "date": one.at.rfc3339(), "quote": one.quote}));
    let fired = fired.iter().map(|one| json!({"date": one.at.rfc3339(), "head": one.head}));
    json!({
        "id": record.id,
        "version": version_of(record),
        "kind": record.kind,
        "title": record.title,
        "quote": record.quote,
        "origin": record.origin,
        "session": record.session,
        "date": record.created.rfc3339(),
        "similar": similar,
        "suggestion": suggestion,
        "body": record.body,
        "rejected": record.rejected,
        "revive_if": record.revive_if,
        "scope": record.scope,
        "turn": record.turn,
        "source_path": record.source_path,
        "written_by": record.written_by,
        "thread": record.thread.as_ref().map(|id| json!({"id": id, "name": names.get(id)})),
        "neighbours": {"before": neighbours.0, "after": neighbours.1},
        "sightings": sightings.collect::<Vec<_>>(),
        "fired": fired.collect::<Vec<_>>(),
    })
}

fn told(inbox: &Inbox, names: &Names, context: &Context) -> String {
    if inbox.items.is_empty() {
        return String::new();
    }
    let mut parts =
        vec![format!("{} for triage, about {} to judge", waiting(inbox.pending), minutes(inbox.remaining_ms))];
    parts.extend(inbox.items.iter().enumerate().map(|(n, item)| item_text(n + 1, item, names, context)));
    let left = inbox.pending.saturating_sub(inbox.items.len() as u64);
    if left > 0 {
        parts.push(format!("{left} more: six triage --list --limit {}", inbox.pending));
    }
    parts.push(String::from(
        "judge them: six triage on a terminal, or six triage --apply FILE with [{\"id\": ..., \"verdict\": \"confirm\"}, ...]",
    ));
    parts.join("\n\n")
}

fn waiting(pending: u64) -> String {
    format!("{} {}", count(pending, "candidate"), if pending == 1 { "waits" } else { "wait" })
}

/// `1 min`, `2 h`, `2 h 5 min`; less than a minute is one.
fn minutes(ms: i64) -> String {
    let minutes = (ms / 60_000).max(1);
    match (minutes / 60, minutes % 60) {
        (0, minutes) => format!("{minutes} min"),
        (hours, 0) => format!("{hours} h"),
        (hours, minutes) => format!("{hours} h {minutes} min"),
    }
}

fn item_text(n: usize, item: &TriageItem, names: &Names, context: &Context) -> String {
    let record = &item.record;
    let mut lines = vec![
        format!(
            "{n}. {} {}  {}  {}",
            kind_name(record.kind),
            record.id,
            record.origin.as_str(),
            record.created.date(context.offset)
        ),
        format!("   {}", one_line(record.title.as_str())),
    ];
    let mut field = |name: &str, value: &str| {
        if !value.trim().is_empty() {
            lines.push(format!("   {name}: {value}"));
        }
    };
    field("before", &one_line(&item.neighbours.0));
    field("quote", &quote_of(record));
    field("after", &one_line(&item.neighbours.1));
    field("why", &why_of(record));
    field("holds in", &one_line(record.scope.as_str()));
    field("thread", &one_line(record.thread.as_ref().and_then(|id| names.get(id)).map_or("", String::as_str)));
    if !item.sightings.is_empty() {
        field("also said", &format!("in {}", count(item.sightings.len() as u64, "other turn")));
    }
    for similar in item.similar.iter().take(SHOWN) {
        field("similar", &format!("{} ({}) {}", similar.id, similar.state.as_str(), short(&similar.title)));
    }
    for fired in item.fired.iter().take(SHOWN) {
        field("would have been shown on", &format!("{} {}", fired.at.date(context.offset), short(&fired.head)));
    }
    if let Some(suggestion) = &item.suggestion {
        field("suggestion", &format!("{}: {}", suggestion.verdict.as_str(), one_line(&suggestion.reason)));
    }
    lines.join("\n")
}

/// The sentence, unless the title says all of it.
fn quote_of(record: &Record) -> String {
    if record.quote == record.title { String::new() } else { one_line(record.quote.as_str()) }
}

/// The body, unless it only repeats the quote.
fn why_of(record: &Record) -> String {
    if record.body == record.quote { String::new() } else { one_line(record.body.as_str()) }
}

/// Stored text stays in its line and reaches no terminal raw.
fn one_line(text: &str) -> String {
    printable(text).split_whitespace().collect::<Vec<_>>().join(" ")
}

fn short(text: &str) -> String {
    fit(&one_line(text), SHOWN_COLUMNS)
}

#[cfg(test)]
mod tests {
    use six_core::curate::{Fired, Similar, Suggestion, TriageVerdict};
    use six_core::record::{Origin, RecordId, RecordState, SessionId, UnixMs};
    use six_core::text::{Redacted, Redactor};

    use super::*;

    fn text(text: &str) -> Redacted {
        Redactor::new().redact(text)
    }

    fn inbox() -> Inbox {
        let now = Context::fixed().now;
        let record = Record {
            id: RecordId::new("k3f9a2c1"),
            kind: RecordKind::DeadEnd,
            state: RecordState::Pending,
            origin: Origin::Agent,
            title: text("polling the pier\u{1b}[2J"),
            body: Redacted::default(),
            quote: text("Polling the pier does not work,\nit is too slow."),
            rejected: Vec::new(),
            revive_if: Redacted::default(),
            scope: Redacted::default(),
            thread: Some(ThreadId::new("t1")),
            superseded_by: None,
            session: Some(SessionId::new("s-1")),
            turn: Some("u1".into()),
            anchors: Vec::new(),
            created: now,
            validated: now,
            evidence: Redacted::default(),
            commits: Vec::new(),
            source_path: None,
            written_by: Redacted::default(),
        };
        let item = TriageItem {
            record,
            neighbours: ("The relay lost mails.".into(), String::new()),
            sightings: Vec::new(),
            similar: vec![Similar {
                id: RecordId::new("yes"),
                state: RecordState::Confirmed,
                title: "no polling".into(),
            }],
            suggestion: Some(Suggestion {
                verdict: TriageVerdict::Merge,
                into: Some(RecordId::new("yes")),
                reason: "says nearly the same as yes, which is confirmed".into(),
            }),
            fired: vec![Fired { at: UnixMs(now.0 - 1), head: "poll the pier".into() }],
        };
        Inbox { items: vec![item], pending: 301, remaining_ms: 301 * 12_000 }
    }

    fn names() -> Names {
        [(ThreadId::new("t1"), "Harbour".to_owned())].into()
    }

    #[test]
    fn a_person_reads_each_candidate_with_what_helps_to_judge_it() {
        insta::assert_snapshot!(told(&inbox(), &names(), &Context::fixed()), @r#"
        301 candidates wait for triage, about 1 h to judge

        1. dead-end k3f9a2c1  agent  2026-01-01
           polling the pier [2J
           before: The relay lost mails.
           quote: Polling the pier does not work, it is too slow.
           thread: Harbour
           similar: yes (confirmed) no polling
           would have been shown on: 2025-12-31 poll the pier
           suggestion: merge: says nearly the same as yes, which is confirmed

        300 more: six triage --list --limit 301

        judge them: six triage on a terminal, or six triage --apply FILE with [{"id": ..., "verdict": "confirm"}, ...]
        "#);
    }

    #[test]
    fn a_program_reads_every_field_that_was_promised() {
        let json: Value = serde_json::from_str(&told_json(&inbox(), &names())).unwrap();
        insta::assert_snapshot!(serde_json::to_string_pretty(&json).unwrap(), @r#"
        {
          "items": [
            {
              "body": "",
              "date": "2026-01-01T00:00:00.000Z",
              "fired": [
                {
                  "date": "2025-12-31T23:59:59.999Z",
                  "head": "poll the pier"
                }
              ],
              "id": "k3f9a2c1",
              "kind": "dead_end",
              "neighbours": {
                "after": "",
                "before": "The relay lost mails."
              },
              "origin": "agent",
              "quote": "Polling the pier does not work,\nit is too slow.",
              "rejected": [],
              "revive_if": "",
              "scope": "",
              "session": "s-1",
              "sightings": [],
              "similar": [
                {
                  "id": "yes",
                  "state": "confirmed",
                  "title": "no polling"
                }
              ],
              "source_path": null,
              "suggestion": {
                "into": "yes",
                "reason": "says nearly the same as yes, which is confirmed",
                "verdict": "merge"
              },
              "thread": {
                "id": "t1",
                "name": "Harbour"
              },
              "title": "polling the pier [2J",
              "turn": "u1",
              "version": "97e8b6d027d4553c0cde",
              "written_by": ""
            }
          ],
          "pending": 301,
          "remaining_s": 3612,
          "schema": "six.triage/1"
        }
        "#);
    }

    #[test]
    fn a_kind_is_known_by_both_its_names_and_a_typo_gets_the_nearest() {
        assert_eq!(parse_kind("dead-end").unwrap(), RecordKind::DeadEnd);
        assert_eq!(parse_kind("dead_end").unwrap(), RecordKind::DeadEnd);
        assert!(parse_kind("decison").unwrap_err().to_string().contains("did you mean --kind decision?"));
    }
}
