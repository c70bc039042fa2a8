//! What the ways of searching reach on a set.

use std::collections::BTreeMap;

use serde::Serialize;

use super::measure::Measures;

/// One of each way of searching.
#[derive(Debug, Clone, Copy, Default, PartialEq, Serialize)]
pub(crate) struct Scores {
    /// Words alone.
    pub(crate) lexical: Measures,
    /// Meaning alone.
    pub(crate) vector: Measures,
    /// Both, as `six search` does.
    pub(crate) fused: Measures,
}

impl Scores {
    /// The means.
    pub(crate) fn mean(all: &[Self]) -> Self {
        let mean = |of: fn(&Self) -> Measures| Measures::mean(&all.iter().map(of).collect::<Vec<_>>());
        Self { lexical: mean(|s| s.lexical), vector: mean(|s| s.vector), fused: mean(|s| s.fused) }
    }

    /// The ways by name, in the order of a table.
    pub(crate) fn ways(&self) -> [(&'static str, Measures); 3] {
        [("lexical", self.lexical), ("vector", self.vector), ("fused", self.fused)]
    }
}

/// The means over some questions.
#[derive(Debug, Clone, Copy, PartialEq, Serialize)]
pub(crate) struct Summary {
    /// How many questions.
    pub(crate) queries: usize,
    /// The means.
    #[serde(flatten)]
    pub(crate) scores: Scores,
}

impl Summary {
    fn of(all: &[Scores]) -> Self {
        Self { queries: all.len(), scores: Scores::mean(all) }
    }
}

/// What came of a set.
#[derive(Debug, Clone, PartialEq, Serialize)]
pub(crate) struct SetSummary {
    /// The set's name.
    pub(crate) name: String,
    /// Documents of distinct text.
    pub(crate) documents: usize,
    /// Questions that nothing answers; not among the queries.
    pub(crate) left_out: usize,
    /// All questions.
    #[serde(flatten)]
    pub(crate) whole: Summary,
    /// By the kind of the question, where the set tells kinds.
    pub(crate) kinds: BTreeMap<String, Summary>,
}

impl SetSummary {
    /// Sums up what each question got, given with its kind.
    pub(crate) fn of(name: &str, documents: usize, left_out: usize, asked: &[(Option<String>, Scores)]) -> Self {
        let mut by_kind: BTreeMap<String, Vec<Scores>> = BTreeMap::new();
        for (kind, scores) in asked {
            if let Some(kind) = kind {
                by_kind.entry(kind.clone()).or_default().push(*scores);
            }
        }
        let all: Vec<Scores> = asked.iter().map(|(_, scores)| *scores).collect();
        Self {
            name: name.to_owned(),
            documents,
            left_out,
            whole: Summary::of(&all),
            kinds: by_kind.into_iter().map(|(kind, all)| (kind, Summary::of(&all))).collect(),
        }
    }
}
