//! What moving a threshold would change.

use serde::Serialize;
use six_core::inject::Limits;

use super::relevance::Relevance;

/// Thresholds that differ from those in force in one place.
#[derive(Debug, Clone, PartialEq)]
pub(super) struct Moved {
    /// The threshold's name.
    pub(super) threshold: &'static str,
    /// Its value.
    pub(super) value: f64,
    /// Whether it is the one in force.
    pub(super) in_force: bool,
    /// All thresholds.
    pub(super) limits: Limits,
}

/// Each threshold around its value, one at a time.
pub(super) fn moves(limits: &Limits) -> Vec<Moved> {
    let around = |value: f64, by: f64| [-2.0, -1.0, 0.0, 1.0, 2.0].map(|step: f64| step.mul_add(by, value));
    let by_one = |value: u32| [value.saturating_sub(1), value, value.saturating_add(1)];
    let rare_idf = around(limits.rare_idf, 0.5).map(|rare_idf| Limits { rare_idf, ..limits.clone() });
    let min_matches = by_one(limits.min_matches).map(|min_matches| Limits { min_matches, ..limits.clone() });
    let min_rare = by_one(limits.min_rare).map(|min_rare| Limits { min_rare, ..limits.clone() });
    let min_weight = around(limits.min_weight, 0.1).map(|min_weight| Limits { min_weight, ..limits.clone() });
    let min_cosine = around(limits.min_cosine, 0.05).map(|min_cosine| Limits { min_cosine, ..limits.clone() });
    let moved = |threshold, value: fn(&Limits) -> f64| {
        move |moved: Limits| Moved { threshold, value: value(&moved), in_force: moved == *limits, limits: moved }
    };
    rare_idf
        .into_iter()
        .map(moved("rare_idf", |limits| limits.rare_idf))
        .chain(min_matches.into_iter().map(moved("min_matches", |limits| f64::from(limits.min_matches))))
        .chain(min_rare.into_iter().map(moved("min_rare", |limits| f64::from(limits.min_rare))))
        .chain(min_weight.into_iter().map(moved("min_weight", |limits| limits.min_weight)))
        .chain(min_cosine.into_iter().map(moved("min_cosine", |limits| limits.min_cosine)))
        .collect()
}

/// What a value of a threshold comes to.
#[derive(Debug, Clone, PartialEq, Serialize)]
pub(super) struct SweepRow {
    /// The threshold's name.
    pub(super) threshold: &'static str,
    /// Its value.
    pub(super) value: f64,
    /// Whether it is the one in force.
    pub(super) in_force: bool,
    /// Share of the unrelated prompts without a block.
    pub(super) unrelated_silent: Option<f64>,
    /// Share of the planted prompts that were shown their item.
    pub(super) planted_recall: Option<f64>,
    /// Share of the near misses without a block.
    pub(super) negatives_silent: Option<f64>,
}

impl SweepRow {
    /// What came of it.
    pub(super) fn of(moved: &Moved, came: &Relevance) -> Self {
        Self {
            threshold: moved.threshold,
            value: moved.value,
            in_force: moved.in_force,
            unrelated_silent: came.unrelated_silent,
            planted_recall: came.planted_recall,
            negatives_silent: came.negatives_silent,
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn one_threshold_is_moved_at_a_time_and_each_stands_once_where_it_is() {
        let limits = Limits::default();
        let all = moves(&limits);
        for name in ["rare_idf", "min_matches", "min_rare", "min_weight", "min_cosine"] {
            let in_force: Vec<&Moved> = all.iter().filter(|one| one.threshold == name && one.in_force).collect();
            assert_eq!(in_force.len(), 1, "{name}");
            assert_eq!(in_force[0].limits, limits);
        }
        let values = |name| all.iter().filter(|one| one.threshold == name).map(|one| one.value).collect::<Vec<_>>();
        assert_eq!(values("rare_idf"), [2.0, 2.5, 3.0, 3.5, 4.0]);
        assert_eq!(values("min_matches"), [1.0, 2.0, 3.0]);
        let moved = all.iter().find(|one| one.threshold == "min_weight").unwrap();
        assert_eq!(moved.limits, Limits { min_weight: moved.value, ..limits });
    }
}
