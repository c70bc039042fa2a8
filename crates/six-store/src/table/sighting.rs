//! `sighting`: other turns that say what a record says.

use rusqlite::{Connection, Result, Row, params};
use six_core::curate::Sighting;
use six_core::record::{Origin, RecordId, SessionId};

use super::column;

const COLUMNS: &str = "record_id, turn, session, origin, quote, at_unix_ms";

/// Adds one, with the batch of verdicts that made it if one did; `false` when it is there already, when its record is not,
/// or when it is the turn that the record came from, which is no further evidence of it.
pub(crate) fn insert(conn: &Connection, new: &Sighting, batch: Option<&str>) -> Result<bool> {
    let added = conn
        .prepare_cached(&format!(
            "INSERT OR IGNORE INTO sighting ({COLUMNS}, batch_id) \
             SELECT id, ?2, ?3, ?4, ?5, ?6, ?7 FROM record WHERE id = ?1 AND turn IS NOT ?2"
        ))?
        .execute(params![
            new.record.as_str(),
            new.turn,
            new.session.as_ref().map(SessionId::as_str),
            new.origin.as_str(),
            new.quote.as_str(),
            new.at.0,
            batch
        ])?;
    Ok(added > 0)
}

/// What else says what a record says, newest first.
pub(crate) fn of_record(conn: &Connection, id: &RecordId) -> Result<Vec<Sighting>> {
    conn.prepare_cached(&format!("SELECT {COLUMNS} FROM sighting WHERE record_id = ?1 ORDER BY at_unix_ms DESC, turn"))?
        .query_map([id.as_str()], sighting)?
        .collect()
}

/// The same, each with the batch of verdicts that added it.
pub(crate) fn of_record_by_batch(conn: &Connection, id: &RecordId) -> Result<Vec<(Sighting, Option<String>)>> {
    conn.prepare_cached(&format!("SELECT {COLUMNS}, batch_id FROM sighting WHERE record_id = ?1 ORDER BY turn"))?
        .query_map([id.as_str()], |row| Ok((sighting(row)?, row.get(6)?)))?
        .collect()
}

/// How many turns say what a record says by extraction's finding: what was merged into it by a verdict is not counted.
pub(crate) fn count_found(conn: &Connection, id: &RecordId, origin: Origin) -> Result<u64> {
    conn.prepare_cached("SELECT count(*) FROM sighting WHERE record_id = ?1 AND origin = ?2 AND batch_id IS NULL")?
        .query_row([id.as_str(), origin.as_str()], |row| column::count(row, 0))
}

/// Takes back what a batch added.
pub(crate) fn delete_of_batch(conn: &Connection, batch: &str) -> Result<()> {
    conn.prepare_cached("DELETE FROM sighting WHERE batch_id = ?1")?.execute([batch])?;
    Ok(())
}

/// Takes back that a turn is evidence of a record, where a verdict said so.
pub(crate) fn delete_merged(conn: &Connection, id: &RecordId, turn: &str) -> Result<()> {
    conn.prepare_cached("DELETE FROM sighting WHERE record_id = ?1 AND turn = ?2 AND batch_id IS NOT NULL")?
        .execute([id.as_str(), turn])?;
    Ok(())
}

/// Gives what was seen of one record to another; what that one has already stays.
pub(crate) fn hand_over(conn: &Connection, from: &RecordId, to: &RecordId) -> Result<()> {
    conn.prepare_cached(
        "INSERT OR IGNORE INTO sighting (record_id, turn, session, origin, quote, at_unix_ms, batch_id) \
         SELECT r.id, s.turn, s.session, s.origin, s.quote, s.at_unix_ms, s.batch_id FROM sighting s JOIN record r ON r.id = ?2 \
         WHERE s.record_id = ?1 AND r.turn IS NOT s.turn",
    )?
    .execute([from.as_str(), to.as_str()])?;
    conn.prepare_cached("DELETE FROM sighting WHERE record_id = ?1")?.execute([from.as_str()])?;
    Ok(())
}

fn sighting(row: &Row<'_>) -> Result<Sighting> {
    Ok(Sighting {
        record: RecordId::new(row.get::<_, String>(0)?),
        turn: row.get(1)?,
        session: column::session_opt(row, 2)?,
        origin: column::named(row, 3, Origin::parse)?,
        quote: column::redacted(row, 4)?,
        at: column::time(row, 5)?,
    })
}
