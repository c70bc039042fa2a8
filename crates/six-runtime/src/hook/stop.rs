//! `Stop`: nothing is looked up, and nothing is said.

use six_core::effect::Chore;
use six_core::event::Event;
use six_core::plan::stop::step;
use six_core::plan::{Plan, Step};
use six_core::record::HookName;

use super::answer::{Hook, Work};
use super::chore;

/// A turn has ended.
#[derive(Debug)]
pub struct Stop;

impl Hook for Stop {
    const NAME: HookName = HookName::Stop;
    /// The person reads the answer meanwhile.
    const DEADLINE_MS: u32 = 1_000;
    const JOURNAL_LEFT_BYTES: u64 = 4 << 20;
    type Chore = Chore;

    fn plan(_: &Work<'_>, event: &Event) -> Option<Plan<Chore>> {
        let Event::Stop { context, .. } = event else { return None };
        match step(context) {
            Step::Ask(never) => match never {},
            Step::Done(plan) => Some(plan),
        }
    }

    fn carry_out(work: &Work<'_>, chore: &Chore) {
        chore::carry_out::<Self>(work, chore);
    }
}
