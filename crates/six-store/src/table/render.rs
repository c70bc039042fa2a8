//! `render`: what session starts showed.

use rusqlite::{Connection, OptionalExtension as _, Result, params};
use six_core::health::{BlockShown, BlockSize};
use six_core::record::{SessionId, UnixMs};
use six_core::telemetry::TelemetryRow;

use super::column;

/// A block that a session was shown.
#[derive(Debug)]
pub(crate) struct Shown<'a> {
    pub(crate) session: &'a SessionId,
    pub(crate) at: UnixMs,
    pub(crate) hash: &'a str,
    pub(crate) corpus: &'a str,
    pub(crate) over: &'a str,
    pub(crate) units: u32,
    pub(crate) line: &'a str,
}

pub(crate) fn insert(conn: &Connection, new: &Shown<'_>) -> Result<()> {
    conn.prepare_cached(
        "INSERT INTO render (session, at_unix_ms, hash, corpus, over, units, line) VALUES (?1, ?2, ?3, ?4, ?5, ?6, ?7)",
    )?
    .execute(params![new.session.as_str(), new.at.0, new.hash, new.corpus, new.over, new.units, new.line])?;
    Ok(())
}

/// The newest block.
pub(crate) fn newest(conn: &Connection, now: UnixMs) -> Result<Option<BlockSize>> {
    conn.prepare_cached("SELECT at_unix_ms, units, over FROM render WHERE at_unix_ms <= ?1 ORDER BY id DESC LIMIT 1")?
        .query_row([now.0], |row| {
            Ok(BlockSize { at: column::time(row, 0)?, units: column::small(row, 1)?, over: row.get(2)? })
        })
        .optional()
}

/// Of the newest blocks those that had nothing before them, newest first: a session began with them, or was cleared. What a
/// resumed or forked one is shown, and what comes again after a compaction (also a sub-agent's), is left out, and so is what
/// was shown of a store that could not be read.
pub(crate) fn newest_whole(conn: &Connection, now: UnixMs, signed: &str, limit: usize) -> Result<Vec<BlockShown>> {
    conn.prepare_cached(
        "SELECT r.session, r.at_unix_ms, r.hash, r.corpus \
         FROM (SELECT * FROM render WHERE at_unix_ms <= ?1 ORDER BY id DESC LIMIT ?3) r \
         WHERE r.hash <> '' AND substr(r.corpus, 1, length(?2)) = ?2 AND EXISTS (SELECT 1 FROM boundary b \
             WHERE b.at_unix_ms = r.at_unix_ms AND b.session = r.session AND b.edge = 'start' \
             AND b.detail IN ('startup', 'clear', 'unknown')) \
         ORDER BY r.at_unix_ms DESC, r.id DESC",
    )?
    .query_map(params![now.0, signed, column::int(limit)], |row| {
        let (session, at) = (SessionId::new(row.get::<_, String>(0)?), column::time(row, 1)?);
        Ok(BlockShown { session, at, hash: row.get(2)?, corpus: row.get(3)? })
    })?
    .collect()
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
