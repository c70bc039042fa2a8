//! `chunk`: a range of an entry's text that can be retrieved; a reference to a body.

use std::collections::HashSet;
use std::ops::Range;

use rusqlite::{Connection, Result, Row, params};
use six_core::record::{Chunk, EntryKind, Source, UnixMs};

use super::body::{Embeds, Lent};
use super::body_fts::RECORD;
use super::column;

/// A chunk as its entry has it.
#[derive(Debug)]
pub(crate) struct Held {
    pub(crate) id: i64,
    pub(crate) body: i64,
    pub(crate) range: Range<usize>,
}

pub(crate) fn of_entry(conn: &Connection, entry: i64) -> Result<Vec<Held>> {
    conn.prepare_cached("SELECT id, body_id, start_bytes, end_bytes FROM chunk WHERE entry_id = ?1 ORDER BY id")?
        .query_map([entry], |row| Ok(Held { id: row.get(0)?, body: row.get(1)?, range: range(row, 2)? }))?
        .collect()
}

/// The chunks of an entry as they were handed over.
pub(crate) fn whole_of_entry(conn: &Connection, entry: i64) -> Result<Vec<Chunk>> {
    conn.prepare_cached(
        "SELECT start_bytes, end_bytes, first_line, last_line, title FROM chunk WHERE entry_id = ?1 ORDER BY id",
    )?
    .query_map([entry], |row| {
        Ok(Chunk { range: range(row, 0)?, lines: column::lines(row, 2)?, title: column::redacted(row, 4)? })
    })?
    .collect()
}

pub(crate) fn insert(conn: &Connection, entry: i64, body: i64, chunk: &Chunk) -> Result<()> {
    conn.prepare_cached(
        "INSERT INTO chunk (entry_id, body_id, start_bytes, end_bytes, first_line, last_line, title) \
         VALUES (?1, ?2, ?3, ?4, ?5, ?6, ?7)",
    )?
    .execute(params![
        entry,
        body,
        column::int(chunk.range.start),
        column::int(chunk.range.end),
        chunk.lines.map(|l| l.0),
        chunk.lines.map(|l| l.1),
        chunk.title.as_str()
    ])?;
    Ok(())
}

/// Moves a chunk within its entry; its id and its body stay.
pub(crate) fn move_to(conn: &Connection, id: i64, chunk: &Chunk) -> Result<()> {
    conn.prepare_cached(
        "UPDATE chunk SET start_bytes = ?2, end_bytes = ?3, first_line = ?4, last_line = ?5, title = ?6 WHERE id = ?1",
    )?
    .execute(params![
        id,
        column::int(chunk.range.start),
        column::int(chunk.range.end),
        chunk.lines.map(|l| l.0),
        chunk.lines.map(|l| l.1),
        chunk.title.as_str()
    ])?;
    Ok(())
}

/// The titles of an entry's chunks, in the order of [`of_entry`].
pub(crate) fn titles(conn: &Connection, entry: i64) -> Result<Vec<String>> {
    conn.prepare_cached("SELECT title FROM chunk WHERE entry_id = ?1 ORDER BY id")?
        .query_map([entry], |row| row.get(0))?
        .collect()
}

/// Gives a chunk another body, place and title; its id and its lines stay.
pub(crate) fn reword(conn: &Connection, id: i64, body: i64, range: &Range<usize>, title: &str) -> Result<()> {
    conn.prepare_cached("UPDATE chunk SET body_id = ?2, start_bytes = ?3, end_bytes = ?4, title = ?5 WHERE id = ?1")?
        .execute(params![id, body, column::int(range.start), column::int(range.end), title])?;
    Ok(())
}

pub(crate) fn delete(conn: &Connection, id: i64) -> Result<()> {
    conn.prepare_cached("DELETE FROM chunk WHERE id = ?1")?.execute([id])?;
    Ok(())
}

/// What the references of a body lend to it: title and paths of the heaviest one, the oldest among equals. `None` when no
/// reference is left.
pub(crate) fn lent(conn: &Connection, body: i64) -> Result<Option<Lent>> {
    let mut stmt = conn.prepare_cached(
        "SELECT e.source, e.kind, e.title, c.title, e.path, c.start_bytes FROM chunk c JOIN entry e ON e.id = c.entry_id \
         WHERE c.body_id = ?1 ORDER BY c.id",
    )?;
    let mut rows = stmt.query([body])?;
    let mut best: Option<Lent> = None;
    let mut scope = "";
    while let Some(row) = rows.next()? {
        let source = column::named(row, 0, Source::parse)?;
        if source == Source::Record {
            scope = RECORD;
        }
        let kind = column::named(row, 1, EntryKind::parse)?;
        let weight = kind.weight();
        if best.as_ref().is_none_or(|b| weight > b.weight) {
            best = Some(Lent {
                weight,
                scope: String::new(),
                title: joined_title(row.get_ref(2)?.as_str()?, row.get_ref(3)?.as_str()?),
                handles: handles(source, row.get_ref(4)?.as_str_or_null()?),
                embeds: Embeds::of(kind, at(row.get(5)?)),
            });
        }
    }
    Ok(best.map(|lent| Lent { scope: scope.to_owned(), ..lent }))
}

/// When the newest reference of a body was said or written; 0 where none has a date.
pub(crate) fn newest(conn: &Connection, body: i64) -> Result<UnixMs> {
    conn.prepare_cached(
        "SELECT ifnull(max(e.at_unix_ms), 0) FROM chunk c JOIN entry e ON e.id = c.entry_id WHERE c.body_id = ?1",
    )?
    .query_row([body], |row| column::time(row, 0))
}

/// The body of a chunk with its text.
pub(crate) fn body_text(conn: &Connection, body: i64) -> Result<Option<String>> {
    let mut stmt = conn.prepare_cached(
        "SELECT e.text, c.start_bytes, c.end_bytes FROM chunk c JOIN entry e ON e.id = c.entry_id \
         WHERE c.body_id = ?1 LIMIT 1",
    )?;
    let mut rows = stmt.query([body])?;
    let Some(row) = rows.next()? else { return Ok(None) };
    Ok(row.get_ref(0)?.as_str()?.get(range(row, 1)?).map(str::to_owned))
}

/// Visits every body that has a reference once, with its text. Reads an entry's text once, however many chunks it has.
pub(crate) fn each_body(conn: &Connection, mut visit: impl FnMut(i64, &str) -> Result<()>) -> Result<()> {
    let mut met = HashSet::new();
    let mut stmt = conn.prepare_cached("SELECT id, text FROM entry")?;
    let mut rows = stmt.query([])?;
    while let Some(row) = rows.next()? {
        let text = row.get_ref(1)?.as_str()?;
        for held in of_entry(conn, row.get(0)?)? {
            if met.insert(held.body) {
                visit(held.body, text.get(held.range).unwrap_or_default())?;
            }
        }
    }
    Ok(())
}

/// All chunks.
pub(crate) fn count_all(conn: &Connection) -> Result<u64> {
    conn.prepare_cached("SELECT count(*) FROM chunk")?.query_row([], |row| column::count(row, 0))
}

/// Byte range in two columns.
pub(crate) fn range(row: &Row<'_>, column: usize) -> Result<Range<usize>> {
    Ok(at(row.get(column)?)..at(row.get(column + 1)?))
}

fn at(bytes: i64) -> usize {
    usize::try_from(bytes).unwrap_or(0)
}

/// Title of the entry and heading path of the chunk, as results show it and as it is indexed. The path of a document whose
/// title is its first heading begins with that title; it is not said twice.
pub(crate) fn joined_title(entry: &str, chunk: &str) -> String {
    match (entry.is_empty(), chunk.is_empty()) {
        (_, true) => entry.to_owned(),
        (false, false) if !chunk.starts_with(entry) => format!("{entry} > {chunk}"),
        (_, false) => chunk.to_owned(),
    }
}

/// A path is a handle where it names the thing: not of a transcript, whose path says nothing about what was said.
pub(crate) fn handles(source: Source, path: Option<&str>) -> String {
    match source {
        Source::Transcript | Source::Git => String::new(),
        Source::Doc | Source::Memory | Source::Ledger | Source::Record => path.unwrap_or_default().to_owned(),
    }
}

/// Chunks of a source.
pub(crate) fn count(conn: &Connection, source: Source) -> Result<u64> {
    conn.prepare_cached("SELECT count(*) FROM entry e JOIN chunk c ON c.entry_id = e.id WHERE e.source = ?1")?
        .query_row([source.as_str()], |row| column::count(row, 0))
}
