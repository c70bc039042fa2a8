//! What happens at a session's end.

use std::convert::Infallible;

use super::take_in::take_in;
use super::{Plan, Step};
use crate::effect::{Chore, Effect};
use crate::event::Context;
use crate::record::{Boundary, Edge, UnixMs};
use crate::text::Redacted;

/// What the hook may consume itself. The host gives a session's end 1.5 s unless its settings say more, and the rows come
/// first.
const INLINE_INGEST_MS: u32 = 1_000;

/// The host's words for why a session ends.
const REASONS: [&str; 6] = ["clear", "resume", "logout", "prompt_input_exit", "other", "bypass_permissions_disabled"];

/// The end and what is known.
#[derive(Debug)]
pub struct End<'a> {
    /// Session, transcript.
    pub context: &'a Context,
    /// The host's word for why.
    pub reason: Option<&'a str>,
    /// When it came.
    pub now: UnixMs,
}

/// Decides at once: nothing has to be looked up.
pub fn step(end: &End<'_>) -> Step<Infallible, Chore> {
    let boundary = Boundary {
        session: end.context.session_id.clone(),
        edge: Edge::End,
        detail: reason_word(end.reason),
        at: end.now,
    };
    let (queued, mut chores) = take_in(end.context, INLINE_INGEST_MS);
    chores.push(Chore::StartWorker);
    Step::Done(Plan { chores, ..Plan::silent(vec![Effect::Boundary(boundary), queued]) })
}

/// A word that this version does not know is not stored: it has not passed redaction.
fn reason_word(reason: Option<&str>) -> Redacted {
    Redacted::literal(REASONS.into_iter().find(|known| Some(*known) == reason).unwrap_or("unknown"))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::effect::Work;
    use crate::record::SessionId;
    use std::path::PathBuf;

    fn extract() -> Chore {
        Chore::Extract { session: SessionId::new("s-1") }
    }

    fn planned(transcript_path: Option<PathBuf>, reason: Option<&str>) -> Plan<Chore> {
        let context = Context {
            session_id: SessionId::new("s-1"),
            transcript_path,
            cwd: None,
            prompt_id: None,
            agent: None,
            permission_mode: None,
        };
        let Step::Done(plan) = step(&End { context: &context, reason, now: UnixMs(7) });
        plan
    }

    #[test]
    fn the_row_and_the_work_are_written_and_nothing_is_printed() {
        let transcript = PathBuf::from("/home/sam/.claude/projects/-app/s-1.jsonl");
        let plan = planned(Some(transcript.clone()), Some("prompt_input_exit"));
        let boundary = Boundary {
            session: SessionId::new("s-1"),
            edge: Edge::End,
            detail: Redacted::literal("prompt_input_exit"),
            at: UnixMs(7),
        };
        let queued = Work::Ingest { transcript: Some(transcript.clone()) };
        assert_eq!(plan.effects, [Effect::Boundary(boundary), Effect::Queue(queued)]);
        assert_eq!(plan.output, None);
        assert_eq!(plan.chores, [Chore::Ingest { transcript, within_ms: 1_000 }, extract(), Chore::StartWorker]);
    }

    #[test]
    fn without_a_transcript_the_worker_looks_for_itself() {
        let plan = planned(None, None);
        assert_eq!(plan.effects.last(), Some(&Effect::Queue(Work::Ingest { transcript: None })));
        assert_eq!(plan.chores, [extract(), Chore::StartWorker]);
    }

    #[test]
    fn a_transcript_whose_path_holds_a_key_is_read_now_and_not_stored() {
        let transcript = PathBuf::from(format!("/home/sam/{}{}", "gh", "p_a1B2c3D4e5F6g7H8i9J0k1L2m3N4o5P6q7R8"));
        let plan = planned(Some(transcript.clone()), None);
        assert_eq!(plan.effects.last(), Some(&Effect::Queue(Work::Ingest { transcript: None })));
        assert_eq!(plan.chores, [Chore::Ingest { transcript, within_ms: 1_000 }, extract(), Chore::StartWorker]);
    }

    #[test]
    fn a_reason_that_is_not_the_hosts_is_not_stored() {
        for reason in [None, Some(""), Some("sk-not-a-word")] {
            let plan = planned(None, reason);
            let Some(Effect::Boundary(boundary)) = plan.effects.first() else { panic!() };
            assert_eq!(boundary.detail.as_str(), "unknown");
        }
    }
}
