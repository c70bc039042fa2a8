//! What a session's start shows: what is in force, and nothing that waits, was refused or is over.

use rusqlite::Connection;
use six_core::record::{Anchor, RecordId, RecordState, SessionId};
use six_core::session::{InvariantView, StartView, ThreadView};

use crate::corpus;
use crate::error::Result;
use crate::open::Store;
use crate::rules::EDITED;
use crate::table::{anchor, batch, entry, meta, record, render, thread};

/// How the file name of an invariant begins.
const INVARIANT: &str = "invariant_";

impl Store {
    /// What a session's start shows: invariants, all corrections, the newest `recent` decisions and dead ends, the newest
    /// `threads` of the open threads.
    pub fn gather_start(&self, session: &SessionId, recent: usize, threads: usize) -> Result<StartView> {
        self.read(|conn| {
            let recent_shown = recent;
            let (recent, recent_total) = record::recent(conn, recent)?;
            let (threads, threads_total) = open_threads(conn, threads)?;
            Ok(StartView {
                invariants: invariants(conn)?,
                corrections: record::standing(conn)?,
                recent,
                recent_total,
                threads,
                threads_total,
                pending: record::count(conn, RecordState::Pending)?,
                edited: record::reopened(conn, EDITED)?,
                unseen: batch::unseen_verdicts(conn)?,
                chunks: meta::counter(conn, meta::CHUNKS)?,
                last_hash: render::last_hash(conn, session)?,
                corpus: corpus::signature(conn, recent_shown)?,
            })
        })
    }

    /// What these records cite; those that cite nothing are left out.
    pub fn anchors_of(&self, records: &[RecordId]) -> Result<Vec<(RecordId, Vec<Anchor>)>> {
        self.read(|conn| {
            let mut cited = Vec::new();
            for id in records {
                let anchors = anchor::of_record(conn, id)?;
                if !anchors.is_empty() {
                    cited.push((id.clone(), anchors));
                }
            }
            Ok(cited)
        })
    }
}

/// The threads with what is in force in each, and how many there are. One in which nothing is has nothing to tell, and its
/// name may be one that no person has seen.
fn open_threads(conn: &Connection, limit: usize) -> Result<(Vec<ThreadView>, u64)> {
    let (open, total) = thread::open_in_force(conn, limit)?;
    let mut views = Vec::new();
    for (id, name) in open {
        let (decided, dead_ends) = record::in_force(conn, &id)?;
        views.push(ThreadView { name, decided, dead_ends });
    }
    Ok((views, total))
}

fn invariants(conn: &Connection) -> Result<Vec<InvariantView>> {
    let mut views: Vec<InvariantView> = entry::memory_files(conn, INVARIANT)?
        .into_iter()
        .map(|(title, path)| InvariantView {
            title,
            file: path.rsplit(['/', '\\']).next().unwrap_or_default().to_owned(),
        })
        .filter(|view| view.file.starts_with(INVARIANT))
        .collect();
    views.sort_by(|a, b| a.file.cmp(&b.file));
    Ok(views)
}

#[cfg(test)]
mod tests {
    use six_core::effect::Effect;
    use six_core::ingest::Mode;
    use six_core::record::{EntryKind, HookName, Origin, Record, RecordKind, Source, Thread, ThreadId, UnixMs};
    use six_core::session::CorrectionView;

    use super::*;
    use crate::testkit::*;

    fn session() -> SessionId {
        SessionId::new("s1")
    }

    fn later(ms: i64) -> UnixMs {
        UnixMs(NOW.0 + ms)
    }

    fn made(id: &str, kind: RecordKind, ms: i64) -> Record {
        Record { created: later(ms), ..record(id, kind, RecordState::Confirmed, id, "") }
    }

    fn serve(s: &Scratch, event: &str, ids: &[&str], at: UnixMs) {
        let beat = heartbeat(event, HookName::SessionStart);
        s.store.open_heartbeat(&beat).unwrap();
        let records = ids.iter().map(|id| RecordId::new(*id)).collect();
        s.store.apply(&beat.id, &[Effect::Served { records, at }], at).unwrap();
    }

    fn sight(s: &Scratch, record: &str, origin: Origin, at: UnixMs) {
        s.store
            .conn
            .execute(
                "INSERT INTO sighting (record_id, turn, origin, quote, at_unix_ms) VALUES (?1, ?2, ?3, 'q', ?2)",
                rusqlite::params![record, at.0, origin.as_str()],
            )
            .unwrap();
    }

    #[test]
    fn a_start_shows_invariants_by_name_and_what_this_session_was_shown_last() {
        let s = Scratch::new();
        for name in ["mem/invariant_b.md", "mem/invariant_a.md", "mem/not_invariant_c.md", "mem/MEMORY.md"] {
            let memory = entry(Source::Memory, EntryKind::Memory, name, name);
            s.store.commit(&batch(Source::Memory, name, Mode::Replace, vec![memory])).unwrap();
        }
        let beat = heartbeat("e1", HookName::SessionStart);
        s.store.open_heartbeat(&beat).unwrap();
        let shown = Effect::Render {
            session: session(),
            at: NOW,
            hash: "abc".into(),
            corpus: String::new(),
            over: String::new(),
            units: 1,
            line: "line".into(),
        };
        s.store.apply(&beat.id, &[shown], NOW).unwrap();
        let view = s.store.gather_start(&session(), 2, 2).unwrap();
        let files: Vec<&str> = view.invariants.iter().map(|it| it.file.as_str()).collect();
        assert_eq!((files, view.last_hash.as_deref()), (vec!["invariant_a.md", "invariant_b.md"], Some("abc")));
        assert_eq!(s.store.gather_start(&SessionId::new("s2"), 2, 2).unwrap().last_hash, None);
    }

    #[test]
    fn the_newest_decisions_and_dead_ends_in_force_are_told_together() {
        let s = Scratch::new();
        for (n, kind) in (0..).zip([RecordKind::Decision, RecordKind::DeadEnd, RecordKind::Decision]) {
            s.store.add_record(&made(&format!("r{n}"), kind, n), "operator").unwrap();
        }
        s.store.add_record(&made("sheet", RecordKind::Cheatsheet, 9), "operator").unwrap();
        for state in RecordState::ALL.into_iter().filter(|state| *state != RecordState::Confirmed) {
            for kind in [RecordKind::Decision, RecordKind::DeadEnd, RecordKind::Correction] {
                let id = format!("{} {}", state.as_str(), kind.as_str());
                s.store.add_record(&Record { state, ..made(&id, kind, 9) }, "operator").unwrap();
            }
        }
        let view = s.store.gather_start(&session(), 2, 2).unwrap();
        let told: Vec<_> = view.recent.iter().map(|view| (view.id.as_str(), view.kind)).collect();
        assert_eq!(told, [("r2", EntryKind::Decision), ("r1", EntryKind::DeadEnd)]);
        assert_eq!((view.recent_total, view.pending, view.corrections), (3, 3, vec![]));
    }

    #[test]
    fn a_correction_knows_when_it_was_shown_and_when_the_operator_said_it_again() {
        let s = Scratch::new();
        for id in ["c1", "c2"] {
            s.store.add_record(&made(id, RecordKind::Correction, 0), "operator").unwrap();
        }
        serve(&s, "e1", &["c1"], later(5));
        serve(&s, "e2", &["c1"], later(2));
        sight(&s, "c1", Origin::Operator, later(7));
        sight(&s, "c1", Origin::Operator, later(6));
        sight(&s, "c2", Origin::Agent, later(9));
        let told = |one: &CorrectionView| (one.record.id.to_string(), one.served, one.said_again);
        let view = s.store.gather_start(&session(), 2, 2).unwrap();
        assert_eq!(
            view.corrections.iter().map(told).collect::<Vec<_>>(),
            [("c1".into(), Some(later(5)), Some(later(7))), ("c2".into(), None, None)],
            "an event that comes late out of the spool turns no clock back"
        );
        assert_eq!(view.corrections.iter().map(|one| one.times).collect::<Vec<_>>(), [2, 0]);
    }

    #[test]
    fn open_threads_tell_what_is_in_force_and_one_without_it_is_not_named() {
        let s = Scratch::new();
        let add = |id: &str, open: bool| {
            let (name, summary) = (text(&format!("name of {id}")), text("summary"));
            s.store
                .add_thread(&Thread { id: ThreadId::new(id), name, summary, open, created: NOW, merged_into: None })
                .unwrap();
        };
        for (id, open) in [("old", true), ("new", true), ("closed", false), ("waiting", true), ("gone", true)] {
            add(id, open);
        }
        let put = |id: &str, kind, thread: &str, state, ms| {
            let new = Record { thread: Some(ThreadId::new(thread)), state, ..made(id, kind, ms) };
            s.store.add_record(&new, "operator").unwrap();
        };
        put("d1", RecordKind::Decision, "old", RecordState::Confirmed, 1);
        put("d2", RecordKind::Decision, "old", RecordState::Confirmed, 2);
        put("d3", RecordKind::Decision, "old", RecordState::Superseded, 3);
        put("x1", RecordKind::DeadEnd, "new", RecordState::Confirmed, 4);
        put("d4", RecordKind::Decision, "closed", RecordState::Confirmed, 5);
        put("d5", RecordKind::Decision, "waiting", RecordState::Pending, 6);
        put("d6", RecordKind::Decision, "gone", RecordState::Confirmed, 7);
        s.store.conn.execute("UPDATE thread SET merged_into = 'old' WHERE id = 'gone'", []).unwrap();
        let view = s.store.gather_start(&session(), 2, 1).unwrap();
        let new = ThreadView { name: "name of new".into(), decided: vec![], dead_ends: 1 };
        assert_eq!((view.threads, view.threads_total), (vec![new], 2));
        let all = s.store.gather_start(&session(), 2, 9).unwrap().threads;
        assert_eq!(
            all[1],
            ThreadView { name: "name of old".into(), decided: vec!["d2".into(), "d1".into()], dead_ends: 0 }
        );
    }

    #[test]
    fn what_records_cite_is_given_for_those_that_cite_something() {
        let s = Scratch::new();
        let anchors = vec![Anchor::of_path(text("src/a.rs"))];
        s.store.add_record(&Record { anchors: anchors.clone(), ..made("d1", RecordKind::Decision, 0) }, "x").unwrap();
        s.store.add_record(&made("d2", RecordKind::Decision, 0), "x").unwrap();
        let ids = ["d1", "d2", "d3"].map(RecordId::new);
        assert_eq!(s.store.anchors_of(&ids).unwrap(), [(RecordId::new("d1"), anchors)]);
    }
}
