//! `source_file`: how far every file has been consumed.

use rusqlite::{Connection, OptionalExtension as _, Result, Row, named_params};
use six_core::ingest::FileState;
use six_core::record::{Source, UnixMs};

use super::{column, skip};

const COLUMNS: &str = "id, source, path_hash, path, size_bytes, mtime_ns, content_hash, consumed_bytes, consumed_lines, \
                       fails, last_error, tried_unix_ms";

pub(crate) fn all(conn: &Connection, source: Source) -> Result<Vec<FileState>> {
    let mut skips = skip::all(conn, source)?;
    let mut stmt =
        conn.prepare_cached(&format!("SELECT {COLUMNS} FROM source_file WHERE source = ?1 ORDER BY path_hash"))?;
    let mut states = Vec::new();
    for row in stmt.query_map([source.as_str()], file_state)? {
        let (id, mut state) = row?;
        state.skipped = skips.remove(&id).unwrap_or_default();
        states.push(state);
    }
    Ok(states)
}

pub(crate) fn one(conn: &Connection, source: Source, path_hash: &str) -> Result<Option<FileState>> {
    let found = conn
        .prepare_cached(&format!("SELECT {COLUMNS} FROM source_file WHERE source = ?1 AND path_hash = ?2"))?
        .query_row([source.as_str(), path_hash], file_state)
        .optional()?;
    let Some((id, mut state)) = found else { return Ok(None) };
    state.skipped = skip::of_file(conn, id)?;
    Ok(Some(state))
}

pub(crate) fn id(conn: &Connection, source: Source, path_hash: &str) -> Result<Option<i64>> {
    conn.prepare_cached("SELECT id FROM source_file WHERE source = ?1 AND path_hash = ?2")?
        .query_row([source.as_str(), path_hash], |row| row.get(0))
        .optional()
}

/// Stores the state and answers the file's row. A state without failures was consumed when it was tried.
pub(crate) fn upsert(conn: &Connection, state: &FileState) -> Result<i64> {
    let mut stmt = conn.prepare_cached(
        "INSERT INTO source_file (source, path_hash, path, size_bytes, mtime_ns, content_hash, consumed_bytes, \
             consumed_lines, fails, last_error, tried_unix_ms, consumed_unix_ms) \
         VALUES (:source, :path_hash, :path, :size, :mtime, :content, :bytes, :lines, :fails, :error, :tried, \
             iif(:fails = 0, :tried, NULL)) \
         ON CONFLICT (source, path_hash) DO UPDATE SET path = :path, size_bytes = :size, mtime_ns = :mtime, \
             content_hash = :content, consumed_bytes = :bytes, consumed_lines = :lines, fails = :fails, \
             last_error = :error, tried_unix_ms = :tried, consumed_unix_ms = iif(:fails = 0, :tried, consumed_unix_ms) \
         RETURNING id",
    )?;
    let id = stmt.query_row(
        named_params! {
            ":source": state.source.as_str(),
            ":path_hash": state.path_hash,
            ":path": state.path.as_str(),
            ":size": column::int(state.size_bytes),
            ":mtime": state.mtime_ns,
            ":content": state.content_hash,
            ":bytes": column::int(state.consumed_bytes),
            ":lines": column::int(state.consumed_lines),
            ":fails": state.fails,
            ":error": state.last_error.as_str(),
            ":tried": state.tried.0,
        },
        |row| row.get(0),
    )?;
    skip::replace(conn, id, &state.skipped)?;
    Ok(id)
}

pub(crate) fn delete(conn: &Connection, id: i64) -> Result<()> {
    conn.prepare_cached("DELETE FROM source_file WHERE id = ?1")?.execute([id])?;
    Ok(())
}

fn file_state(row: &Row<'_>) -> Result<(i64, FileState)> {
    let state = FileState {
        source: column::named(row, 1, Source::parse)?,
        path_hash: row.get(2)?,
        path: column::redacted(row, 3)?,
        size_bytes: column::count(row, 4)?,
        mtime_ns: row.get(5)?,
        content_hash: row.get(6)?,
        consumed_bytes: column::count(row, 7)?,
        consumed_lines: column::count(row, 8)?,
        fails: column::small(row, 9)?,
        last_error: column::redacted(row, 10)?,
        tried: column::time(row, 11)?,
        skipped: std::collections::BTreeMap::new(),
    };
    Ok((row.get(0)?, state))
}

/// Files that failed since they were last consumed, worst first: path, last error, tries.
pub(crate) fn failing(conn: &Connection) -> Result<Vec<(String, String, u32)>> {
    conn.prepare_cached("SELECT path, last_error, fails FROM source_file WHERE fails > 0 ORDER BY fails DESC, path")?
        .query_map([], |row| Ok((row.get(0)?, row.get(1)?, column::small(row, 2)?)))?
        .collect()
}

/// When anything was last consumed.
pub(crate) fn last_run(conn: &Connection) -> Result<Option<UnixMs>> {
    conn.prepare_cached("SELECT max(consumed_unix_ms) FROM source_file")?.query_row([], |row| column::time_opt(row, 0))
}

/// What `six status` says of a source: files, failing files, when one was last consumed.
pub(crate) fn summary(conn: &Connection, source: Source) -> Result<(u64, u64, Option<UnixMs>)> {
    conn.prepare_cached(
        "SELECT count(*), ifnull(sum(fails > 0), 0), max(consumed_unix_ms) FROM source_file WHERE source = ?1",
    )?
    .query_row([source.as_str()], |row| Ok((column::count(row, 0)?, column::count(row, 1)?, column::time_opt(row, 2)?)))
}
