//! One whole file put in the place of another, which is kept.

use std::path::Path;

use crate::error::Result;
use crate::kill::KillPoint;
use crate::open::{beside, folder};

/// What lies beside a file of `SQLite`, the journals first.
const COMPANIONS: [&str; 3] = ["-wal", "-journal", "-shm"];

/// Gives the old file the name `kept`, and its own to the new one; what lies beside the old one goes with it. The old one
/// may be gone. Its lock is held by the caller.
pub(crate) fn swap(new: &Path, path: &Path, kept: &Path) -> Result<()> {
    let is_gone = !path.try_exists()?;
    let has_two_names = !is_gone && std::fs::hard_link(path, kept).is_ok();
    KillPoint::SwapOldKept.reach();
    let mut moved = false;
    for end in COMPANIONS {
        // Never is there a new file that the old one's journal could be taken to be of.
        moved |= unless_missing(std::fs::rename(beside(path, end), beside(kept, end)))?;
        if moved && end == "-wal" {
            KillPoint::SwapJournalMoved.reach();
        }
    }
    if moved {
        sync(folder(kept));
        sync(folder(path));
    }
    // Where a file can't have two names there is a moment without a store: hooks spool, and both files are there.
    if !is_gone && !has_two_names {
        std::fs::rename(path, kept)?;
    }
    std::fs::rename(new, path)?;
    // The content is on the disk: whatever name survives, it is that of a whole file.
    sync(folder(path));
    KillPoint::SwapDone.reach();
    Ok(())
}

/// Whether a journal lies beside a file.
pub(crate) fn has_journal(path: &Path) -> Result<bool> {
    Ok(beside(path, "-wal").try_exists()? || beside(path, "-journal").try_exists()?)
}

/// The names in a folder, on the disk where the system can do that.
pub(crate) fn sync(folder: &Path) {
    if cfg!(unix) {
        let _ = std::fs::File::open(folder).and_then(|folder| folder.sync_all());
    }
}

/// Removes an unfinished file with what lies beside it, if it is there.
pub(crate) fn remove(file: &Path) -> Result<()> {
    unless_missing(std::fs::remove_file(file))?;
    for end in COMPANIONS {
        unless_missing(std::fs::remove_file(beside(file, end)))?;
    }
    Ok(())
}

/// Whether it was there.
fn unless_missing(done: std::io::Result<()>) -> Result<bool> {
    match done {
        Ok(()) => Ok(true),
        Err(error) if error.kind() == std::io::ErrorKind::NotFound => Ok(false),
        Err(error) => Err(error.into()),
    }
}
