//! `body_fts`: the full-text index over bodies. It is handed our own terms, so what it matches is what `term` counts.

use rusqlite::{Connection, OptionalExtension as _, Result, params};
use six_core::text::{TokenKind, for_each_token};

use super::body::Lent;
use super::column;

/// The word of the column `scope` for bodies that a confirmed record or a subsystem refers to: the injection leg
/// intersects it with its terms and so never walks the postings of everything else. No text gives it as a term: those
/// hold letters and digits only. A word that texts hold would have all their postings walked.
pub(crate) const RECORD: &str = "=record";

/// The terms of one body, ready to be written.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct Terms {
    body: String,
    identifiers: String,
    title: String,
    handles: String,
    /// Distinct, in order, joined by blanks like the others.
    distinct: String,
}

impl Terms {
    /// Cuts a body's text and what is lent to it into terms. Pure and the slowest part of ingest: done before the
    /// transaction wherever that can be.
    pub(crate) fn of(text: &str, lent: &Lent) -> Self {
        let mut terms = Self {
            body: String::with_capacity(text.len()),
            identifiers: String::new(),
            title: String::new(),
            handles: String::new(),
            distinct: String::new(),
        };
        for_each_token(text, |token| {
            let identifier = matches!(token.kind, TokenKind::Identifier | TokenKind::Part);
            push(if identifier { &mut terms.identifiers } else { &mut terms.body }, token.term);
        });
        for_each_token(&lent.title, |token| push(&mut terms.title, token.term));
        for_each_token(&lent.handles, |token| push(&mut terms.handles, token.term));
        let columns = [&terms.body, &terms.identifiers, &terms.title, &terms.handles];
        let mut all: Vec<&str> = columns.into_iter().flat_map(|column| split(column)).collect();
        all.sort_unstable();
        all.dedup();
        terms.distinct = all.join(" ");
        terms
    }

    /// Distinct, in order.
    pub(crate) fn distinct(&self) -> impl Iterator<Item = &str> {
        split(&self.distinct)
    }
}

fn push(joined: &mut String, term: &str) {
    if !joined.is_empty() {
        joined.push(' ');
    }
    joined.push_str(term);
}

/// A term holds no blank.
fn split(joined: &str) -> impl Iterator<Item = &str> {
    joined.split_ascii_whitespace()
}

/// The table as the migrations leave it; a test compares.
const CREATE: &str = "CREATE VIRTUAL TABLE body_fts USING fts5 (
    body, identifiers, title, handles, scope,
    content = '', contentless_delete = 1,
    tokenize = 'unicode61 remove_diacritics 0 categories ''L* M* N* P* S* Co'''
);
INSERT INTO body_fts (body_fts, rank) VALUES ('secure-delete', 1);
INSERT INTO body_fts (body_fts, rank) VALUES ('rank', 'bm25(1.0, 2.0, 4.0, 4.0, 0.0)');
";

/// Puts an empty table in its place, whatever state it is in.
pub(crate) fn recreate(conn: &Connection) -> Result<()> {
    conn.execute_batch("DROP TABLE IF EXISTS body_fts")?;
    conn.execute_batch(CREATE)
}

pub(crate) fn insert(conn: &Connection, id: i64, terms: &Terms, scope: &str) -> Result<()> {
    conn.prepare_cached(
        "INSERT INTO body_fts (rowid, body, identifiers, title, handles, scope) VALUES (?1, ?2, ?3, ?4, ?5, ?6)",
    )?
    .execute(params![id, terms.body, terms.identifiers, terms.title, terms.handles, scope])?;
    Ok(())
}

pub(crate) fn delete(conn: &Connection, id: i64) -> Result<()> {
    conn.prepare_cached("DELETE FROM body_fts WHERE rowid = ?1")?.execute([id])?;
    Ok(())
}

/// Does a part of writing the index as one segment; answers whether there was anything to do. Rows that were deleted leave
/// their terms in the file until then: without the text of a row FTS5 can only mark it as gone.
pub(crate) fn compact(conn: &Connection) -> Result<bool> {
    /// Pages that one call writes: some milliseconds.
    const PAGES: i64 = -256;
    let before = conn.total_changes();
    conn.prepare_cached("INSERT INTO body_fts (body_fts, rank) VALUES ('merge', ?1)")?.execute([PAGES])?;
    // The command itself counts as one change.
    Ok(conn.total_changes() - before > 1)
}

/// Rows of the index, counted in the table that has one per row.
pub(crate) fn count(conn: &Connection) -> Result<u64> {
    conn.prepare_cached("SELECT count(*) FROM body_fts_docsize")?.query_row([], |row| column::count(row, 0))
}

/// Whether the index finds a body by a term.
pub(crate) fn finds(conn: &Connection, id: i64, term: &str) -> Result<bool> {
    conn.prepare_cached("SELECT 1 FROM body_fts WHERE body_fts MATCH ?1 AND rowid = ?2")?
        .query_row(params![quoted(term), id], |_| Ok(()))
        .optional()
        .map(|found| found.is_some())
}

/// Bodies of records and subsystems that hold a term.
pub(crate) fn records_with(conn: &Connection, term: &str) -> Result<Vec<i64>> {
    conn.prepare_cached("SELECT rowid FROM body_fts WHERE body_fts MATCH ?1")?
        .query_map(
            [format!("scope : \"{RECORD}\" AND {{body identifiers title handles}} : {}", quoted(term))],
            |row| row.get(0),
        )?
        .collect()
}

/// Bodies of records and subsystems that hold any of the terms, each once, by id. One walk for all terms: alone each would
/// look for the records again.
pub(crate) fn records_with_any(conn: &Connection, terms: &[&String]) -> Result<Vec<i64>> {
    if terms.is_empty() {
        return Ok(Vec::new());
    }
    let any = any_of(terms.iter().map(|term| term.as_str()));
    conn.prepare_cached("SELECT rowid FROM body_fts WHERE body_fts MATCH ?1 ORDER BY rowid")?
        .query_map([format!("scope : \"{RECORD}\" AND {any}")], |row| row.get(0))?
        .collect()
}

/// FTS5's own check of its structures; damage is [`rusqlite::ErrorCode::DatabaseCorrupt`].
pub(crate) fn integrity_check(conn: &Connection) -> Result<()> {
    conn.execute("INSERT INTO body_fts (body_fts) VALUES ('integrity-check')", [])?;
    Ok(())
}

/// A term as a string of the query language. Nothing in it can be syntax; NUL, which would end the query, is left out.
pub(crate) fn quoted(term: &str) -> String {
    let mut out = String::with_capacity(term.len() + 2);
    out.push('"');
    for c in term.chars().filter(|c| *c != '\0') {
        if c == '"' {
            out.push('"');
        }
        out.push(c);
    }
    out.push('"');
    out
}

/// Any of the terms, in the columns that hold text.
pub(crate) fn any_of<'t>(terms: impl Iterator<Item = &'t str>) -> String {
    let any: Vec<String> = terms.map(quoted).collect();
    format!("{{body identifiers title handles}} : ({})", any.join(" OR "))
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    proptest! {
        #[test]
        fn no_text_gives_the_word_of_the_scope(before in "\\PC{0,20}", after in "\\PC{0,20}") {
            let terms = Terms::of(&format!("{before}{RECORD}{after}"), &Lent::default());
            prop_assert!(terms.distinct().all(|term| term != RECORD));
        }
    }

    #[test]
    fn a_table_made_anew_is_the_one_that_migrations_make() {
        assert!(crate::migrate::MIGRATIONS.iter().any(|sql| sql.contains(CREATE)));
    }
}
