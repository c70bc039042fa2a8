//! `term`: in how many distinct bodies each term occurs.

use std::collections::HashMap;

use rusqlite::{Connection, OptionalExtension as _, Result, params};

use super::column;

/// Moves the counts of a whole transaction, in the order of the table's tree.
pub(crate) fn add(conn: &Connection, deltas: HashMap<String, i64>) -> Result<()> {
    let mut deltas: Vec<(String, i64)> = deltas.into_iter().filter(|(_, by)| *by != 0).collect();
    deltas.sort_unstable();
    let mut up = conn.prepare_cached(
        "INSERT INTO term (term, df) VALUES (?1, ?2) ON CONFLICT (term) DO UPDATE SET df = df + excluded.df",
    )?;
    let mut gone = conn.prepare_cached("DELETE FROM term WHERE term = ?1 AND df <= 0")?;
    for (term, by) in &deltas {
        up.execute(params![term, by])?;
        if *by < 0 {
            gone.execute([term])?;
        }
    }
    Ok(())
}

pub(crate) fn df(conn: &Connection, term: &str) -> Result<u64> {
    Ok(conn
        .prepare_cached("SELECT df FROM term WHERE term = ?1")?
        .query_row([term], |row| column::count(row, 0))
        .optional()?
        .unwrap_or(0))
}

/// The first `limit` terms that are longer than `prefix` and begin with it, with their frequency.
pub(crate) fn beginning_with(conn: &Connection, prefix: &str, limit: usize) -> Result<Vec<(u64, String)>> {
    conn.prepare_cached(
        "SELECT df, term FROM term WHERE term > ?1 AND term < ?1 || char(1114111) ORDER BY term LIMIT ?2",
    )?
    .query_map(params![prefix, column::int(limit)], |row| Ok((column::count(row, 0)?, row.get(1)?)))?
    .collect()
}

/// The whole table, for the full check.
pub(crate) fn all(conn: &Connection) -> Result<HashMap<String, i64>> {
    conn.prepare_cached("SELECT term, df FROM term")?.query_map([], |row| Ok((row.get(0)?, row.get(1)?)))?.collect()
}

pub(crate) fn clear(conn: &Connection) -> Result<()> {
    conn.execute("DELETE FROM term", [])?;
    Ok(())
}
