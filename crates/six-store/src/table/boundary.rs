//! `boundary`: starts and ends of sessions.

use std::collections::HashSet;

use rusqlite::{Connection, Result, params};
use six_core::record::{Boundary, Edge, UnixMs};
use six_core::telemetry::TelemetryRow;

use super::column;

pub(crate) fn insert(conn: &Connection, boundary: &Boundary) -> Result<()> {
    conn.prepare_cached("INSERT INTO boundary (session, edge, detail, at_unix_ms) VALUES (?1, ?2, ?3, ?4)")?
        .execute(params![boundary.session.as_str(), boundary.edge.as_str(), boundary.detail.as_str(), boundary.at.0])?;
    Ok(())
}

/// When the newest one was. Of a clock that was set back the later ones are left out: they would hide what comes now.
pub(crate) fn last(conn: &Connection, now: UnixMs) -> Result<Option<UnixMs>> {
    conn.prepare_cached("SELECT max(at_unix_ms) FROM boundary WHERE at_unix_ms <= ?1")?
        .query_row([now.0], |row| column::time_opt(row, 0))
}

/// When the newest sessions started, newest first. A compaction starts no session, and of a clock that was set back the later
/// ones are left out.
pub(crate) fn newest_starts(conn: &Connection, now: UnixMs, limit: usize) -> Result<Vec<UnixMs>> {
    conn.prepare_cached(
        "SELECT at_unix_ms FROM boundary WHERE at_unix_ms <= ?1 AND edge = 'start' AND detail <> 'compact' \
         ORDER BY at_unix_ms DESC LIMIT ?2",
    )?
    .query_map(params![now.0, column::int(limit)], |row| column::time(row, 0))?
    .collect()
}

/// How many there were after the one time and up to the other.
pub(crate) fn count_between(conn: &Connection, after: UnixMs, up_to: UnixMs) -> Result<u32> {
    conn.prepare_cached("SELECT count(*) FROM boundary WHERE at_unix_ms > ?1 AND at_unix_ms <= ?2")?
        .query_row([after.0, up_to.0], |row| row.get(0))
}

/// Whether there is any of that side.
pub(crate) fn has(conn: &Connection, edge: Edge) -> Result<bool> {
    conn.prepare_cached("SELECT EXISTS (SELECT 1 FROM boundary WHERE edge = ?1)")?
        .query_row([edge.as_str()], |row| row.get(0))
}

/// Rows that are older than `before`, from the one after `after` on, in the order in which they were written.
pub(crate) fn old(
    conn: &Connection,
    before: UnixMs,
    after: Option<i64>,
    limit: usize,
) -> Result<Vec<(i64, TelemetryRow)>> {
    conn.prepare_cached(
        "SELECT id, at_unix_ms, edge, detail FROM boundary WHERE id > ?1 AND at_unix_ms < ?2 ORDER BY id LIMIT ?3",
    )?
    .query_map(params![after.unwrap_or(i64::MIN), before.0, column::int(limit)], |row| {
        let boundary = TelemetryRow::Boundary { at: column::time(row, 1)?, edge: row.get(2)?, detail: row.get(3)? };
        Ok((row.get(0)?, boundary))
    })?
    .collect()
}

pub(crate) fn delete(conn: &Connection, id: i64) -> Result<usize> {
    conn.prepare_cached("DELETE FROM boundary WHERE id = ?1")?.execute([id])
}

/// One of each side stays for ever: whether a session ever ended is asked of it.
pub(crate) fn needed(conn: &Connection) -> Result<HashSet<i64>> {
    conn.prepare_cached("SELECT max(id) FROM boundary GROUP BY edge")?.query_map([], |row| row.get(0))?.collect()
}
