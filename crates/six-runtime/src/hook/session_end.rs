//! `SessionEnd`: nothing is looked up.

use six_core::effect::Chore;
use six_core::event::Event;
use six_core::plan::session_end::{End, step};
use six_core::plan::{Plan, Step};
use six_core::record::HookName;

use super::answer::{Hook, Work};
use super::chore;

/// A session has ended.
#[derive(Debug)]
pub struct SessionEnd;

impl Hook for SessionEnd {
    const NAME: HookName = HookName::SessionEnd;
    /// The host kills it after 1.5 s.
    const DEADLINE_MS: u32 = 1_400;
    type Chore = Chore;

    fn plan(work: &Work<'_>, event: &Event) -> Option<Plan<Chore>> {
        let Event::SessionEnd { context, reason } = event else { return None };
        match step(&End { context, reason: reason.as_deref(), now: work.call.started.1 }) {
            Step::Ask(never) => match never {},
            Step::Done(plan) => Some(plan),
        }
    }

    fn carry_out(work: &Work<'_>, chore: &Chore) {
        chore::carry_out::<Self>(work, chore);
    }
}
