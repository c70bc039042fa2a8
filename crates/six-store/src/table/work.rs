//! `work`: what waits for the worker.

use rusqlite::{Connection, OptionalExtension as _, Result, params};
use six_core::effect::Work;
use six_core::record::UnixMs;
use six_core::telemetry::TelemetryRow;

use super::column;

/// Queues work; `false` when the same waits already.
pub(crate) fn insert(conn: &Connection, work: &Work, json: &str, now: UnixMs) -> Result<bool> {
    let added = conn
        .prepare_cached(
            "INSERT INTO work (kind, payload_json, queued_unix_ms) SELECT ?1, ?2, ?3 \
             WHERE NOT EXISTS (SELECT 1 FROM work WHERE done_unix_ms IS NULL AND payload_json = ?2)",
        )?
        .execute(params![kind(work), json, now.0])?;
    Ok(added > 0)
}

/// The oldest that is not done.
pub(crate) fn next(conn: &Connection) -> Result<Option<(i64, Work)>> {
    conn.prepare_cached("SELECT id, payload_json FROM work WHERE done_unix_ms IS NULL ORDER BY id LIMIT 1")?
        .query_row([], |row| Ok((row.get(0)?, column::json(row, 1)?)))
        .optional()
}

pub(crate) fn finish(conn: &Connection, id: i64, now: UnixMs) -> Result<()> {
    conn.prepare_cached("UPDATE work SET done_unix_ms = ?2 WHERE id = ?1")?.execute(params![id, now.0])?;
    Ok(())
}

fn kind(work: &Work) -> &'static str {
    match work {
        Work::Ingest { .. } => "ingest",
    }
}

/// Rows that are older than `before`, from the one after `after` on, in the order in which they were written. Only what is done
/// can be old.
pub(crate) fn old(
    conn: &Connection,
    before: UnixMs,
    after: Option<i64>,
    limit: usize,
) -> Result<Vec<(i64, TelemetryRow)>> {
    conn.prepare_cached(
        "SELECT id, done_unix_ms, kind FROM work WHERE id > ?1 AND done_unix_ms < ?2 ORDER BY id LIMIT ?3",
    )?
    .query_map(params![after.unwrap_or(i64::MIN), before.0, column::int(limit)], |row| {
        Ok((row.get(0)?, TelemetryRow::Work { done: column::time(row, 1)?, kind: row.get(2)? }))
    })?
    .collect()
}

pub(crate) fn delete(conn: &Connection, id: i64) -> Result<usize> {
    conn.prepare_cached("DELETE FROM work WHERE id = ?1")?.execute([id])
}
