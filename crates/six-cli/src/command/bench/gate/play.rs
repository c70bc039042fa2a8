//! One prompt on the hook's own road: the steps of its plan, with what they ask for.

use chrono::FixedOffset;
use six_core::effect::Effect;
use six_core::event::Context;
use six_core::inject::{AnchorQuery, AnchorStates, CandidateQuery, Candidates, Emission, Limits, Receipt};
use six_core::plan::user_prompt_submit::{Prompt, Query, step};
use six_core::plan::{Known, Step};
use six_core::record::{AnchorState, Evidence, SessionId, UnixMs};

use crate::failure::Failure;

/// When and where prompts are typed.
#[derive(Debug, Clone, Copy)]
pub(super) struct Clock {
    /// The time.
    pub(super) now: UnixMs,
    /// The time zone.
    pub(super) offset: FixedOffset,
}

/// Plays a prompt as the only one of its session, and answers its receipt. `gather` is what the plan's question for
/// candidates gets. What is cited is taken to hold: whether files have changed is not what is measured.
pub(super) fn play(
    text: &str,
    session: &SessionId,
    clock: Clock,
    limits: &Limits,
    mut gather: impl FnMut(&CandidateQuery) -> Evidence<Candidates>,
) -> Result<Receipt, Failure> {
    let context = Context {
        session_id: session.clone(),
        transcript_path: None,
        cwd: None,
        prompt_id: None,
        agent: None,
        permission_mode: None,
    };
    let prompt = Prompt {
        context: &context,
        text,
        source: None,
        words: None,
        now: clock.now,
        offset: clock.offset,
        fresh_id: "bench",
        emission: Emission::On,
        muted: false,
        subagents: false,
        doubts: &[],
        limits,
        stages: &[],
        took_us: 0,
    };
    let mut known = Known::default();
    loop {
        match step(&prompt, &known) {
            Step::Ask(Query::Candidates(query)) => known.candidates = Some(gather(&query)),
            Step::Ask(Query::Anchors(query)) => known.anchors = Some(Evidence::Seen(as_cited(query))),
            Step::Done(plan) => {
                let receipt = plan.effects.into_iter().find_map(|effect| match effect {
                    Effect::Receipt(receipt) => Some(*receipt),
                    _ => None,
                });
                return receipt
                    .ok_or_else(|| Failure::misuse("a prompt left no receipt", "./install.sh (a whole build)"));
            }
        }
    }
}

fn as_cited(query: AnchorQuery) -> AnchorStates {
    query.items.into_iter().map(|(item, anchors)| (item, vec![AnchorState::Holds; anchors.len()])).collect()
}
