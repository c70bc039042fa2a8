//! Protects: the block of a session's start. One that never changes, that is cut, or that never reaches the model looks to
//! everybody like a memory at work.
//!
//! Evidence: the newest blocks that began a session, each with the hash of what is stable in it (rotation and health are
//! left out) and the signature of the records that it is made of, which the store computes by a way of its own; their
//! lengths; and the session's transcript, in which newer clients write down what hooks said.
//! Threshold: the same block in 3 sessions in a row although the signature has moved; 8 000 UTF-16 units, or a section over its
//! own share; a session in which the model answered without the block. What the client does not write down is no evidence.
//! To do: wire the programs again; retire what no longer holds.

use crate::health::evidence::{Arrival, BlockShown};
use crate::health::fix::install;
use crate::health::missing::judge_missing;
use crate::health::{Fault, HealthEvidence, HealthLimits, RenderEvidence, Verdict};
use crate::record::Evidence;

const SHORTEN: &str = "retire what no longer holds: `six correction list`, `six decision list`, `six dead-end list`";

/// Judges the blocks.
pub(in crate::health) fn judge(evidence: &HealthEvidence, limits: &HealthLimits) -> Verdict {
    let render = match &evidence.render {
        Evidence::Seen(render) => render,
        Evidence::Missing(why) => return judge_missing(evidence, *why),
    };
    if let Some(Arrival { session, arrived: false, .. }) = &render.arrival {
        let detail = format!("built, but not delivered to session {}: the model answered without it", session.as_str());
        return Verdict::red(Fault::RenderUndelivered, detail, again(&evidence.project));
    }
    if is_frozen(&render.whole) {
        let detail = format!("the same block in {} sessions although the records in it changed", render.whole.len());
        return Verdict::red(Fault::RenderFrozen, detail, again(&evidence.project));
    }
    match &render.newest {
        Some(newest) if newest.units > limits.max_block_units => {
            let detail = format!("{} characters in the last block, {} at most", newest.units, limits.max_block_units);
            Verdict::red(Fault::RenderLarge, detail, SHORTEN)
        }
        Some(newest) if !newest.over.is_empty() => Verdict::red(
            Fault::RenderLarge,
            format!("a section of the last block is too long: {}", newest.over),
            SHORTEN,
        ),
        _ => Verdict::green(),
    }
}

fn is_frozen(whole: &[BlockShown]) -> bool {
    let (Some(newest), Some(oldest)) = (whole.first(), whole.get(RenderEvidence::COMPARED - 1)) else { return false };
    newest.corpus != oldest.corpus && whole.iter().all(|block| block.hash == newest.hash)
}

fn again(project: &str) -> String {
    format!("wire the hooks again with `{}`, start a session, then `six health`", install(project))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::health::CheckName;
    use crate::health::evidence::BlockSize;
    use crate::health::sample::{NOW, days_ago, fresh, sound, without_store};
    use crate::record::{SessionId, Why};

    fn judged(render: RenderEvidence) -> Verdict {
        judge(&HealthEvidence { render: Evidence::Seen(render), ..sound() }, &HealthLimits::default())
    }

    /// Blocks of as many sessions, newest first: hash and signature of each.
    fn blocks(shown: &[(&str, &str)]) -> RenderEvidence {
        let block = |(n, (hash, corpus)): (i64, &(&str, &str))| BlockShown {
            session: SessionId::new(format!("s-{n}")),
            at: days_ago(n),
            hash: (*hash).into(),
            corpus: (*corpus).into(),
        };
        RenderEvidence { whole: (0..).zip(shown).map(block).collect(), ..RenderEvidence::sound() }
    }

    fn size(units: u32, over: &str) -> RenderEvidence {
        RenderEvidence { newest: Some(BlockSize { at: NOW, units, over: over.into() }), ..RenderEvidence::sound() }
    }

    #[test]
    fn a_block_that_stays_while_its_records_stay_is_that_of_a_quiet_project() {
        assert_eq!(judged(RenderEvidence::sound()), Verdict::green());
        assert_eq!(judged(blocks(&[("a", "1"), ("a", "1"), ("a", "1")])), Verdict::green());
    }

    #[test]
    fn a_block_that_stays_over_three_sessions_while_its_records_move_is_frozen() {
        for moved in [[("a", "2"), ("a", "1"), ("a", "1")], [("a", "2"), ("a", "2"), ("a", "1")]] {
            let verdict = judged(blocks(&moved));
            assert_eq!(verdict.fault(), Some(Fault::RenderFrozen), "{moved:?}");
        }
        insta::assert_snapshot!(format!("{:?}", judged(blocks(&[("a", "3"), ("a", "2"), ("a", "1")]))), @r#"Red { fault: RenderFrozen, detail: "the same block in 3 sessions although the records in it changed", fix: "wire the hooks again with `six install /home/sam/app`, start a session, then `six health`" }"#);
    }

    #[test]
    fn a_block_that_moved_too_or_was_seen_less_than_three_times_is_not_frozen() {
        for alive in [
            [("b", "2"), ("a", "1"), ("a", "1")].as_slice(),
            &[("a", "2"), ("b", "3"), ("a", "1")],
            &[("a", "1"), ("a", "2"), ("a", "1")],
            &[("a", "2"), ("a", "1")],
            &[("a", "2")],
            &[],
        ] {
            assert_eq!(judged(blocks(alive)), Verdict::green(), "{alive:?}");
        }
    }

    #[test]
    fn eight_thousand_units_fit_and_one_more_does_not() {
        assert_eq!(judged(size(8_000, "")), Verdict::green());
        insta::assert_snapshot!(format!("{:?}", judged(size(8_001, ""))), @r#"Red { fault: RenderLarge, detail: "8001 characters in the last block, 8000 at most", fix: "retire what no longer holds: `six correction list`, `six decision list`, `six dead-end list`" }"#);
    }

    #[test]
    fn a_section_over_its_own_share_is_named_although_the_whole_is_short() {
        insta::assert_snapshot!(format!("{:?}", judged(size(1_400, "corrections 912 of 900"))), @r#"Red { fault: RenderLarge, detail: "a section of the last block is too long: corrections 912 of 900", fix: "retire what no longer holds: `six correction list`, `six decision list`, `six dead-end list`" }"#);
    }

    #[test]
    fn a_session_without_its_block_is_red_and_one_of_which_nothing_is_known_is_not() {
        let arrival = |arrived: Option<bool>| {
            let arrival = arrived.map(|arrived| Arrival { session: SessionId::new("s-9"), at: days_ago(1), arrived });
            judged(RenderEvidence { arrival, ..RenderEvidence::sound() })
        };
        assert_eq!((arrival(None), arrival(Some(true))), (Verdict::green(), Verdict::green()));
        insta::assert_snapshot!(format!("{:?}", arrival(Some(false))), @r#"Red { fault: RenderUndelivered, detail: "built, but not delivered to session s-9: the model answered without it", fix: "wire the hooks again with `six install /home/sam/app`, start a session, then `six health`" }"#);
    }

    #[test]
    fn where_no_session_was_shown_a_block_yet_there_is_nothing_to_say() {
        assert_eq!(judge(&fresh(), &HealthLimits::default()), Verdict::green());
        assert_eq!(judged(RenderEvidence::default()), Verdict::green(), "muted ever since");
    }

    #[test]
    fn missing_evidence_is_never_green() {
        let limits = HealthLimits::default();
        assert_eq!(judge(&without_store(Why::NoStore), &limits), Verdict::Blocked { by: CheckName::Store });
        let evidence = HealthEvidence { render: Evidence::Missing(Why::Busy), ..sound() };
        assert_eq!(judge(&evidence, &limits).fault(), Some(Fault::CheckFailed));
    }
}
