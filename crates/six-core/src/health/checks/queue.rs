//! Protects: that what was proposed gets decided. Candidates that nobody looks at are memory that never comes true.
//!
//! Evidence: how many candidates of all kinds wait, and since when the oldest.
//! Threshold: 40 candidates, 21 days, see [`HealthLimits`].
//! To do: `six triage` shows what waits and takes verdicts on it.

use crate::health::missing::judge_missing;
use crate::health::{Fault, HealthEvidence, HealthLimits, Verdict};
use crate::record::Evidence;

const FIX: &str = "`six triage`";

/// Judges the queue.
pub(in crate::health) fn judge(evidence: &HealthEvidence, limits: &HealthLimits) -> Verdict {
    let queue = match &evidence.queue {
        Evidence::Seen(queue) => queue,
        Evidence::Missing(why) => return judge_missing(evidence, *why),
    };
    let too_old = queue.overdue(limits).is_some_and(|until| evidence.now > until);
    if queue.pending <= limits.max_pending && !too_old {
        return Verdict::green();
    }
    let age = queue.oldest.map_or_else(String::new, |oldest| format!(", oldest {} d", evidence.now.days_since(oldest)));
    Verdict::red(Fault::QueueLong, format!("{} candidates pending{age}", queue.pending), FIX)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::health::sample::{NOW, days_ago, fresh, sound, without_store};
    use crate::health::{CheckName, QueueEvidence};
    use crate::record::{UnixMs, Why};

    fn judged(pending: u64, oldest: Option<UnixMs>) -> Verdict {
        let evidence =
            HealthEvidence { queue: Evidence::Seen(QueueEvidence { pending, oldest, crowded: None }), ..sound() };
        judge(&evidence, &HealthLimits::default())
    }

    #[test]
    fn a_short_young_queue_is_green_and_an_empty_one_too() {
        assert_eq!(judged(3, Some(days_ago(2))), Verdict::green());
        assert_eq!(judge(&fresh(), &HealthLimits::default()), Verdict::green());
    }

    #[test]
    fn forty_are_green_and_one_more_is_red() {
        assert_eq!(judged(40, Some(NOW)), Verdict::green());
        assert_eq!(judged(41, Some(NOW)), Verdict::red(Fault::QueueLong, "41 candidates pending, oldest 0 d", FIX));
    }

    #[test]
    fn twenty_one_days_are_green_and_a_millisecond_more_is_red() {
        assert_eq!(judged(1, Some(days_ago(21))), Verdict::green());
        assert_eq!(judged(1, Some(UnixMs(days_ago(21).0 - 1))).fault(), Some(Fault::QueueLong));
    }

    #[test]
    fn candidates_from_the_future_are_not_old() {
        assert_eq!(judged(1, Some(days_ago(-400))), Verdict::green());
    }

    #[test]
    fn missing_evidence_is_never_green() {
        let limits = HealthLimits::default();
        assert_eq!(judge(&without_store(Why::NoStore), &limits), Verdict::Blocked { by: CheckName::Store });
        let evidence = HealthEvidence { queue: Evidence::Missing(Why::Busy), ..sound() };
        assert_eq!(judge(&evidence, &limits).fault(), Some(Fault::CheckFailed));
    }
}
