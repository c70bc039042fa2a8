use std::cell::Cell;

use six_core::ingest::{Batch, FileState, Mode};
use six_core::record::{Entry, EntryKind, Origin, RecordKind, RecordState, Source};
use six_core::text::Redacted;

use super::*;
use crate::project::adopt::RootFacts;
use crate::project::enrol::{Wish, enrol};
use crate::project::scratch::Scratch;

const NOW: UnixMs = UnixMs(1_770_000_000_000);

struct Rig {
    _scratch: Scratch,
    project: Project,
    store: Store,
    said: Cell<usize>,
}

impl Rig {
    fn new() -> Self {
        let scratch = Scratch::new();
        let root = scratch.repository("api");
        scratch.commit(&root, "src/ledger.rs", "fn post_entry() {}\n");
        let project = enrol(&scratch.env(), &root, &RootFacts::default(), &Wish::Judge, 0).unwrap().project;
        std::fs::create_dir_all(&project.store_dir).unwrap();
        let store = Store::create(&project.store_dir.join("memory.db"), NOW).unwrap();
        Self { _scratch: scratch, project, store, said: Cell::new(0) }
    }

    /// Ingests messages of the session; those of the agent begin with `>`.
    fn say(&self, messages: &[&str]) {
        let entries = messages.iter().map(|text| self.entry(text)).collect();
        let file = FileState {
            source: Source::Transcript,
            path_hash: String::from("h"),
            path: redact("t.jsonl"),
            size_bytes: 1,
            mtime_ns: 1,
            content_hash: String::new(),
            consumed_bytes: 1,
            consumed_lines: 1,
            fails: 0,
            last_error: redact(""),
            tried: NOW,
            skipped: BTreeMap::new(),
        };
        let (mode, sessions) = (Mode::Append, Vec::new());
        self.store.commit(&Batch { file, mode, entries, tree: None, sessions, inventory: None, rules: None }).unwrap();
    }

    fn entry(&self, text: &str) -> Entry {
        let number = self.said.get();
        self.said.set(number + 1);
        let (kind, origin) = match text.strip_prefix('>') {
            Some(_) => (EntryKind::Answer, Origin::Agent),
            None => (EntryKind::Prompt, Origin::Operator),
        };
        Entry {
            key: format!("u{number}"),
            source: Source::Transcript,
            kind,
            origin,
            session: Some(session()),
            path: None,
            title: redact(""),
            text: redact(text.trim_start_matches('>')),
            at: Some(NOW),
            branch: None,
            chunks: Vec::new(),
        }
    }

    fn extract(&self, pending: Option<usize>) -> Extraction {
        let limits = Limits { pending, is_over: &|| false, now: NOW };
        extract(&self.project, &self.store, &session(), limits).unwrap()
    }

    fn found(&self) -> Vec<(RecordKind, Origin, String)> {
        let mut records = self.store.records(None, &[RecordState::Pending]).unwrap();
        records.sort_by_key(|record| record.turn.as_ref().map(|turn| turn[1..].parse::<u32>().unwrap()));
        records.into_iter().map(|record| (record.kind, record.origin, record.turn.unwrap())).collect()
    }
}

fn session() -> SessionId {
    SessionId::new("s1")
}

fn redact(text: &str) -> Redacted {
    Redactor::new().redact(text)
}

const DECISION: &str = "We decided to keep the ledger in SQLite.";
const DEAD_END: &str = ">Polling the bank's feed was ruled out because the provider bans us after ten calls.";
const CORRECTION: &str = "Don't ever touch the generated files.";

#[test]
fn what_was_decided_ruled_out_and_corrected_becomes_a_candidate_once() {
    let rig = Rig::new();
    rig.say(&[DECISION, ">I edited the generated files.", CORRECTION, DEAD_END]);
    let done = rig.extract(Some(12));
    assert_eq!((done.messages, done.ended), (4, Ended::Finished));
    let expected = [
        (RecordKind::Decision, Origin::Operator, "u0".to_owned()),
        (RecordKind::Correction, Origin::Operator, "u2".to_owned()),
        (RecordKind::DeadEnd, Origin::Agent, "u3".to_owned()),
    ];
    let found = rig.found();
    assert!(expected.iter().all(|one| found.contains(one)), "{found:?}");
    assert_eq!(done.candidates, found.len() as u64);
    assert_eq!(rig.extract(Some(12)), Extraction::default());
    assert_eq!(rig.found(), found);
}

#[test]
fn an_objection_is_read_with_the_answer_that_was_read_before_it() {
    let (together, apart) = (Rig::new(), Rig::new());
    let said = [DECISION, ">I edited the generated files.", CORRECTION, DEAD_END];
    together.say(&said);
    together.extract(None);
    let mut dropped = BTreeMap::new();
    for one in said {
        apart.say(&[one]);
        for (reason, count) in apart.extract(None).dropped {
            *dropped.entry(reason).or_insert(0) += count;
        }
    }
    assert_eq!(apart.found(), together.found());
    let again = Rig::new();
    again.say(&said);
    assert_eq!(dropped, again.extract(None).dropped, "and nothing is counted twice");
}

fn decision(number: usize) -> String {
    let parts = ["ledger", "gateway", "scheduler", "renderer", "importer", "mailer", "indexer", "planner"];
    format!("We decided to run the {} as process {number}.", parts[number % parts.len()])
}

#[test]
fn what_is_over_the_cap_waits_and_comes_in_when_there_is_room() {
    let rig = Rig::new();
    let said: Vec<String> = (0..5).map(decision).collect();
    rig.say(&said.iter().map(String::as_str).collect::<Vec<_>>());
    let done = rig.extract(Some(2));
    assert_eq!((done.candidates, done.messages, done.ended), (2, 2, Ended::Full));
    assert_eq!(rig.store.unread_messages(Some(&session())).unwrap(), 3);
    assert_eq!(rig.extract(Some(2)).candidates, 0, "there is no room yet");

    let first = rig.store.records(None, &[RecordState::Pending]).unwrap().remove(0);
    rig.store
        .judge_records(
            std::slice::from_ref(&first.id),
            RecordState::Rejected,
            Origin::Operator,
            &Redacted::default(),
            NOW,
        )
        .unwrap();
    assert_eq!(rig.extract(Some(2)).candidates, 1);
    assert_eq!(rig.extract(None).candidates, 2);
    assert_eq!(rig.store.unread_messages(Some(&session())).unwrap(), 0);
    assert_eq!(rig.store.records(None, &RecordState::ALL).unwrap().len(), 5);
}

#[test]
fn a_message_with_more_than_the_cap_comes_in_whole_when_nothing_waits() {
    let rig = Rig::new();
    let long = (0..3).map(decision).collect::<Vec<_>>().join("\n\n");
    rig.say(&[&long, &decision(4)]);
    let done = rig.extract(Some(2));
    assert_eq!((done.candidates, done.messages, done.ended), (3, 1, Ended::Full));
    assert_eq!(rig.extract(Some(2)).candidates, 0);
}

#[test]
fn a_reading_whose_time_is_over_leaves_the_rest_unread() {
    let rig = Rig::new();
    let filler = format!(">{}", "The rope is checked. ".repeat(4_000));
    rig.say(&[DECISION, &filler, DEAD_END]);
    let asked = Cell::new(0);
    let is_over = || asked.replace(asked.get() + 1) > 0;
    let limits = Limits { pending: None, is_over: &is_over, now: NOW };
    let done = extract(&rig.project, &rig.store, &session(), limits).unwrap();
    assert_eq!((done.candidates, done.ended), (1, Ended::OutOfTime));
    assert_eq!(rig.extract(None).candidates, 1);
    assert_eq!(rig.found().len(), 2);
}

#[test]
fn the_same_said_again_is_evidence_and_no_second_candidate() {
    let rig = Rig::new();
    rig.say(&[DECISION]);
    rig.extract(None);
    rig.say(&[DECISION]);
    let done = rig.extract(None);
    assert_eq!((done.candidates, done.sightings, done.dropped[&DropReason::Repeated]), (0, 1, 1));
}

#[test]
fn a_candidate_stands_on_the_files_that_its_words_cite() {
    let rig = Rig::new();
    rig.say(&["We decided to keep posting in src/ledger.rs."]);
    rig.extract(None);
    let records = rig.store.records(None, &[RecordState::Pending]).unwrap();
    let cited: Vec<&str> = records[0].anchors.iter().map(|anchor| anchor.path.as_str()).collect();
    assert_eq!(cited, ["src/ledger.rs"]);
    assert_eq!(records[0].session, Some(session()));
}

#[test]
fn only_sessions_that_are_followed_are_read_unasked() {
    let rig = Rig::new();
    rig.say(&[DECISION]);
    let limits = || Limits { pending: None, is_over: &|| false, now: NOW };
    assert_eq!(extract_followed(&rig.project, &rig.store, limits()).unwrap(), Extraction::default());
    rig.extract(None);
    rig.say(&[DEAD_END]);
    assert_eq!(extract_followed(&rig.project, &rig.store, limits()).unwrap().candidates, 1);
}
