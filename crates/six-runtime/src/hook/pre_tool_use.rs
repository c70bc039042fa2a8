//! `PreToolUse`: what warns of a call is looked up, and nothing is done after the answer.

use std::convert::Infallible;

use six_core::event::{Context, Event};
use six_core::inject::{Candidates, TouchedQuery, touch};
use six_core::plan::pre_tool_use::{Act, Query, step};
use six_core::plan::{Known, Plan, Step};
use six_core::record::{Evidence, HookName};

use super::answer::{Hook, Work, seen};
use crate::config::Configuration;
use crate::{anchor, clock};

/// A tool is about to run.
#[derive(Debug)]
pub struct PreToolUse;

impl Hook for PreToolUse {
    const NAME: HookName = HookName::PreToolUse;
    /// The agent waits before every call of a tool.
    const DEADLINE_MS: u32 = 100;
    const CATCHES_UP: bool = false;
    const JOURNAL_LEFT_BYTES: u64 = 4 << 20;
    type Chore = Infallible;

    fn plan(work: &Work<'_>, event: &Event) -> Option<Plan> {
        let Event::PreToolUse { context, call } = event else { return None };
        // What is wrong with a file of settings is told by the check `store`.
        let config = Configuration::read(work.call.env, Some(&work.project.store_dir)).config;
        let touch = touch(call, context, &work.project.root, &config.inject.limits);
        let offset = clock::local_offset();
        let mut known = Known::default();
        let mut stages = vec![("touch", work.elapsed_us())];
        loop {
            let act = Act {
                context,
                tool: &call.name,
                touch: touch.as_ref(),
                now: work.call.started.1,
                offset,
                emission: config.inject.emission,
                muted: work.muted,
                on_dead_end: config.guard.dead_ends,
                is_counted: work.ledger.is_in_store(),
                limits: &config.inject.limits,
                stages: &stages,
                took_us: work.elapsed_us(),
            };
            match step(&act, &known) {
                Step::Ask(Query::Touched(query)) => {
                    known.candidates = Some(gather(work, context, &query));
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

fn gather(work: &Work<'_>, context: &Context, query: &TouchedQuery) -> Evidence<Candidates> {
    match &work.store {
        Ok(store) => seen(store.gather_touched(query, &context.session_id)),
        Err(why) => Evidence::Missing(*why),
    }
}
