//! `batch`: verdicts that were given together.

use rusqlite::{Connection, Result, Row, params};
use six_core::curate::{Batch, Judge};
use six_core::record::UnixMs;

use super::column;

/// A row.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct GivenBatch {
    pub(crate) id: String,
    pub(crate) author: String,
    pub(crate) at: UnixMs,
    pub(crate) undone: Option<UnixMs>,
    pub(crate) seen: Option<UnixMs>,
}

const COLUMNS: &str = "id, author, at_unix_ms, undone_unix_ms, seen_unix_ms";

pub(crate) fn insert(conn: &Connection, new: &Batch<'_>) -> Result<()> {
    conn.prepare_cached("INSERT INTO batch (id, author, at_unix_ms) VALUES (?1, ?2, ?3)")?.execute(params![
        new.id,
        new.judge.as_str(),
        new.now.0
    ])?;
    Ok(())
}

/// Adds one that another store has, unless it is here already.
pub(crate) fn insert_missing(conn: &Connection, given: &GivenBatch) -> Result<()> {
    conn.prepare_cached(&format!("INSERT OR IGNORE INTO batch ({COLUMNS}) VALUES (?1, ?2, ?3, ?4, ?5)"))?
        .execute(params![given.id, given.author, given.at.0, given.undone.map(|at| at.0), given.seen.map(|at| at.0)])?;
    Ok(())
}

/// All of them, oldest first.
pub(crate) fn all(conn: &Connection) -> Result<Vec<GivenBatch>> {
    conn.prepare_cached(&format!("SELECT {COLUMNS} FROM batch ORDER BY at_unix_ms, id"))?
        .query_map([], batch)?
        .collect()
}

/// Batches whose id begins so, at most `limit`; one whose id is just that comes first.
pub(crate) fn beginning_with(conn: &Connection, prefix: &str, limit: usize) -> Result<Vec<GivenBatch>> {
    conn.prepare_cached(&format!(
        "SELECT {COLUMNS} FROM batch WHERE substr(id, 1, length(?1)) = ?1 ORDER BY id LIMIT ?2"
    ))?
    .query_map(params![prefix, column::int(limit)], batch)?
    .collect()
}

/// The newest that was not taken back, of one author or of all.
pub(crate) fn last(conn: &Connection, author: Option<&str>) -> Result<Option<GivenBatch>> {
    conn.prepare_cached(&format!(
        "SELECT {COLUMNS} FROM batch WHERE undone_unix_ms IS NULL AND (?1 IS NULL OR author = ?1) \
         ORDER BY at_unix_ms DESC, (SELECT max(h.id) FROM record_history h WHERE h.batch_id = batch.id) DESC LIMIT 1"
    ))?
    .query_map([author], batch)?
    .next()
    .transpose()
}

/// What agents judged and nobody has looked through, oldest first. What was taken back has no effect that is left.
pub(crate) fn unseen(conn: &Connection) -> Result<Vec<GivenBatch>> {
    conn.prepare_cached(&format!(
        "SELECT {COLUMNS} FROM batch WHERE author = ?1 AND seen_unix_ms IS NULL AND undone_unix_ms IS NULL \
         ORDER BY at_unix_ms, id"
    ))?
    .query_map([Judge::Agent.as_str()], batch)?
    .collect()
}

/// How many verdicts of agents nobody has looked through.
pub(crate) fn unseen_verdicts(conn: &Connection) -> Result<u64> {
    conn.prepare_cached(
        "SELECT count(*) FROM record_history WHERE batch_id IN (SELECT id FROM batch \
         WHERE author = ?1 AND seen_unix_ms IS NULL AND undone_unix_ms IS NULL)",
    )?
    .query_row([Judge::Agent.as_str()], |row| column::count(row, 0))
}

pub(crate) fn set_seen(conn: &Connection, id: &str, at: UnixMs) -> Result<()> {
    conn.prepare_cached("UPDATE batch SET seen_unix_ms = ?2 WHERE id = ?1 AND seen_unix_ms IS NULL")?
        .execute(params![id, at.0])?;
    Ok(())
}

pub(crate) fn set_undone(conn: &Connection, id: &str, at: UnixMs) -> Result<()> {
    conn.prepare_cached("UPDATE batch SET undone_unix_ms = ?2 WHERE id = ?1")?.execute(params![id, at.0])?;
    Ok(())
}

/// When an author's newest batches of verdicts on what waited were given, oldest first, and how many each had.
pub(crate) fn pace(conn: &Connection, author: &str, limit: usize) -> Result<Vec<(UnixMs, u64)>> {
    let mut found: Vec<(UnixMs, u64)> = conn
        .prepare_cached(
            "SELECT b.at_unix_ms, count(*) FROM batch b JOIN record_history h ON h.batch_id = b.id \
             WHERE b.author = ?1 AND h.state_from = 'pending' AND h.state_to <> 'pending' \
             GROUP BY b.id ORDER BY b.at_unix_ms DESC LIMIT ?2",
        )?
        .query_map(params![author, column::int(limit)], |row| Ok((column::time(row, 0)?, column::count(row, 1)?)))?
        .collect::<Result<_>>()?;
    found.reverse();
    Ok(found)
}

fn batch(row: &Row<'_>) -> Result<GivenBatch> {
    Ok(GivenBatch {
        id: row.get(0)?,
        author: row.get(1)?,
        at: column::time(row, 2)?,
        undone: column::time_opt(row, 3)?,
        seen: column::time_opt(row, 4)?,
    })
}
