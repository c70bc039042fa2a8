//! Whether the fused ranking earns its vectors: fused against lexical, measure by measure.

use serde::Serialize;

use super::measure::Measures;
use super::scores::{Scores, SetSummary};

/// A loss that is told without being asked for: one point, a hundredth.
const POINT: f64 = 0.01;

/// A loss that is none: what rounding leaves.
const NOTHING: f64 = 1e-9;

/// A measure in which fused is below lexical.
#[derive(Debug, Clone, PartialEq, Serialize)]
pub(crate) struct Loss {
    /// The set.
    pub(crate) set: String,
    /// The kind of questions; `None`: all of the set.
    pub(crate) kind: Option<String>,
    /// The measure, as in JSON.
    pub(crate) measure: &'static str,
    /// How much is lost, from 0 to 1.
    pub(crate) by: f64,
    /// Questions.
    pub(crate) queries: usize,
}

impl Loss {
    /// `set measure -1.8`, or `set (kind) measure -1.8`: in points.
    pub(crate) fn text(&self) -> String {
        let kind = self.kind.as_ref().map_or_else(String::new, |kind| format!(" ({kind})"));
        format!("{}{kind} {} -{:.1}", self.set, self.measure, self.by * 100.0)
    }
}

/// Every measure in which fused is below lexical: of whole sets, and of the kinds of questions in them.
pub(crate) fn losses(sets: &[SetSummary]) -> Vec<Loss> {
    let mut losses = Vec::new();
    for set in sets {
        let kinds = set.kinds.iter().map(|(kind, summary)| (Some(kind), summary));
        for (kind, summary) in std::iter::once((None, &set.whole)).chain(kinds) {
            losses.extend(below(&summary.scores).map(|(measure, by)| Loss {
                set: set.name.clone(),
                kind: kind.cloned(),
                measure,
                by,
                queries: summary.queries,
            }));
        }
    }
    losses
}

fn below(scores: &Scores) -> impl Iterator<Item = (&'static str, f64)> {
    let differences =
        scores.lexical.values().into_iter().zip(scores.fused.values()).map(|(lexical, fused)| lexical - fused);
    Measures::NAMES.into_iter().zip(differences).filter(|(_, by)| *by > NOTHING)
}

/// One line: on how many sets fused is above lexical, and what is lost by more than a point on a whole set.
pub(crate) fn judge(sets: &[SetSummary]) -> String {
    let above = sets.iter().filter(|set| set.whole.scores.fused.ndcg_10 > set.whole.scores.lexical.ndcg_10 + NOTHING);
    let heavy: Vec<String> =
        losses(sets).iter().filter(|loss| loss.kind.is_none() && loss.by > POINT).map(Loss::text).collect();
    let lower = if heavy.is_empty() { String::from("nothing") } else { heavy.join(", ") };
    format!(
        "fused above lexical (nDCG@10) on {} of {} sets; lower by more than a point: {lower}",
        above.count(),
        sets.len()
    )
}

#[cfg(test)]
mod tests {
    use super::*;

    fn measures(values: [f64; 4]) -> Measures {
        let [recall_5, recall_10, ndcg_10, mrr_10] = values;
        Measures { recall_5, recall_10, ndcg_10, mrr_10 }
    }

    fn summary(name: &str, asked: &[(Option<&str>, [f64; 4], [f64; 4])]) -> SetSummary {
        let asked: Vec<_> = asked
            .iter()
            .map(|(kind, lexical, fused)| {
                let scores =
                    Scores { lexical: measures(*lexical), vector: Measures::default(), fused: measures(*fused) };
                (kind.map(str::to_owned), scores)
            })
            .collect();
        SetSummary::of(name, 3, 0, &asked)
    }

    #[test]
    fn a_loss_of_more_than_a_point_is_named_and_smaller_ones_only_when_asked_for() {
        let sets = [
            summary("quay", &[(None, [0.5, 0.6, 0.5, 0.4], [0.48, 0.595, 0.55, 0.4])]),
            summary("yard", &[(None, [0.5; 4], [0.5; 4])]),
        ];
        assert_eq!(
            judge(&sets),
            "fused above lexical (nDCG@10) on 1 of 2 sets; lower by more than a point: quay recall@5 -2.0"
        );
        let all: Vec<String> = losses(&sets).iter().map(Loss::text).collect();
        assert_eq!(all, ["quay recall@5 -2.0", "quay recall@10 -0.5"]);
        assert!(judge(&sets[1..]).ends_with("lower by more than a point: nothing"));
    }

    #[test]
    fn a_kind_that_loses_inside_a_set_that_gains_is_found() {
        let set = summary("talks", &[(Some("why"), [0.2; 4], [0.9; 4]), (Some("when"), [0.8; 4], [0.6; 4])]);
        assert!(judge(std::slice::from_ref(&set)).ends_with(": nothing"));
        let lost = losses(&[set]);
        assert_eq!(lost.len(), 4);
        assert!(lost.iter().all(|loss| loss.kind.as_deref() == Some("when") && loss.queries == 1));
        assert_eq!(lost[2].text(), "talks (when) ndcg@10 -20.0");
    }
}
