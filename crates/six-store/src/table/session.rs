//! `session`: what transcripts tell about sessions.

use rusqlite::{Connection, OptionalExtension as _, Result, Row, params};
use six_core::ingest::{SessionSeen, StartTrace};
use six_core::record::{HookName, SessionId, UnixMs};

use super::column;

/// Adds what one batch saw of a session to what is known of it.
pub(crate) fn add(conn: &Connection, seen: &SessionSeen) -> Result<()> {
    conn.prepare_cached(
        "INSERT INTO session (name, first_unix_ms, last_unix_ms, client, entrypoint, prompts, start_trace) \
         VALUES (?1, ?2, ?3, ?4, ?5, ?6, ?7) \
         ON CONFLICT (name) DO UPDATE SET \
             first_unix_ms = min(ifnull(first_unix_ms, excluded.first_unix_ms), ifnull(excluded.first_unix_ms, first_unix_ms)), \
             last_unix_ms = max(ifnull(last_unix_ms, excluded.last_unix_ms), ifnull(excluded.last_unix_ms, last_unix_ms)), \
             client = iif(excluded.client = '', client, excluded.client), \
             entrypoint = iif(excluded.entrypoint = '', entrypoint, excluded.entrypoint), \
             prompts = prompts + excluded.prompts, \
             start_trace = max(start_trace, excluded.start_trace)",
    )?
    .execute(params![
        seen.id.as_str(),
        seen.first.map(|t| t.0),
        seen.last.map(|t| t.0),
        seen.client,
        seen.entrypoint,
        column::int(seen.prompts),
        trace_number(seen.start)
    ])?;
    Ok(())
}

const fn trace_number(trace: StartTrace) -> i64 {
    match trace {
        StartTrace::Nothing => 0,
        StartTrace::Hooks => 1,
        StartTrace::Block => 2,
    }
}

fn trace(row: &Row<'_>, column: usize) -> Result<StartTrace> {
    Ok(match row.get(column)? {
        2 => StartTrace::Block,
        1 => StartTrace::Hooks,
        _ => StartTrace::Nothing,
    })
}

/// What the transcript of a session says of a block that it was shown.
#[derive(Debug)]
pub(crate) struct Trace {
    /// What was written down of its start.
    pub(crate) start: StartTrace,
    /// Whether the model has answered since.
    pub(crate) answered: bool,
    /// The client and its version.
    pub(crate) client: String,
    /// How it was started.
    pub(crate) entrypoint: String,
}

/// What the session that was shown a block at `shown` says of it; `None` while nothing was read of it.
pub(crate) fn trace_of(conn: &Connection, name: &SessionId, shown: UnixMs) -> Result<Option<Trace>> {
    // The index of the answers is one of prompts, too.
    conn.prepare_cached(
        "SELECT start_trace, client, entrypoint, \
             EXISTS (SELECT 1 FROM entry e WHERE e.session_id = s.id AND e.kind IN ('prompt', 'answer') \
                 AND e.kind = 'answer' AND e.at_unix_ms > ?2) \
         FROM session s WHERE name = ?1",
    )?
    .query_row(params![name.as_str(), shown.0], |row| {
        Ok(Trace { start: trace(row, 0)?, client: row.get(1)?, entrypoint: row.get(2)?, answered: row.get(3)? })
    })
    .optional()
}

/// Whether a block of ours was ever written down by this client, in the same version and started in the same way.
pub(crate) fn writes_blocks(conn: &Connection, client: &str, entrypoint: &str) -> Result<bool> {
    conn.prepare_cached(
        "SELECT EXISTS (SELECT 1 FROM session WHERE start_trace = 2 AND client = ?1 AND entrypoint = ?2)",
    )?
    .query_row([client, entrypoint], |row| row.get(0))
}

/// The number of a session, which it is given when it is first heard of.
pub(crate) fn number(conn: &Connection, name: &SessionId) -> Result<i64> {
    match find(conn, name)? {
        Some(number) => Ok(number),
        None => conn.prepare_cached("INSERT INTO session (name) VALUES (?1)")?.insert([name.as_str()]),
    }
}

/// Those whose time transcripts tell.
pub(crate) fn count(conn: &Connection) -> Result<u64> {
    conn.prepare_cached("SELECT count(first_unix_ms) FROM session")?.query_row([], |row| column::count(row, 0))
}

/// Sessions that began after `since`, up to `now`, and left no heartbeat, newest first. A synthetic one is a
/// sign of life, too: the hooks of a benchmark's session ran.
pub(crate) fn without_heartbeat(conn: &Connection, since: UnixMs, now: UnixMs, limit: usize) -> Result<Vec<SessionId>> {
    conn.prepare_cached(
        "SELECT name FROM session s WHERE first_unix_ms > ?1 AND first_unix_ms <= ?2 \
         AND NOT EXISTS (SELECT 1 FROM heartbeat h WHERE h.session = s.name) ORDER BY first_unix_ms DESC LIMIT ?3",
    )?
    .query_map([since.0, now.0, column::int(limit)], |row| row.get::<_, String>(0).map(SessionId::new))?
    .collect()
}

/// Of the sessions that began after `since`, up to `now`, and left any heartbeat: how many there are, and how many left a row
/// of `hook`.
pub(crate) fn begun_after(conn: &Connection, hook: HookName, since: UnixMs, now: UnixMs) -> Result<(u64, u64)> {
    conn.prepare_cached(
        "SELECT count(*), coalesce(sum(EXISTS (SELECT 1 FROM heartbeat h WHERE h.session = s.name AND h.hook = ?2)), 0) \
         FROM session s WHERE first_unix_ms > ?1 AND first_unix_ms <= ?3 \
         AND EXISTS (SELECT 1 FROM heartbeat h WHERE h.session = s.name)",
    )?
    .query_row(params![since.0, hook.as_str(), now.0], |row| Ok((column::count(row, 0)?, column::count(row, 1)?)))
}

/// The number of a session that was heard of.
pub(crate) fn find(conn: &Connection, name: &SessionId) -> Result<Option<i64>> {
    conn.prepare_cached("SELECT id FROM session WHERE name = ?1")?
        .query_row([name.as_str()], |row| row.get(0))
        .optional()
}

/// All sessions, with what is known of each.
pub(crate) fn all(conn: &Connection) -> Result<Vec<SessionSeen>> {
    conn.prepare_cached(
        "SELECT name, first_unix_ms, last_unix_ms, client, entrypoint, prompts, start_trace FROM session ORDER BY id",
    )?
    .query_map([], |row| {
        Ok(SessionSeen {
            id: SessionId::new(row.get::<_, String>(0)?),
            first: column::time_opt(row, 1)?,
            last: column::time_opt(row, 2)?,
            client: row.get(3)?,
            entrypoint: row.get(4)?,
            prompts: column::count(row, 5)?,
            start: trace(row, 6)?,
        })
    })?
    .collect()
}

/// Joins what another store knows of a session to what is known here. Both may have read the same transcript: prompts are
/// not added up.
pub(crate) fn join(conn: &Connection, theirs: &SessionSeen) -> Result<()> {
    let prompts: u64 = conn
        .prepare_cached("SELECT prompts FROM session WHERE name = ?1")?
        .query_row([theirs.id.as_str()], |row| column::count(row, 0))
        .optional()?
        .unwrap_or(0);
    add(conn, &SessionSeen { prompts: theirs.prompts.saturating_sub(prompts), ..theirs.clone() })
}
