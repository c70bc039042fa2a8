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

/// Files of all sources that changed since they were consumed, or were never consumed. Files whose last try failed are
/// told by the store. Nothing is read but the first lines of session files that are not known yet; `git` is started for
/// the list of documents.
pub fn find_unread(place: &Place, store: &Store) -> Result<Vec<FileLag>, StoreError> {
    let mut lags = find_unread_sessions(place, store)?;
    for scan in find_documents(place) {
        let known = states(store, scan.source)?;
        lags.extend(scan.files.iter().filter_map(|file| lag(file, known.get(&file.path_hash))));
    }
    Ok(lags)
}

/// Of [`find_unread`] the session files.
pub fn find_unread_sessions(place: &Place, store: &Store) -> Result<Vec<FileLag>, StoreError> {
    let known = states(store, Source::Transcript)?;
    let scan = find_sessions(Some(place), &[], &|hash| known.contains_key(hash));
    Ok(scan.files.iter().filter_map(|file| lag(file, known.get(&file.path_hash))).collect())
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
