//! A copy of a store: for whatever must not touch the store itself, and to be kept.

use std::path::Path;

use rusqlite::backup::{Backup, StepResult};
use rusqlite::{Connection, OpenFlags, OptionalExtension as _, Transaction, TransactionBehavior};
use six_core::record::ProjectId;

use crate::error::{Result, StoreError};
use crate::kill::KillPoint;
use crate::migrate::counts;
use crate::open::{Store, beside, folder, pragma_u32, private_file};
use crate::swap::{remove, sync};
use crate::table::meta;

/// How the unfinished copy ends. Before it stands a word that nobody else has: two may be made beside each other.
pub(crate) const UNFINISHED: &str = ".six-new";

/// What a store holds, in rows.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub struct Contents {
    /// Its schema.
    pub schema: u32,
    /// Turns, documents and commits that were read.
    pub entries: u64,
    /// Decisions, dead ends, corrections and cheatsheets, in whatever state.
    pub records: u64,
    /// Entries of the inventory.
    pub subsystems: u64,
    /// Vectors.
    pub vectors: u64,
    /// Runs of hooks and of the worker.
    pub heartbeats: u64,
    /// Receipts.
    pub receipts: u64,
}

impl Contents {
    pub(crate) fn of(conn: &Connection) -> Result<Self> {
        let rows = |table: &str| -> Result<u64> {
            let there = "SELECT 1 FROM sqlite_schema WHERE type = 'table' AND name = ?1";
            if conn.query_row(there, [table], |_| Ok(())).optional()?.is_none() {
                return Ok(0);
            }
            let rows: i64 = conn.query_row(&format!("SELECT count(*) FROM {table}"), [], |row| row.get(0))?;
            Ok(u64::try_from(rows).unwrap_or(0))
        };
        Ok(Self {
            schema: pragma_u32(conn, "user_version")?,
            entries: rows("entry")?,
            records: rows("record")?,
            subsystems: rows("subsystem")?,
            vectors: rows("vector")?,
            heartbeats: rows("heartbeat")?,
            receipts: rows("receipt")?,
        })
    }
}

impl Store {
    /// Writes the store as it is at this moment to a new file, which only its owner can read. Others may write meanwhile.
    /// Fails when there is a file already.
    pub fn copy_to(&self, path: &Path) -> Result<()> {
        copy_pages(&self.conn, path, |_| Ok(()))
    }

    /// The same for a copy that is kept: it is checked page by page and row by row before it gets its name, and says whose
    /// it is. A file that is there already stays, and so does a link.
    pub fn back_up(&self, path: &Path, project: &ProjectId) -> Result<Contents> {
        let word: String = self.conn.query_row("SELECT lower(hex(randomblob(8)))", [], |row| row.get(0))?;
        let unfinished = beside(path, &format!(".{word}{UNFINISHED}"));
        let done = self.back_up_to(&unfinished, path, project);
        // A copy that has its name is done.
        let _ = remove(&unfinished);
        done
    }

    fn back_up_to(&self, unfinished: &Path, path: &Path, project: &ProjectId) -> Result<Contents> {
        let held = copy_pages(&self.conn, unfinished, counts)?;
        KillPoint::BackupCopied.reach();
        let contents = check_copy(unfinished, &held, "integrity_check")?;
        let copy = Connection::open_with_flags(unfinished, OpenFlags::SQLITE_OPEN_READ_WRITE)?;
        meta::set(&copy, meta::PROJECT, project.as_str())?;
        copy.close().map_err(|(_, error)| error)?;
        KillPoint::BackupChecked.reach();
        name(unfinished, path)?;
        sync(folder(path));
        Ok(contents)
    }
}

/// Never over a file that came meanwhile; where a file can't have two names, only over none that is seen.
fn name(unfinished: &Path, path: &Path) -> Result<()> {
    match std::fs::hard_link(unfinished, path) {
        Ok(()) => return Ok(()),
        Err(error) if error.kind() == std::io::ErrorKind::AlreadyExists => return Err(error.into()),
        Err(_) => {}
    }
    if path.symlink_metadata().is_ok() {
        return Err(std::io::Error::from(std::io::ErrorKind::AlreadyExists).into());
    }
    Ok(std::fs::rename(unfinished, path)?)
}

/// Writes all pages as they are at one moment to a new private file, which is on the disk then, whatever is in them; answers
/// what a look at the store finds at that moment.
pub(crate) fn copy_pages<T>(from: &Connection, path: &Path, look: impl FnOnce(&Connection) -> Result<T>) -> Result<T> {
    private_file(path)?;
    let mut to =
        Connection::open_with_flags(path, OpenFlags::SQLITE_OPEN_READ_WRITE | OpenFlags::SQLITE_OPEN_NO_MUTEX)?;
    // Until it is whole nobody misses it.
    to.execute_batch("PRAGMA journal_mode = OFF; PRAGMA synchronous = OFF;")?;
    let moment = Transaction::new_unchecked(from, TransactionBehavior::Deferred)?;
    let held = look(&moment)?;
    match Backup::new(&moment, &mut to)?.step(-1)? {
        StepResult::Done => {}
        _ => return Err(StoreError::Busy),
    }
    moment.commit()?;
    // The pages say that there is a journal beside them: a copy is one file.
    to.execute_batch("PRAGMA journal_mode = DELETE")?;
    to.close().map_err(|(_, error)| error)?;
    std::fs::File::open(path)?.sync_all()?;
    Ok(held)
}

/// Fails unless a copy is whole, by that pragma, and holds so many rows.
pub(crate) fn check_copy(path: &Path, held: &[i64], pragma: &str) -> Result<Contents> {
    let copy = Connection::open_with_flags(path, OpenFlags::SQLITE_OPEN_READ_ONLY)?;
    let whole: String = copy.query_row(&format!("PRAGMA {pragma}(1)"), [], |row| row.get(0))?;
    if whole != "ok" || counts(&copy)? != held {
        return Err(StoreError::BadBackup);
    }
    Contents::of(&copy)
}

#[cfg(test)]
mod tests {
    use std::sync::atomic::{AtomicBool, Ordering};
    use std::time::Duration;

    use six_core::record::{HookName, ProjectId, RecordKind, RecordState};

    use crate::testkit::*;
    use crate::{Access, Store};

    fn project() -> ProjectId {
        ProjectId::parse("abcdefghijklmnopqrstuvwxyz").unwrap()
    }

    #[test]
    fn a_copy_has_all_that_the_store_has_and_goes_its_own_way() {
        let s = Scratch::new();
        s.store.commit(&doc_batch("a.md", "the outbox keeps order")).unwrap();
        let path = s.dir.path().join("copy.db");
        s.open(Access::Read).copy_to(&path).unwrap();
        let copy = Store::open(&path, Access::Write, Duration::ZERO).unwrap();
        assert_eq!(copy.search(&query("outbox")).unwrap().hits.len(), 1);
        copy.add_record(&record("r1", RecordKind::Decision, RecordState::Confirmed, "outbox", ""), "x").unwrap();
        assert_eq!(copy.full_check(NOW).unwrap().faults, Vec::<String>::new());
        assert_eq!(
            (
                copy.records(None, &RecordState::ALL).unwrap().len(),
                s.store.records(None, &RecordState::ALL).unwrap().len()
            ),
            (1, 0)
        );
        assert!(s.store.copy_to(&path).is_err(), "a file that is there stays");
    }

    #[test]
    fn a_backup_that_is_made_while_others_write_is_whole_and_one_file() {
        let s = Scratch::new();
        s.store.commit(&doc_batch("a.md", "the outbox keeps order")).unwrap();
        let path = s.dir.path().join("kept.db");
        let (done, from) = (AtomicBool::new(false), s.path());
        std::thread::scope(|scope| {
            let writer = scope.spawn(|| {
                let hook = Store::open(&from, Access::Hook, Duration::from_secs(30)).unwrap();
                let mut n = 0;
                while !done.load(Ordering::Relaxed) {
                    hook.open_heartbeat(&heartbeat(&format!("e{n}"), HookName::Stop)).unwrap();
                    n += 1;
                }
            });
            for n in 0..10 {
                let path = s.dir.path().join(format!("kept-{n}.db"));
                assert_eq!(s.open(Access::Read).back_up(&path, &project()).unwrap().entries, 1);
            }
            done.store(true, Ordering::Relaxed);
            writer.join().unwrap();
        });
        let contents = s.open(Access::Read).back_up(&path, &project()).unwrap();
        assert!(contents.heartbeats > 0);
        let names = std::fs::read_dir(s.dir.path()).unwrap().map(|entry| entry.unwrap().file_name());
        let beside: Vec<_> = names.filter(|name| name.to_string_lossy().starts_with("kept.db")).collect();
        assert_eq!(beside, ["kept.db"]);
        let copy = Store::open(&path, Access::Write, Duration::ZERO).unwrap();
        assert_eq!(copy.full_check(NOW).unwrap().faults, Vec::<String>::new());
        assert_eq!(copy.search(&query("outbox")).unwrap().hits.len(), 1);
    }

    #[cfg(unix)]
    #[test]
    fn a_backup_goes_over_no_file_and_through_no_link_and_is_private() {
        use std::os::unix::fs::PermissionsExt as _;
        let s = Scratch::new();
        s.store.commit(&doc_batch("a.md", "the outbox keeps order")).unwrap();
        let at = |name: &str| s.dir.path().join(name);
        std::fs::write(at("mine"), "mine").unwrap();
        std::os::unix::fs::symlink(at("elsewhere"), at("link")).unwrap();
        std::fs::write(at("new.six-new"), "mine").unwrap();
        for name in ["mine", "link"] {
            assert!(s.store.back_up(&at(name), &project()).is_err(), "{name}");
        }
        s.store.back_up(&at("new"), &project()).unwrap();
        assert!(!at("elsewhere").exists());
        for name in ["mine", "new.six-new"] {
            assert_eq!(std::fs::read(at(name)).unwrap(), b"mine", "{name}");
        }
        assert_eq!(std::fs::metadata(at("new")).unwrap().permissions().mode() & 0o777, 0o600);
        let names = std::fs::read_dir(s.dir.path()).unwrap().map(|entry| entry.unwrap().file_name());
        assert_eq!(names.filter(|name| name.to_string_lossy().contains(".six-new")).count(), 1, "none of ours is left");
    }

    #[test]
    fn a_damaged_store_gives_no_backup() {
        let s = Scratch::new();
        for n in 0..40 {
            s.store.commit(&doc_batch(&format!("{n}.md"), &"retry with jitter\n".repeat(60))).unwrap();
        }
        let (path, dir) = (s.path(), s.dir);
        s.store.checkpoint(crate::Checkpoint::Truncate).unwrap();
        drop(s.store);
        let mut bytes = std::fs::read(&path).unwrap();
        let last_pages = bytes.len() - 8192;
        bytes[last_pages..].iter_mut().for_each(|byte| *byte = !*byte);
        std::fs::write(&path, &bytes).unwrap();
        let spoiled = bytes.split_off(last_pages);
        let store = Store::open(&path, Access::Read, Duration::ZERO).unwrap();
        let proof = dir.path().join("proof.db");
        store.copy_to(&proof).unwrap();
        assert_eq!(std::fs::read(&proof).unwrap()[last_pages..], spoiled, "what is to be looked at is copied as it is");
        let refusal = store.back_up(&dir.path().join("kept.db"), &project()).unwrap_err();
        assert_eq!(refusal.why(), six_core::record::Why::Corrupt);
        let left = std::fs::read_dir(dir.path()).unwrap().map(|entry| entry.unwrap().file_name());
        assert!(!left.into_iter().any(|name| name.to_string_lossy().starts_with("kept")));
    }
}
