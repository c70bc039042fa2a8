//! `UserPromptSubmit`: candidates are looked up only when the plan asks for them, and nothing is done after the answer.

use std::convert::Infallible;

use six_core::event::Event;
use six_core::inject::{CandidateQuery, Candidates};
use six_core::plan::user_prompt_submit::{Known, Prompt, Query, step};
use six_core::plan::{Plan, Step};
use six_core::record::{Evidence, HookName, SessionId};
use six_store::Store;

use super::answer::{Hook, Work, seen};
use crate::config::Configuration;
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
        let Event::UserPromptSubmit { context, prompt: text } = event else { return None };
        let read = Configuration::read(work.call.env, Some(&work.project.store_dir));
        let (settings, doubts) = (&read.config.inject, read.doubts());
        // Without random bytes the process has no heartbeat either and never comes here.
        let fresh_id = ids::random_record_id().unwrap_or_default();
        let mut known = Known::default();
        let mut stages = Vec::new();
        loop {
            let prompt = Prompt {
                context,
                text,
                now: work.call.started.1,
                offset: clock::local_offset(),
                stages: &stages,
                took_us: work.elapsed_us(),
                fresh_id: &fresh_id,
                emission: settings.emission,
                muted: work.muted,
                subagents: settings.subagents,
                limits: &settings.limits,
                doubts: &doubts,
            };
            match step(&prompt, &known) {
                Step::Ask(Query::Candidates(query)) => {
                    stages.push(("intent", work.elapsed_us()));
                    known.candidates = Some(gather(work, &context.session_id, &query));
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

fn gather(work: &Work<'_>, session: &SessionId, query: &CandidateQuery) -> Evidence<Candidates> {
    match &work.store {
        Ok(store) => gather_candidates(store, session, query),
        Err(why) => Evidence::Missing(*why),
    }
}

/// What a store has for a prompt. `six bench gate` asks with it, so that it measures what the hook does.
pub fn gather_candidates(store: &Store, session: &SessionId, query: &CandidateQuery) -> Evidence<Candidates> {
    seen(store.gather_candidates(query, session))
}
