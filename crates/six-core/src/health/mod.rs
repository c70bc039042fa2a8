//! The gate: evidence, limits, verdicts, the line.

#[cfg(test)]
mod catalogue;
mod checks;
mod evidence;
mod fix;
mod judged;
mod limits;
mod missing;
mod report;
#[cfg(test)]
pub(crate) mod sample;
mod verdict;

pub use evidence::{
    ActiveDays, AnchorSeen, Arrival, BlockShown, BlockSize, ConstitutionEvidence, DerivedEvidence, DerivedFound,
    DerivedKind, DerivedOutput, EmbeddingEvidence, EmbeddingOutcome, FileFailing, FileLag, FullCheck, HealthEvidence,
    HookSeen, IndexRead, IndexSeen, IngestEvidence, LineageEvidence, MemoryFilesEvidence, MemoryFolder, NewestRow,
    NoEmbedding, QueueEvidence, RenderEvidence, Runs, StoreEvidence, Untrue, UntrueRule, VectorProbe, VectorsEvidence,
    Wiring,
};
pub use fix::{names_command, parse_commands};
pub use judged::Judged;
pub use limits::HealthLimits;
pub use report::{ALL_NOTES, CheckReport, HealthReport, MAX_NOTES_IN_HOOKS, judge_health};
pub use verdict::{CheckName, Fault, Verdict};
