//! `delivery`: how often a session was shown an item.

use rusqlite::{Connection, OptionalExtension as _, Result, params};
use six_core::record::{ItemId, SessionId, UnixMs};
use six_core::telemetry::TelemetryRow;

use super::column;

pub(crate) fn add(conn: &Connection, session: &SessionId, item: &ItemId, at: UnixMs) -> Result<()> {
    conn.prepare_cached(
        "INSERT INTO delivery (session, item, count, last_unix_ms) VALUES (?1, ?2, 1, ?3) \
         ON CONFLICT (session, item) DO UPDATE SET count = count + 1, last_unix_ms = max(last_unix_ms, ?3)",
    )?
    .execute(params![session.as_str(), item.as_str(), at.0])?;
    Ok(())
}

pub(crate) fn take_back(conn: &Connection, session: &SessionId, item: &ItemId) -> Result<usize> {
    conn.prepare_cached("UPDATE delivery SET count = count - 1 WHERE session = ?1 AND item = ?2 AND count > 0")?
        .execute([session.as_str(), item.as_str()])
}

pub(crate) fn count(conn: &Connection, session: &SessionId, item: &ItemId) -> Result<u32> {
    Ok(conn
        .prepare_cached("SELECT count FROM delivery WHERE session = ?1 AND item = ?2")?
        .query_row([session.as_str(), item.as_str()], |row| column::small(row, 0))
        .optional()?
        .unwrap_or(0))
}

/// How often an item was shown, and in how many sessions.
pub(crate) fn of_item(conn: &Connection, item: &ItemId) -> Result<(u64, u64)> {
    conn.prepare_cached("SELECT ifnull(sum(count), 0), count(*) FROM delivery WHERE item = ?1 AND count > 0")?
        .query_row([item.as_str()], |row| Ok((column::count(row, 0)?, column::count(row, 1)?)))
}

pub(crate) fn forget(conn: &Connection, session: &SessionId) -> Result<usize> {
    conn.prepare_cached("DELETE FROM delivery WHERE session = ?1")?.execute([session.as_str()])
}

/// What was last shown before `before`, with its session and item.
pub(crate) fn old(conn: &Connection, before: UnixMs, limit: usize) -> Result<Vec<((String, String), TelemetryRow)>> {
    conn.prepare_cached("SELECT session, item, last_unix_ms, count FROM delivery WHERE last_unix_ms < ?1 LIMIT ?2")?
        .query_map(params![before.0, column::int(limit)], |row| {
            let item: String = row.get(1)?;
            let row_of = TelemetryRow::Delivery {
                last: column::time(row, 2)?,
                item: item.clone(),
                count: column::count(row, 3)?,
            };
            Ok(((row.get(0)?, item), row_of))
        })?
        .collect()
}

pub(crate) fn delete(conn: &Connection, session: &str, item: &str) -> Result<usize> {
    conn.prepare_cached("DELETE FROM delivery WHERE session = ?1 AND item = ?2")?.execute([session, item])
}
