//! Precision and recall, and their means: pure arithmetic.

use serde::Serialize;

/// How rightly one thing was told.
#[derive(Debug, Clone, Copy, Default, PartialEq, Serialize)]
pub(super) struct Rates {
    /// Share of the reported ones that are right; `None` if it was never reported.
    pub(super) precision: Option<f64>,
    /// Share of the labelled ones that were found; `None` if none was labelled.
    pub(super) recall: Option<f64>,
    /// Right ones.
    pub(super) tp: usize,
    /// Reported and wrong.
    pub(super) fp: usize,
    /// Labelled and missed.
    #[serde(rename = "fn")]
    pub(super) missed: usize,
}

impl Rates {
    /// Of so many right, wrong and missed ones.
    pub(super) fn of(tp: usize, fp: usize, missed: usize) -> Self {
        Self { precision: quotient(tp, tp + fp), recall: quotient(tp, tp + missed), tp, fp, missed }
    }
}

/// A rate of each sort, without the counts.
#[derive(Debug, Clone, Copy, Default, PartialEq, Serialize)]
pub(super) struct Mean {
    /// Mean of the parts that have one.
    pub(super) precision: Option<f64>,
    /// Mean of the parts that have one.
    pub(super) recall: Option<f64>,
}

impl Mean {
    /// Over parts, each counting as much as any other; those that have no such rate don't count.
    pub(super) fn over(parts: impl Iterator<Item = Rates> + Clone) -> Self {
        Self {
            precision: mean(parts.clone().filter_map(|part| part.precision)),
            recall: mean(parts.filter_map(|part| part.recall)),
        }
    }
}

/// The mean; `None` of nothing.
pub(super) fn mean(values: impl Iterator<Item = f64>) -> Option<f64> {
    let (sum, count) = values.fold((0.0, 0_u32), |(sum, count), value| (sum + value, count + 1));
    (count > 0).then(|| sum / f64::from(count))
}

/// From 0 to 1; `None` of nothing.
#[expect(clippy::cast_precision_loss, reason = "counts of prompts and turns stay far below 2^52")]
pub(super) fn quotient(part: usize, whole: usize) -> Option<f64> {
    (whole > 0).then(|| part as f64 / whole as f64)
}
