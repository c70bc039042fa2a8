//! Evidence that may be missing, and why.

use serde::{Deserialize, Serialize};

/// What was looked up. A bare `None` would hide the difference between "there is nothing" and "I could not look".
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Evidence<T> {
    /// It was looked up; this is what was there.
    Seen(T),
    /// It could not be looked up.
    Missing(Why),
}

impl<T> Evidence<T> {
    /// The value, when it was seen.
    pub fn seen(&self) -> Option<&T> {
        match self {
            Self::Seen(value) => Some(value),
            Self::Missing(_) => None,
        }
    }
}

/// Why evidence could not be had.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum Why {
    /// There is no store file.
    NoStore,
    /// Another process held the lock for longer than the budget.
    Busy,
    /// The store can't be written.
    ReadOnly,
    /// The disk is full.
    Full,
    /// The file is damaged.
    Corrupt,
    /// The file is no database, or not ours.
    NotOurs,
    /// The store has an older schema than this binary; hooks never migrate.
    OlderSchema,
    /// The store was written by a newer six.
    NewerSchema,
    /// The time for it was used up.
    OutOfTime,
    /// The file or folder can't be read.
    Unreadable,
    /// Looking broke off: a fault of six.
    Failed,
}

impl Why {
    /// A short stable name, for rows and JSON.
    pub const fn as_str(self) -> &'static str {
        match self {
            Self::NoStore => "no-store",
            Self::Busy => "busy",
            Self::ReadOnly => "read-only",
            Self::Full => "full",
            Self::Corrupt => "corrupt",
            Self::NotOurs => "not-ours",
            Self::OlderSchema => "older-schema",
            Self::NewerSchema => "newer-schema",
            Self::OutOfTime => "out-of-time",
            Self::Unreadable => "unreadable",
            Self::Failed => "failed",
        }
    }
}
