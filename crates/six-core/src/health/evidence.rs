//! What the checks look at, gathered once by the runtime.

use std::collections::BTreeMap;

use crate::record::{Evidence, HookName, OutcomeKind, SessionId, UnixMs};

/// Everything that the gate judges.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct HealthEvidence {
    /// When.
    pub now: UnixMs,
    /// Whether any session has ended yet; before that, many checks are green with a note.
    pub first_run: bool,
    /// The file.
    pub store: Evidence<StoreEvidence>,
    /// The sources.
    pub ingest: Evidence<IngestEvidence>,
    /// Newest completed rows and what was seen of every hook.
    pub hooks: Evidence<Vec<HookSeen>>,
    /// Sessions with a transcript that left no heartbeat, newest first.
    pub unseen_sessions: Evidence<Vec<SessionId>>,
    /// Candidates.
    pub queue: Evidence<QueueEvidence>,
}

/// The store file.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct StoreEvidence {
    /// Chunk bodies by count of rows.
    pub bodies: u64,
    /// Rows of the full-text index.
    pub index_rows: u64,
    /// What the running counter says; the three must be equal.
    pub counted: u64,
    /// Whether one body picked at random was found again through the index; `None` in an empty store.
    pub sample_found: Option<bool>,
    /// The last full check: when, and whether it was clean.
    pub full_check: Option<(UnixMs, bool)>,
    /// Permission bits of the file and of its folder; `None` where the platform has none.
    pub modes: Option<(u32, u32)>,
    /// Free bytes on the disk.
    pub free_bytes: u64,
    /// Bytes of the store with its journal.
    pub size_bytes: u64,
    /// Bytes of the journal alone.
    pub wal_bytes: u64,
    /// Bytes that the project may use.
    pub quota_bytes: u64,
    /// Events in the spool that are older than the last boundary.
    pub spool_stale: u64,
    /// Events in the spool.
    pub spool: u64,
}

/// The sources.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct IngestEvidence {
    /// Files that changed after they were consumed, worst first.
    pub lags: Vec<FileLag>,
    /// Files that failed more often than the limit: path and last error.
    pub failing: Vec<(String, String)>,
    /// Lines and files that were skipped, by reason.
    pub skipped: BTreeMap<String, u64>,
    /// Days with any heartbeat since the oldest lag began: lag is counted in days of activity.
    pub active_days_behind: u32,
    /// When anything was last consumed.
    pub last_run: Option<UnixMs>,
}

/// A file that is behind.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct FileLag {
    /// Which.
    pub path: String,
    /// When it changed.
    pub changed: UnixMs,
    /// Bytes not yet consumed.
    pub bytes_behind: u64,
}

/// What is known of one hook.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct HookSeen {
    /// Which.
    pub hook: HookName,
    /// Whether the host's settings start it, with a program that exists. `None` for what the host does not start.
    pub wired: Option<bool>,
    /// The newest row: when it started, and how it ended (`None` = no end yet, its process gone: a crash).
    pub newest: Option<(UnixMs, Option<OutcomeKind>)>,
    /// Class and text of the newest failure.
    pub error: String,
    /// Prompts, starts or ends in transcripts since the last boundary that should have left a row.
    pub expected: u64,
    /// Rows since the last boundary.
    pub rows: u64,
}

/// Candidates that wait for triage.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct QueueEvidence {
    /// How many.
    pub pending: u64,
    /// The oldest one.
    pub oldest: Option<UnixMs>,
}
