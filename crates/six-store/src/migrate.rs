//! Migrations: numbered, append-only, each in a transaction, under a file lock, after a verified backup.

use std::fs::OpenOptions;
use std::path::{Path, PathBuf};
use std::time::Duration;

use rusqlite::{Connection, OpenFlags, Transaction, TransactionBehavior};
use six_core::record::UnixMs;

use crate::error::{Result, StoreError};
use crate::open::{self, APPLICATION_ID, pragma_u32};

/// In order; the n-th makes schema n.
pub(crate) const MIGRATIONS: &[&str] = &[include_str!("../migrations/0001-init.sql")];

/// The schema that this binary reads and writes.
pub const SCHEMA_VERSION: u32 = 1;

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
    let lock = lock_file(path)?;
    lock.lock()?;
    let flags = OpenFlags::SQLITE_OPEN_READ_WRITE | OpenFlags::SQLITE_OPEN_NO_MUTEX;
    let conn = Connection::open_with_flags(path, flags)?;
    conn.busy_timeout(Duration::from_secs(30))?;
    if pragma_u32(&conn, "application_id")? != APPLICATION_ID {
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
    run(&conn, migrations)?;
    Ok(Migrated { from, to, backup })
}

/// Applies what is missing.
pub(crate) fn run(conn: &Connection, migrations: &[&str]) -> Result<()> {
    for (version, sql) in (1_u32..).zip(migrations) {
        let tx = Transaction::new_unchecked(conn, TransactionBehavior::Immediate)?;
        if pragma_u32(&tx, "user_version")? < version {
            tx.execute_batch(sql)?;
            tx.pragma_update(None, "user_version", version)?;
        }
        tx.commit()?;
    }
    Ok(())
}

fn lock_file(path: &Path) -> Result<std::fs::File> {
    let mut name = path.as_os_str().to_owned();
    name.push(".lock");
    let mut options = OpenOptions::new();
    options.write(true).create(true).truncate(false);
    #[cfg(unix)]
    {
        use std::os::unix::fs::OpenOptionsExt as _;
        options.mode(0o600);
    }
    Ok(options.open(PathBuf::from(name))?)
}

/// Tables that hold what can't be made again.
const PRECIOUS: [&str; 5] = ["entry", "record", "subsystem", "heartbeat", "receipt"];

fn has_data(conn: &Connection) -> Result<bool> {
    Ok(counts(conn)?.into_iter().any(|n| n > 0))
}

fn counts(conn: &Connection) -> Result<Vec<i64>> {
    PRECIOUS.iter().map(|t| Ok(conn.query_row(&format!("SELECT count(*) FROM {t}"), [], |row| row.get(0))?)).collect()
}

fn back_up(conn: &Connection, dir: &Path, from: u32, now: UnixMs) -> Result<PathBuf> {
    let path = dir.join(format!("memory-schema-{from}-{}.db", now.0));
    open::private_file(&path)?;
    conn.execute("VACUUM INTO ?1", [path.to_string_lossy()])?;
    let copy = Connection::open_with_flags(&path, OpenFlags::SQLITE_OPEN_READ_ONLY)?;
    let whole: String = copy.query_row("PRAGMA quick_check(1)", [], |row| row.get(0))?;
    if whole != "ok" || counts(&copy)? != counts(conn)? {
        return Err(StoreError::BadBackup);
    }
    Ok(path)
}
