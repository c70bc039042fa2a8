//! The evidence that a render stands on.

use std::collections::BTreeMap;

use crate::record::{Anchor, AnchorState, EntryKind, Evidence, Origin, RecordId, UnixMs};

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
    /// The model that worded it, or `agent` where one changed what was said; empty where nobody did.
    pub written_by: String,
    /// Where it holds; empty = the whole project.
    pub scope: String,
    /// When a dead end is worth another try; empty if nobody said.
    pub revive_if: String,
    /// When it was said.
    pub created: UnixMs,
}

/// A standing correction, with what its turn is told by.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct CorrectionView {
    /// The correction.
    pub record: RecordView,
    /// When it was last shown to anybody.
    pub served: Option<UnixMs>,
    /// How often it was shown.
    pub times: u64,
    /// When the operator last had to say it again.
    pub said_again: Option<UnixMs>,
}

/// A standing rule of the project: an `invariant_*` file of the memory folder.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct InvariantView {
    /// Its title (front matter `name`, else the first heading, else the file name).
    pub title: String,
    /// File name in the memory folder.
    pub file: String,
}

/// An open thread in which something is in force.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct ThreadView {
    /// Its name.
    pub name: String,
    /// Titles of the decisions in force, newest first.
    pub decided: Vec<String>,
    /// Dead ends in force.
    pub dead_ends: u64,
}

/// What the store knows at a session's start.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct StartView {
    /// Invariants, by file name.
    pub invariants: Vec<InvariantView>,
    /// All standing corrections: a render shows a few, its hash covers all.
    pub corrections: Vec<CorrectionView>,
    /// The newest decisions and dead ends in force, newest first; [`MAX_RECORDS`](super::MAX_RECORDS) are enough.
    pub recent: Vec<RecordView>,
    /// Decisions and dead ends in force in the store.
    pub recent_total: u64,
    /// The open threads in which something came into force last, the newest first; [`MAX_THREADS`](super::MAX_THREADS) are
    /// enough.
    pub threads: Vec<ThreadView>,
    /// Open threads in which something is in force.
    pub threads_total: u64,
    /// Candidates that wait for triage.
    pub pending: u64,
    /// Those of them that were rules in force until their memory files were edited.
    pub edited: u64,
    /// Verdicts of agents that no person has looked through.
    pub unseen: u64,
    /// Chunks in the index.
    pub chunks: u64,
    /// Signature of the records that a start is made of, taken by another way than what is shown.
    pub corpus: String,
    /// Hash of the block that this session was last shown, if any: `Effect::Render`'s.
    pub last_hash: Option<String>,
}

/// A view that may be missing.
pub type StartEvidence = Evidence<StartView>;

/// What records cite, and what became of it; empty of those that cite nothing or could not be looked up.
pub type CitedStates = BTreeMap<RecordId, Vec<(Anchor, AnchorState)>>;
