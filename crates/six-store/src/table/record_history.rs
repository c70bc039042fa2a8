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
