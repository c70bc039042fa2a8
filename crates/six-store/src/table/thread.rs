//! `thread`: lines of decisions and dead ends about one matter.

use rusqlite::{Connection, OptionalExtension as _, Result, Row, params};
use six_core::record::{Thread, ThreadId};

use super::column;

const COLUMNS: &str = "id, name, summary, open, created_unix_ms";

pub(crate) fn insert(conn: &Connection, new: &Thread) -> Result<()> {
    conn.prepare_cached(&format!("INSERT INTO thread ({COLUMNS}) VALUES (?1, ?2, ?3, ?4, ?5)"))?.execute(params![
        new.id.as_str(),
        new.name.as_str(),
        new.summary.as_str(),
        new.open,
        new.created.0
    ])?;
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

/// The thread that took the records of this one.
pub(crate) fn merged_into(conn: &Connection, id: &ThreadId) -> Result<Option<ThreadId>> {
    let into: Option<Option<String>> = conn
        .prepare_cached("SELECT merged_into FROM thread WHERE id = ?1")?
        .query_row([id.as_str()], |row| row.get(0))
        .optional()?;
    Ok(into.flatten().map(ThreadId::new))
}

/// Hands id, name and summary of the newest threads to `visit`.
pub(crate) fn each_text(conn: &Connection, limit: usize, mut visit: impl FnMut(&str, &str, &str)) -> Result<()> {
    let mut stmt = conn.prepare_cached(
        "SELECT id, name, substr(summary, 1, 600) FROM thread ORDER BY created_unix_ms DESC LIMIT ?1",
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
    })
}
