//! Protects: that hooks run at all. A memory whose hooks died is trusted and empty.
//!
//! Evidence: the host's settings, the newest ended row of every hook, and of each session that its transcript
//! shows since the last boundary whether it left one, sessions that left a transcript and no row.
//! Threshold: none. One failure, one missing row, one unseen session is told; the next good row clears it. Never the wall
//! clock: a long session, a machine that slept and two days off expect nothing. A cancelled row is the user's Esc and a
//! skipped one had nothing to do: neither is a fault. Before the first session has ended nothing can be missing.
//! To do: `six install PROJECT` wires hooks again; what failed by chance is green again at the next boundary.

use crate::health::fix::{install, shell_word};
use crate::health::missing::judge_missing;
use crate::health::{Fault, HealthEvidence, HealthLimits, HookSeen, NewestRow, Verdict};
use crate::record::{Evidence, OutcomeKind, SessionId};

/// Judges the hooks. What isn't started can't fail, and what failed explains what is missing: told in this order.
pub(in crate::health) fn judge(evidence: &HealthEvidence, _limits: &HealthLimits) -> Verdict {
    let (hooks, unseen) = match (&evidence.hooks, &evidence.unseen_sessions) {
        (Evidence::Seen(hooks), Evidence::Seen(unseen)) => (hooks, unseen),
        (Evidence::Missing(why), _) | (_, Evidence::Missing(why)) => return judge_missing(evidence, *why),
    };
    judge_wiring(evidence, hooks)
        .or_else(|| judge_outcomes(evidence, hooks))
        .or_else(|| if evidence.first_run { note_first_run(hooks) } else { judge_absence(evidence, hooks, unseen) })
        .unwrap_or_else(Verdict::green)
}

fn judge_wiring(evidence: &HealthEvidence, hooks: &[HookSeen]) -> Option<Verdict> {
    let unwired: Vec<&str> =
        hooks.iter().filter(|seen| seen.wired == Some(false)).map(|seen| seen.hook.as_str()).collect();
    (!unwired.is_empty()).then(|| {
        let detail = format!("not wired, or wired to a program that is gone: {}", unwired.join(", "));
        Verdict::red(Fault::HookUnwired, detail, install(&evidence.project))
    })
}

fn judge_outcomes(evidence: &HealthEvidence, hooks: &[HookSeen]) -> Option<Verdict> {
    let failed: Vec<String> = hooks.iter().filter_map(tell_failure).collect();
    (!failed.is_empty()).then(|| {
        let fix = format!(
            "verify green at the next boundary with `six health`; if it stays, `{}`",
            install(&evidence.project)
        );
        Verdict::red(Fault::HookFailed, failed.join("; "), fix)
    })
}

fn tell_failure(seen: &HookSeen) -> Option<String> {
    let NewestRow { started, ended } = seen.newest?;
    let how = match ended {
        None => "crashed",
        Some(OutcomeKind::Failed) => "failed",
        Some(OutcomeKind::TimedOut) => "timed out",
        Some(OutcomeKind::Ok | OutcomeKind::Skipped | OutcomeKind::Cancelled) => return None,
    };
    let error = if seen.error.is_empty() || ended.is_none() { String::new() } else { format!(" ({})", seen.error) };
    Some(format!("{} {how} at {started}{error}", seen.hook.as_str()))
}

fn judge_absence(evidence: &HealthEvidence, hooks: &[HookSeen], unseen: &[SessionId]) -> Option<Verdict> {
    let missing: Vec<String> = hooks
        .iter()
        .filter(|seen| seen.called < seen.due)
        .map(|seen| format!("{} left a row in {} of {} sessions", seen.hook.as_str(), seen.called, seen.due))
        .collect();
    if !missing.is_empty() {
        let fix = format!("`{}`, then start a new session", install(&evidence.project));
        return Some(Verdict::red(Fault::HookMissing, missing.join("; "), fix));
    }
    let newest = unseen.first()?;
    let detail = format!(
        "sessions with a transcript and no heartbeat: {}, newest {newest} (another start folder, no trust, hooks disabled)",
        unseen.len()
    );
    let root = shell_word(&evidence.project);
    let fix = format!(
        "start the client in {root} and accept its trust dialog; hooks are wired by `{}`",
        install(&evidence.project)
    );
    Some(Verdict::red(Fault::SessionUnseen, detail, fix))
}

fn note_first_run(hooks: &[HookSeen]) -> Option<Verdict> {
    let unseen: Vec<&str> = hooks
        .iter()
        .filter(|seen| seen.wired.is_some() && seen.newest.is_none())
        .map(|seen| seen.hook.as_str())
        .collect();
    (!unseen.is_empty()).then(|| Verdict::noted(format!("first run: not seen yet: {}", unseen.join(", "))))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::health::CheckName;
    use crate::health::sample::{NOW, fresh, sound, without_store};
    use crate::record::{HookName, Why};

    fn judged(spoil: impl FnOnce(&mut HookSeen)) -> Verdict {
        let mut evidence = sound();
        let Evidence::Seen(hooks) = &mut evidence.hooks else { panic!() };
        spoil(hooks.iter_mut().find(|seen| seen.hook == HookName::UserPromptSubmit).unwrap());
        judge(&evidence, &HealthLimits::default())
    }

    fn ended(kind: Option<OutcomeKind>) -> Verdict {
        judged(|seen| {
            seen.newest = Some(NewestRow { started: NOW, ended: kind });
            seen.error = "io: no such file".into();
        })
    }

    #[test]
    fn hooks_that_ran_are_green_however_they_were_right_to_end() {
        for kind in [OutcomeKind::Ok, OutcomeKind::Skipped, OutcomeKind::Cancelled] {
            assert_eq!(ended(Some(kind)), Verdict::green(), "{kind:?}");
        }
    }

    #[test]
    fn failed_overran_and_crashed_are_red() {
        let told: Vec<String> = [Some(OutcomeKind::Failed), Some(OutcomeKind::TimedOut), None]
            .into_iter()
            .map(|kind| match ended(kind) {
                Verdict::Red { fault: Fault::HookFailed, detail, .. } => detail,
                other => panic!("{other:?}"),
            })
            .collect();
        insta::assert_snapshot!(told.join("\n"), @r"
        user-prompt-submit failed at 2026-03-14T12:00:00.000Z (io: no such file)
        user-prompt-submit timed out at 2026-03-14T12:00:00.000Z (io: no such file)
        user-prompt-submit crashed at 2026-03-14T12:00:00.000Z
        ");
    }

    #[test]
    fn a_row_in_every_session_is_green_and_one_session_without_is_red() {
        let rows = |called| judged(|seen| (seen.due, seen.called) = (7, called));
        assert_eq!(rows(7), Verdict::green());
        let Verdict::Red { fault, detail, .. } = rows(6) else { panic!() };
        assert_eq!((fault, detail.as_str()), (Fault::HookMissing, "user-prompt-submit left a row in 6 of 7 sessions"));
    }

    #[test]
    fn nothing_due_and_nothing_seen_is_no_fault() {
        assert_eq!(judged(|seen| (seen.newest, seen.due, seen.called) = (None, 0, 0)), Verdict::green());
    }

    #[test]
    fn an_unwired_hook_is_red_from_the_first_day() {
        let mut evidence = fresh();
        let Evidence::Seen(hooks) = &mut evidence.hooks else { panic!() };
        hooks[0].wired = Some(false);
        let verdict = judge(&evidence, &HealthLimits::default());
        let red = Verdict::red(
            Fault::HookUnwired,
            "not wired, or wired to a program that is gone: session-start",
            "six install /home/sam/app",
        );
        assert_eq!(verdict, red);
    }

    #[test]
    fn before_the_first_session_has_ended_nothing_is_missing() {
        let mut evidence = fresh();
        evidence.unseen_sessions = Evidence::Seen(vec![SessionId::new("s-1")]);
        let Evidence::Seen(hooks) = &mut evidence.hooks else { panic!() };
        hooks[1].due = 12;
        assert_eq!(
            judge(&evidence, &HealthLimits::default()),
            Verdict::noted(
                "first run: not seen yet: session-start, user-prompt-submit, pre-tool-use, stop, pre-compact, session-end"
            )
        );
    }

    #[test]
    fn a_session_without_a_heartbeat_is_red() {
        let evidence = HealthEvidence { unseen_sessions: Evidence::Seen(vec![SessionId::new("s-1")]), ..sound() };
        let Verdict::Red { fault, detail, fix } = judge(&evidence, &HealthLimits::default()) else { panic!() };
        assert_eq!(fault, Fault::SessionUnseen);
        assert!(detail.starts_with("sessions with a transcript and no heartbeat: 1, newest s-1"), "{detail}");
        assert!(fix.contains("`six install /home/sam/app`"), "{fix}");
    }

    #[test]
    fn missing_evidence_is_never_green() {
        let limits = HealthLimits::default();
        assert_eq!(judge(&without_store(Why::Busy), &limits), Verdict::Blocked { by: CheckName::Store });
        let no_rows = HealthEvidence { hooks: Evidence::Missing(Why::OutOfTime), ..sound() };
        assert_eq!(judge(&no_rows, &limits).fault(), Some(Fault::CheckFailed));
        let no_folder = HealthEvidence { unseen_sessions: Evidence::Missing(Why::Unreadable), ..sound() };
        assert_eq!(judge(&no_folder, &limits).fault(), Some(Fault::CheckFailed));
    }
}
