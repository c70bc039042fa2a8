//! A backup put in the place of the store, which is kept.
//!
//! It is copied, brought up to date and checked beside the store first; the store is touched when nothing can go wrong with
//! the backup any more. Nobody else has the store open meanwhile: hooks find it busy and leave their events in the spool.

use std::path::{Path, PathBuf};

use rusqlite::{Connection, OpenFlags};
use six_core::record::UnixMs;

use crate::backup::{self, DAMAGED, RESTORE};
use crate::copy::{Contents, check_copy, copy_pages};
use crate::error::{Result, StoreError};
use crate::in_use::InUse;
use crate::journal::Journal;
use crate::kill::KillPoint;
use crate::migrate::{self, MIGRATIONS, SCHEMA_VERSION, counts};
use crate::open::{APPLICATION_ID, Store, application_id, beside, folder, immutable_uri, pragma_u32};
use crate::repair::{RepairMode, WAIT, have_alone, open_ours};
use crate::swap::{has_journal, kept_as, remove, swap};
use crate::table::{heartbeat, meta};

/// What a file that is to become the store holds.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Prepared {
    /// Its rows, with the schema that it has.
    pub contents: Contents,
    /// The id of the project that it is a backup of, where it says so.
    pub project: Option<String>,
}

/// What a restore did.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Restored {
    /// What the store holds now.
    pub contents: Contents,
    /// What the former store held; `None` when it was gone or could not be read.
    pub former: Option<Contents>,
    /// Where the former store is kept, or the journal that was left of it; `None` when it was gone.
    pub kept: Option<PathBuf>,
    /// States before older restores that had to go for it.
    pub removed: Vec<PathBuf>,
}

/// Why nothing was restored. The store is as it was.
#[derive(Debug, thiserror::Error)]
pub enum RestoreError {
    /// The file is none that can become the store.
    #[error("it can't be used: {0}")]
    Backup(#[source] StoreError),
    /// The store can't be replaced now.
    #[error(transparent)]
    Store(#[from] StoreError),
}

/// Looks whether a file is a store of six that this binary can use and that is whole. Reads only.
pub fn prepare_restore(from: &Path) -> std::result::Result<Prepared, RestoreError> {
    look(from).map_err(RestoreError::Backup)
}

fn look(from: &Path) -> Result<Prepared> {
    let backup = open(from)?;
    let whole: String = backup.query_row("PRAGMA quick_check(1)", [], |row| row.get(0))?;
    if whole != "ok" {
        return Err(StoreError::Corrupt);
    }
    Ok(Prepared { contents: Contents::of(&backup)?, project: meta::get(&backup, meta::PROJECT)? })
}

/// A file of ours, by its first page. Nothing is written beside it, so that it may lie where nothing can be; with a journal
/// it is read as it would have been as the store.
fn open(from: &Path) -> Result<Connection> {
    // A FIFO would be waited for, and of a folder SQLite says only that it can't be opened.
    if !std::fs::metadata(from)?.is_file() {
        return Err(StoreError::NotOurs);
    }
    let flags = OpenFlags::SQLITE_OPEN_READ_ONLY | OpenFlags::SQLITE_OPEN_NO_MUTEX | OpenFlags::SQLITE_OPEN_EXRESCODE;
    let backup = if has_journal(from)? {
        Connection::open_with_flags(from, flags)?
    } else {
        Connection::open_with_flags(immutable_uri(from), flags | OpenFlags::SQLITE_OPEN_URI)?
    };
    if application_id(&backup)? != APPLICATION_ID {
        return Err(StoreError::NotOurs);
    }
    let found = pragma_u32(&backup, "user_version")?;
    if found > SCHEMA_VERSION {
        return Err(StoreError::NewerSchema { found, known: SCHEMA_VERSION });
    }
    Ok(backup)
}

/// Makes the store in `path`, which may be gone, what a backup holds, brought to this binary's schema. The store that was
/// there is kept in `backup_dir`, which must be there.
///
/// Whenever it is stopped, `path` is the old file (but for the kind of its journal) or the new one, whole.
pub fn restore(
    from: &Path,
    path: &Path,
    backup_dir: &Path,
    now: UnixMs,
) -> std::result::Result<Restored, RestoreError> {
    backup::check_backup_folder(backup_dir)?;
    let _lock = migrate::have_lock(path, WAIT)?;
    let unfinished = beside(path, ".restore");
    remove(&unfinished)?;
    let done = build(from, &unfinished, Journal::of(folder(path)), now).and_then(|contents| {
        KillPoint::RestoreBuilt.reach();
        let mut restored = replace(&unfinished, path, backup_dir, contents, now)?;
        let spared: Vec<&Path> = restored.kept.as_deref().into_iter().chain([from]).collect();
        restored.removed = backup::keep_newest(backup_dir, RESTORE, &spared);
        Ok(restored)
    });
    // What is left of it is removed by the next one. What was done is done.
    let _ = remove(&unfinished);
    done
}

fn build(from: &Path, file: &Path, journal: Journal, now: UnixMs) -> std::result::Result<Contents, RestoreError> {
    let backup = open(from).map_err(RestoreError::Backup)?;
    let held = copy_pages(&backup, file, counts).map_err(|fault| match fault {
        fault @ (StoreError::Full | StoreError::ReadOnly | StoreError::Io(_)) => RestoreError::Store(fault),
        fault => RestoreError::Backup(fault),
    })?;
    check_copy(file, &held, "integrity_check").map_err(|_| RestoreError::Backup(StoreError::Corrupt))?;
    let new = Connection::open_with_flags(file, OpenFlags::SQLITE_OPEN_READ_WRITE | OpenFlags::SQLITE_OPEN_NO_MUTEX)
        .map_err(StoreError::from)?;
    // Until it is whole nobody misses it.
    new.execute_batch("PRAGMA synchronous = OFF").map_err(StoreError::from)?;
    migrate::run(&new, MIGRATIONS)?;
    meta::remove(&new, meta::PROJECT).map_err(StoreError::from)?;
    // Who was at work when the backup was made left an end that is not in it.
    heartbeat::end_open(&new, now).map_err(StoreError::from)?;
    let store = Store::over(new, file);
    if !store.index_is_current()? {
        store.rebuild_index()?;
    }
    if !store.full_check(now)?.faults.is_empty() {
        return Err(RestoreError::Backup(StoreError::Corrupt));
    }
    let contents = Contents::of(&store.conn)?;
    store.conn.pragma_update(None, "journal_mode", journal.pragma()).map_err(StoreError::from)?;
    store.conn.close().map_err(|(_, error)| StoreError::from(error))?;
    std::fs::File::open(file).and_then(|file| file.sync_all()).map_err(StoreError::from)?;
    Ok(contents)
}

fn replace(new: &Path, path: &Path, backup_dir: &Path, contents: Contents, now: UnixMs) -> Result<Restored> {
    let _in_use = InUse::alone(path, WAIT)?;
    let (_alone, former) = have_old(path)?;
    let kind = if former.is_some() && !has_journal(path)? { RESTORE } else { DAMAGED };
    let kept = kind.path(backup_dir, "", now);
    swap(new, path, &kept)?;
    Ok(Restored { contents, former, kept: kept_as(kept), removed: Vec::new() })
}

/// The old file for this process alone, with its journal moved into it, and what it holds: as far as it is a store at all,
/// of whatever schema.
fn have_old(path: &Path) -> Result<(Option<Connection>, Option<Contents>)> {
    if !path.try_exists()? {
        return Ok((None, None));
    }
    let old = match open_ours(path, RepairMode::Swap) {
        Err(StoreError::NotOurs | StoreError::Corrupt | StoreError::MissingTable) => return Ok((None, None)),
        old => old?,
    };
    match have_alone(&old) {
        Err(StoreError::NotOurs | StoreError::Corrupt | StoreError::MissingTable) => return Ok((None, None)),
        done => done?,
    }
    let contents = Contents::of(&old).ok();
    Ok((Some(old), contents))
}

#[cfg(test)]
mod tests {
    use std::ffi::OsStr;
    use std::time::Duration;

    use six_core::record::{HookName, ProjectId, RecordKind, RecordState};

    use super::*;
    use crate::testkit::*;
    use crate::{Access, KeptFor, kept_states};

    /// A store with a decision, and a backup from before its second one.
    fn backed_up() -> (tempfile::TempDir, PathBuf, PathBuf) {
        let s = Scratch::new();
        s.store.commit(&doc_batch("a.md", "the outbox keeps order")).unwrap();
        let add = |id: &str| {
            s.store.add_record(&record(id, RecordKind::Decision, RecordState::Confirmed, id, ""), "x").unwrap();
        };
        add("first");
        s.store.open_heartbeat(&heartbeat("e1", HookName::Worker)).unwrap();
        let backup = s.dir.path().join("kept.db");
        let project = ProjectId::parse("abcdefghijklmnopqrstuvwxyz").unwrap();
        assert_eq!(s.store.back_up(&backup, &project).unwrap().records, 1);
        add("second");
        let path = s.path();
        drop(s.store);
        (s.dir, path, backup)
    }

    fn records(path: &Path) -> usize {
        let store = Store::open(path, Access::Write, Duration::ZERO).unwrap();
        assert_eq!(store.full_check(NOW).unwrap().faults, Vec::<String>::new());
        store.records(None, &RecordState::ALL).unwrap().len()
    }

    #[test]
    fn what_a_backup_holds_is_there_again_and_the_former_store_is_kept() {
        let (dir, path, backup) = backed_up();
        let looked = prepare_restore(&backup).unwrap();
        assert_eq!((looked.contents.records, looked.project.as_deref()), (1, Some("abcdefghijklmnopqrstuvwxyz")));
        let restored = restore(&backup, &path, dir.path(), NOW).unwrap();
        assert_eq!((restored.contents.records, restored.former.unwrap().records), (1, 2));
        assert_eq!(records(&path), 1);
        let store = Store::open(&path, Access::Write, Duration::ZERO).unwrap();
        assert_eq!(store.meta(meta::PROJECT).unwrap(), None, "a store is no backup");
        let open: i64 =
            store.conn.query_row("SELECT count(*) FROM heartbeat WHERE outcome IS NULL", [], |row| row.get(0)).unwrap();
        assert_eq!(open, 0, "who was at work then is not at work now");
        drop(store);
        let kept = kept_states(dir.path()).unwrap();
        assert_eq!(kept.iter().map(|state| state.kept_for).collect::<Vec<_>>(), [KeptFor::Restore]);
        // And back again.
        restore(&kept[0].path, &path, dir.path(), UnixMs(NOW.0 + 1)).unwrap();
        assert_eq!(records(&path), 2);
    }

    #[test]
    fn the_state_that_was_restored_stays_though_it_is_the_oldest_and_what_goes_for_it_is_told() {
        let (dir, path, backup) = backed_up();
        let kept: Vec<PathBuf> =
            (0..3).map(|n| restore(&backup, &path, dir.path(), UnixMs(NOW.0 + n)).unwrap().kept.unwrap()).collect();
        let restored = restore(&kept[0], &path, dir.path(), UnixMs(NOW.0 + 3)).unwrap();
        assert_eq!((restored.contents.records, restored.removed), (2, vec![kept[1].clone()]));
        assert!(kept[0].is_file() && kept[2].is_file() && restored.kept.unwrap().is_file());
    }

    #[test]
    fn a_restore_that_was_done_is_told_as_done_whatever_else_is_in_the_folder() {
        let (dir, path, backup) = backed_up();
        for at in 1..=4 {
            std::fs::create_dir(dir.path().join(format!("memory-before-restore-{at}.db"))).unwrap();
        }
        let restored = restore(&backup, &path, dir.path(), NOW).unwrap();
        assert_eq!((restored.contents.records, restored.removed), (1, Vec::new()));
        // Of the same millisecond there is one already, which stays.
        let again = restore(&backup, &path, dir.path(), NOW);
        assert!(matches!(again, Err(RestoreError::Store(StoreError::Io(_)))), "{again:?}");
        assert_eq!(records(&path), 1);
    }

    #[cfg(unix)]
    #[test]
    fn nothing_is_put_aside_through_a_link_in_the_place_of_the_backup_folder() {
        let (dir, path, backup) = backed_up();
        let (elsewhere, link) = (dir.path().join("elsewhere"), dir.path().join("backup"));
        std::fs::create_dir(&elsewhere).unwrap();
        std::os::unix::fs::symlink(&elsewhere, &link).unwrap();
        let restored = restore(&backup, &path, &link, NOW);
        assert!(matches!(restored, Err(RestoreError::Store(StoreError::LinkedFolder(_)))), "{restored:?}");
        let repaired = crate::repair(&path, &link, NOW, RepairMode::Swap);
        assert!(matches!(repaired, Err(StoreError::LinkedFolder(_))), "{repaired:?}");
        let older = dir.path().join("older.db");
        std::fs::copy(concat!(env!("CARGO_MANIFEST_DIR"), "/tests/fixtures/schema-3.db"), &older).unwrap();
        let migrated = migrate::migrate(&older, &link, NOW);
        assert!(matches!(migrated, Err(StoreError::LinkedFolder(_))), "{migrated:?}");
        assert_eq!((std::fs::read_dir(elsewhere).unwrap().count(), records(&path)), (0, 2));
    }

    #[test]
    fn a_store_that_is_gone_or_can_not_be_read_is_replaced_and_what_is_left_of_it_is_kept() {
        type Damage = fn(&Path);
        let damages: [(Damage, Option<&str>, Option<KeptFor>); 4] = [
            (|path| std::fs::remove_file(path).unwrap(), None, None),
            (
                |path| {
                    std::fs::remove_file(path).unwrap();
                    std::fs::write(beside(path, "-wal"), "frames of a store that is gone").unwrap();
                },
                Some("db-wal"),
                None,
            ),
            (|path| std::fs::write(path, "").unwrap(), Some("db"), Some(KeptFor::Damage)),
            (
                |path| {
                    std::fs::write(path, "no database".repeat(900)).unwrap();
                    std::fs::write(beside(path, "-journal"), "pages of another").unwrap();
                },
                Some("db"),
                Some(KeptFor::Damage),
            ),
        ];
        for (n, (damage, end, kept_for)) in damages.into_iter().enumerate() {
            let (dir, path, backup) = backed_up();
            damage(&path);
            let restored = restore(&backup, &path, dir.path(), NOW).unwrap();
            let kept = restored.kept.as_deref().inspect(|kept| assert!(kept.is_file(), "{n}"));
            assert_eq!((restored.former, kept.and_then(Path::extension)), (None, end.map(OsStr::new)), "{n}");
            assert_eq!(records(&path), 1, "{n}");
            assert_eq!(kept_states(dir.path()).unwrap().first().map(|state| state.kept_for), kept_for, "{n}");
        }
    }

    #[test]
    fn a_file_that_is_foreign_newer_or_damaged_is_refused_and_the_store_stays() {
        type Spoil = fn(&Path);
        type Expected = fn(&StoreError) -> bool;
        let spoiled: [(Spoil, Expected); 5] = [
            (|file| std::fs::write(file, "").unwrap(), |fault| matches!(fault, StoreError::NotOurs)),
            (|file| std::fs::write(file, "notes".repeat(999)).unwrap(), |fault| matches!(fault, StoreError::NotOurs)),
            (|file| std::fs::remove_file(file).unwrap(), |fault| matches!(fault, StoreError::NoStore)),
            (
                |file| Connection::open(file).unwrap().pragma_update(None, "user_version", SCHEMA_VERSION + 1).unwrap(),
                |fault| matches!(fault, StoreError::NewerSchema { .. }),
            ),
            (
                |file| {
                    let mut bytes = std::fs::read(file).unwrap();
                    bytes[8192..].iter_mut().for_each(|byte| *byte = !*byte);
                    std::fs::write(file, bytes).unwrap();
                },
                |fault| matches!(fault, StoreError::Corrupt),
            ),
        ];
        for (n, (spoil, expected)) in spoiled.into_iter().enumerate() {
            let (dir, path, backup) = backed_up();
            spoil(&backup);
            for refusal in [prepare_restore(&backup).map(drop), restore(&backup, &path, dir.path(), NOW).map(drop)] {
                let Err(RestoreError::Backup(fault)) = refusal else { panic!("{n}: {refusal:?}") };
                assert!(expected(&fault), "{n}: {fault:?}");
            }
            assert_eq!(records(&path), 2, "{n}");
            assert!(!beside(&path, ".restore").exists(), "{n}");
        }
    }

    #[test]
    fn a_backup_of_every_older_schema_becomes_a_store_of_this_one() {
        for schema in 1..SCHEMA_VERSION {
            let (dir, path, _) = backed_up();
            let old = crate::fixture::path_of(schema);
            let restored = restore(&old, &path, dir.path(), NOW).unwrap();
            assert_eq!(restored.contents.schema, SCHEMA_VERSION, "{schema}");
            records(&path);
        }
    }

    #[test]
    fn while_somebody_has_the_store_open_it_is_not_replaced() {
        let (dir, path, backup) = backed_up();
        let reader = Store::open(&path, Access::Read, Duration::ZERO).unwrap();
        std::thread::scope(|scope| {
            let restoring = scope.spawn(|| restore(&backup, &path, dir.path(), NOW).unwrap());
            assert_eq!(reader.records(None, &RecordState::ALL).unwrap().len(), 2);
            drop(reader);
            assert_eq!(restoring.join().unwrap().contents.records, 1);
        });
    }
}
