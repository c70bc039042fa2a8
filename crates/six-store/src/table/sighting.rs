//! `sighting`: other turns that say what a record says.

use rusqlite::{Connection, Result, params};
use six_core::curate::Sighting;
use six_core::record::{RecordId, SessionId};

/// Adds one; `false` when it is there already, when its record is not, or when it is the turn that the record came from.
pub(crate) fn insert(conn: &Connection, new: &Sighting) -> Result<bool> {
    let added = conn
        .prepare_cached(
            "INSERT OR IGNORE INTO sighting (record_id, turn, session, origin, quote, at_unix_ms) \
             SELECT id, ?2, ?3, ?4, ?5, ?6 FROM record WHERE id = ?1 AND turn IS NOT ?2",
        )?
        .execute(params![
            new.record.as_str(),
            new.turn,
            new.session.as_ref().map(SessionId::as_str),
            new.origin.as_str(),
            new.quote.as_str(),
            new.at.0
        ])?;
    Ok(added > 0)
}

/// The turns that say what a record says.
pub(crate) fn turns(conn: &Connection, record: &RecordId) -> Result<Vec<String>> {
    conn.prepare_cached("SELECT turn FROM sighting WHERE record_id = ?1 ORDER BY at_unix_ms, turn")?
        .query_map([record.as_str()], |row| row.get(0))?
        .collect()
}

/// Gives what was seen of one record to another; what that one has already stays.
pub(crate) fn hand_over(conn: &Connection, from: &RecordId, to: &RecordId) -> Result<()> {
    conn.prepare_cached(
        "INSERT OR IGNORE INTO sighting (record_id, turn, session, origin, quote, at_unix_ms) \
         SELECT r.id, s.turn, s.session, s.origin, s.quote, s.at_unix_ms FROM sighting s JOIN record r ON r.id = ?2 \
         WHERE s.record_id = ?1 AND r.turn IS NOT s.turn",
    )?
    .execute([from.as_str(), to.as_str()])?;
    conn.prepare_cached("DELETE FROM sighting WHERE record_id = ?1")?.execute([from.as_str()])?;
    Ok(())
}
