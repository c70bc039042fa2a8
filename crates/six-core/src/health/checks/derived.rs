//! Protects: what the project's own programs derive (a state of the project, a graph of its code) and agents take for the
//! truth of today.
//!
//! Evidence: what is at the configured path: nothing, nothing in it, or when the newest of it was written.
//! Threshold: 14 days for a state, 21 for a graph, see [`HealthLimits`]. Days of activity: a project that nobody works on does
//! not change, so that what was derived from it stays true. Not configured is green.
//! To do: run what writes it, or say that there is none.

use crate::health::evidence::{ActiveDays, DerivedFound, DerivedOutput};
use crate::health::missing::{judge_missing, judge_unseen};
use crate::health::{Fault, HealthEvidence, HealthLimits, Verdict};
use crate::record::{Evidence, Why};

/// Judges what is configured; of several faults the first.
pub(in crate::health) fn judge(evidence: &HealthEvidence, limits: &HealthLimits) -> Verdict {
    let derived = match &evidence.derived {
        Evidence::Seen(derived) => derived,
        Evidence::Missing(why) => return judge_unseen(*why),
    };
    if derived.outputs.is_empty() {
        return Verdict::NotWired;
    }
    let mut faults = derived.outputs.iter().filter_map(|output| judge_output(evidence, output, limits));
    faults.next().unwrap_or_else(Verdict::green)
}

fn judge_output(evidence: &HealthEvidence, output: &DerivedOutput, limits: &HealthLimits) -> Option<Verdict> {
    let key = output.kind.key();
    let (fault, what) = match &output.found {
        DerivedFound::Missing => (Fault::DerivedMissing, "is not there".to_owned()),
        DerivedFound::Unreadable => (Fault::DerivedMissing, "can't be read".to_owned()),
        DerivedFound::Empty => (Fault::DerivedEmpty, "is empty".to_owned()),
        DerivedFound::Written { active_days_ago, .. } => {
            let most = limits.max_derived_days(output.kind);
            let Some(days) = active_days_ago.as_ref().map(ActiveDays::count) else {
                return Some(judge_missing(evidence, Why::Failed));
            };
            if days <= most {
                return None;
            }
            (Fault::DerivedStale, format!("was last written {days} active days ago, {most} at most"))
        }
    };
    let fix = format!("run what writes it, or `six config unset {key}`");
    Some(Verdict::red(fault, format!("{} ({key}) {what}", output.path), fix))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::health::sample::{days_ago, fresh, sound, without_store};
    use crate::health::{CheckName, DerivedEvidence, DerivedKind};

    fn output(kind: DerivedKind, found: DerivedFound) -> DerivedOutput {
        DerivedOutput { kind, path: "state/now.md".into(), found }
    }

    fn judged(outputs: Vec<DerivedOutput>) -> Verdict {
        let derived = Evidence::Seen(DerivedEvidence { outputs });
        judge(&HealthEvidence { derived, ..sound() }, &HealthLimits::default())
    }

    fn aged(kind: DerivedKind, active_days: Option<u32>) -> Option<Fault> {
        let active_days_ago = active_days.map(ActiveDays::until_today);
        judged(vec![output(kind, DerivedFound::Written { at: days_ago(90), active_days_ago })]).fault()
    }

    #[test]
    fn what_is_not_configured_is_green_from_the_first_day_on() {
        assert_eq!(judged(Vec::new()), Verdict::NotWired);
        assert_eq!(judge(&fresh(), &HealthLimits::default()), Verdict::NotWired);
    }

    #[test]
    fn a_state_lasts_fourteen_active_days_and_a_graph_twenty_one() {
        for (kind, most) in [(DerivedKind::ProjectState, 14), (DerivedKind::CodeGraph, 21)] {
            assert_eq!(aged(kind, Some(most)), None);
            assert_eq!(aged(kind, Some(most + 1)), Some(Fault::DerivedStale));
        }
    }

    #[test]
    fn idle_is_not_stale_and_an_age_that_nobody_knows_is_not_green() {
        assert_eq!(aged(DerivedKind::ProjectState, Some(0)), None, "three months old, and nobody was here");
        assert_eq!(aged(DerivedKind::ProjectState, None), Some(Fault::CheckFailed));
        let written = DerivedFound::Written { at: days_ago(1), active_days_ago: None };
        let derived = DerivedEvidence { outputs: vec![output(DerivedKind::CodeGraph, written)] };
        let evidence = HealthEvidence { derived: Evidence::Seen(derived), ..without_store(Why::Corrupt) };
        assert_eq!(judge(&evidence, &HealthLimits::default()), Verdict::Blocked { by: CheckName::Store });
    }

    #[test]
    fn what_is_configured_and_not_there_is_red_the_same_day() {
        let told = [DerivedFound::Missing, DerivedFound::Unreadable, DerivedFound::Empty].map(|found| {
            let verdict = judged(vec![output(DerivedKind::CodeGraph, found)]);
            let Verdict::Red { fault, detail, fix } = verdict else { panic!("{verdict:?}") };
            format!("{}: {detail}  FIX: {fix}", fault.name())
        });
        insta::assert_snapshot!(told.join("\n"), @r"
        derived-missing: state/now.md (derived.code_graph) is not there  FIX: run what writes it, or `six config unset derived.code_graph`
        derived-missing: state/now.md (derived.code_graph) can't be read  FIX: run what writes it, or `six config unset derived.code_graph`
        derived-empty: state/now.md (derived.code_graph) is empty  FIX: run what writes it, or `six config unset derived.code_graph`
        ");
    }

    #[test]
    fn a_fault_of_the_second_is_not_hidden_by_the_first() {
        let sound = output(
            DerivedKind::ProjectState,
            DerivedFound::Written { at: days_ago(1), active_days_ago: Some(ActiveDays::until_today(1)) },
        );
        let gone = output(DerivedKind::CodeGraph, DerivedFound::Missing);
        assert_eq!(judged(vec![sound.clone()]), Verdict::green());
        assert_eq!(judged(vec![sound, gone]).fault(), Some(Fault::DerivedMissing));
    }

    #[test]
    fn missing_evidence_is_never_green() {
        let evidence = HealthEvidence { derived: Evidence::Missing(Why::OutOfTime), ..sound() };
        assert_eq!(judge(&evidence, &HealthLimits::default()).fault(), Some(Fault::CheckFailed));
    }
}
