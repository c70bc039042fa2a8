//! Scratch stores and made-up rows for the tests of this crate.

use std::path::PathBuf;
use std::time::Duration;

use six_core::health::{CheckName, CheckReport, Judged, Verdict};
use six_core::ingest::{Batch, FileState, Mode};
use six_core::record::{
    Author, Chunk, Entry, EntryKind, EventId, Heartbeat, HookName, Origin, Outcome, OutcomeKind, Record, RecordId,
    RecordKind, RecordState, SessionId, Source, Thread, ThreadId, UnixMs,
};
use six_core::search::{EmbedTranscripts, Filter, Model, Query, parse_query};
use six_core::text::{Redacted, Redactor};
use tempfile::TempDir;

use crate::records::change_state;
use crate::table::{body, vector};
use crate::{Access, Process, Store, Watch};

pub(crate) const NOW: UnixMs = UnixMs(1_770_000_000_000);

pub(crate) struct Scratch {
    pub(crate) dir: TempDir,
    pub(crate) store: Store,
}

impl Scratch {
    pub(crate) fn new() -> Self {
        let dir = TempDir::new().unwrap();
        let store = Store::create(&dir.path().join("memory.db"), NOW).unwrap();
        Self { dir, store }
    }

    pub(crate) fn path(&self) -> PathBuf {
        self.dir.path().join("memory.db")
    }

    pub(crate) fn open(&self, access: Access) -> Store {
        Store::open(&self.path(), access, Duration::from_secs(10)).unwrap()
    }

    /// Every vector is [`made_vector`] of what its body says now.
    pub(crate) fn assert_vectors_current(&self) {
        let mut stmt = self.store.conn.prepare("SELECT body_id, value_i8 FROM vector").unwrap();
        let rows = stmt.query_map([], |row| Ok((row.get(0)?, row.get::<_, Vec<u8>>(1)?))).unwrap();
        for row in rows {
            let (body, values) = row.unwrap();
            let told = crate::vectors::embedded_text(&self.store.conn, body).unwrap();
            assert_eq!(Some(values), told.map(|text| vector::bytes(&made_vector(&text))));
        }
    }

    /// Parity, frequencies and structures, all counted anew.
    pub(crate) fn assert_whole(&self) {
        let check = self.store.full_check(NOW).unwrap();
        assert_eq!([check.faults, check.vectors].concat(), Vec::<String>::new());
    }
}

pub(crate) fn text(s: &str) -> Redacted {
    serde_json::from_value(serde_json::Value::String(s.to_owned())).unwrap()
}

/// An entry of one chunk per line.
pub(crate) fn entry(source: Source, kind: EntryKind, key: &str, body: &str) -> Entry {
    let mut at = 0;
    let mut chunks = Vec::new();
    for line in body.split_inclusive('\n') {
        let end = at + line.len();
        chunks.push(Chunk { range: at..end - usize::from(line.ends_with('\n')), lines: None, title: text("") });
        at = end;
    }
    Entry {
        key: key.to_owned(),
        source,
        kind,
        origin: Origin::Operator,
        session: None,
        path: (source != Source::Transcript).then(|| text(key)),
        title: text(""),
        text: text(body),
        at: Some(NOW),
        branch: None,
        chunks,
    }
}

pub(crate) fn doc(path: &str, body: &str) -> Entry {
    entry(Source::Doc, EntryKind::Doc, path, body)
}

pub(crate) fn prompt(uuid: &str, body: &str) -> Entry {
    entry(Source::Transcript, EntryKind::Prompt, uuid, body)
}

pub(crate) fn answer(uuid: &str, body: &str) -> Entry {
    entry(Source::Transcript, EntryKind::Answer, uuid, body)
}

pub(crate) fn file(source: Source, path: &str) -> FileState {
    FileState {
        source,
        path_hash: format!("hash of {path}"),
        path: text(path),
        size_bytes: 10,
        mtime_ns: 20,
        content_hash: "c".to_owned(),
        consumed_bytes: 10,
        consumed_lines: 1,
        fails: 0,
        last_error: text(""),
        tried: NOW,
        skipped: std::collections::BTreeMap::new(),
    }
}

pub(crate) fn batch(source: Source, path: &str, mode: Mode, entries: Vec<Entry>) -> Batch {
    Batch { file: file(source, path), mode, entries, tree: None, sessions: Vec::new(), inventory: None, rules: None }
}

/// A document that is the whole of its file.
pub(crate) fn doc_batch(path: &str, body: &str) -> Batch {
    batch(Source::Doc, path, Mode::Replace, vec![doc(path, body)])
}

/// The model of the made-up vectors.
pub(crate) const MODEL: &str = "made-up";

/// A vector of 8 values that is the same for the same text.
pub(crate) fn made_vector(text: &str) -> Vec<i8> {
    body::hash(text).iter().take(8).map(|byte| (*byte % 127).cast_signed() - 63).collect()
}

/// Embeds all that waits; answers how many. The width is that of the first.
pub(crate) fn embed(store: &Store, transcripts: EmbedTranscripts, vector: impl Fn(&str) -> Vec<i8>) -> u64 {
    let model = Model { name: MODEL.to_owned(), width: vector("").len() };
    let waiting = store.unembedded(&model, transcripts, NOW, None, 10_000).unwrap();
    let made: Vec<_> = waiting.iter().map(|u| (u.body, u.hash, vector(&u.text))).collect();
    store.put_vectors(&model, &made).unwrap()
}

pub(crate) fn query(words: &str) -> Query {
    parse_query(words, Filter::default(), 10, NOW)
}

pub(crate) fn heartbeat(id: &str, hook: HookName) -> Heartbeat {
    Heartbeat {
        id: EventId::new(id),
        hook,
        event: text("UserPromptSubmit"),
        session: Some(SessionId::new("s1")),
        via: text("settings"),
        pid: 4242,
        version: "0.1.0".to_owned(),
        started: NOW,
        deadline_ms: 500,
        synthetic: false,
        outcome: None,
    }
}

/// A look at the hooks by a binary of the version that the rows are of.
pub(crate) fn watch(now: UnixMs, process: &dyn Fn(u32) -> Process) -> Watch<'_> {
    Watch { now, version: "0.1.0", tools: &["Bash", "Edit"], process }
}

pub(crate) fn outcome(kind: OutcomeKind) -> Outcome {
    Outcome {
        kind,
        class: String::new(),
        text: text(""),
        ended: UnixMs(NOW.0 + 5),
        took_us: None,
        rows_written: 1,
        bytes_emitted: 0,
    }
}

pub(crate) fn record(id: &str, kind: RecordKind, state: RecordState, title: &str, body: &str) -> Record {
    Record {
        id: RecordId::new(id),
        kind,
        state,
        origin: Origin::Operator,
        title: text(title),
        body: text(body),
        quote: text(""),
        rejected: Vec::new(),
        revive_if: text(""),
        scope: text(""),
        thread: None,
        superseded_by: None,
        session: None,
        turn: None,
        anchors: Vec::new(),
        created: NOW,
        validated: NOW,
        evidence: Redacted::default(),
        commits: Vec::new(),
        source_path: None,
        written_by: Redacted::default(),
    }
}

pub(crate) fn thread(id: &str, name: &str) -> Thread {
    Thread { id: ThreadId::new(id), name: text(name), summary: text(""), open: true, created: NOW, merged_into: None }
}

impl Store {
    /// Moves the record whose id begins with `prefix` to a state, whatever leads there.
    pub(crate) fn set_state(
        &self,
        prefix: &str,
        state: RecordState,
        author: impl Into<Author>,
        now: UnixMs,
    ) -> crate::Result<Record> {
        let old = self.record(prefix)?;
        self.write(|conn| change_state(conn, &old, state, &author.into(), &text(""), None, now))?;
        self.record(prefix)
    }
}

/// What a check said.
pub(crate) fn judged(name: CheckName, verdict: Verdict) -> Judged {
    Judged::of(&CheckReport { name, verdict }, &Redactor::new(), None)
}
