//! `record_history`: who changed a record, when, why, and what was before. Rows are only ever added.

use rusqlite::{Connection, OptionalExtension as _, Result, Row, params};
use six_core::record::{Change, RecordId, RecordState, UnixMs};

use super::column;

const COLUMNS: &str = "state_from, state_to, author, at_unix_ms, reason, before_json, batch_id";

pub(crate) fn insert(conn: &Connection, id: &RecordId, change: &Change, before_json: &str) -> Result<()> {
    conn.prepare_cached(&format!(
        "INSERT INTO record_history (record_id, {COLUMNS}) VALUES (?1, ?2, ?3, ?4, ?5, ?6, ?7, ?8)"
    ))?
    .execute(params![
        id.as_str(),
        change.from.map(RecordState::as_str),
        change.to.as_str(),
        change.author,
        change.at.0,
        change.reason.as_str(),
        before_json,
        change.batch
    ])?;
    Ok(())
}

/// Whether nobody but `author` has had a hand in a record.
pub(crate) fn is_only_by(conn: &Connection, id: &RecordId, author: &str) -> Result<bool> {
    conn.prepare_cached("SELECT NOT EXISTS (SELECT 1 FROM record_history WHERE record_id = ?1 AND author <> ?2)")?
        .query_row([id.as_str(), author], |row| row.get(0))
}

/// Whether a person or an agent has had a hand in a record. What a model worded or a rule ended, nobody has.
pub(crate) fn is_touched(conn: &Connection, id: &RecordId) -> Result<bool> {
    conn.prepare_cached(
        "SELECT EXISTS (SELECT 1 FROM record_history WHERE record_id = ?1 AND author IN ('operator', 'agent'))",
    )?
    .query_row([id.as_str()], |row| row.get(0))
}

/// Adds a change that another store has of the same record, unless it is here already.
pub(crate) fn insert_missing(conn: &Connection, id: &RecordId, change: &Change, before_json: &str) -> Result<()> {
    let is_here = conn
        .prepare_cached(
            "SELECT 1 FROM record_history WHERE record_id = ?1 AND state_from IS ?2 AND state_to = ?3 AND author = ?4 \
             AND at_unix_ms = ?5 AND reason = ?6 AND before_json = ?7",
        )?
        .exists(params![
            id.as_str(),
            change.from.map(RecordState::as_str),
            change.to.as_str(),
            change.author,
            change.at.0,
            change.reason.as_str(),
            before_json
        ])?;
    if is_here { Ok(()) } else { insert(conn, id, change, before_json) }
}

/// All changes of a record, oldest first.
pub(crate) fn of_record(conn: &Connection, id: &RecordId) -> Result<Vec<Change>> {
    conn.prepare_cached(&format!("SELECT {COLUMNS} FROM record_history WHERE record_id = ?1 ORDER BY id"))?
        .query_map([id.as_str()], change)?
        .collect()
}

/// The changes that a batch of verdicts made, with their numbers and records, in the order in which they were made.
pub(crate) fn of_batch(conn: &Connection, batch: &str) -> Result<Vec<(i64, RecordId, Change)>> {
    conn.prepare_cached(&format!(
        "SELECT {COLUMNS}, id, record_id FROM record_history WHERE batch_id = ?1 ORDER BY id"
    ))?
    .query_map([batch], |row| Ok((row.get(7)?, RecordId::new(row.get::<_, String>(8)?), change(row)?)))?
    .collect()
}

/// The first change of a record behind the one of that number.
pub(crate) fn next(conn: &Connection, id: &RecordId, after: i64) -> Result<Option<Change>> {
    conn.prepare_cached(&format!(
        "SELECT {COLUMNS} FROM record_history WHERE record_id = ?1 AND id > ?2 ORDER BY id LIMIT 1"
    ))?
    .query_row(params![id.as_str(), after], change)
    .optional()
}

/// When a record was changed last.
pub(crate) fn last_at(conn: &Connection, id: &RecordId) -> Result<Option<UnixMs>> {
    conn.prepare_cached("SELECT max(at_unix_ms) FROM record_history WHERE record_id = ?1")?
        .query_row([id.as_str()], |row| column::time_opt(row, 0))
}

/// Whose the newest changes are, newest first; a record as often as it was changed.
pub(crate) fn newest(conn: &Connection, limit: usize) -> Result<Vec<RecordId>> {
    conn.prepare_cached("SELECT record_id FROM record_history ORDER BY at_unix_ms DESC, id DESC LIMIT ?1")?
        .query_map([column::int(limit)], |row| row.get::<_, String>(0).map(RecordId::new))?
        .collect()
}

fn change(row: &Row<'_>) -> Result<Change> {
    Ok(Change {
        from: column::named_opt(row, 0, RecordState::parse)?,
        to: column::named(row, 1, RecordState::parse)?,
        author: row.get(2)?,
        at: column::time(row, 3)?,
        reason: column::redacted(row, 4)?,
        before: column::json(row, 5)?,
        batch: row.get(6)?,
    })
}
