//! `lineage`: stories of threads as a model told them. An empty one says that a model was asked and told nothing of use.

use rusqlite::{Connection, OptionalExtension as _, Result, params};
use six_core::curate::Prose;
use six_core::record::ThreadId;

use super::column;

/// A story with the key of what it was told from.
pub(crate) fn one(conn: &Connection, thread: &ThreadId) -> Result<Option<(String, Prose)>> {
    conn.prepare_cached("SELECT key, prose, model, at_unix_ms FROM lineage WHERE thread_id = ?1")?
        .query_row([thread.as_str()], |row| {
            let prose =
                Prose { text: column::redacted(row, 1)?, model: column::redacted(row, 2)?, at: column::time(row, 3)? };
            Ok((row.get(0)?, prose))
        })
        .optional()
}

pub(crate) fn put(conn: &Connection, thread: &ThreadId, key: &str, prose: &Prose) -> Result<()> {
    conn.prepare_cached(
        "INSERT OR REPLACE INTO lineage (thread_id, key, prose, model, at_unix_ms) VALUES (?1, ?2, ?3, ?4, ?5)",
    )?
    .execute(params![thread.as_str(), key, prose.text.as_str(), prose.model.as_str(), prose.at.0])?;
    Ok(())
}

pub(crate) fn delete(conn: &Connection, thread: &ThreadId) -> Result<()> {
    conn.prepare_cached("DELETE FROM lineage WHERE thread_id = ?1")?.execute([thread.as_str()])?;
    Ok(())
}

/// The threads that a model was asked about, with the key of what it was told.
pub(crate) fn keys(conn: &Connection) -> Result<Vec<(ThreadId, String)>> {
    conn.prepare_cached("SELECT thread_id, key FROM lineage ORDER BY thread_id")?
        .query_map([], |row| Ok((ThreadId::new(row.get::<_, String>(0)?), row.get(1)?)))?
        .collect()
}

/// How many stories were told.
pub(crate) fn count_told(conn: &Connection) -> Result<u64> {
    conn.prepare_cached("SELECT count(*) FROM lineage WHERE prose <> ''")?.query_row([], |row| column::count(row, 0))
}
