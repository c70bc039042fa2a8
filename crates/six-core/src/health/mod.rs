//! The gate: evidence, limits, verdicts, the line.

mod checks;
mod evidence;
mod fix;
mod limits;
mod missing;
mod report;
#[cfg(test)]
pub(crate) mod sample;
mod verdict;

pub use evidence::{
    ConstitutionEvidence, DerivedEvidence, EmbeddingEvidence, EmbeddingOutcome, FileFailing, FileLag, FullCheck,
    HealthEvidence, HookSeen, IngestEvidence, LineageEvidence, MemoryFilesEvidence, NewestRow, NoEmbedding,
    QueueEvidence, RenderEvidence, StoreEvidence, VectorProbe, VectorsEvidence,
};
pub use limits::HealthLimits;
pub use report::{CheckReport, HealthReport, MAX_NOTES_IN_HOOKS, judge_health};
pub use verdict::{CheckName, Fault, Verdict};
