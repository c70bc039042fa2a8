//! What a run would have to read: the evidence that ingest is alive.

use std::collections::BTreeMap;

use six_core::health::FileLag;
use six_core::ingest::FileState;
use six_core::record::Source;
use six_store::{Store, StoreError};

use super::file::Found;
use super::place::Place;
use super::scan::find_documents;
use super::sessions::find_sessions;

/// Compares the files that there are with what the store knew of them. It needs no store, and so can wait for a file system
/// on another thread.
pub type Comparison = Box<dyn FnOnce(&Place) -> Vec<FileLag> + Send>;

/// Files of all sources that changed since they were consumed, or were never consumed. Files whose last try failed are
/// told by the store. Nothing is read but the first lines of session files that are not known yet; `git` is started for
/// the list of documents.
pub fn find_unread(store: &Store) -> Result<Comparison, StoreError> {
    let sessions = find_unread_sessions(store)?;
    let known = |source| Ok::<_, StoreError>((source, states(store, source)?));
    let known = [known(Source::Doc)?, known(Source::Memory)?, known(Source::Ledger)?];
    Ok(Box::new(move |place| {
        let mut lags = sessions(place);
        for scan in find_documents(place) {
            let of = known.iter().find(|(source, _)| *source == scan.source).map(|(_, known)| known);
            lags.extend(
                scan.files.iter().filter_map(|file| lag(file, of.and_then(|known| known.get(&file.path_hash)))),
            );
        }
        lags
    }))
}

/// Of [`find_unread`] the session files.
pub fn find_unread_sessions(store: &Store) -> Result<Comparison, StoreError> {
    let known = states(store, Source::Transcript)?;
    Ok(Box::new(move |place| {
        let scan = find_sessions(Some(place), &[], &|hash| known.contains_key(hash));
        scan.files.iter().filter_map(|file| lag(file, known.get(&file.path_hash))).collect()
    }))
}

pub(super) fn states(store: &Store, source: Source) -> Result<BTreeMap<String, FileState>, StoreError> {
    Ok(store.file_states(source)?.into_iter().map(|state| (state.path_hash.clone(), state)).collect())
}

pub(super) fn lag(file: &Found, known: Option<&FileState>) -> Option<FileLag> {
    let is_read = known
        .is_some_and(|known| known.fails > 0 || (known.size_bytes, known.mtime_ns) == (file.size_bytes, file.mtime_ns));
    let consumed = known.map_or(0, |known| known.consumed_bytes);
    (!is_read).then(|| FileLag {
        path: file.name.clone(),
        changed: file.at(),
        bytes_behind: file.size_bytes.saturating_sub(consumed),
    })
}
