//! Which items are shown, in which block: arithmetic over facts, so that a stored receipt can be decided again.

use super::block::{frame_units, outer_units};
use super::budget::room;
use super::touched::judge_touched;
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
    /// Items that the prompt was compared with by meaning.
    pub compared: u64,
    /// Thresholds in force.
    pub limits: &'a Limits,
}

/// Decides every item: sets its block, its units and its verdict. `units` tells how long an item's text in a block is; it is
/// asked once for each item that passes, and never for one beyond a block's number of items.
///
/// Room is given to rules first, which are short and bind, then to items in the order of the list, whatever their block:
/// the best one never goes without because many lesser ones came first. Plans come in the order of [`BlockKind::ALL`].
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
    let mut plans = BlockKind::ALL.map(|kind| BlockPlan { kind, items: Vec::new(), left_out: 0 });
    for rules in [true, false] {
        for (at, one) in facts.iter_mut().enumerate() {
            let Some(kind) = one.block.filter(|kind| (*kind == BlockKind::Correction) == rules) else { continue };
            let Some(plan) = plans.iter_mut().find(|plan| plan.kind == kind) else { continue };
            let has_place = plan.items.len() < most_items(kind, setting.limits);
            one.units = if has_place { units(at, one, kind) } else { 0 };
            let needed = one.units as usize + if plan.items.is_empty() { frame_units(kind) } else { 0 };
            if has_place && needed <= left {
                left -= needed;
                plan.items.push(at);
            } else {
                one.verdict = Gate::OverBudget;
                plan.left_out += 1;
            }
        }
    }
    count_whole_blocks(plans.into())
}

/// Leaves out blocks without an item. What they would have shown is counted in the last one that is there.
fn count_whole_blocks(plans: Vec<BlockPlan>) -> Vec<BlockPlan> {
    let (mut shown, empty): (Vec<_>, Vec<_>) = plans.into_iter().partition(|plan| !plan.items.is_empty());
    if let Some(last) = shown.last_mut() {
        last.left_out += empty.iter().map(|plan| plan.left_out).sum::<u32>();
    }
    shown
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
    let block = if let Some(touched) = &facts.touched {
        judge_touched(facts, touched, setting.corpus, setting.limits)?;
        BlockKind::BeforeYouAct
    } else {
        judge_relevance(facts, setting)?;
        block_of(facts, setting.intents).ok_or(Gate::NoBlock)?
    };
    if is_damped(facts, block, setting.limits) { Err(Gate::Damped) } else { Ok(block) }
}

/// At least `min_matches` distinct terms of the prompt stand in the item, `min_rare` of them rare, and together they weigh
/// at least `min_weight` times what a word weighs that occurs nowhere else. In an index of fewer than `small_corpus` chunks
/// frequencies mean nothing, and the matches alone decide, one of which has to be part of what the item is called. An item that falls here may still pass by its topic or its
/// meaning, and one that passes may still mean something else.
fn judge_relevance(facts: &CandidateReceipt, setting: Setting<'_>) -> Result<(), Gate> {
    if passes_by_topic(facts) || passes_by_meaning(facts, setting) {
        return Ok(());
    }
    judge_words(facts, setting.corpus, setting.limits)?;
    if means_something_else(facts, setting) { Err(Gate::OtherMeaning) } else { Ok(()) }
}

/// A rule on a tool is broken by who never names the tool.
fn passes_by_topic(facts: &CandidateReceipt) -> bool {
    facts.kind == ItemKind::Correction && facts.topic.is_some()
}

pub(super) fn judge_words(facts: &CandidateReceipt, corpus: u64, limits: &Limits) -> Result<(), Gate> {
    let rare = facts.tokens.iter().filter(|term| term.idf >= limits.rare_idf).count();
    if facts.tokens.len() < limits.min_matches as usize {
        return Err(Gate::TooFewMatches);
    }
    if corpus < limits.small_corpus {
        let is_about_it = facts.tokens.iter().any(|term| term.names);
        return if is_about_it { Ok(()) } else { Err(Gate::TooWeak) };
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
/// is about many things, and needs one rare word of its title beside.
pub const fn may_pass_by_meaning(kind: ItemKind) -> bool {
    matches!(kind, ItemKind::Subsystem | ItemKind::DeadEnd | ItemKind::Correction | ItemKind::Cheatsheet)
}

fn passes_by_meaning(facts: &CandidateReceipt, setting: Setting<'_>) -> bool {
    let least = setting.limits.cosine_among(setting.limits.min_cosine, setting.compared);
    let is_named = || facts.tokens.iter().any(|term| term.names && is_rare(term, setting.corpus, setting.limits));
    facts.cosine.is_some_and(|cosine| cosine >= least) && (may_pass_by_meaning(facts.kind) || is_named())
}

/// In a small index no word is rare, and every one has to do.
fn is_rare(term: &TermReceipt, corpus: u64, limits: &Limits) -> bool {
    corpus < limits.small_corpus || term.idf >= limits.rare_idf
}

/// Long prompts share two rare words with something in every large store; that something is seldom near to them. What has
/// no vector yet is judged by its words alone.
fn means_something_else(facts: &CandidateReceipt, setting: Setting<'_>) -> bool {
    let least = setting.limits.cosine_among(setting.limits.word_cosine, setting.compared);
    facts.cosine.is_some_and(|cosine| cosine < least)
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
    let setting =
        Setting { intents: &intents, corpus: receipt.corpus, compared: receipt.compared, limits: &receipt.limits };
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
            touched: None,
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
        admit(facts, Setting { intents, corpus, compared: 1, limits: &Limits::default() })
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
        let limits = Limits::default();
        let among = |compared| {
            let setting = Setting { intents: &[Intent::Build], corpus: 1_000, compared, limits: &limits };
            admit(&alike(ItemKind::DeadEnd, limit + 0.05), setting)
        };
        assert_eq!((among(2), among(10)), (Ok(BlockKind::DoNotRebuild), Err(Gate::TooFewMatches)));
    }

    #[test]
    fn what_means_something_else_has_its_words_by_chance() {
        let with = |cosine| CandidateReceipt { cosine, ..facts(ItemKind::Decision) };
        let limit = Limits::default().word_cosine;
        assert_eq!(build(&with(Some(limit - 0.01))), Err(Gate::OtherMeaning));
        assert_eq!(build(&with(Some(limit))), Ok(BlockKind::DoNotRebuild));
        assert_eq!(build(&with(None)), Ok(BlockKind::DoNotRebuild));
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
        decide(facts, Setting { intents: &[Intent::Build], corpus: 1_000, compared: 1, limits }, |_, _, _| units)
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
    fn rules_come_first_and_then_the_best_whatever_their_block() {
        let mut all = vec![facts(ItemKind::Thread), facts(ItemKind::Subsystem), facts(ItemKind::Correction)];
        let plans = decided(&mut all, &Limits::default(), 500);
        let kinds: Vec<BlockKind> = plans.iter().map(|plan| plan.kind).collect();
        assert_eq!(kinds, [BlockKind::Correction, BlockKind::Lineage]);
        assert_eq!(all[1].verdict, Gate::OverBudget);
        assert_eq!(plans[1].left_out, 1, "what no block shows is counted all the same");
    }
}
