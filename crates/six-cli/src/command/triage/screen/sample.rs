//! Made-up candidates.

use six_core::curate::{Fired, Inbox, Sighting, Similar, Suggestion, TriageItem, TriageVerdict};
use six_core::record::{Anchor, Origin, Record, RecordId, RecordKind, RecordState, SessionId, ThreadId, UnixMs};
use six_core::text::{Redacted, Redactor};

/// 2026-03-14 09:26 UTC.
pub(super) const AT: UnixMs = UnixMs(1_773_480_360_000);

fn text(text: &str) -> Redacted {
    Redactor::new().redact(text)
}

fn record(id: &str, kind: RecordKind, title: &str, quote: &str) -> Record {
    Record {
        id: RecordId::new(id),
        kind,
        state: RecordState::Pending,
        origin: Origin::Operator,
        title: text(title),
        body: Redacted::default(),
        quote: text(quote),
        rejected: Vec::new(),
        revive_if: Redacted::default(),
        scope: Redacted::default(),
        thread: None,
        superseded_by: None,
        session: Some(SessionId::new("5e55104a-0000-4000-8000-000000000001")),
        turn: Some("7a2b0000-0000-4000-8000-000000000009".to_owned()),
        anchors: Vec::new(),
        created: AT,
        validated: AT,
        evidence: Redacted::default(),
        commits: Vec::new(),
        source_path: None,
        written_by: Redacted::default(),
    }
}

fn bare(record: Record) -> TriageItem {
    TriageItem {
        record,
        neighbours: (String::new(), String::new()),
        sightings: Vec::new(),
        similar: Vec::new(),
        suggestion: None,
        fired: Vec::new(),
    }
}

/// One of every kind: a decision with all the evidence there can be, a dead end in Chinese, a correction whose text tries
/// to rule the terminal.
pub(super) fn items() -> Vec<TriageItem> {
    vec![decision(), dead_end(), correction()]
}

/// Candidates as an inbox, a quarter of a minute each.
pub(super) fn waiting(items: Vec<TriageItem>) -> Inbox {
    let pending = items.len() as u64;
    Inbox { items, pending, remaining_ms: 15_000 * i64::try_from(pending).unwrap() }
}

fn decision() -> TriageItem {
    let mut record = record(
        "d1000000000000000000000000",
        RecordKind::Decision,
        "Berths are numbered from the harbour mouth",
        "Let's number the berths from the harbour mouth, not from the quay.",
    );
    record.rejected = vec![text("from the quay: it moves with every dredging")];
    record.thread = Some(ThreadId::new("t1"));
    record.anchors = vec![
        Anchor { lines: Some((3, 9)), ..Anchor::of_path(text("src/berth.rs")) },
        Anchor::of_path(text("README.md")),
    ];
    let sighting = Sighting {
        record: record.id.clone(),
        turn: "7a2b0000-0000-4000-8000-000000000012".to_owned(),
        session: None,
        origin: Origin::Agent,
        quote: text("Berth 1 is the one at the mouth, as agreed."),
        at: UnixMs(AT.0 + UnixMs::DAY_MS),
    };
    let similar = Similar {
        id: RecordId::new("a7000000000000000000000000"),
        kind: RecordKind::Decision,
        state: RecordState::Confirmed,
        title: "Berth numbers start at the mouth of the harbour".to_owned(),
    };
    TriageItem {
        neighbours: ("The pilots complained again.".to_owned(), "Then the chart and the code agree.".to_owned()),
        sightings: vec![sighting],
        suggestion: Some(Suggestion {
            verdict: TriageVerdict::Merge,
            into: Some(similar.id.clone()),
            reason: "says nearly the same as a7000000000000000000000000, which is confirmed".to_owned(),
        }),
        similar: vec![similar],
        fired: vec![Fired {
            at: UnixMs(AT.0 + 2 * UnixMs::DAY_MS),
            head: "number the new berths at the pier".to_owned(),
        }],
        ..bare(record)
    }
}

fn dead_end() -> TriageItem {
    let mut record = record(
        "d2000000000000000000000000",
        RecordKind::DeadEnd,
        "把潮汐表放进数据库的方案行不通，因为每次查询都要锁住整张表",
        "我们试过把潮汐表放进数据库，行不通：每次查询都要锁住整张表。",
    );
    record.origin = Origin::Agent;
    record.revive_if = text("数据库支持行锁");
    bare(record)
}

fn correction() -> TriageItem {
    bare(record(
        "d3000000000000000000000000",
        RecordKind::Correction,
        "Never \u{1b}[2J\u{1b}]0;owned\u{7} print tide tables raw",
        "never\u{1b}[31m print tide tables raw\r\nnot even once",
    ))
}

/// A record as [`super::Inbox::find`] gives it.
pub(super) fn similar(id: &str, title: &str) -> Similar {
    Similar {
        id: RecordId::new(id),
        kind: RecordKind::Decision,
        state: RecordState::Confirmed,
        title: title.to_owned(),
    }
}

/// The threads of the samples.
pub(super) fn threads() -> Vec<(ThreadId, String)> {
    vec![(ThreadId::new("t1"), "Berths".to_owned()), (ThreadId::new("t2"), "潮汐".to_owned())]
}
