use six_core::effect::Effect;
use six_core::health::Judged;
use six_core::ingest::{Mode, SessionSeen, StartTrace};
use six_core::record::{Boundary, Edge, EventId, OutcomeKind, Source};

use super::*;
use crate::testkit::*;

const GONE: &dyn Fn(u32) -> Process = &|_| Process::Gone;

/// So many milliseconds after the day of the tests began.
fn at(ms: i64) -> UnixMs {
    UnixMs(NOW.0 + ms)
}

fn beat(store: &Store, id: &str, hook: HookName, session: &str, started: i64, end: Option<OutcomeKind>) {
    let beat = six_core::record::Heartbeat {
        started: at(started),
        session: Some(SessionId::new(session)),
        ..heartbeat(id, hook)
    };
    store.open_heartbeat(&beat).unwrap();
    if let Some(kind) = end {
        let mut end = outcome(kind);
        if kind == OutcomeKind::Failed {
            end.class = "panic".to_owned();
            end.text = text("it broke");
        }
        store.close_heartbeat(&beat.id, &end).unwrap();
    }
}

/// A session starts: its row, its boundary, and the row of its gate.
fn start(store: &Store, session: &str, ms: i64) {
    let id = format!("start-{session}-{ms}");
    beat(store, &id, HookName::SessionStart, session, ms, Some(OutcomeKind::Ok));
    boundary_at(store, &id, session, Edge::Start, ms);
    beat(store, &format!("{id}.gate"), HookName::Gate, session, ms, Some(OutcomeKind::Ok));
}

fn boundary_at(store: &Store, event: &str, session: &str, edge: Edge, ms: i64) {
    let boundary = Boundary { session: SessionId::new(session), edge, detail: text("startup"), at: at(ms) };
    store.apply(&EventId::new(event), &[Effect::Boundary(boundary)], at(ms)).unwrap();
}

/// What the transcript of a session shows: entries with their times.
fn tell(store: &Store, session: &str, entries: Vec<(six_core::record::Entry, i64)>) {
    let first = entries.first().map(|(_, ms)| at(*ms));
    let last = entries.last().map(|(_, ms)| at(*ms));
    let entries = entries
        .into_iter()
        .map(|(entry, ms)| six_core::record::Entry {
            session: Some(SessionId::new(session)),
            at: Some(at(ms)),
            ..entry
        })
        .collect();
    let mut told = batch(Source::Transcript, session, Mode::Append, entries);
    told.sessions = vec![SessionSeen {
        id: SessionId::new(session),
        first,
        last,
        client: String::new(),
        entrypoint: String::new(),
        prompts: 1,
        start: StartTrace::Nothing,
    }];
    store.commit(&told).unwrap();
}

fn said(key: &str, ms: i64) -> (six_core::record::Entry, i64) {
    (prompt(key, "go on"), ms)
}

fn called(key: &str, tool: &str, line: &str, ms: i64) -> (six_core::record::Entry, i64) {
    let call = entry(Source::Transcript, six_core::record::EntryKind::Tool, key, line);
    (six_core::record::Entry { title: text(tool), origin: six_core::record::Origin::Agent, ..call }, ms)
}

fn seen(store: &Store, hook: HookName, now: i64) -> HookSeen {
    let all = store.gather_hooks(&watch(at(now), GONE)).unwrap();
    all.into_iter().find(|seen| seen.hook == hook).unwrap()
}

fn owed(store: &Store, hook: HookName, now: i64) -> (u64, u64, u64) {
    let seen = seen(store, hook, now);
    (seen.due, seen.called, seen.unanswered)
}

const PROMPT: HookName = HookName::UserPromptSubmit;
const TOOL: HookName = HookName::PreToolUse;
const HOUR: i64 = 3_600_000;

#[test]
fn a_row_without_an_end_is_running_or_a_crash() {
    let s = Scratch::new();
    beat(&s.store, "1", PROMPT, "s1", 0, Some(OutcomeKind::Ok));
    beat(&s.store, "2", PROMPT, "s1", 10, None);
    let newest = |now: i64, process: Process| {
        let all = s.store.gather_hooks(&watch(at(now), &|pid| if pid == 4242 { process } else { Process::Gone }));
        all.unwrap()[1].newest.unwrap()
    };
    let (before, crash) =
        (NewestRow { started: NOW, family: Family::Ok }, NewestRow { started: at(10), family: Family::Crash });
    assert_eq!(newest(20, Process::Some), before);
    assert_eq!(newest(20, Process::Gone), crash);
    assert_eq!(newest(10 + 500 + OVERDUE_MS, Process::Some), before);
    assert_eq!(newest(10 + 500 + OVERDUE_MS + 1, Process::Some), crash, "the number is another's by now");
    assert_eq!(newest(8 * HOUR, Process::Ours), before, "the machine slept, and it goes on");
}

#[test]
fn what_failed_is_told_with_the_sessions_that_have_started_since() {
    let s = Scratch::new();
    start(&s.store, "s0", 0);
    start(&s.store, "s1", 10);
    beat(&s.store, "1", HookName::PreCompact, "s1", 15, Some(OutcomeKind::Failed));
    let since = |now| seen(&s.store, HookName::PreCompact, now).starts_since;
    assert_eq!(since(19), 0);
    for (n, starts) in [(2, 1), (3, 2), (4, 2)] {
        start(&s.store, &format!("s{n}"), n * 10);
        assert_eq!(since(n * 10 + 1), starts);
    }
    assert_eq!(seen(&s.store, HookName::SessionStart, 41).starts_since, 0, "its own start is none since");
}

#[test]
fn a_gate_that_somebody_did_not_wait_for_has_not_crashed() {
    let s = Scratch::new();
    beat(&s.store, "1", HookName::Gate, "s1", 0, Some(OutcomeKind::Ok));
    beat(&s.store, "2", HookName::Gate, "s1", 10, None);
    let newest = seen(&s.store, HookName::Gate, 20).newest;
    assert_eq!(newest, Some(NewestRow { started: NOW, family: Family::Ok }));
}

#[test]
fn synthetic_rows_are_left_out() {
    let s = Scratch::new();
    let mut probe = heartbeat("1", HookName::SessionStart);
    probe.synthetic = true;
    s.store.open_heartbeat(&probe).unwrap();
    let seen = &s.store.gather_hooks(&watch(NOW, GONE)).unwrap()[0];
    assert_eq!(seen.newest, None);
}

#[test]
fn a_session_in_which_somebody_wrote_had_to_call_the_prompt_hook() {
    let s = Scratch::new();
    start(&s.store, "s1", 0);
    start(&s.store, "s2", 5);
    tell(&s.store, "s1", vec![said("u1", 1), said("u2", 2)]);
    tell(&s.store, "s2", vec![said("u3", 6)]);
    beat(&s.store, "2", PROMPT, "s1", 7, Some(OutcomeKind::Ok));
    assert_eq!(owed(&s.store, PROMPT, 9), (2, 1, 0), "s1 called it and s2 did not");
    beat(&s.store, "3", PROMPT, "s2", 6, Some(OutcomeKind::Ok));
    assert_eq!(owed(&s.store, PROMPT, 9), (2, 2, 0), "what comes late from the spool counts");
}

#[test]
fn what_came_before_a_session_was_seen_to_start_owes_nothing() {
    let s = Scratch::new();
    start(&s.store, "s1", 0);
    tell(&s.store, "s2", vec![said("u1", 5), called("t1", "Bash", "Bash: ls → ok", 6)]);
    assert_eq!(owed(&s.store, PROMPT, 9), (0, 0, 0), "a session without any hooks is told as unseen");
    start(&s.store, "s2", 7);
    for hook in [PROMPT, TOOL] {
        assert_eq!(owed(&s.store, hook, 9), (0, 0, 0), "installed, resumed or forked meanwhile");
    }
}

#[test]
fn a_tool_that_ran_had_to_call_its_hook_and_one_that_did_not_run_owes_nothing() {
    let s = Scratch::new();
    start(&s.store, "s1", 0);
    let free = [
        ("t1", "Read", "Read: a.rs → ok"),
        ("t2", "Bash", "Bash: rm -r / → refused by the operator"),
        ("t3", "Bash", "Bash: ls"),
        ("t4", "Edit", "Edit: a.rs → error: InputValidationError"),
    ];
    tell(&s.store, "s1", free.map(|(key, tool, line)| called(key, tool, line, 1)).into());
    assert_eq!(owed(&s.store, TOOL, 9), (0, 0, 0));
    tell(&s.store, "s1", vec![called("t5", "Bash", "Bash: ls → ok", 2)]);
    assert_eq!(owed(&s.store, TOOL, 9), (1, 0, 0));
    beat(&s.store, "2", TOOL, "s1", 3, Some(OutcomeKind::Cancelled));
    assert_eq!(owed(&s.store, TOOL, 9), (1, 1, 0));
}

#[test]
fn a_session_that_an_older_six_began_owes_no_call_of_a_tool_that_came_later() {
    let s = Scratch::new();
    start(&s.store, "s1", 0);
    tell(
        &s.store,
        "s1",
        vec![called("t1", "Bash", "Bash: ls → ok", 5), called("t2", "Bash", "Bash: ls → ok", 2 * HOUR)],
    );
    assert_eq!(owed(&s.store, TOOL, 3 * HOUR), (1, 0, 0));
    beat(&s.store, "t0", TOOL, "s0", 1, Some(OutcomeKind::Ok));
    assert_eq!(owed(&s.store, TOOL, 3 * HOUR), (1, 0, 1));
    let all = s.store.gather_hooks(&Watch { version: "0.2.0", ..watch(at(3 * HOUR), GONE) }).unwrap();
    let newer = all.into_iter().find(|seen| seen.hook == TOOL).unwrap();
    assert_eq!((newer.due, newer.unanswered), (0, 0));
}

#[test]
fn a_hook_that_fell_quiet_is_judged_since_its_last_row_and_its_next_row_clears_it() {
    let s = Scratch::new();
    start(&s.store, "s0", 0);
    beat(&s.store, "t0", TOOL, "s0", 1, Some(OutcomeKind::Ok));
    for n in 1..=3 {
        let session = format!("s{n}");
        start(&s.store, &session, n * HOUR);
        tell(&s.store, &session, vec![called(&session, "Bash", "Bash: ls → ok", n * HOUR + 5)]);
    }
    assert_eq!(owed(&s.store, TOOL, 4 * HOUR), (3, 0, 3));
    start(&s.store, "s4", 4 * HOUR);
    beat(&s.store, "t4", TOOL, "s4", 4 * HOUR + 6, Some(OutcomeKind::Ok));
    tell(&s.store, "s4", vec![called("s4", "Bash", "Bash: ls → ok", 4 * HOUR + 5)]);
    assert_eq!(owed(&s.store, TOOL, 5 * HOUR), (1, 1, 0));
}

#[test]
fn in_a_session_over_days_a_hook_that_falls_quiet_shows() {
    let s = Scratch::new();
    start(&s.store, "s1", 0);
    beat(&s.store, "p1", PROMPT, "s1", 5, Some(OutcomeKind::Ok));
    tell(&s.store, "s1", vec![said("u1", 6)]);
    assert_eq!(owed(&s.store, PROMPT, 90 * HOUR), (1, 1, 0), "nobody wrote for days");
    tell(&s.store, "s1", vec![said("u2", BESIDE_MS), said("u3", 50 * HOUR), said("u4", 51 * HOUR)]);
    assert_eq!(owed(&s.store, PROMPT, 90 * HOUR), (1, 1, 2));
}

#[test]
fn a_start_without_a_gate_is_missed_unless_it_is_of_an_older_six() {
    let s = Scratch::new();
    let gate = |now| {
        let seen = seen(&s.store, HookName::Gate, now);
        (seen.due, seen.called)
    };
    beat(&s.store, "old", HookName::SessionStart, "s0", 0, Some(OutcomeKind::Ok));
    boundary_at(&s.store, "old", "s0", Edge::Start, 0);
    assert_eq!(gate(1), (0, 0), "before the first gate");
    start(&s.store, "s1", 10);
    start(&s.store, "s2", 20);
    assert_eq!(gate(21), (1, 1), "the last start; the one before has its gate");
    beat(&s.store, "lone", HookName::SessionStart, "s3", 30, Some(OutcomeKind::Ok));
    boundary_at(&s.store, "lone", "s3", Edge::Start, 30);
    assert_eq!(gate(31), (1, 0), "asked by a person");
    beat(&s.store, "next", HookName::SessionStart, "s4", 40, None);
    assert_eq!(gate(40), (1, 0), "asked by the next start");
    let other = Watch { version: "0.2.0", ..watch(at(40), GONE) };
    let all = s.store.gather_hooks(&other).unwrap();
    assert!(all.iter().all(|seen| seen.hook != HookName::Gate || (seen.due, seen.called) == (0, 0)));
    s.store.close_heartbeat(&EventId::new("next"), &outcome(OutcomeKind::TimedOut)).unwrap();
    assert_eq!(gate(41), (1, 0), "one that did not end well says so itself");
    start(&s.store, "s5", 50);
    assert_eq!(gate(51), (1, 1), "the next gate clears it");
}

#[test]
fn a_start_without_its_block_is_missed_and_one_that_was_silenced_is_not() {
    let s = Scratch::new();
    let part = |session: &str, ms, end| {
        beat(&s.store, &format!("start-{session}-{ms}.render"), HookName::Render, session, ms, Some(end));
    };
    let render = |now| {
        let seen = seen(&s.store, HookName::Render, now);
        (seen.due, seen.called)
    };
    start(&s.store, "s1", 10);
    part("s1", 10, OutcomeKind::Ok);
    start(&s.store, "s2", 20);
    part("s2", 20, OutcomeKind::Skipped);
    assert_eq!(render(21), (1, 1));
    start(&s.store, "s3", 30);
    assert_eq!(render(31), (1, 0));
}

#[test]
fn the_start_before_is_judged_by_the_next_one_with_all_that_it_left() {
    let s = Scratch::new();
    start(&s.store, "s1", 10);
    beat(&s.store, "late", HookName::SessionStart, "s2", 20, Some(OutcomeKind::TimedOut));
    boundary_at(&s.store, "late", "s2", Edge::Start, 20);
    beat(&s.store, "next", HookName::SessionStart, "s3", 30, None);
    let runs = seen(&s.store, HookName::SessionStart, 30).runs;
    assert_eq!((runs.ended, runs.overran), (1, 1));
}

/// A prompt's row that ended so, and its account, if any, with the reason for which nothing was looked up; empty where it was.
fn turn(s: &Scratch, id: &str, ms: i64, end: (OutcomeKind, &str), account: Option<&str>) {
    let row = six_core::record::Heartbeat { started: at(ms), ..heartbeat(id, PROMPT) };
    s.store.open_heartbeat(&row).unwrap();
    let ended = six_core::record::Outcome { class: end.1.to_owned(), text: text("candidates:busy"), ..outcome(end.0) };
    s.store.close_heartbeat(&row.id, &ended).unwrap();
    if let Some(silenced) = account {
        let sql = "INSERT INTO receipt (event_id, session, at_unix_ms, mode, human, silenced, fired, took_us, receipt_json) \
                   VALUES (?1, 's1', ?2, 'on', 1, nullif(?3, ''), 0, 900, '{}')";
        s.store.conn.execute(sql, rusqlite::params![id, at(ms).0, silenced]).unwrap();
    }
}

#[test]
fn runs_are_counted_by_what_came_of_them() {
    use OutcomeKind::{Cancelled, Failed, Ok, Skipped, TimedOut};
    let s = Scratch::new();
    start(&s.store, "s1", 0);
    turn(&s, "before", -5, (TimedOut, "deadline"), None);
    turn(&s, "1", 1, (Ok, ""), Some(""));
    turn(&s, "2", 2, (Ok, ""), Some("no-intent"));
    turn(&s, "3", 3, (Ok, ""), Some("nothing-known"));
    turn(&s, "4", 4, (Ok, "degraded"), Some(""));
    turn(&s, "5", 5, (Ok, ""), None);
    turn(&s, "6", 6, (Skipped, "wired-twice"), None);
    turn(&s, "7", 7, (Failed, "payload"), None);
    turn(&s, "8", 8, (TimedOut, "deadline"), None);
    turn(&s, "9", 9, (Cancelled, "signal"), None);
    let runs = seen(&s.store, PROMPT, 20).runs;
    let told = Runs {
        ended: 8,
        overran: 1,
        deadline_ms: 500,
        looked: 3,
        degraded: 1,
        degraded_by: "candidates:busy".to_owned(),
        answered: 5,
        unaccounted: 1,
    };
    assert_eq!(runs, told);
    let older = Watch { version: "0.2.0", ..watch(at(20), GONE) };
    let runs = s.store.gather_hooks(&older).unwrap().swap_remove(1).runs;
    assert_eq!((runs.answered, runs.unaccounted), (0, 0), "what an older six owes is its own");
}

#[test]
fn a_call_of_a_tool_that_had_nothing_to_look_up_is_no_answer() {
    let s = Scratch::new();
    start(&s.store, "s1", 0);
    for (n, class) in ["idle", "idle", "", "degraded"].into_iter().enumerate() {
        let row = six_core::record::Heartbeat { started: at(5), ..heartbeat(&n.to_string(), TOOL) };
        s.store.open_heartbeat(&row).unwrap();
        let end = six_core::record::Outcome { class: class.to_owned(), ..outcome(OutcomeKind::Ok) };
        s.store.close_heartbeat(&row.id, &end).unwrap();
    }
    let runs = seen(&s.store, TOOL, 20).runs;
    assert_eq!((runs.ended, runs.looked, runs.degraded), (4, 2, 1));
}

#[test]
fn overruns_are_counted_back_to_the_last_run_that_was_none_over_all_sessions() {
    let s = Scratch::new();
    let in_a_row = |now| seen(&s.store, PROMPT, now).overran_in_a_row;
    beat(&s.store, "1", PROMPT, "s1", 1, Some(OutcomeKind::TimedOut));
    beat(&s.store, "2", PROMPT, "s1", 2, Some(OutcomeKind::Ok));
    assert_eq!(in_a_row(9), 0);
    for n in 3..6 {
        let session = format!("s{n}");
        start(&s.store, &session, n * HOUR);
        beat(&s.store, &n.to_string(), PROMPT, &session, n * HOUR + 1, Some(OutcomeKind::TimedOut));
    }
    beat(&s.store, "esc", PROMPT, "s5", 5 * HOUR + 2, Some(OutcomeKind::Cancelled));
    assert_eq!(in_a_row(6 * HOUR), 3);
    beat(&s.store, "6", PROMPT, "s5", 5 * HOUR + 3, Some(OutcomeKind::Skipped));
    assert_eq!(in_a_row(6 * HOUR), 0);
}

#[test]
fn what_was_told_has_stayed_once_the_next_session_starts_and_is_over_once_it_is_gone() {
    let s = Scratch::new();
    let say = |fault, ms| {
        let said =
            Judged { check: CheckName::Heartbeats, fault, detail: text("d"), fix: text("f"), since: Some(at(ms)) };
        s.store.note_health(at(ms), &[said]).unwrap();
    };
    let stayed = |now| s.store.gather_stayed(at(now)).unwrap();
    start(&s.store, "s1", 10);
    say(Some(Fault::HookFailed), 10);
    assert_eq!(stayed(10), [], "told at this start");
    beat(&s.store, "twin", HookName::SessionStart, "s1", 11, Some(OutcomeKind::Skipped));
    assert_eq!(stayed(15), [], "asked by a person, before any other start");
    beat(&s.store, "next", HookName::SessionStart, "s2", 20, None);
    assert_eq!(stayed(20), [Fault::HookFailed], "asked by the next start");
    say(Some(Fault::HookFailed), 20);
    assert_eq!(stayed(25), [Fault::HookFailed]);
    say(None, 30);
    assert_eq!(stayed(30), []);
}

#[test]
fn a_session_without_a_heartbeat_stays_unseen_until_two_more_have_started() {
    let s = Scratch::new();
    let unseen = |now| s.store.gather_unseen_sessions(at(now)).unwrap();
    tell(&s.store, "before", vec![said("u0", -10)]);
    tell(&s.store, "unseen", vec![said("u1", 2)]);
    assert!(unseen(9).is_empty(), "before the first start");
    start(&s.store, "s1", 0);
    tell(&s.store, "s1", vec![said("u2", 1)]);
    assert_eq!(unseen(9), [SessionId::new("unseen")]);
    start(&s.store, "s2", 10);
    assert_eq!(unseen(11), [SessionId::new("unseen")], "it may have been read after that start");
    start(&s.store, "s3", 20);
    assert!(unseen(21).is_empty());
    assert_eq!(s.store.status().unwrap().sessions, 3);
}

#[test]
fn of_many_sessions_without_a_heartbeat_the_newest_are_told() {
    let s = Scratch::new();
    start(&s.store, "s1", 0);
    let most = i64::try_from(HealthEvidence::UNSEEN_MAX).unwrap();
    for n in 0..=most {
        tell(&s.store, &format!("unseen-{n}"), vec![said(&format!("u{n}"), n + 1)]);
    }
    let unseen = s.store.gather_unseen_sessions(at(most + 9)).unwrap();
    assert_eq!(unseen.len(), HealthEvidence::UNSEEN_MAX);
    assert_eq!(unseen[0], SessionId::new(format!("unseen-{most}")));
}

#[test]
fn what_a_clock_dated_later_than_now_neither_accuses_nor_hides() {
    let s = Scratch::new();
    let later = UnixMs(NOW.0 + 365 * UnixMs::DAY_MS);
    let boundary =
        |at| Effect::Boundary(Boundary { session: SessionId::new("s1"), edge: Edge::End, detail: text("other"), at });
    beat(&s.store, "1", HookName::SessionStart, "s1", 0, Some(OutcomeKind::Ok));
    beat(&s.store, "2", HookName::SessionStart, "s1", 365 * UnixMs::DAY_MS, Some(OutcomeKind::Failed));
    s.store.apply(&EventId::new("1"), &[boundary(NOW), boundary(later)], NOW).unwrap();
    let mut said = prompt("u1", "go on");
    (said.session, said.at) = (Some(SessionId::new("forged")), Some(later));
    let mut told = batch(Source::Transcript, "t", Mode::Append, vec![said]);
    told.sessions = vec![SessionSeen {
        id: SessionId::new("forged"),
        first: Some(later),
        last: Some(later),
        client: String::new(),
        entrypoint: String::new(),
        prompts: 1,
        start: StartTrace::Nothing,
    }];
    s.store.commit(&told).unwrap();
    let now = UnixMs(NOW.0 + 9);
    let seen = s.store.gather_hooks(&watch(now, GONE)).unwrap();
    assert_eq!(seen[0].newest, Some(NewestRow { started: NOW, family: Family::Ok }));
    assert!(seen.iter().all(|hook| hook.due == 0), "{seen:?}");
    assert!(s.store.gather_unseen_sessions(now).unwrap().is_empty());
    assert_eq!(s.store.last_boundary(now).unwrap(), Some(NOW));
}
