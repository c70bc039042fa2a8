//! The list of all checks.

use super::{
    constitution, derived, embedding, heartbeats, ingest, lineage, memory_files, queue, render, store, vectors,
};
use crate::health::{CheckName, HealthEvidence, HealthLimits, Verdict};

/// One check: evidence and limits in, verdict out.
pub(in crate::health) struct Check {
    /// Its name.
    pub(in crate::health) name: CheckName,
    /// Its judgement.
    pub(in crate::health) judge: fn(&HealthEvidence, &HealthLimits) -> Verdict,
}

/// All checks, in the order of the report: what blocks others comes first.
pub(in crate::health) static CHECKS: [Check; 11] = [
    Check { name: CheckName::Store, judge: store::judge },
    Check { name: CheckName::Ingest, judge: ingest::judge },
    Check { name: CheckName::Vectors, judge: vectors::judge },
    Check { name: CheckName::Embedding, judge: embedding::judge },
    Check { name: CheckName::Heartbeats, judge: heartbeats::judge },
    Check { name: CheckName::Queue, judge: queue::judge },
    Check { name: CheckName::Lineage, judge: lineage::judge },
    Check { name: CheckName::MemoryFiles, judge: memory_files::judge },
    Check { name: CheckName::Constitution, judge: constitution::judge },
    Check { name: CheckName::Render, judge: render::judge },
    Check { name: CheckName::Derived, judge: derived::judge },
];
