//! Measures the store: rate of `commit`, latency of `search` and of its vector leg, time to open. Run with `--release`.
//!
//! The text is made up: words drawn by Zipf's law from 60 000, chunks of about 1 200 bytes. So are the vectors, one for every
//! chunk, which is more than a store has whose transcripts get none.

#![expect(
    clippy::print_stdout,
    clippy::unwrap_used,
    clippy::cast_possible_truncation,
    clippy::cast_possible_wrap,
    clippy::cast_precision_loss,
    clippy::cast_sign_loss,
    reason = "a measuring program: it prints, and ends where it fails"
)]

use std::time::{Duration, Instant};

use six_core::ingest::{Batch, FileState, Mode};
use six_core::inject::{CandidateQuery, Limits, SentPrompt, consider};
use six_core::record::{
    Chunk, Entry, EntryKind, Origin, Record, RecordId, RecordKind, RecordState, SessionId, Source, Thread, ThreadId,
    UnixMs,
};
use six_core::search::{EmbedTranscripts, Filter, Model, QueryVector, parse_query};
use six_core::text::Redacted;
use six_store::{Access, Checkpoint, Store};

const WORDS: usize = 60_000;
const CHUNK_BYTES: usize = 1_200;
const CHUNKS_PER_BATCH: usize = 100;

struct Dice(u64);

impl Dice {
    fn unit(&mut self) -> f64 {
        self.0 ^= self.0 << 13;
        self.0 ^= self.0 >> 7;
        self.0 ^= self.0 << 17;
        (self.0 >> 11) as f64 / (1_u64 << 53) as f64
    }

    fn word(&mut self) -> String {
        let rank = (WORDS as f64).powf(self.unit()) as u64;
        let mut word = String::new();
        let mut n = rank.wrapping_mul(0x9e37_79b9) % 11_881_376;
        for _ in 0..=(rank % 7 + 1) {
            word.push(char::from(b'a' + (n % 26) as u8));
            n /= 26;
        }
        word
    }
}

fn text(s: String) -> Redacted {
    serde_json::from_value(serde_json::Value::String(s)).unwrap()
}

fn batch(dice: &mut Dice, number: usize) -> (Batch, usize) {
    let mut bytes = 0;
    let mut entries = Vec::new();
    for i in 0..CHUNKS_PER_BATCH {
        let mut said = String::with_capacity(CHUNK_BYTES + 16);
        while said.len() < CHUNK_BYTES {
            said.push_str(&dice.word());
            said.push(' ');
        }
        bytes += said.len();
        entries.push(Entry {
            key: format!("{number:08x}-0000-4000-8000-{i:012x}"),
            source: Source::Transcript,
            kind: if i % 4 == 0 { EntryKind::Prompt } else { EntryKind::Answer },
            origin: Origin::Operator,
            session: Some(SessionId::new("s")),
            path: None,
            title: text(dice.word()),
            chunks: vec![Chunk { range: 0..said.len(), lines: None, title: text(String::new()) }],
            text: text(said),
            at: Some(UnixMs(number as i64)),
            branch: None,
        });
    }
    let file = FileState {
        source: Source::Transcript,
        path_hash: format!("{number}"),
        path: text(format!("t{number}.jsonl")),
        size_bytes: 1,
        mtime_ns: 1,
        content_hash: String::new(),
        consumed_bytes: 1,
        consumed_lines: 1,
        fails: 0,
        last_error: text(String::new()),
        tried: UnixMs(1),
        skipped: std::collections::BTreeMap::new(),
    };
    (Batch { file, mode: Mode::Append, entries, tree: None, sessions: Vec::new(), inventory: None }, bytes)
}

fn said(dice: &mut Dice, words: usize) -> Redacted {
    text((0..words).map(|_| dice.word()).collect::<Vec<_>>().join(" "))
}

/// 200 threads of 5 records each, of which two are no longer in force.
fn add_records(store: &Store, dice: &mut Dice) {
    for t in 0..200 {
        let id = ThreadId::new(format!("t{t}"));
        let (name, summary) = (said(dice, 3), said(dice, 12));
        store
            .add_thread(&Thread { id: id.clone(), name, summary, open: true, created: UnixMs(t), merged_into: None })
            .unwrap();
        for n in 0..5 {
            let record = Record {
                id: RecordId::new(format!("r{t}-{n}")),
                kind: if n == 1 { RecordKind::DeadEnd } else { RecordKind::Decision },
                state: if n < 2 { RecordState::Superseded } else { RecordState::Confirmed },
                origin: Origin::Operator,
                title: said(dice, 8),
                body: said(dice, 40),
                quote: text(String::new()),
                rejected: vec![said(dice, 6)],
                revive_if: text(String::new()),
                scope: text(String::new()),
                thread: Some(id.clone()),
                superseded_by: None,
                session: None,
                turn: None,
                anchors: Vec::new(),
                created: UnixMs(n),
                validated: UnixMs(n),
                evidence: Redacted::default(),
                commits: Vec::new(),
                source_path: None,
                written_by: Redacted::default(),
            };
            store.add_record(&record, "operator").unwrap();
        }
    }
}

fn percentile(times: &mut [Duration], of_100: usize) -> Duration {
    times.sort();
    times[(times.len() - 1) * of_100 / 100]
}

fn report_reads(path: &std::path::Path, dice: &mut Dice) {
    let mut opened = Vec::new();
    for _ in 0..100 {
        let start = Instant::now();
        let store = Store::open(path, Access::Hook, Duration::from_millis(50)).unwrap();
        opened.push(start.elapsed());
        drop(store);
    }
    let store = Store::open(path, Access::Read, Duration::from_millis(50)).unwrap();
    let (mut searched, mut filtered, mut injected) = (Vec::new(), Vec::new(), Vec::new());
    let (mut told, mut considered, mut items, mut threads) = (Vec::new(), Vec::new(), 0, 0);
    for _ in 0..100 {
        let terms: Vec<String> = (0..8).map(|_| dice.word()).collect();
        let mut query = parse_query(&terms.join(" "), Filter::default(), 10, UnixMs(0));
        let start = Instant::now();
        store.search(&query).unwrap();
        searched.push(start.elapsed());
        query.filter.kinds = vec![EntryKind::Prompt];
        let start = Instant::now();
        store.search(&query).unwrap();
        filtered.push(start.elapsed());
        let (rare_idf, small_corpus) = (Limits::default().rare_idf, Limits::default().small_corpus);
        let kinds = EntryKind::ALL.to_vec();
        let mut query = CandidateQuery {
            terms,
            kinds,
            limit: 20,
            topics: Vec::new(),
            threads: 0,
            rare_idf,
            small_corpus,
            sent: SentPrompt::default(),
            meaning: None,
        };
        let start = Instant::now();
        store.gather_candidates(&query, &SessionId::new("s"), |_, _| Err("not asked")).unwrap();
        injected.push(start.elapsed());
        query.threads = 8;
        let start = Instant::now();
        let found = store.gather_candidates(&query, &SessionId::new("s"), |_, _| Err("not asked")).unwrap();
        told.push(start.elapsed());
        let start = Instant::now();
        consider(&found, &query.terms, &[], |_| true);
        considered.push(start.elapsed());
        threads += found.threads.len();
        items += found.items.len();
    }
    println!("  {} items and {} threads for a prompt", items / 100, threads / 100);
    for (name, times) in [
        ("open", &mut opened),
        ("search", &mut searched),
        ("filtered", &mut filtered),
        ("inject", &mut injected),
        ("threads", &mut told),
        ("consider", &mut considered),
    ] {
        println!("  {name:9} p50 {:?}  p95 {:?}", percentile(times, 50), percentile(times, 95));
    }
}

fn made_vector(dice: &mut Dice, width: usize) -> Vec<i8> {
    (0..width).map(|_| (dice.unit() * 254.0 - 127.0) as i8).collect()
}

fn report_vectors(store: &Store, dice: &mut Dice) {
    let (model, all, now) = (Model { name: "made-up".to_owned(), width: 384 }, EmbedTranscripts::All, UnixMs(0));
    let (start, mut put, mut longest) = (Instant::now(), 0, Duration::ZERO);
    loop {
        let waiting = store.unembedded(&model, all, now, None, 256).unwrap();
        if waiting.is_empty() {
            break;
        }
        let made: Vec<_> = waiting.iter().map(|u| (u.body, u.hash, made_vector(dice, model.width))).collect();
        let began = Instant::now();
        put += store.put_vectors(&model, &made).unwrap();
        longest = longest.max(began.elapsed());
    }
    println!("  {put} vectors in {:?}, longest put {longest:?}", start.elapsed());
    let (mut nearest, mut covered) = (Vec::new(), Vec::new());
    for _ in 0..100 {
        let asked = QueryVector { model: model.name.clone(), values: made_vector(dice, model.width) };
        let start = Instant::now();
        store.finds_by_vector(1, &asked).unwrap();
        nearest.push(start.elapsed());
        let start = Instant::now();
        store.coverage(&model, EmbedTranscripts::Off, now).unwrap();
        covered.push(start.elapsed());
    }
    for (name, times) in [("nearest", &mut nearest), ("coverage", &mut covered)] {
        println!("  {name:9} p50 {:?}  p95 {:?}", percentile(times, 50), percentile(times, 95));
    }
}

fn main() {
    let wanted: Vec<usize> = std::env::args().skip(1).filter_map(|a| a.parse().ok()).collect();
    let dir = tempfile::TempDir::new().unwrap();
    let path = dir.path().join("memory.db");
    let store = Store::create(&path, UnixMs(0)).unwrap();
    let mut dice = Dice(88_172_645_463_325_252);
    add_records(&store, &mut dice);
    let (mut chunks, mut bytes, mut spent, mut longest) = (0, 0, Duration::ZERO, Duration::ZERO);
    for goal in if wanted.is_empty() { vec![20_000, 200_000] } else { wanted } {
        while chunks < goal {
            let (batch, size) = batch(&mut dice, chunks);
            let start = Instant::now();
            store.commit(&batch).unwrap();
            longest = longest.max(start.elapsed());
            spent += start.elapsed();
            chunks += CHUNKS_PER_BATCH;
            bytes += size;
        }
        store.checkpoint(Checkpoint::Truncate).unwrap();
        let rate = bytes as f64 / 1e6 / spent.as_secs_f64();
        let size = std::fs::metadata(&path).unwrap().len() as f64 / bytes as f64;
        println!("{goal} chunks: {rate:.1} MB/s of text, longest commit {longest:?}, file {size:.2} x text");
        report_reads(&path, &mut dice);
        report_vectors(&store, &mut dice);
    }
}
