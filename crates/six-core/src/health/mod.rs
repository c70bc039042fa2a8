//! The gate: evidence, verdicts, the line.

mod evidence;
mod verdict;

pub use evidence::{FileLag, HealthEvidence, HookSeen, IngestEvidence, QueueEvidence, StoreEvidence};
pub use verdict::{CheckName, Fault, Verdict};
