//! `anchor`: what a record cites.

use rusqlite::{Connection, Result, Row, params};
use six_core::record::{Anchor, RecordId};
use six_core::text::Redacted;

use super::column;

pub(crate) fn insert_all(conn: &Connection, record: &RecordId, anchors: &[Anchor]) -> Result<()> {
    let mut stmt = conn.prepare_cached(
        "INSERT INTO anchor (record_id, ordinal, path, first_line, last_line, hash, revision, branch, symbol, \
         moved_to, merged) VALUES (?1, ?2, ?3, ?4, ?5, ?6, ?7, ?8, ?9, ?10, ?11)",
    )?;
    for (ordinal, anchor) in (0_i64..).zip(anchors) {
        stmt.execute(params![
            record.as_str(),
            ordinal,
            anchor.path.as_str(),
            anchor.lines.map(|l| l.0),
            anchor.lines.map(|l| l.1),
            anchor.hash,
            anchor.commit,
            anchor.branch.as_ref().map(Redacted::as_str),
            anchor.symbol.as_ref().map(Redacted::as_str),
            anchor.moved_to.as_ref().map(Redacted::as_str),
            anchor.merged
        ])?;
    }
    Ok(())
}

/// Puts anchors in the place of those that a record has.
pub(crate) fn replace_all(conn: &Connection, record: &RecordId, anchors: &[Anchor]) -> Result<()> {
    conn.prepare_cached("DELETE FROM anchor WHERE record_id = ?1")?.execute([record.as_str()])?;
    insert_all(conn, record, anchors)
}

const COLUMNS: &str = "path, first_line, last_line, hash, revision, branch, symbol, moved_to, merged";

pub(crate) fn of_record(conn: &Connection, record: &RecordId) -> Result<Vec<Anchor>> {
    conn.prepare_cached(&format!("SELECT {COLUMNS} FROM anchor WHERE record_id = ?1 ORDER BY ordinal"))?
        .query_map([record.as_str()], anchor)?
        .collect()
}

/// The anchors of confirmed records, with their ordinals; those of the newest records first.
pub(crate) fn of_confirmed(conn: &Connection) -> Result<Vec<(RecordId, u32, Anchor)>> {
    conn.prepare_cached(&format!(
        "SELECT {COLUMNS}, record_id, ordinal FROM anchor JOIN record ON record.id = record_id \
         WHERE state = 'confirmed' ORDER BY created_unix_ms DESC, record_id, ordinal"
    ))?
    .query_map([], |row| Ok((RecordId::new(row.get::<_, String>(9)?), column::small(row, 10)?, anchor(row)?)))?
    .collect()
}

/// Notes where an anchor went and whether it is part of what is checked out.
pub(crate) fn set_found(conn: &Connection, record: &RecordId, ordinal: u32, found: &Anchor) -> Result<()> {
    conn.prepare_cached("UPDATE anchor SET moved_to = ?3, merged = ?4 WHERE record_id = ?1 AND ordinal = ?2")?
        .execute(params![record.as_str(), ordinal, found.moved_to.as_ref().map(Redacted::as_str), found.merged])?;
    Ok(())
}

/// Records that cite a file.
pub(crate) fn records_at(conn: &Connection, path: &Redacted) -> Result<Vec<RecordId>> {
    conn.prepare_cached("SELECT DISTINCT record_id FROM anchor WHERE path = ?1 ORDER BY record_id")?
        .query_map([path.as_str()], |row| Ok(RecordId::new(row.get::<_, String>(0)?)))?
        .collect()
}

fn anchor(row: &Row<'_>) -> Result<Anchor> {
    Ok(Anchor {
        path: column::redacted(row, 0)?,
        lines: column::lines(row, 1)?,
        hash: row.get(3)?,
        commit: row.get(4)?,
        branch: column::redacted_opt(row, 5)?,
        symbol: column::redacted_opt(row, 6)?,
        moved_to: column::redacted_opt(row, 7)?,
        merged: row.get(8)?,
    })
}
