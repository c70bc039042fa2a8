//! `mute`: silences in force. The empty session is the whole project.

use rusqlite::{Connection, Result, params};
use six_core::record::{Mute, SessionId, UnixMs};

use super::column;

/// Begins a silence, in the place of the one that the same session had.
pub(crate) fn set(conn: &Connection, mute: &Mute) -> Result<()> {
    conn.prepare_cached("INSERT OR REPLACE INTO mute (session, since_unix_ms, until_unix_ms) VALUES (?1, ?2, ?3)")?
        .execute(params![key(mute.session.as_ref()), mute.since.0, mute.until.map(|at| at.0)])?;
    Ok(())
}

/// Ends a silence; `false` when there was none.
pub(crate) fn end(conn: &Connection, session: Option<&SessionId>) -> Result<bool> {
    Ok(conn.prepare_cached("DELETE FROM mute WHERE session = ?1")?.execute([key(session)])? > 0)
}

/// Takes out what is over.
pub(crate) fn end_over(conn: &Connection, now: UnixMs) -> Result<usize> {
    conn.prepare_cached("DELETE FROM mute WHERE until_unix_ms <= ?1")?.execute([now.0])
}

/// Whether the session, or the project with it, is silent now.
pub(crate) fn is_in_force(conn: &Connection, session: &SessionId, now: UnixMs) -> Result<bool> {
    conn.prepare_cached(
        "SELECT EXISTS (SELECT 1 FROM mute \
         WHERE session IN ('', ?1) AND (until_unix_ms IS NULL OR until_unix_ms > ?2))",
    )?
    .query_row(params![session.as_str(), now.0], |row| row.get(0))
}

/// What is in force now, that of the project first.
pub(crate) fn in_force(conn: &Connection, now: UnixMs) -> Result<Vec<Mute>> {
    conn.prepare_cached(
        "SELECT session, since_unix_ms, until_unix_ms FROM mute \
         WHERE until_unix_ms IS NULL OR until_unix_ms > ?1 ORDER BY session",
    )?
    .query_map([now.0], |row| {
        Ok(Mute {
            session: Some(row.get::<_, String>(0)?).filter(|name| !name.is_empty()).map(SessionId::new),
            since: column::time(row, 1)?,
            until: column::time_opt(row, 2)?,
        })
    })?
    .collect()
}

fn key(session: Option<&SessionId>) -> &str {
    session.map_or("", SessionId::as_str)
}
