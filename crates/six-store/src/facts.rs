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
            let since = boundary::last(conn)?;
            HookName::ALL.into_iter().map(|hook| hook_seen(conn, hook, since, now, pid_alive)).collect()
        })
    }

    /// Sessions that began after the last boundary and left no heartbeat, newest first. Before the first boundary there is
    /// none: what was there before six was is nobody's fault.
    pub fn gather_unseen_sessions(&self) -> Result<Vec<SessionId>> {
        self.read(|conn| match boundary::last(conn)? {
            Some(last) => Ok(session::without_heartbeat(conn, last)?),
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
    pub fn last_boundary(&self) -> Result<Option<UnixMs>> {
        self.read(|conn| Ok(boundary::last(conn)?))
    }
}

/// Looks for one body by its rarest term.
fn sample_found(conn: &Connection) -> Result<Option<bool>> {
    let Some(id) = body::any(conn)? else { return Ok(None) };
    let Some(text) = chunk::body_text(conn, id)? else { return Ok(Some(false)) };
    let mut rarest: Option<(u64, String)> = None;
    for term in Terms::of(&text, &body::lent(conn, id)?).distinct {
        let df = term::df(conn, &term)?;
        if rarest.as_ref().is_none_or(|(least, _)| df < *least) {
            rarest = Some((df, term));
        }
    }
    match rarest {
        None => Ok(None),
        Some((df, term)) => Ok(Some(df > 0 && body_fts::finds(conn, id, &term)?)),
    }
}

fn hook_seen(
    conn: &Connection,
    hook: HookName,
    since: Option<UnixMs>,
    now: UnixMs,
    pid_alive: &dyn Fn(u32) -> bool,
) -> Result<HookSeen> {
    let running = |seen: &heartbeat::Seen| {
        let overdue = seen.started.0.saturating_add(i64::from(seen.deadline_ms)).saturating_add(OVERDUE_MS) < now.0;
        seen.outcome.is_none() && !overdue && pid_alive(seen.pid)
    };
    let newest = heartbeat::newest(conn, hook, NEWEST)?.into_iter().find(|seen| !running(seen));
    Ok(HookSeen {
        hook,
        wired: None,
        newest: newest.map(|seen| NewestRow { started: seen.started, ended: seen.outcome }),
        error: heartbeat::newest_ended(conn, hook, false)?.map(|(_, said)| said).unwrap_or_default(),
        expected: match since {
            Some(since) => expected(conn, hook, since)?,
            None => 0,
        },
        rows: heartbeat::count_after(conn, hook, since.unwrap_or(UnixMs(i64::MIN)))?,
    })
}

/// Events that transcripts show. An end leaves no record there.
fn expected(conn: &Connection, hook: HookName, since: UnixMs) -> Result<u64> {
    Ok(match hook {
        HookName::UserPromptSubmit => entry::prompts_after(conn, since.0)?,
        HookName::SessionStart => session::begun_after(conn, since)?,
        HookName::SessionEnd | HookName::Worker => 0,
    })
}
