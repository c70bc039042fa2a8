//! Protects:

use crate::health::missing::judge_missing;
use crate::health::{HealthEvidence, HealthLimits, Verdict};
use crate::record::Evidence;

/// Judges it.
pub(in crate::health) fn judge(evidence: &HealthEvidence, _: &HealthLimits) -> Verdict {
    match &evidence.render {
        Evidence::Seen(_) => Verdict::green(),
        Evidence::Missing(why) => judge_missing(evidence, *why),
    }
}
