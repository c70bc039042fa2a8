//! `judgement`: what people thought of firings.

use rusqlite::{Connection, Result, params};
use six_core::record::{EventId, Judgement, Worth};

use super::column;

/// Stores a judgement, in the place of an earlier one of the same rater.
pub(crate) fn set(conn: &Connection, event: &EventId, new: &Judgement) -> Result<()> {
    conn.prepare_cached(
        "INSERT OR REPLACE INTO judgement (event_id, rater, verdict, note, at_unix_ms) VALUES (?1, ?2, ?3, ?4, ?5)",
    )?
    .execute(params![event.as_str(), new.rater.as_str(), new.verdict.as_str(), new.note.as_str(), new.at.0])?;
    Ok(())
}

/// All judgements of an event, by rater.
pub(crate) fn of_event(conn: &Connection, event: &EventId) -> Result<Vec<Judgement>> {
    conn.prepare_cached("SELECT rater, verdict, note, at_unix_ms FROM judgement WHERE event_id = ?1 ORDER BY rater")?
        .query_map([event.as_str()], |row| {
            Ok(Judgement {
                rater: column::redacted(row, 0)?,
                verdict: column::named(row, 1, Worth::parse)?,
                note: column::redacted(row, 2)?,
                at: column::time(row, 3)?,
            })
        })?
        .collect()
}
