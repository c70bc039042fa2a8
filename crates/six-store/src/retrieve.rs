//! Search by the tool policy: generous, any word may match, the nearest in meaning are found too, filters inside the legs.
//! What hooks may show is another question with another answer: see [`crate::evidence`].

mod likeness;
#[cfg(test)]
mod tests;

use std::collections::HashMap;

use rusqlite::{Connection, OptionalExtension as _};
use six_core::record::{EntryKind, RecordId, RecordKind, RecordState, Source, UnixMs};
use six_core::search::{
    Degraded, Found, Hit, Leg, LegRows, MAX_TERMS, Parts, Query, QueryTerm, QueryVector, freshness, fuse, least_cosine,
    weight_factor,
};
use six_core::text::first_line;

use crate::error::{Result, StoreError};
use crate::leg::{self, Reference};
use crate::open::Store;
use crate::table::{chunk, column, entry, entry_key, meta, record, term};
use crate::vectors;
use likeness::Likeness;

/// Rows that a leg ranks, whatever the limit: the scale of a score should not depend on how many are shown.
const LEG_ROWS: usize = 50;

/// Rows for each hit wanted, beyond that.
const ROWS_PER_HIT: usize = 5;

/// Terms of a query whose frequency is looked up. The parser gives far fewer; this bounds what a hostile caller costs.
const LOOKED_UP: usize = 4 * MAX_TERMS;

/// Bytes of a text's beginning that stand for a title.
const TITLE_BYTES: usize = 80;

/// Letters of a word from which on, when no text has it, those that begin with it are taken for it: `Datenbank` finds
/// `Datenbankverbindung`.
const COMPOUND_LETTERS: usize = 5;

/// How many of them.
const COMPOUNDS: usize = 8;

/// Label of what was said on a branch that was left behind.
const ABANDONED: &str = "abandoned branch";

impl Store {
    /// The best hits for a query, best first. A query without a term finds nothing. A leg that fails leaves the answer to
    /// the other and is named in it; where the other finds nothing, the failure is the answer.
    pub fn search(&self, query: &Query) -> Result<Found> {
        if query.terms.is_empty() || query.limit == 0 {
            return Ok(Found::default());
        }
        self.read(|conn| {
            let answers = ask(conn, query);
            let hits = listed(conn, ranked(conn, &answers, query)?, query.limit)?;
            match answers.failed {
                Some(fault) if hits.is_empty() => Err(fault),
                _ => Ok(Found { hits, degraded: answers.degraded }),
            }
        })
    }

    /// One chunk by the id that a hit carries.
    pub fn show(&self, id: &str) -> Result<Option<Hit>> {
        let Some(number) = id.strip_prefix("chunk:").and_then(|n| n.parse().ok()) else { return Ok(None) };
        self.read(|conn| hit(conn, number))
    }
}

/// What the legs answered, by body.
#[derive(Debug, Default)]
struct Answers {
    references: HashMap<i64, Reference>,
    lexical: LegRows<i64>,
    vector: LegRows<i64>,
    degraded: Vec<Degraded>,
    failed: Option<StoreError>,
}

fn ask(conn: &Connection, query: &Query) -> Answers {
    let limit = LEG_ROWS.max(query.limit.saturating_mul(ROWS_PER_HIT));
    let mut answers = Answers::default();
    for leg in [Leg::Lexical, Leg::Vector].into_iter().filter(|leg| query.legs.has(*leg)) {
        let rows = match (leg, &query.vector) {
            (Leg::Lexical, _) => by_words(conn, query, limit),
            (Leg::Vector, Ok(vector)) => by_meaning(conn, query, vector, limit, &mut answers.degraded),
            (Leg::Vector, Err(why)) => {
                answers.degraded.push(Degraded::NoQueryVector { why: why.clone() });
                continue;
            }
        };
        match rows {
            Ok(rows) => answers.take(leg, rows, limit, query.terms.len()),
            Err(fault) => {
                answers.degraded.push(Degraded::LegFailed { leg, why: fault.why() });
                answers.failed = Some(fault);
            }
        }
    }
    answers
}

impl Answers {
    fn take(&mut self, leg: Leg, rows: Vec<(Reference, f64)>, limit: usize, terms: usize) {
        self.references.extend(rows.iter().map(|(reference, _)| (reference.body, *reference)));
        let rows = rows.into_iter().map(|(reference, score)| (reference.body, score)).collect();
        match leg {
            Leg::Lexical => self.lexical = LegRows::words(rows, limit),
            Leg::Vector => self.vector = LegRows::meaning(rows, limit, least_cosine(terms)),
        }
    }
}

fn by_words(conn: &Connection, query: &Query, limit: usize) -> Result<Vec<(Reference, f64)>> {
    let terms = rarest(conn, &query.terms)?;
    if terms.is_empty() {
        return Ok(Vec::new());
    }
    leg::lexical(conn, meta::counter(conn, meta::BODIES)?, &terms, &query.filter, limit)
}

fn by_meaning(
    conn: &Connection,
    query: &Query,
    vector: &QueryVector,
    limit: usize,
    degraded: &mut Vec<Degraded>,
) -> Result<Vec<(Reference, f64)>> {
    let rows = leg::nearest(conn, vector, &query.filter, limit)?;
    let covered = vectors::covered(conn, vector)?;
    if covered.embedded < covered.eligible {
        degraded.push(Degraded::Coverage { embedded: covered.embedded, eligible: covered.eligible });
    }
    if covered.other_model > 0 {
        degraded.push(Degraded::OtherModel { model: vector.model.clone(), texts: covered.other_model });
    }
    Ok(rows)
}

/// At most [`MAX_TERMS`] of the terms, the rarest ones; terms that occur nowhere are left to the words that begin with
/// them.
fn rarest(conn: &Connection, asked: &[QueryTerm]) -> Result<Vec<(u64, String)>> {
    let mut known = Vec::new();
    for QueryTerm(term) in asked.iter().take(LOOKED_UP) {
        let df = term::df(conn, term)?;
        if df > 0 {
            known.push((df, term.clone()));
        } else if term.chars().count() >= COMPOUND_LETTERS {
            known.extend(term::beginning_with(conn, term, COMPOUNDS)?);
        }
    }
    known.sort();
    known.dedup();
    known.truncate(MAX_TERMS);
    Ok(known)
}

/// Fuses, weighs, sorts. A record that is not in force, or not there, is none.
fn ranked(conn: &Connection, answers: &Answers, query: &Query) -> Result<Vec<(Reference, Parts)>> {
    let mut ranked = Vec::new();
    for (body, fused) in fuse(&answers.lexical, &answers.vector, query.fusion) {
        let Some(reference) = answers.references.get(&body) else { continue };
        let Some(freshness) = freshness_of(conn, *reference, query.now)? else { continue };
        let weight = weight_factor(reference.kind.weight());
        let parts = Parts { lexical: fused.lexical, vector: fused.vector, both: fused.both, weight, freshness };
        ranked.push((*reference, parts));
    }
    ranked.sort_by(|(a, pa), (b, pb)| pb.product().total_cmp(&pa.product()).then(a.chunk.cmp(&b.chunk)));
    Ok(ranked)
}

/// The factor of age; `None` for a record that is not in force.
fn freshness_of(conn: &Connection, reference: Reference, now: UnixMs) -> Result<Option<f64>> {
    if RecordKind::parse(reference.kind.as_str()).is_none() {
        return Ok(Some(1.0));
    }
    Ok(record::of_chunk(conn, reference.chunk)?
        .filter(|(state, _)| *state == RecordState::Confirmed)
        .map(|(_, validated)| freshness(reference.kind, validated, now)))
}

/// The first `limit` hits that say different things. Only texts that are looked at on the way are compared.
fn listed(conn: &Connection, ranked: Vec<(Reference, Parts)>, limit: usize) -> Result<Vec<Hit>> {
    let best = ranked.first().map_or(1.0, |(_, parts)| parts.product()).max(f64::MIN_POSITIVE);
    let mut listed: Vec<(Likeness, Hit)> = Vec::new();
    for (reference, parts) in ranked {
        if listed.len() >= limit {
            break;
        }
        let Some(found) = hit(conn, reference.chunk)? else { continue };
        let likeness = Likeness::of(conn, reference.body, &found.text);
        match listed.iter_mut().find(|(other, first)| may_fold(first, &found) && other.says(&likeness)) {
            Some((_, first)) => first.duplicates.push(found.id),
            None => listed.push((likeness, Hit { score: parts.product() / best, parts, ..found })),
        }
    }
    Ok(listed.into_iter().map(|(_, hit)| hit).collect())
}

/// Whether two hits that say the same are one. What holds must not vanish behind what was left behind, and in a transcript
/// it matters who said it: `Use it.` is an order, `Using it.` an answer.
fn may_fold(first: &Hit, other: &Hit) -> bool {
    let is_said = |hit: &Hit| hit.source == Source::Transcript;
    first.label == other.label && (first.kind == other.kind || !is_said(first) && !is_said(other))
}

/// A chunk as a hit without a score.
fn hit(conn: &Connection, id: i64) -> Result<Option<Hit>> {
    let found = conn
        .prepare_cached(&format!(
            "SELECT c.id, e.kind, e.source, e.title, c.title, {}, c.first_line, c.last_line, s.name, e.at_unix_ms, \
                 e.abandoned, c.start_bytes, c.end_bytes, e.text, e.key \
             FROM chunk c JOIN entry e ON e.id = c.entry_id LEFT JOIN session s ON s.id = e.session_id WHERE c.id = ?1",
            entry::PATH
        ))?
        .query_row([id], |row| {
            let kind: EntryKind = column::named(row, 1, EntryKind::parse)?;
            let source: Source = column::named(row, 2, Source::parse)?;
            let is_record = source == Source::Record && RecordKind::parse(kind.as_str()).is_some();
            Ok(Hit {
                id: format!("chunk:{}", row.get::<_, i64>(0)?),
                record: is_record.then(|| entry_key::get(row, 14)).transpose()?.map(RecordId::new),
                kind,
                source,
                title: shown_title(
                    chunk::joined_title(row.get_ref(3)?.as_str()?, row.get_ref(4)?.as_str()?),
                    row.get_ref(13)?.as_str()?,
                ),
                path: row.get(5)?,
                lines: column::lines(row, 6)?,
                session: column::session_opt(row, 8)?,
                at: column::time_opt(row, 9)?,
                label: if row.get(10)? { ABANDONED.to_owned() } else { String::new() },
                text: row.get_ref(13)?.as_str()?.get(chunk::range(row, 11)?).unwrap_or_default().to_owned(),
                score: 1.0,
                parts: Parts { lexical: 0.0, vector: 0.0, both: 0.0, weight: 1.0, freshness: 1.0 },
                duplicates: Vec::new(),
            })
        })
        .optional()?;
    Ok(found)
}

/// What was said has no title of its own: its beginning is shown.
fn shown_title(own: String, text: &str) -> String {
    if own.is_empty() { first_line(text, TITLE_BYTES).to_owned() } else { own }
}
