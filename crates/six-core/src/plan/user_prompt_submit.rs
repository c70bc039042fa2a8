//! What happens on a prompt.
//!
//! Two steps: who wrote it and what it intends; then, with what the store has on its words, what to say. A silent turn
//! stops after the first. Every turn leaves a receipt.

use chrono::FixedOffset;

use super::{Plan, Step};
use crate::effect::Effect;
use crate::event::{Context, HookOutput};
use crate::inject::{
    Block, Candidate, CandidateQuery, CandidateReceipt, Candidates, Emission, Gate, Intent, Intents, Limits, Receipt,
    Turn, is_damped, judge_candidate, judge_intents, judge_turn, prompt_terms, render_do_not_rebuild,
};
use crate::record::{EntryKind, Evidence, Origin, Record, RecordId, RecordKind, RecordState, UnixMs};
use crate::text::{Redacted, Redactor, cut_bytes, sha256_hex};

/// The prompt and what is known before anything is looked up.
#[derive(Debug)]
pub struct Prompt<'a> {
    /// Session, prompt id, sub-agent.
    pub context: &'a Context,
    /// The text as typed or handed over.
    pub text: &'a str,
    /// When it came.
    pub now: UnixMs,
    /// The reader's time zone: dates in a block are his.
    pub offset: FixedOffset,
    /// A random id for the record that a `#remember` proposes.
    pub fresh_id: &'a str,
    /// Emission in force.
    pub emission: Emission,
    /// Thresholds in force.
    pub limits: &'a Limits,
    /// Microseconds since the process started.
    pub took_us: u64,
}

/// What has been looked up so far.
#[derive(Debug)]
pub enum Known {
    /// Nothing.
    Nothing,
    /// The candidates, or why they could not be had.
    Candidates(Evidence<Candidates>),
}

/// What a step may ask for.
pub type Query = CandidateQuery;

/// Bytes of a prompt that are redacted for the receipt.
const REDACTED_BYTES: usize = 16 * 1024;
/// Characters of the redacted prompt that the receipt shows.
const HEAD_CHARS: usize = 200;
/// Bytes of what `#remember` keeps; a longer one is a document.
const REMEMBER_BYTES: usize = 4 * 1024;

/// What the do-not-rebuild block can show.
const KINDS: [EntryKind; 4] = [EntryKind::Subsystem, EntryKind::Decision, EntryKind::DeadEnd, EntryKind::Correction];

/// Decides what to do with a prompt, or what must be known first. Never fails; the same input gives the same step.
pub fn step(prompt: &Prompt<'_>, known: &Known) -> Step<Query> {
    let (text, skip, remember) = match judge_turn(prompt.text, prompt.context) {
        Turn::Machine { why } => {
            let silenced = if why == "subagent" { why.to_owned() } else { format!("machine:{why}") };
            return silent(prompt, Receipt { human: false, silenced: Some(silenced), ..receipt(prompt) }, None);
        }
        Turn::Human { text, skip, remember } => (text, skip, remember),
    };
    let quiet = |why: &'static str, intents: Intents| {
        let receipt = Receipt { silenced: Some(why.to_owned()), intents: intents.into_found(), ..receipt(prompt) };
        silent(prompt, receipt, remember.as_deref())
    };
    if prompt.emission == Emission::Off {
        return quiet("off", Intents::default());
    }
    if skip {
        return quiet("#skip", Intents::default());
    }
    // What is looked up stands in the receipt: a secret in a prompt must not reach either.
    let text = Redactor::new().redact(&text);
    let intents = judge_intents(text.as_str());
    if intents.is_empty() {
        return quiet("no-intent", intents);
    }
    if !intents.has(Intent::Build) && !intents.has(Intent::Decide) {
        return quiet("no-block-for-intent", intents);
    }
    let terms = prompt_terms(&without_marks(text.as_str()), prompt.limits);
    if terms.is_empty() {
        return quiet("no-terms", intents);
    }
    match known {
        Known::Nothing => Step::Ask(query(terms, prompt.limits)),
        Known::Candidates(evidence) => {
            let receipt = Receipt { intents: intents.into_found(), terms, ..receipt(prompt) };
            Step::Done(answer(prompt, evidence, receipt, remember.as_deref()))
        }
    }
}

fn query(terms: Vec<String>, limits: &Limits) -> CandidateQuery {
    CandidateQuery {
        terms,
        kinds: KINDS.to_vec(),
        limit: limits.max_candidates,
        // A gate that asks for no rare term lets every term count.
        rare_idf: if limits.min_rare == 0 { 0.0 } else { limits.rare_idf },
        small_corpus: limits.small_corpus,
    }
}

fn silent(prompt: &Prompt<'_>, receipt: Receipt, remember: Option<&str>) -> Step<Query> {
    Step::Done(Plan::silent(effects(prompt, receipt, remember)))
}

/// Judges what the store has and renders what passes.
fn answer(prompt: &Prompt<'_>, evidence: &Evidence<Candidates>, mut receipt: Receipt, remember: Option<&str>) -> Plan {
    let known = match evidence {
        Evidence::Seen(known) => known,
        Evidence::Missing(why) => {
            receipt.degraded.push(format!("candidates:{}", why.as_str()));
            return Plan::silent(effects(prompt, receipt, remember));
        }
    };
    receipt.corpus = known.corpus;
    receipt.degraded = doubts(known, &receipt.terms, prompt.limits);
    let (block, judged) = choose(prompt, known, &receipt.terms);
    receipt.candidates = judged;
    let shown = block.as_ref().map(|block| block.receipt.items.clone());
    receipt.blocks = block.iter().map(|block| block.receipt.clone()).collect();
    let session = receipt.session.clone();
    let mut plan = Plan::silent(effects(prompt, receipt, remember));
    // Shadow damps as if it had spoken: all else has to be equal for a comparison.
    plan.effects.extend(shown.map(|items| Effect::Deliver { session, items, at: prompt.now }));
    if prompt.emission == Emission::On {
        // A block keeps far below the host's limit; a longer one would reach the model as a file name.
        plan.output = block.and_then(|block| HookOutput::user_prompt_submit().with_context(block.text).ok());
    }
    plan
}

/// What a reader of the receipt has to know about its frequencies.
fn doubts(known: &Candidates, terms: &[String], limits: &Limits) -> Vec<String> {
    let mut doubts = Vec::new();
    if known.corpus < limits.small_corpus {
        doubts.push(format!("small-corpus:{}", known.corpus));
    }
    let unknown = terms.iter().filter(|term| !known.df.contains_key(*term)).count();
    if unknown > 0 {
        doubts.push(format!("df-unknown:{unknown}"));
    }
    doubts
}

/// Relevance, damping, budget: the block, if any, and every item's verdict. Stronger evidence is shown first; among
/// equals the store's order holds.
fn choose(prompt: &Prompt<'_>, known: &Candidates, terms: &[String]) -> (Option<Block>, Vec<CandidateReceipt>) {
    let limits = prompt.limits;
    let allowed = known.items.iter().filter(|candidate| KINDS.contains(&candidate.kind));
    let mut judged: Vec<(&Candidate, CandidateReceipt)> = allowed
        .take(limits.max_candidates)
        .map(|candidate| {
            let mut receipt = judge_candidate(candidate, known, terms, limits);
            if receipt.verdict == Gate::Passed && is_damped(candidate, limits) {
                receipt.verdict = Gate::Damped;
            }
            (candidate, receipt)
        })
        .collect();
    judged.sort_by(|(_, a), (_, b)| b.sum.total_cmp(&a.sum));
    let passed: Vec<&Candidate> =
        judged.iter().filter(|(_, receipt)| receipt.verdict == Gate::Passed).map(|(candidate, _)| *candidate).collect();
    let block = render_do_not_rebuild(&passed, prompt.offset, limits);
    let shown = block.as_ref().map_or(0, |block| block.receipt.items.len());
    for (_, receipt) in judged.iter_mut().filter(|(_, receipt)| receipt.verdict == Gate::Passed).skip(shown) {
        receipt.verdict = Gate::OverBudget;
    }
    (block, judged.into_iter().map(|(_, receipt)| receipt).collect())
}

fn effects(prompt: &Prompt<'_>, receipt: Receipt, remember: Option<&str>) -> Vec<Effect> {
    let mut effects = vec![Effect::Receipt(Box::new(receipt))];
    effects.extend(remember.map(|text| Effect::Propose(Box::new(proposal(prompt, text)))));
    effects
}

/// What every receipt of this prompt says.
fn receipt(prompt: &Prompt<'_>) -> Receipt {
    let redacted = Redactor::new().redact(cut_bytes(prompt.text, REDACTED_BYTES));
    Receipt {
        session: prompt.context.session_id.clone(),
        prompt_id: prompt.context.prompt_id.clone(),
        at: prompt.now,
        prompt_hash: sha256_hex(redacted.as_str()),
        head: first_chars(&redacted, HEAD_CHARS),
        mode: prompt.emission,
        human: true,
        silenced: None,
        intents: Vec::new(),
        terms: Vec::new(),
        corpus: 0,
        candidates: Vec::new(),
        blocks: Vec::new(),
        degraded: Vec::new(),
        limits: prompt.limits.clone(),
        took_us: prompt.took_us,
    }
}

/// What the operator asked to keep, as a standing correction that waits for triage: it is his own rule, in his words.
fn proposal(prompt: &Prompt<'_>, text: &str) -> Record {
    let text = Redactor::new().redact(text).cut(REMEMBER_BYTES);
    let empty = || Redacted::literal("");
    let title = first_chars(&text, Record::TITLE_MAX_CHARS);
    Record {
        id: RecordId::new(prompt.fresh_id),
        kind: RecordKind::Correction,
        state: RecordState::Pending,
        origin: Origin::Operator,
        body: if title == text { empty() } else { text.clone() },
        title,
        quote: text,
        rejected: Vec::new(),
        revive_if: empty(),
        scope: empty(),
        thread: None,
        superseded_by: None,
        session: Some(prompt.context.session_id.clone()),
        turn: None,
        anchors: Vec::new(),
        created: prompt.now,
        validated: prompt.now,
    }
}

/// Redacted text without what the redactor put in: its words are nobody's matter.
fn without_marks(text: &str) -> String {
    let mut pieces = text.split("[redacted:");
    let first = pieces.next().unwrap_or_default().to_owned();
    pieces.fold(first, |kept, piece| kept + " " + piece.split_once(']').map_or("", |(_, rest)| rest))
}

fn first_chars(text: &Redacted, max: usize) -> Redacted {
    let end = text.as_str().char_indices().nth(max).map_or(text.as_str().len(), |(at, _)| at);
    text.cut(end)
}

#[cfg(test)]
mod tests {
    use std::collections::BTreeMap;

    use proptest::prelude::*;

    use super::*;
    use crate::event::Agent;
    use crate::record::{ItemId, SessionId, Why};
    use crate::text::utf16_len;

    fn context() -> Context {
        Context {
            session_id: SessionId::new("s-1"),
            transcript_path: None,
            cwd: None,
            prompt_id: None,
            agent: None,
            permission_mode: None,
        }
    }

    struct Given {
        context: Context,
        emission: Emission,
        limits: Limits,
    }

    impl Given {
        fn new() -> Self {
            Self { context: context(), emission: Emission::On, limits: Limits::default() }
        }

        fn step(&self, text: &str, known: &Known) -> Step<Query> {
            let prompt = Prompt {
                context: &self.context,
                text,
                now: UnixMs(1_773_480_413_000),
                offset: FixedOffset::east_opt(0).unwrap(),
                fresh_id: "r-1",
                emission: self.emission,
                limits: &self.limits,
                took_us: 900,
            };
            step(&prompt, known)
        }

        fn done(&self, text: &str, known: &Known) -> (Plan, Receipt) {
            let Step::Done(plan) = self.step(text, known) else { panic!("asks for more") };
            let Some(Effect::Receipt(receipt)) = plan.effects.first() else { panic!("no receipt") };
            let receipt = (**receipt).clone();
            (plan, receipt)
        }
    }

    const BUILD: &str = "add a zeppelin quorum to the scheduler";

    fn limiter(delivered: u32) -> Candidate {
        Candidate {
            item: ItemId::new("subsystem:z1"),
            kind: EntryKind::Subsystem,
            origin: Origin::Operator,
            title: "Zeppelin quorum".into(),
            body: "Votes on landings.".into(),
            paths: vec!["src/quorum.rs".into()],
            state: "live".into(),
            revive_if: String::new(),
            thread: None,
            validated: UnixMs(1_773_480_413_000),
            delivered,
        }
    }

    fn seen(items: Vec<Candidate>) -> Known {
        let Step::Ask(query) = Given::new().step(BUILD, &Known::Nothing) else { panic!("a build prompt asks") };
        let df: BTreeMap<String, u64> = query.terms.into_iter().map(|term| (term, 2)).collect();
        Known::Candidates(Evidence::Seen(Candidates { corpus: 1_000, df, items }))
    }

    fn context_of(plan: &Plan) -> String {
        plan.output.as_ref().and_then(|output| output.context()).unwrap_or_default().to_owned()
    }

    #[test]
    fn a_build_prompt_asks_and_what_exists_is_said_and_counted() {
        let given = Given::new();
        let Step::Ask(query) = given.step(BUILD, &Known::Nothing) else { panic!("asks") };
        assert_eq!((query.kinds.len(), query.limit), (4, 20));
        assert_eq!((query.rare_idf, query.small_corpus), (given.limits.rare_idf, given.limits.small_corpus));
        let (plan, receipt) = given.done(BUILD, &seen(vec![limiter(0)]));
        assert!(context_of(&plan).contains("Zeppelin quorum"));
        let delivered = Effect::Deliver {
            session: SessionId::new("s-1"),
            items: vec![ItemId::new("subsystem:z1")],
            at: UnixMs(1_773_480_413_000),
        };
        assert_eq!(plan.effects.last(), Some(&delivered));
        assert_eq!(receipt.candidates[0].verdict, Gate::Passed);
        assert_eq!((receipt.intents[0].0, receipt.took_us), (Intent::Build, 900));
        assert_eq!(receipt.prompt_hash, "f73c8bffa453de2ebff8ffe2b640740923c83160323ddb42129517f719a45176");
    }

    #[test]
    fn a_gate_that_asks_for_no_rare_word_looks_items_up_by_every_word() {
        let given = Given { limits: Limits { min_rare: 0, ..Limits::default() }, ..Given::new() };
        let Step::Ask(query) = given.step(BUILD, &Known::Nothing) else { panic!("asks") };
        assert!(query.rare_idf <= 0.0);
    }

    #[test]
    fn silent_turns_stop_at_once_and_say_why() {
        let given = Given::new();
        for (text, why, human) in [
            ("<task-notification>\nadd a zeppelin quorum\n</task-notification>", "machine:task-notification", false),
            ("add a zeppelin quorum #skip", "#skip", true),
            ("yes", "no-intent", true),
            ("", "no-intent", true),
            ("why is the zeppelin quorum slow?", "no-block-for-intent", true),
        ] {
            let (plan, receipt) = given.done(text, &Known::Nothing);
            assert_eq!((receipt.silenced.as_deref(), receipt.human), (Some(why), human), "{text}");
            assert_eq!((plan.output, plan.effects.len()), (None, 1), "{text}");
        }
    }

    #[test]
    fn a_sub_agent_is_left_alone() {
        let agent = Some(Agent { id: "a-1".into(), kind: Some("explore".into()) });
        let given = Given { context: Context { agent, ..context() }, ..Given::new() };
        let (plan, receipt) = given.done(BUILD, &Known::Nothing);
        assert_eq!((receipt.silenced.as_deref(), plan.effects.len()), (Some("subagent"), 1));
    }

    #[test]
    fn shadow_is_equal_in_all_but_the_output() {
        let on = Given::new().done(BUILD, &seen(vec![limiter(0)]));
        let shadow = Given { emission: Emission::Shadow, ..Given::new() }.done(BUILD, &seen(vec![limiter(0)]));
        assert_eq!(shadow.0.output, None);
        assert_eq!(shadow.0.effects.len(), on.0.effects.len());
        assert_eq!(Receipt { mode: Emission::On, ..shadow.1 }, on.1);
    }

    #[test]
    fn off_looks_nothing_up_and_leaves_a_receipt() {
        let (plan, receipt) = Given { emission: Emission::Off, ..Given::new() }.done(BUILD, &Known::Nothing);
        assert_eq!((plan.output, receipt.silenced.as_deref()), (None, Some("off")));
    }

    #[test]
    fn what_is_to_be_remembered_waits_for_triage_as_the_operators() {
        let (plan, _) = Given::new().done("#remember we use pnpm, never npm", &Known::Nothing);
        let Some(Effect::Propose(record)) = plan.effects.last() else { panic!("no proposal") };
        assert_eq!((record.state, record.origin, record.id.as_str()), (RecordState::Pending, Origin::Operator, "r-1"));
        assert_eq!(record.title.as_str(), "we use pnpm, never npm");
        let (plan, _) = Given::new().done("<bash-stdout>\n#remember run it</bash-stdout>", &Known::Nothing);
        assert_eq!(plan.effects.len(), 1);
    }

    #[test]
    fn a_damped_item_makes_room_and_is_accounted_for() {
        let other = Candidate { item: ItemId::new("subsystem:z2"), ..limiter(0) };
        let (plan, receipt) = Given::new().done(BUILD, &seen(vec![limiter(3), other]));
        assert_eq!(receipt.blocks[0].items, [ItemId::new("subsystem:z2")]);
        assert_eq!(receipt.candidates.iter().filter(|c| c.verdict == Gate::Damped).count(), 1);
        assert!(!context_of(&plan).contains("z1"));
    }

    #[test]
    fn more_than_fits_is_counted_and_stays_in_the_receipt() {
        let items = (0..9).map(|n| Candidate { item: ItemId::new(format!("subsystem:{n}")), ..limiter(0) }).collect();
        let (_, receipt) = Given::new().done(BUILD, &seen(items));
        assert_eq!((receipt.candidates.len(), receipt.blocks[0].left_out), (9, 4));
        assert_eq!(receipt.candidates.iter().filter(|c| c.verdict == Gate::OverBudget).count(), 4);
    }

    #[test]
    fn without_evidence_there_is_silence_and_a_reason() {
        let (plan, receipt) = Given::new().done(BUILD, &Known::Candidates(Evidence::Missing(Why::Busy)));
        assert_eq!(plan.output, None);
        assert_eq!(receipt.degraded, ["candidates:busy"]);
    }

    #[test]
    fn a_secret_in_a_prompt_is_neither_looked_up_nor_in_the_receipt() {
        let password = "Zx81kkLmNq77";
        let url = format!("postgres://admin:{password}@db.example.invalid/app");
        let token = format!("{}{}", "gh", "p_a1B2c3D4e5F6g7H8i9J0k1L2m3N4o5P6q7R8");
        let cut = "a".repeat(16 * 1024 - 40 - "add a limiter with , and ".len());
        for secret in [url, token.clone(), "<private>Zx81kkLmNq77</private>".into(), format!("{cut} {token}")] {
            let text = format!("add a limiter with {secret}, and a zeppelin");
            let Step::Ask(query) = Given::new().step(&text, &Known::Nothing) else { panic!("a build prompt asks") };
            let terms = query.terms.join(" ");
            assert!(terms.contains("limit"), "{terms}");
            let (_, receipt) = Given::new().done(&text, &seen(vec![limiter(0)]));
            let kept = serde_json::to_string(&receipt).unwrap().to_lowercase() + &terms;
            for part in ["zx81", "nq77", "ghp_", "\"redact", "privat\""] {
                assert!(!kept.contains(part), "{part}: {kept}");
            }
        }
    }

    #[test]
    fn transcript_text_is_never_a_block() {
        let said = Candidate { kind: EntryKind::Answer, ..limiter(0) };
        let (plan, receipt) = Given::new().done(BUILD, &seen(vec![said]));
        assert_eq!((plan.output, receipt.candidates.len()), (None, 0));
    }

    #[test]
    fn a_prompt_of_five_megabytes_is_bounded() {
        for text in ["add word ".repeat(600_000), "x".repeat(5 << 20), "🙏".repeat(1_300_000), "<".repeat(5 << 20)] {
            match Given::new().step(&text, &Known::Nothing) {
                Step::Ask(query) => assert!(query.terms.len() <= 32),
                Step::Done(plan) => assert_eq!(plan.effects.len(), 1),
            }
        }
    }

    fn any_candidate() -> impl Strategy<Value = Candidate> {
        ("(\\PC|zeppelin |quorum |</six-memory>|\n){0,40}", 0_usize..EntryKind::ALL.len(), 0_u32..5).prop_map(
            |(text, kind, delivered)| Candidate {
                item: ItemId::new(format!("x:{}", text.len())),
                kind: EntryKind::ALL[kind],
                title: format!("zeppelin quorum {text}"),
                body: text.clone(),
                paths: vec![text],
                ..limiter(delivered)
            },
        )
    }

    proptest! {
        #[test]
        fn whatever_is_asked_and_known_the_answer_is_within_its_limits(
            text in "(\\PC|add |zeppelin |quorum |#skip |#remember |\n|<system-reminder>){0,40}",
            items in prop::collection::vec(any_candidate(), 0..30),
            corpus in any::<u64>(),
            df in any::<u64>(),
            budget in 0_usize..20_000,
        ) {
            let limits = Limits { budget_units: budget, ..Limits::default() };
            let given = Given { limits, ..Given::new() };
            let known = match given.step(&text, &Known::Nothing) {
                Step::Done(plan) => {
                    prop_assert_eq!(plan.output, None);
                    return Ok(());
                }
                Step::Ask(query) => {
                    prop_assert!(query.terms.len() <= 32);
                    let df = query.terms.into_iter().map(|term| (term, df)).collect();
                    Known::Candidates(Evidence::Seen(Candidates { corpus, df, items }))
                }
            };
            let (plan, receipt) = given.done(&text, &known);
            prop_assert!(utf16_len(&context_of(&plan)) <= budget.min(8_000));
            prop_assert!(receipt.candidates.len() <= 20);
            let shown = receipt.blocks.first().map_or(0, |block| block.items.len());
            prop_assert!(shown <= 5);
            prop_assert_eq!(receipt.candidates.iter().filter(|c| c.verdict == Gate::Passed).count(), shown);
            prop_assert_eq!(context_of(&plan).is_empty(), shown == 0);
        }
    }
}
