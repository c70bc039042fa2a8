//! How good a ranking is, against what is known to be relevant.

use std::collections::BTreeMap;

use serde::Serialize;

/// Places of a ranking that are looked at.
pub(crate) const DEPTH: usize = 10;

/// Grades of relevance by document: 1 is relevant, more is more so.
pub(crate) type Grades = BTreeMap<String, u32>;

/// Four measures of a ranking, or their means over many: from 0 to 1, more is better.
#[derive(Debug, Clone, Copy, Default, PartialEq, Serialize)]
pub(crate) struct Measures {
    /// Share of the relevant documents that stand among the first five.
    #[serde(rename = "recall@5")]
    pub(crate) recall_5: f64,
    /// Share of the relevant documents that stand among the first ten.
    #[serde(rename = "recall@10")]
    pub(crate) recall_10: f64,
    /// Discounted gain of the first ten (`(2^grade - 1) / log2(place + 1)`), over that of the best possible order.
    #[serde(rename = "ndcg@10")]
    pub(crate) ndcg_10: f64,
    /// One over the place of the first relevant document; 0 where it is not among the first ten.
    #[serde(rename = "mrr")]
    pub(crate) mrr_10: f64,
}

impl Measures {
    /// Names as in JSON, in the order of [`Self::values`].
    pub(crate) const NAMES: [&str; 4] = ["recall@5", "recall@10", "ndcg@10", "mrr"];

    /// The four values.
    pub(crate) fn values(&self) -> [f64; 4] {
        [self.recall_5, self.recall_10, self.ndcg_10, self.mrr_10]
    }

    /// The measures of one ranking, best first, in which no document stands twice.
    pub(crate) fn of(ranking: &[String], relevant: &Grades) -> Self {
        let grades: Vec<u32> =
            ranking.iter().take(DEPTH).map(|document| relevant.get(document).copied().unwrap_or(0)).collect();
        let mut best: Vec<u32> = relevant.values().copied().collect();
        best.sort_unstable_by(|a, b| b.cmp(a));
        best.truncate(DEPTH);
        let ideal = discounted(&best);
        let wanted = relevant.values().filter(|grade| **grade > 0).count();
        if wanted == 0 || ideal <= 0.0 {
            return Self::default();
        }
        let found = |depth: usize| grades.iter().take(depth).filter(|grade| **grade > 0).count();
        let first = grades.iter().position(|grade| *grade > 0);
        Self {
            recall_5: ratio(found(5), wanted),
            recall_10: ratio(found(10), wanted),
            ndcg_10: discounted(&grades) / ideal,
            mrr_10: first.map_or(0.0, |at| ratio(1, at + 1)),
        }
    }

    /// The means; zeros for none.
    pub(crate) fn mean(all: &[Self]) -> Self {
        let mean = |value: fn(&Self) -> f64| {
            if all.is_empty() { 0.0 } else { all.iter().map(value).sum::<f64>() * ratio(1, all.len()) }
        };
        Self {
            recall_5: mean(|m| m.recall_5),
            recall_10: mean(|m| m.recall_10),
            ndcg_10: mean(|m| m.ndcg_10),
            mrr_10: mean(|m| m.mrr_10),
        }
    }
}

#[expect(clippy::cast_precision_loss, reason = "counts of queries and documents stay far below 2^52")]
fn ratio(part: usize, whole: usize) -> f64 {
    part as f64 / whole as f64
}

fn discounted(grades: &[u32]) -> f64 {
    let gain = |grade: u32| f64::from(grade.min(30)).exp2() - 1.0;
    (2_u32..).zip(grades).map(|(place, grade)| gain(*grade) / f64::from(place).log2()).sum()
}

#[cfg(test)]
mod tests {
    use super::*;

    fn ranking(ids: &str) -> Vec<String> {
        ids.split_whitespace().map(str::to_owned).collect()
    }

    fn relevant(grades: &[(&str, u32)]) -> Grades {
        grades.iter().map(|(id, grade)| ((*id).to_owned(), *grade)).collect()
    }

    fn near(found: Measures, expected: [f64; 4]) {
        for (found, expected) in found.values().into_iter().zip(expected) {
            assert!((found - expected).abs() < 5e-5, "{found} {expected}");
        }
    }

    #[test]
    fn measures_are_those_worked_out_by_hand() {
        // Relevant at places 2 and 6: gain 1/log2(3) + 1/log2(7) = 0.63093 + 0.35621; ideal 1 + 0.63093.
        let found = Measures::of(&ranking("x a y z w b"), &relevant(&[("a", 1), ("b", 1)]));
        near(found, [0.5, 1.0, 0.60527, 0.5]);
        // Three relevant, one found at place 1: ideal 1 + 0.63093 + 0.5.
        near(
            Measures::of(&ranking("a x"), &relevant(&[("a", 1), ("b", 1), ("c", 1)])),
            [1.0 / 3.0, 1.0 / 3.0, 0.46928, 1.0],
        );
        // Grades: 1 at place 1, 2 (gain 3) at place 2: 1 + 3 * 0.63093 over 3 + 0.63093.
        near(Measures::of(&ranking("a b"), &relevant(&[("a", 1), ("b", 2)])), [1.0, 1.0, 0.79671, 1.0]);
    }

    #[test]
    fn what_stands_behind_the_tenth_place_counts_for_nothing() {
        let late = ranking("1 2 3 4 5 6 7 8 9 10 a");
        near(Measures::of(&late, &relevant(&[("a", 1)])), [0.0; 4]);
        // More is relevant than there are places: the best order is worth 1 all the same.
        let many: Vec<String> = (0..12).map(|n| n.to_string()).collect();
        let all = many.iter().map(|id| (id.clone(), 1)).collect();
        near(Measures::of(&many, &all), [5.0 / 12.0, 10.0 / 12.0, 1.0, 1.0]);
    }

    #[test]
    fn nothing_found_and_nothing_relevant_are_zero() {
        near(Measures::of(&[], &relevant(&[("a", 1)])), [0.0; 4]);
        near(Measures::of(&ranking("a"), &Grades::new()), [0.0; 4]);
        near(Measures::mean(&[]), [0.0; 4]);
    }

    #[test]
    fn a_mean_weighs_every_query_alike() {
        let best = Measures::of(&ranking("a"), &relevant(&[("a", 1)]));
        near(Measures::mean(&[best, Measures::default(), best, best]), [0.75; 4]);
    }
}
