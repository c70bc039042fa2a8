//! `SessionStart`: what the store and the checks know, asked for once.

use six_core::event::{Context, StartSource};
use six_core::health::HealthLimits;
use six_core::plan::session_start::{Gathered, Known, Query, Start, step};
use six_core::plan::{Plan, Step};
use six_core::record::Evidence;
use six_core::session::StartEvidence;

use super::answer::{Work, seen};
use crate::{clock, health};

/// Decisions that a start can show at most.
const DECISIONS: usize = six_core::session::MAX_RECORDS;

pub(super) fn plan(work: &Work<'_>, context: &Context, source: &StartSource) -> Plan {
    let limits = HealthLimits::default();
    let start = Start { context, source, now: work.call.started.1, offset: clock::local_offset(), limits: &limits };
    let mut known = Known::Nothing;
    loop {
        known = match step(&start, &known) {
            Step::Ask(query) => Known::Gathered(Box::new(gather(work, &query))),
            Step::Done(plan) => return plan,
        };
    }
}

fn gather(work: &Work<'_>, query: &Query) -> Gathered {
    let store = work.store.as_ref().map_err(|why| *why);
    let view: StartEvidence = match &store {
        Ok(store) => seen(store.gather_start(&query.session, DECISIONS)),
        Err(why) => Evidence::Missing(*why),
    };
    let health = health::gather(work.project, work.call.env, store, work.call.started.1, health::Depth::Start);
    Gathered { view, health }
}
