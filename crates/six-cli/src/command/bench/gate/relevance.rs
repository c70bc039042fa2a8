//! What six said to prompts that it should be silent on, and to those that it should say something to: pure arithmetic.

use std::collections::BTreeMap;

use serde::Serialize;
use six_core::inject::{CandidateReceipt, Gate, ItemKind, Receipt};
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
    /// What was shown, and why.
    pub(super) shown: Vec<CandidateReceipt>,
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
    NearMiss {
        /// What the item is.
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
        /// Where its way ended, if it was not shown: a gate, what silenced the turn, or `not-gathered`.
        fell: Option<String>,
        /// Its arithmetic, if it was a candidate.
        target: Option<Box<CandidateReceipt>>,
    },
}

impl Outcome {
    /// Of a prompt that should be met with silence.
    pub(super) fn of_other(id: &str, case: Case, receipt: &Receipt) -> Self {
        Self {
            id: id.to_owned(),
            case,
            head: receipt.head.to_string(),
            intent: !receipt.intents.is_empty(),
            shown: receipt.candidates.iter().filter(|one| one.verdict == Gate::Passed).cloned().collect(),
            bytes: receipt.blocks.iter().map(|block| block.bytes).sum(),
        }
    }

    /// Of a prompt about `target`; `threads` is the thread of every planted item.
    pub(super) fn of_planted(id: &str, target: &Planted, how: How, threads: &Threads, receipt: &Receipt) -> Self {
        let kind = target.kind;
        let other = Self::of_other(id, Case::NearMiss { kind }, receipt);
        let item = target.item();
        let thread = threads.get(&item);
        // A thread's story tells its decisions and dead ends; a subsystem is no part of it.
        let story = thread.filter(|_| matches!(kind, ItemKind::Decision | ItemKind::DeadEnd));
        let found = other.shown.iter().any(|shown| shown.item == item || Some(&shown.item) == story);
        let of_thread = |shown: &ItemId| thread.is_some_and(|of| shown == of || threads.get(shown) == Some(of));
        let right = other.shown.iter().filter(|shown| shown.item == item || of_thread(&shown.item)).count();
        let own = receipt.candidates.iter().find(|one| one.item == item);
        let fell = (!found).then(|| where_it_fell(receipt, own));
        Self { case: Case::Planted { kind, how, found, right, fell, target: own.cloned().map(Box::new) }, ..other }
    }

    /// Whether six said what it should, or nothing where it should be silent.
    pub(super) fn is_right(&self) -> bool {
        match self.case {
            Case::Unrelated { .. } | Case::NearMiss { .. } => self.is_silent(),
            Case::Planted { found, .. } => found,
        }
    }

    /// Whether nothing was said.
    fn is_silent(&self) -> bool {
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
fn where_it_fell(receipt: &Receipt, target: Option<&CandidateReceipt>) -> String {
    match (&receipt.silenced, target) {
        (Some(silenced), _) => silenced.clone(),
        (None, Some(target)) => name(&target.verdict),
        (None, None) => String::from("not-gathered"),
    }
}

/// The name that a value has in JSON.
pub(super) fn name(value: &impl Serialize) -> String {
    serde_json::to_value(value).ok().and_then(|name| Some(name.as_str()?.to_owned())).unwrap_or_default()
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
            Case::NearMiss { kind } => {
                negatives.add(one.is_silent());
                sum.negatives_by_kind.entry(*kind).or_default().add(one.is_silent());
            }
            Case::Planted { kind, how, found, right, fell, .. } => {
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

#[cfg(test)]
pub(super) mod tests {
    use six_core::inject::{Emission, Intent, Limits, TermReceipt};
    use six_core::record::{SessionId, UnixMs};
    use six_core::text::Redacted;

    use super::super::planted;
    use super::*;

    fn candidate(item: &ItemId, verdict: Gate) -> CandidateReceipt {
        CandidateReceipt {
            item: item.clone(),
            kind: ItemKind::Subsystem,
            tokens: vec![TermReceipt { t: String::from("quorum"), df: 3, idf: 5.25, names: true }],
            sum: 5.25,
            topic: None,
            cosine: None,
            confirmed: true,
            in_scope: true,
            anchors: Vec::new(),
            delivered: 0,
            delivered_stale: 0,
            block: None,
            units: 0,
            verdict,
        }
    }

    fn receipt(silenced: Option<&str>, candidates: &[(&ItemId, Gate)]) -> Receipt {
        Receipt {
            session: SessionId::new("s"),
            prompt_id: None,
            at: UnixMs(0),
            prompt_hash: String::new(),
            head: Redacted::literal("add a quorum"),
            mode: Emission::On,
            human: true,
            silenced: silenced.map(str::to_owned),
            intents: if silenced.is_some() { Vec::new() } else { vec![(Intent::Build, Vec::new())] },
            terms: Vec::new(),
            corpus: 1_000,
            candidates: candidates.iter().map(|(item, verdict)| candidate(item, *verdict)).collect(),
            blocks: Vec::new(),
            degraded: Vec::new(),
            limits: Limits::default(),
            stages_us: Vec::new(),
            took_us: 0,
        }
    }

    /// A decision of a thread, another item of it, a subsystem of it, an item of no thread.
    fn some() -> [Planted; 4] {
        let all = planted::built_in(UnixMs(0)).unwrap();
        let of = |kind, thread: Option<&str>| {
            all.iter().find(|one| one.kind == kind && one.thread.as_deref() == thread).cloned().unwrap()
        };
        let billing = Some("billing");
        [
            of(ItemKind::Decision, billing),
            of(ItemKind::DeadEnd, billing),
            of(ItemKind::Subsystem, billing),
            of(ItemKind::Correction, None),
        ]
    }

    /// One outcome of each kind.
    pub(in super::super) fn outcomes() -> Vec<Outcome> {
        let all = some();
        let threads = threads_of(&all);
        let [decision, dead_end, subsystem, rule] = &all;
        let thread = decision.thread_item().unwrap();
        let lang = |lang: &str| Case::Unrelated { lang: lang.to_owned() };
        let mut told = receipt(None, &[(&thread, Gate::Passed), (&dead_end.item(), Gate::Passed)]);
        told.candidates[0].kind = ItemKind::Thread;
        vec![
            Outcome::of_other("u1", lang("en"), &receipt(None, &[(&rule.item(), Gate::TooWeak)])),
            Outcome::of_other("u2", lang("en"), &receipt(None, &[(&rule.item(), Gate::Passed)])),
            Outcome::of_other("u3", lang("ko"), &receipt(Some("no-intent"), &[])),
            Outcome::of_other(
                "n1",
                Case::NearMiss { kind: rule.kind },
                &receipt(None, &[(&rule.item(), Gate::Passed)]),
            ),
            Outcome::of_planted("p1", decision, How::Words, &threads, &told),
            Outcome::of_planted("p2", subsystem, How::Words, &threads, &told),
            Outcome::of_planted("p3", rule, How::Words, &threads, &receipt(None, &[(&rule.item(), Gate::NotRare)])),
            Outcome::of_planted("p4", rule, How::Paraphrase, &threads, &receipt(Some("no-intent"), &[])),
            Outcome::of_planted("p5", rule, How::Paraphrase, &threads, &receipt(None, &[])),
        ]
    }

    #[test]
    fn an_item_is_found_by_itself_or_in_the_story_of_its_thread() {
        let all = some();
        let threads = threads_of(&all);
        let found = |target: &Planted, shown: &ItemId| {
            let receipt = receipt(None, &[(shown, Gate::Passed)]);
            match Outcome::of_planted("p", target, How::Words, &threads, &receipt).case {
                Case::Planted { found, right, .. } => (found, right),
                other => panic!("{other:?}"),
            }
        };
        let [decision, dead_end, subsystem, rule] = &all;
        let story = decision.thread_item().unwrap();
        assert_eq!(found(decision, &decision.item()), (true, 1));
        assert_eq!(found(decision, &story), (true, 1));
        assert_eq!(found(decision, &dead_end.item()), (false, 1), "of its thread, and not what was asked about");
        assert_eq!(found(subsystem, &story), (false, 1), "a story does not tell subsystems");
        assert_eq!(found(decision, &rule.item()), (false, 0));
        assert_eq!(found(rule, &rule.item()), (true, 1));
    }

    #[test]
    fn silence_recall_and_precision_are_shares_of_prompts_and_of_items() {
        let sum = measure(&outcomes());
        let near = |found: Option<f64>, expected: f64| {
            assert!(found.is_some_and(|found| (found - expected).abs() < 1e-9), "{found:?} {expected}");
        };
        near(sum.unrelated_silent, 2.0 / 3.0);
        near(sum.unrelated_silent_with_intent, 0.5);
        near(sum.negatives_silent, 0.0);
        near(sum.planted_recall, 0.2);
        near(sum.planted_recall_with_intent, 0.25);
        near(sum.block_precision, 1.0);
        assert_eq!(sum.unrelated_by_lang["ko"], Share { hit: 1, of: 1 });
        assert_eq!(sum.planted_by_kind[&ItemKind::Correction], Share { hit: 0, of: 3 });
        assert_eq!(sum.planted_by_how[&How::Words], Share { hit: 1, of: 3 });
        let fell: Vec<_> = sum.planted_missed.iter().map(|(gate, count)| (gate.as_str(), *count)).collect();
        assert_eq!(fell, [("no-intent", 1), ("not-gathered", 2), ("not-rare", 1)]);
        assert_eq!(measure(&[]), Relevance::default());
    }

    #[test]
    fn what_was_said_and_should_not_have_been_is_wrong_and_so_is_what_was_missed() {
        let wrong: Vec<String> = outcomes().into_iter().filter(|one| !one.is_right()).map(|one| one.id).collect();
        assert_eq!(wrong, ["u2", "n1", "p2", "p3", "p4", "p5"]);
    }
}
