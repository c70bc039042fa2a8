//! What happens when a turn has ended: what it added is taken in, and nothing is said. What a Stop hook prints can keep the
//! turn going, so it prints nothing.

use std::convert::Infallible;

use super::take_in::take_in;
use super::{Plan, Step};
use crate::effect::Chore;
use crate::event::Context;

/// How long the transcript is read. A turn adds some dozen kilobytes, a tenth of that time; the rest is left to the worker.
const INGEST_MS: u32 = 200;

/// Decides at once: nothing has to be looked up.
///
/// The host hands over the last answer, which the transcript may lack for a moment. It is not taken from there: what was
/// said is known by the name of its transcript record, which the host does not hand over, and under a second name it would
/// be there twice. The next event of the session, or the worker, reads the record.
///
/// A sub-agent's end is none of the session's.
pub fn step(context: &Context) -> Step<Infallible, Chore> {
    if context.agent.is_some() {
        return Step::Done(Plan::silent(Vec::new()));
    }
    let (queued, chores) = take_in(context, INGEST_MS);
    Step::Done(Plan { chores, ..Plan::silent(vec![queued]) })
}

#[cfg(test)]
mod tests {
    use std::path::PathBuf;

    use super::*;
    use crate::effect::{Effect, Work};
    use crate::event::Agent;
    use crate::record::SessionId;

    fn planned(agent: Option<Agent>) -> Plan<Chore> {
        let context = Context {
            session_id: SessionId::new("s-1"),
            transcript_path: Some(PathBuf::from("/t/s-1.jsonl")),
            cwd: None,
            prompt_id: None,
            agent,
            permission_mode: None,
        };
        let Step::Done(plan) = step(&context);
        plan
    }

    #[test]
    fn the_turn_is_taken_in_and_nothing_is_printed() {
        let plan = planned(None);
        let transcript = PathBuf::from("/t/s-1.jsonl");
        assert_eq!(plan.effects, [Effect::Queue(Work::Ingest { transcript: Some(transcript.clone()) })]);
        assert_eq!(plan.output, None);
        let extract = Chore::Extract { session: SessionId::new("s-1") };
        assert_eq!(plan.chores, [Chore::Ingest { transcript, within_ms: 200 }, extract]);
    }

    #[test]
    fn the_end_of_a_sub_agent_is_not_the_sessions() {
        let agent = |kind: Option<&str>| Some(Agent { id: "a-1".into(), kind: kind.map(str::to_owned) });
        for agent in [agent(Some("explore")), agent(None)] {
            let plan = planned(agent);
            assert_eq!((plan.effects, plan.output, plan.chores), (Vec::new(), None, Vec::new()));
        }
    }
}
