//! The documents of a group in a store of their own, taken in and searched as the product does.

use std::collections::{BTreeMap, HashSet};

use six_core::ingest::{Batch, DocumentFile, FileState, Mode, parse_document};
use six_core::record::{Entry, Source, UnixMs};
use six_core::search::{Filter, parse_query};
use six_core::text::{Redacted, Redactor};
use six_store::{Store, StoreError};
use tempfile::TempDir;

use super::measure::DEPTH;
use crate::failure::{Exit, Failure};

/// What a search goes by.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Leg {
    /// The words.
    Lexical,
}

/// A folder for a store that nobody keeps.
pub(crate) fn scratch_folder() -> Result<TempDir, Failure> {
    tempfile::Builder::new().prefix("six-bench-").tempdir().map_err(|fault| {
        Failure::misuse(
            format_args!("no scratch folder in {}: {fault}", std::env::temp_dir().display()),
            "set TMPDIR to a folder that can be written",
        )
    })
}

/// A scratch store that failed.
pub(crate) fn scratch_failure(fault: &StoreError) -> Failure {
    Failure::new(Exit::Store, format_args!("the scratch store failed: {fault}"), "see whether the disk is full: df")
}

/// Documents in a scratch store.
pub(crate) struct Corpus {
    ids: Vec<String>,
    store: Store,
    /// Goes with the store.
    _folder: TempDir,
}

impl Corpus {
    /// Takes documents in, one file each.
    pub(crate) fn take_in(documents: &[(String, String)], now: UnixMs) -> Result<Self, Failure> {
        let folder = scratch_folder()?;
        let store = Store::create(&folder.path().join("memory.db"), now).map_err(|fault| scratch_failure(&fault))?;
        let redactor = Redactor::new();
        for (number, (_, text)) in documents.iter().enumerate() {
            store.commit(&batch(number, text, now, redactor)).map_err(|fault| scratch_failure(&fault))?;
        }
        let ids = documents.iter().map(|(id, _)| id.clone()).collect();
        Ok(Self { ids, store, _folder: folder })
    }

    /// The documents of the ten hits that `six search` would show, best first. Of a document with several passages among
    /// them the best counts, the others take no place.
    pub(crate) fn ranking(&self, text: &str, _leg: Leg) -> Result<Vec<String>, Failure> {
        let query = parse_query(text, Filter::default(), DEPTH);
        let hits = self.store.search(&query).map_err(|fault| scratch_failure(&fault))?;
        let mut met = HashSet::new();
        let documents =
            hits.iter().filter_map(|hit| number_of(hit.path.as_deref()?)).filter(|number| met.insert(*number));
        Ok(documents.filter_map(|number| self.ids.get(number).cloned()).collect())
    }
}

fn number_of(path: &str) -> Option<usize> {
    path.strip_suffix(EXTENSION)?.parse().ok()
}

/// A document of a set has no markup that is known, so it is read as plain text.
const EXTENSION: &str = ".txt";

/// The batch that ingest would make of the document if it lay in a file. Its number stands for its path, and its title is
/// empty: the name that a set gives to a document is not among the words that a person would look for.
fn batch(number: usize, text: &str, now: UnixMs, redactor: Redactor) -> Batch {
    let path = format!("{number}{EXTENSION}");
    let file = DocumentFile { path: &path, path_hash: &path, source: Source::Doc, at: None, bytes: text.as_bytes() };
    let entry = parse_document(&file, redactor).ok().and_then(|document| document.entry);
    let size = text.len() as u64;
    Batch {
        file: FileState {
            source: Source::Doc,
            path_hash: path.clone(),
            path: redactor.redact(&path),
            size_bytes: size,
            mtime_ns: 0,
            content_hash: String::new(),
            consumed_bytes: size,
            consumed_lines: 0,
            fails: 0,
            last_error: Redacted::literal(""),
            tried: now,
            skipped: BTreeMap::new(),
        },
        mode: Mode::Replace,
        entries: entry.into_iter().map(|entry| Entry { title: Redacted::literal(""), ..entry }).collect(),
        tree: None,
        sessions: Vec::new(),
    }
}
