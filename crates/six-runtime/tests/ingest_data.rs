//! Real session files lose nothing on the way into the store.
//!
//! The data is not part of the repository. `SIX_SHARED` names its folder; without one this test says so and passes.
#![expect(clippy::unwrap_used, clippy::print_stdout, reason = "a test fails by panicking and says why it was skipped")]

use std::collections::BTreeSet;
use std::fs;
use std::path::{Path, PathBuf};

use serde_json::Value;
use six_core::ingest::transcript::TranscriptReader;
use six_core::record::UnixMs;
use six_core::text::{Redacted, Redactor};
use six_runtime::ingest::{NoProgress, Options, Outcome, Place, WhenHeld, run_named};
use six_store::Store;

fn shared() -> Option<PathBuf> {
    let root = std::env::var_os("SIX_SHARED")
        .map_or_else(|| PathBuf::from(concat!(env!("CARGO_MANIFEST_DIR"), "/../../../shared")), PathBuf::from);
    let found = [root.join("data"), root.clone()].into_iter().find(|path| path.join("transcripts").is_dir());
    if found.is_none() {
        println!("skipped: no shared data under {}", root.display());
    }
    found
}

fn session_files(folder: &Path, files: &mut Vec<PathBuf>) {
    for entry in fs::read_dir(folder).unwrap() {
        let path = entry.unwrap().path();
        if path.is_dir() {
            session_files(&path, files);
        } else if path.extension().is_some_and(|extension| extension == "jsonl") {
            files.push(path);
        }
    }
}

/// What must be kept, told the plain way: the uuid of each record with a text or a tool call of the assistant, and of
/// each record that the host marks as typed by a person.
fn must_be_kept(text: &str, keys: &mut BTreeSet<String>) {
    for record in text.lines().filter_map(|line| serde_json::from_str::<Value>(line).ok()) {
        let Some(uuid) = record["uuid"].as_str() else { continue };
        let blocks = record["message"]["content"].as_array().cloned().unwrap_or_default();
        let says = |block: &Value| match block["type"].as_str() {
            Some("text") => !matches!(block["text"].as_str().unwrap_or_default().trim(), "" | "No response requested."),
            kind => kind == Some("tool_use"),
        };
        let is_answer = record["type"] == "assistant" && record["isApiErrorMessage"] != true && blocks.iter().any(says);
        let is_typed = record["type"] == "user" && record["promptSource"] == "typed";
        if is_answer || is_typed {
            keys.insert(uuid.to_owned());
        }
    }
}

/// The keys of all entries that a file gives when it is read in one go.
fn keys_of(bytes: &[u8], keys: &mut BTreeSet<String>) {
    let redactor = Redactor::new();
    let mut reader = TranscriptReader::new(redactor, Redacted::literal(""));
    bytes.split(|byte| *byte == b'\n').for_each(|line| reader.line(line));
    keys.extend(reader.take().entries.into_iter().map(|entry| entry.key));
}

#[test]
fn every_record_that_should_be_kept_is_kept() {
    let Some(data) = shared() else { return };
    let mut files = Vec::new();
    session_files(&data.join("transcripts"), &mut files);
    session_files(&data.join("host/transcripts"), &mut files);
    let (mut expected, mut given) = (BTreeSet::new(), BTreeSet::new());
    for file in &files {
        let bytes = fs::read(file).unwrap();
        must_be_kept(&String::from_utf8_lossy(&bytes), &mut expected);
        keys_of(&bytes, &mut given);
    }
    let missing: Vec<&String> = expected.difference(&given).collect();
    assert!(missing.is_empty(), "{} of {} are missing: {missing:?}", missing.len(), expected.len());
    assert!(expected.len() > 1000, "{}", expected.len());

    let dir = tempfile::tempdir().unwrap();
    let root = dir.path().to_owned();
    let place = Place {
        root: root.clone(),
        checkouts: vec![root.clone()],
        main: root,
        has_git: false,
        host: None,
        memory: None,
        keep_days: 30,
        ledgers: Vec::new(),
        quota_bytes: u64::MAX,
    };
    let store = Store::create(&dir.path().join("memory.db"), UnixMs(0)).unwrap();
    let options = Options {
        transcripts: &files,
        accept_vanished: false,
        is_over: &|| false,
        when_held: WhenHeld::Skip,
        now: UnixMs(4_000_000_000_000),
    };
    let report = run_named(&place, &dir.path().join("lock"), &store, &options, &mut NoProgress).unwrap();
    assert_eq!((report.outcome, report.failures.as_slice()), (Outcome::Finished, [].as_slice()));
    assert_eq!((report.found, report.committed.entries), (files.len() as u64, given.len() as u64));
}
