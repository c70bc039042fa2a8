//! `extraction` and `extraction_drop`: how far sessions were read for candidates, and what was dropped on the way.

use std::collections::BTreeMap;

use rusqlite::{Connection, OptionalExtension as _, Result, params};
use six_core::curate::DropReason;
use six_core::record::{SessionId, UnixMs};

use super::column;

/// SQL of an entry `e` that is a message, whatever branch it is on. The index `entry_message` is made for these words.
const MESSAGE: &str = "e.kind IN ('prompt', 'answer')";

/// The last entry of a session that was read; 0 before the first.
pub(crate) fn through(conn: &Connection, session: i64) -> Result<i64> {
    let through = conn
        .prepare_cached("SELECT through_entry_id FROM extraction WHERE session_id = ?1")?
        .query_row([session], |row| row.get(0))
        .optional()?;
    Ok(through.unwrap_or(0))
}

/// Moves the end of what was read.
pub(crate) fn set(conn: &Connection, session: i64, through: i64, version: u32, at: UnixMs) -> Result<()> {
    conn.prepare_cached(
        "INSERT INTO extraction (session_id, through_entry_id, version, at_unix_ms) VALUES (?1, ?2, ?3, ?4) \
         ON CONFLICT (session_id) DO UPDATE SET through_entry_id = excluded.through_entry_id, \
             version = excluded.version, at_unix_ms = excluded.at_unix_ms",
    )?
    .execute(params![session, through, version, at.0])?;
    Ok(())
}

/// Adds to the counts of what was dropped.
pub(crate) fn count_drops(conn: &Connection, session: i64, dropped: &BTreeMap<DropReason, u64>) -> Result<()> {
    for (reason, count) in dropped {
        conn.prepare_cached(
            "INSERT INTO extraction_drop (session_id, reason, count) VALUES (?1, ?2, ?3) \
             ON CONFLICT (session_id, reason) DO UPDATE SET count = count + excluded.count",
        )?
        .execute(params![session, reason.as_str(), column::int(*count)])?;
    }
    Ok(())
}

/// SQL of the sessions that are read unasked, and how far each was: those that started or ended under six, and those that
/// were read before. What came before six is history.
const FOLLOWED: &str = "SELECT s.id, s.name, ifnull(x.through_entry_id, 0) AS through, ifnull(x.at_unix_ms, 0) AS at \
    FROM session s LEFT JOIN extraction x ON x.session_id = s.id \
    WHERE x.session_id IS NOT NULL OR s.name IN (SELECT session FROM boundary)";

/// Followed sessions with messages that were not read, those first that were read longest ago.
pub(crate) fn unread_sessions(conn: &Connection) -> Result<Vec<SessionId>> {
    sessions(
        conn,
        &format!(
            "SELECT f.name FROM ({FOLLOWED}) f WHERE EXISTS (SELECT 1 FROM entry e WHERE e.session_id = f.id \
             AND {MESSAGE} AND e.id > f.through) ORDER BY f.at, f.id"
        ),
    )
}

/// Whether a followed session has messages that were not read, and fewer than `pending` candidates that wait.
pub(crate) fn is_left(conn: &Connection, pending: usize) -> Result<bool> {
    conn.prepare_cached(&format!(
        "SELECT EXISTS (SELECT 1 FROM ({FOLLOWED}) f WHERE EXISTS (SELECT 1 FROM entry e WHERE e.session_id = f.id \
             AND {MESSAGE} AND e.id > f.through AND e.abandoned = 0) \
         AND (SELECT count(*) FROM record r WHERE r.state = 'pending' AND r.session = f.name) < ?1)"
    ))?
    .query_row([column::int(pending)], |row| row.get(0))
}

/// All sessions with messages, the newest first.
pub(crate) fn sessions_with_messages(conn: &Connection) -> Result<Vec<SessionId>> {
    sessions(
        conn,
        &format!(
            "SELECT s.name FROM session s WHERE EXISTS (SELECT 1 FROM entry e WHERE e.session_id = s.id AND {MESSAGE}) \
             ORDER BY s.last_unix_ms DESC, s.id DESC"
        ),
    )
}

fn sessions(conn: &Connection, sql: &str) -> Result<Vec<SessionId>> {
    conn.prepare_cached(sql)?.query_map([], |row| row.get::<_, String>(0).map(SessionId::new))?.collect()
}

/// Messages on live branches that were not read: of one session, or of all that are followed.
pub(crate) fn count_unread(conn: &Connection, session: Option<i64>) -> Result<u64> {
    match session {
        Some(session) => conn
            .prepare_cached(&format!(
                "SELECT count(*) FROM entry e WHERE e.session_id = ?1 AND {MESSAGE} AND e.id > ?2 AND e.abandoned = 0"
            ))?
            .query_row([session, through(conn, session)?], |row| column::count(row, 0)),
        None => conn
            .prepare_cached(&format!(
                "SELECT count(*) FROM ({FOLLOWED}) f JOIN entry e ON e.session_id = f.id AND {MESSAGE} \
                 AND e.id > f.through AND e.abandoned = 0"
            ))?
            .query_row([], |row| column::count(row, 0)),
    }
}
