//! `PreCompact`: nothing is looked up, and nothing is said.

use six_core::effect::Chore;
use six_core::event::Event;
use six_core::plan::pre_compact::step;
use six_core::plan::{Plan, Step};
use six_core::record::HookName;

use super::answer::{Hook, Work};
use super::chore;

/// The conversation is about to be compacted.
#[derive(Debug)]
pub struct PreCompact;

impl Hook for PreCompact {
    const NAME: HookName = HookName::PreCompact;
    /// The host ends it after five seconds.
    const DEADLINE_MS: u32 = 3_000;
    type Chore = Chore;

    fn plan(_: &Work<'_>, event: &Event) -> Option<Plan<Chore>> {
        let Event::PreCompact { context, .. } = event else { return None };
        match step(context) {
            Step::Ask(never) => match never {},
            Step::Done(plan) => Some(plan),
        }
    }

    fn carry_out(work: &Work<'_>, chore: &Chore) {
        chore::carry_out::<Self>(work, chore);
    }
}
