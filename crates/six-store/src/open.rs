//! Opening the file: few pragmas, no migration, typed refusals.

use std::fs::OpenOptions;
use std::path::{Path, PathBuf};
use std::time::Duration;

use rusqlite::config::DbConfig;
use rusqlite::{Connection, ErrorCode, OpenFlags, Transaction, TransactionBehavior};
use six_core::record::UnixMs;

use crate::error::{Result, StoreError};
use crate::migrate::{self, SCHEMA_VERSION};
use crate::table::meta;

/// `sixs` in ASCII, in the header of every store.
pub(crate) const APPLICATION_ID: u32 = 0x7369_7873;

/// Statements kept prepared per connection; there are fewer than this in the crate.
const STATEMENTS: usize = 96;

/// Page cache of a connection that writes or searches in bulk, in KiB (negative, as the pragma wants it). Hooks keep
/// SQLite's 2 MiB: they touch a handful of pages.
const CACHE_KIB: i64 = -32_768;

/// What a connection is for.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Access {
    /// Reads only; works while another process writes, and when the folder is read-only.
    Read,
    /// Rows of one event: no migration, no checkpoint while it runs nor when it closes.
    Hook,
    /// Ingest, worker and writing commands.
    Write,
}

/// How far a checkpoint goes.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Checkpoint {
    /// What can be moved without waiting for anybody.
    Passive,
    /// All of it, and the journal is cut to nothing.
    Truncate,
}

/// An open store.
#[derive(Debug)]
pub struct Store {
    pub(crate) conn: Connection,
    path: PathBuf,
    access: Access,
}

impl Store {
    /// Makes a new store with the newest schema; the file is readable by its owner only. Fails when it is there already.
    pub fn create(path: &Path, now: UnixMs) -> Result<Self> {
        private_file(path)?;
        let conn = Connection::open_with_flags(path, flags(Access::Write))?;
        conn.pragma_update(None, "journal_mode", "wal")?;
        migrate::run(&conn, migrate::MIGRATIONS)?;
        meta::set(&conn, meta::CREATED, &now.0.to_string())?;
        drop(conn);
        Self::open(path, Access::Write, Duration::from_secs(5))
    }

    /// Opens a store. `busy` is how long a statement may wait for another process's lock.
    ///
    /// A schema that is not this binary's is refused as a typed error; reading a newer one is allowed, its statements say
    /// for themselves whether they can.
    pub fn open(path: &Path, access: Access, busy: Duration) -> Result<Self> {
        let conn = match connect(path, access, busy) {
            Err(StoreError::Sql(error)) if cannot_open(&error) => reopen_immutable(path, access, busy, error)?,
            other => other?,
        };
        if pragma_u32(&conn, "application_id")? != APPLICATION_ID {
            return Err(StoreError::NotOurs);
        }
        let found = pragma_u32(&conn, "user_version")?;
        match found.cmp(&SCHEMA_VERSION) {
            std::cmp::Ordering::Less => return Err(StoreError::OlderSchema { found, known: SCHEMA_VERSION }),
            std::cmp::Ordering::Greater if access != Access::Read => {
                return Err(StoreError::NewerSchema { found, known: SCHEMA_VERSION });
            }
            _ => {}
        }
        Ok(Self { conn, path: path.to_owned(), access })
    }

    /// The file.
    pub fn path(&self) -> &Path {
        &self.path
    }

    /// What it was opened for.
    pub fn access(&self) -> Access {
        self.access
    }

    /// Moves the journal into the file; answers the pages that could not be moved because somebody reads them.
    pub fn checkpoint(&self, mode: Checkpoint) -> Result<u64> {
        let sql = match mode {
            Checkpoint::Passive => "PRAGMA wal_checkpoint(PASSIVE)",
            Checkpoint::Truncate => "PRAGMA wal_checkpoint(TRUNCATE)",
        };
        let (busy, log, moved): (i64, i64, i64) =
            self.conn.query_row(sql, [], |row| Ok((row.get(0)?, row.get(1)?, row.get(2)?)))?;
        if busy != 0 && mode == Checkpoint::Truncate {
            return Err(StoreError::Busy);
        }
        Ok(u64::try_from(log - moved).unwrap_or(0))
    }

    /// A value of the table of odds and ends.
    pub fn meta(&self, key: &str) -> Result<Option<String>> {
        Ok(meta::get(&self.conn, key)?)
    }

    /// Sets such a value.
    pub fn set_meta(&self, key: &str, value: &str) -> Result<()> {
        self.write(|conn| Ok(meta::set(conn, key, value)?))
    }

    /// Runs `rows` in one transaction that takes the write lock at once; an error undoes all of it.
    pub(crate) fn write<T>(&self, rows: impl FnOnce(&Connection) -> Result<T>) -> Result<T> {
        let tx = Transaction::new_unchecked(&self.conn, TransactionBehavior::Immediate)?;
        let out = rows(&tx)?;
        tx.commit()?;
        Ok(out)
    }

    /// Runs `questions` on one state of the file, whatever others write meanwhile.
    pub(crate) fn read<T>(&self, questions: impl FnOnce(&Connection) -> Result<T>) -> Result<T> {
        let tx = Transaction::new_unchecked(&self.conn, TransactionBehavior::Deferred)?;
        let out = questions(&tx)?;
        tx.commit()?;
        Ok(out)
    }
}

fn flags(access: Access) -> OpenFlags {
    let mode = match access {
        Access::Read => OpenFlags::SQLITE_OPEN_READ_ONLY,
        Access::Hook | Access::Write => OpenFlags::SQLITE_OPEN_READ_WRITE,
    };
    mode | OpenFlags::SQLITE_OPEN_NO_MUTEX | OpenFlags::SQLITE_OPEN_EXRESCODE
}

fn connect(path: &Path, access: Access, busy: Duration) -> Result<Connection> {
    if !path.try_exists()? {
        return Err(StoreError::NoStore);
    }
    let conn = Connection::open_with_flags(path, flags(access))?;
    configure(&conn, access, busy)?;
    pragma_u32(&conn, "application_id")?;
    Ok(conn)
}

fn configure(conn: &Connection, access: Access, busy: Duration) -> Result<()> {
    conn.busy_timeout(busy)?;
    conn.set_prepared_statement_cache_capacity(STATEMENTS);
    match access {
        Access::Read => conn.pragma_update(None, "cache_size", CACHE_KIB)?,
        Access::Hook => {
            conn.set_db_config(DbConfig::SQLITE_DBCONFIG_NO_CKPT_ON_CLOSE, true)?;
            conn.execute_batch("PRAGMA synchronous=NORMAL; PRAGMA secure_delete=ON; PRAGMA wal_autocheckpoint=0;")?;
        }
        Access::Write => {
            conn.execute_batch("PRAGMA synchronous=NORMAL; PRAGMA secure_delete=ON; PRAGMA foreign_keys=ON;")?;
            conn.pragma_update(None, "cache_size", CACHE_KIB)?;
        }
    }
    Ok(())
}

fn cannot_open(error: &rusqlite::Error) -> bool {
    error.sqlite_error_code() == Some(ErrorCode::CannotOpen)
}

/// A WAL database in a folder that can't be written opens only as immutable. That skips the journal, so it is done only
/// when the journal holds nothing: a file without its journal may be a state that never was.
fn reopen_immutable(path: &Path, access: Access, busy: Duration, error: rusqlite::Error) -> Result<Connection> {
    if access != Access::Read {
        return Err(StoreError::ReadOnly);
    }
    let mut journal = path.as_os_str().to_owned();
    journal.push("-wal");
    if std::fs::metadata(&journal).is_ok_and(|m| m.len() > 0) {
        return Err(StoreError::Sql(error));
    }
    let conn = Connection::open_with_flags(immutable_uri(path), flags(access) | OpenFlags::SQLITE_OPEN_URI)?;
    configure(&conn, access, busy)?;
    Ok(conn)
}

/// The path as a URI: every byte that could mean something there is written as `%xx`.
fn immutable_uri(path: &Path) -> String {
    use std::fmt::Write as _;
    let mut uri = String::from("file:");
    for byte in path.as_os_str().as_encoded_bytes() {
        if byte.is_ascii_alphanumeric() || b"/-_.~".contains(byte) {
            uri.push(char::from(*byte));
        } else {
            let _ = write!(uri, "%{byte:02x}");
        }
    }
    uri.push_str("?immutable=1");
    uri
}

/// Makes an empty file of mode 0600; one that is there already is an error.
pub(crate) fn private_file(path: &Path) -> Result<()> {
    let mut options = OpenOptions::new();
    options.write(true).create_new(true);
    #[cfg(unix)]
    {
        use std::os::unix::fs::OpenOptionsExt as _;
        options.mode(0o600);
    }
    options.open(path)?;
    Ok(())
}

pub(crate) fn pragma_u32(conn: &Connection, name: &str) -> Result<u32> {
    Ok(conn.pragma_query_value(None, name, |row| row.get(0))?)
}
