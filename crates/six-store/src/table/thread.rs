//! `thread`: lines of decisions and dead ends about one matter.

use rusqlite::{Connection, OptionalExtension as _, Result, Row, params};
use six_core::record::{Thread, ThreadId};

use super::column;

const COLUMNS: &str = "id, name, summary, open, created_unix_ms, merged_into";

/// Adds one, with the batch of verdicts that opened it if one did.
pub(crate) fn insert(conn: &Connection, new: &Thread, batch: Option<&str>) -> Result<()> {
    conn.prepare_cached(&format!("INSERT INTO thread ({COLUMNS}, batch_id) VALUES (?1, ?2, ?3, ?4, ?5, ?6, ?7)"))?
        .execute(params![
            new.id.as_str(),
            new.name.as_str(),
            new.summary.as_str(),
            new.open,
            new.created.0,
            new.merged_into.as_ref().map(ThreadId::as_str),
            batch
        ])?;
    Ok(())
}

/// Writes a thread anew, all but its id, when it was opened and where it went.
pub(crate) fn update(conn: &Connection, new: &Thread) -> Result<()> {
    conn.prepare_cached("UPDATE thread SET name = ?2, summary = ?3, open = ?4 WHERE id = ?1")?.execute(params![
        new.id.as_str(),
        new.name.as_str(),
        new.summary.as_str(),
        new.open
    ])?;
    Ok(())
}

/// Notes that a thread, and what was merged into it, leads to another one.
pub(crate) fn set_merged(conn: &Connection, from: &ThreadId, into: &ThreadId) -> Result<()> {
    conn.prepare_cached("UPDATE thread SET merged_into = ?2 WHERE id = ?1 OR merged_into = ?1")?
        .execute([from.as_str(), into.as_str()])?;
    Ok(())
}

pub(crate) fn all(conn: &Connection) -> Result<Vec<Thread>> {
    conn.prepare_cached(&format!("SELECT {COLUMNS} FROM thread ORDER BY created_unix_ms DESC, id"))?
        .query_map([], thread)?
        .collect()
}

pub(crate) fn one(conn: &Connection, id: &ThreadId) -> Result<Option<Thread>> {
    conn.prepare_cached(&format!("SELECT {COLUMNS} FROM thread WHERE id = ?1"))?
        .query_row([id.as_str()], thread)
        .optional()
}

/// Id and name of the open threads in which a decision or a dead end is in force by a person's word, that one first in which
/// the newest is, and how many there are. A name that only agents have dealt with is told to nobody unasked.
pub(crate) fn open_in_force(conn: &Connection, limit: usize) -> Result<(Vec<(ThreadId, String)>, u64)> {
    let mut total = 0;
    let found = conn
        .prepare_cached(
            "SELECT t.id, t.name, count(*) OVER () FROM thread t JOIN record r ON r.thread_id = t.id \
             WHERE t.open = 1 AND t.merged_into IS NULL AND r.state = 'confirmed' \
                 AND r.kind IN ('decision', 'dead_end') AND EXISTS (SELECT 1 FROM record_history h \
                     WHERE h.record_id = r.id AND h.state_to = 'confirmed' AND h.author = 'operator') \
             GROUP BY t.id ORDER BY max(r.created_unix_ms) DESC, t.id LIMIT ?1",
        )?
        .query_map([column::int(limit)], |row| {
            total = column::count(row, 2)?;
            Ok((ThreadId::new(row.get::<_, String>(0)?), row.get(1)?))
        })?
        .collect::<Result<_>>()?;
    Ok((found, total))
}

/// The batch that opened a thread, if one did.
pub(crate) fn batch(conn: &Connection, id: &ThreadId) -> Result<Option<String>> {
    conn.prepare_cached("SELECT batch_id FROM thread WHERE id = ?1")?.query_row([id.as_str()], |row| row.get(0))
}

/// The threads that a batch opened.
pub(crate) fn of_batch(conn: &Connection, batch: &str) -> Result<Vec<Thread>> {
    conn.prepare_cached(&format!("SELECT {COLUMNS} FROM thread WHERE batch_id = ?1 ORDER BY id"))?
        .query_map([batch], thread)?
        .collect()
}

/// Removes a thread that nothing stands in and into which none was merged; `false` when something does.
pub(crate) fn delete_if_empty(conn: &Connection, id: &ThreadId) -> Result<bool> {
    let deleted = conn
        .prepare_cached(
            "DELETE FROM thread WHERE id = ?1 AND NOT EXISTS (SELECT 1 FROM record r WHERE r.thread_id = thread.id) \
             AND NOT EXISTS (SELECT 1 FROM thread t WHERE t.merged_into = thread.id)",
        )?
        .execute([id.as_str()])?;
    Ok(deleted > 0)
}

/// Hands id, name and summary of the newest threads to `visit`; of one that was merged the id of that which took its
/// records, with the name that it had.
pub(crate) fn each_text(conn: &Connection, limit: usize, mut visit: impl FnMut(&str, &str, &str)) -> Result<()> {
    let mut stmt = conn.prepare_cached(
        "SELECT ifnull(merged_into, id), name, substr(summary, 1, 600) FROM thread ORDER BY created_unix_ms DESC LIMIT ?1",
    )?;
    let mut rows = stmt.query([column::int(limit)])?;
    while let Some(row) = rows.next()? {
        visit(row.get_ref(0)?.as_str()?, row.get_ref(1)?.as_str()?, row.get_ref(2)?.as_str()?);
    }
    Ok(())
}

fn thread(row: &Row<'_>) -> Result<Thread> {
    Ok(Thread {
        id: ThreadId::new(row.get::<_, String>(0)?),
        name: column::redacted(row, 1)?,
        summary: column::redacted(row, 2)?,
        open: row.get(3)?,
        created: column::time(row, 4)?,
        merged_into: row.get::<_, Option<String>>(5)?.map(ThreadId::new),
    })
}
