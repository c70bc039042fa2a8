//! `render`: what session starts showed.

use rusqlite::{Connection, OptionalExtension as _, Result, params};
use six_core::record::{SessionId, UnixMs};

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
