//! Advisory locks on files, with a deadline.

use std::fs::{File, OpenOptions, TryLockError};
use std::path::{Path, PathBuf};
use std::time::{Duration, Instant};

/// How long to wait between two tries. The system has no lock call with a deadline; a held lock is rare and short.
const POLL: Duration = Duration::from_millis(2);

/// Why a lock was not got.
#[derive(Debug, thiserror::Error)]
pub enum LockError {
    /// Another process held it until the deadline.
    #[error("{} is still locked by another process after {} ms", path.display(), waited.as_millis())]
    Busy {
        /// The lock file.
        path: PathBuf,
        /// How long we waited.
        waited: Duration,
    },
    /// The lock file cannot be opened or locked.
    #[error("cannot lock {}: {source}", path.display())]
    Io {
        /// The lock file.
        path: PathBuf,
        /// What the system said.
        source: std::io::Error,
    },
}

/// An exclusive lock, released when it is dropped or when the process ends.
///
/// The lock file itself stays: removing it would let two processes hold locks on two files of one name.
#[derive(Debug)]
#[must_use = "the lock is released when it is dropped"]
pub struct FileLock {
    file: File,
}

impl FileLock {
    /// Takes the lock on `path`, which is created (mode 0600) when it is missing; waits at most `wait` (zero: one try).
    pub fn acquire(path: &Path, wait: Duration) -> Result<FileLock, LockError> {
        let failed = |source| LockError::Io { path: path.to_owned(), source };
        let file = open(path).map_err(failed)?;
        let began = Instant::now();
        loop {
            match file.try_lock() {
                Ok(()) => return Ok(FileLock { file }),
                Err(TryLockError::Error(source)) => return Err(failed(source)),
                Err(TryLockError::WouldBlock) => {}
            }
            let waited = began.elapsed();
            if waited >= wait {
                return Err(LockError::Busy { path: path.to_owned(), waited });
            }
            std::thread::sleep(POLL.min(wait.saturating_sub(waited)));
        }
    }
}

/// How long a person waits without a word.
const SILENCE: Duration = Duration::from_secs(1);

/// What hears, once, that somebody else is waited for, and who that is.
pub type Waiting<'a> = &'a dyn Fn(&str);

/// Takes a lock for a person, who hears that `holder` is waited for.
pub(crate) fn wait_for(holder: &str, path: &Path, wait: Duration, waiting: Waiting<'_>) -> Result<FileLock, LockError> {
    match FileLock::acquire(path, SILENCE.min(wait)) {
        Err(LockError::Busy { .. }) if wait > SILENCE => {
            waiting(holder);
            FileLock::acquire(path, wait)
        }
        done => done,
    }
}

impl Drop for FileLock {
    fn drop(&mut self) {
        // Closing would do, were the descriptor not shared with a child that is between fork and exec.
        let _ = self.file.unlock();
    }
}

fn open(path: &Path) -> std::io::Result<File> {
    let mut options = OpenOptions::new();
    options.read(true).write(true).create(true).truncate(false);
    #[cfg(unix)]
    std::os::unix::fs::OpenOptionsExt::mode(&mut options, 0o600);
    options.open(path)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_second_holder_is_told_busy_and_gets_it_after_release() {
        let dir = tempfile::tempdir().unwrap();
        let path = dir.path().join("lock");
        let first = FileLock::acquire(&path, Duration::ZERO).unwrap();
        assert!(matches!(FileLock::acquire(&path, Duration::from_millis(5)), Err(LockError::Busy { waited, .. })
            if waited >= Duration::from_millis(5)));
        drop(first);
        drop(FileLock::acquire(&path, Duration::ZERO).unwrap());
    }

    #[test]
    fn a_waiter_gets_the_lock_as_soon_as_it_is_free() {
        let dir = tempfile::tempdir().unwrap();
        let path = dir.path().join("lock");
        let first = FileLock::acquire(&path, Duration::ZERO).unwrap();
        let waiter = std::thread::spawn({
            let path = path.clone();
            move || FileLock::acquire(&path, Duration::from_secs(60)).map(drop)
        });
        drop(first);
        waiter.join().unwrap().unwrap();
    }

    #[test]
    fn a_person_hears_of_a_wait_and_of_nothing_else() {
        let dir = tempfile::tempdir().unwrap();
        let path = dir.path().join("lock");
        let told = std::cell::RefCell::new(Vec::new());
        let first = std::cell::Cell::new(Some(FileLock::acquire(&path, Duration::ZERO).unwrap()));
        let waiting = |holder: &str| {
            told.borrow_mut().push(holder.to_owned());
            drop(first.take());
        };
        drop(wait_for("a worker", &path, Duration::from_secs(60), &waiting).unwrap());
        drop(wait_for("a worker", &path, Duration::from_secs(60), &waiting).unwrap());
        assert_eq!(told.into_inner(), ["a worker"]);
    }

    #[test]
    fn a_folder_that_is_missing_is_an_error_and_not_a_wait() {
        let dir = tempfile::tempdir().unwrap();
        let error = FileLock::acquire(&dir.path().join("no/lock"), Duration::from_secs(60)).unwrap_err();
        assert!(matches!(error, LockError::Io { .. }));
    }
}
