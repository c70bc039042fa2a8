//! What a roll-up may change, and what it must not.

use std::cell::Cell;

use proptest::prelude::*;
use six_core::effect::{Effect, Work};
use six_core::health::{CheckName, Fault, HookSeen, Verdict};
use six_core::ingest::{Mode, SessionSeen, StartTrace};
use six_core::record::{Boundary, Edge, EventId, HookName, ItemId, OutcomeKind, SessionId, Source};
use six_core::telemetry::{Measure, UnixDay};

use super::*;
use crate::Process;
use crate::testkit::*;

const NEVER: &dyn Fn() -> bool = &|| false;

/// So many days before now.
fn ago(days: i64) -> UnixMs {
    UnixMs(NOW.0 - days * UnixMs::DAY_MS)
}

fn beat(store: &Store, id: &str, hook: HookName, session: &str, at: UnixMs, end: Option<OutcomeKind>) {
    let beat = six_core::record::Heartbeat {
        session: Some(SessionId::new(session)),
        started: at,
        synthetic: id.starts_with("synthetic"),
        outcome: end.map(|kind| six_core::record::Outcome { ended: UnixMs(at.0 + 4), ..outcome(kind) }),
        ..heartbeat(id, hook)
    };
    store.replay(&beat, &[]).unwrap();
}

fn boundary_at(store: &Store, id: &str, edge: Edge, at: UnixMs) {
    beat(store, id, HookName::SessionStart, "s1", UnixMs(at.0 - 3), Some(OutcomeKind::Ok));
    let boundary = Boundary { session: SessionId::new("s1"), edge, detail: text("startup"), at };
    store.apply(&EventId::new(id), &[Effect::Boundary(boundary)], at).unwrap();
}

/// What is older than this is asked about by nobody.
fn used_lately(store: &Store) {
    boundary_at(store, "last but one", Edge::Start, ago(3));
    boundary_at(store, "last start", Edge::Start, ago(2));
    boundary_at(store, "last", Edge::End, ago(1));
}

/// A row of every table on each of the days, some of them of a benchmark.
fn used_on(days: &[i64]) -> Scratch {
    let s = Scratch::new();
    s.store.note_embedding(NOW).unwrap();
    for day in days {
        let at = ago(*day);
        boundary_at(&s.store, &format!("b{day}"), Edge::Start, at);
        for (prefix, n) in [("", 3), ("synthetic", 2)] {
            for n in 0..n {
                let id = format!("{prefix}{day}-{n}");
                beat(&s.store, &id, HookName::UserPromptSubmit, "s1", UnixMs(at.0 + n), Some(OutcomeKind::Ok));
                s.store
                    .conn
                    .execute(
                        "INSERT INTO receipt (event_id, session, at_unix_ms, mode, human, silenced, fired, took_us, \
                         receipt_json) VALUES (?1, 's1', ?2, 'on', 1, 'no-intent', 0, 900, '{}')",
                        rusqlite::params![id, at.0 + n + 1],
                    )
                    .unwrap();
            }
        }
        let session = SessionId::new(format!("s{day}"));
        let items = vec![ItemId::new("decision:r1"), ItemId::new("correction:r2")];
        let effects = [
            Effect::Deliver { session: session.clone(), items, at },
            Effect::Render {
                session,
                at,
                hash: "h".to_owned(),
                corpus: String::new(),
                over: String::new(),
                units: 9,
                line: "l".to_owned(),
            },
            Effect::Queue(Work::Ingest { transcript: None }),
        ];
        let id = format!("e{day}");
        beat(&s.store, &id, HookName::SessionEnd, "s1", at, Some(OutcomeKind::Failed));
        s.store.apply(&EventId::new(&id), &effects, at).unwrap();
        let (work, _) = s.store.next_work().unwrap().unwrap();
        s.store.finish_work(work, at).unwrap();
        let said = [
            judged(CheckName::Store, Verdict::green()),
            judged(CheckName::Queue, Verdict::red(Fault::StoreParity, "", "")),
        ];
        s.store.note_health(at, &said).unwrap();
    }
    s
}

fn rows(store: &Store) -> Vec<(&'static str, i64)> {
    ["boundary", "heartbeat", "receipt", "delivery", "render", "health_observation", "work"]
        .map(|table| {
            let count = store.conn.query_row(&format!("SELECT count(*) FROM {table}"), [], |row| row.get(0));
            (table, count.unwrap())
        })
        .to_vec()
}

#[test]
fn old_rows_go_and_the_counts_of_every_day_are_what_they_were() {
    let s = used_on(&[400, 399, 300, 181]);
    used_lately(&s.store);
    let before = s.store.telemetry().unwrap();
    assert!(s.store.roll_up(NOW, NEVER).unwrap() > 40);
    assert_eq!(s.store.telemetry().unwrap(), before);
    let last_of_each_day_and_of_each_end = 4 + 2 + 2;
    let left = rows(&s.store);
    assert!(left[1].1 <= last_of_each_day_and_of_each_end + 7, "{left:?}");
    let others: Vec<_> = left.into_iter().filter(|(table, _)| *table != "heartbeat").collect();
    assert_eq!(
        others,
        [("boundary", 3), ("receipt", 0), ("delivery", 0), ("render", 0), ("health_observation", 0), ("work", 0)]
    );
    s.assert_whole();
}

#[test]
fn what_a_benchmark_left_is_only_counted_as_left_by_one() {
    let s = used_on(&[300]);
    used_lately(&s.store);
    s.store.roll_up(NOW, NEVER).unwrap();
    let counts = s.store.telemetry().unwrap();
    let of = |measure: Measure, name: &str| -> u64 {
        counts.iter().filter(|(c, _)| c.measure == measure && c.name == name).map(|(_, n)| n).sum()
    };
    assert_eq!(of(Measure::Invocation, "user-prompt-submit"), 3);
    assert_eq!(of(Measure::Synthetic, "user-prompt-submit"), 2);
    assert_eq!((of(Measure::Prompt, ""), of(Measure::Synthetic, "receipt")), (3, 2));
}

#[test]
fn nothing_younger_is_touched_and_a_day_is_a_day_by_utc() {
    let s = used_on(&[180, 179, 1]);
    let before = rows(&s.store);
    assert_eq!(s.store.roll_up(UnixMs(NOW.0 - 1), NEVER).unwrap(), 0);
    assert_eq!(rows(&s.store), before);

    let s = Scratch::new();
    let midnight = UnixMs(NOW.0.div_euclid(UnixMs::DAY_MS) * UnixMs::DAY_MS - 300 * UnixMs::DAY_MS);
    for (n, at) in [-2, -1, 0, 1].into_iter().enumerate() {
        beat(&s.store, &n.to_string(), HookName::Worker, "s1", UnixMs(midnight.0 + at), Some(OutcomeKind::Ok));
    }
    s.store.roll_up(NOW, NEVER).unwrap();
    let day = UnixDay::of(midnight).0;
    let counted = telemetry_day::all(&s.store.conn).unwrap();
    let days: Vec<_> =
        counted.iter().filter(|(c, _)| c.measure == Measure::Invocation).map(|(c, n)| (c.day.0, n)).collect();
    assert_eq!(days, [(day - 1, 1), (day, 1)], "the last row of either day stays");
}

#[test]
fn it_runs_once_a_day_and_a_second_run_changes_nothing() {
    let s = used_on(&[400, 350, 300]);
    assert!(s.store.roll_up(NOW, NEVER).unwrap() > 0);
    let (counts, left) = (s.store.telemetry().unwrap(), rows(&s.store));
    used_lately(&s.store);
    assert_eq!(s.store.roll_up(UnixMs(NOW.0 + UnixMs::DAY_MS - 1), NEVER).unwrap(), 0, "not again on the same day");
    s.store.roll_up(UnixMs(NOW.0 + UnixMs::DAY_MS), NEVER).unwrap();
    let again = s.store.roll_up(UnixMs(NOW.0 + 2 * UnixMs::DAY_MS), NEVER).unwrap();
    assert_eq!(again, 0);
    assert!(rows(&s.store).iter().map(|(_, n)| n).sum::<i64>() <= left.iter().map(|(_, n)| n).sum::<i64>() + 2);
    let after = s.store.telemetry().unwrap();
    assert!(counts.iter().all(|(counted, n)| after.iter().any(|(c, m)| c == counted && m >= n)));
}

#[test]
fn one_that_was_interrupted_anywhere_goes_on_where_it_was() {
    let whole = used_on(&[400, 300]);
    used_lately(&whole.store);
    let before = whole.store.telemetry().unwrap();
    whole.store.roll_up(NOW, NEVER).unwrap();
    for steps in 0_u32..20 {
        let s = used_on(&[400, 300]);
        used_lately(&s.store);
        let left = Cell::new(steps);
        let is_over = || left.replace(left.get().saturating_sub(1)) == 0;
        s.store.roll_up(NOW, &is_over).unwrap();
        assert_eq!(s.store.telemetry().unwrap(), before, "after {steps} steps");
        s.store.roll_up(NOW, NEVER).unwrap();
        assert_eq!(s.store.telemetry().unwrap(), before, "after {steps} steps and the rest");
        assert_eq!(rows(&s.store), rows(&whole.store));
    }
}

#[test]
fn status_goes_on_counting_what_is_gone() {
    let s = used_on(&[400, 300]);
    used_lately(&s.store);
    let rows = |s: &Scratch| s.store.status().unwrap().hooks.into_iter().map(|h| h.rows).collect::<Vec<_>>();
    let before = rows(&s);
    assert!(s.store.roll_up(NOW, NEVER).unwrap() > 0);
    assert_eq!(rows(&s), before);
}

#[test]
fn a_session_that_began_before_the_last_boundary_and_went_on_counts_as_seen_for_ever() {
    let s = Scratch::new();
    boundary_at(&s.store, "old", Edge::End, ago(500));
    boundary_at(&s.store, "start", Edge::Start, ago(300));
    let mut told = batch(Source::Transcript, "t", Mode::Append, Vec::new());
    told.sessions = vec![session("s1", ago(300).0 + 1, ago(299).0)];
    s.store.commit(&told).unwrap();
    assert!(s.store.gather_unseen_sessions(NOW).unwrap().is_empty());
    s.store.roll_up(NOW, NEVER).unwrap();
    assert!(s.store.gather_unseen_sessions(NOW).unwrap().is_empty());
    assert!(!s.store.is_first_run(NOW).unwrap());
}

fn session(id: &str, first: i64, last: i64) -> SessionSeen {
    SessionSeen {
        id: SessionId::new(id),
        first: Some(UnixMs(first)),
        last: Some(UnixMs(last)),
        client: String::new(),
        entrypoint: String::new(),
        prompts: 1,
        start: StartTrace::Nothing,
    }
}

/// All that the checks ask of telemetry.
fn asked(store: &Store, now: UnixMs) -> (Vec<HookSeen>, Vec<SessionId>, bool, Option<UnixMs>, Vec<u32>, u32) {
    (
        store.gather_hooks(&watch(now, &|_| Process::Gone)).unwrap(),
        store.gather_unseen_sessions(now).unwrap(),
        store.is_first_run(now).unwrap(),
        store.last_boundary(now).unwrap(),
        (0..40).map(|n| store.active_days(UnixMs(ago(n * 11).0 + n * 7_919_000)).unwrap().count()).collect(),
        store.boundaries_since_embedding(now).unwrap(),
    )
}

/// Hours before now, hook, session, way of ending.
type Made = (i64, usize, u8, u8);

fn made() -> impl Strategy<Value = Vec<Made>> {
    prop::collection::vec((0_i64..24 * 420, 0..HookName::ALL.len(), 0_u8..5, 0_u8..8), 0..40)
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 48, failure_persistence: None, ..ProptestConfig::default() })]

    #[test]
    fn the_checks_are_told_the_same_after_a_roll_up(
        made in made(),
        idle_days in 0_i64..260,
        embedded_days in prop::option::weighted(0.8, 0_i64..600),
    ) {
        let s = Scratch::new();
        if let Some(days) = embedded_days {
            s.store.note_embedding(ago(days)).unwrap();
        }
        for (n, (hours, hook, of, end)) in made.iter().enumerate() {
            let at = UnixMs(ago(idle_days).0 - hours * 3_600_000);
            let (id, name) = (n.to_string(), format!("s{of}"));
            match end {
                0 | 1 => {
                    let edge = if *end == 0 { Edge::Start } else { Edge::End };
                    boundary_at(&s.store, &id, edge, at);
                }
                2 => {
                    let mut said = prompt(&id, "go on");
                    (said.session, said.at) = (Some(SessionId::new(&name)), Some(at));
                    let mut told = batch(Source::Transcript, &name, Mode::Append, vec![said]);
                    told.sessions = vec![session(&name, at.0, at.0)];
                    s.store.commit(&told).unwrap();
                }
                _ => {
                    let end = [None, Some(OutcomeKind::Ok), Some(OutcomeKind::Failed), Some(OutcomeKind::TimedOut),
                        Some(OutcomeKind::Skipped)][usize::from(*end) - 3];
                    let id = if n % 7 == 0 { format!("synthetic{id}") } else { id };
                    beat(&s.store, &id, HookName::ALL[*hook], &name, at, end);
                }
            }
        }
        let (counts, before) = (s.store.telemetry().unwrap(), asked(&s.store, NOW));
        s.store.roll_up(NOW, NEVER).unwrap();
        prop_assert_eq!(s.store.telemetry().unwrap(), counts);
        prop_assert_eq!(asked(&s.store, NOW), before);
    }
}
