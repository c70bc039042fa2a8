//! Protects: that a story is the story of the records. One that was told before somebody rejected a decision says the
//! opposite of what holds.
//!
//! Evidence: the stories that a model told, and the threads in which something has changed since.
//! Threshold: none may be stale. It is shown nowhere, so that nothing wrong was said; but the worker that tells it anew, or
//! forgets it, has not come to it.
//! To do: forget what is stale and, where a model is configured, have it told anew.

use crate::health::missing::judge_missing;
use crate::health::{Fault, HealthEvidence, HealthLimits, Verdict};
use crate::record::Evidence;

const FIX: &str = "six lineage --refresh";

/// Threads that are named; the others are counted.
const NAMED: usize = 3;

/// Judges the stories.
pub(in crate::health) fn judge(evidence: &HealthEvidence, _: &HealthLimits) -> Verdict {
    let lineage = match &evidence.lineage {
        Evidence::Seen(lineage) => lineage,
        Evidence::Missing(why) => return judge_missing(evidence, *why),
    };
    if lineage.stale.is_empty() {
        return Verdict::green();
    }
    let mut names: Vec<String> = lineage.stale.iter().take(NAMED).map(|name| format!("{name:?}")).collect();
    let rest = lineage.stale.len().saturating_sub(NAMED);
    if rest > 0 {
        names.push(format!("{rest} more"));
    }
    let detail = format!(
        "{} of {} told stories are older than their records: {}",
        lineage.stale.len(),
        lineage.told,
        names.join(", ")
    );
    Verdict::red(Fault::LineageStale, detail, FIX)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::health::sample::{fresh, sound, without_store};
    use crate::health::{CheckName, LineageEvidence};
    use crate::record::Why;

    fn judged(told: u64, stale: &[&str]) -> Verdict {
        let stale = stale.iter().map(|name| (*name).to_owned()).collect();
        let evidence = HealthEvidence { lineage: Evidence::Seen(LineageEvidence { told, stale }), ..sound() };
        judge(&evidence, &HealthLimits::default())
    }

    #[test]
    fn stories_that_are_told_of_what_is_there_are_green_and_none_are_too() {
        assert_eq!(judged(7, &[]), Verdict::green());
        assert_eq!(judge(&fresh(), &HealthLimits::default()), Verdict::green());
    }

    #[test]
    fn one_stale_story_is_red_and_names_its_thread() {
        let detail = r#"1 of 7 told stories are older than their records: "Job queue""#;
        assert_eq!(judged(7, &["Job queue"]), Verdict::red(Fault::LineageStale, detail, FIX));
    }

    #[test]
    fn of_many_stale_stories_three_are_named() {
        let Verdict::Red { detail, .. } = judged(5, &["a", "b", "c", "d", "e"]) else { panic!("stale is red") };
        assert_eq!(detail, r#"5 of 5 told stories are older than their records: "a", "b", "c", 2 more"#);
    }

    #[test]
    fn missing_evidence_is_never_green() {
        let limits = HealthLimits::default();
        assert_eq!(judge(&without_store(Why::NoStore), &limits), Verdict::Blocked { by: CheckName::Store });
        let evidence = HealthEvidence { lineage: Evidence::Missing(Why::Busy), ..sound() };
        assert_eq!(judge(&evidence, &limits).fault(), Some(Fault::CheckFailed));
    }
}
