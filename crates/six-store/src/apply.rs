//! Rows of events: heartbeats, effects, the spool's replay. One event's effects are applied once, however often they come.

use rusqlite::Connection;
use six_core::effect::Effect;
use six_core::health::{Fault, Judged};
use six_core::record::{EventId, Heartbeat, Outcome, UnixMs};
use six_core::text::Redacted;

use crate::error::{Result, StoreError};
use crate::kill::KillPoint;
use crate::open::Store;
use crate::records;
use crate::table::{boundary, claim, delivery, episode, health_observation, heartbeat, receipt, record, render, work};

/// What became of the effects of an event.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Applied {
    /// They were written, as so many rows; 0 when they were applied before.
    Rows(u32),
    /// None of them but the claim: the hook is wired twice, and the other call answers.
    ByTwin,
}

impl Store {
    /// Writes the row that comes before all work. A second row for the same event changes nothing.
    pub fn open_heartbeat(&self, beat: &Heartbeat) -> Result<()> {
        self.write(|conn| heartbeat::open(conn, beat).map(drop).map_err(Into::into))
    }

    /// Applies the effects of an event whose heartbeat was opened, once.
    pub fn apply(&self, event: &EventId, effects: &[Effect], now: UnixMs) -> Result<Applied> {
        self.apply_unless(event, effects, now, || false)
    }

    /// The same, unless a twin of this call that could not write the store answers. `is_answered` is asked once nobody else
    /// can write: while this call waited for that, its twin may have given up waiting.
    pub fn apply_unless(
        &self,
        event: &EventId,
        effects: &[Effect],
        now: UnixMs,
        is_answered: impl Fn() -> bool,
    ) -> Result<Applied> {
        self.write(|conn| match heartbeat::claim_effects(conn, event)? {
            None => Err(StoreError::NoHeartbeat),
            Some(false) => Ok(Applied::Rows(0)),
            Some(true) if is_answered() || !answers(conn, effects)? => Ok(Applied::ByTwin),
            Some(true) => {
                let rows = apply_all(conn, event, effects, now)?;
                KillPoint::HookInTransaction.reach();
                Ok(Applied::Rows(rows))
            }
        })
    }

    /// Whether these effects are those of a call that another one answers for, as far as is known. Nothing is written.
    pub fn has_twin(&self, effects: &[Effect]) -> Result<bool> {
        match effects.first() {
            Some(Effect::Claim { call, via, at }) => Ok(claim::twin(&self.conn, call, via.as_str(), *at)?.is_some()),
            _ => Ok(false),
        }
    }

    /// Completes a heartbeat. The first end stays.
    pub fn close_heartbeat(&self, event: &EventId, outcome: &Outcome) -> Result<()> {
        self.write(|conn| heartbeat::close(conn, event, outcome).map(drop).map_err(Into::into))
    }

    /// Takes an event out of the spool: heartbeat, end and effects in one transaction, whichever of them the store has
    /// already. `false` when it had them all.
    pub fn replay(&self, beat: &Heartbeat, effects: &[Effect]) -> Result<bool> {
        self.write(|conn| {
            let opened = heartbeat::open(conn, beat)?;
            let closed = match &beat.outcome {
                Some(outcome) => heartbeat::close(conn, &beat.id, outcome)?,
                None => false,
            };
            // An event that was spooled when it was opened comes again with its rows: only those claim.
            let claimed = !effects.is_empty() && heartbeat::claim_effects(conn, &beat.id)? == Some(true);
            if claimed && answers(conn, effects)? {
                apply_all(conn, &beat.id, effects, beat.started)?;
            }
            Ok(opened || closed || claimed)
        })
    }

    /// Keeps what the gate said.
    pub fn note_health(&self, at: UnixMs, said: &[Judged]) -> Result<()> {
        self.write(|conn| note_health(conn, at, said).map(drop))
    }

    /// A command that began then was run to its good end: what was red with it as a way out counts as acted on. `command`
    /// are the words that make it the one of a fix: `six repair`, `six config set KEY`.
    pub fn note_fix(&self, began: UnixMs, command: &[String]) -> Result<()> {
        self.write(|conn| Ok(episode::fix_run(conn, began, command)?))
    }
}

/// Rows for what every check said, and the episodes that begin or end with it.
fn note_health(conn: &Connection, at: UnixMs, said: &[Judged]) -> Result<u32> {
    for judged in said {
        health_observation::insert(conn, at, judged)?;
        match judged.fault {
            Some(Fault::Blocked) => {}
            Some(fault) => {
                episode::overtaken(conn, at, judged.check, fault)?;
                episode::open(conn, at, judged, fault)?;
            }
            None => episode::gone(conn, at, judged.check)?,
        }
    }
    Ok(rows(said.len()))
}

/// Whether these effects are those of the call that answers.
fn answers(conn: &Connection, effects: &[Effect]) -> Result<bool> {
    match effects.first() {
        Some(Effect::Claim { call, via, at }) => Ok(claim::take(conn, call, via.as_str(), *at)?),
        _ => Ok(true),
    }
}

fn apply_all(conn: &Connection, event: &EventId, effects: &[Effect], now: UnixMs) -> Result<u32> {
    let mut rows = 0;
    for effect in effects {
        rows += apply_one(conn, event, effect, now)?;
    }
    Ok(rows)
}

fn apply_one(conn: &Connection, event: &EventId, effect: &Effect, now: UnixMs) -> Result<u32> {
    match effect {
        // Taken before all others.
        Effect::Claim { .. } => return Ok(0),
        Effect::Receipt(new) => receipt::insert(conn, event, new, &serde_json::to_string(new)?)?,
        Effect::Boundary(new) => boundary::insert(conn, new)?,
        Effect::Deliver { session, items, at } => {
            for item in items {
                delivery::add(conn, session, item, *at)?;
            }
            return Ok(rows(items.len()));
        }
        Effect::TakeBack { session, items } => {
            let mut taken_back = 0;
            for item in items {
                taken_back += delivery::take_back(conn, session, item)?;
            }
            return Ok(rows(taken_back));
        }
        Effect::ForgetDeliveries { session } => return Ok(rows(delivery::forget(conn, session)?)),
        Effect::Served { records, at } => {
            let mut served = 0;
            for id in records {
                served += record::set_served(conn, id, *at)?;
            }
            return Ok(rows(served));
        }
        Effect::Render { session, at, hash, corpus, over, units, line } => {
            render::insert(conn, &render::Shown { session, at: *at, hash, corpus, over, units: *units, line })?;
        }
        Effect::Judged { at, said } => return note_health(conn, *at, said),
        Effect::Ran { part, kind, class } => {
            let outcome = Outcome {
                kind: *kind,
                class: class.as_str().to_owned(),
                text: Redacted::literal(""),
                ended: now,
                took_us: None,
                rows_written: 0,
                bytes_emitted: 0,
            };
            return Ok(u32::from(heartbeat::insert_part(conn, event, *part, &outcome)?));
        }
        Effect::Propose(new) => return Ok(u32::from(records::insert(conn, new, &new.origin.into())?)),
        Effect::Queue(new) => return Ok(u32::from(work::insert(conn, new, &serde_json::to_string(new)?, now)?)),
    }
    Ok(1)
}

fn rows(n: usize) -> u32 {
    u32::try_from(n).unwrap_or(u32::MAX)
}

#[cfg(test)]
mod tests {
    use six_core::effect::Work;
    use six_core::health::NewestRow;
    use six_core::inject::{Emission, Limits, Receipt};
    use six_core::record::{Boundary, Edge, Family, HookName, ItemId, OutcomeKind, RecordKind, RecordState, SessionId};

    use super::*;
    use crate::Process;
    use crate::testkit::*;

    fn receipt() -> Receipt {
        Receipt {
            session: SessionId::new("s1"),
            prompt_id: None,
            at: NOW,
            tool: None,
            prompt_hash: "h".into(),
            head: text("fix it"),
            mode: Emission::On,
            human: true,
            silenced: Some("no-intent".into()),
            intents: Vec::new(),
            terms: Vec::new(),
            corpus: 0,
            compared: 0,
            candidates: Vec::new(),
            blocks: Vec::new(),
            degraded: Vec::new(),
            limits: Limits::default(),
            stages_us: Vec::new(),
            took_us: 900,
        }
    }

    fn one_of_each() -> Vec<Effect> {
        let session = SessionId::new("s1");
        vec![
            Effect::Receipt(Box::new(receipt())),
            Effect::Boundary(Boundary {
                session: session.clone(),
                edge: Edge::Start,
                detail: text("startup"),
                at: NOW,
            }),
            Effect::Deliver { session: session.clone(), items: vec![ItemId::new("decision:a")], at: NOW },
            Effect::Render {
                session,
                at: NOW,
                hash: "abc".into(),
                corpus: String::new(),
                over: String::new(),
                units: 3,
                line: "MEMORY-HEALTH: 11/11 GREEN".into(),
            },
            Effect::Propose(Box::new(record("p", RecordKind::Correction, RecordState::Pending, "use pnpm", ""))),
            Effect::Queue(Work::Ingest { transcript: None }),
        ]
    }

    fn rows(store: &Store) -> Vec<i64> {
        ["receipt", "boundary", "delivery", "render", "record", "work", "heartbeat"]
            .iter()
            .map(|t| store.conn.query_row(&format!("SELECT count(*) FROM {t}"), [], |r| r.get(0)).unwrap())
            .collect()
    }

    #[test]
    fn whether_a_twin_answers_is_asked_when_nobody_else_can_write_and_then_nothing_is_kept() {
        let s = Scratch::new();
        s.store.open_heartbeat(&heartbeat("e1", HookName::UserPromptSubmit)).unwrap();
        let other = rusqlite::Connection::open(s.path()).unwrap();
        other.busy_timeout(std::time::Duration::ZERO).unwrap();
        let asked = std::cell::Cell::new(false);
        let answered = || {
            asked.set(true);
            assert!(other.execute_batch("BEGIN IMMEDIATE").is_err(), "the store is ours by now");
            true
        };
        let effects = [Effect::Receipt(Box::new(receipt()))];
        let applied = s.store.apply_unless(&EventId::new("e1"), &effects, NOW, answered).unwrap();
        assert_eq!((applied, asked.get()), (Applied::ByTwin, true));
        let kept: i64 = s.store.conn.query_row("SELECT count(*) FROM receipt", [], |row| row.get(0)).unwrap();
        assert_eq!(kept, 0);
    }

    #[test]
    fn effects_of_an_event_are_applied_once() {
        let s = Scratch::new();
        let beat = heartbeat("e1", HookName::UserPromptSubmit);
        s.store.open_heartbeat(&beat).unwrap();
        assert_eq!(s.store.apply(&beat.id, &one_of_each(), NOW).unwrap(), Applied::Rows(6));
        assert_eq!(s.store.apply(&beat.id, &one_of_each(), NOW).unwrap(), Applied::Rows(0));
        assert_eq!(rows(&s.store), [1; 7]);
    }

    #[test]
    fn effects_without_a_heartbeat_are_refused() {
        let s = Scratch::new();
        let error = s.store.apply(&EventId::new("e1"), &one_of_each(), NOW).unwrap_err();
        assert!(matches!(error, StoreError::NoHeartbeat));
        assert_eq!(rows(&s.store), [0; 7]);
    }

    #[test]
    fn a_spooled_event_is_replayed_once_whatever_part_of_it_was_there() {
        let ended = six_core::record::Heartbeat {
            outcome: Some(outcome(OutcomeKind::Ok)),
            ..heartbeat("e1", HookName::UserPromptSubmit)
        };
        for already in 0..4 {
            let s = Scratch::new();
            let beat = heartbeat("e1", HookName::UserPromptSubmit);
            if already > 0 {
                s.store.open_heartbeat(&beat).unwrap();
            }
            if already > 1 {
                s.store.apply(&beat.id, &one_of_each(), NOW).unwrap();
            }
            if already > 2 {
                s.store.close_heartbeat(&beat.id, &outcome(OutcomeKind::Ok)).unwrap();
            }
            assert_eq!(s.store.replay(&ended, &one_of_each()).unwrap(), already < 3, "{already}");
            assert!(!s.store.replay(&ended, &one_of_each()).unwrap());
            assert_eq!(rows(&s.store), [1; 7], "{already}");
            let seen = s.store.gather_hooks(&watch(NOW, &|_| Process::Gone)).unwrap();
            assert_eq!(seen[1].newest, Some(NewestRow { started: NOW, family: Family::Ok }));
        }
    }

    #[test]
    fn of_every_pair_of_equal_calls_one_answers_in_whatever_order_they_come() {
        let s = Scratch::new();
        let calls = [
            ("settings", 0, true),
            ("plugin", 5, false),
            ("plugin", 15_000, true),
            ("settings", 15_005, false),
            ("settings", 30_000, true),
            ("settings", 30_001, true),
            ("plugin", 30_002, false),
            ("plugin", 30_003, false),
            ("plugin", 60_000, true),
            ("settings", 60_001, false),
        ];
        for (n, (via, after, answers)) in calls.into_iter().enumerate() {
            let beat = heartbeat(&format!("e{n}"), HookName::UserPromptSubmit);
            s.store.open_heartbeat(&beat).unwrap();
            let claim = Effect::Claim { call: "same".into(), via: text(via), at: UnixMs(NOW.0 + after) };
            let effects: Vec<Effect> = std::iter::once(claim).chain(one_of_each()).collect();
            let applied = s.store.apply(&beat.id, &effects, NOW).unwrap();
            assert_eq!(applied != Applied::ByTwin, answers, "{n}: {via}");
        }
        let receipts: i64 = s.store.conn.query_row("SELECT count(*) FROM receipt", [], |row| row.get(0)).unwrap();
        assert_eq!(receipts, 5);
    }

    #[test]
    fn a_fault_is_gone_when_its_check_says_one_that_it_looks_for_later() {
        use six_core::health::{CheckName, Verdict};
        let s = Scratch::new();
        for (fault, ms) in [Fault::Quota, Fault::CheckFailed, Fault::StoreMode, Fault::Quota].into_iter().zip(0..) {
            let said = judged(CheckName::Store, Verdict::red(fault, "", "six repair"));
            s.store.note_health(UnixMs(NOW.0 + ms), &[said]).unwrap();
        }
        let told = s.store.gather_episodes((NOW, UnixMs(NOW.0 + 9))).unwrap();
        let end = |one: &six_core::telemetry::Episode| one.remedied.map(|(at, _)| at.0 - NOW.0);
        let ends: Vec<_> = told.iter().map(|one| (one.fault.as_str(), end(one))).collect();
        assert_eq!(ends, [("quota", None), ("check-failed", Some(2)), ("store-mode", Some(3))]);
    }

    #[test]
    fn the_first_end_of_a_heartbeat_stays() {
        let s = Scratch::new();
        let beat = heartbeat("e1", HookName::SessionEnd);
        s.store.open_heartbeat(&beat).unwrap();
        s.store.close_heartbeat(&beat.id, &outcome(OutcomeKind::TimedOut)).unwrap();
        s.store.close_heartbeat(&beat.id, &outcome(OutcomeKind::Ok)).unwrap();
        let seen = s.store.gather_hooks(&watch(NOW, &|_| Process::Ours)).unwrap();
        let seen = seen.iter().find(|seen| seen.hook == HookName::SessionEnd).unwrap();
        assert_eq!(seen.newest, Some(NewestRow { started: NOW, family: Family::Deadline }));
    }

    #[test]
    fn equal_work_waits_once_and_is_done_in_order() {
        let s = Scratch::new();
        let one = Work::Ingest { transcript: Some("/t/1.jsonl".into()) };
        let all = Work::Ingest { transcript: None };
        let beat = heartbeat("e1", HookName::SessionEnd);
        s.store.open_heartbeat(&beat).unwrap();
        let effects = [one.clone(), all.clone(), one.clone()].map(Effect::Queue);
        assert_eq!(s.store.apply(&beat.id, &effects, NOW).unwrap(), Applied::Rows(2));
        let (id, first) = s.store.next_work().unwrap().unwrap();
        assert_eq!(first, one);
        s.store.finish_work(id, NOW).unwrap();
        let (id, second) = s.store.next_work().unwrap().unwrap();
        assert_eq!(second, all);
        s.store.finish_work(id, NOW).unwrap();
        assert_eq!(s.store.next_work().unwrap(), None);
    }

    #[test]
    fn a_compaction_begins_the_counts_again() {
        let s = Scratch::new();
        let shown = |session: &str| Effect::Deliver {
            session: SessionId::new(session),
            items: vec![ItemId::new("decision:a"), ItemId::new("decision:b")],
            at: NOW,
        };
        let beat = heartbeat("e1", HookName::SessionStart);
        s.store.open_heartbeat(&beat).unwrap();
        s.store
            .apply(
                &beat.id,
                &[shown("s1"), shown("s2"), shown("s1"), Effect::ForgetDeliveries { session: SessionId::new("s1") }],
                NOW,
            )
            .unwrap();
        let count =
            |session: &str| delivery::count(&s.store.conn, &SessionId::new(session), &ItemId::new("decision:a"));
        assert_eq!((count("s1").unwrap(), count("s2").unwrap()), (0, 1));
    }
}
