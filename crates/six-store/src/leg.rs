//! The lexical leg: bodies that hold any of the terms, ranked by BM25, filters inside.
//!
//! BM25 costs FTS5 one to two microseconds per matching row, so a word that is in every fifth chunk would cost a search of
//! a large store a hundred milliseconds and say next to nothing. The rarest terms drive the leg as long as they match
//! [`RANKED_ROWS`] in all; the others add their weight to what the drivers found, and drive only where that is too little.

mod nearest;

use std::collections::HashSet;

use rusqlite::{Connection, Row, params};
use six_core::record::EntryKind;
use six_core::search::Filter;

use crate::error::Result;
use crate::table::body_fts::Terms;
use crate::table::{body, body_fts, chunk, column, entry};

pub(crate) use nearest::nearest;

/// Rows that BM25 is worked out for at once. Where a single term has more, the newest are taken.
const RANKED_ROWS: u64 = 3_000;

/// The reference of a body that is shown.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) struct Reference {
    pub(crate) body: i64,
    pub(crate) chunk: i64,
    pub(crate) kind: EntryKind,
}

/// The best `rows` references, best first, with what BM25 says. `terms` come with their frequency, rarest first.
pub(crate) fn lexical(
    conn: &Connection,
    corpus: u64,
    terms: &[(u64, String)],
    filter: &Filter,
    rows: usize,
) -> Result<Vec<(Reference, f64)>> {
    let (drivers, rest) = terms.split_at(drivers(terms));
    let mut met = HashSet::new();
    let mut found = matching(conn, drivers, filter, rows, &mut met)?;
    if !rest.is_empty() {
        for (reference, score) in &mut found {
            *score += bonus(conn, corpus, rest, reference.body)?;
        }
    }
    for term in rest {
        if found.len() >= rows {
            break;
        }
        found.extend(matching(conn, std::slice::from_ref(term), filter, rows - found.len(), &mut met)?);
    }
    found.sort_by(|(a, sa), (b, sb)| sb.total_cmp(sa).then(a.chunk.cmp(&b.chunk)));
    Ok(found)
}

/// What the terms that do not drive add to a body. Cutting fifty texts into terms anew is cheaper than walking the postings
/// of one common word.
fn bonus(conn: &Connection, corpus: u64, terms: &[(u64, String)], body: i64) -> Result<f64> {
    let Some(text) = chunk::body_text(conn, body)? else { return Ok(0.0) };
    let cut = Terms::of(&text, &body::lent(conn, body)?);
    let held: Vec<&str> = cut.distinct().collect();
    Ok(terms
        .iter()
        .filter(|(_, term)| held.binary_search(&term.as_str()).is_ok())
        .map(|(df, _)| idf(corpus, *df))
        .sum())
}

/// How many of the terms drive: at least one.
fn drivers(terms: &[(u64, String)]) -> usize {
    let mut sum = 0;
    let fit = terms.iter().take_while(|(df, _)| {
        sum += df;
        sum <= RANKED_ROWS
    });
    fit.count().max(1).min(terms.len())
}

/// What a single match in an average chunk counts in BM25, with the floor that FTS5 gives to what is everywhere.
#[expect(clippy::cast_precision_loss, reason = "counts of chunks stay far below 2^52")]
fn idf(corpus: u64, df: u64) -> f64 {
    let (n, df) = (corpus as f64, df as f64);
    ((n - df + 0.5) / (df + 0.5)).ln().max(1e-6)
}

/// The best `rows` bodies with any of the terms that were not met before and that the filter lets through.
fn matching(
    conn: &Connection,
    terms: &[(u64, String)],
    filter: &Filter,
    rows: usize,
    met: &mut HashSet<i64>,
) -> Result<Vec<(Reference, f64)>> {
    let wanted = Wanted::of(filter);
    let cut = terms.iter().map(|(df, _)| df).sum::<u64>() > RANKED_ROWS;
    let mut bodies = match (cut, wanted.all()) {
        (false, _) => all(conn, terms)?,
        (true, true) => newest(conn, terms)?,
        (true, false) => newest_wanted(conn, terms, &wanted)?,
    };
    bodies.sort_by(|(a, sa), (b, sb)| sb.total_cmp(sa).then(a.cmp(b)));
    let mut found = Vec::new();
    for (body, score) in bodies {
        if found.len() >= rows {
            break;
        }
        if met.insert(body) {
            found.extend(best_reference(conn, body, &wanted)?.map(|reference| (reference, score)));
        }
    }
    Ok(found)
}

fn newest(conn: &Connection, terms: &[(u64, String)]) -> Result<Vec<(i64, f64)>> {
    Ok(conn
        .prepare_cached("SELECT rowid, rank FROM body_fts WHERE body_fts MATCH ?1 ORDER BY rowid DESC LIMIT ?2")?
        .query_map(params![any_of(terms), column::int(RANKED_ROWS)], scored)?
        .collect::<rusqlite::Result<_>>()?)
}

/// Where no term has to be cut short the order is of no account, and FTS5 walks its postings forwards at less cost.
fn all(conn: &Connection, terms: &[(u64, String)]) -> Result<Vec<(i64, f64)>> {
    Ok(conn
        .prepare_cached("SELECT rowid, rank FROM body_fts WHERE body_fts MATCH ?1")?
        .query_map([any_of(terms)], scored)?
        .collect::<rusqlite::Result<_>>()?)
}

/// Where only the newest of many rows are ranked, the filter must work before they are counted.
fn newest_wanted(conn: &Connection, terms: &[(u64, String)], wanted: &Wanted<'_>) -> Result<Vec<(i64, f64)>> {
    Ok(conn
        .prepare_cached(&format!(
            "SELECT b.rowid, b.rank FROM body_fts b WHERE b.body_fts MATCH ?5 AND EXISTS (\
                 SELECT 1 FROM chunk c JOIN entry e ON e.id = c.entry_id WHERE c.body_id = b.rowid AND {}) \
             ORDER BY b.rowid DESC LIMIT ?6",
            wanted_sql()
        ))?
        .query_map(
            params![wanted.kinds, wanted.sources, wanted.path, wanted.since, any_of(terms), column::int(RANKED_ROWS)],
            scored,
        )?
        .collect::<rusqlite::Result<_>>()?)
}

fn any_of(terms: &[(u64, String)]) -> String {
    body_fts::any_of(terms.iter().map(|(_, term)| term.as_str()))
}

fn scored(row: &Row<'_>) -> rusqlite::Result<(i64, f64)> {
    Ok((row.get(0)?, -row.get::<_, f64>(1)?))
}

/// The condition on the entry `e`; takes the fields of [`Wanted`] as its first four parameters.
fn wanted_sql() -> String {
    format!(
        "(?1 = '' OR instr(?1, ' ' || e.kind || ' ') > 0) \
         AND (?2 = '' OR instr(?2, ' ' || e.source || ' ') > 0) \
         AND (?3 IS NULL OR instr({}, ?3) > 0) \
         AND (?4 IS NULL OR e.at_unix_ms >= ?4)",
        entry::PATH
    )
}

/// A filter as the statements take it.
struct Wanted<'f> {
    /// Names between blanks; empty = all.
    kinds: String,
    /// Likewise.
    sources: String,
    path: Option<&'f str>,
    since: Option<i64>,
}

impl<'f> Wanted<'f> {
    fn of(filter: &'f Filter) -> Self {
        Self {
            kinds: names(filter.kinds.iter().map(|k| k.as_str())),
            sources: names(filter.sources.iter().map(|s| s.as_str())),
            path: filter.path.as_deref(),
            since: filter.since.map(|t| t.0),
        }
    }

    fn all(&self) -> bool {
        self.kinds.is_empty() && self.sources.is_empty() && self.path.is_none() && self.since.is_none()
    }
}

fn names<'n>(names: impl Iterator<Item = &'n str>) -> String {
    names.fold(String::new(), |mut all, name| {
        all.push_str(if all.is_empty() { " " } else { "" });
        all.push_str(name);
        all.push(' ');
        all
    })
}

/// Of a body's references that the filter lets through the one to show: live before abandoned, heavy before light, old
/// before new.
fn best_reference(conn: &Connection, body: i64, wanted: &Wanted<'_>) -> Result<Option<Reference>> {
    let mut stmt = conn.prepare_cached(&format!(
        "SELECT c.id, e.kind, e.abandoned FROM chunk c JOIN entry e ON e.id = c.entry_id WHERE c.body_id = ?5 AND {}",
        wanted_sql()
    ))?;
    let rows = stmt.query_map(params![wanted.kinds, wanted.sources, wanted.path, wanted.since, body], |row| {
        let kind = column::named(row, 1, EntryKind::parse)?;
        Ok((row.get::<_, bool>(2)?, Reference { body, chunk: row.get(0)?, kind }))
    })?;
    let mut best: Option<(bool, Reference)> = None;
    for row in rows {
        let (abandoned, reference) = row?;
        let order = |a: bool, r: &Reference| (a, std::cmp::Reverse(r.kind.weight()), r.chunk);
        if best.as_ref().is_none_or(|(a, r)| order(abandoned, &reference) < order(*a, r)) {
            best = Some((abandoned, reference));
        }
    }
    Ok(best.map(|(_, reference)| reference))
}

#[cfg(test)]
mod tests {
    use six_core::ingest::Mode;
    use six_core::record::Source;
    use six_core::search::Query;

    use crate::testkit::*;

    #[test]
    fn few_rows_are_all_ranked_and_at_least_one_term_drives() {
        let terms = |dfs: &[u64]| dfs.iter().map(|df| (*df, String::new())).collect::<Vec<_>>();
        assert_eq!(super::drivers(&terms(&[1, 2, 3])), 3);
        assert_eq!(super::drivers(&terms(&[1, 2_999, 1])), 2);
        assert_eq!(super::drivers(&terms(&[9_000, 9_000])), 1);
        assert_eq!(super::drivers(&[]), 0);
    }

    #[test]
    fn a_word_that_is_everywhere_still_ranks_and_still_finds() {
        let s = Scratch::new();
        let lines: Vec<String> = (0..3_200).map(|n| format!("queue number{n}")).collect();
        let mut all = vec![doc("a.md", &lines.join("\n"))];
        all.push(doc("b.md", "jitter all alone\njitter with queue"));
        s.store.commit(&batch(Source::Ledger, "l", Mode::Append, all)).unwrap();
        let hits = s.store.search(&query("jitter queue")).unwrap().hits;
        assert_eq!(hits.len(), 10);
        assert_eq!((hits[0].text.as_str(), hits[1].text.as_str()), ("jitter with queue", "jitter all alone"));

        let mut old = prompt("u1", "queue");
        old.session = None;
        let s = Scratch::new();
        s.store.commit(&batch(Source::Transcript, "t", Mode::Append, vec![old])).unwrap();
        s.store.commit(&doc_batch("a.md", &lines.join("\n"))).unwrap();
        let mut filtered: Query = query("queue");
        filtered.filter.sources = vec![Source::Transcript];
        assert_eq!(s.store.search(&filtered).unwrap().hits.len(), 1);
    }
}
