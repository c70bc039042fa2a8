//! `skip`: lines and pieces of a file that were left out, counted by reason.

use std::collections::{BTreeMap, HashMap};

use rusqlite::{Connection, Result, params};
use six_core::record::Source;

use super::column;

/// By file.
pub(crate) fn all(conn: &Connection, source: Source) -> Result<HashMap<i64, BTreeMap<String, u64>>> {
    let mut stmt = conn.prepare_cached(
        "SELECT s.source_file_id, s.reason, s.count FROM skip s JOIN source_file f ON f.id = s.source_file_id \
         WHERE f.source = ?1",
    )?;
    let mut out: HashMap<i64, BTreeMap<String, u64>> = HashMap::new();
    for row in stmt.query_map([source.as_str()], |r| Ok((r.get(0)?, r.get(1)?, column::count(r, 2)?)))? {
        let (file, reason, count) = row?;
        out.entry(file).or_default().insert(reason, count);
    }
    Ok(out)
}

pub(crate) fn of_file(conn: &Connection, file: i64) -> Result<BTreeMap<String, u64>> {
    conn.prepare_cached("SELECT reason, count FROM skip WHERE source_file_id = ?1")?
        .query_map([file], |r| Ok((r.get(0)?, column::count(r, 1)?)))?
        .collect()
}

/// Over all files of a source.
pub(crate) fn totals(conn: &Connection, source: Source) -> Result<BTreeMap<String, u64>> {
    conn.prepare_cached(
        "SELECT s.reason, sum(s.count) FROM skip s JOIN source_file f ON f.id = s.source_file_id \
         WHERE f.source = ?1 GROUP BY s.reason",
    )?
    .query_map([source.as_str()], |r| Ok((r.get(0)?, column::count(r, 1)?)))?
    .collect()
}

/// The counts are totals of the file, so they take the place of the earlier ones.
pub(crate) fn replace(conn: &Connection, file: i64, skipped: &BTreeMap<String, u64>) -> Result<()> {
    conn.prepare_cached("DELETE FROM skip WHERE source_file_id = ?1")?.execute([file])?;
    let mut stmt = conn.prepare_cached("INSERT INTO skip (source_file_id, reason, count) VALUES (?1, ?2, ?3)")?;
    for (reason, count) in skipped {
        stmt.execute(params![file, reason, column::int(*count)])?;
    }
    Ok(())
}
