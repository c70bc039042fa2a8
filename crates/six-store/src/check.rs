//! The full check: everything that can be verified about the file, for the worker and `six health`.

use rusqlite::Connection;
use serde::{Deserialize, Serialize};
use six_core::record::UnixMs;

use crate::error::{Result, StoreError};
use crate::index::Counts;
use crate::open::Store;
use crate::table::body_fts::Terms;
use crate::table::{body, body_fts, chunk, meta, term, vector};

/// Result of a full check.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct FullCheck {
    /// When it was made.
    pub at: UnixMs,
    /// What is wrong with text and index, in words; empty = clean.
    pub faults: Vec<String>,
    /// What is wrong with vectors, which are made again and are no damage to the file.
    #[serde(default)]
    pub vectors: Vec<String>,
}

/// Lines of `quick_check` that are kept.
const LINES: usize = 10;

impl Store {
    /// Checks pages, the index's structures, foreign keys, counters, document frequencies and vectors. Reads the whole file.
    /// The result is kept where the store can be written.
    pub fn full_check(&self, now: UnixMs) -> Result<FullCheck> {
        let mut faults = Vec::new();
        for part in [pages, index, foreign_keys, parity, frequencies] {
            match part(&self.conn) {
                Ok(found) => faults.extend(found),
                Err(StoreError::Corrupt) => faults.push("the file is damaged".to_owned()),
                Err(StoreError::MissingTable) => faults.push("a table is missing".to_owned()),
                Err(error) => return Err(error),
            }
        }
        faults.dedup();
        let check =
            FullCheck { at: now, faults, vectors: vectors(&self.conn).unwrap_or_else(|fault| vec![fault.to_string()]) };
        match self.set_meta(meta::FULL_CHECK, &serde_json::to_string(&check)?) {
            Ok(()) | Err(StoreError::ReadOnly | StoreError::Corrupt | StoreError::MissingTable) => Ok(check),
            Err(error) => Err(error),
        }
    }

    /// The result of the last full check.
    pub fn last_full_check(&self) -> Result<Option<FullCheck>> {
        Ok(self.meta(meta::FULL_CHECK)?.and_then(|json| serde_json::from_str(&json).ok()))
    }
}

fn pages(conn: &Connection) -> Result<Vec<String>> {
    let mut stmt = conn.prepare(&format!("PRAGMA quick_check({LINES})"))?;
    let lines: Vec<String> = stmt.query_map([], |row| row.get(0))?.collect::<rusqlite::Result<_>>()?;
    Ok(lines.into_iter().filter(|line| line != "ok").collect())
}

fn index(conn: &Connection) -> Result<Vec<String>> {
    match body_fts::integrity_check(conn).map_err(StoreError::from) {
        Ok(()) | Err(StoreError::ReadOnly) => Ok(Vec::new()),
        Err(StoreError::Corrupt | StoreError::MissingTable) => Ok(vec!["the full-text index is damaged".to_owned()]),
        Err(error) => Err(error),
    }
}

fn foreign_keys(conn: &Connection) -> Result<Vec<String>> {
    let broken: i64 = conn.query_row("SELECT count(*) FROM pragma_foreign_key_check", [], |row| row.get(0))?;
    Ok(if broken == 0 { Vec::new() } else { vec![format!("{broken} rows refer to rows that are not there")] })
}

fn parity(conn: &Connection) -> Result<Vec<String>> {
    let (bodies, rows) = (body::count(conn)?, body_fts::count(conn)?);
    let counted = meta::counter(conn, meta::BODIES)?;
    let same = bodies == rows && rows == counted;
    Ok(if same { Vec::new() } else { vec![format!("{bodies} bodies, {rows} index rows, {counted} counted")] })
}

fn frequencies(conn: &Connection) -> Result<Vec<String>> {
    let wrong = wrong_frequencies(conn)?;
    Ok(if wrong == 0 { Vec::new() } else { vec![format!("{wrong} terms are counted wrongly")] })
}

fn vectors(conn: &Connection) -> Result<Vec<String>> {
    let vector::Faults { orphans, missing, wrong_width } = vector::faults(conn)?;
    let said = [
        (orphans, "vectors belong to no text"),
        (missing, "texts have lost their vector"),
        (wrong_width, "vectors have another width than their model"),
    ];
    Ok(said.into_iter().filter(|(count, _)| *count > 0).map(|(count, what)| format!("{count} {what}")).collect())
}

/// Counts all terms again from the bodies' own text.
pub(crate) fn wrong_frequencies(conn: &Connection) -> Result<usize> {
    let mut counts = Counts::default();
    chunk::each_body(conn, |id, text| {
        counts.add(&Terms::of(text, &body::lent(conn, id)?), 1);
        Ok(())
    })?;
    let counted = counts.into_deltas();
    let stored = term::all(conn)?;
    let differ = counted.iter().filter(|(term, n)| stored.get(*term) != Some(n)).count();
    Ok(differ + stored.keys().filter(|term| !counted.contains_key(*term)).count())
}
