//! A made-up project's decisions, dead ends, rules and subsystems, with prompts that should be shown each, and prompts that
//! only look like it.

use std::collections::BTreeMap;

use serde::{Deserialize, Serialize};
use six_core::inject::ItemKind;
use six_core::record::{
    Anchor, ItemId, Origin, Record, RecordId, RecordKind, RecordState, Subsystem, SubsystemId, SubsystemState, Thread,
    ThreadId, UnixMs,
};
use six_core::text::{Redacted, Redactor};

const BUILT_IN: &str = include_str!("planted.jsonl");

/// What is planted, and how it is asked for.
#[derive(Debug, Clone, PartialEq)]
pub(super) struct Planted {
    /// Its id; not that of a stored row.
    pub(super) id: String,
    /// What it is.
    pub(super) kind: ItemKind,
    /// Its thread, if it is part of one.
    pub(super) thread: Option<String>,
    /// Prompts about it, and prompts that are not.
    pub(super) asks: Vec<Ask>,
    /// The row that is stored.
    pub(super) row: Row,
}

/// The row of a planted item.
#[derive(Debug, Clone, PartialEq)]
pub(super) enum Row {
    /// A confirmed record.
    Record(Box<Record>),
    /// An entry of the inventory.
    Subsystem(Box<Subsystem>),
}

/// A prompt.
#[derive(Debug, Clone, PartialEq, Deserialize)]
pub(super) struct Ask {
    /// What is typed.
    pub(super) text: String,
    /// How near it is to the item.
    pub(super) how: How,
    /// Whether the item should be shown.
    pub(super) should: bool,
}

/// How near a prompt is to a planted item.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Deserialize, Serialize)]
#[serde(rename_all = "snake_case")]
pub(super) enum How {
    /// About it, with words that it has.
    Words,
    /// About it, in other words.
    Paraphrase,
    /// About something else, with words that it has.
    NearMiss,
}

#[derive(Deserialize)]
struct Line {
    id: String,
    kind: ItemKind,
    title: String,
    body: String,
    paths: Vec<String>,
    state: Option<String>,
    thread: Option<String>,
    prompts: Vec<Ask>,
}

impl Planted {
    /// The key of damping and receipts.
    pub(super) fn item(&self) -> ItemId {
        match &self.row {
            Row::Record(record) => record.item(),
            Row::Subsystem(subsystem) => subsystem.item(),
        }
    }

    /// The key of its thread.
    pub(super) fn thread_item(&self) -> Option<ItemId> {
        self.thread.as_ref().map(|name| ItemId::new(format!("thread:{}", thread_id(name))))
    }

    /// What it says.
    pub(super) fn texts(&self) -> [&str; 2] {
        match &self.row {
            Row::Record(record) => [record.title.as_str(), record.body.as_str()],
            Row::Subsystem(subsystem) => [subsystem.name.as_str(), subsystem.purpose.as_str()],
        }
    }
}

/// What is planted, entered at that time.
pub(super) fn built_in(now: UnixMs) -> Result<Vec<Planted>, String> {
    let lines = (1..).zip(BUILT_IN.lines());
    lines.map(|(number, line)| planted(line, now).map_err(|why| format!("planted, line {number}: {why}"))).collect()
}

fn planted(line: &str, now: UnixMs) -> Result<Planted, String> {
    let line: Line = serde_json::from_str(line).map_err(|fault| fault.to_string())?;
    let row = match line.kind {
        ItemKind::Subsystem => Row::Subsystem(Box::new(subsystem(&line, now)?)),
        ItemKind::Decision => Row::Record(Box::new(record(&line, RecordKind::Decision, now))),
        ItemKind::DeadEnd => Row::Record(Box::new(record(&line, RecordKind::DeadEnd, now))),
        ItemKind::Correction => Row::Record(Box::new(record(&line, RecordKind::Correction, now))),
        kind @ (ItemKind::Cheatsheet | ItemKind::Thread) => return Err(format!("a {kind:?} can't be planted")),
    };
    Ok(Planted { id: line.id, kind: line.kind, thread: line.thread, asks: line.prompts, row })
}

fn subsystem(line: &Line, now: UnixMs) -> Result<Subsystem, String> {
    let redactor = Redactor::new();
    let state = line.state.as_deref().and_then(SubsystemState::parse).ok_or("a subsystem needs its state")?;
    Ok(Subsystem {
        id: SubsystemId::new(line.id.as_str()),
        name: redactor.redact(&line.title),
        purpose: redactor.redact(&line.body),
        paths: line.paths.iter().map(|path| redactor.redact(path)).collect(),
        entry_points: Vec::new(),
        state,
        origin: Origin::Operator,
        source_path: None,
        created: now,
    })
}

fn record(line: &Line, kind: RecordKind, now: UnixMs) -> Record {
    let redactor = Redactor::new();
    let empty = || Redacted::literal("");
    Record {
        id: RecordId::new(line.id.as_str()),
        kind,
        state: RecordState::Confirmed,
        origin: Origin::Operator,
        title: redactor.redact(&line.title),
        body: redactor.redact(&line.body),
        quote: empty(),
        rejected: Vec::new(),
        revive_if: empty(),
        scope: empty(),
        thread: line.thread.as_deref().map(thread_id),
        superseded_by: None,
        session: None,
        turn: None,
        anchors: line.paths.iter().map(|path| Anchor::of_path(redactor.redact(path))).collect(),
        created: now,
        validated: now,
        evidence: Redacted::default(),
        commits: Vec::new(),
        source_path: None,
        written_by: Redacted::default(),
    }
}

/// The threads of what is planted.
pub(super) fn threads(all: &[Planted], now: UnixMs) -> Vec<Thread> {
    let names: BTreeMap<&str, Thread> = all
        .iter()
        .filter_map(|one| one.thread.as_deref())
        .map(|name| {
            let thread = Thread {
                id: thread_id(name),
                name: Redactor::new().redact(name),
                summary: Redacted::literal(""),
                open: true,
                created: now,
                merged_into: None,
            };
            (name, thread)
        })
        .collect();
    names.into_values().collect()
}

fn thread_id(name: &str) -> ThreadId {
    ThreadId::new(format!("pl-{name}"))
}

#[cfg(test)]
mod tests {
    use std::collections::BTreeSet;

    use super::*;

    #[test]
    fn what_is_planted_holds_what_it_claims() {
        let all = built_in(UnixMs(0)).unwrap();
        let of = |kind| all.iter().filter(|one| one.kind == kind).count();
        assert_eq!(
            [ItemKind::Subsystem, ItemKind::Decision, ItemKind::DeadEnd, ItemKind::Correction].map(of),
            [35, 20, 20, 15]
        );
        assert_eq!(all.iter().map(Planted::item).collect::<BTreeSet<_>>().len(), 90);
        for one in &all {
            let hows: Vec<How> = one.asks.iter().map(|ask| ask.how).collect();
            assert_eq!(hows, [How::Words, How::Words, How::Paraphrase, How::NearMiss], "{}", one.id);
            assert!(one.asks.iter().all(|ask| ask.should != (ask.how == How::NearMiss)), "{}", one.id);
            assert!(one.texts().iter().all(|text| !text.is_empty()), "{}", one.id);
        }
        let threads = threads(&all, UnixMs(0));
        assert_eq!(threads.len(), 6);
        let keys: BTreeSet<ItemId> = threads.iter().map(|one| ItemId::new(format!("thread:{}", one.id))).collect();
        assert!(all.iter().filter_map(Planted::thread_item).all(|item| keys.contains(&item)));
    }
}
