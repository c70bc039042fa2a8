//! Migrations: numbered, append-only, each in a transaction, under a file lock, after a verified backup.

use std::fs::{File, OpenOptions, TryLockError};
use std::path::{Path, PathBuf};
use std::time::{Duration, Instant};

use rusqlite::{Connection, OpenFlags, Transaction, TransactionBehavior};
use six_core::record::UnixMs;

use crate::backup::{self, UPGRADE};
use crate::copy::{check_copy, copy_pages};
use crate::error::{Result, StoreError};
use crate::kill::KillPoint;
use crate::open::{APPLICATION_ID, application_id, beside, pragma_u32};

/// How long another process that migrates, repairs or restores is waited for.
const WAIT: Duration = Duration::from_secs(30);

/// Between two tries to have its lock: the system has no call with a deadline.
const POLL: Duration = Duration::from_millis(10);

/// In order; the n-th makes schema n.
pub(crate) const MIGRATIONS: &[&str] = &[
    include_str!("../migrations/0001-init.sql"),
    include_str!("../migrations/0002-vectors.sql"),
    include_str!("../migrations/0003-telemetry.sql"),
    include_str!("../migrations/0004-injection.sql"),
    include_str!("../migrations/0005-curation.sql"),
    include_str!("../migrations/0006-health.sql"),
];

/// The schema that this binary reads and writes.
pub const SCHEMA_VERSION: u32 = 6;

/// What a migration did.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Migrated {
    /// Schema before.
    pub from: u32,
    /// Schema now.
    pub to: u32,
    /// Where the copy of the old store is; `None` when nothing was to be done or the store was empty.
    pub backup: Option<PathBuf>,
}

/// Brings a store to this binary's schema. Waits for another process that migrates; the second one finds nothing to do.
/// When it fails, the store is as it was.
pub fn migrate(path: &Path, backup_dir: &Path, now: UnixMs) -> Result<Migrated> {
    migrate_with(path, backup_dir, now, MIGRATIONS)
}

fn migrate_with(path: &Path, backup_dir: &Path, now: UnixMs, migrations: &[&str]) -> Result<Migrated> {
    if !path.try_exists()? {
        return Err(StoreError::NoStore);
    }
    let _lock = have_lock(path, WAIT)?;
    let flags = OpenFlags::SQLITE_OPEN_READ_WRITE | OpenFlags::SQLITE_OPEN_NO_MUTEX;
    let conn = Connection::open_with_flags(path, flags)?;
    conn.busy_timeout(WAIT)?;
    if application_id(&conn)? != APPLICATION_ID {
        return Err(StoreError::NotOurs);
    }
    let from = pragma_u32(&conn, "user_version")?;
    let to = u32::try_from(migrations.len()).unwrap_or(u32::MAX);
    if from > to {
        return Err(StoreError::NewerSchema { found: from, known: to });
    }
    if from == to {
        return Ok(Migrated { from, to, backup: None });
    }
    let backup = if has_data(&conn)? { Some(back_up(&conn, backup_dir, from, now)?) } else { None };
    if let Err(fault) = run(&conn, migrations) {
        // Where the store is as it was its copy is worth nothing, and every further try would leave another.
        if let Some(backup) = backup.filter(|_| pragma_u32(&conn, "user_version").is_ok_and(|now| now == from)) {
            std::fs::remove_file(backup)?;
        }
        return Err(fault);
    }
    if let Some(made) = &backup {
        backup::keep_newest(backup_dir, UPGRADE, &[made]);
    }
    Ok(Migrated { from, to, backup })
}

/// Applies what is missing.
pub(crate) fn run(conn: &Connection, migrations: &[&str]) -> Result<()> {
    for (version, sql) in (1_u32..).zip(migrations) {
        let tx = Transaction::new_unchecked(conn, TransactionBehavior::Immediate)?;
        if pragma_u32(&tx, "user_version")? < version {
            tx.execute_batch(sql)?;
            tx.pragma_update(None, "user_version", version)?;
            KillPoint::MigrateInTransaction.reach();
        }
        tx.commit()?;
        KillPoint::MigrateStepped.reach();
    }
    Ok(())
}

/// The lock that keeps out others that migrate, repair or restore; [`StoreError::Busy`] when it can't be had in that time.
pub(crate) fn have_lock(path: &Path, wait: Duration) -> Result<File> {
    let lock = lock_file(path)?;
    let until = Instant::now() + wait;
    loop {
        match lock.try_lock() {
            Ok(()) => return Ok(lock),
            Err(TryLockError::Error(fault)) => return Err(fault.into()),
            Err(TryLockError::WouldBlock) if Instant::now() < until => std::thread::sleep(POLL),
            Err(TryLockError::WouldBlock) => return Err(StoreError::Busy),
        }
    }
}

fn lock_file(path: &Path) -> Result<File> {
    let mut options = OpenOptions::new();
    options.write(true).create(true).truncate(false);
    #[cfg(unix)]
    {
        use std::os::unix::fs::OpenOptionsExt as _;
        options.mode(0o600);
    }
    Ok(options.open(beside(path, ".lock"))?)
}

/// Tables that hold what can't be made again.
pub(crate) const PRECIOUS: [&str; 5] = ["entry", "record", "subsystem", "heartbeat", "receipt"];

fn has_data(conn: &Connection) -> Result<bool> {
    Ok(counts(conn)?.into_iter().any(|n| n > 0))
}

pub(crate) fn counts(conn: &Connection) -> Result<Vec<i64>> {
    PRECIOUS.iter().map(|t| Ok(conn.query_row(&format!("SELECT count(*) FROM {t}"), [], |row| row.get(0))?)).collect()
}

/// A copy gets its name when it was found to be whole: a process that is killed meanwhile leaves none.
fn back_up(conn: &Connection, dir: &Path, from: u32, now: UnixMs) -> Result<PathBuf> {
    let path = UPGRADE.path(dir, &from.to_string(), now);
    let unfinished = beside(&path, ".new");
    backup::check_backup_folder(dir)?;
    backup::remove_unfinished(dir)?;
    let held = copy_pages(conn, &unfinished, counts)?;
    KillPoint::MigrateCopied.reach();
    check_copy(&unfinished, &held, "quick_check")?;
    std::fs::rename(&unfinished, &path)?;
    KillPoint::MigrateBackedUp.reach();
    Ok(path)
}

#[cfg(test)]
mod tests {
    use std::fmt::Write as _;

    use super::*;
    use crate::testkit::*;
    use crate::{Access, Store};

    #[test]
    fn whoever_has_the_lock_is_not_waited_for_without_end() {
        let s = Scratch::new();
        let held = have_lock(&s.path(), Duration::ZERO).unwrap();
        assert!(matches!(have_lock(&s.path(), Duration::from_millis(5)), Err(StoreError::Busy)));
        drop(held);
        have_lock(&s.path(), Duration::ZERO).unwrap();
    }

    fn next() -> Vec<&'static str> {
        let mut migrations = MIGRATIONS.to_vec();
        migrations.push("CREATE TABLE added (x INTEGER) STRICT;");
        migrations
    }

    fn close(s: Scratch) -> (tempfile::TempDir, PathBuf) {
        let path = s.path();
        drop(s.store);
        (s.dir, path)
    }

    #[test]
    fn the_schema_is_what_the_migrations_add_up_to() {
        let s = Scratch::new();
        let sql = "SELECT sql FROM sqlite_schema WHERE sql IS NOT NULL AND name NOT LIKE 'body\\_fts\\_%' ESCAPE '\\' \
                   ORDER BY tbl_name, type DESC, name";
        let mut stmt = s.store.conn.prepare(sql).unwrap();
        let mut found = String::from("-- What the migrations add up to; a test compares.\n");
        for row in stmt.query_map([], |r| r.get::<_, String>(0)).unwrap() {
            write!(found, "\n{};\n", row.unwrap()).unwrap();
        }
        let file = Path::new(env!("CARGO_MANIFEST_DIR")).join("schema.sql");
        if std::env::var("SIX_UPDATE_SCHEMA").is_ok() {
            std::fs::write(&file, &found).unwrap();
        }
        assert_eq!(std::fs::read_to_string(&file).unwrap(), found);
        assert_eq!(usize::try_from(SCHEMA_VERSION).unwrap(), MIGRATIONS.len());
    }

    #[test]
    fn a_store_with_data_is_backed_up_first_and_the_second_run_does_nothing() {
        let s = Scratch::new();
        s.store.commit(&doc_batch("a.md", "retry with jitter")).unwrap();
        let (dir, path) = close(s);
        let done = migrate_with(&path, dir.path(), NOW, &next()).unwrap();
        assert_eq!((done.from, done.to), (SCHEMA_VERSION, SCHEMA_VERSION + 1));
        let backup = done.backup.unwrap();
        let old = Store::open(&backup, Access::Read, Duration::ZERO).unwrap();
        assert_eq!(old.search(&query("jitter")).unwrap().hits.len(), 1);
        let again = migrate_with(&path, dir.path(), NOW, &next()).unwrap();
        assert_eq!(again, Migrated { from: SCHEMA_VERSION + 1, to: SCHEMA_VERSION + 1, backup: None });
    }

    #[cfg(unix)]
    #[test]
    fn a_backup_is_private() {
        use std::os::unix::fs::PermissionsExt as _;
        let s = Scratch::new();
        s.store.commit(&doc_batch("a.md", "retry with jitter")).unwrap();
        let (dir, path) = close(s);
        let backup = migrate_with(&path, dir.path(), NOW, &next()).unwrap().backup.unwrap();
        assert_eq!(std::fs::metadata(backup).unwrap().permissions().mode() & 0o777, 0o600);
    }

    #[test]
    fn only_the_newest_backups_stay() {
        let s = Scratch::new();
        s.store.commit(&doc_batch("a.md", "retry with jitter")).unwrap();
        let (dir, path) = close(s);
        let mut migrations = MIGRATIONS.to_vec();
        let steps: Vec<String> = (0..5).map(|n| format!("CREATE TABLE added{n} (x INTEGER) STRICT;")).collect();
        let mut made = Vec::new();
        for (step, n) in steps.iter().zip(0..) {
            migrations.push(step);
            made.push(migrate_with(&path, dir.path(), UnixMs(NOW.0 + n), &migrations).unwrap().backup.unwrap());
        }
        let there: Vec<bool> = made.iter().map(|path| path.is_file()).collect();
        assert_eq!(there, [false, false, true, true, true]);
    }

    /// A migration that takes minutes.
    const SLOW: &str = "CREATE TABLE added (x INTEGER) STRICT;
        INSERT INTO added WITH RECURSIVE n (x) AS (SELECT 1 UNION ALL SELECT x + 1 FROM n LIMIT 1000000000) SELECT x FROM n;";

    const KILLED: &str = "MIGRATION_TO_KILL";

    #[test]
    #[ignore = "the process that the next test starts and kills"]
    fn a_migration_to_be_killed() {
        let path = PathBuf::from(std::env::var_os(KILLED).unwrap());
        let migrations = [MIGRATIONS, &[SLOW]].concat();
        migrate_with(&path, path.parent().unwrap(), NOW, &migrations).unwrap();
    }

    #[test]
    fn a_migration_that_is_killed_leaves_the_old_store_and_the_next_one_completes_it() {
        let s = Scratch::new();
        s.store.commit(&doc_batch("a.md", "retry with jitter")).unwrap();
        let (dir, path) = close(s);
        let mut child = std::process::Command::new(std::env::current_exe().unwrap())
            .args(["--ignored", "--exact", "migrate::tests::a_migration_to_be_killed"])
            .env(KILLED, &path)
            .stdout(std::process::Stdio::null())
            .spawn()
            .unwrap();
        // It writes: its backup is whole, and what it has written does not fit into memory.
        let backup = UPGRADE.path(dir.path(), &SCHEMA_VERSION.to_string(), NOW);
        let journal = beside(&path, "-wal");
        while !(backup.is_file() && std::fs::metadata(&journal).is_ok_and(|file| file.len() > 1 << 20)) {
            assert_eq!(child.try_wait().unwrap(), None, "it ended by itself");
            std::thread::yield_now();
        }
        child.kill().unwrap();
        child.wait().unwrap();
        let store = Store::open(&path, Access::Write, Duration::ZERO).unwrap();
        assert_eq!(store.search(&query("jitter")).unwrap().hits.len(), 1);
        assert_eq!(store.full_check(NOW).unwrap().faults, Vec::<String>::new());
        drop(store);
        let done = migrate_with(&path, dir.path(), UnixMs(NOW.0 + 1), &next()).unwrap();
        assert_eq!((done.from, done.to), (SCHEMA_VERSION, SCHEMA_VERSION + 1));
    }

    #[test]
    fn memory_files_that_were_read_before_they_gave_rules_are_read_again_and_no_other_file_is() {
        let conn = Connection::open_in_memory().unwrap();
        run(&conn, &MIGRATIONS[..4]).unwrap();
        for source in ["memory", "doc", "transcript"] {
            conn.execute(
                "INSERT INTO source_file (source, path_hash, path, size_bytes, mtime_ns, content_hash, consumed_bytes, \
                     consumed_lines, fails, last_error, tried_unix_ms) VALUES (?1, 'p', 'f', 9, 7, 'h', 9, 1, 0, '', 1)",
                [source],
            )
            .unwrap();
        }
        run(&conn, &MIGRATIONS[..5]).unwrap();
        let unread = "SELECT source FROM source_file WHERE content_hash <> 'h' AND mtime_ns <> 7";
        let mut stmt = conn.prepare(unread).unwrap();
        let unread: Vec<String> = stmt.query_map([], |row| row.get(0)).unwrap().map(rusqlite::Result::unwrap).collect();
        assert_eq!(unread, ["memory"]);
    }

    #[test]
    fn an_empty_store_needs_no_backup() {
        let (dir, path) = close(Scratch::new());
        assert_eq!(migrate_with(&path, dir.path(), NOW, &next()).unwrap().backup, None);
    }

    #[test]
    fn a_migration_that_fails_leaves_the_store_as_it_was() {
        let s = Scratch::new();
        s.store.commit(&doc_batch("a.md", "retry with jitter")).unwrap();
        let (dir, path) = close(s);
        let broken = "CREATE TABLE added (x INTEGER) STRICT; CREATE TABLE added (x INTEGER) STRICT;";
        let broken = [MIGRATIONS, &[broken]].concat();
        let files = || std::fs::read_dir(dir.path()).unwrap().count();
        migrate_with(&path, dir.path(), NOW, &broken).unwrap_err();
        let left = files();
        migrate_with(&path, dir.path(), UnixMs(NOW.0 + 1), &broken).unwrap_err();
        assert_eq!(files(), left, "no backup piles up");
        let store = Store::open(&path, Access::Write, Duration::ZERO).unwrap();
        assert_eq!(store.search(&query("jitter")).unwrap().hits.len(), 1);
        assert!(store.conn.prepare("SELECT * FROM added").is_err());
    }

    #[test]
    fn two_at_once_migrate_once() {
        let s = Scratch::new();
        s.store.commit(&doc_batch("a.md", "retry with jitter")).unwrap();
        let (dir, path) = close(s);
        let migrations = next();
        let done: Vec<Migrated> = std::thread::scope(|scope| {
            let runs: Vec<_> =
                (0..4).map(|_| scope.spawn(|| migrate_with(&path, dir.path(), NOW, &migrations).unwrap())).collect();
            runs.into_iter().map(|r| r.join().unwrap()).collect()
        });
        assert_eq!(done.iter().filter(|d| d.from == SCHEMA_VERSION).count(), 1);
        assert!(done.iter().all(|d| d.to == SCHEMA_VERSION + 1));
    }

    #[test]
    fn a_newer_store_and_a_foreign_file_are_not_touched() {
        let s = Scratch::new();
        s.store.conn.pragma_update(None, "user_version", 9).unwrap();
        let (dir, path) = close(s);
        assert!(matches!(
            migrate(&path, dir.path(), NOW),
            Err(StoreError::NewerSchema { found: 9, known: SCHEMA_VERSION })
        ));
        let other = dir.path().join("other.db");
        std::fs::write(&other, "").unwrap();
        assert!(matches!(migrate(&other, dir.path(), NOW), Err(StoreError::NotOurs)));
        assert_eq!(std::fs::read(&other).unwrap(), b"");
    }
}
