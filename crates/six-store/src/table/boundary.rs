//! `boundary`: starts and ends of sessions.

use rusqlite::{Connection, Result, params};
use six_core::record::{Boundary, Edge, UnixMs};

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
