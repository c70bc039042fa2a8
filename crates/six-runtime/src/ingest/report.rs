//! What a run did.

use six_core::ingest::Committed;
use six_core::record::Source;
use six_core::text::Redacted;

/// How a run ended.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub enum Outcome {
    /// Everything that was asked for has been looked at.
    #[default]
    Finished,
    /// The budget was used up. What is left is taken by the next run.
    Stopped,
    /// Another process ingests; nothing was done.
    Held,
}

/// A file or a place that could not be read.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Failure {
    /// Which source it belongs to.
    pub source: Source,
    /// The file; for git, what was asked.
    pub path: Redacted,
    /// Why.
    pub error: Redacted,
    /// Tries that failed so far; 0 if it will be looked at each time.
    pub fails: u32,
}

/// Files that were not found any more and are kept all the same, since they are too many to be believed.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Kept {
    /// Of which source.
    pub source: Source,
    /// How many were not found.
    pub vanished: u64,
    /// How many were known.
    pub known: u64,
}

/// What was not taken in because the store has reached its quota. It comes in when there is room.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct HeldBack {
    /// Session files with something new, and one for new commits.
    pub files: u64,
    /// Bytes that the store takes.
    pub used_bytes: u64,
    /// The quota.
    pub quota_bytes: u64,
}

/// What a run did.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct Report {
    /// See [`Outcome`].
    pub outcome: Outcome,
    /// Files found.
    pub found: u64,
    /// Files that had not changed and were not opened.
    pub unchanged: u64,
    /// Bytes consumed.
    pub bytes: u64,
    /// What the store did with it, summed up.
    pub committed: Committed,
    /// What could not be read.
    pub failures: Vec<Failure>,
    /// See [`Kept`].
    pub kept: Vec<Kept>,
    /// See [`HeldBack`]; `None` below the quota.
    pub held_back: Option<HeldBack>,
}

impl Report {
    pub(super) fn add(&mut self, done: Committed) {
        self.committed.entries += done.entries;
        self.committed.repeated += done.repeated;
        self.committed.chunks += done.chunks;
        self.committed.removed += done.removed;
    }
}
