//! Which items are shown, in which block: arithmetic over facts, so that a stored receipt can be decided again.

use super::block::{frame_units, outer_units};
use super::budget::room;
use super::{BlockKind, CandidateReceipt, Gate, Intent, ItemKind, Limits, TermReceipt, idf, is_damped};

/// The items of one block, as positions in the list that was decided.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct BlockPlan {
    /// Which block.
    pub kind: BlockKind,
    /// What it shows, best first; never empty.
    pub items: Vec<usize>,
    /// How many more passed and had no room.
    pub left_out: u32,
}

/// What was intended and how much there is to compare with.
#[derive(Debug, Clone, Copy)]
pub struct Setting<'a> {
    /// The intents of the prompt.
    pub intents: &'a [Intent],
    /// Distinct chunks in the index.
    pub corpus: u64,
    /// Thresholds in force.
    pub limits: &'a Limits,
}

/// Decides every item: sets its block, its units and its verdict. `units` tells how long an item's text in a block is; it is
/// asked once for each item that passes, and never for one beyond a block's number of items. Blocks come in the order of
/// [`BlockKind::ALL`], items in the order of the list.
pub fn decide(
    facts: &mut [CandidateReceipt],
    setting: Setting<'_>,
    mut units: impl FnMut(usize, &CandidateReceipt, BlockKind) -> u32,
) -> Vec<BlockPlan> {
    for one in facts.iter_mut() {
        let admitted = admit(one, setting);
        one.block = admitted.as_ref().ok().copied();
        one.verdict = admitted.err().unwrap_or(Gate::Passed);
        one.units = 0;
    }
    let mut left = room(setting.limits).saturating_sub(outer_units());
    let mut plans = Vec::new();
    for kind in BlockKind::ALL {
        let mut plan = BlockPlan { kind, items: Vec::new(), left_out: 0 };
        for at in 0..facts.len() {
            let Some(one) = facts.get(at).filter(|one| one.block == Some(kind)) else { continue };
            let has_place = plan.items.len() < most_items(kind, setting.limits);
            let needs = if has_place { units(at, one, kind) } else { 0 };
            let with_frame = needs as usize + if plan.items.is_empty() { frame_units(kind) } else { 0 };
            let fits = has_place && with_frame <= left;
            if let Some(one) = facts.get_mut(at) {
                one.units = needs;
                one.verdict = if fits { Gate::Passed } else { Gate::OverBudget };
            }
            if fits {
                left -= with_frame;
                plan.items.push(at);
            } else {
                plan.left_out += 1;
            }
        }
        if !plan.items.is_empty() {
            plans.push(plan);
        }
    }
    plans
}

/// A block numbers its items with one digit.
const MOST_ITEMS: usize = 9;

/// Items that a block can show.
pub fn most_items(kind: BlockKind, limits: &Limits) -> usize {
    let most = if kind == BlockKind::Lineage { limits.max_threads } else { limits.max_items };
    most.min(MOST_ITEMS)
}

/// The block that an item belongs to, or the gate at which it falls.
pub fn admit(facts: &CandidateReceipt, setting: Setting<'_>) -> Result<BlockKind, Gate> {
    if !facts.confirmed {
        return Err(Gate::Unconfirmed);
    }
    if !facts.in_scope {
        return Err(Gate::OutOfScope);
    }
    judge_relevance(facts, setting.corpus, setting.limits)?;
    let block = block_of(facts, setting.intents).ok_or(Gate::NoBlock)?;
    if is_damped(facts, block, setting.limits) { Err(Gate::Damped) } else { Ok(block) }
}

/// At least `min_matches` distinct terms of the prompt stand in the item, `min_rare` of them rare, and together they weigh
/// at least `min_weight` times what a word weighs that occurs nowhere else. In an index of fewer than `small_corpus` chunks
/// frequencies mean nothing, and the matches alone decide. An item that falls here may still pass by its topic or its
/// meaning.
fn judge_relevance(facts: &CandidateReceipt, corpus: u64, limits: &Limits) -> Result<(), Gate> {
    let otherwise = passes_by_topic(facts) || passes_by_meaning(facts, limits);
    judge_words(facts, corpus, limits).or_else(|gate| if otherwise { Ok(()) } else { Err(gate) })
}

/// A rule on a tool is broken by who never names the tool.
fn passes_by_topic(facts: &CandidateReceipt) -> bool {
    facts.kind == ItemKind::Correction && facts.topic.is_some()
}

fn judge_words(facts: &CandidateReceipt, corpus: u64, limits: &Limits) -> Result<(), Gate> {
    let rare = facts.tokens.iter().filter(|term| term.idf >= limits.rare_idf).count();
    if facts.tokens.len() < limits.min_matches as usize {
        return Err(Gate::TooFewMatches);
    }
    if corpus < limits.small_corpus {
        return Ok(());
    }
    if rare < limits.min_rare as usize {
        return Err(Gate::NotRare);
    }
    if weight(&facts.tokens) < needed_weight(corpus, limits) { Err(Gate::TooWeak) } else { Ok(()) }
}

/// What matching terms weigh together: one that is only told of an item counts half of one that it is called by. Texts tell
/// of many things: of 320 prompts about other projects against 90 records the whole sum let 8 % through, this one 1 %.
pub fn weight(tokens: &[TermReceipt]) -> f64 {
    tokens.iter().map(|term| if term.names { term.idf } else { term.idf / 2.0 }).sum()
}

/// What the matches have to weigh in an index of that size. A fixed sum would be out of reach in a small index, and met by
/// two ordinary words in a large one.
pub fn needed_weight(corpus: u64, limits: &Limits) -> f64 {
    limits.min_weight * idf(0, corpus)
}

/// Of what shares no rare word with the prompt only that may be shown which prevents work, or a rule; what somebody decided
/// is about many things.
pub const fn may_pass_by_meaning(kind: ItemKind) -> bool {
    matches!(kind, ItemKind::Subsystem | ItemKind::DeadEnd | ItemKind::Correction | ItemKind::Cheatsheet)
}

fn passes_by_meaning(facts: &CandidateReceipt, limits: &Limits) -> bool {
    may_pass_by_meaning(facts.kind) && facts.cosine.is_some_and(|cosine| cosine >= limits.min_cosine)
}

/// Which block shows such an item to somebody with these intents. What is stale is told as that, and nowhere else.
fn block_of(facts: &CandidateReceipt, intents: &[Intent]) -> Option<BlockKind> {
    let acts = intents.iter().any(|intent| matches!(intent, Intent::Build | Intent::Decide));
    match facts.kind {
        ItemKind::Correction | ItemKind::Cheatsheet => Some(BlockKind::Correction),
        ItemKind::Thread => acts.then_some(BlockKind::Lineage),
        ItemKind::Subsystem | ItemKind::Decision | ItemKind::DeadEnd => {
            if facts.is_stale() {
                Some(BlockKind::StaleClaim)
            } else {
                acts.then_some(BlockKind::DoNotRebuild)
            }
        }
    }
}

/// What deciding a receipt again gives for one item.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Difference {
    /// Position in the receipt's candidates.
    pub at: usize,
    /// What was decided then.
    pub then: (Option<BlockKind>, Gate),
    /// What the rules of this version decide.
    pub now: (Option<BlockKind>, Gate),
}

/// Decides a stored turn again, from its own facts and thresholds; empty if nothing differs.
pub fn replay(receipt: &super::Receipt) -> Vec<Difference> {
    let intents: Vec<Intent> = receipt.intents.iter().map(|(intent, _)| *intent).collect();
    let mut facts = receipt.candidates.clone();
    let setting = Setting { intents: &intents, corpus: receipt.corpus, limits: &receipt.limits };
    let stored = &receipt.candidates;
    decide(&mut facts, setting, |at, _, _| stored.get(at).map_or(0, |one| one.units));
    let outcome = |one: &CandidateReceipt| (one.block, one.verdict);
    stored
        .iter()
        .zip(&facts)
        .enumerate()
        .filter(|(_, (then, now))| outcome(then) != outcome(now))
        .map(|(at, (then, now))| Difference { at, then: outcome(then), now: outcome(now) })
        .collect()
}

#[cfg(test)]
pub(super) mod tests {
    use super::*;
    use crate::record::{AnchorState, ItemId};

    /// Something that two rare words match.
    pub(in crate::inject) fn facts(kind: ItemKind) -> CandidateReceipt {
        let term = |t: &str| TermReceipt { t: t.into(), df: 2, idf: 5.0, names: true };
        CandidateReceipt {
            item: ItemId::new("x:1"),
            kind,
            tokens: vec![term("zeppelin"), term("quorum")],
            sum: 10.0,
            cosine: None,
            topic: None,
            confirmed: true,
            in_scope: true,
            anchors: Vec::new(),
            delivered: 0,
            delivered_stale: 0,
            block: None,
            units: 0,
            verdict: Gate::Passed,
        }
    }

    fn with_idf(kind: ItemKind, idf: &[f64]) -> CandidateReceipt {
        let tokens =
            idf.iter().map(|idf| TermReceipt { t: format!("t{idf}"), df: 1, idf: *idf, names: true }).collect();
        CandidateReceipt { tokens, sum: idf.iter().sum(), ..facts(kind) }
    }

    fn admitted(facts: &CandidateReceipt, intents: &[Intent], corpus: u64) -> Result<BlockKind, Gate> {
        admit(facts, Setting { intents, corpus, limits: &Limits::default() })
    }

    fn build(facts: &CandidateReceipt) -> Result<BlockKind, Gate> {
        admitted(facts, &[Intent::Build], 1_000)
    }

    #[test]
    fn words_that_weigh_more_than_one_that_is_nowhere_pass() {
        // In an index of 1 000 chunks that one weighs 6.9.
        for kind in [ItemKind::Subsystem, ItemKind::Correction, ItemKind::Thread] {
            assert!(build(&with_idf(kind, &[4.0, 3.5])).is_ok());
            assert_eq!(build(&with_idf(kind, &[4.0, 3.0])), Err(Gate::TooWeak));
            assert_eq!(build(&with_idf(kind, &[2.9, 2.8, 2.7])), Err(Gate::NotRare));
            assert_eq!(build(&with_idf(kind, &[9.0])), Err(Gate::TooFewMatches));
        }
    }

    #[test]
    fn a_word_that_is_only_told_of_an_item_counts_half() {
        let told = |first: bool, second: bool| {
            let mut facts = with_idf(ItemKind::Subsystem, &[5.5, 4.5]);
            facts.tokens[0].names = first;
            facts.tokens[1].names = second;
            build(&facts)
        };
        assert!(told(true, true).is_ok() && told(true, false).is_ok());
        assert_eq!((told(false, true), told(false, false)), (Err(Gate::TooWeak), Err(Gate::TooWeak)));
    }

    #[test]
    fn in_a_larger_index_more_is_needed() {
        let facts = with_idf(ItemKind::Subsystem, &[4.0, 4.0]);
        assert!(admitted(&facts, &[Intent::Build], 1_000).is_ok());
        assert_eq!(admitted(&facts, &[Intent::Build], 100_000), Err(Gate::TooWeak));
    }

    #[test]
    fn in_a_small_corpus_two_matches_decide() {
        let common = with_idf(ItemKind::Subsystem, &[0.5, 0.1]);
        assert_eq!(admitted(&common, &[Intent::Build], 49), Ok(BlockKind::DoNotRebuild));
        assert_eq!(admitted(&common, &[Intent::Build], 50), Err(Gate::NotRare));
    }

    #[test]
    fn in_other_words_only_what_prevents_work_passes() {
        let alike = |kind, cosine| CandidateReceipt { cosine: Some(cosine), ..with_idf(kind, &[]) };
        let limit = Limits::default().min_cosine;
        assert_eq!(build(&alike(ItemKind::DeadEnd, limit)), Ok(BlockKind::DoNotRebuild));
        assert_eq!(build(&alike(ItemKind::DeadEnd, limit - 0.01)), Err(Gate::TooFewMatches));
        assert_eq!(build(&alike(ItemKind::Decision, 1.0)), Err(Gate::TooFewMatches));
        assert_eq!(build(&alike(ItemKind::Thread, 1.0)), Err(Gate::TooFewMatches));
    }

    #[test]
    fn only_a_rule_passes_by_its_topic_and_only_where_it_holds() {
        let on_topic = |kind| CandidateReceipt { topic: Some("package managers".into()), ..with_idf(kind, &[]) };
        assert_eq!(build(&on_topic(ItemKind::Correction)), Ok(BlockKind::Correction));
        assert_eq!(build(&with_idf(ItemKind::Correction, &[])), Err(Gate::TooFewMatches));
        for kind in [ItemKind::Decision, ItemKind::DeadEnd, ItemKind::Subsystem, ItemKind::Thread] {
            assert_eq!(build(&on_topic(kind)), Err(Gate::TooFewMatches));
        }
        let elsewhere = CandidateReceipt { in_scope: false, ..on_topic(ItemKind::Correction) };
        assert_eq!(build(&elsewhere), Err(Gate::OutOfScope));
    }

    #[test]
    fn what_nobody_stands_behind_or_holds_elsewhere_is_refused() {
        assert_eq!(build(&CandidateReceipt { confirmed: false, ..facts(ItemKind::Subsystem) }), Err(Gate::Unconfirmed));
        assert_eq!(build(&CandidateReceipt { in_scope: false, ..facts(ItemKind::Correction) }), Err(Gate::OutOfScope));
    }

    #[test]
    fn every_intent_has_its_blocks() {
        let stale = CandidateReceipt { anchors: vec![AnchorState::Gone], ..facts(ItemKind::Decision) };
        for (facts, intents, block) in [
            (facts(ItemKind::Decision), &[Intent::Build][..], Ok(BlockKind::DoNotRebuild)),
            (facts(ItemKind::Decision), &[Intent::Decide], Ok(BlockKind::DoNotRebuild)),
            (facts(ItemKind::Decision), &[Intent::Investigate], Err(Gate::NoBlock)),
            (stale.clone(), &[Intent::Investigate], Ok(BlockKind::StaleClaim)),
            (stale, &[Intent::Build], Ok(BlockKind::StaleClaim)),
            (facts(ItemKind::Thread), &[Intent::Decide], Ok(BlockKind::Lineage)),
            (facts(ItemKind::Thread), &[Intent::Investigate], Err(Gate::NoBlock)),
            (facts(ItemKind::Correction), &[Intent::Investigate], Ok(BlockKind::Correction)),
        ] {
            assert_eq!(admitted(&facts, intents, 1_000), block, "{facts:?} {intents:?}");
        }
    }

    fn decided(facts: &mut [CandidateReceipt], limits: &Limits, units: u32) -> Vec<BlockPlan> {
        decide(facts, Setting { intents: &[Intent::Build], corpus: 1_000, limits }, |_, _, _| units)
    }

    #[test]
    fn a_damped_item_makes_room_for_the_next() {
        let mut all = vec![facts(ItemKind::Subsystem); 2];
        all[0].delivered = 3;
        let plans = decided(&mut all, &Limits::default(), 100);
        assert_eq!(plans, [BlockPlan { kind: BlockKind::DoNotRebuild, items: vec![1], left_out: 0 }]);
        assert_eq!(all[0].verdict, Gate::Damped);
    }

    #[test]
    fn what_has_no_room_is_counted() {
        let mut all = vec![facts(ItemKind::Subsystem); 7];
        let plans = decided(&mut all, &Limits::default(), 100);
        assert_eq!((plans[0].items.len(), plans[0].left_out), (5, 2));
        let plans = decided(&mut all, &Limits::default(), 900);
        assert_eq!((plans[0].items.len(), plans[0].left_out), (1, 6));
        assert_eq!(decided(&mut all, &Limits { budget_units: 50, ..Limits::default() }, 900), []);
        assert!(all.iter().all(|one| one.verdict == Gate::OverBudget));
    }

    #[test]
    fn blocks_share_one_budget() {
        let mut all = vec![facts(ItemKind::Thread), facts(ItemKind::Subsystem), facts(ItemKind::Correction)];
        let kinds: Vec<BlockKind> = decided(&mut all, &Limits::default(), 500).iter().map(|plan| plan.kind).collect();
        assert_eq!(kinds, [BlockKind::Correction, BlockKind::DoNotRebuild]);
        assert_eq!(all[0].verdict, Gate::OverBudget);
    }
}
