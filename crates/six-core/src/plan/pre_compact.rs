//! What happens before a conversation is compacted: all of it is taken in, since the model won't have it any more. The host
//! adds what this hook prints to the instructions for the summary, so it prints nothing.

use std::convert::Infallible;

use super::take_in::take_in;
use super::{Plan, Step};
use crate::effect::Chore;
use crate::event::Context;

/// How long the transcript is read: to its end, of which the turns before have left little. The host waits for this hook,
/// and compacting takes it half a minute anyway.
const INGEST_MS: u32 = 2_000;

/// Decides at once: nothing has to be looked up. A sub-agent's context is none of the session's.
pub fn step(context: &Context) -> Step<Infallible, Chore> {
    if context.agent.is_some() {
        return Step::Done(Plan::silent(Vec::new()));
    }
    let (queued, chores) = take_in(context, INGEST_MS);
    Step::Done(Plan { chores, ..Plan::silent(vec![queued]) })
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::effect::{Effect, Work};
    use crate::record::SessionId;

    #[test]
    fn the_conversation_is_taken_in_and_nothing_is_printed() {
        let context = Context {
            session_id: SessionId::new("s-1"),
            transcript_path: None,
            cwd: None,
            prompt_id: None,
            agent: None,
            permission_mode: None,
        };
        let Step::Done(plan) = step(&context);
        assert_eq!(plan.effects, [Effect::Queue(Work::Ingest { transcript: None })]);
        assert_eq!(plan.output, None);
        assert_eq!(plan.chores, [Chore::Extract { session: SessionId::new("s-1") }]);
    }
}
