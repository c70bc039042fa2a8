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
    let steps = |by: f64| [-2.0, -1.0, 0.0, 1.0, 2.0].map(|step| step * by);
    let mut all = Vec::new();
    let mut add = |threshold, step: f64, value: f64, moved: Limits| {
        all.push(Moved { threshold, value, in_force: step == 0.0, limits: moved });
    };
    for step in steps(0.5) {
        let rare_idf = limits.rare_idf + step;
        add("rare_idf", step, rare_idf, Limits { rare_idf, ..limits.clone() });
    }
    for (step, min_matches) in [
        (-1.0, limits.min_matches.saturating_sub(1)),
        (0.0, limits.min_matches),
        (1.0, limits.min_matches.saturating_add(1)),
    ] {
        add("min_matches", step, f64::from(min_matches), Limits { min_matches, ..limits.clone() });
    }
    for step in steps(1.0) {
        let min_sum = limits.min_sum + step;
        add("min_sum", step, min_sum, Limits { min_sum, ..limits.clone() });
    }
    for step in steps(0.05) {
        let min_cosine = limits.min_cosine + step;
        add("min_cosine", step, min_cosine, Limits { min_cosine, ..limits.clone() });
    }
    all
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
