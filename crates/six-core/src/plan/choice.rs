//! From what was considered to what is said: what a prompt and a call of a tool have in common.

use crate::effect::Effect;
use crate::inject::{
    AnchorStates, Block, BlockPlan, CandidateReceipt, Candidates, Considered, Limits, Section, Setting, Shown, Today,
    decide, render_block, render_item, shown_correction,
};
use crate::record::{Evidence, ItemId, RecordId, UnixMs};
use crate::text::{Redacted, utf16_len};

/// What has been looked up so far.
#[derive(Debug, Default)]
pub struct Known {
    /// The candidates, or why they could not be had; `None` until asked.
    pub candidates: Option<Evidence<Candidates>>,
    /// What became of what they cite; `None` until asked.
    pub anchors: Option<Evidence<AnchorStates>>,
}

/// Microseconds for looking at anchors again: a reader waits, and a file system that takes longer is a slow one.
pub(super) const ANCHORS_WITHIN_US: u64 = 5_000;

/// Puts what became of the places that are cited beside the items that cite them; answers why that could not be had.
pub(super) fn see_anchors(all: &mut [Considered<'_>], anchors: Option<&Evidence<AnchorStates>>) -> Option<String> {
    match anchors {
        None => None,
        Some(Evidence::Missing(why)) => Some(format!("anchors:{}", why.as_str())),
        Some(Evidence::Seen(states)) => {
            for one in all {
                one.facts.anchors = states.get(&one.facts.item).cloned().unwrap_or_default();
            }
            None
        }
    }
}

/// What a reader of the receipt has to know about its frequencies.
pub(super) fn doubts(known: &Candidates, terms: &[String], limits: &Limits) -> Vec<String> {
    let mut doubts = Vec::new();
    if known.corpus < limits.small_corpus {
        doubts.push(format!("small-corpus:{}", known.corpus));
    }
    let unknown = terms.iter().filter(|term| !known.df.contains_key(*term)).count();
    if unknown > 0 {
        doubts.push(format!("df-unknown:{unknown}"));
    }
    doubts.extend(known.no_meaning.map(|why| format!("meaning:{why}")));
    doubts
}

/// Decides and renders: the text, if any, and every item's verdict.
pub(super) fn choose(
    all: Vec<Considered<'_>>,
    setting: Setting<'_>,
    today: Today,
) -> (Option<Block>, Vec<CandidateReceipt>) {
    let (shown, mut facts): (Vec<Shown<'_>>, Vec<CandidateReceipt>) =
        all.into_iter().map(|one| (one.shown, one.facts)).unzip();
    let mut texts: Vec<String> = vec![String::new(); shown.len()];
    let plans = decide(&mut facts, setting, |at, one, block| {
        let text = shown.get(at).map_or_else(String::new, |shown| render_item(block, *shown, one, today));
        let units = utf16_len(&text) + NUMBER_UNITS;
        if let Some(place) = texts.get_mut(at) {
            *place = text;
        }
        u32::try_from(units).unwrap_or(u32::MAX)
    });
    let sections = plans.into_iter().map(|plan| section(plan, &facts, &mut texts)).collect();
    (render_block(sections), facts)
}

/// UTF-16 units of `1. `.
const NUMBER_UNITS: usize = 3;

fn section(plan: BlockPlan, facts: &[CandidateReceipt], texts: &mut [String]) -> Section {
    let items = plan
        .items
        .into_iter()
        .filter_map(|at| Some((facts.get(at)?.item.clone(), std::mem::take(texts.get_mut(at)?))))
        .collect();
    Section { kind: plan.kind, items, left_out: plan.left_out }
}

/// That corrections were shown, by the keys under which damping counts it. Over all sessions each delivery counts once: one
/// that was taken back with its prompt and comes again is the same.
pub(super) fn serve(shown: &[ItemId], taken_back: &[ItemId], at: UnixMs) -> Option<Effect> {
    let before: Vec<RecordId> = taken_back.iter().filter_map(shown_correction).collect();
    let mut records: Vec<RecordId> =
        shown.iter().filter_map(shown_correction).filter(|id| !before.contains(id)).collect();
    records.sort();
    records.dedup();
    if records.is_empty() { None } else { Some(Effect::Served { records, at }) }
}

/// The first characters of a text.
pub(super) fn first_chars(text: &Redacted, max: usize) -> Redacted {
    let end = text.as_str().char_indices().nth(max).map_or(text.as_str().len(), |(at, _)| at);
    text.cut(end)
}
