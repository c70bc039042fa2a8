//! The evidence that a render stands on.

use crate::record::{EntryKind, Evidence, Origin, RecordId, UnixMs};

/// One confirmed record, as a render shows it.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct RecordView {
    /// Its id, shown so that it can be cited and marked.
    pub id: RecordId,
    /// What it is.
    pub kind: EntryKind,
    /// Its title.
    pub title: String,
    /// Why; cut in the render.
    pub body: String,
    /// Who said it.
    pub origin: Origin,
    /// Where it holds; empty = the whole project.
    pub scope: String,
    /// When it was last validated.
    pub validated: UnixMs,
}

/// A standing rule of the project: an `invariant_*` file of the memory folder.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct InvariantView {
    /// Its title (front matter `name`, else the first heading, else the file name).
    pub title: String,
    /// File name in the memory folder.
    pub file: String,
}

/// What the store knows at a session's start.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct StartView {
    /// Invariants, by file name.
    pub invariants: Vec<InvariantView>,
    /// All standing corrections, least recently shown first: a render shows a few, its hash covers all.
    pub corrections: Vec<RecordView>,
    /// The newest confirmed decisions, newest first; [`MAX_RECORDS`](super::MAX_RECORDS) are enough.
    pub decisions: Vec<RecordView>,
    /// Confirmed decisions in the store.
    pub decisions_total: u64,
    /// Candidates that wait for triage.
    pub pending: u64,
    /// Chunks in the index.
    pub chunks: u64,
    /// Hash of the block that this session was last shown, if any: `Effect::Render`'s.
    pub last_hash: Option<String>,
}

/// A view that may be missing.
pub type StartEvidence = Evidence<StartView>;
