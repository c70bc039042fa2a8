//! What happens on a prompt.
//!
//! Three steps: who wrote it and what it intends; then, with what the store has on its words, what matters; then, with
//! what became of the places that are cited, what to say. A silent turn stops as soon as it is known to be one. Every turn
//! leaves a receipt.

use chrono::FixedOffset;

use super::choice::{ANCHORS_WITHIN_US, choose, doubts, first_chars, see_anchors, serve};
use super::remember::remembered;
use super::{Known, Plan, Step};
use crate::effect::Effect;
use crate::event::{Context, HookOutput};
use crate::inject::{
    AnchorQuery, AnchorStates, BlockReceipt, CandidateQuery, Candidates, Considered, Emission, ExtraWords, Intent,
    Intents, Limits, MeaningQuery, Receipt, SentPrompt, Setting, Shown, Today, Turn, admit, consider, is_english,
    judge_intents_with, judge_turn, judge_words, machine_source, prompt_terms, scope_holds, topics_of, without_marks,
};
use crate::record::{EntryKind, Evidence, ItemId, SubsystemState, UnixMs};
use crate::text::{Redacted, Redactor, cut_bytes, sha256_hex};

/// The prompt and what is known before anything is looked up.
#[derive(Debug)]
pub struct Prompt<'a> {
    /// Session, prompt id, sub-agent.
    pub context: &'a Context,
    /// The text as typed or handed over.
    pub text: &'a str,
    /// Who sent it, if the host says so.
    pub source: Option<&'a str>,
    /// When it came.
    pub now: UnixMs,
    /// The reader's time zone: dates in a block are his.
    pub offset: FixedOffset,
    /// A random id for the record that a `#remember` proposes.
    pub fresh_id: &'a str,
    /// Emission in force.
    pub emission: Emission,
    /// Somebody has silenced six here: the project or this session.
    pub muted: bool,
    /// Prompts inside sub-agents are looked at as well.
    pub subagents: bool,
    /// Words of intent that the project adds.
    pub words: Option<&'a ExtraWords>,
    /// Thresholds in force.
    pub limits: &'a Limits,
    /// What a reader of the receipt has to know about the settings (`config:project`); empty when all could be read.
    pub doubts: &'a [String],
    /// Microseconds from process start to the end of each stage so far.
    pub stages: &'a [(&'static str, u64)],
    /// Microseconds since the process started.
    pub took_us: u64,
}

/// What a step may ask for.
#[derive(Debug, Clone, PartialEq)]
pub enum Query {
    /// What the store has on the words of the prompt.
    Candidates(CandidateQuery),
    /// What became of the places that are about to be shown.
    Anchors(AnchorQuery),
}

/// Bytes of a prompt that are redacted for the receipt.
const REDACTED_BYTES: usize = 16 * 1024;
/// Characters of the redacted prompt that the receipt shows.
const HEAD_CHARS: usize = 200;

/// Threads that are asked for each that can be shown: some are damped, some fall at the gate.
const THREADS_PER_SHOWN: usize = 4;

/// What the blocks can show, beside threads.
pub const KINDS: [EntryKind; 4] =
    [EntryKind::Subsystem, EntryKind::Decision, EntryKind::DeadEnd, EntryKind::Correction];

/// Those of them that may come in by meaning alone.
const BY_MEANING: [EntryKind; 3] = [EntryKind::Subsystem, EntryKind::DeadEnd, EntryKind::Correction];

/// Decides what to do with a prompt, or what must be known first. Never fails; the same input gives the same step.
pub fn step(prompt: &Prompt<'_>, known: &Known) -> Step<Query> {
    let by_agent = prompt.context.agent.is_some();
    let turn = if let Some(why) = prompt.source.and_then(machine_source) {
        Turn::Machine { why }
    } else if prompt.subagents {
        judge_words(prompt.text)
    } else {
        judge_turn(prompt.text, prompt.context)
    };
    let (text, skip, remember) = match turn {
        Turn::Machine { why } => {
            let silenced = if why == "subagent" { why.to_owned() } else { format!("machine:{why}") };
            return silent(prompt, Receipt { human: false, silenced: Some(silenced), ..receipt(prompt) }, None);
        }
        // What an agent wants to be remembered is not the operator's word.
        Turn::Human { text, skip, remember } => (text, skip, remember.filter(|_| !by_agent)),
    };
    let quiet = |why: &'static str, intents: Intents| {
        let receipt = Receipt { silenced: Some(why.to_owned()), intents: intents.into_found(), ..receipt(prompt) };
        silent(prompt, receipt, remember.as_deref())
    };
    if prompt.muted {
        return quiet("muted", Intents::default());
    }
    if prompt.emission == Emission::Off {
        return quiet("off", Intents::default());
    }
    if skip {
        return quiet("#skip", Intents::default());
    }
    // What is looked up stands in the receipt: a secret in a prompt must not reach either.
    let text = Redactor::new().redact(&text);
    let intents = judge_intents_with(text.as_str(), prompt.words);
    if intents.is_empty() {
        return quiet("no-intent", intents);
    }
    let terms = prompt_terms(&without_marks(text.as_str()), prompt.limits);
    if terms.is_empty() {
        return quiet("no-terms", intents);
    }
    let Some(candidates) = &known.candidates else {
        return Step::Ask(Query::Candidates(query(prompt, text, terms, &intents)));
    };
    let receipt = Receipt { intents: intents.into_found(), terms, ..receipt(prompt) };
    match candidates {
        Evidence::Seen(candidates) => {
            answer(prompt, &text, candidates, known.anchors.as_ref(), receipt, remember.as_deref())
        }
        Evidence::Missing(why) => {
            let mut receipt = receipt;
            receipt.degraded.push(format!("candidates:{}", why.as_str()));
            silent(prompt, receipt, remember.as_deref())
        }
    }
}

fn query(prompt: &Prompt<'_>, text: Redacted, terms: Vec<String>, intents: &Intents) -> CandidateQuery {
    let limits = prompt.limits;
    let acts = intents.has(Intent::Build) || intents.has(Intent::Decide);
    CandidateQuery {
        terms,
        kinds: KINDS.to_vec(),
        limit: limits.max_candidates,
        topics: topics_of(text.as_str()),
        threads: if acts { limits.max_threads.saturating_mul(THREADS_PER_SHOWN) } else { 0 },
        // A gate that asks for no rare term lets every term count.
        rare_idf: if limits.min_rare == 0 { 0.0 } else { limits.rare_idf },
        small_corpus: limits.small_corpus,
        sent: SentPrompt {
            hash: hash_of(&redacted_head(prompt)),
            id: prompt.context.prompt_id.clone(),
            at: prompt.now,
        },
        meaning: acts.then(|| MeaningQuery {
            english: is_english(text.as_str()),
            text,
            kinds: BY_MEANING.to_vec(),
            limit: limits.max_items,
        }),
    }
}

fn silent(prompt: &Prompt<'_>, receipt: Receipt, remember: Option<&str>) -> Step<Query> {
    Step::Done(Plan::silent(effects(prompt, receipt, remember)))
}

/// Judges what the store has, asks for what became of the places that would be shown, and renders what passes.
fn answer(
    prompt: &Prompt<'_>,
    text: &Redacted,
    known: &Candidates,
    anchors: Option<&Evidence<AnchorStates>>,
    mut receipt: Receipt,
    remember: Option<&str>,
) -> Step<Query> {
    let intents: Vec<Intent> = receipt.intents.iter().map(|(intent, _)| *intent).collect();
    let setting = Setting { intents: &intents, corpus: known.corpus, compared: known.compared, limits: prompt.limits };
    let topics = topics_of(text.as_str());
    let mut all = consider(known, &receipt.terms, &topics, |scope| scope_holds(scope, text.as_str()));
    all.truncate(prompt.limits.max_candidates);
    receipt.corpus = known.corpus;
    receipt.compared = known.compared;
    receipt.degraded.extend(doubts(known, &receipt.terms, prompt.limits));
    if anchors.is_none()
        && let Some(query) = cited(&all, setting)
    {
        return Step::Ask(Query::Anchors(query));
    }
    receipt.degraded.extend(see_anchors(&mut all, anchors));
    if all.is_empty() {
        receipt.silenced = Some(String::from("nothing-known"));
    }
    let (block, facts) = choose(all, setting, Today { now: prompt.now, offset: prompt.offset });
    receipt.candidates = facts;
    receipt.blocks = block.as_ref().map(|block| block.receipts.clone()).unwrap_or_default();
    let shown: Vec<ItemId> = receipt.blocks.iter().flat_map(BlockReceipt::delivered).collect();
    let session = receipt.session.clone();
    let mut plan = Plan::silent(effects(prompt, receipt, remember));
    if !known.taken_back.is_empty() {
        let items = known.taken_back.clone();
        plan.effects.push(Effect::TakeBack { session: session.clone(), items });
    }
    if prompt.emission == Emission::On {
        // A block keeps far below the host's limit; a longer one would reach the model as a file name.
        plan.output = block.and_then(|block| HookOutput::user_prompt_submit().with_context(block.text).ok());
    }
    if plan.output.is_some() {
        plan.effects.extend(serve(&shown, &known.taken_back, prompt.now));
    }
    if !shown.is_empty() {
        // Shadow damps as if it had spoken: all else has to be equal for a comparison.
        plan.effects.push(Effect::Deliver { session, items: shown, at: prompt.now });
    }
    Step::Done(plan)
}

/// The anchors of what would be shown, or would be if it were known to be stale.
fn cited(all: &[Considered<'_>], setting: Setting<'_>) -> Option<AnchorQuery> {
    let items: Vec<_> = all
        .iter()
        .filter_map(|one| match one.shown {
            // What is only planned is nowhere yet.
            Shown::Item(candidate) if candidate.state == SubsystemState::Planned.as_str() => None,
            Shown::Item(candidate) if !candidate.anchors.is_empty() => Some((one, candidate)),
            _ => None,
        })
        .filter(|(one, _)| admit(&one.facts, Setting { intents: &Intent::ALL, ..setting }).is_ok())
        .take(setting.limits.max_items * 2)
        .map(|(_, candidate)| (candidate.item.clone(), candidate.anchors.clone()))
        .collect();
    if items.is_empty() { None } else { Some(AnchorQuery { items, within_us: ANCHORS_WITHIN_US }) }
}

fn effects(prompt: &Prompt<'_>, receipt: Receipt, remember: Option<&str>) -> Vec<Effect> {
    let mut effects = vec![Effect::Receipt(Box::new(receipt))];
    effects.extend(remember.map(|text| Effect::Propose(Box::new(remembered(prompt, text)))));
    effects
}

fn redacted_head(prompt: &Prompt<'_>) -> Redacted {
    Redactor::new().redact(cut_bytes(prompt.text, REDACTED_BYTES))
}

fn hash_of(redacted: &Redacted) -> String {
    sha256_hex(redacted.as_str())
}

/// What every receipt of this prompt says.
fn receipt(prompt: &Prompt<'_>) -> Receipt {
    let redacted = redacted_head(prompt);
    Receipt {
        session: prompt.context.session_id.clone(),
        prompt_id: prompt.context.prompt_id.clone(),
        at: prompt.now,
        tool: None,
        prompt_hash: hash_of(&redacted),
        head: first_chars(&redacted, HEAD_CHARS),
        mode: prompt.emission,
        human: prompt.context.agent.is_none(),
        silenced: None,
        intents: Vec::new(),
        terms: Vec::new(),
        corpus: 0,
        compared: 0,
        candidates: Vec::new(),
        blocks: Vec::new(),
        degraded: prompt.doubts.to_vec(),
        limits: prompt.limits.clone(),
        stages_us: prompt.stages.iter().map(|(name, us)| ((*name).to_owned(), *us)).collect(),
        took_us: prompt.took_us,
    }
}

#[cfg(test)]
mod tests {
    use std::collections::BTreeMap;

    use proptest::prelude::*;

    use super::*;
    use crate::event::Agent;
    use crate::inject::{Candidate, Gate, replay};
    use crate::record::{Anchor, Origin, RecordId, RecordKind, RecordState, SessionId, Why};
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
        muted: bool,
        subagents: bool,
        limits: Limits,
        doubts: Vec<String>,
    }

    impl Given {
        fn new() -> Self {
            Self {
                context: context(),
                emission: Emission::On,
                muted: false,
                subagents: false,
                limits: Limits::default(),
                doubts: Vec::new(),
            }
        }

        fn step(&self, text: &str, known: &Known) -> Step<Query> {
            let prompt = Prompt {
                context: &self.context,
                text,
                source: None,
                words: None,
                now: UnixMs(1_773_480_413_000),
                offset: FixedOffset::east_opt(0).unwrap(),
                fresh_id: "r-1",
                emission: self.emission,
                muted: self.muted,
                subagents: self.subagents,
                stages: &[],
                limits: &self.limits,
                doubts: &self.doubts,
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
            written_by: String::new(),
            named_in: None,
            title: "Zeppelin quorum".into(),
            body: "Votes on landings.".into(),
            anchors: Vec::new(),
            state: "live".into(),
            rejected: Vec::new(),
            revive_if: String::new(),
            scope: String::new(),
            thread: None,
            validated: UnixMs(1_773_480_413_000),
            cosine: None,
            delivered,
            delivered_stale: 0,
        }
    }

    fn seen(items: Vec<Candidate>) -> Known {
        let Step::Ask(Query::Candidates(query)) = Given::new().step(BUILD, &Known::default()) else {
            panic!("a build prompt asks")
        };
        let df: BTreeMap<String, u64> = query.terms.into_iter().map(|term| (term, 2)).collect();
        of(Candidates { corpus: 1_000, df, items, ..Candidates::default() })
    }

    fn of(candidates: Candidates) -> Known {
        Known { candidates: Some(Evidence::Seen(candidates)), anchors: None }
    }

    fn context_of(plan: &Plan) -> String {
        plan.output.as_ref().and_then(|output| output.context()).unwrap_or_default().to_owned()
    }

    #[test]
    fn a_build_prompt_asks_and_what_exists_is_said_and_counted() {
        let given = Given::new();
        let Step::Ask(Query::Candidates(query)) = given.step(BUILD, &Known::default()) else { panic!("asks") };
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
    fn what_a_shown_item_cites_is_looked_at_unless_it_is_only_planned() {
        let citing = |state: &str| Candidate {
            state: state.into(),
            anchors: vec![Anchor::of_path(Redacted::literal("src/quorum.rs"))],
            ..limiter(0)
        };
        let Step::Ask(Query::Anchors(query)) = Given::new().step(BUILD, &seen(vec![citing("live")])) else {
            panic!("asks for anchors")
        };
        assert_eq!(query.items, [(ItemId::new("subsystem:z1"), citing("live").anchors)]);
        let (plan, _) = Given::new().done(BUILD, &seen(vec![citing("planned")]));
        assert!(context_of(&plan).contains("do-not-rebuild"));
        let unlike = Candidate { title: "Pier".into(), body: "Wood.".into(), ..citing("live") };
        let (plan, _) = Given::new().done(BUILD, &seen(vec![unlike]));
        assert_eq!(plan.output, None, "nothing that is silent looks at files");
    }

    #[test]
    fn a_gate_that_asks_for_no_rare_word_looks_items_up_by_every_word() {
        let given = Given { limits: Limits { min_rare: 0, ..Limits::default() }, ..Given::new() };
        let Step::Ask(Query::Candidates(query)) = given.step(BUILD, &Known::default()) else { panic!("asks") };
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
        ] {
            let (plan, receipt) = given.done(text, &Known::default());
            assert_eq!((receipt.silenced.as_deref(), receipt.human), (Some(why), human), "{text}");
            assert_eq!((plan.output, plan.effects.len()), (None, 1), "{text}");
        }
    }

    #[test]
    fn a_sub_agent_is_left_alone() {
        let agent = Some(Agent { id: "a-1".into(), kind: Some("explore".into()) });
        let given = Given { context: Context { agent, ..context() }, ..Given::new() };
        let (plan, receipt) = given.done(BUILD, &Known::default());
        assert_eq!((receipt.silenced.as_deref(), plan.effects.len()), (Some("subagent"), 1));
    }

    #[test]
    fn a_sub_agent_that_is_configured_in_is_answered_and_neither_a_person_nor_the_operator() {
        let agent = Some(Agent { id: "a-1".into(), kind: Some("explore".into()) });
        let given = Given { context: Context { agent, ..context() }, subagents: true, ..Given::new() };
        let (plan, receipt) = given.done(BUILD, &seen(vec![limiter(0)]));
        assert!(context_of(&plan).contains("Zeppelin quorum"));
        assert_eq!((receipt.silenced, receipt.human), (None, false));
        let (plan, _) = given.done("#remember we use pnpm, never npm", &Known::default());
        assert_eq!(plan.effects.len(), 1, "no record of the operator's is proposed");
    }

    #[test]
    fn a_muted_turn_is_silent_and_still_keeps_what_is_to_be_remembered() {
        let given = Given { muted: true, ..Given::new() };
        let (plan, receipt) = given.done("#remember we use pnpm\nadd a zeppelin quorum", &Known::default());
        assert_eq!((plan.output, receipt.silenced.as_deref()), (None, Some("muted")));
        assert!(matches!(plan.effects.last(), Some(Effect::Propose(_))));
    }

    #[test]
    fn a_receipt_says_that_the_settings_could_not_be_read() {
        let given = Given { doubts: vec!["config:project".into()], ..Given::new() };
        let small = of(Candidates { corpus: 3, ..Candidates::default() });
        for (text, known, degraded) in [
            ("yes", Known::default(), vec!["config:project"]),
            (
                BUILD,
                Known { candidates: Some(Evidence::Missing(Why::Busy)), anchors: None },
                vec!["config:project", "candidates:busy"],
            ),
            (BUILD, small, vec!["config:project", "small-corpus:3", "df-unknown:3"]),
        ] {
            assert_eq!(given.done(text, &known).1.degraded, degraded, "{text}");
        }
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
        let (plan, receipt) = Given { emission: Emission::Off, ..Given::new() }.done(BUILD, &Known::default());
        assert_eq!((plan.output, receipt.silenced.as_deref()), (None, Some("off")));
    }

    #[test]
    fn what_is_to_be_remembered_waits_for_triage_as_the_operators() {
        let (plan, _) = Given::new().done("#remember we use pnpm, never npm", &Known::default());
        let Some(Effect::Propose(record)) = plan.effects.last() else { panic!("no proposal") };
        assert_eq!((record.state, record.origin, record.id.as_str()), (RecordState::Pending, Origin::Operator, "r-1"));
        assert_eq!((record.title.as_str(), record.kind), ("we use pnpm, never npm", RecordKind::Correction));
        let (plan, _) = Given::new().done("#remember the pilot restaurants are Alba and Brio", &Known::default());
        let Some(Effect::Propose(record)) = plan.effects.last() else { panic!("no proposal") };
        assert_eq!(record.kind, RecordKind::Decision, "a fact is no rule");
        let (plan, _) = Given::new().done("<bash-stdout>\n#remember run it</bash-stdout>", &Known::default());
        assert_eq!(plan.effects.len(), 1);
    }

    #[test]
    fn a_rule_on_a_tool_is_said_where_the_tool_is_called_for_and_can_be_decided_again() {
        let rule = |title: &str| Candidate {
            item: ItemId::new("correction:c1"),
            kind: EntryKind::Correction,
            title: title.into(),
            body: String::new(),
            state: String::new(),
            ..limiter(0)
        };
        let text = "install the date picker package and use it in the form";
        let told = |title: &str| {
            let items = vec![rule(title)];
            Given::new().done(text, &of(Candidates { corpus: 1_000, items, ..Candidates::default() }))
        };
        let (plan, receipt) = told("Use pnpm, not npm");
        assert!(context_of(&plan).contains("1. \"Use pnpm, not npm\""));
        assert_eq!(receipt.candidates[0].topic.as_deref(), Some("package managers"));
        assert_eq!(replay(&receipt), []);
        assert_eq!(context_of(&told("Prefer short names").0), "");
    }

    #[test]
    fn a_correction_counts_as_served_when_it_was_said_and_not_twice_for_a_prompt_that_was_taken_back() {
        let rule = Candidate {
            item: ItemId::new("correction:c1"),
            kind: EntryKind::Correction,
            title: "Use pnpm, not npm".into(),
            body: String::new(),
            state: String::new(),
            ..limiter(0)
        };
        let served = |given: Given, taken_back: Vec<ItemId>| {
            let known = Candidates { corpus: 1_000, items: vec![rule.clone()], taken_back, ..Candidates::default() };
            let (plan, _) = given.done("install the date picker package and use it in the form", &of(known));
            let told = plan.effects.into_iter().find_map(|effect| match effect {
                Effect::Served { records, .. } => Some(records),
                _ => None,
            });
            told.unwrap_or_default()
        };
        assert_eq!(served(Given::new(), Vec::new()), [RecordId::new("c1")]);
        assert_eq!(served(Given::new(), vec![ItemId::new("correction:c1")]), []);
        assert_eq!(served(Given { emission: Emission::Shadow, ..Given::new() }, Vec::new()), []);
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
        let (plan, receipt) =
            Given::new().done(BUILD, &Known { candidates: Some(Evidence::Missing(Why::Busy)), anchors: None });
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
            let Step::Ask(Query::Candidates(query)) = Given::new().step(&text, &Known::default()) else {
                panic!("a build prompt asks")
            };
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
            match Given::new().step(&text, &Known::default()) {
                Step::Ask(Query::Candidates(query)) => assert!(query.terms.len() <= 32),
                Step::Ask(Query::Anchors(query)) => panic!("{query:?}"),
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
                body: text,
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
            let known = match given.step(&text, &Known::default()) {
                Step::Done(plan) => {
                    prop_assert_eq!(plan.output, None);
                    return Ok(());
                }
                Step::Ask(Query::Anchors(query)) => panic!("{query:?}"),
                Step::Ask(Query::Candidates(query)) => {
                    prop_assert!(query.terms.len() <= 32);
                    let df = query.terms.into_iter().map(|term| (term, df)).collect();
                    of(Candidates { corpus, df, items, ..Candidates::default() })
                }
            };
            let (plan, receipt) = given.done(&text, &known);
            prop_assert!(utf16_len(&context_of(&plan)) <= budget.min(8_000));
            prop_assert!(receipt.candidates.len() <= 20);
            let shown: usize = receipt.blocks.iter().map(|block| block.items.len()).sum();
            prop_assert!(receipt.blocks.iter().all(|block| block.items.len() <= 5));
            prop_assert_eq!(receipt.candidates.iter().filter(|c| c.verdict == Gate::Passed).count(), shown);
            prop_assert_eq!(context_of(&plan).is_empty(), shown == 0);
        }
    }
}
