//! From what the store has to the facts that are decided on.

use super::relevance::{matches, words_of_item, words_of_thread};
use super::{Candidate, CandidateReceipt, Candidates, Gate, ItemKind, Shown, TermReceipt, ThreadStory};
use crate::record::Origin;

/// A candidate with its facts.
#[derive(Debug)]
pub struct Considered<'a> {
    /// What would be shown.
    pub shown: Shown<'a>,
    /// Its facts; the verdict is not decided yet.
    pub facts: CandidateReceipt,
}

/// The facts of all that the store has, those with the strongest evidence first; among equals the store's order holds.
/// `in_scope` tells whether the prompt is where a correction with this scope holds.
pub fn consider<'a>(known: &'a Candidates, terms: &[String], in_scope: impl Fn(&str) -> bool) -> Vec<Considered<'a>> {
    let items = known.items.iter().filter_map(|candidate| {
        let kind = ItemKind::of_entry(candidate.kind)?;
        let facts =
            of_item(candidate, kind, matches(&words_of_item(candidate), known, terms), in_scope(&candidate.scope));
        Some(Considered { shown: Shown::Item(candidate), facts })
    });
    let threads = known.threads.iter().map(|thread| Considered {
        shown: Shown::Thread(thread),
        facts: of_thread(thread, matches(&words_of_thread(thread), known, terms)),
    });
    let mut all: Vec<Considered<'a>> = items.chain(threads).collect();
    all.sort_by(|a, b| strength(&b.facts).total_cmp(&strength(&a.facts)));
    all
}

/// One scale for words and meaning: a cosine of 1 weighs as much as two words of a handful of chunks among ten thousand.
const OF_FULL_COSINE: f64 = 14.0;

fn strength(facts: &CandidateReceipt) -> f64 {
    facts.sum.max(facts.cosine.unwrap_or(0.0) * OF_FULL_COSINE)
}

pub(super) fn of_item(
    candidate: &Candidate,
    kind: ItemKind,
    tokens: Vec<TermReceipt>,
    in_scope: bool,
) -> CandidateReceipt {
    CandidateReceipt {
        item: candidate.item.clone(),
        kind,
        sum: sum(&tokens),
        tokens,
        cosine: candidate.cosine,
        // The inventory has no states of confirmation, so its origin decides. A record of an agent is a candidate only
        // after a person has confirmed it.
        confirmed: kind != ItemKind::Subsystem || candidate.origin == Origin::Operator,
        in_scope: kind != ItemKind::Correction || in_scope,
        anchors: Vec::new(),
        touched: None,
        delivered: candidate.delivered,
        delivered_stale: candidate.delivered_stale,
        block: None,
        units: 0,
        verdict: Gate::NoBlock,
    }
}

fn of_thread(thread: &ThreadStory, tokens: Vec<TermReceipt>) -> CandidateReceipt {
    CandidateReceipt {
        item: thread.item(),
        kind: ItemKind::Thread,
        sum: sum(&tokens),
        tokens,
        cosine: None,
        confirmed: true,
        in_scope: true,
        anchors: Vec::new(),
        touched: None,
        delivered: thread.delivered,
        delivered_stale: 0,
        block: None,
        units: 0,
        verdict: Gate::NoBlock,
    }
}

fn sum(tokens: &[TermReceipt]) -> f64 {
    tokens.iter().map(|term| term.idf).sum()
}
