//! How well candidates agree with labels: pure arithmetic.

use std::collections::{BTreeMap, BTreeSet};

use serde::Serialize;
use six_core::curate::Speaker;
use six_core::record::RecordKind;

use super::label::Labelled;
use crate::command::bench::rates::{Mean, Rates};

/// The kinds that are measured.
pub(super) const KINDS: [RecordKind; 3] = [RecordKind::Decision, RecordKind::DeadEnd, RecordKind::Correction];

/// A turn: what was labelled, and what was proposed.
#[derive(Debug, Clone, PartialEq, Serialize)]
pub(super) struct Judged {
    /// Its id.
    pub(super) id: String,
    /// How it begins.
    pub(super) head: String,
    /// What was labelled.
    pub(super) states: BTreeSet<RecordKind>,
    /// What at least one candidate was made of.
    pub(super) proposed: BTreeSet<RecordKind>,
    /// The candidates.
    pub(super) titles: Vec<(RecordKind, String)>,
    #[serde(skip)]
    pub(super) speaker: Speaker,
    #[serde(skip)]
    pub(super) lang: String,
    #[serde(skip)]
    pub(super) source: String,
    #[serde(skip)]
    pub(super) unsure: bool,
}

/// Characters of a head.
const HEAD_CHARS: usize = 160;

impl Judged {
    /// A turn with what was made of it.
    pub(super) fn of(turn: &Labelled, proposed: BTreeSet<RecordKind>, titles: Vec<(RecordKind, String)>) -> Self {
        let words: Vec<&str> = turn.text.split_whitespace().collect();
        Self {
            id: turn.id.clone(),
            head: words.join(" ").chars().take(HEAD_CHARS).collect(),
            states: turn.states.clone(),
            proposed,
            titles,
            speaker: turn.speaker,
            lang: turn.lang.clone(),
            source: turn.source.clone(),
            unsure: turn.unsure,
        }
    }

    /// Whether exactly what was labelled was proposed.
    pub(super) fn agrees(&self) -> bool {
        self.states == self.proposed
    }
}

/// What a set of turns comes to.
#[derive(Debug, Clone, Copy, Default, PartialEq, Serialize)]
pub(super) struct Agreement {
    pub(super) decision: Rates,
    pub(super) dead_end: Rates,
    pub(super) correction: Rates,
    /// All turns.
    pub(super) turns: usize,
}

impl Agreement {
    /// The rates in the order of [`KINDS`].
    pub(super) const fn rates(&self) -> [Rates; 3] {
        [self.decision, self.dead_end, self.correction]
    }
}

/// Counts over all turns alike.
pub(super) fn measure<'a>(all: impl IntoIterator<Item = &'a Judged>) -> Agreement {
    let mut counts = [(0, 0, 0); 3];
    let mut turns = 0;
    for one in all {
        turns += 1;
        for ((tp, fp, missed), kind) in counts.iter_mut().zip(KINDS) {
            match (one.states.contains(&kind), one.proposed.contains(&kind)) {
                (true, true) => *tp += 1,
                (false, true) => *fp += 1,
                (true, false) => *missed += 1,
                (false, false) => {}
            }
        }
    }
    let [decision, dead_end, correction] = counts.map(|(tp, fp, missed)| Rates::of(tp, fp, missed));
    Agreement { decision, dead_end, correction, turns }
}

/// The same for each part of a whole.
pub(super) fn measure_by<'a>(all: &'a [Judged], part: impl Fn(&'a Judged) -> &'a str) -> BTreeMap<String, Agreement> {
    let mut parts: BTreeMap<&str, Vec<&Judged>> = BTreeMap::new();
    for one in all {
        parts.entry(part(one)).or_default().push(one);
    }
    parts.into_iter().map(|(part, all)| (part.to_owned(), measure(all))).collect()
}

/// Means over parts, each part counting as much as any other.
#[derive(Debug, Clone, Copy, Default, PartialEq, Serialize)]
pub(super) struct Means {
    pub(super) decision: Mean,
    pub(super) dead_end: Mean,
    pub(super) correction: Mean,
}

impl Means {
    /// Over parts, of which those that have no such rate don't count.
    pub(super) fn of(parts: &BTreeMap<String, Agreement>) -> Self {
        let over = |rates: fn(&Agreement) -> Rates| Mean::over(parts.values().map(rates));
        Self {
            decision: over(|part| part.decision),
            dead_end: over(|part| part.dead_end),
            correction: over(|part| part.correction),
        }
    }

    /// The means in the order of [`KINDS`].
    pub(super) const fn means(&self) -> [Mean; 3] {
        [self.decision, self.dead_end, self.correction]
    }
}

#[cfg(test)]
mod tests {
    use super::RecordKind::{Correction, DeadEnd, Decision};
    use super::*;

    fn judged(source: &str, states: &[RecordKind], proposed: &[RecordKind]) -> Judged {
        let turn = Labelled {
            id: String::from("t"),
            text: String::from("some  words"),
            speaker: Speaker::Operator,
            states: states.iter().copied().collect(),
            lang: String::from("en"),
            source: source.to_owned(),
            unsure: false,
        };
        Judged::of(&turn, proposed.iter().copied().collect(), Vec::new())
    }

    #[test]
    fn a_turn_counts_once_for_each_kind() {
        let all = [
            judged("a", &[Decision], &[Decision, Correction]),
            judged("a", &[Decision, DeadEnd], &[]),
            judged("b", &[], &[Decision]),
            judged("b", &[], &[]),
        ];
        let whole = measure(&all);
        assert_eq!(whole.decision, Rates::of(1, 1, 1));
        assert_eq!(whole.dead_end, Rates::of(0, 0, 1));
        assert_eq!(whole.correction, Rates::of(0, 1, 0));
        assert_eq!((whole.turns, all.iter().filter(|one| one.agrees()).count()), (4, 1));
        assert_eq!(whole.dead_end.precision, None, "it was never proposed");
        assert_eq!(whole.correction.recall, None, "it was never labelled");
    }

    #[test]
    fn each_source_counts_as_much_as_any_other() {
        let all = [
            judged("a", &[Decision], &[Decision]),
            judged("a", &[Decision], &[Decision]),
            judged("b", &[Decision], &[]),
        ];
        let means = Means::of(&measure_by(&all, |one| &one.source));
        assert_eq!(means.decision, Mean { precision: Some(1.0), recall: Some(0.5) });
    }
}
