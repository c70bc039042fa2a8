//! A store made anew from what can be read of it, put in the place of the old file, which is kept.
//!
//! While it is made nobody else has the store open: hooks find it busy and leave their events in the spool. The old file
//! gets a rollback journal first, so that nothing of it is left in a journal that the new file would be taken to have. Where
//! its damage is in the way of that, its journal is read with it and goes with it.

use std::path::{Path, PathBuf};
use std::time::{Duration, Instant};

use rusqlite::config::DbConfig;
use rusqlite::{Connection, MAIN_DB, OpenFlags};
use six_core::record::{RecordState, Source, UnixMs};

use crate::backup::{self, DAMAGED, REPAIR};
use crate::error::{Result, StoreError};
use crate::in_use::InUse;
use crate::journal::Journal;
use crate::kill::KillPoint;
use crate::mend::mend;
use crate::migrate::{self, MIGRATIONS, PRECIOUS, SCHEMA_VERSION};
use crate::open::{APPLICATION_ID, Store, application_id, beside, folder, pragma_u32, private_file};
use crate::records::{put_in_index, record_entry, subsystem_entry};
use crate::salvage::{TableRead, copy_tables};
use crate::swap::{has_journal, remove, swap};
use crate::table::entry;

/// How long others may keep the file open. A hook has it for milliseconds, a search for less than a second.
pub(crate) const WAIT: Duration = Duration::from_secs(30);

/// Between two tries to have the file alone: `SQLite` does not wait for that.
const POLL: Duration = Duration::from_millis(10);

/// Whether the new file takes the old one's place.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum RepairMode {
    /// It is made and checked, and thrown away.
    Try,
    /// It takes its place, and the old one is kept.
    Swap,
}

/// What a repair did, or would do.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Repaired {
    /// What could be read, by table.
    pub tables: Vec<TableRead>,
    /// Rows in the new file of what is not made from other rows: what was read, but for what meant nothing without lost rows.
    pub rows: u64,
    /// Distinct texts that were indexed anew.
    pub bodies: u64,
    /// Vectors in the new file: those that were read and belong to a text.
    pub vectors: u64,
    /// Where the old file is; `None` after a try.
    pub kept: Option<PathBuf>,
}

impl Repaired {
    /// Whether nothing was lost.
    pub fn is_whole(&self) -> bool {
        self.tables.iter().all(TableRead::is_whole)
    }
}

/// Makes the store in `path` anew. Old schemas are brought up to date. A file of which nothing can be read stays where it is:
/// no empty store ever takes the place of one that held something.
///
/// Whenever it is stopped, `path` is the old file (but for the kind of its journal) or the new one, whole; where the journal
/// goes with the old file, that one is whole under the name that it is kept by before `path` is the new one. `backup_dir`
/// must be there; of the files that were read whole the last one stays in it, of the others all.
pub fn repair(path: &Path, backup_dir: &Path, now: UnixMs, mode: RepairMode) -> Result<Repaired> {
    if !std::fs::metadata(path)?.is_file() {
        return Err(StoreError::NotOurs);
    }
    let _lock = migrate::have_lock(path, WAIT)?;
    let _in_use = match mode {
        RepairMode::Try => InUse::share(path, WAIT)?,
        RepairMode::Swap => {
            backup::check_backup_folder(backup_dir)?;
            InUse::alone(path, WAIT)?
        }
    };
    let old = open_old(path, mode)?;
    let unfinished = beside(path, ".repair");
    let done = build(&old, &unfinished, Journal::of(folder(path)), now).and_then(|mut repaired| {
        if mode == RepairMode::Swap {
            KillPoint::RepairBuilt.reach();
            let kind = if repaired.is_whole() && !has_journal(path)? { REPAIR } else { DAMAGED };
            let kept = kind.path(backup_dir, "", now);
            swap(&unfinished, path, &kept)?;
            backup::keep_newest(backup_dir, kind, &[&kept]);
            repaired.kept = Some(kept);
        }
        Ok(repaired)
    });
    // What is left of it is removed by the next one. What was done is done.
    let _ = remove(&unfinished);
    done
}

/// Opens the old file so that damage to its list of pages or tables does not hide what is whole.
fn open_old(path: &Path, mode: RepairMode) -> Result<Connection> {
    let old = open_ours(path, mode)?;
    // Before anything of it is touched.
    let found = pragma_u32(&old, "user_version")?;
    if found > SCHEMA_VERSION {
        return Err(StoreError::NewerSchema { found, known: SCHEMA_VERSION });
    }
    match mode {
        RepairMode::Try => old.execute_batch("BEGIN")?,
        RepairMode::Swap => have_alone(&old)?,
    }
    Ok(old)
}

/// A file of ours, of whatever schema.
pub(crate) fn open_ours(path: &Path, mode: RepairMode) -> Result<Connection> {
    let access = match mode {
        RepairMode::Try => OpenFlags::SQLITE_OPEN_READ_ONLY,
        RepairMode::Swap => OpenFlags::SQLITE_OPEN_READ_WRITE,
    };
    let flags = access | OpenFlags::SQLITE_OPEN_NO_MUTEX | OpenFlags::SQLITE_OPEN_EXRESCODE;
    let old = Connection::open_with_flags(path, flags)?;
    old.busy_timeout(Duration::from_secs(1))?;
    old.execute_batch("PRAGMA writable_schema = ON")?;
    if mode == RepairMode::Swap && old.is_readonly(MAIN_DB)? {
        return Err(StoreError::ReadOnly);
    }
    if application_id(&old)? != APPLICATION_ID {
        return Err(StoreError::NotOurs);
    }
    Ok(old)
}

/// Moves its journal into the file and keeps everybody else from it, for as long as the connection is open.
pub(crate) fn have_alone(old: &Connection) -> Result<()> {
    let until = Instant::now() + WAIT;
    loop {
        match try_alone(old) {
            Err(StoreError::Busy) if Instant::now() < until => std::thread::sleep(POLL),
            done => return done,
        }
    }
}

fn try_alone(old: &Connection) -> Result<()> {
    let set = old.pragma_update_and_check(None, "journal_mode", "delete", |row| row.get::<_, String>(0));
    let set = match set.map_err(StoreError::from) {
        Err(StoreError::Corrupt | StoreError::NotOurs) => return try_alone_with_journal(old),
        set => set?,
    };
    if set != "delete" {
        return Err(StoreError::Busy);
    }
    old.execute_batch("BEGIN EXCLUSIVE")?;
    // A writer that came between the two has put its own journal back.
    let now: String = old.pragma_query_value(None, "journal_mode", |row| row.get(0))?;
    if now != "delete" {
        old.execute_batch("ROLLBACK")?;
        return Err(StoreError::Busy);
    }
    Ok(())
}

/// A journal can't be moved into a file that lacks pages. Nobody else writes into either until the old file is closed, which
/// leaves them as they are.
fn try_alone_with_journal(old: &Connection) -> Result<()> {
    old.set_db_config(DbConfig::SQLITE_DBCONFIG_NO_CKPT_ON_CLOSE, true)?;
    Ok(old.execute_batch("BEGIN EXCLUSIVE")?)
}

fn build(old: &Connection, file: &Path, journal: Journal, now: UnixMs) -> Result<Repaired> {
    let version = pragma_u32(old, "user_version")?;
    let made = usize::try_from(version).ok().and_then(|n| MIGRATIONS.get(..n));
    let made = made.ok_or(StoreError::NewerSchema { found: version, known: SCHEMA_VERSION })?;
    remove(file)?;
    private_file(file)?;
    let new = Connection::open_with_flags(file, OpenFlags::SQLITE_OPEN_READ_WRITE | OpenFlags::SQLITE_OPEN_NO_MUTEX)?;
    // Until it is whole nobody misses it.
    new.execute_batch("PRAGMA journal_mode = OFF; PRAGMA synchronous = OFF; PRAGMA foreign_keys = OFF;")?;
    migrate::run(&new, made)?;
    let tables = in_one(&new, |new| copy_tables(old, new))?;
    if tables.iter().all(|table| table.read == 0) {
        return Err(StoreError::Corrupt);
    }
    migrate::run(&new, MIGRATIONS)?;
    in_one(&new, |new| mend(new, &tables))?;
    let store = Store::over(new, file);
    let bodies = store.rebuild_index()? + index_lost_records(&store)?;
    let is_sound = store.full_check(now)?.faults.is_empty();
    if !is_sound || !holds(&store.conn, &tables)? {
        return Err(StoreError::BadRepair);
    }
    let rows = tables.iter().map(|table| rows_in(&store.conn, &table.table)).sum::<Result<u64>>()?;
    let vectors = rows_in(&store.conn, "vector")?;
    store.conn.pragma_update(None, "journal_mode", journal.pragma())?;
    store.conn.close().map_err(|(_, error)| error)?;
    std::fs::File::open(file)?.sync_all()?;
    Ok(Repaired { tables, rows, bodies, vectors, kept: None })
}

fn in_one<T>(conn: &Connection, work: impl FnOnce(&Connection) -> Result<T>) -> Result<T> {
    let tx = conn.unchecked_transaction()?;
    let done = work(&tx)?;
    tx.commit()?;
    Ok(done)
}

/// A record that was read whose text was not is searched all the same: it says again what is searched of it. Answers how many.
fn index_lost_records(store: &Store) -> Result<u64> {
    let records = store.records(None, &[RecordState::Confirmed])?;
    let subsystems = store.subsystems()?;
    let entries = records.iter().map(record_entry).chain(subsystems.iter().map(subsystem_entry));
    in_one(&store.conn, |conn| {
        let mut lost = 0;
        for new in entries {
            if entry::id(conn, Source::Record, &new.key)?.is_none() {
                put_in_index(conn, &new)?;
                lost += 1;
            }
        }
        Ok(lost)
    })
}

/// Whether every row that was read of what can't be made again is there.
fn holds(new: &Connection, tables: &[TableRead]) -> Result<bool> {
    for table in tables.iter().filter(|table| PRECIOUS.contains(&table.table.as_str())) {
        if rows_in(new, &table.table)? < table.read {
            return Ok(false);
        }
    }
    Ok(true)
}

fn rows_in(conn: &Connection, table: &str) -> Result<u64> {
    let rows: i64 = conn.query_row(&format!("SELECT count(*) FROM {table}"), [], |row| row.get(0))?;
    Ok(u64::try_from(rows).unwrap_or(0))
}

#[cfg(test)]
mod tests {
    use six_core::record::{HookName, Origin, RecordEdit, RecordId, RecordKind, ThreadId};

    use super::*;
    use crate::Access;
    use crate::testkit::*;

    /// A store with something in most tables, closed.
    fn filled() -> (tempfile::TempDir, PathBuf) {
        let s = Scratch::new();
        for n in 0..60 {
            let lines: Vec<String> = (0..20).map(|line| format!("retry number {n} line {line} with jitter")).collect();
            s.store.commit(&doc_batch(&format!("{n}.md"), &lines.join("\n"))).unwrap();
            let new =
                record(&format!("r{n}"), RecordKind::Decision, RecordState::Confirmed, &format!("outbox {n}"), "");
            s.store.add_record(&new, "operator").unwrap();
            s.store.open_heartbeat(&heartbeat(&format!("e{n}"), HookName::SessionEnd)).unwrap();
        }
        s.store.checkpoint(crate::Checkpoint::Truncate).unwrap();
        let path = s.path();
        drop(s.store);
        (s.dir, path)
    }

    fn spoil(path: &Path, sql: &str) {
        let conn = Connection::open(path).unwrap();
        conn.execute_batch(sql).unwrap();
    }

    fn run(path: &Path) -> Result<Repaired> {
        repair(path, path.parent().unwrap(), NOW, RepairMode::Swap)
    }

    fn assert_sound(path: &Path) -> Store {
        let store = Store::open(path, Access::Write, Duration::ZERO).unwrap();
        assert_eq!(store.full_check(NOW).unwrap().faults, Vec::<String>::new());
        let mode: String = store.conn.pragma_query_value(None, "journal_mode", |row| row.get(0)).unwrap();
        assert_eq!(mode, "wal");
        store
    }

    fn count(store: &Store, table: &str) -> i64 {
        store.conn.query_row(&format!("SELECT count(*) FROM {table}"), [], |row| row.get(0)).unwrap()
    }

    /// Where a page of a table's lowest level lies in the file.
    fn leaf(path: &Path, table: &str) -> std::ops::Range<usize> {
        let sql = "SELECT pgoffset FROM dbstat WHERE name = ?1 AND pagetype = 'leaf' ORDER BY path LIMIT 1 OFFSET 1";
        let at: i64 = Connection::open(path).unwrap().query_row(sql, [table], |row| row.get(0)).unwrap();
        let at = usize::try_from(at).unwrap();
        at..at + 4096
    }

    #[test]
    fn an_index_that_is_damaged_in_any_way_is_made_anew_and_nothing_is_lost() {
        for damage in [
            "DROP TABLE body_fts",
            "DELETE FROM body_fts WHERE rowid = 3",
            "DELETE FROM body_fts_data WHERE id > 10",
            "UPDATE body_fts_data SET block = x'00'",
            "DROP TABLE body_fts_docsize",
            "DELETE FROM term",
            "DELETE FROM body WHERE id = 5",
            "UPDATE chunk SET body_id = 7",
            "UPDATE meta SET value = '7' WHERE key = 'bodies'",
        ] {
            let (_dir, path) = filled();
            spoil(&path, &format!("PRAGMA foreign_keys = OFF; {damage}"));
            let repaired = run(&path).unwrap();
            assert!(repaired.is_whole(), "{damage}: {repaired:?}");
            let store = assert_sound(&path);
            assert_eq!(store.search(&query("number 59 line 19 jitter")).unwrap().hits.len(), 10, "{damage}");
            assert_eq!((count(&store, "record"), count(&store, "heartbeat")), (60, 60), "{damage}");
            assert_eq!(repaired.bodies, 1_260, "{damage}");
            let kept = repaired.kept.unwrap();
            assert!(kept.is_file() && kept != path);
        }
    }

    #[test]
    fn what_became_of_a_record_is_known_after_a_repair() {
        let (_dir, path) = filled();
        let store = assert_sound(&path);
        store.add_thread(&thread("t1", "queue")).unwrap();
        let edit = RecordEdit {
            title: Some(text("inbox")),
            thread: Some(Some(ThreadId::new("t1"))),
            evidence: Some(text("npm run bench: 9 s")),
            commits: Some(vec![String::from("0a1b2c3")]),
            ..RecordEdit::default()
        };
        let (old, new) = (RecordId::new("r1"), RecordId::new("r2"));
        store.edit_record(&old, &edit, Origin::Operator, &text("it never was one"), None, NOW).unwrap();
        store.supersede(&old, &new, Origin::Operator, &text("r2 says more"), None, NOW).unwrap();
        let before = [store.whole_record(&old).unwrap(), store.whole_record(&new).unwrap()];
        assert_eq!(before[0].history.len(), 3);
        drop(store);
        spoil(&path, "DELETE FROM term");
        assert!(run(&path).unwrap().is_whole());
        let store = assert_sound(&path);
        assert_eq!([store.whole_record(&old).unwrap(), store.whole_record(&new).unwrap()], before);
    }

    #[test]
    fn of_a_damaged_table_all_rows_but_those_of_the_damaged_page_are_kept() {
        let (dir, path) = filled();
        let damaged = leaf(&path, "entry");
        let mut bytes = std::fs::read(&path).unwrap();
        bytes[damaged].fill(0xff);
        std::fs::write(&path, &bytes).unwrap();
        let tried = repair(&path, dir.path(), NOW, RepairMode::Try).unwrap();
        assert_eq!(std::fs::read(&path).unwrap(), bytes, "a try changes nothing");
        let repaired = run(&path).unwrap();
        assert_eq!(tried, Repaired { kept: None, ..repaired.clone() });
        assert!(!repaired.is_whole());
        let entries = repaired.tables.iter().find(|table| table.table == "entry").unwrap();
        assert!(entries.read >= 100 && entries.read < 120, "{entries:?}");
        let store = assert_sound(&path);
        assert_eq!(count(&store, "record"), 60);
        let without = "SELECT count(*) FROM record WHERE id NOT IN (SELECT key FROM entry WHERE source = 'record')";
        let lost: i64 = store.conn.query_row(without, [], |row| row.get(0)).unwrap();
        assert_eq!(lost, 0, "a record that was read is searched, whatever became of its text");
        assert_eq!(store.search(&query("jitter")).unwrap().hits.len(), 10);
        let read: u64 = store.file_states(Source::Doc).unwrap().iter().map(|file| file.consumed_bytes).sum();
        assert_eq!(read, 0, "the sources are read again");
        let kept = repaired.kept.unwrap();
        assert!(kept.file_name().unwrap().to_str().unwrap().starts_with("memory-damaged-"));
        drop(store);
        let again = repair(&path, dir.path(), UnixMs(NOW.0 + 1), RepairMode::Swap).unwrap();
        assert!(again.is_whole() && kept.is_file(), "what could not be read whole is kept for good");
    }

    #[test]
    fn of_a_file_that_was_cut_off_what_is_left_is_kept() {
        let (_dir, path) = filled();
        let bytes = std::fs::read(&path).unwrap();
        for part in [5, 9] {
            for more in [0, 100] {
                let cut = bytes.len() / 4096 * part / 10 * 4096 + more;
                std::fs::write(&path, &bytes[..cut]).unwrap();
                let tried = repair(&path, path.parent().unwrap(), NOW, RepairMode::Try).unwrap();
                let repaired = run(&path).unwrap();
                assert_eq!(tried.tables, repaired.tables, "{cut}");
                assert!(!repaired.is_whole() && repaired.rows > 0, "{cut}");
                let store = assert_sound(&path);
                store.search(&query("jitter")).unwrap();
                store.status().unwrap();
                drop(store);
                let kept = repaired.kept.unwrap();
                assert_eq!(std::fs::read(&kept).unwrap().len(), cut);
                std::fs::remove_file(kept).unwrap();
            }
        }
    }

    #[test]
    fn of_a_file_that_was_cut_off_while_hooks_wrote_what_is_in_its_journal_is_kept_too() {
        let (dir, path) = filled();
        let whole = std::fs::read(&path).unwrap();
        let hook = Store::open(&path, Access::Hook, Duration::ZERO).unwrap();
        for n in 0..2 {
            hook.open_heartbeat(&heartbeat(&format!("late{n}"), HookName::UserPromptSubmit)).unwrap();
        }
        drop(hook);
        let cut = whole.len() / 4096 * 3 / 4 * 4096;
        std::fs::write(&path, &whole[..cut]).unwrap();
        let journal = std::fs::read(beside(&path, "-wal")).unwrap();
        assert!(!journal.is_empty());
        let old = Connection::open(&path).unwrap();
        let moved = old.pragma_update(None, "journal_mode", "delete").map_err(StoreError::from);
        assert!(matches!(moved, Err(StoreError::Corrupt)), "the journal can't be moved into the file: {moved:?}");
        old.set_db_config(DbConfig::SQLITE_DBCONFIG_NO_CKPT_ON_CLOSE, true).unwrap();
        drop(old);

        let tried = repair(&path, dir.path(), NOW, RepairMode::Try).unwrap();
        let repaired = run(&path).unwrap();
        assert_eq!(tried, Repaired { kept: None, ..repaired.clone() });
        assert!(!repaired.is_whole());
        let kept = repaired.kept.unwrap();
        assert_eq!(std::fs::read(&kept).unwrap(), whole[..cut], "the old file is as it was");
        assert_eq!(std::fs::read(beside(&kept, "-wal")).unwrap(), journal, "and so is its journal, beside it");
        let late = "SELECT count(*) FROM heartbeat WHERE event_id LIKE 'late%'";
        let store = assert_sound(&path);
        assert_eq!(store.conn.query_row(late, [], |row| row.get::<_, i64>(0)).unwrap(), 2);
        let rows: i64 = repaired.tables.iter().map(|table| count(&store, &table.table)).sum();
        assert_eq!(u64::try_from(rows).unwrap(), repaired.rows, "the rows that it tells are there");
        drop(store);
        let old = Connection::open_with_flags(&kept, OpenFlags::SQLITE_OPEN_READ_ONLY).unwrap();
        old.execute_batch("PRAGMA writable_schema = ON").unwrap();
        assert_eq!(old.query_row(late, [], |row| row.get::<_, i64>(0)).unwrap(), 2, "it is read with its journal");
    }

    #[test]
    fn the_rows_that_a_repair_tells_are_those_in_the_new_file() {
        let (_dir, path) = filled();
        spoil(&path, "PRAGMA foreign_keys = OFF; DELETE FROM entry WHERE id <= 3");
        let repaired = run(&path).unwrap();
        let read: u64 = repaired.tables.iter().map(|table| table.read).sum();
        let store = assert_sound(&path);
        let rows: i64 = repaired.tables.iter().map(|table| count(&store, &table.table)).sum();
        assert_eq!(repaired.rows, u64::try_from(rows).unwrap());
        assert!(repaired.rows < read, "chunks without an entry mean nothing");
    }

    #[test]
    fn a_row_behind_a_damage_of_any_size_is_found() {
        let (_dir, path) = filled();
        // One whole level of the tree: the rows before and behind it have numbers that are far apart.
        spoil(&path, "UPDATE heartbeat SET id = id + 1000000 WHERE id > 50");
        spoil(&path, "INSERT INTO heartbeat SELECT id + 100, event_id || 'x', hook, event, session, via, pid, version,
            started_unix_ms, deadline_ms, synthetic, ended_unix_ms, outcome, class, text, rows_written, emitted_bytes, applied, took_us
            FROM heartbeat WHERE id <= 50");
        spoil(&path, "PRAGMA wal_checkpoint(TRUNCATE)");
        let damaged = leaf(&path, "heartbeat");
        let mut bytes = std::fs::read(&path).unwrap();
        bytes[damaged].fill(0xff);
        std::fs::write(&path, &bytes).unwrap();
        let repaired = run(&path).unwrap();
        let rows = repaired.tables.iter().find(|table| table.table == "heartbeat").unwrap();
        assert!(rows.read >= 60 && rows.read < 110, "{rows:?}");
        let store = assert_sound(&path);
        let far: i64 = store.conn.query_row("SELECT max(id) FROM heartbeat", [], |row| row.get(0)).unwrap();
        assert_eq!(far, 1_000_060);
    }

    #[test]
    fn bytes_that_are_flipped_anywhere_leave_a_store_that_can_be_read() {
        let (_dir, path) = filled();
        let bytes = std::fs::read(&path).unwrap();
        let mut random = 12_345_u64;
        for round in 0..12 {
            let mut spoiled = bytes.clone();
            for _ in 0..20 {
                random = random.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
                // Behind the header, and behind the list of tables, whose damage leaves nothing to read.
                let at = 8 * 4096 + usize::try_from(random >> 33).unwrap() % (bytes.len() - 8 * 4096);
                spoiled[at] = !spoiled[at];
            }
            for end in ["-wal", "-shm"] {
                let _ = std::fs::remove_file(beside(&path, end));
            }
            std::fs::write(&path, &spoiled).unwrap();
            repair(&path, path.parent().unwrap(), UnixMs(NOW.0 + round), RepairMode::Swap).unwrap();
            let store = assert_sound(&path);
            store.search(&query("jitter outbox")).unwrap();
            store.status().unwrap();
            store.records(None, &[]).map_or_else(|fault| panic!("{round}: {fault}"), drop);
        }
    }

    #[test]
    fn a_file_of_which_nothing_can_be_read_stays_as_it_is() {
        let (dir, path) = filled();
        let mut bytes = std::fs::read(&path).unwrap();
        bytes[4096..].fill(0xff);
        for bytes in [bytes, b"this was never a store of six".repeat(400), Vec::new()] {
            std::fs::write(&path, &bytes).unwrap();
            let why = run(&path).unwrap_err().why();
            assert!(matches!(why, six_core::record::Why::Corrupt | six_core::record::Why::NotOurs), "{why:?}");
            // The header says of what kind the journal is.
            let left = std::fs::read(&path).unwrap();
            assert!(left.len() == bytes.len() && left.iter().skip(100).eq(bytes.iter().skip(100)));
            let mut left: Vec<_> = std::fs::read_dir(dir.path()).unwrap().map(|e| e.unwrap().file_name()).collect();
            left.sort();
            assert_eq!(left, ["memory.db", "memory.db.lock", "memory.db.use"]);
        }
    }

    #[test]
    fn a_repair_waits_for_who_has_the_store_open_and_keeps_what_they_write() {
        let (_dir, path) = filled();
        let hook = Store::open(&path, Access::Hook, Duration::ZERO).unwrap();
        std::thread::scope(|threads| {
            let repair = threads.spawn(|| run(&path).unwrap());
            hook.open_heartbeat(&heartbeat("late", HookName::UserPromptSubmit)).unwrap();
            drop(hook);
            assert!(repair.join().unwrap().is_whole());
        });
        assert_eq!(count(&assert_sound(&path), "heartbeat"), 61);
    }

    #[test]
    fn only_the_last_old_file_is_kept() {
        let (dir, path) = filled();
        for n in 0..3 {
            repair(&path, dir.path(), UnixMs(NOW.0 + n), RepairMode::Swap).unwrap();
        }
        let names =
            std::fs::read_dir(dir.path()).unwrap().map(|entry| entry.unwrap().file_name().into_string().unwrap());
        let kept: Vec<String> = names.filter(|name| name.starts_with("memory-before-repair-")).collect();
        assert_eq!(kept, [format!("memory-before-repair-{}.db", NOW.0 + 2)]);
        assert_sound(&path);
    }

    #[test]
    fn a_store_of_a_newer_six_is_not_repaired() {
        let (_dir, path) = filled();
        spoil(&path, "PRAGMA user_version = 99");
        assert!(matches!(run(&path), Err(StoreError::NewerSchema { found: 99, .. })));
    }
}
