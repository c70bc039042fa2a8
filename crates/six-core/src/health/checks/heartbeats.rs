//! Protects: that hooks run at all. A memory whose hooks died is trusted and empty.
//!
//! Evidence: the host's settings; of every hook its newest ended row, what had to call it by the transcripts of sessions
//! that were seen to start, and its runs since the gate before this one; sessions that left a transcript and no row; the
//! rows of the gate itself and of the block's rendering.
//! Threshold: none for a failure, a missing row, a turn without its account, a start without its gate, an unseen session:
//! one is told, and the next good row clears it. Shares of degraded and of overrun runs have theirs in the limits. Never the
//! wall clock: a long session, a machine that slept and two days off expect nothing. A cancelled row is the user's Esc and
//! a skipped one had nothing to do: neither is a fault. Before the first session has ended or the second
//! has started nothing can be missing.
//! To do: `six install PROJECT` wires hooks again; what failed by chance is green again at the next boundary, and what is not
//! is told with its command alone from then on.

use crate::health::fix::{install, shell_word};
use crate::health::missing::judge_missing;
use crate::health::{Fault, HealthEvidence, HealthLimits, HookSeen, NewestRow, Runs, Verdict, Wiring};
use crate::record::{Evidence, Family, HookName, SessionId};

/// Judges the hooks, the cause before what follows from it: what isn't started can't fail, and what failed explains what is
/// missing.
pub(in crate::health) fn judge(evidence: &HealthEvidence, limits: &HealthLimits) -> Verdict {
    let (hooks, unseen) = match (&evidence.hooks, &evidence.unseen_sessions) {
        (Evidence::Seen(hooks), Evidence::Seen(unseen)) => (hooks, unseen),
        (Evidence::Missing(why), _) | (_, Evidence::Missing(why)) => return judge_missing(evidence, *why),
    };
    judge_wiring(evidence, hooks)
        .or_else(|| judge_outcomes(evidence, hooks, limits))
        .or_else(|| if evidence.first_run { None } else { judge_absence(evidence, hooks, unseen, limits) })
        .or_else(|| judge_accounts(evidence, hooks))
        .or_else(|| judge_time(evidence, hooks, limits))
        .or_else(|| judge_degraded(evidence, hooks, limits))
        .unwrap_or_else(|| note(evidence, hooks, limits))
}

fn judge_wiring(evidence: &HealthEvidence, hooks: &[HookSeen]) -> Option<Verdict> {
    let off = hooks.iter().find_map(|seen| match &seen.wired {
        Some(Wiring::Off { file }) => Some(file),
        _ => None,
    });
    if let Some(file) = off {
        let fix = format!("set disableAllHooks to false in {file}, then `six health`");
        return Some(Verdict::red(
            Fault::HooksOff,
            format!("all hooks are switched off by disableAllHooks in {file}"),
            fix,
        ));
    }
    let install = install(&evidence.project);
    let absent = names(hooks, |seen| seen.wired == Some(Wiring::Absent));
    if !absent.is_empty() {
        return Some(Verdict::red(Fault::HookUnwired, format!("not wired: {absent}"), install));
    }
    let not_executable: Vec<&str> = hooks.iter().filter_map(not_executable).collect();
    if !not_executable.is_empty() {
        let words: Vec<_> = not_executable.iter().map(|program| shell_word(program)).collect();
        let detail = format!("wired to what can't be executed: {}", not_executable.join(", "));
        let fix = format!("`chmod +x {}`, then `six health`", words.join(" "));
        return Some(Verdict::red(Fault::HookProgram, detail, fix));
    }
    let strayed: Vec<String> = hooks.iter().filter_map(tell_strayed).collect();
    (!strayed.is_empty()).then(|| Verdict::red(Fault::HookProgram, strayed.join("; "), install))
}

fn not_executable(seen: &HookSeen) -> Option<&str> {
    match &seen.wired {
        Some(Wiring::NotExecutable { program }) => Some(program),
        _ => None,
    }
}

fn tell_strayed(seen: &HookSeen) -> Option<String> {
    let hook = seen.hook.as_str();
    match &seen.wired {
        Some(Wiring::Gone { program }) => Some(format!("{hook} is wired to a program that is gone: {program}")),
        Some(Wiring::Elsewhere { program }) => {
            Some(format!("{hook} is wired to another installation than the others: {program}"))
        }
        _ => None,
    }
}

fn judge_outcomes(evidence: &HealthEvidence, hooks: &[HookSeen], limits: &HealthLimits) -> Option<Verdict> {
    let recent = hooks.iter().filter(|seen| seen.starts_since < limits.failure_starts);
    let failed: Vec<String> = recent.filter_map(tell_failure).collect();
    (!failed.is_empty()).then(|| passing(evidence, Fault::HookFailed, failed.join("; "), &install(&evidence.project)))
}

/// What may heal by itself: at first there is nothing to do but to look again. When a session has started since and it is
/// still there, the command is all that is said.
fn passing(evidence: &HealthEvidence, fault: Fault, detail: String, else_run: &str) -> Verdict {
    let fix = if evidence.stayed.contains(&fault) {
        else_run.to_owned()
    } else {
        format!("verify green at the next boundary with `six health`; if it stays, `{else_run}`")
    };
    Verdict::red(fault, detail, fix)
}

fn tell_failure(seen: &HookSeen) -> Option<String> {
    let NewestRow { started, family } = seen.newest.filter(|row| row.is_failure())?;
    let how = match family {
        Family::Crash => "crashed",
        Family::Panic => "broke off",
        Family::Payload => "could not read its payload",
        Family::Store => "was refused by the store",
        Family::Unrecorded => "could not record anything",
        _ => "failed",
    };
    let error =
        if seen.error.is_empty() || family == Family::Crash { String::new() } else { format!(" ({})", seen.error) };
    Some(format!("{} {how} at {started}{error}", seen.hook.as_str()))
}

fn judge_absence(
    evidence: &HealthEvidence,
    hooks: &[HookSeen],
    unseen: &[SessionId],
    limits: &HealthLimits,
) -> Option<Verdict> {
    let is_part = |seen: &&HookSeen| matches!(seen.hook, HookName::Gate | HookName::Render);
    let (parts, others): (Vec<&HookSeen>, Vec<&HookSeen>) = hooks.iter().partition(is_part);
    let missing: Vec<String> = others.iter().filter_map(|seen| tell_missing(seen, limits)).collect();
    if !missing.is_empty() {
        let fix = format!("`{}`, then start a new session", install(&evidence.project));
        return Some(Verdict::red(Fault::HookMissing, missing.join("; "), fix));
    }
    if let Some(part) = parts.into_iter().find(|seen| seen.called < seen.due) {
        let (fault, lacked) = match part.hook {
            HookName::Gate => (Fault::GateMissing, "the checks did not run"),
            _ => (Fault::HookMissing, "no block was rendered"),
        };
        let detail =
            format!("{lacked} at {} of {} starts of sessions{}", part.due - part.called, part.due, since(part));
        return Some(passing(evidence, fault, detail, &install(&evidence.project)));
    }
    let newest = unseen.first()?;
    let or_more = if unseen.len() >= HealthEvidence::UNSEEN_MAX { " or more" } else { "" };
    let detail = format!(
        "sessions with a transcript and no heartbeat: {}{or_more}, newest {newest} (another start folder, no trust, hooks disabled)",
        unseen.len()
    );
    let root = shell_word(&evidence.project);
    let fix = format!(
        "start the client in {root} and accept its trust dialog; hooks are wired by `{}`",
        install(&evidence.project)
    );
    Some(Verdict::red(Fault::SessionUnseen, detail, fix))
}

fn tell_missing(seen: &HookSeen, limits: &HealthLimits) -> Option<String> {
    let hook = seen.hook.as_str();
    if seen.called < seen.due {
        return Some(format!("{hook}: no row in {} of {} sessions{}", seen.due - seen.called, seen.due, since(seen)));
    }
    (seen.unanswered > limits.max_unanswered).then(|| {
        let count = seen.unanswered;
        let or_more = if count >= HookSeen::UNANSWERED_MAX { " or more" } else { "" };
        format!("{hook}: no row for {count}{or_more} events{}", since(seen))
    })
}

/// When a hook was last heard of, as the end of a sentence.
fn since(seen: &HookSeen) -> String {
    seen.newest.map_or_else(|| ", never seen".to_owned(), |row| format!(" since {}", row.started))
}

fn judge_accounts(evidence: &HealthEvidence, hooks: &[HookSeen]) -> Option<Verdict> {
    let lost: Vec<String> = hooks
        .iter()
        .filter(|seen| seen.runs.unaccounted > 0)
        .map(|seen| {
            format!(
                "{} answered {} turns and left no account of {}",
                seen.hook.as_str(),
                seen.runs.answered,
                seen.runs.unaccounted
            )
        })
        .collect();
    (!lost.is_empty()).then(|| passing(evidence, Fault::TurnUnaccounted, lost.join("; "), "six repair"))
}

fn judge_time(evidence: &HealthEvidence, hooks: &[HookSeen], limits: &HealthLimits) -> Option<Verdict> {
    let slow: Vec<String> = hooks.iter().filter_map(|seen| tell_slow(seen, limits)).collect();
    (!slow.is_empty()).then(|| passing(evidence, Fault::HookSlow, slow.join("; "), "six repair"))
}

fn tell_slow(seen: &HookSeen, limits: &HealthLimits) -> Option<String> {
    let Runs { ended, overran, .. } = seen.runs;
    if overran > limits.max_overruns && exceeds(overran, ended, limits.max_overrun_percent) {
        return Some(tell_overruns(seen));
    }
    let in_a_row = seen.overran_in_a_row;
    (in_a_row > limits.max_overruns)
        .then(|| format!("{} used up its time in each of its last {in_a_row} runs", seen.hook.as_str()))
}

fn tell_overruns(seen: &HookSeen) -> String {
    let Runs { ended, overran, deadline_ms, .. } = seen.runs;
    format!("{} used up its {deadline_ms} ms in {overran} of {ended} runs", seen.hook.as_str())
}

/// Each hook by itself: tools run ten times as often as people write, and would hide that no prompt is answered as it should.
fn judge_degraded(evidence: &HealthEvidence, hooks: &[HookSeen], limits: &HealthLimits) -> Option<Verdict> {
    let is_degraded = |runs: &Runs| {
        runs.degraded > limits.max_degraded && exceeds(runs.degraded, runs.looked, limits.max_degraded_percent)
    };
    let short: Vec<String> = hooks.iter().filter(|seen| is_degraded(&seen.runs)).map(tell_degraded).collect();
    (!short.is_empty()).then(|| passing(evidence, Fault::HookDegraded, short.join("; "), "six repair"))
}

fn tell_degraded(seen: &HookSeen) -> String {
    let Runs { looked, degraded, degraded_by, .. } = &seen.runs;
    format!("{} had to do with less in {degraded} of {looked} answers ({degraded_by})", seen.hook.as_str())
}

/// Whether `part` is more than so many percent of `whole`.
const fn exceeds(part: u64, whole: u64, percent: u64) -> bool {
    part.saturating_mul(100) > whole.saturating_mul(percent)
}

fn note(evidence: &HealthEvidence, hooks: &[HookSeen], limits: &HealthLimits) -> Verdict {
    let unseen = names(hooks, |seen| seen.wired.is_some() && seen.newest.is_none());
    if evidence.first_run && !unseen.is_empty() {
        return Verdict::noted(format!("first run: not seen yet: {unseen}"));
    }
    let lapsed = hooks.iter().filter(|seen| seen.starts_since >= limits.failure_starts).filter_map(tell_failure);
    let mut notes: Vec<String> = lapsed.map(|failure| format!("{failure}, not called since")).collect();
    notes.extend(hooks.iter().filter(|seen| seen.runs.overran > 0).map(tell_overruns));
    notes.extend(hooks.iter().filter(|seen| seen.runs.degraded > 0).map(tell_degraded));
    if notes.is_empty() { Verdict::green() } else { Verdict::noted(notes.join("; ")) }
}

fn names(hooks: &[HookSeen], of: impl Fn(&HookSeen) -> bool) -> String {
    hooks.iter().filter(|seen| of(seen)).map(|seen| seen.hook.as_str()).collect::<Vec<_>>().join(", ")
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::health::CheckName;
    use crate::health::sample::{NOW, days_ago, fresh, sound, without_store};
    use crate::record::Why;

    fn judged_of(hook: HookName, spoil: impl FnOnce(&mut HookSeen)) -> Verdict {
        let mut evidence = sound();
        let Evidence::Seen(hooks) = &mut evidence.hooks else { panic!() };
        spoil(hooks.iter_mut().find(|seen| seen.hook == hook).unwrap());
        judge(&evidence, &HealthLimits::default())
    }

    fn judged(spoil: impl FnOnce(&mut HookSeen)) -> Verdict {
        judged_of(HookName::UserPromptSubmit, spoil)
    }

    fn ended(family: Family) -> Verdict {
        judged(|seen| {
            seen.newest = Some(NewestRow { started: NOW, family });
            seen.error = "io: no such file".into();
        })
    }

    fn red(verdict: Verdict) -> (Fault, String) {
        match verdict {
            Verdict::Red { fault, detail, .. } => (fault, detail),
            other => panic!("{other:?}"),
        }
    }

    #[test]
    fn hooks_that_ran_are_green_however_they_were_right_to_end() {
        for family in [Family::Ok, Family::Degraded, Family::Skipped, Family::Cancelled, Family::Deadline] {
            assert_eq!(ended(family), Verdict::green(), "{family:?}");
        }
    }

    #[test]
    fn every_family_of_failures_is_red_and_told_apart() {
        let told: Vec<String> = Family::ALL
            .into_iter()
            .filter(|family| NewestRow { started: NOW, family: *family }.is_failure())
            .map(|family| {
                let (fault, detail) = red(ended(family));
                assert_eq!(fault, Fault::HookFailed);
                detail
            })
            .collect();
        insta::assert_snapshot!(told.join("\n"), @r"
        user-prompt-submit crashed at 2026-03-14T12:00:00.000Z
        user-prompt-submit broke off at 2026-03-14T12:00:00.000Z (io: no such file)
        user-prompt-submit could not read its payload at 2026-03-14T12:00:00.000Z (io: no such file)
        user-prompt-submit was refused by the store at 2026-03-14T12:00:00.000Z (io: no such file)
        user-prompt-submit could not record anything at 2026-03-14T12:00:00.000Z (io: no such file)
        user-prompt-submit failed at 2026-03-14T12:00:00.000Z (io: no such file)
        ");
    }

    #[test]
    fn what_may_heal_by_itself_is_to_be_waited_for_once_and_then_acted_on() {
        let fix = |stayed: Vec<Fault>| {
            let mut evidence = HealthEvidence { stayed, ..sound() };
            let Evidence::Seen(hooks) = &mut evidence.hooks else { panic!() };
            hooks[1].newest = Some(NewestRow { started: NOW, family: Family::Crash });
            let Verdict::Red { fix, .. } = judge(&evidence, &HealthLimits::default()) else { panic!() };
            fix
        };
        let first = "verify green at the next boundary with `six health`; if it stays, `six install /home/sam/app`";
        assert_eq!(fix(Vec::new()), first);
        assert_eq!(fix(vec![Fault::HookSlow]), first, "another fault was told");
        assert_eq!(fix(vec![Fault::HookFailed]), "six install /home/sam/app");
    }

    #[test]
    fn a_failure_of_a_hook_that_seldom_runs_is_red_at_two_starts_and_a_note_from_then_on() {
        let after = |starts| {
            judged_of(HookName::PreCompact, |seen| {
                seen.newest = Some(NewestRow { started: days_ago(9), family: Family::Crash });
                seen.starts_since = starts;
            })
        };
        let told = "pre-compact crashed at 2026-03-05T12:00:00.000Z";
        for starts in [0, 1] {
            assert_eq!(red(after(starts)), (Fault::HookFailed, told.to_owned()));
        }
        assert_eq!(after(2), Verdict::noted(format!("{told}, not called since")));
    }

    #[test]
    fn a_row_in_every_session_is_green_and_one_session_without_is_red() {
        let rows = |called| judged(|seen| (seen.due, seen.called) = (7, called));
        assert_eq!(rows(7), Verdict::green());
        let told = "user-prompt-submit: no row in 1 of 7 sessions since 2026-03-14T12:00:00.000Z";
        assert_eq!(red(rows(6)), (Fault::HookMissing, told.to_owned()));
    }

    #[test]
    fn a_hook_that_fell_quiet_is_named_with_the_time_of_its_last_row() {
        let quiet = |newest: Option<NewestRow>| {
            red(judged_of(HookName::PreToolUse, |seen| (seen.due, seen.called, seen.newest) = (3, 0, newest))).1
        };
        let last = NewestRow { started: days_ago(2), family: Family::Ok };
        assert_eq!(quiet(Some(last)), "pre-tool-use: no row in 3 of 3 sessions since 2026-03-12T12:00:00.000Z");
        assert_eq!(quiet(None), "pre-tool-use: no row in 3 of 3 sessions, never seen");
    }

    #[test]
    fn in_a_long_session_a_few_unanswered_events_prove_nothing_and_more_are_red() {
        let left = |unanswered| judged(|seen| seen.unanswered = unanswered);
        let most = HealthLimits::default().max_unanswered;
        assert_eq!(left(most), Verdict::green());
        let (fault, detail) = red(left(most + 1));
        assert_eq!(fault, Fault::HookMissing);
        assert_eq!(detail, "user-prompt-submit: no row for 3 events since 2026-03-14T12:00:00.000Z");
        assert!(red(left(HookSeen::UNANSWERED_MAX)).1.contains("for 20 or more events"));
    }

    #[test]
    fn a_start_without_its_gate_is_red() {
        let gate = |called| judged_of(HookName::Gate, |seen| (seen.due, seen.called) = (4, called));
        assert_eq!(gate(4), Verdict::green());
        let (fault, detail) = red(gate(3));
        assert_eq!(fault, Fault::GateMissing);
        assert!(detail.starts_with("the checks did not run at 1 of 4 starts of sessions"), "{detail}");
    }

    #[test]
    fn a_start_of_which_nothing_was_rendered_is_red() {
        let render = |called| judged_of(HookName::Render, |seen| (seen.due, seen.called) = (1, called));
        assert_eq!(render(1), Verdict::green());
        let (fault, detail) = red(render(0));
        assert_eq!(fault, Fault::HookMissing);
        assert!(detail.starts_with("no block was rendered at 1 of 1 starts of sessions"), "{detail}");
    }

    #[test]
    fn a_turn_that_was_answered_and_left_no_account_is_red() {
        let runs = |unaccounted| judged(|seen| seen.runs = Runs { answered: 14, unaccounted, ..Runs::default() });
        assert_eq!(runs(0), Verdict::green());
        let told = "user-prompt-submit answered 14 turns and left no account of 2";
        assert_eq!(red(runs(2)), (Fault::TurnUnaccounted, told.to_owned()));
    }

    fn degraded(degraded: u64, looked: u64) -> Verdict {
        let degraded_by = "candidates:busy".to_owned();
        judged(|seen| seen.runs = Runs { looked, degraded, degraded_by, ..Runs::default() })
    }

    #[test]
    fn a_tenth_of_degraded_answers_is_a_note_and_more_is_red() {
        let told = "user-prompt-submit had to do with less in 3 of 30 answers (candidates:busy)";
        assert_eq!(degraded(3, 30), Verdict::noted(told));
        let told = "user-prompt-submit had to do with less in 4 of 39 answers (candidates:busy)";
        assert_eq!(red(degraded(4, 39)), (Fault::HookDegraded, told.to_owned()));
    }

    #[test]
    fn two_degraded_answers_are_an_accident_whatever_their_share() {
        assert!(degraded(2, 2).is_green());
        assert_eq!(red(degraded(3, 3)).0, Fault::HookDegraded);
    }

    #[test]
    fn sound_answers_of_one_hook_do_not_hide_that_another_has_none() {
        let mut evidence = sound();
        let Evidence::Seen(hooks) = &mut evidence.hooks else { panic!() };
        hooks[1].runs = Runs { degraded: 10, looked: 10, degraded_by: "candidates:busy".into(), ..Runs::default() };
        hooks[2].runs = Runs { degraded: 2, looked: 120, ..Runs::default() };
        let told = "user-prompt-submit had to do with less in 10 of 10 answers (candidates:busy)";
        assert_eq!(red(judge(&evidence, &HealthLimits::default())), (Fault::HookDegraded, told.to_owned()));
    }

    #[test]
    fn a_hook_whose_95th_percentile_is_over_its_deadline_is_red_and_one_below_is_a_note() {
        let runs =
            |overran, ended| judged(|seen| seen.runs = Runs { overran, ended, deadline_ms: 150, ..Runs::default() });
        assert_eq!(runs(3, 60), Verdict::noted("user-prompt-submit used up its 150 ms in 3 of 60 runs"));
        let told = "user-prompt-submit used up its 150 ms in 3 of 59 runs";
        assert_eq!(red(runs(3, 59)), (Fault::HookSlow, told.to_owned()));
        assert!(runs(2, 4).is_green(), "of four runs a percentile says nothing");
    }

    #[test]
    fn one_overrun_is_a_note_also_as_the_newest_row_and_a_hook_that_does_nothing_else_is_red_however_seldom_it_runs() {
        let overran = |in_a_row| {
            judged(|seen| {
                seen.newest = Some(NewestRow { started: NOW, family: Family::Deadline });
                seen.runs = Runs { overran: 1, ended: 1, deadline_ms: 150, ..Runs::default() };
                seen.overran_in_a_row = in_a_row;
            })
        };
        let told = "user-prompt-submit used up its 150 ms in 1 of 1 runs";
        assert_eq!(overran(1), Verdict::noted(told));
        assert_eq!(overran(2), Verdict::noted(told));
        let told = "user-prompt-submit used up its time in each of its last 3 runs";
        assert_eq!(red(overran(3)), (Fault::HookSlow, told.to_owned()));
    }

    #[test]
    fn nothing_due_and_nothing_seen_is_no_fault() {
        assert_eq!(judged(|seen| (seen.newest, seen.due, seen.called) = (None, 0, 0)), Verdict::green());
    }

    fn wired(wiring: Wiring) -> Verdict {
        let mut evidence = fresh();
        let Evidence::Seen(hooks) = &mut evidence.hooks else { panic!() };
        hooks[0].wired = Some(wiring);
        judge(&evidence, &HealthLimits::default())
    }

    #[test]
    fn a_hook_that_cant_be_started_is_red_from_the_first_day() {
        let install = "six install /home/sam/app";
        assert_eq!(wired(Wiring::Absent), Verdict::red(Fault::HookUnwired, "not wired: session-start", install));
        let program = "/opt/six/six-session-start".to_owned();
        let gone = "session-start is wired to a program that is gone: /opt/six/six-session-start";
        assert_eq!(wired(Wiring::Gone { program: program.clone() }), Verdict::red(Fault::HookProgram, gone, install));
        let other = "session-start is wired to another installation than the others: /opt/six/six-session-start";
        assert_eq!(
            wired(Wiring::Elsewhere { program: program.clone() }),
            Verdict::red(Fault::HookProgram, other, install)
        );
        let blunt = "wired to what can't be executed: /opt/six/six-session-start";
        let chmod = "`chmod +x /opt/six/six-session-start`, then `six health`";
        assert_eq!(wired(Wiring::NotExecutable { program }), Verdict::red(Fault::HookProgram, blunt, chmod));
    }

    #[test]
    fn hooks_that_are_switched_off_are_red_with_the_file_that_does_it() {
        let file = "/home/sam/.claude/settings.json".to_owned();
        assert_eq!(
            wired(Wiring::Off { file }),
            Verdict::red(
                Fault::HooksOff,
                "all hooks are switched off by disableAllHooks in /home/sam/.claude/settings.json",
                "set disableAllHooks to false in /home/sam/.claude/settings.json, then `six health`",
            )
        );
    }

    #[test]
    fn the_cause_is_told_and_not_what_follows_from_it() {
        let everything = |seen: &mut HookSeen| {
            (seen.due, seen.called, seen.unanswered) = (3, 0, 9);
            seen.runs =
                Runs { ended: 9, overran: 9, looked: 9, degraded: 9, answered: 9, unaccounted: 9, ..Runs::default() };
        };
        let of = |spoil: fn(&mut HookSeen)| {
            red(judged(|seen| {
                everything(seen);
                spoil(seen);
            }))
            .0
        };
        let failed = |seen: &mut HookSeen| seen.newest = Some(NewestRow { started: NOW, family: Family::Panic });
        let order = [
            of(|seen| {
                seen.newest = Some(NewestRow { started: NOW, family: Family::Panic });
                seen.wired = Some(Wiring::Absent);
            }),
            of(failed),
            of(|_| ()),
            of(|seen| (seen.called, seen.unanswered) = (3, 0)),
            of(|seen| (seen.called, seen.unanswered, seen.runs.unaccounted) = (3, 0, 0)),
            of(|seen| (seen.called, seen.unanswered, seen.runs.unaccounted, seen.runs.overran) = (3, 0, 0, 0)),
        ];
        let expected = [
            Fault::HookUnwired,
            Fault::HookFailed,
            Fault::HookMissing,
            Fault::TurnUnaccounted,
            Fault::HookSlow,
            Fault::HookDegraded,
        ];
        assert_eq!(order, expected);
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
        let many = Evidence::Seen(vec![SessionId::new("s-1"); HealthEvidence::UNSEEN_MAX]);
        let many = judge(&HealthEvidence { unseen_sessions: many, ..sound() }, &HealthLimits::default());
        assert!(red(many).1.contains("no heartbeat: 20 or more, newest s-1"));
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
