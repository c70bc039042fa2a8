//! Who has the store open: every connection holds a shared lock on a file beside it, a repair the only one.
//!
//! `SQLite`'s own locks do not do for that: they are on the file, the journal is found by its name. A process that opened the
//! old file and waited would write into the journal of the new one, or move it into the old file when it closes.

use std::fs::{File, OpenOptions, TryLockError};
use std::path::Path;
use std::time::{Duration, Instant};

use crate::error::{Result, StoreError};
use crate::open::beside;

/// Between two tries: the system has no lock call with a deadline.
const POLL: Duration = Duration::from_millis(2);

/// Holds the store open until it is dropped.
#[derive(Debug)]
pub(crate) struct InUse {
    _lock: Option<File>,
}

impl InUse {
    /// Beside others; waits at most `wait` for a repair to end. Where no lock file can be made, no repair can be made either.
    pub(crate) fn share(path: &Path, wait: Duration) -> Result<Self> {
        let held = open(path).map_err(StoreError::from).and_then(|file| hold(file, wait, File::try_lock_shared));
        match held {
            Ok(held) => Ok(held),
            Err(StoreError::Busy) => Err(StoreError::Busy),
            Err(_) => Ok(Self { _lock: None }),
        }
    }

    /// Alone; waits at most `wait` for others to end.
    pub(crate) fn alone(path: &Path, wait: Duration) -> Result<Self> {
        hold(open(path)?, wait, File::try_lock)
    }
}

fn open(path: &Path) -> std::io::Result<File> {
    let mut options = OpenOptions::new();
    options.read(true).write(true).create(true).truncate(false);
    #[cfg(unix)]
    std::os::unix::fs::OpenOptionsExt::mode(&mut options, 0o600);
    options.open(beside(path, ".use"))
}

fn hold(file: File, wait: Duration, lock: fn(&File) -> std::result::Result<(), TryLockError>) -> Result<InUse> {
    let until = Instant::now() + wait;
    loop {
        match lock(&file) {
            Ok(()) => return Ok(InUse { _lock: Some(file) }),
            Err(TryLockError::Error(error)) => return Err(error.into()),
            Err(TryLockError::WouldBlock) if Instant::now() >= until => return Err(StoreError::Busy),
            Err(TryLockError::WouldBlock) => std::thread::sleep(POLL),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn many_may_have_the_store_open_or_one_may_have_it_alone() {
        let dir = tempfile::tempdir().unwrap();
        let path = dir.path().join("memory.db");
        let first = InUse::share(&path, Duration::ZERO).unwrap();
        let second = InUse::share(&path, Duration::ZERO).unwrap();
        assert!(matches!(InUse::alone(&path, Duration::from_millis(5)), Err(StoreError::Busy)));
        drop((first, second));
        let alone = InUse::alone(&path, Duration::ZERO).unwrap();
        assert!(matches!(InUse::share(&path, Duration::from_millis(5)), Err(StoreError::Busy)));
        drop(alone);
        InUse::share(&path, Duration::ZERO).unwrap();
    }

    #[test]
    fn where_no_lock_can_be_made_the_store_is_opened_all_the_same() {
        InUse::share(Path::new("/no/such/folder/memory.db"), Duration::ZERO).unwrap();
    }
}
