//! The checks, one file each, and the list of them.

mod heartbeats;
mod ingest;
mod queue;
mod store;

use super::{CheckName, HealthEvidence, HealthLimits, Verdict};

/// One check: evidence and limits in, verdict out.
pub(super) struct Check {
    /// Its name.
    pub(super) name: CheckName,
    /// Its judgement.
    pub(super) judge: fn(&HealthEvidence, &HealthLimits) -> Verdict,
}

/// All checks, in the order of the report: what blocks others comes first.
pub(super) static CHECKS: [Check; 4] = [
    Check { name: CheckName::Store, judge: store::judge },
    Check { name: CheckName::Ingest, judge: ingest::judge },
    Check { name: CheckName::Heartbeats, judge: heartbeats::judge },
    Check { name: CheckName::Queue, judge: queue::judge },
];
