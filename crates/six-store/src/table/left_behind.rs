//! `left_behind` and `entry_holder`: the records that a file's live branch left behind, and the files beside its own that
//! hold an entry. An entry is abandoned when every file that holds it left it behind.

use std::collections::HashSet;

use rusqlite::{Connection, Result, params};

use super::entry_key;
use super::record_name::Name;

/// What a file left behind when it was judged last.
pub(crate) fn of_file(conn: &Connection, file: i64) -> Result<HashSet<Name>> {
    conn.prepare_cached("SELECT uuid FROM left_behind WHERE source_file_id = ?1")?
        .query_map([file], |row| row.get(0).map(Name::from_bytes))?
        .collect()
}

pub(crate) fn insert(conn: &Connection, file: i64, name: &Name) -> Result<()> {
    conn.prepare_cached("INSERT INTO left_behind (source_file_id, uuid) VALUES (?1, ?2)")?
        .execute(params![file, name.bytes()])?;
    Ok(())
}

pub(crate) fn delete(conn: &Connection, file: i64, name: &Name) -> Result<()> {
    conn.prepare_cached("DELETE FROM left_behind WHERE source_file_id = ?1 AND uuid = ?2")?
        .execute(params![file, name.bytes()])?;
    Ok(())
}

/// Says that `file` holds the entry as well; of the file that gave it first nothing is written.
pub(crate) fn add_holder(conn: &Connection, entry: i64, file: i64) -> Result<()> {
    conn.prepare_cached(
        "INSERT OR IGNORE INTO entry_holder (entry_id, source_file_id) \
         SELECT ?1, ?2 WHERE NOT EXISTS (SELECT 1 FROM entry WHERE id = ?1 AND source_file_id = ?2)",
    )?
    .execute([entry, file])?;
    Ok(())
}

/// SQL: whether every file that holds the entry `entry` left the record ?1 behind.
pub(crate) const BY_ALL_HOLDERS: &str = "(EXISTS (SELECT 1 FROM left_behind l WHERE l.source_file_id = entry.source_file_id AND l.uuid = ?1) \
     AND NOT EXISTS (SELECT 1 FROM entry_holder h WHERE h.entry_id = entry.id AND NOT EXISTS (\
         SELECT 1 FROM left_behind l WHERE l.source_file_id = h.source_file_id AND l.uuid = ?1)))";

/// All entries that a file beside their own holds: the entry's key, the hash of that file's path.
pub(crate) fn holders(conn: &Connection) -> Result<Vec<(String, String)>> {
    conn.prepare_cached(
        "SELECT e.key, f.path_hash FROM entry_holder h JOIN entry e ON e.id = h.entry_id \
         JOIN source_file f ON f.id = h.source_file_id WHERE e.source = 'transcript' ORDER BY h.entry_id",
    )?
    .query_map([], |row| Ok((entry_key::get(row, 0)?, row.get(1)?)))?
    .collect()
}
