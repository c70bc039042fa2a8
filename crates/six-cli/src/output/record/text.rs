//! A record as a person reads it.

use six_core::curate::Sighting;
use six_core::inject::anchor_label;
use six_core::record::{Anchor, AnchorState, Place, Record, RecordState, Thread, UnixMs};
use six_core::text::{Redacted, printable};
use six_store::WholeRecord;

use super::step::step_line;
use crate::context::Context;
use crate::output::{count, fit};

/// Columns of a title in a list.
const TITLE_COLUMNS: usize = 100;

/// Kind, id and title.
pub(crate) fn record_head(record: &Record) -> String {
    format!("{} {}  {}", record.kind.as_str(), record.id, fit(&printable(record.title.as_str()), TITLE_COLUMNS))
}

/// A record in a list, with the name of its thread if that is among `threads`.
pub(crate) fn record_line(record: &Record, threads: &[Thread], context: &Context) -> String {
    let thread = record
        .thread
        .as_ref()
        .and_then(|id| threads.iter().find(|thread| thread.id == *id))
        .map_or_else(String::new, |thread| format!("  [{}]", printable(thread.name.as_str())));
    format!(
        "{}  {}  {:<10} {}{thread}",
        record.id,
        UnixMs::date(record.created, context.offset),
        record.state.as_str(),
        fit(&printable(record.title.as_str()), TITLE_COLUMNS),
    )
}

/// All that is known about a record. `states` belong to its anchors, `threads` name those that its history tells of.
pub(crate) fn record_text(
    whole: &WholeRecord,
    states: &[AnchorState],
    threads: &[Thread],
    context: &Context,
) -> String {
    let record = &whole.record;
    let mut lines = vec![format!(
        "{} {} ({}, {}, {})",
        record.kind.as_str(),
        record.id,
        record.state.as_str(),
        record.origin.as_str(),
        record.created.date(context.offset)
    )];
    lines.extend(says(record));
    let mut states = states.iter();
    lines.extend(record.anchors.iter().map(|anchor| stands_on(anchor, states.next(), context)));
    if let Some(thread) = &whole.thread {
        lines.push(format!("thread: {} ({})", printable(thread.name.as_str()), thread.id));
    }
    lines.extend(whole.sightings.iter().map(|seen| said_again(seen, context)));
    lines.extend(whole.supersedes.iter().map(|old| {
        let how = if old.state == RecordState::Expired { "has as evidence" } else { "supersedes" };
        format!("{how}: {}", record_head(old))
    }));
    let by = if record.state == RecordState::Expired { "evidence of" } else { "superseded by" };
    match (&whole.superseded_by, &record.superseded_by) {
        (Some(new), _) => lines.push(format!("{by}: {}", record_head(new))),
        (None, Some(id)) => lines.push(format!("{by}: {id}, which is not in this memory")),
        (None, None) => {}
    }
    lines.push(format!("last validated: {}", record.validated.date(context.offset)));
    lines.extend(shown(whole, context));
    lines.push(String::from("history:"));
    lines.extend(whole.history.iter().map(|step| format!("  {}", step_line(step, threads, context))));
    lines.join("\n")
}

/// The fields that are text.
fn says(record: &Record) -> Vec<String> {
    let mut lines = Vec::new();
    let mut field = |name: &str, value: &str| {
        if !value.is_empty() {
            lines.push(format!("{name}: {}", printable(value)));
        }
    };
    field("title", record.title.as_str());
    field("why", record.body.as_str());
    field("worded by", record.written_by.as_str());
    field("quote", record.quote.as_str());
    let session = record.session.as_ref().map(|id| format!("session {id}"));
    let turn = record.turn.as_ref().map(|turn| format!("turn {turn}"));
    field("said in", &session.into_iter().chain(turn).collect::<Vec<_>>().join(", "));
    for rejected in &record.rejected {
        field("rejected", rejected.as_str());
    }
    field("evidence", record.evidence.as_str());
    field("revive if", record.revive_if.as_str());
    field("scope", record.scope.as_str());
    field("commits", &record.commits.join(", "));
    field("stands in", record.source_path.as_ref().map_or("", Redacted::as_str));
    lines
}

fn stands_on(anchor: &Anchor, state: Option<&AnchorState>, context: &Context) -> String {
    let label =
        state.and_then(|state| anchor_label(std::slice::from_ref(anchor), std::slice::from_ref(state), context.offset));
    format!("stands on: {}", printable(&label.unwrap_or_else(|| cited(anchor))))
}

/// The place that an anchor cites, as it is typed.
pub(super) fn cited(anchor: &Anchor) -> String {
    let symbol = anchor.symbol.as_ref().map(Redacted::as_str);
    Place { path: anchor.path.as_str(), lines: anchor.lines, symbol }.to_string()
}

fn said_again(seen: &Sighting, context: &Context) -> String {
    let session = seen.session.as_ref().map_or_else(String::new, |id| format!("session {id}, "));
    format!(
        "said again: \"{}\" ({}, {}, {session}turn {})",
        printable(seen.quote.as_str()),
        seen.origin.as_str(),
        seen.at.date(context.offset),
        printable(&seen.turn)
    )
}

/// How often it was shown, where it was.
fn shown(whole: &WholeRecord, context: &Context) -> Vec<String> {
    let mut lines = Vec::new();
    if let (times @ 1.., last) = whole.served {
        let last = last.map_or_else(String::new, |at| format!(", last on {}", at.date(context.offset)));
        lines.push(format!("shown at session starts: {}{last}", count(times, "time")));
    }
    if let (times @ 1.., sessions) = whole.delivered {
        lines.push(format!("shown on prompts and actions: {} in {}", count(times, "time"), count(sessions, "session")));
    }
    lines
}

#[cfg(test)]
pub(super) mod sample {
    use six_core::record::{Before, Change, Origin, RecordId, RecordKind, RecordState, SessionId, ThreadId, steps};
    use six_core::text::Redactor;

    use super::*;

    pub(in crate::output::record) fn text(text: &str) -> Redacted {
        Redactor::new().redact(text)
    }

    const AT: UnixMs = UnixMs(1_767_225_600_000);

    fn record(id: &str, title: &str) -> Record {
        Record {
            id: RecordId::new(id),
            kind: RecordKind::Decision,
            state: RecordState::Confirmed,
            origin: Origin::Agent,
            title: text(title),
            body: text(""),
            quote: text(""),
            rejected: Vec::new(),
            revive_if: text(""),
            scope: text(""),
            thread: None,
            superseded_by: None,
            session: None,
            turn: None,
            anchors: Vec::new(),
            created: AT,
            validated: AT,
            evidence: text(""),
            commits: Vec::new(),
            source_path: None,
            written_by: text(""),
        }
    }

    /// One with everything, said by an agent, confirmed and changed by a person.
    pub(in crate::output::record) fn whole() -> WholeRecord {
        let thread = Thread {
            id: ThreadId::new("t1"),
            name: text("Queue"),
            summary: text(""),
            open: true,
            created: AT,
            merged_into: None,
        };
        let span = Anchor { lines: Some((3, 9)), hash: Some("h".into()), ..Anchor::of_path(text("src/relay.rs")) };
        let proposed = Record {
            quote: text("we go with the outbox\u{1b}[31m"),
            session: Some(SessionId::new("s1")),
            turn: Some(String::from("u3")),
            state: RecordState::Pending,
            ..record("r1", "Outbox")
        };
        let confirmed = Record { state: RecordState::Confirmed, ..proposed.clone() };
        let reworded = Record {
            title: text("Events go through an outbox"),
            body: text("they survive a restart"),
            rejected: vec![text("polling: too slow"), text("two phases: no driver has them")],
            thread: Some(thread.id.clone()),
            anchors: vec![span, Anchor { symbol: Some(text("settle")), ..Anchor::of_path(text("src/vote.rs")) }],
            evidence: text("cargo test relay: 12 passed"),
            commits: vec![String::from("0a1b2c3")],
            written_by: text("made-up:7b"),
            validated: UnixMs(AT.0 + 7),
            ..confirmed.clone()
        };
        let closed =
            Record { state: RecordState::Superseded, superseded_by: Some(RecordId::new("r9")), ..reworded.clone() };
        let change = |old: &Record, new: &Record, author: &str, reason: &str, batch: Option<&str>| Change {
            from: Some(old.state),
            to: new.state,
            author: author.to_owned(),
            at: AT,
            reason: text(reason),
            before: old.before(new).unwrap(),
            batch: batch.map(str::to_owned),
        };
        let made = Change { from: None, ..change(&proposed, &proposed, "extraction", "", None) };
        let made = Change { before: Before::new(), ..made };
        let changes = vec![
            made,
            change(&proposed, &confirmed, "operator", "", Some("b1")),
            change(&confirmed, &reworded, "operator", "said in full", None),
            change(&reworded, &closed, "operator", "the broker keeps order", None),
        ];
        WholeRecord {
            history: steps(changes, &closed).unwrap(),
            thread: Some(thread),
            sightings: vec![Sighting {
                record: closed.id.clone(),
                turn: String::from("u7"),
                session: Some(SessionId::new("s2")),
                origin: Origin::Operator,
                quote: text("the outbox it is"),
                at: AT,
            }],
            served: (2, Some(AT)),
            delivered: (3, 1),
            supersedes: vec![record("r0", "Events are sent at once")],
            superseded_by: Some(record("r9", "Events go through the broker")),
            record: closed,
        }
    }
}

#[cfg(test)]
mod tests {
    use six_core::record::RecordId;

    use super::*;

    #[test]
    fn a_record_is_shown_with_what_it_stands_on_and_what_became_of_it() {
        let whole = sample::whole();
        let states = [AnchorState::Holds, AnchorState::SymbolGone];
        let threads: Vec<Thread> = whole.thread.clone().into_iter().collect();
        insta::assert_snapshot!(record_text(&whole, &states, &threads, &Context::fixed()), @r#"
        decision r1 (superseded, agent, 2026-01-01)
        title: Events go through an outbox
        why: they survive a restart
        worded by: made-up:7b
        quote: we go with the outbox [31m
        said in: session s1, turn u3
        rejected: polling: too slow
        rejected: two phases: no driver has them
        evidence: cargo test relay: 12 passed
        commits: 0a1b2c3
        stands on: verified today, unchanged: "src/relay.rs:3-9"
        stands on: GONE, "settle" is no longer in: "src/vote.rs"
        thread: Queue (t1)
        said again: "the outbox it is" (operator, 2026-01-01, session s2, turn u7)
        supersedes: decision r0  Events are sent at once
        superseded by: decision r9  Events go through the broker
        last validated: 2026-01-01
        shown at session starts: 2 times, last on 2026-01-01
        shown on prompts and actions: 3 times in 1 session
        history:
          2026-01-01 00:00  extraction  made, pending
          2026-01-01 00:00  operator    pending -> confirmed; batch b1
          2026-01-01 00:00  operator    title: "Outbox" -> "Events go through an outbox"; why: none -> "they survive a restart"; worded by: none -> "made-up:7b"; rejected: none -> "polling: too slow; two phases: no driver has them"; evidence: none -> "cargo test relay: 12 passed"; commits: none -> "0a1b2c3"; stands on: none -> "src/relay.rs:3-9; src/vote.rs#settle"; thread: none -> "Queue"  (said in full)
          2026-01-01 00:00  operator    confirmed -> superseded; superseded by: none -> "r9"  (the broker keeps order)
        "#);
    }

    #[test]
    fn a_record_of_which_little_is_known_says_little() {
        let mut whole = sample::whole();
        whole.record = Record {
            anchors: vec![Anchor::of_path(sample::text("src/relay.rs"))],
            superseded_by: Some(RecordId::new("r8")),
            ..whole.supersedes.remove(0)
        };
        whole = WholeRecord {
            thread: None,
            history: Vec::new(),
            sightings: Vec::new(),
            served: (0, None),
            delivered: (0, 0),
            superseded_by: None,
            ..whole
        };
        insta::assert_snapshot!(record_text(&whole, &[], &[], &Context::fixed()), @"
        decision r0 (confirmed, agent, 2026-01-01)
        title: Events are sent at once
        stands on: src/relay.rs
        superseded by: r8, which is not in this memory
        last validated: 2026-01-01
        history:
        ");
    }
}
