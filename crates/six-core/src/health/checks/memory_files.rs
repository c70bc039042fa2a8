//! Protects:

use crate::health::missing::judge_unseen;
use crate::health::{HealthEvidence, HealthLimits, Verdict};
use crate::record::Evidence;

/// Judges it.
pub(in crate::health) fn judge(evidence: &HealthEvidence, _: &HealthLimits) -> Verdict {
    match &evidence.memory_files {
        Evidence::Seen(_) => Verdict::green(),
        Evidence::Missing(why) => judge_unseen(*why),
    }
}
