//! One whole file put in the place of another, which is kept.

use std::path::{Path, PathBuf};

use crate::error::Result;
use crate::kill::KillPoint;
use crate::open::{beside, folder};

/// What lies beside a file of `SQLite`, the journals first.
const COMPANIONS: [&str; 3] = ["-wal", "-journal", "-shm"];

/// Gives the old file the name `kept`, and its own to the new one; what lies beside the old one goes with it. The old one
/// may be gone. Its lock is held by the caller. Fails when there is anything of the name `kept` already. When it fails, all
/// is as it was.
pub(crate) fn swap(new: &Path, path: &Path, kept: &Path) -> Result<()> {
    if is_taken(kept) {
        return Err(std::io::Error::from(std::io::ErrorKind::AlreadyExists).into());
    }
    let is_gone = !path.try_exists()?;
    let has_two_names = !is_gone && std::fs::hard_link(path, kept).is_ok();
    KillPoint::SwapOldKept.reach();
    let done = put_in_place(new, path, kept, is_gone || has_two_names);
    if done.is_err() {
        take_back(path, kept, has_two_names);
    }
    // The content is on the disk: whatever name survives, it is that of a whole file.
    sync(folder(path));
    done?;
    KillPoint::SwapDone.reach();
    Ok(())
}

/// Whether an old state has that name, or what lay beside one.
fn is_taken(kept: &Path) -> bool {
    let names = COMPANIONS.iter().map(|end| beside(kept, end)).chain([kept.to_owned()]);
    names.into_iter().any(|name| name.symlink_metadata().is_ok())
}

fn put_in_place(new: &Path, path: &Path, kept: &Path, is_kept: bool) -> Result<()> {
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
    if !is_kept {
        std::fs::rename(path, kept)?;
    }
    Ok(std::fs::rename(new, path)?)
}

/// What can't be taken back is there under the name `kept`.
fn take_back(path: &Path, kept: &Path, has_two_names: bool) {
    if has_two_names {
        let _ = std::fs::remove_file(kept);
    } else {
        let _ = std::fs::rename(kept, path);
    }
    for end in COMPANIONS {
        let _ = std::fs::rename(beside(kept, end), beside(path, end));
    }
}

/// What was put aside under that name: the file, or the journal of one that was gone.
pub(crate) fn kept_as(kept: PathBuf) -> Option<PathBuf> {
    let journals = ["-wal", "-journal"].map(|end| beside(&kept, end));
    [kept].into_iter().chain(journals).find(|path| path.is_file())
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

#[cfg(test)]
mod tests {
    use super::*;

    fn text(path: &Path) -> String {
        std::fs::read_to_string(path).unwrap_or_default()
    }

    #[test]
    fn nothing_that_is_kept_already_is_written_over() {
        for taken in ["kept", "kept-wal", "kept-journal"] {
            let dir = tempfile::tempdir().unwrap();
            let at = |name: &str| dir.path().join(name);
            for (name, holds) in [("new", "new"), ("store", "old"), ("store-wal", "frames"), (taken, "earlier")] {
                std::fs::write(at(name), holds).unwrap();
            }
            assert!(swap(&at("new"), &at("store"), &at("kept")).is_err(), "{taken}");
            assert_eq!((text(&at("store")), text(&at("store-wal"))), ("old".into(), "frames".into()), "{taken}");
            assert_eq!(text(&at(taken)), "earlier", "{taken}");
        }
    }

    #[test]
    fn a_swap_that_fails_leaves_the_old_file_with_its_journal_where_it_was() {
        let dir = tempfile::tempdir().unwrap();
        let at = |name: &str| dir.path().join(name);
        for (name, holds) in [("store", "old"), ("store-wal", "frames")] {
            std::fs::write(at(name), holds).unwrap();
        }
        assert!(swap(&at("new"), &at("store"), &at("kept")).is_err(), "there is no new file");
        assert_eq!((text(&at("store")), text(&at("store-wal"))), ("old".into(), "frames".into()));
        assert!(!at("kept").exists() && !at("kept-wal").exists());
    }
}
