//! A made-up memory, and what a search in it takes.

use std::collections::BTreeMap;
use std::time::Instant;

use six_core::ingest::{Batch, FileState, Mode};
use six_core::record::{
    Chunk, Entry, EntryKind, Origin, Record, RecordId, RecordKind, RecordState, SessionId, Source, UnixMs,
};
use six_core::search::{EmbedTranscripts, Filter, Leg, Legs, Model, NoVector, parse_query};
use six_core::text::{Redacted, Redactor};
use six_runtime::embed::Provider;
use six_store::Store;

use super::super::corpus::scratch_failure;
use super::figure::Figure;
use super::stage::MADE_UP_AT;
use super::text::Prose;
use crate::failure::Failure;

/// Words of a made-up answer: one chunk of some six hundred characters.
const WORDS_OF_AN_ANSWER: usize = 100;

/// Answers in a made-up session, committed at once.
const ANSWERS_OF_A_SESSION: usize = 1_000;

/// Confirmed records: more than a person enters in years.
const RECORDS: usize = 1_000;

/// Searches that are timed.
const SEARCHES: usize = 300;

/// Words of a made-up question.
const WORDS_OF_A_QUESTION: usize = 12;

/// Vectors of one transaction.
const VECTORS_AT_ONCE: usize = 4_096;

/// Hits wanted, as `six search` wants them by default.
const HITS: usize = 10;

/// Fills a store with made-up answers, one chunk each, and with records; answers the title of the newest record.
pub(super) fn fill(store: &Store, chunks: usize) -> Result<String, Failure> {
    let mut prose = Prose::new(1);
    put_answers(store, (0..chunks).map(|_| prose.text(WORDS_OF_AN_ANSWER)))?;
    let redactor = Redactor::new();
    let mut title = String::new();
    for number in 0..RECORDS {
        title = prose.text(10);
        let new = record(number, &title, &prose.text(40), redactor);
        store.add_record(&new, "operator").map_err(|fault| scratch_failure(&fault))?;
    }
    Ok(title)
}

/// Stores texts as the answers of made-up sessions, one chunk each.
pub(crate) fn put_answers(store: &Store, texts: impl IntoIterator<Item = String>) -> Result<(), Failure> {
    let redactor = Redactor::new();
    let mut answers = texts.into_iter().enumerate().map(|(number, text)| answer(number, &text, redactor)).peekable();
    let mut sessions = 0;
    while answers.peek().is_some() {
        let batch = session(sessions, answers.by_ref().take(ANSWERS_OF_A_SESSION).collect(), redactor);
        store.commit(&batch).map_err(|fault| scratch_failure(&fault))?;
        sessions += 1;
    }
    Ok(())
}

fn answer(number: usize, text: &str, redactor: Redactor) -> Entry {
    let text = redactor.redact(text);
    let whole = Chunk { range: 0..text.as_str().len(), lines: None, title: Redacted::literal("") };
    Entry {
        key: format!("{number:08x}-0000-4000-8000-5e5500000000"),
        source: Source::Transcript,
        kind: EntryKind::Answer,
        origin: Origin::Agent,
        session: Some(SessionId::new(format!("made-up-{}", number / ANSWERS_OF_A_SESSION))),
        path: None,
        title: Redacted::literal(""),
        text,
        at: Some(UnixMs(MADE_UP_AT.0 + i64::try_from(number).unwrap_or(0) * 1000)),
        branch: None,
        chunks: vec![whole],
    }
}

fn session(number: usize, entries: Vec<Entry>, redactor: Redactor) -> Batch {
    let path = format!("/made-up/{number}.jsonl");
    Batch {
        file: FileState {
            source: Source::Transcript,
            path_hash: path.clone(),
            path: redactor.redact(&path),
            size_bytes: 0,
            mtime_ns: 0,
            content_hash: String::new(),
            consumed_bytes: 0,
            consumed_lines: 0,
            fails: 0,
            last_error: Redacted::literal(""),
            tried: MADE_UP_AT,
            skipped: BTreeMap::new(),
        },
        mode: Mode::Append,
        entries,
        tree: None,
        sessions: Vec::new(),
        inventory: None,
        rules: None,
    }
}

fn record(number: usize, title: &str, body: &str, redactor: Redactor) -> Record {
    Record {
        id: RecordId::new(format!("made-up-{number}")),
        kind: RecordKind::Decision,
        state: RecordState::Confirmed,
        origin: Origin::Operator,
        title: redactor.redact(title),
        body: redactor.redact(body),
        quote: Redacted::literal(""),
        rejected: Vec::new(),
        revive_if: Redacted::literal(""),
        scope: Redacted::literal(""),
        thread: None,
        superseded_by: None,
        session: None,
        turn: None,
        anchors: Vec::new(),
        created: MADE_UP_AT,
        validated: MADE_UP_AT,
        evidence: Redacted::default(),
        commits: Vec::new(),
        source_path: None,
        written_by: Redacted::default(),
    }
}

/// What the median search may take in a store of so many chunks, in milliseconds.
fn budget(chunks: usize) -> f64 {
    match chunks {
        ..=20_000 => 5.0,
        20_001..=200_000 => 25.0,
        _ => 100.0,
    }
}

/// Gives every text a made-up vector of the model. Embedding a million texts would take hours, and a search costs the same
/// whatever the vectors say.
pub(super) fn fill_vectors(store: &Store, model: &Model) -> Result<(), Failure> {
    let mut prose = Prose::new(3);
    let mut last = None;
    loop {
        let next = store.unembedded(model, EmbedTranscripts::All, MADE_UP_AT, last.as_ref(), VECTORS_AT_ONCE);
        let next = next.map_err(|fault| scratch_failure(&fault))?;
        let made: Vec<_> = next.iter().map(|text| (text.body, text.hash, prose.values(model.width))).collect();
        store.put_vectors(model, &made).map_err(|fault| scratch_failure(&fault))?;
        last = next.into_iter().next_back();
        if last.is_none() {
            return Ok(());
        }
    }
}

/// Times searches for made-up questions: by words alone, and by both legs with the embedding of the question.
pub(super) fn time_searches(
    store: &Store,
    provider: &Provider,
    chunks: usize,
    on: &str,
) -> Result<Vec<Figure>, Failure> {
    let words = time(store, provider, Legs::Only(Leg::Lexical))?;
    let both = time(store, provider, Legs::Both)?;
    let most = Some(budget(chunks));
    let mut figures = Figure::times("search in the library, words", on, words, most, None);
    figures.extend(Figure::times("search in the library, words and meaning", on, both, most, None));
    Ok(figures)
}

fn time(store: &Store, provider: &Provider, legs: Legs) -> Result<Vec<f64>, Failure> {
    let mut prose = Prose::new(2);
    let mut times = Vec::with_capacity(SEARCHES);
    for _ in 0..SEARCHES {
        let question = prose.text(WORDS_OF_A_QUESTION);
        let begun = Instant::now();
        let mut query = parse_query(&question, Filter::default(), HITS, MADE_UP_AT);
        query.legs = legs;
        if legs.has(Leg::Vector) {
            query.vector = provider
                .embed_query(&Redactor::new().redact(&question))
                .map_err(|why| NoVector::Failed(why.to_string()));
        }
        store.search(&query).map_err(|fault| scratch_failure(&fault))?;
        times.push(begun.elapsed().as_secs_f64() * 1000.0);
    }
    Ok(times)
}
