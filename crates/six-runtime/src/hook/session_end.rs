//! `SessionEnd`: nothing is looked up.

use six_core::event::Context;
use six_core::plan::session_end::{End, step};
use six_core::plan::{Plan, Step};

use super::answer::Work;

pub(super) fn plan(work: &Work<'_>, context: &Context, reason: Option<&str>) -> Plan {
    match step(&End { context, reason, now: work.call.started.1 }) {
        Step::Ask(never) => match never {},
        Step::Done(plan) => plan,
    }
}
