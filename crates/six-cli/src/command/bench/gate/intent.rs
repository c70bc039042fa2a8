//! How well what was reported as intended agrees with what was labelled: pure arithmetic.

use std::collections::BTreeMap;

use serde::Serialize;
use six_core::inject::Intent;

use super::share::Share;
use crate::command::bench::rates::{Mean, Rates, mean};

/// A person's prompt: what was labelled, and what the plan reported.
#[derive(Debug, Clone, PartialEq)]
pub(super) struct Judged {
    /// What it intends; empty for nothing.
    pub(super) labelled: Vec<Intent>,
    /// What was reported; empty for silence.
    pub(super) reported: Vec<Intent>,
}

impl Judged {
    /// Whether nothing is missed and nothing is reported that was not labelled.
    pub(super) fn agrees(&self) -> bool {
        let within = |these: &[Intent], those: &[Intent]| these.iter().all(|intent| those.contains(intent));
        within(&self.labelled, &self.reported) && within(&self.reported, &self.labelled)
    }
}

/// When a reported intent is right.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Rule {
    /// When it is among the labelled ones, whatever else was reported: each of the others is a false positive of its own
    /// intent.
    Among,
    /// When exactly what was labelled was reported.
    Exact,
}

/// What a set of prompts comes to.
#[derive(Debug, Clone, Copy, Default, PartialEq, Serialize)]
pub(super) struct Agreement {
    /// Wants something made or changed.
    pub(super) build: Rates,
    /// Wants to find out.
    pub(super) investigate: Rates,
    /// Weighs or states a choice.
    pub(super) decide: Rates,
    /// Share of the prompts labelled none in which nothing was seen; `None` if there are none.
    pub(super) none_silent: Option<f64>,
    /// Prompts labelled none.
    pub(super) none: usize,
    /// All prompts.
    pub(super) prompts: usize,
}

impl Agreement {
    /// The rates by name, in the order of a table.
    pub(super) fn rates(&self) -> [(&'static str, Rates); 3] {
        [("build", self.build), ("investigate", self.investigate), ("decide", self.decide)]
    }
}

/// Counts over all prompts alike.
pub(super) fn measure<'a>(all: impl IntoIterator<Item = &'a Judged>, rule: Rule) -> Agreement {
    let all: Vec<&Judged> = all.into_iter().collect();
    let none = Share::count(all.iter().filter(|one| one.labelled.is_empty()).map(|one| one.reported.is_empty()));
    Agreement {
        build: rates(&all, Intent::Build, rule),
        investigate: rates(&all, Intent::Investigate, rule),
        decide: rates(&all, Intent::Decide, rule),
        none_silent: none.value(),
        none: none.of,
        prompts: all.len(),
    }
}

fn rates(all: &[&Judged], intent: Intent, rule: Rule) -> Rates {
    let (mut reported, mut labelled) = (Share::default(), Share::default());
    for one in all {
        let (says, is) = (one.reported.contains(&intent), one.labelled.contains(&intent));
        let right = says && is && (rule == Rule::Among || one.agrees());
        if says {
            reported.add(right);
        }
        if is {
            labelled.add(right);
        }
    }
    Rates::of(labelled.hit, reported.of - reported.hit, labelled.of - labelled.hit)
}

/// The same for each part of a whole.
pub(super) fn measure_by<'a>(all: impl IntoIterator<Item = (&'a str, &'a Judged)>) -> BTreeMap<String, Agreement> {
    let mut parts: BTreeMap<&str, Vec<&Judged>> = BTreeMap::new();
    for (part, judged) in all {
        parts.entry(part).or_default().push(judged);
    }
    parts.into_iter().map(|(part, all)| (part.to_owned(), measure(all, Rule::Among))).collect()
}

/// Means over parts, each part counting as much as any other.
#[derive(Debug, Clone, Copy, Default, PartialEq, Serialize)]
pub(super) struct Means {
    /// Wants something made or changed.
    pub(super) build: Mean,
    /// Wants to find out.
    pub(super) investigate: Mean,
    /// Weighs or states a choice.
    pub(super) decide: Mean,
    /// Share of the prompts labelled none in which nothing was seen.
    pub(super) none_silent: Option<f64>,
}

impl Means {
    /// Over parts, of which those that have no such rate don't count.
    pub(super) fn of(parts: &BTreeMap<String, Agreement>) -> Self {
        let over = |rates: fn(&Agreement) -> Rates| Mean::over(parts.values().map(rates));
        Self {
            build: over(|part| part.build),
            investigate: over(|part| part.investigate),
            decide: over(|part| part.decide),
            none_silent: mean(parts.values().filter_map(|part| part.none_silent)),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::Intent::{Build, Decide, Investigate};
    use super::*;

    fn judged(labelled: &[Intent], reported: &[Intent]) -> Judged {
        Judged { labelled: labelled.to_vec(), reported: reported.to_vec() }
    }

    fn near(found: Option<f64>, expected: f64) {
        assert!(found.is_some_and(|found| (found - expected).abs() < 1e-9), "{found:?} {expected}");
    }

    /// Three builds, of which one is seen as such, one beside a decision that nobody makes, one not at all.
    fn some() -> Vec<Judged> {
        vec![
            judged(&[Build], &[Build]),
            judged(&[Build], &[Build, Decide]),
            judged(&[Build], &[Investigate]),
            judged(&[Decide], &[Decide]),
            judged(&[], &[]),
            judged(&[], &[Build]),
        ]
    }

    #[test]
    fn an_intent_among_several_is_found_and_the_others_are_false_alarms_of_their_own() {
        let all = measure(&some(), Rule::Among);
        assert_eq!((all.build.tp, all.build.fp, all.build.missed), (2, 1, 1));
        near(all.build.precision, 2.0 / 3.0);
        near(all.build.recall, 2.0 / 3.0);
        near(all.decide.precision, 0.5);
        near(all.decide.recall, 1.0);
        assert_eq!((all.investigate.precision, all.investigate.recall), (Some(0.0), None));
        near(all.none_silent, 0.5);
        assert_eq!((all.none, all.prompts), (2, 6));
    }

    #[test]
    fn the_strict_figure_counts_only_prompts_that_agree_whole() {
        let all = measure(&some(), Rule::Exact);
        assert_eq!((all.build.tp, all.build.fp, all.build.missed), (1, 2, 2));
        near(all.decide.precision, 0.5);
        near(all.decide.recall, 1.0);
        let both = [judged(&[Build, Decide], &[Decide, Build]), judged(&[Build, Decide], &[Build])];
        let strict = measure(&both, Rule::Exact);
        assert_eq!((strict.build.tp, strict.build.fp, strict.build.missed), (1, 1, 1));
        assert_eq!(measure(&both, Rule::Among).build.tp, 2);
    }

    #[test]
    fn a_mean_over_sources_weighs_a_small_one_as_much_as_a_large_one() {
        let all = some();
        let parts = measure_by(all.iter().map(|one| (if one.labelled == [Decide] { "small" } else { "large" }, one)));
        let means = Means::of(&parts);
        near(means.decide.precision, 0.5);
        near(means.decide.recall, 1.0);
        near(means.build.recall, 2.0 / 3.0);
        near(means.none_silent, 0.5);
        assert_eq!(Means::of(&BTreeMap::new()), Means::default());
    }

    #[test]
    fn the_order_in_which_intents_are_named_says_nothing() {
        assert!(judged(&[Build, Decide], &[Decide, Build]).agrees());
        assert!(!judged(&[Build], &[Decide, Build]).agrees() && !judged(&[Build, Decide], &[Build]).agrees());
        assert!(judged(&[], &[]).agrees());
    }
}
