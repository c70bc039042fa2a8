//! Of the kinds that one sentence states, the one that it is kept as: one sentence is one record.

use super::sign::{Sign, Signs};
use crate::record::RecordKind;

/// The kind that a sentence is kept as, of those that it states with these strengths; `None` where it states nothing.
///
/// A failure that is told makes a dead end and not a correction. A correction sends the agent elsewhere or states a rule,
/// which says more than the decision in it, unless the sentence plainly tells of a decision (`no, we decided to use X`) or,
/// where it neither redirects nor states a rule, is the clearer decision.
/// Between dead end and decision the clearer one is kept.
pub(super) fn main_kind(stated: &[(RecordKind, i32)], signs: Signs) -> Option<RecordKind> {
    use RecordKind::{Correction, DeadEnd, Decision};
    let strength = |kind| stated.iter().find(|(one, _)| *one == kind).map(|(_, strength)| *strength);
    let corrects = strength(Correction);
    let fails = strength(DeadEnd).filter(|_| corrects.is_none() || tells_failure(signs));
    let decides = strength(Decision).filter(|decides| {
        signs.has(Sign::Decided) || corrects.is_none_or(|corrects| !sends_elsewhere(signs) && *decides > corrects)
    });
    match (fails, decides) {
        (Some(fails), Some(decides)) => Some(if decides > fails { Decision } else { DeadEnd }),
        (Some(_), None) => Some(DeadEnd),
        (None, Some(_)) => Some(Decision),
        (None, None) => corrects.map(|_| Correction),
    }
}

fn tells_failure(signs: Signs) -> bool {
    let was_tried = signs.has(Sign::Attempt) || signs.has(Sign::AfterAttempt);
    signs.has(Sign::Failed) || signs.has(Sign::InVain) || was_tried && signs.has(Sign::Trouble)
}

fn sends_elsewhere(signs: Signs) -> bool {
    [Sign::Standing, Sign::Rule, Sign::Redirect, Sign::Swap].into_iter().any(|sign| signs.has(sign))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn kept(kinds: &[RecordKind], shown: &[Sign]) -> Option<RecordKind> {
        let mut signs = Signs::default();
        for sign in shown {
            signs.note(*sign, true);
        }
        main_kind(&kinds.iter().map(|kind| (*kind, 1)).collect::<Vec<_>>(), signs)
    }

    #[test]
    fn a_failure_that_is_told_is_a_dead_end_and_no_correction() {
        let both = [RecordKind::DeadEnd, RecordKind::Correction];
        assert_eq!(kept(&both, &[Sign::Failed, Sign::Bar]), Some(RecordKind::DeadEnd));
        assert_eq!(kept(&both, &[Sign::Trouble, Sign::Bar]), Some(RecordKind::Correction));
    }

    #[test]
    fn a_correction_is_no_decision_unless_one_is_plainly_told() {
        let both = [RecordKind::Decision, RecordKind::Correction];
        assert_eq!(kept(&both, &[Sign::Chosen, Sign::No]), Some(RecordKind::Correction));
        assert_eq!(kept(&both, &[Sign::Decided, Sign::No]), Some(RecordKind::Decision));
        let clearer = [(RecordKind::Decision, 2), (RecordKind::Correction, 1)];
        assert_eq!(main_kind(&clearer, Signs::default()), Some(RecordKind::Decision));
        let mut rule = Signs::default();
        rule.note(Sign::Standing, true);
        assert_eq!(main_kind(&clearer, rule), Some(RecordKind::Correction));
    }

    #[test]
    fn between_dead_end_and_decision_the_clearer_one_is_kept() {
        let of = |decides| main_kind(&[(RecordKind::Decision, decides), (RecordKind::DeadEnd, 2)], Signs::default());
        assert_eq!(
            (of(1), of(2), of(3)),
            (Some(RecordKind::DeadEnd), Some(RecordKind::DeadEnd), Some(RecordKind::Decision))
        );
        assert_eq!(kept(&[], &[]), None);
    }
}
