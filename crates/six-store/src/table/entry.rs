//! `entry`: one message, document, commit or record, its text stored once.

use rusqlite::{Connection, OptionalExtension as _, Result, params};
use six_core::record::{Entry, EntryKind, Origin, Source};

use super::left_behind::BY_ALL_HOLDERS;
use super::record_name::Name;
use super::{chunk, column, entry_key, session};

/// SQL for the path of the entry `e`.
pub(crate) const PATH: &str = "ifnull(e.path, (SELECT path FROM source_file f WHERE f.id = e.source_file_id))";

/// The path that is stored with the entry itself. A transcript's is that of its file, which is stored once: repeating it
/// would take as much room as a short message.
fn own_path(entry: &Entry) -> Option<&str> {
    match entry.source {
        Source::Transcript => None,
        _ => entry.path.as_ref().map(six_core::text::Redacted::as_str),
    }
}

/// The row of an entry, when its source has one of that key.
pub(crate) fn id(conn: &Connection, source: Source, key: &str) -> Result<Option<i64>> {
    conn.prepare_cached("SELECT id FROM entry WHERE source = ?1 AND key = ?2")?
        .query_row(params![source.as_str(), entry_key::stored(key)], |row| row.get(0))
        .optional()
}

pub(crate) fn insert(conn: &Connection, file: Option<i64>, entry: &Entry) -> Result<i64> {
    let session = entry.session.as_ref().map(|name| session::number(conn, name)).transpose()?;
    conn.prepare_cached(
        "INSERT INTO entry (source, key, kind, origin, source_file_id, session_id, path, at_unix_ms, branch, title, text) \
         VALUES (?1, ?2, ?3, ?4, ?5, ?6, ?7, ?8, ?9, ?10, ?11)",
    )?
    .insert(params![
        entry.source.as_str(),
        entry_key::stored(&entry.key),
        entry.kind.as_str(),
        entry.origin.as_str(),
        file,
        session,
        own_path(entry),
        entry.at.map(|t| t.0),
        entry.branch.as_ref().map(six_core::text::Redacted::as_str),
        entry.title.as_str(),
        entry.text.as_str()
    ])
}

/// Everything but source, key and `abandoned`, which stay what they are.
pub(crate) fn update(conn: &Connection, id: i64, file: Option<i64>, entry: &Entry) -> Result<()> {
    let session = entry.session.as_ref().map(|name| session::number(conn, name)).transpose()?;
    conn.prepare_cached(
        "UPDATE entry SET kind = ?2, origin = ?3, source_file_id = ?4, session_id = ?5, path = ?6, at_unix_ms = ?7, \
         branch = ?8, title = ?9, text = ?10 WHERE id = ?1",
    )?
    .execute(params![
        id,
        entry.kind.as_str(),
        entry.origin.as_str(),
        file,
        session,
        own_path(entry),
        entry.at.map(|t| t.0),
        entry.branch.as_ref().map(six_core::text::Redacted::as_str),
        entry.title.as_str(),
        entry.text.as_str()
    ])?;
    Ok(())
}

/// The words of an entry.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct Words {
    pub(crate) id: i64,
    /// `None` of a key that is a uuid.
    pub(crate) key: Option<String>,
    pub(crate) source: Source,
    pub(crate) kind: EntryKind,
    pub(crate) path: Option<String>,
    pub(crate) branch: Option<String>,
    pub(crate) title: String,
    pub(crate) text: String,
}

/// Hands the entries behind `after` to `visit`, by id, until it answers `false`.
pub(crate) fn each_words(conn: &Connection, after: i64, mut visit: impl FnMut(Words) -> Result<bool>) -> Result<()> {
    let mut stmt = conn.prepare_cached(
        "SELECT id, iif(typeof(key) = 'text', key, NULL), source, kind, path, branch, title, text FROM entry \
         WHERE id > ?1 ORDER BY id",
    )?;
    let mut rows = stmt.query([after])?;
    while let Some(row) = rows.next()? {
        let words = Words {
            id: row.get(0)?,
            key: row.get(1)?,
            source: column::named(row, 2, Source::parse)?,
            kind: column::named(row, 3, EntryKind::parse)?,
            path: row.get(4)?,
            branch: row.get(5)?,
            title: row.get(6)?,
            text: row.get(7)?,
        };
        if !visit(words)? {
            break;
        }
    }
    Ok(())
}

/// Writes the words of an entry anew. A key that another entry has already gets the id behind it.
pub(crate) fn set_words(conn: &Connection, words: &Words) -> Result<()> {
    conn.prepare_cached("UPDATE entry SET path = ?2, branch = ?3, title = ?4, text = ?5 WHERE id = ?1")?
        .execute(params![words.id, words.path, words.branch, words.title, words.text])?;
    let Some(key) = &words.key else { return Ok(()) };
    let changed =
        conn.prepare_cached("UPDATE OR IGNORE entry SET key = ?2 WHERE id = ?1")?.execute(params![words.id, key])?;
    if changed == 0 {
        conn.prepare_cached("UPDATE entry SET key = ?2 || '~' || id WHERE id = ?1")?.execute(params![words.id, key])?;
    }
    Ok(())
}

pub(crate) fn text(conn: &Connection, id: i64) -> Result<String> {
    conn.prepare_cached("SELECT text FROM entry WHERE id = ?1")?.query_row([id], |row| row.get(0))
}

pub(crate) fn delete(conn: &Connection, id: i64) -> Result<()> {
    conn.prepare_cached("DELETE FROM entry WHERE id = ?1")?.execute([id])?;
    Ok(())
}

/// What a file gave.
pub(crate) fn of_file(conn: &Connection, file: i64) -> Result<Vec<(i64, String)>> {
    conn.prepare_cached("SELECT id, key FROM entry WHERE source_file_id = ?1")?
        .query_map([file], |row| Ok((row.get(0)?, entry_key::get(row, 1)?)))?
        .collect()
}

/// All keys of a source, in order.
pub(crate) fn keys(conn: &Connection, source: Source) -> Result<Vec<String>> {
    conn.prepare_cached("SELECT key FROM entry WHERE source = ?1 ORDER BY key")?
        .query_map([source.as_str()], |row| entry_key::get(row, 0))?
        .collect()
}

/// Settles whether what the transcript record `name` gave is abandoned: its own key, and keys that add `#` and a number.
pub(crate) fn settle_abandoned(conn: &Connection, name: &Name) -> Result<()> {
    let uuid = name.text();
    conn.prepare_cached(&format!(
        "UPDATE entry SET abandoned = {BY_ALL_HOLDERS} \
         WHERE source = 'transcript' AND key >= ?2 AND key < ?3 AND abandoned <> {BY_ALL_HOLDERS}"
    ))?
    .execute(params![name.bytes(), entry_key::stored(&uuid), entry_key::after(&uuid)])?;
    Ok(())
}

/// Whether the entry of a key is on a branch that was left behind; an entry that is not there is on none.
pub(crate) fn is_abandoned(conn: &Connection, source: Source, key: &str) -> Result<bool> {
    let abandoned = conn
        .prepare_cached("SELECT abandoned FROM entry WHERE source = ?1 AND key = ?2")?
        .query_row(params![source.as_str(), entry_key::stored(key)], |row| row.get(0))
        .optional()?;
    Ok(abandoned.unwrap_or(false))
}

/// Title and path of the memory files whose path holds `name`.
pub(crate) fn memory_files(conn: &Connection, name: &str) -> Result<Vec<(String, String)>> {
    conn.prepare_cached(
        "SELECT title, path FROM entry WHERE kind = 'memory' AND path IS NOT NULL AND instr(path, ?1) > 0 ORDER BY path",
    )?
    .query_map([name], |row| Ok((row.get(0)?, row.get(1)?)))?
    .collect()
}

pub(crate) fn count(conn: &Connection) -> Result<u64> {
    conn.prepare_cached("SELECT count(*) FROM entry")?.query_row([], |row| column::count(row, 0))
}

/// Kind and id of the records and subsystems that refer to a body.
pub(crate) fn records_of_body(conn: &Connection, body: i64) -> Result<Vec<(EntryKind, String)>> {
    conn.prepare_cached(
        "SELECT DISTINCT e.kind, e.key FROM chunk c JOIN entry e ON e.id = c.entry_id \
         WHERE c.body_id = ?1 AND e.source = 'record' ORDER BY e.id",
    )?
    .query_map([body], |row| Ok((column::named(row, 0, EntryKind::parse)?, entry_key::get(row, 1)?)))?
    .collect()
}

/// Bytes of text of a source. `octet_length` reads the length from the row's header, not the text.
pub(crate) fn text_bytes(conn: &Connection, source: Source) -> Result<u64> {
    conn.prepare_cached("SELECT ifnull(sum(octet_length(text)), 0) FROM entry WHERE source = ?1")?
        .query_row([source.as_str()], |row| column::count(row, 0))
}

/// Visits source and key of every entry.
pub(crate) fn each_key(
    conn: &Connection,
    mut visit: impl FnMut(Source, &str) -> crate::error::Result<()>,
) -> crate::error::Result<()> {
    let mut stmt = conn.prepare_cached("SELECT source, key FROM entry")?;
    let mut rows = stmt.query([])?;
    while let Some(row) = rows.next()? {
        visit(column::named(row, 0, Source::parse)?, &entry_key::get(row, 1)?)?;
    }
    Ok(())
}

/// An entry as it was handed over, with its chunks.
pub(crate) fn whole(conn: &Connection, id: i64) -> Result<Entry> {
    let chunks = chunk::whole_of_entry(conn, id)?;
    conn.prepare_cached(
        "SELECT e.key, e.source, e.kind, e.origin, s.name, e.path, e.title, e.text, e.at_unix_ms, e.branch \
         FROM entry e LEFT JOIN session s ON s.id = e.session_id WHERE e.id = ?1",
    )?
    .query_row([id], |row| {
        Ok(Entry {
            key: entry_key::get(row, 0)?,
            source: column::named(row, 1, Source::parse)?,
            kind: column::named(row, 2, EntryKind::parse)?,
            origin: column::named(row, 3, Origin::parse)?,
            session: column::session_opt(row, 4)?,
            path: column::redacted_opt(row, 5)?,
            title: column::redacted(row, 6)?,
            text: column::redacted(row, 7)?,
            at: column::time_opt(row, 8)?,
            branch: column::redacted_opt(row, 9)?,
            chunks,
        })
    })
}

/// Bytes of all text.
pub(crate) fn all_text_bytes(conn: &Connection) -> Result<u64> {
    let mut bytes = 0;
    for source in Source::ALL {
        bytes += text_bytes(conn, source)?;
    }
    Ok(bytes)
}
