//! `render`: what session starts showed.

use rusqlite::{Connection, OptionalExtension as _, Result, params};
use six_core::record::{SessionId, UnixMs};
use six_core::telemetry::TelemetryRow;

use super::column;

pub(crate) fn insert(
    conn: &Connection,
    session: &SessionId,
    at: UnixMs,
    hash: &str,
    units: u32,
    line: &str,
) -> Result<()> {
    conn.prepare_cached("INSERT INTO render (session, at_unix_ms, hash, units, line) VALUES (?1, ?2, ?3, ?4, ?5)")?
        .execute(params![session.as_str(), at.0, hash, units, line])?;
    Ok(())
}

/// Hash of the block that a session was last shown.
pub(crate) fn last_hash(conn: &Connection, session: &SessionId) -> Result<Option<String>> {
    conn.prepare_cached("SELECT hash FROM render WHERE session = ?1 ORDER BY at_unix_ms DESC, id DESC LIMIT 1")?
        .query_row([session.as_str()], |row| row.get(0))
        .optional()
}

/// Rows that are older than `before`, from the one after `after` on, in the order in which they were written.
pub(crate) fn old(
    conn: &Connection,
    before: UnixMs,
    after: Option<i64>,
    limit: usize,
) -> Result<Vec<(i64, TelemetryRow)>> {
    conn.prepare_cached("SELECT id, at_unix_ms FROM render WHERE id > ?1 AND at_unix_ms < ?2 ORDER BY id LIMIT ?3")?
        .query_map(params![after.unwrap_or(i64::MIN), before.0, column::int(limit)], |row| {
            Ok((row.get(0)?, TelemetryRow::Render { at: column::time(row, 1)? }))
        })?
        .collect()
}

pub(crate) fn delete(conn: &Connection, id: i64) -> Result<usize> {
    conn.prepare_cached("DELETE FROM render WHERE id = ?1")?.execute([id])
}
