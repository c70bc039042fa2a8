//! What can go wrong with the file, as types: told apart by `SQLite`'s result codes, never by text.

use std::io;
use std::path::PathBuf;

use rusqlite::ErrorCode;
use rusqlite::ffi;
use six_core::record::{Refusal, Why};

/// What every function of this crate returns.
pub type Result<T> = std::result::Result<T, StoreError>;

/// Why the store did not do what it was asked.
#[derive(Debug, thiserror::Error)]
pub enum StoreError {
    /// Another process held the lock for longer than the caller's budget.
    #[error("the store is in use by another process")]
    Busy,
    /// The time that the caller gave it was used up.
    #[error("the store did not answer in time")]
    OutOfTime,
    /// The file or its folder can't be written, or the store was opened for reading.
    #[error("the store can't be written")]
    ReadOnly,
    /// The disk is full.
    #[error("the disk is full")]
    Full,
    /// The file is damaged, or a value in it is none that a store holds.
    #[error("the store is damaged")]
    Corrupt,
    /// A table or an index that every store has is not there, or can't be made sense of.
    #[error("a table of the store is missing")]
    MissingTable,
    /// The file is no `SQLite` database, or was made by something else.
    #[error("the file is not a store of six")]
    NotOurs,
    /// The file is there and can't be opened or read: permissions, or a limit of the system.
    #[error("the store can't be opened")]
    CannotOpen,
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
    /// A record or a thread may not be changed so; nothing was.
    #[error(transparent)]
    Refused(#[from] Refusal),
    /// A vector has another width than its model.
    #[error("a vector has {found} values, its model {expected}")]
    WrongWidth {
        /// Of the vector.
        found: usize,
        /// Of the model.
        expected: usize,
    },
    /// A file beside the store could not be read or written.
    #[error("a file could not be read or written: {0}")]
    Io(#[source] io::Error),
    /// A value could not be written as JSON.
    #[error("a value could not be written as JSON")]
    Json(#[from] serde_json::Error),
    /// The folder for old states is a link: what is written there would be wherever that points to.
    #[error("{} is a link, and old states are kept in no folder but the store's own", .0.display())]
    LinkedFolder(PathBuf),
    /// The backup that precedes a migration does not hold what the store holds.
    #[error("the backup does not hold what the store holds")]
    BadBackup,
    /// What a repair made does not hold what was read for it.
    #[error("the repaired store does not hold what could be read")]
    BadRepair,
    /// The store is not a copy that may be spoiled.
    #[error("the store is not a copy that was made to be spoiled")]
    NotAProof,
    /// Anything else that `SQLite` says.
    #[error("SQLite refused: {0}")]
    Sql(#[source] rusqlite::Error),
}

impl StoreError {
    /// The reason as evidence carries it.
    pub fn why(&self) -> Why {
        match self {
            Self::Busy => Why::Busy,
            Self::OutOfTime => Why::OutOfTime,
            Self::ReadOnly => Why::ReadOnly,
            Self::Full => Why::Full,
            Self::Corrupt | Self::MissingTable | Self::BadBackup | Self::BadRepair => Why::Corrupt,
            Self::NotOurs => Why::NotOurs,
            Self::NoStore => Why::NoStore,
            Self::OlderSchema { .. } => Why::OlderSchema,
            Self::NewerSchema { .. } => Why::NewerSchema,
            Self::CannotOpen
            | Self::LinkedFolder(_)
            | Self::NoHeartbeat
            | Self::NotAProof
            | Self::NotOne { .. }
            | Self::Refused(_)
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
                ErrorCode::OperationInterrupted => Self::OutOfTime,
                // A repair put another file in the place of the one that was opened.
                _ if code.extended_code == ffi::SQLITE_READONLY_DBMOVED => Self::Busy,
                ErrorCode::ReadOnly => Self::ReadOnly,
                ErrorCode::DiskFull => Self::Full,
                ErrorCode::DatabaseCorrupt => Self::Corrupt,
                ErrorCode::NotADatabase => Self::NotOurs,
                ErrorCode::CannotOpen | ErrorCode::PermissionDenied => Self::CannotOpen,
                _ if is_damage(code.extended_code) => Self::Corrupt,
                // The index of the journal can't grow: SQLite knows of no other reason, and names none.
                _ if code.extended_code == ffi::SQLITE_IOERR_SHMSIZE => Self::Full,
                // Our statements are right: what they name is missing.
                _ if code.extended_code == ffi::SQLITE_ERROR => Self::MissingTable,
                _ => Self::Sql(error),
            },
            rusqlite::Error::SqlInputError { .. } => Self::MissingTable,
            // Only our own statements write: what can't be read back was changed since.
            rusqlite::Error::FromSqlConversionFailure(..)
            | rusqlite::Error::IntegralValueOutOfRange(..)
            | rusqlite::Error::InvalidColumnType(..)
            | rusqlite::Error::Utf8Error(..) => Self::Corrupt,
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

#[cfg(test)]
mod tests {
    use six_core::record::{RecordKind, RecordState};
    use six_core::search::{EmbedTranscripts, Model};

    use super::*;
    use crate::testkit::*;

    #[test]
    fn a_value_that_no_store_holds_is_damage_that_a_repair_mends() {
        for damage in [
            "UPDATE chunk SET title = CAST(x'fffe41' AS TEXT)",
            "UPDATE body SET title = CAST(x'fffe41' AS TEXT)",
            "UPDATE record SET origin = 'unheard of'",
        ] {
            let s = Scratch::new();
            s.store.commit(&doc_batch("a.md", "retry with jitter")).unwrap();
            let new = record("r", RecordKind::Decision, RecordState::Confirmed, "outbox", "");
            s.store.add_record(&new, "operator").unwrap();
            s.store.conn.execute_batch(damage).unwrap();
            let model = Model { name: "made-up".to_owned(), width: 8 };
            let read = || -> Result<()> {
                s.store.search(&query("jitter"))?;
                s.store.records(None, &[RecordState::Confirmed])?;
                s.store.unembedded(&model, EmbedTranscripts::Off, NOW, None, 9)?;
                Ok(())
            };
            let fault = read().expect_err(damage);
            assert_eq!((fault.why(), fault.to_string()), (Why::Corrupt, "the store is damaged".to_owned()), "{damage}");
        }
    }

    #[test]
    fn what_sqlite_says_is_told_apart_by_its_code() {
        for (code, why) in [
            (ffi::SQLITE_BUSY, Why::Busy),
            (ffi::SQLITE_BUSY_RECOVERY, Why::Busy),
            (ffi::SQLITE_LOCKED, Why::Busy),
            (ffi::SQLITE_READONLY_DBMOVED, Why::Busy),
            (ffi::SQLITE_INTERRUPT, Why::OutOfTime),
            (ffi::SQLITE_READONLY, Why::ReadOnly),
            (ffi::SQLITE_READONLY_DIRECTORY, Why::ReadOnly),
            (ffi::SQLITE_FULL, Why::Full),
            (ffi::SQLITE_IOERR_SHMSIZE, Why::Full),
            (ffi::SQLITE_CORRUPT, Why::Corrupt),
            (ffi::SQLITE_CORRUPT_VTAB, Why::Corrupt),
            (ffi::SQLITE_IOERR_SHORT_READ, Why::Corrupt),
            (ffi::SQLITE_ERROR, Why::Corrupt),
            (ffi::SQLITE_NOTADB, Why::NotOurs),
            (ffi::SQLITE_CANTOPEN, Why::Unreadable),
            (ffi::SQLITE_PERM, Why::Unreadable),
            (ffi::SQLITE_IOERR_READ, Why::Unreadable),
        ] {
            let said = rusqlite::Error::SqliteFailure(ffi::Error::new(code), Some("any text at all".to_owned()));
            assert_eq!(StoreError::from(said).why(), why, "{code}");
        }
        for (kind, why) in [
            (io::ErrorKind::NotFound, Why::NoStore),
            (io::ErrorKind::StorageFull, Why::Full),
            (io::ErrorKind::QuotaExceeded, Why::Full),
            (io::ErrorKind::ReadOnlyFilesystem, Why::ReadOnly),
            (io::ErrorKind::PermissionDenied, Why::ReadOnly),
            (io::ErrorKind::Other, Why::Unreadable),
        ] {
            assert_eq!(StoreError::from(io::Error::from(kind)).why(), why, "{kind}");
        }
    }
}
