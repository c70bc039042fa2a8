//! What can go wrong with the file, as types: told apart by `SQLite`'s result codes, never by text.

use std::io;

use rusqlite::ErrorCode;
use rusqlite::ffi;
use six_core::record::Why;

/// What every function of this crate returns.
pub type Result<T> = std::result::Result<T, StoreError>;

/// Why the store did not do what it was asked.
#[derive(Debug, thiserror::Error)]
pub enum StoreError {
    /// Another process held the lock for longer than the caller's budget.
    #[error("the store is in use by another process")]
    Busy,
    /// The file or its folder can't be written, or the store was opened for reading.
    #[error("the store can't be written")]
    ReadOnly,
    /// The disk is full.
    #[error("the disk is full")]
    Full,
    /// The file is damaged.
    #[error("the store is damaged")]
    Corrupt,
    /// The file is no `SQLite` database, or was made by something else.
    #[error("the file is not a store of six")]
    NotOurs,
    /// There is no such file.
    #[error("there is no store")]
    NoStore,
    /// The store has an older schema than this binary.
    #[error("the store has schema {found}, this binary needs {known}")]
    OlderSchema {
        /// In the file.
        found: u32,
        /// In this binary.
        known: u32,
    },
    /// The store was written by a newer six.
    #[error("the store has schema {found}, this binary knows {known}")]
    NewerSchema {
        /// In the file.
        found: u32,
        /// In this binary.
        known: u32,
    },
    /// Effects were to be applied for an event that left no heartbeat: they could not be told apart from a second try.
    #[error("no heartbeat was opened for this event")]
    NoHeartbeat,
    /// Nothing, or more than one thing, answers to this id.
    #[error("{found} records answer to this id")]
    NotOne {
        /// How many do.
        found: usize,
    },
    /// A vector has another width than its model.
    #[error("a vector has {found} values, its model {expected}")]
    WrongWidth {
        /// Of the vector.
        found: usize,
        /// Of the model.
        expected: usize,
    },
    /// A file beside the store could not be read or written.
    #[error("a file could not be read or written")]
    Io(#[source] io::Error),
    /// A value could not be written as JSON.
    #[error("a value could not be written as JSON")]
    Json(#[from] serde_json::Error),
    /// The backup that precedes a migration does not hold what the store holds.
    #[error("the backup does not hold what the store holds")]
    BadBackup,
    /// Anything else that `SQLite` says.
    #[error("SQLite refused")]
    Sql(#[source] rusqlite::Error),
}

impl StoreError {
    /// The reason as evidence carries it.
    pub fn why(&self) -> Why {
        match self {
            Self::Busy => Why::Busy,
            Self::ReadOnly => Why::ReadOnly,
            Self::Full => Why::Full,
            Self::Corrupt | Self::BadBackup => Why::Corrupt,
            Self::NotOurs => Why::NotOurs,
            Self::NoStore => Why::NoStore,
            Self::OlderSchema { .. } => Why::OlderSchema,
            Self::NewerSchema { .. } => Why::NewerSchema,
            Self::NoHeartbeat
            | Self::NotOne { .. }
            | Self::WrongWidth { .. }
            | Self::Io(_)
            | Self::Json(_)
            | Self::Sql(_) => Why::Unreadable,
        }
    }
}

impl From<rusqlite::Error> for StoreError {
    fn from(error: rusqlite::Error) -> Self {
        match &error {
            rusqlite::Error::SqliteFailure(code, _) => match code.code {
                ErrorCode::DatabaseBusy | ErrorCode::DatabaseLocked => Self::Busy,
                ErrorCode::ReadOnly => Self::ReadOnly,
                ErrorCode::DiskFull => Self::Full,
                ErrorCode::DatabaseCorrupt => Self::Corrupt,
                ErrorCode::NotADatabase => Self::NotOurs,
                _ if is_damage(code.extended_code) => Self::Corrupt,
                // The index of the journal can't grow: SQLite knows of no other reason, and names none.
                _ if code.extended_code == ffi::SQLITE_IOERR_SHMSIZE => Self::Full,
                _ => Self::Sql(error),
            },
            _ => Self::Sql(error),
        }
    }
}

/// A file that ends before its last page, or a file system that says that it is broken.
fn is_damage(extended_code: i32) -> bool {
    [ffi::SQLITE_IOERR_SHORT_READ, ffi::SQLITE_IOERR_CORRUPTFS].contains(&extended_code)
}

impl From<io::Error> for StoreError {
    fn from(error: io::Error) -> Self {
        match error.kind() {
            io::ErrorKind::NotFound => Self::NoStore,
            io::ErrorKind::StorageFull | io::ErrorKind::QuotaExceeded => Self::Full,
            io::ErrorKind::ReadOnlyFilesystem | io::ErrorKind::PermissionDenied => Self::ReadOnly,
            _ => Self::Io(error),
        }
    }
}
