//! The documents of a group in a store of their own: taken in, embedded and searched as the product does.

use std::collections::{BTreeMap, HashSet};
use std::path::Path;

use six_core::ingest::{Batch, DocumentFile, FileState, Mode, parse_document};
use six_core::record::{Entry, Source, UnixMs};
use six_core::search::{EmbedTranscripts, Filter, Legs, QueryVector, parse_query};
use six_core::text::{Redacted, Redactor};
use six_runtime::embed::{Options, Progress, Provider, Report, all_cores, backfill};
use six_runtime::ingest::WhenHeld;
use six_store::{Store, StoreError};
use tempfile::TempDir;

use super::measure::DEPTH;
use crate::failure::{Exit, Failure};

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

/// What makes vectors where nothing is configured: the model inside the binary.
pub(crate) fn provider() -> Result<Provider, Failure> {
    Provider::embedded()
        .map_err(|fault| Failure::misuse(format_args!("no vectors can be made: {fault}"), "six embed says more"))
}

/// Gives texts of a scratch store their vectors: all that should have one, or the first `limit` of those without.
pub(crate) fn embed_texts(
    folder: &Path,
    store: &Store,
    provider: &Provider,
    limit: Option<usize>,
    progress: &mut dyn Progress,
) -> Result<Report, Failure> {
    let options = Options {
        transcripts: EmbedTranscripts::Off,
        limit,
        threads: all_cores(),
        is_over: &|| false,
        when_held: WhenHeld::Skip,
    };
    backfill(folder, store, provider, &options, progress)
        .map_err(|fault| Failure::misuse(fault, "see whether the disk is full: df"))
}

/// Documents in a scratch store.
pub(crate) struct Corpus<'a> {
    ids: Vec<String>,
    provider: &'a Provider,
    store: Store,
    now: UnixMs,
    /// Goes with the store.
    folder: TempDir,
}

/// A question and its vector.
pub(crate) struct Asked<'a> {
    text: &'a str,
    vector: QueryVector,
}

impl<'a> Corpus<'a> {
    /// Takes documents in, one file each.
    pub(crate) fn take_in(
        documents: &[(String, String)],
        provider: &'a Provider,
        now: UnixMs,
    ) -> Result<Self, Failure> {
        let folder = scratch_folder()?;
        let store = Store::create(&folder.path().join("memory.db"), now).map_err(|fault| scratch_failure(&fault))?;
        let redactor = Redactor::new();
        for (number, (_, text)) in documents.iter().enumerate() {
            store.commit(&batch(number, text, now, redactor)).map_err(|fault| scratch_failure(&fault))?;
        }
        let ids = documents.iter().map(|(id, _)| id.clone()).collect();
        Ok(Self { ids, provider, store, now, folder })
    }

    /// Gives each text its vector. A text without one would be a loss that no other machine has, so it is an error.
    pub(crate) fn embed(&self, progress: &mut dyn Progress) -> Result<(), Failure> {
        let done = embed_texts(self.folder.path(), &self.store, self.provider, None, progress)?;
        let coverage = done.coverage;
        if coverage.embedded < coverage.eligible {
            let what = format_args!("only {} of {} texts could be embedded", coverage.embedded, coverage.eligible);
            return Err(Failure::misuse(what, "six embed says more"));
        }
        Ok(())
    }

    /// A question, ready to be asked in several ways.
    pub(crate) fn question<'q>(&self, text: &'q str) -> Result<Asked<'q>, Failure> {
        let vector = self.provider.embed_query(&Redactor::new().redact(text));
        let vector =
            vector.map_err(|fault| Failure::misuse(format_args!("{text:?}: {fault}"), "six embed says more"))?;
        Ok(Asked { text, vector })
    }

    /// The documents of the ten hits that `six search` would show, best first. Of a document with several passages among
    /// them the best counts, the others take no place.
    pub(crate) fn ranking(&self, asked: &Asked<'_>, legs: Legs) -> Result<Vec<String>, Failure> {
        let mut query = parse_query(asked.text, Filter::default(), DEPTH, self.now);
        query.vector = Ok(asked.vector.clone());
        query.legs = legs;
        let found = self.store.search(&query).map_err(|fault| scratch_failure(&fault))?;
        let mut met = HashSet::new();
        let numbers = found.hits.iter().filter_map(|hit| number_of(hit.path.as_deref()?));
        Ok(numbers.filter(|number| met.insert(*number)).filter_map(|number| self.ids.get(number).cloned()).collect())
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
        inventory: None,
        rules: None,
    }
}
