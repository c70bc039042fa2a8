//! Old states of a store that are kept in its backup folder: what they are called, and how many stay.

use std::io::Read as _;
use std::path::{Path, PathBuf};

use six_core::record::UnixMs;

use crate::copy::UNFINISHED;
use crate::error::{Result, StoreError};
use crate::open::APPLICATION_ID;

/// Why an old state is kept.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum KeptFor {
    /// Somebody asked for it.
    Hand,
    /// The store got a newer schema.
    Upgrade,
    /// The store was made anew from it, and everything of it could be read.
    Repair,
    /// A backup took its place.
    Restore,
    /// It could not be read whole.
    Damage,
}

/// An old state of a store.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct KeptState {
    /// Where it is.
    pub path: PathBuf,
    /// Why it is there.
    pub kept_for: KeptFor,
    /// When it was put there.
    pub at: UnixMs,
    /// Its size, what lies beside it not counted.
    pub bytes: u64,
    /// Its schema; `None` when its first bytes are not those of a store.
    pub schema: Option<u32>,
}

/// Fails when a backup folder is a link. One that is not there is for the caller to make.
pub fn check_backup_folder(dir: &Path) -> Result<()> {
    let is_link = dir.symlink_metadata().is_ok_and(|folder| folder.is_symlink());
    if is_link { Err(StoreError::LinkedFolder(dir.to_owned())) } else { Ok(()) }
}

/// Every old state in a backup folder, newest first; none when there is no such folder.
pub fn kept_states(dir: &Path) -> Result<Vec<KeptState>> {
    let files = match files(dir) {
        Err(StoreError::NoStore) => return Ok(Vec::new()),
        files => files?,
    };
    let mut states: Vec<KeptState> = files
        .into_iter()
        .filter_map(|path| {
            let (kind, at) = KINDS.iter().find_map(|kind| Some((kind, kind.at(&path)?)))?;
            let file = path.symlink_metadata().ok().filter(std::fs::Metadata::is_file)?;
            let schema = schema_of(&path);
            Some(KeptState { path, kept_for: kind.kept_for, at: UnixMs(at), bytes: file.len(), schema })
        })
        .collect();
    states.sort_by(|a, b| (b.at, &b.path).cmp(&(a.at, &a.path)));
    Ok(states)
}

/// The schema of a store, by its first hundred bytes, in which `SQLite` keeps who made the file and the version that they
/// gave it (offsets 68 and 60).
fn schema_of(path: &Path) -> Option<u32> {
    let mut head = [0_u8; 100];
    std::fs::File::open(path).ok()?.read_exact(&mut head).ok()?;
    let number = |at: usize| Some(u32::from_be_bytes(head.get(at..at + 4)?.try_into().ok()?));
    (number(68)? == APPLICATION_ID.cast_unsigned()).then_some(number(60)?)
}

/// How old states of one sort are called, and how many of them stay.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Kind {
    kept_for: KeptFor,
    /// How its files' names begin.
    prefix: &'static str,
    /// How many of them stay, newest first.
    keep: usize,
}

/// A copy that was asked for.
pub(crate) const HAND: Kind = Kind { kept_for: KeptFor::Hand, prefix: "memory-by-hand", keep: HAND_KEPT };

/// How many copies that were asked for stay in the backup folder: a week of daily ones.
pub const HAND_KEPT: usize = 7;

/// The state before a migration. Three: the last one, and two more for who comes back to an older six.
pub(crate) const UPGRADE: Kind = Kind { kept_for: KeptFor::Upgrade, prefix: "memory-schema-", keep: 3 };

/// The state before a repair that read everything: nothing is in it that the store does not hold.
pub(crate) const REPAIR: Kind = Kind { kept_for: KeptFor::Repair, prefix: "memory-before-repair", keep: 1 };

/// The state before a backup took its place: it holds what came after the backup, so more than one.
pub(crate) const RESTORE: Kind = Kind { kept_for: KeptFor::Restore, prefix: "memory-before-restore", keep: 3 };

/// A file that could not be read whole. Another tool may get more out of it, so none is ever removed.
pub(crate) const DAMAGED: Kind = Kind { kept_for: KeptFor::Damage, prefix: "memory-damaged", keep: usize::MAX };

const KINDS: [Kind; 5] = [HAND, UPGRADE, REPAIR, RESTORE, DAMAGED];

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

/// Removes the oldest files of a kind, so that they do not pile up; answers which. Those in `spared` stay and count as the
/// newest, whatever the clock was when they got their names. What can't be removed can be the next time.
pub(crate) fn keep_newest(dir: &Path, kind: Kind, spared: &[&Path]) -> Vec<PathBuf> {
    let spared: Vec<PathBuf> = spared.iter().filter_map(|path| path.canonicalize().ok()).collect();
    let is_spared = |path: &PathBuf| path.canonicalize().is_ok_and(|path| spared.contains(&path));
    let mut files: Vec<(bool, i64, PathBuf)> = files(dir)
        .unwrap_or_default()
        .into_iter()
        .filter(|path| path.symlink_metadata().is_ok_and(|file| file.is_file()))
        .filter_map(|path| Some((is_spared(&path), kind.at(&path)?, path)))
        .collect();
    files.sort_unstable();
    let oldest = files.into_iter().rev().skip(kind.keep).filter(|(is_spared, ..)| !is_spared);
    oldest.map(|(.., path)| path).filter(|path| std::fs::remove_file(path).is_ok()).collect()
}

/// Where a copy that is asked for now lies unless somebody wants it elsewhere.
pub fn by_hand(dir: &Path, now: UnixMs) -> PathBuf {
    HAND.path(dir, "", now)
}

/// Removes the oldest copies that were asked for but the [`HAND_KEPT`] newest, `made` among them; answers which.
pub fn keep_newest_by_hand(dir: &Path, made: &Path) -> Vec<PathBuf> {
    keep_newest(dir, HAND, &[made])
}

/// Removes copies before an upgrade that a killed process did not finish; its lock is held by the caller.
pub(crate) fn remove_unfinished(dir: &Path) -> Result<()> {
    remove_ending(dir, &[".db.new", ".db.new-journal"])
}

/// The same for copies that were asked for; two at once are kept apart by the caller.
pub fn remove_unfinished_by_hand(dir: &Path) -> Result<()> {
    remove_ending(dir, &[UNFINISHED, &format!("{UNFINISHED}-journal")])
}

fn remove_ending(dir: &Path, ends: &[&str]) -> Result<()> {
    let is_unfinished = |path: &PathBuf| {
        path.file_name()
            .and_then(|name| name.to_str())
            .is_some_and(|name| name.starts_with("memory-") && ends.iter().any(|end| name.ends_with(end)))
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
        std::fs::create_dir(UPGRADE.path(dir.path(), "6", UnixMs(1))).unwrap();
        assert_eq!(keep_newest(dir.path(), UPGRADE, &[]).len(), 2);
        std::fs::remove_dir(UPGRADE.path(dir.path(), "6", UnixMs(1))).unwrap();
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

    #[test]
    fn what_was_just_made_and_what_somebody_named_stay_though_a_clock_that_was_ahead_made_newer_ones() {
        let dir = tempfile::tempdir().unwrap();
        let made: Vec<PathBuf> = (1..=5).map(|at| RESTORE.path(dir.path(), "", UnixMs(at))).collect();
        for path in &made {
            std::fs::write(path, "").unwrap();
        }
        let removed = keep_newest(dir.path(), RESTORE, &[&made[0], &made[1]]);
        assert_eq!(removed, [made[3].clone(), made[2].clone()]);
        assert!(made[0].is_file() && made[1].is_file() && made[4].is_file());
    }
}
