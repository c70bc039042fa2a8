//! Old states of a store that are kept in its backup folder: what they are called, and how many stay.

use std::path::{Path, PathBuf};

use six_core::record::UnixMs;

use crate::error::Result;

/// Why an old state is kept.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Kind {
    /// How its files' names begin.
    prefix: &'static str,
    /// How many of them stay, newest first.
    keep: usize,
}

/// The state before a migration. Three: the last one, and two more for who comes back to an older six.
pub(crate) const UPGRADE: Kind = Kind { prefix: "memory-schema-", keep: 3 };

/// The state before a repair that read everything: nothing is in it that the store does not hold.
pub(crate) const REPAIR: Kind = Kind { prefix: "memory-before-repair", keep: 1 };

/// A file that could not be read whole. Another tool may get more out of it, so none is ever removed.
pub(crate) const DAMAGED: Kind = Kind { prefix: "memory-damaged", keep: usize::MAX };

impl Kind {
    /// The file of a state that is put aside now; `detail` is any word without a dash.
    pub(crate) fn path(self, dir: &Path, detail: &str, now: UnixMs) -> PathBuf {
        dir.join(format!("{}{detail}-{}.db", self.prefix, now.0))
    }

    /// When a file of this kind was put aside; `None` for any other file.
    fn at(self, path: &Path) -> Option<i64> {
        let name = path.file_name()?.to_str()?.strip_prefix(self.prefix)?.strip_suffix(".db")?;
        name.rsplit_once('-')?.1.parse().ok()
    }
}

/// Removes the oldest files of a kind, so that they do not pile up.
pub(crate) fn keep_newest(dir: &Path, kind: Kind) -> Result<()> {
    let mut files: Vec<(i64, PathBuf)> =
        files(dir)?.into_iter().filter_map(|path| Some((kind.at(&path)?, path))).collect();
    files.sort_unstable();
    for (_, path) in files.iter().rev().skip(kind.keep) {
        std::fs::remove_file(path)?;
    }
    Ok(())
}

/// Removes copies that a killed process did not finish.
pub(crate) fn remove_unfinished(dir: &Path) -> Result<()> {
    let is_unfinished = |path: &PathBuf| {
        path.file_name().and_then(|name| name.to_str()).is_some_and(|name| {
            name.starts_with("memory-") && [".db.new", ".db.new-journal"].iter().any(|end| name.ends_with(end))
        })
    };
    for path in files(dir)?.into_iter().filter(is_unfinished) {
        std::fs::remove_file(path)?;
    }
    Ok(())
}

fn files(dir: &Path) -> Result<Vec<PathBuf>> {
    let mut files = Vec::new();
    for entry in std::fs::read_dir(dir)? {
        files.push(entry?.path());
    }
    Ok(files)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_newest_of_a_kind_stay_and_other_files_are_left_alone() {
        let dir = tempfile::tempdir().unwrap();
        for (schema, at) in [(1, 5), (2, 40), (1, 9), (10, 100), (9, 70)] {
            std::fs::write(UPGRADE.path(dir.path(), &schema.to_string(), UnixMs(at)), "").unwrap();
        }
        for other in ["memory-before-repair-1.db", "memory-schema-notes.db", "memory-schema-1-4.db.txt", "mine"] {
            std::fs::write(dir.path().join(other), "").unwrap();
        }
        std::fs::write(dir.path().join("memory-schema-3-7.db.new"), "half").unwrap();
        keep_newest(dir.path(), UPGRADE).unwrap();
        remove_unfinished(dir.path()).unwrap();
        let mut left: Vec<_> = files(dir.path()).unwrap();
        left.sort();
        let left: Vec<_> = left.iter().map(|path| path.file_name().unwrap().to_str().unwrap()).collect();
        assert_eq!(
            left,
            [
                "memory-before-repair-1.db",
                "memory-schema-1-4.db.txt",
                "memory-schema-10-100.db",
                "memory-schema-2-40.db",
                "memory-schema-9-70.db",
                "memory-schema-notes.db",
                "mine"
            ]
        );
    }
}
