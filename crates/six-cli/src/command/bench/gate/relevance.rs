//! What six said to prompts that it should be silent on, and to those that it should say something to: pure arithmetic.

use std::collections::BTreeMap;

use serde::Serialize;
use six_core::inject::{ItemKind, Receipt};
use six_core::record::ItemId;

use super::planted::{How, Planted};
use super::share::Share;

/// What came of a prompt.
#[derive(Debug, Clone, PartialEq, Serialize)]
pub(super) struct Outcome {
    /// The prompt's id: that of its list, or `planted/number`.
    pub(super) id: String,
    /// What it is to six.
    #[serde(flatten)]
    pub(super) case: Case,
    /// How it begins.
    pub(super) head: String,
    /// Whether an intent was seen; without one nothing is looked up.
    pub(super) intent: bool,
    /// What was shown.
    pub(super) shown: Vec<ItemId>,
    /// Bytes of the blocks.
    pub(super) bytes: u32,
}

/// What a prompt is to six.
#[derive(Debug, Clone, PartialEq, Serialize)]
#[serde(tag = "case", rename_all = "snake_case")]
pub(super) enum Case {
    /// Has nothing to do with what is stored.
    Unrelated {
        /// Its language.
        lang: String,
    },
    /// Shares words with a planted item and is about something else.
    Negative {
        /// What it looks like.
        kind: ItemKind,
    },
    /// Is about a planted item.
    Planted {
        /// What the item is.
        kind: ItemKind,
        /// In its own words or in others.
        how: How,
        /// Whether it was shown, itself or in the story of its thread.
        found: bool,
        /// How many of the shown items are it or of its thread.
        right: usize,
        /// Where its way ended, if it was not shown.
        fell: Option<String>,
    },
}

impl Outcome {
    /// Of a prompt that should be met with silence.
    pub(super) fn of_other(id: &str, case: Case, receipt: &Receipt) -> Self {
        let shown = receipt.blocks.iter().flat_map(|block| block.items.iter().cloned()).collect();
        Self {
            id: id.to_owned(),
            case,
            head: receipt.head.to_string(),
            intent: !receipt.intents.is_empty(),
            shown,
            bytes: receipt.blocks.iter().map(|block| block.bytes).sum(),
        }
    }

    /// Of a prompt about `target`; `threads` is the thread of every planted item.
    pub(super) fn of_planted(id: &str, target: &Planted, how: How, threads: &Threads, receipt: &Receipt) -> Self {
        let item = target.item();
        let of_thread = target.thread_item();
        let other = Self::of_other(id, Case::Negative { kind: target.kind }, receipt);
        // A thread's story tells its decisions and dead ends; a subsystem is no part of it.
        let told = of_thread.as_ref().filter(|_| matches!(target.kind, ItemKind::Decision | ItemKind::DeadEnd));
        let found = other.shown.iter().any(|shown| *shown == item || Some(shown) == told);
        let belongs = |shown: &&ItemId| {
            **shown == item
                || (of_thread.is_some()
                    && (Some(*shown) == of_thread.as_ref() || threads.get(shown) == of_thread.as_ref()))
        };
        let right = other.shown.iter().filter(belongs).count();
        let fell = (!found).then(|| where_it_fell(receipt, &item));
        Self { case: Case::Planted { kind: target.kind, how, found, right, fell }, ..other }
    }

    /// Whether six said what it should, or nothing where it should be silent.
    pub(super) fn is_right(&self) -> bool {
        match self.case {
            Case::Unrelated { .. } | Case::Negative { .. } => self.is_silent(),
            Case::Planted { found, .. } => found,
        }
    }

    /// Whether nothing was said.
    pub(super) fn is_silent(&self) -> bool {
        self.shown.is_empty()
    }
}

/// The key of the thread of every item that is part of one.
pub(super) type Threads = BTreeMap<ItemId, ItemId>;

/// The threads of what is planted.
pub(super) fn threads_of(planted: &[Planted]) -> Threads {
    planted.iter().filter_map(|one| Some((one.item(), one.thread_item()?))).collect()
}

/// The gate at which an item fell, or what kept it from coming that far: a word of the receipt.
fn where_it_fell(receipt: &Receipt, item: &ItemId) -> String {
    if let Some(silenced) = &receipt.silenced {
        return silenced.clone();
    }
    receipt.candidates.iter().find(|one| one.item == *item).map_or_else(
        || String::from("not-gathered"),
        |one| {
            serde_json::to_value(one.verdict).ok().and_then(|name| Some(name.as_str()?.to_owned())).unwrap_or_default()
        },
    )
}

/// What all prompts come to. Rates are from 0 to 1, `None` where there was no such prompt.
#[derive(Debug, Clone, Default, PartialEq, Serialize)]
pub(super) struct Relevance {
    /// Share of the unrelated prompts without a block.
    pub(super) unrelated_silent: Option<f64>,
    /// The same of those in which an intent was seen: the others are silent before anything is looked up.
    pub(super) unrelated_silent_with_intent: Option<f64>,
    /// By language.
    pub(super) unrelated_by_lang: BTreeMap<String, Share>,
    /// Share of the near misses without a block.
    pub(super) negatives_silent: Option<f64>,
    /// By the kind of what they look like.
    pub(super) negatives_by_kind: BTreeMap<ItemKind, Share>,
    /// Share of the planted prompts that were shown their item.
    pub(super) planted_recall: Option<f64>,
    /// The same of those in which an intent was seen.
    pub(super) planted_recall_with_intent: Option<f64>,
    /// By the kind of the item.
    pub(super) planted_by_kind: BTreeMap<ItemKind, Share>,
    /// In its own words, or in others.
    pub(super) planted_by_how: BTreeMap<How, Share>,
    /// Where the missed ones fell.
    pub(super) planted_missed: BTreeMap<String, usize>,
    /// Share of the items shown on planted prompts that are what was asked about, or of its thread.
    pub(super) block_precision: Option<f64>,
    /// Bytes of what was said to a planted prompt, where something was.
    pub(super) bytes: Bytes,
}

/// How long what was said is.
#[derive(Debug, Clone, Copy, Default, PartialEq, Serialize)]
pub(super) struct Bytes {
    /// On average.
    pub(super) mean: Option<f64>,
    /// At most.
    pub(super) most: u32,
}

/// Sums up.
pub(super) fn measure(all: &[Outcome]) -> Relevance {
    let mut unrelated = Share::default();
    let mut unrelated_with_intent = Share::default();
    let mut negatives = Share::default();
    let mut planted = Share::default();
    let mut planted_with_intent = Share::default();
    let mut right_items = Share::default();
    let mut said = Vec::new();
    let mut sum = Relevance::default();
    for one in all {
        match &one.case {
            Case::Unrelated { lang } => {
                unrelated.add(one.is_silent());
                sum.unrelated_by_lang.entry(lang.clone()).or_default().add(one.is_silent());
                if one.intent {
                    unrelated_with_intent.add(one.is_silent());
                }
            }
            Case::Negative { kind } => {
                negatives.add(one.is_silent());
                sum.negatives_by_kind.entry(*kind).or_default().add(one.is_silent());
            }
            Case::Planted { kind, how, found, right, fell } => {
                planted.add(*found);
                sum.planted_by_kind.entry(*kind).or_default().add(*found);
                sum.planted_by_how.entry(*how).or_default().add(*found);
                if one.intent {
                    planted_with_intent.add(*found);
                }
                if let Some(fell) = fell {
                    *sum.planted_missed.entry(fell.clone()).or_default() += 1;
                }
                right_items.hit += right;
                right_items.of += one.shown.len();
                if !one.is_silent() {
                    said.push(one.bytes);
                }
            }
        }
    }
    Relevance {
        unrelated_silent: unrelated.value(),
        unrelated_silent_with_intent: unrelated_with_intent.value(),
        negatives_silent: negatives.value(),
        planted_recall: planted.value(),
        planted_recall_with_intent: planted_with_intent.value(),
        block_precision: right_items.value(),
        bytes: lengths(&said),
        ..sum
    }
}

fn lengths(said: &[u32]) -> Bytes {
    let count = u32::try_from(said.len()).unwrap_or(u32::MAX);
    let mean = (count > 0).then(|| said.iter().map(|bytes| f64::from(*bytes)).sum::<f64>() / f64::from(count));
    Bytes { mean, most: said.iter().copied().max().unwrap_or(0) }
}
