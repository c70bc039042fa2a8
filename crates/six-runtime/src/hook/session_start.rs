//! `SessionStart`: what the store and the checks know, asked for once.

use six_core::effect::StartWorker;
use six_core::event::Event;
use six_core::health::HealthLimits;
use six_core::plan::session_start::{Gathered, Known, Query, Start, step};
use six_core::plan::{Plan, Step};
use six_core::record::{Evidence, HookName};
use six_core::session::StartEvidence;

use super::answer::{Hook, Work, seen};
use super::chore;
use crate::embed::Patience;
use crate::{clock, health, ingest};

/// Decisions that a start can show at most.
const DECISIONS: usize = six_core::session::MAX_RECORDS;

/// A session starts, or goes on with another context.
#[derive(Debug)]
pub struct SessionStart;

impl Hook for SessionStart {
    const NAME: HookName = HookName::SessionStart;
    /// The answer is shown beside the first prompt line.
    const DEADLINE_MS: u32 = 2_000;
    /// Without the store there is nothing in the answer but the health line with its red: the one thing that must be said
    /// although it can't be recorded.
    const SPEAKS_UNRECORDED: bool = true;
    type Chore = StartWorker;

    fn plan(work: &Work<'_>, event: &Event) -> Option<Plan<StartWorker>> {
        let Event::SessionStart { context, source } = event else { return None };
        let limits = HealthLimits::default();
        let start = Start {
            context,
            source,
            now: work.call.started.1,
            offset: clock::local_offset(),
            muted: work.muted,
            limits: &limits,
        };
        let mut known = Known::Nothing;
        loop {
            known = match step(&start, &known) {
                Step::Ask(query) => Known::Gathered(Box::new(gather(work, &query))),
                Step::Done(plan) => return Some(plan),
            };
        }
    }

    fn carry_out(work: &Work<'_>, StartWorker: &StartWorker) {
        chore::start_worker(work);
    }
}

fn gather(work: &Work<'_>, query: &Query) -> Gathered {
    let store = work.store.as_ref().map_err(|why| *why);
    let view: StartEvidence = match &store {
        Ok(store) => seen(store.gather_start(&query.session, DECISIONS)),
        Err(why) => Evidence::Missing(*why),
    };
    // Session files only: a list of documents costs a start of git.
    let unread = ingest::find_unread_sessions;
    let health = health::gather(work.project, work.call.env, store, work.call.started.1, unread, Patience::Hook);
    Gathered { view, health }
}
