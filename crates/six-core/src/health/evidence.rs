//! What the checks look at, gathered once by the runtime.

use super::{Fault, HealthLimits};
use crate::record::{Evidence, SessionId, UnixMs};

mod active_days;
mod constitution;
mod derived;
mod embedding;
mod hooks;
mod memory_files;
mod render;

pub use active_days::ActiveDays;
pub use constitution::{ConstitutionEvidence, Untrue, UntrueRule};
pub use derived::{DerivedEvidence, DerivedFound, DerivedKind, DerivedOutput};
pub use embedding::{EmbeddingEvidence, EmbeddingOutcome, NoEmbedding};
pub use hooks::{HookSeen, NewestRow, Runs, Wiring};
pub use memory_files::{AnchorSeen, IndexRead, IndexSeen, MemoryFilesEvidence, MemoryFolder};
pub use render::{Arrival, BlockShown, BlockSize, RenderEvidence};

/// Everything that the gate judges.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct HealthEvidence {
    /// When.
    pub now: UnixMs,
    /// The project's root, as a person would type it; fixes name it.
    pub project: String,
    /// The store file, as a person would type it; fixes name it.
    pub store_file: String,
    /// The newest old state that could take the store's place, where the store is gone or something else stands in its
    /// place; the fix names it.
    pub newest_backup: Option<String>,
    /// No session has ended yet and fewer than two have started: what was never seen is a note, not a fault. A look that
    /// could not be had is none: it must not switch off what is judged.
    pub first_run: bool,
    /// The file.
    pub store: Evidence<StoreEvidence>,
    /// The sources.
    pub ingest: Evidence<IngestEvidence>,
    /// The vectors.
    pub vectors: Evidence<VectorsEvidence>,
    /// One for each program that leaves heartbeats.
    pub hooks: Evidence<Vec<HookSeen>>,
    /// Sessions that began after the start before the last (and after six was installed here) and left a transcript but
    /// no heartbeat, newest first and up to [`HealthEvidence::UNSEEN_MAX`]. Older ones have been told and are no news.
    pub unseen_sessions: Evidence<Vec<SessionId>>,
    /// Faults of the hooks that were told before a session started and are not gone since: whoever was to wait has waited.
    /// None where that can't be looked up.
    pub stayed: Vec<Fault>,
    /// Candidates.
    pub queue: Evidence<QueueEvidence>,
    /// Stories that a model told.
    pub lineage: Evidence<LineageEvidence>,
    /// The provider of vectors.
    pub embedding: Evidence<EmbeddingEvidence>,
    /// The host's memory folder.
    pub memory_files: Evidence<MemoryFilesEvidence>,
    /// The project's standing rules.
    pub constitution: Evidence<ConstitutionEvidence>,
    /// The block of a session start.
    pub render: Evidence<RenderEvidence>,
    /// What is derived elsewhere.
    pub derived: Evidence<DerivedEvidence>,
}

impl HealthEvidence {
    /// Most that are counted of the sessions without a heartbeat: more says nothing else.
    pub const UNSEEN_MAX: usize = 20;
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
    /// Whether one body picked at random was found again through the index; `None` when there was none to pick (an
    /// empty store, a body without words).
    pub sample_found: Option<bool>,
    /// The last full check of the file; `None` before the first.
    pub full_check: Option<FullCheck>,
    /// Days with any heartbeat, counted only where there was no full check yet.
    pub active_days: ActiveDays,
    /// The file system that the store lies on, where it is not safe for the journal that lets readers go on while one writes.
    pub slow_journal_on: Option<&'static str>,
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
    /// When the oldest event in the spool was written.
    pub spool_oldest: Option<UnixMs>,
    /// Events in the spool.
    pub spool: u64,
    /// What is wrong with the first file of configuration that is not used; `None` where all are.
    pub config_fault: Option<String>,
}

/// A full check of the file: its pages, its index, its foreign keys.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct FullCheck {
    /// When.
    pub at: UnixMs,
    /// Whether it found nothing.
    pub clean: bool,
    /// Days with any heartbeat since then.
    pub active_days_ago: ActiveDays,
}

/// The sources.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct IngestEvidence {
    /// Files that changed after they were consumed, oldest change first.
    pub lags: Vec<FileLag>,
    /// Files whose last try failed, most tries first.
    pub failing: Vec<FileFailing>,
    /// Days with any heartbeat since the oldest lag began: lag is counted in days of activity.
    pub active_days_behind: ActiveDays,
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

/// A file that could not be consumed.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct FileFailing {
    /// Which.
    pub path: String,
    /// Tries that failed since the last good one.
    pub fails: u32,
    /// What the last one said.
    pub error: String,
}

/// The vectors.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct VectorsEvidence {
    /// Texts that are to have a vector.
    pub eligible: u64,
    /// Those that have one of the current model.
    pub embedded: u64,
    /// Those that have none, although a run of embedding was once done with them.
    pub lost: u64,
    /// Vectors whose text is gone.
    pub orphans: u64,
    /// Starts and ends of sessions since a run of embedding last made a vector, or had none to make.
    pub idle_boundaries: u32,
    /// One text, looked for by its meaning alone.
    pub probe: VectorProbe,
}

/// What came of looking for a text by its meaning alone.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub enum VectorProbe {
    /// No text has a vector yet.
    #[default]
    NothingToFind,
    /// It came back.
    Found,
    /// It did not, and nothing nearer came instead.
    NotFound,
    /// There was no vector to look with; why, the check `embedding` tells.
    NoQuery,
}

/// Candidates that wait for triage.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct QueueEvidence {
    /// How many.
    pub pending: u64,
    /// Since when the oldest one waits.
    pub oldest: Option<UnixMs>,
    /// When the one came that makes them more than [`HealthLimits::max_pending`]; `None` where they are not.
    pub crowded: Option<UnixMs>,
}

impl QueueEvidence {
    /// Until when the oldest one may wait.
    pub(super) fn overdue(&self, limits: &HealthLimits) -> Option<UnixMs> {
        let longest_ms = i64::from(limits.max_pending_days) * UnixMs::DAY_MS;
        self.oldest.map(|oldest| UnixMs(oldest.0.saturating_add(longest_ms)))
    }
}

/// Stories of threads that a model told.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct LineageEvidence {
    /// How many are kept.
    pub told: u64,
    /// Names of the threads in which something has changed since theirs was told.
    pub stale: Vec<String>,
}
