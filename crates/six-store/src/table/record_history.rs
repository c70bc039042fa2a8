//! `record_history`: who changed the state of a record, and when. Rows are only ever added.

use rusqlite::{Connection, Result, params};
use six_core::record::{RecordId, RecordState, UnixMs};

pub(crate) fn insert(
    conn: &Connection,
    id: &RecordId,
    from: Option<RecordState>,
    to: RecordState,
    author: &str,
    at: UnixMs,
) -> Result<()> {
    conn.prepare_cached(
        "INSERT INTO record_history (record_id, state_from, state_to, author, at_unix_ms) VALUES (?1, ?2, ?3, ?4, ?5)",
    )?
    .execute(params![id.as_str(), from.map(RecordState::as_str), to.as_str(), author, at.0])?;
    Ok(())
}

/// The same, with the reason in a clause.
pub(crate) fn insert_because(
    conn: &Connection,
    id: &RecordId,
    (from, to): (Option<RecordState>, RecordState),
    author: &str,
    reason: &str,
    at: UnixMs,
) -> Result<()> {
    conn.prepare_cached(
        "INSERT INTO record_history (record_id, state_from, state_to, author, at_unix_ms, reason) \
         VALUES (?1, ?2, ?3, ?4, ?5, ?6)",
    )?
    .execute(params![id.as_str(), from.map(RecordState::as_str), to.as_str(), author, at.0, reason])?;
    Ok(())
}

/// Whether nobody but `author` has had a hand in a record.
pub(crate) fn is_only_by(conn: &Connection, id: &RecordId, author: &str) -> Result<bool> {
    conn.prepare_cached("SELECT NOT EXISTS (SELECT 1 FROM record_history WHERE record_id = ?1 AND author <> ?2)")?
        .query_row([id.as_str(), author], |row| row.get(0))
}

/// A change of a record's state as the table holds it: from, to, author, when.
pub(crate) type Change = (Option<String>, String, String, i64);

/// All changes of a record, in order.
pub(crate) fn of_record(conn: &Connection, id: &RecordId) -> Result<Vec<Change>> {
    conn.prepare_cached(
        "SELECT state_from, state_to, author, at_unix_ms FROM record_history WHERE record_id = ?1 ORDER BY id",
    )?
    .query_map([id.as_str()], |row| Ok((row.get(0)?, row.get(1)?, row.get(2)?, row.get(3)?)))?
    .collect()
}

/// Adds a change that another store has of the same record, unless it is here already.
pub(crate) fn insert_missing(conn: &Connection, id: &RecordId, (from, to, author, at): &Change) -> Result<()> {
    conn.prepare_cached(
        "INSERT INTO record_history (record_id, state_from, state_to, author, at_unix_ms) SELECT ?1, ?2, ?3, ?4, ?5 \
         WHERE NOT EXISTS (SELECT 1 FROM record_history WHERE record_id = ?1 AND state_from IS ?2 AND state_to = ?3 \
             AND author = ?4 AND at_unix_ms = ?5)",
    )?
    .execute(params![id.as_str(), from, to, author, at])?;
    Ok(())
}
