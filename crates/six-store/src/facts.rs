//! What the health checks need from the store.

use std::collections::BTreeMap;

use rusqlite::Connection;
use six_core::health::{self, HookSeen, NewestRow, QueueEvidence};
use six_core::record::{Edge, HookName, RecordState, SessionId, Source, UnixMs};

use crate::check::FullCheck;
use crate::error::{Result, StoreError};
use crate::open::Store;
use crate::table::body_fts::Terms;
use crate::table::{body, body_fts, boundary, chunk, entry, heartbeat, meta, record, session, skip, source_file, term};

/// The store's own part of [`six_core::health::StoreEvidence`].
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct StoreFacts {
    /// Chunk bodies by count of rows.
    pub bodies: u64,
    /// Rows of the full-text index.
    pub index_rows: u64,
    /// What the running counter says.
    pub counted: u64,
    /// Whether one body picked at random was found again through the index; `None` when there was none to pick.
    pub sample_found: Option<bool>,
    /// The last full check.
    pub full_check: Option<health::FullCheck>,
}

/// The store's own part of [`six_core::health::IngestEvidence`].
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct IngestFacts {
    /// Files that failed at least once since they were last consumed: path, last error, tries.
    pub failing: Vec<(String, String, u32)>,
    /// Lines and pieces that were skipped, by reason.
    pub skipped: BTreeMap<String, u64>,
    /// When anything was last consumed.
    pub last_run: Option<UnixMs>,
}

/// Rows of a hook that are looked at for one that has ended; more than this never run at once.
const NEWEST: usize = 32;

/// Milliseconds after its deadline from which a row without an end is a crash whatever process has its number now.
const OVERDUE_MS: i64 = 60_000;

impl Store {
    /// Parity, one random body, the last full check.
    pub fn gather_store_facts(&self) -> Result<StoreFacts> {
        let last = self.last_full_check()?;
        self.read(|conn| {
            let full_check = last.map(|check: FullCheck| {
                let active_days_ago = heartbeat::active_days(conn, check.at)?;
                Ok::<_, StoreError>(health::FullCheck { at: check.at, clean: check.faults.is_empty(), active_days_ago })
            });
            Ok(StoreFacts {
                bodies: body::count(conn)?,
                index_rows: body_fts::count(conn)?,
                counted: meta::counter(conn, meta::BODIES)?,
                sample_found: sample_found(conn)?,
                full_check: full_check.transpose()?,
            })
        })
    }

    /// What was seen of every hook since the last boundary; `wired` is for the caller to fill.
    pub fn gather_hooks(&self, now: UnixMs, pid_alive: &dyn Fn(u32) -> bool) -> Result<Vec<HookSeen>> {
        self.read(|conn| {
            let since = boundary::last(conn, now)?;
            HookName::ALL.into_iter().map(|hook| hook_seen(conn, hook, since, now, pid_alive)).collect()
        })
    }

    /// Sessions that began after the last boundary and left no heartbeat, newest first. Before the first boundary there is
    /// none: what was there before six was is nobody's fault.
    pub fn gather_unseen_sessions(&self, now: UnixMs) -> Result<Vec<SessionId>> {
        self.read(|conn| match boundary::last(conn, now)? {
            Some(last) => Ok(session::without_heartbeat(conn, last, now)?),
            None => Ok(Vec::new()),
        })
    }

    /// Candidates that wait for triage.
    pub fn gather_queue(&self) -> Result<QueueEvidence> {
        self.read(|conn| {
            Ok(QueueEvidence {
                pending: record::count(conn, RecordState::Pending)?,
                oldest: record::oldest(conn, RecordState::Pending)?,
            })
        })
    }

    /// Failures and skips of the sources.
    pub fn gather_ingest(&self) -> Result<IngestFacts> {
        self.read(|conn| {
            let mut skipped = BTreeMap::new();
            for source in Source::ALL {
                for (reason, count) in skip::totals(conn, source)? {
                    *skipped.entry(reason).or_default() += count;
                }
            }
            Ok(IngestFacts { failing: source_file::failing(conn)?, skipped, last_run: source_file::last_run(conn)? })
        })
    }

    /// Days with any heartbeat since `since`: what lag is counted in.
    pub fn active_days(&self, since: UnixMs) -> Result<u32> {
        self.read(|conn| Ok(heartbeat::active_days(conn, since)?))
    }

    /// Whether any session has ended yet.
    pub fn has_ended_session(&self) -> Result<bool> {
        self.read(|conn| Ok(boundary::has(conn, Edge::End)?))
    }

    /// When the last session started or ended.
    pub fn last_boundary(&self, now: UnixMs) -> Result<Option<UnixMs>> {
        self.read(|conn| Ok(boundary::last(conn, now)?))
    }
}

/// Looks for one body by its rarest term.
fn sample_found(conn: &Connection) -> Result<Option<bool>> {
    let Some(id) = body::any(conn)? else { return Ok(None) };
    let Some(text) = chunk::body_text(conn, id)? else { return Ok(Some(false)) };
    let terms = Terms::of(&text, &body::lent(conn, id)?);
    let mut rarest: Option<(u64, &str)> = None;
    for term in terms.distinct() {
        let df = term::df(conn, term)?;
        if rarest.as_ref().is_none_or(|(least, _)| df < *least) {
            rarest = Some((df, term));
        }
    }
    match rarest {
        None => Ok(None),
        Some((df, term)) => Ok(Some(df > 0 && body_fts::finds(conn, id, term)?)),
    }
}

/// Whether a row without an end is that of a process which still works; else it is a crash.
pub(crate) fn is_running(seen: &heartbeat::Seen, now: UnixMs, pid_alive: &dyn Fn(u32) -> bool) -> bool {
    let overdue = seen.started.0.saturating_add(i64::from(seen.deadline_ms)).saturating_add(OVERDUE_MS) < now.0;
    seen.outcome.is_none() && !overdue && pid_alive(seen.pid)
}

fn hook_seen(
    conn: &Connection,
    hook: HookName,
    since: Option<UnixMs>,
    now: UnixMs,
    pid_alive: &dyn Fn(u32) -> bool,
) -> Result<HookSeen> {
    let (due, called) = due(conn, hook, since, now)?;
    let newest = heartbeat::newest(conn, hook, now, NEWEST)?.into_iter().find(|seen| !is_running(seen, now, pid_alive));
    Ok(HookSeen {
        hook,
        wired: None,
        newest: newest.map(|seen| NewestRow { started: seen.started, ended: seen.outcome }),
        error: heartbeat::newest_ended(conn, hook, false)?.map(|(_, said)| said).unwrap_or_default(),
        due,
        called,
    })
}

/// Sessions that transcripts show, and those of them that called the hook. An end leaves no record there, a turn that was
/// interrupted has none, and a session without calls of tools is none that lacks them.
fn due(conn: &Connection, hook: HookName, since: Option<UnixMs>, now: UnixMs) -> Result<(u64, u64)> {
    Ok(match (hook, since) {
        (HookName::UserPromptSubmit, Some(since)) => entry::prompted_after(conn, hook, since, now)?,
        (HookName::SessionStart, Some(since)) => session::begun_after(conn, hook, since, now)?,
        _ => (0, 0),
    })
}

#[cfg(test)]
mod tests {
    use six_core::effect::Effect;
    use six_core::ingest::{Mode, SessionSeen};
    use six_core::record::{Boundary, Edge, EventId, OutcomeKind, RecordKind};

    use super::*;
    use crate::testkit::*;

    fn beat(store: &Store, id: &str, hook: HookName, started: i64, end: Option<OutcomeKind>) {
        let mut beat = heartbeat(id, hook);
        beat.started = UnixMs(NOW.0 + started);
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

    #[test]
    fn parity_holds_in_a_sound_store_and_a_lost_index_row_shows() {
        let s = Scratch::new();
        assert_eq!(s.store.gather_store_facts().unwrap().sample_found, None);
        s.store.commit(&doc_batch("a.md", "retry with jitter")).unwrap();
        let facts = s.store.gather_store_facts().unwrap();
        assert_eq!((facts.bodies, facts.index_rows, facts.counted, facts.sample_found), (1, 1, 1, Some(true)));
        s.store.conn.execute("DELETE FROM body_fts", []).unwrap();
        let facts = s.store.gather_store_facts().unwrap();
        assert_eq!((facts.bodies, facts.index_rows, facts.counted, facts.sample_found), (1, 0, 1, Some(false)));
        assert_eq!(s.store.full_check(NOW).unwrap().faults, ["1 bodies, 0 index rows, 1 counted"]);
        assert_eq!(
            s.store.gather_store_facts().unwrap().full_check,
            Some(health::FullCheck { at: NOW, clean: false, active_days_ago: 0 })
        );
    }

    #[test]
    fn a_dropped_index_is_never_a_healthy_empty_store() {
        let s = Scratch::new();
        s.store.commit(&doc_batch("a.md", "retry with jitter")).unwrap();
        s.store.conn.execute_batch("DROP TABLE body_fts").unwrap();
        assert!(s.store.gather_store_facts().is_err());
        assert!(s.store.search(&query("jitter")).is_err());
    }

    #[test]
    fn a_row_without_an_end_is_running_or_a_crash() {
        let s = Scratch::new();
        beat(&s.store, "1", HookName::UserPromptSubmit, 0, Some(OutcomeKind::Ok));
        beat(&s.store, "2", HookName::UserPromptSubmit, 10, None);
        let newest = |now: i64, alive: bool| {
            s.store.gather_hooks(UnixMs(NOW.0 + now), &|pid| alive && pid == 4242).unwrap()[1].newest
        };
        let ended = |started, ended| Some(NewestRow { started, ended });
        assert_eq!(newest(20, true), ended(NOW, Some(OutcomeKind::Ok)));
        assert_eq!(newest(20, false), ended(UnixMs(NOW.0 + 10), None));
        assert_eq!(newest(10 + 500 + OVERDUE_MS + 1, true), ended(UnixMs(NOW.0 + 10), None));
    }

    #[test]
    fn synthetic_rows_are_left_out() {
        let s = Scratch::new();
        let mut probe = heartbeat("1", HookName::SessionStart);
        probe.synthetic = true;
        s.store.open_heartbeat(&probe).unwrap();
        let seen = &s.store.gather_hooks(NOW, &|_| false).unwrap()[0];
        assert_eq!(seen.newest, None);
    }

    #[test]
    fn a_session_that_wrote_since_the_last_boundary_was_to_call_the_prompt_hook() {
        let s = Scratch::new();
        beat(&s.store, "1", HookName::SessionStart, 0, Some(OutcomeKind::Failed));
        let start = Boundary { session: SessionId::new("s1"), edge: Edge::Start, detail: text("startup"), at: NOW };
        s.store.apply(&EventId::new("1"), &[Effect::Boundary(start)], NOW).unwrap();
        let said = [("u0", "s1", 0), ("u1", "s1", 1), ("u2", "s1", 2), ("u3", "s2", 3), ("u4", "s0", -1)];
        let said = said.map(|(key, session, at)| {
            let mut said = prompt(key, "go on");
            (said.session, said.at) = (Some(SessionId::new(session)), Some(UnixMs(NOW.0 + at)));
            said
        });
        s.store.commit(&batch(Source::Transcript, "t", Mode::Append, said.into())).unwrap();
        beat(&s.store, "2", HookName::UserPromptSubmit, 1, Some(OutcomeKind::Ok));
        let seen = s.store.gather_hooks(UnixMs(NOW.0 + 9), &|_| false).unwrap();
        assert_eq!((seen[1].due, seen[1].called), (2, 1), "s1 called it and s2 did not");
        assert_eq!(seen[0].error, "panic: it broke");
        assert_eq!(s.store.last_boundary(NOW).unwrap(), Some(NOW));
    }

    #[test]
    fn a_session_since_the_last_boundary_without_a_heartbeat_is_unseen() {
        let s = Scratch::new();
        let seen = |id: &str, first: i64| SessionSeen {
            id: SessionId::new(id),
            first: Some(UnixMs(NOW.0 + first)),
            last: Some(UnixMs(NOW.0 + first + 5)),
            client: "2.0".to_owned(),
            entrypoint: "cli".to_owned(),
            prompts: 1,
        };
        let mut told = batch(Source::Transcript, "t", Mode::Append, Vec::new());
        told.sessions = vec![seen("before", -10), seen("s1", 1), seen("unseen", 2)];
        s.store.commit(&told).unwrap();
        assert!(s.store.gather_unseen_sessions(UnixMs(NOW.0 + 9)).unwrap().is_empty());
        beat(&s.store, "1", HookName::SessionStart, 0, None);
        let start = Boundary { session: SessionId::new("s1"), edge: Edge::Start, detail: text("startup"), at: NOW };
        s.store.apply(&EventId::new("1"), &[Effect::Boundary(start)], NOW).unwrap();
        assert_eq!(s.store.gather_unseen_sessions(UnixMs(NOW.0 + 9)).unwrap(), [SessionId::new("unseen")]);
        assert_eq!(s.store.status().unwrap().sessions, 3);
    }

    #[test]
    fn what_a_clock_dated_later_than_now_neither_accuses_nor_hides() {
        let s = Scratch::new();
        let later = UnixMs(NOW.0 + 365 * UnixMs::DAY_MS);
        let boundary = |at| {
            Effect::Boundary(Boundary { session: SessionId::new("s1"), edge: Edge::End, detail: text("other"), at })
        };
        beat(&s.store, "1", HookName::SessionStart, 0, Some(OutcomeKind::Ok));
        beat(&s.store, "2", HookName::SessionStart, 365 * UnixMs::DAY_MS, Some(OutcomeKind::Failed));
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
        }];
        s.store.commit(&told).unwrap();
        let now = UnixMs(NOW.0 + 9);
        let seen = s.store.gather_hooks(now, &|_| false).unwrap();
        assert_eq!(seen[0].newest, Some(NewestRow { started: NOW, ended: Some(OutcomeKind::Ok) }));
        assert!(seen.iter().all(|hook| hook.due == 0), "{seen:?}");
        assert!(s.store.gather_unseen_sessions(now).unwrap().is_empty());
        assert_eq!(s.store.last_boundary(now).unwrap(), Some(NOW));
    }

    #[test]
    fn activity_is_counted_in_days_with_a_heartbeat() {
        let s = Scratch::new();
        for (n, day) in [0, 0, 1, 5].into_iter().enumerate() {
            beat(&s.store, &n.to_string(), HookName::SessionStart, day * UnixMs::DAY_MS, None);
        }
        assert_eq!(s.store.active_days(NOW).unwrap(), 3);
        assert_eq!(s.store.active_days(UnixMs(NOW.0 + UnixMs::DAY_MS)).unwrap(), 2);
    }

    #[test]
    fn the_queue_counts_what_waits() {
        let s = Scratch::new();
        assert_eq!(s.store.gather_queue().unwrap(), QueueEvidence { pending: 0, oldest: None });
        s.store.add_record(&record("a", RecordKind::Decision, RecordState::Pending, "a", ""), "agent").unwrap();
        s.store.add_record(&record("b", RecordKind::Decision, RecordState::Confirmed, "b", ""), "agent").unwrap();
        assert_eq!(s.store.gather_queue().unwrap(), QueueEvidence { pending: 1, oldest: Some(NOW) });
    }

    #[test]
    fn status_counts_by_source() {
        let s = Scratch::new();
        s.store.commit(&doc_batch("a.md", "one\ntwo")).unwrap();
        let mut failed = file(Source::Transcript, "t");
        failed.fails = 4;
        failed.last_error = text("permission denied");
        failed.skipped.insert("too long".to_owned(), 2);
        s.store.note_failure(&failed).unwrap();
        let status = s.store.status().unwrap();
        assert_eq!((status.chunks, status.bodies, status.entries, status.text_bytes), (2, 2, 1, 7));
        let of = |source| status.sources.iter().find(|s| s.source == source).unwrap();
        assert_eq!((of(Source::Doc).files, of(Source::Doc).chunks, of(Source::Doc).text_bytes), (1, 2, 7));
        assert_eq!((of(Source::Transcript).failing, of(Source::Transcript).skipped["too long"]), (1, 2));
        assert_eq!(of(Source::Transcript).consumed, None);
        assert_eq!(s.store.gather_ingest().unwrap().failing, [("t".to_owned(), "permission denied".to_owned(), 4)]);
    }
}
