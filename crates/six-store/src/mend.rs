//! What a repair does with rows that refer to lost ones, before the index is made.

use rusqlite::{Connection, params};
use six_core::text::Redacted;

use crate::error::Result;
use crate::salvage::TableRead;
use crate::table::body::{self, Lent};
use crate::table::{chunk, entry};

/// Makes the rows agree with each other. Nothing that was read of entries and records is given up.
pub(crate) fn mend(conn: &Connection, tables: &[TableRead]) -> Result<()> {
    let is_short = |name: &str| tables.iter().any(|table| table.table == name && !table.is_whole());
    conn.execute("DELETE FROM chunk WHERE entry_id NOT IN (SELECT id FROM entry)", [])?;
    if is_short("chunk") {
        chunk_whole_entries(conn)?;
    }
    find_bodies(conn)?;
    settle_bodies(conn)?;
    mend_references(conn)?;
    if ["entry", "chunk", "source_file"].into_iter().any(is_short) {
        read_sources_again(conn)?;
    }
    Ok(())
}

/// An entry that lost all its chunks is one chunk, so that it is found; its source, read again, cuts it as before.
fn chunk_whole_entries(conn: &Connection) -> Result<()> {
    for id in ids(conn, "SELECT id FROM entry WHERE id NOT IN (SELECT entry_id FROM chunk)")? {
        let range = 0..entry::text(conn, id)?.len();
        let whole = six_core::record::Chunk { range, lines: None, title: Redacted::literal("") };
        // The body is found below, by the text.
        chunk::insert(conn, id, 0, &whole)?;
    }
    Ok(())
}

/// Every chunk refers to the body of its text. A body keeps its number, and so whatever else refers to it.
fn find_bodies(conn: &Connection) -> Result<()> {
    for id in ids(conn, "SELECT id FROM entry")? {
        let text = entry::text(conn, id)?;
        for held in chunk::of_entry(conn, id)? {
            let Some(piece) = text.get(held.range.clone()) else {
                chunk::delete(conn, held.id)?;
                continue;
            };
            let hash = body::hash(piece);
            let body = match body::find(conn, &hash)? {
                Some(body) => body,
                None => conn
                    .prepare_cached(
                        "INSERT INTO body (hash, weight, scope, title, handles) VALUES (?1, 0, '', '', '')",
                    )?
                    .insert(params![&hash[..]])?,
            };
            if body != held.body {
                conn.prepare_cached("UPDATE chunk SET body_id = ?2 WHERE id = ?1")?.execute([held.id, body])?;
            }
        }
    }
    Ok(())
}

/// What the references that are left lend to the bodies; a body without any goes.
fn settle_bodies(conn: &Connection) -> Result<()> {
    for id in ids(conn, "SELECT id FROM body")? {
        let lent: Option<Lent> = chunk::lent(conn, id)?;
        match lent {
            Some(lent) => body::update(conn, id, &lent)?,
            None => body::delete(conn, id)?,
        }
    }
    Ok(())
}

/// A row whose parent is lost forgets it where it may, and goes where it means nothing without.
fn mend_references(conn: &Connection) -> Result<()> {
    let mut keys = conn.prepare(
        "SELECT t.name, k.\"from\", k.\"table\", k.\"to\", c.\"notnull\" OR c.pk > 0 \
         FROM sqlite_schema t, pragma_foreign_key_list(t.name) k, pragma_table_info(t.name) c \
         WHERE t.type = 'table' AND c.name = k.\"from\" ORDER BY t.rowid",
    )?;
    let keys: Vec<(String, String, String, String, bool)> = keys
        .query_map([], |row| Ok((row.get(0)?, row.get(1)?, row.get(2)?, row.get(3)?, row.get(4)?)))?
        .collect::<rusqlite::Result<_>>()?;
    for (table, column, parent, parent_column, is_needed) in keys {
        let lost = format!("\"{column}\" NOT IN (SELECT \"{parent_column}\" FROM \"{parent}\")");
        conn.execute(
            &if is_needed {
                format!("DELETE FROM \"{table}\" WHERE {lost}")
            } else {
                format!("UPDATE \"{table}\" SET \"{column}\" = NULL WHERE {lost}")
            },
            [],
        )?;
    }
    Ok(())
}

/// The next ingest takes every source for one that it has not read: what is there already is not stored twice.
fn read_sources_again(conn: &Connection) -> Result<()> {
    conn.execute(
        "UPDATE source_file SET size_bytes = 0, mtime_ns = 0, content_hash = '', consumed_bytes = 0, consumed_lines = 0",
        [],
    )?;
    Ok(())
}

fn ids(conn: &Connection, sql: &str) -> Result<Vec<i64>> {
    Ok(conn.prepare(sql)?.query_map([], |row| row.get(0))?.collect::<rusqlite::Result<_>>()?)
}
