//! `UserPromptSubmit`: candidates are looked up only when the plan asks for them, and nothing is done after the answer.

use std::convert::Infallible;
use std::path::Path;

use six_core::event::Event;
use six_core::inject::{CandidateQuery, Candidates, ExtraWords, MeaningQuery};
use six_core::plan::user_prompt_submit::{Prompt, Query, step};
use six_core::plan::{Known, Plan, Step};
use six_core::record::{Evidence, HookName, SessionId};
use six_core::search::QueryVector;
use six_store::Store;

use super::answer::{Hook, Work, seen};
use super::meaning::Meaning;
use crate::config::Configuration;
use crate::read_file::read_file;
use crate::{anchor, clock, ids};

/// A person has sent a prompt.
#[derive(Debug)]
pub struct UserPromptSubmit;

impl Hook for UserPromptSubmit {
    const NAME: HookName = HookName::UserPromptSubmit;
    /// The person waits for the answer.
    const DEADLINE_MS: u32 = 150;
    const CATCHES_UP: bool = false;
    /// The person waits for the end of the process, too.
    const JOURNAL_LEFT_BYTES: u64 = 4 << 20;
    type Chore = Infallible;

    fn plan(work: &Work<'_>, event: &Event) -> Option<Plan> {
        let Event::UserPromptSubmit { context, prompt: text, source } = event else { return None };
        let read = Configuration::read(work.call.env, Some(&work.project.store_dir));
        let (settings, doubts) = (&read.config.inject, read.doubts());
        let words = own_words(&work.project.store_dir);
        let mut limits = settings.limits.clone();
        // Without random bytes the process has no heartbeat either and never comes here.
        let fresh_id = ids::random_record_id().unwrap_or_default();
        let offset = clock::local_offset();
        let mut known = Known::default();
        let mut stages = Vec::new();
        loop {
            let prompt = Prompt {
                context,
                text,
                source: source.as_deref(),
                words: words.as_ref(),
                now: work.call.started.1,
                offset,
                stages: &stages,
                took_us: work.elapsed_us(),
                fresh_id: &fresh_id,
                emission: settings.emission,
                muted: work.muted,
                subagents: settings.subagents,
                limits: &limits,
                doubts: &doubts,
            };
            match step(&prompt, &known) {
                Step::Ask(Query::Candidates(query)) => {
                    stages.push(("intent", work.elapsed_us()));
                    let meaning = query.meaning.as_ref().map(|_| Meaning::of(work, &read.config.embed));
                    limits = meaning.as_ref().map_or(limits.clone(), |meaning| meaning.limits(limits));
                    known.candidates = Some(gather(work, &context.session_id, &query, meaning.as_ref()));
                    stages.push(("candidates", work.elapsed_us()));
                }
                Step::Ask(Query::Anchors(query)) => {
                    known.anchors = Some(Evidence::Seen(anchor::verify(&work.project.root, &query)));
                    stages.push(("anchors", work.elapsed_us()));
                }
                Step::Done(plan) => return Some(plan),
            }
        }
    }

    fn carry_out(_: &Work<'_>, chore: &Infallible) {
        match *chore {}
    }
}

/// The lists of words that a project adds to those inside six, beside its store: nothing that is checked out says what a
/// prompt intends.
const OWN_WORDS: &str = "intent.txt";
const OWN_WORDS_MAX_BYTES: u64 = 64 * 1024;

fn own_words(store_dir: &Path) -> Option<ExtraWords> {
    let bytes = read_file(&store_dir.join(OWN_WORDS), OWN_WORDS_MAX_BYTES).ok()?;
    Some(ExtraWords::parse(&String::from_utf8_lossy(&bytes)))
}

fn gather(
    work: &Work<'_>,
    session: &SessionId,
    query: &CandidateQuery,
    meaning: Option<&Meaning>,
) -> Evidence<Candidates> {
    let embed = |asked: &MeaningQuery, known: &Candidates| meaning.ok_or("not-asked")?.embed(work, asked, known);
    match &work.store {
        Ok(store) => gather_candidates(store, session, query, embed),
        Err(why) => Evidence::Missing(*why),
    }
}

/// What a store has for a prompt; `embed` makes the vector of what is looked for by meaning. `six bench gate` asks with it,
/// so that it measures what the hook does.
pub fn gather_candidates(
    store: &Store,
    session: &SessionId,
    query: &CandidateQuery,
    embed: impl FnOnce(&MeaningQuery, &Candidates) -> Result<QueryVector, &'static str>,
) -> Evidence<Candidates> {
    seen(store.gather_candidates(query, session, embed))
}
