//! What the health checks need from the store.

use std::collections::BTreeMap;

use rusqlite::Connection;
use six_core::health::{self, ActiveDays, HealthLimits, QueueEvidence};
use six_core::record::{Edge, RecordState, Source, UnixMs};

use crate::check::FullCheck;
use crate::error::{Result, StoreError};
use crate::journal::Journal;
use crate::open::Store;
use crate::table::body_fts::Terms;
use crate::table::{body, body_fts, boundary, chunk, heartbeat, meta, record, skip, source_file, term};

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
    /// Days with any heartbeat, counted only where there was no full check yet.
    pub active_days: ActiveDays,
    /// Which journal its file has.
    pub journal: Journal,
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

impl Store {
    /// Parity, one random body, the last full check.
    pub fn gather_store_facts(&self) -> Result<StoreFacts> {
        let last = self.last_full_check()?;
        self.read(|conn| {
            let full_check = last.map(|check: FullCheck| {
                let active_days_ago = heartbeat::active_days(conn, check.at)?;
                Ok::<_, StoreError>(health::FullCheck { at: check.at, clean: check.faults.is_empty(), active_days_ago })
            });
            let active_days =
                if full_check.is_none() { heartbeat::active_days(conn, UnixMs(0))? } else { ActiveDays::default() };
            Ok(StoreFacts {
                active_days,
                journal: self.journal(),
                bodies: body::count(conn)?,
                index_rows: body_fts::count(conn)?,
                counted: meta::counter(conn, meta::BODIES)?,
                sample_found: sample_found(conn)?,
                full_check: full_check.transpose()?,
            })
        })
    }

    /// Candidates that wait for triage.
    pub fn gather_queue(&self) -> Result<QueueEvidence> {
        self.read(|conn| {
            let since = |older| record::since(conn, RecordState::Pending, older);
            let (pending, most) = (record::count(conn, RecordState::Pending)?, HealthLimits::default().max_pending);
            let crowded = if pending > most { since(most)? } else { None };
            Ok(QueueEvidence { pending, oldest: since(0)?, crowded })
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
    pub fn active_days(&self, since: UnixMs) -> Result<ActiveDays> {
        self.read(|conn| Ok(heartbeat::active_days(conn, since)?))
    }

    /// Whether nothing can be missing yet: no session has ended, and fewer than two have started. An end proves that hooks
    /// run, but it is expected of nobody: who always closes the terminal has many starts and no end.
    pub fn is_first_run(&self, now: UnixMs) -> Result<bool> {
        self.read(|conn| {
            // Asked first: with two starts no end is looked for among all boundaries.
            let has_started_twice = boundary::newest_starts(conn, now, 2)?.len() >= 2;
            Ok(!has_started_twice && !boundary::has(conn, Edge::End)?)
        })
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

#[cfg(test)]
mod tests {
    use six_core::effect::Effect;
    use six_core::record::{Boundary, HookName, RecordKind, SessionId};

    use super::*;
    use crate::testkit::*;

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
            Some(health::FullCheck { at: NOW, clean: false, active_days_ago: ActiveDays::default() })
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
    fn activity_is_counted_in_days_with_a_heartbeat() {
        let s = Scratch::new();
        for (n, day) in [0, 0, 1, 5].into_iter().enumerate() {
            let started = UnixMs(NOW.0 + day * UnixMs::DAY_MS);
            let row = heartbeat(&n.to_string(), HookName::SessionStart);
            s.store.open_heartbeat(&six_core::record::Heartbeat { started, ..row }).unwrap();
        }
        let began = |since| s.store.active_days(UnixMs(NOW.0 + since * UnixMs::DAY_MS)).unwrap().began;
        let days = [0, 1, 5].map(|day| UnixMs(NOW.0 + day * UnixMs::DAY_MS));
        assert_eq!((began(0), began(1), began(6)), (days.to_vec(), days[1..].to_vec(), Vec::new()));
    }

    #[test]
    fn the_first_run_is_over_with_the_first_end_or_the_second_start() {
        let of = |edges: &[(Edge, &str)]| {
            let s = Scratch::new();
            assert!(s.store.is_first_run(NOW).unwrap(), "nothing has happened");
            for (n, (edge, detail)) in (0..).zip(edges) {
                let row = heartbeat(&n.to_string(), HookName::SessionStart);
                s.store.open_heartbeat(&row).unwrap();
                let boundary = Boundary {
                    session: SessionId::new("s1"),
                    edge: *edge,
                    detail: text(detail),
                    at: UnixMs(NOW.0 + n),
                };
                s.store.apply(&row.id, &[Effect::Boundary(boundary)], NOW).unwrap();
            }
            s.store.is_first_run(UnixMs(NOW.0 + 9)).unwrap()
        };
        let (startup, end) = ((Edge::Start, "startup"), (Edge::End, "other"));
        assert!(of(&[startup]));
        assert!(of(&[startup, (Edge::Start, "compact")]), "a compaction starts no session");
        assert!(!of(&[startup, end]));
        assert!(!of(&[startup, startup]), "terminals are closed, and no session ever ends");
    }

    #[test]
    fn the_queue_counts_what_waits() {
        let s = Scratch::new();
        assert_eq!(s.store.gather_queue().unwrap(), QueueEvidence { pending: 0, oldest: None, crowded: None });
        s.store.add_record(&record("a", RecordKind::Decision, RecordState::Pending, "a", ""), "agent").unwrap();
        s.store.add_record(&record("b", RecordKind::Decision, RecordState::Confirmed, "b", ""), "agent").unwrap();
        assert_eq!(s.store.gather_queue().unwrap(), QueueEvidence { pending: 1, oldest: Some(NOW), crowded: None });
        for n in 2..=43 {
            let created = UnixMs(NOW.0 + n);
            let one = record(&format!("p{n}"), RecordKind::Decision, RecordState::Pending, "a", "");
            s.store.add_record(&six_core::record::Record { created, ..one }, "agent").unwrap();
        }
        let crowded = Some(UnixMs(NOW.0 + 41));
        assert_eq!(s.store.gather_queue().unwrap(), QueueEvidence { pending: 43, oldest: Some(NOW), crowded });
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
