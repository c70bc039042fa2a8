//! Which session files the host is about to delete.

use six_core::record::{Source, UnixMs};
use six_store::{Store, StoreError};

use super::file::Found;
use super::place::Place;
use super::sessions::find_sessions;
use super::unread::{lag, states};

/// Days before the host deletes a file from which on it counts as about to be.
const MARGIN_DAYS: u64 = 3;

/// Session files that the host deletes soon.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Expiring {
    /// Days for which it keeps them.
    pub keep_days: u64,
    /// How many will be deleted within three days, or are due.
    pub files: u64,
    /// Of these, how many have something that was not consumed yet.
    pub unread: u64,
}

/// Counts the session files of a project that the host deletes soon. What was consumed of them stays in the store.
pub fn find_expiring(place: &Place, store: &Store, now: UnixMs) -> Result<Expiring, StoreError> {
    let known = states(store, Source::Transcript)?;
    let scan = find_sessions(Some(place), &[], &|hash| known.contains_key(hash));
    let mut expiring = Expiring { keep_days: place.keep_days, files: 0, unread: 0 };
    for file in scan.files.iter().filter(|file| is_expiring(file, place.keep_days, now)) {
        expiring.files += 1;
        expiring.unread += u64::from(lag(file, known.get(&file.path_hash)).is_some());
    }
    Ok(expiring)
}

/// Whether the host deletes a file soon: it goes by the time of the last change.
pub(super) fn is_expiring(file: &Found, keep_days: u64, now: UnixMs) -> bool {
    let days = i64::try_from(keep_days.saturating_sub(MARGIN_DAYS)).unwrap_or(i64::MAX);
    now.0.saturating_sub(file.at().0) >= days.saturating_mul(UnixMs::DAY_MS)
}
