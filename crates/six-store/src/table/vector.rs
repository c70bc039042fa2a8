//! `vector`: what a body means, in the bytes that its model's values were rounded to. Its row id is the body's.
//!
//! A plain table. In statements with sqlite-vec's distance functions and with the four hundred candidates that a search
//! needs, 20 000 vectors of 384 values took 3.8 ms and 200 000 took 31, where a `vec0` table took 12 to 16 and 86 and can
//! neither update a row nor be deleted from without its module. Where no filter has to be part of the statement, rows are
//! compared as they are read, for a third fewer instructions.

use std::collections::BinaryHeap;

use rusqlite::{Connection, OptionalExtension as _, Result, params};

use super::column;

/// Puts the vector of a body in the place of the one that it has.
pub(crate) fn put(conn: &Connection, body: i64, model: i64, values: &[i8]) -> Result<()> {
    conn.prepare_cached(
        "INSERT INTO vector (body_id, model_id, signs, value_i8) VALUES (?1, ?2, ?3, ?4) ON CONFLICT (body_id) \
         DO UPDATE SET model_id = excluded.model_id, signs = excluded.signs, value_i8 = excluded.value_i8",
    )?
    .execute(params![body, model, signs(values), bytes(values)])?;
    conn.prepare_cached("UPDATE body SET model_id = ?2 WHERE id = ?1")?.execute([body, model])?;
    Ok(())
}

/// Removes the vector of a body, if it has one.
pub(crate) fn delete(conn: &Connection, body: i64) -> Result<()> {
    if conn.prepare_cached("DELETE FROM vector WHERE body_id = ?1")?.execute([body])? > 0 {
        conn.prepare_cached("UPDATE body SET model_id = NULL WHERE id = ?1")?.execute([body])?;
    }
    Ok(())
}

/// A byte for each value.
pub(crate) fn bytes(values: &[i8]) -> Vec<u8> {
    values.iter().map(|value| value.cast_unsigned()).collect()
}

/// A bit for each value, set where it is above 0.
pub(crate) fn signs(values: &[i8]) -> Vec<u8> {
    values.chunks(8).map(|eight| eight.iter().rev().fold(0, |bits, value| (bits << 1) | u8::from(*value > 0))).collect()
}

/// Bodies of a model whose vectors have the most signs in common with these, at most `rows`, best first.
pub(crate) fn by_signs(conn: &Connection, model: i64, signs: &[u8], rows: usize) -> Result<Vec<i64>> {
    let mut stmt = conn.prepare_cached("SELECT body_id, signs FROM vector WHERE model_id = ?1")?;
    let mut all = stmt.query([model])?;
    let mut best = BinaryHeap::new();
    while let Some(row) = all.next()? {
        let own = row.get_ref(1)?.as_blob()?;
        if own.len() != signs.len() {
            continue;
        }
        let unlike = unlike(own, signs);
        if best.len() < rows {
            best.push((unlike, row.get::<_, i64>(0)?));
        } else if let Some(mut worst) = best.peek_mut().filter(|worst| unlike < worst.0) {
            *worst = (unlike, row.get(0)?);
        }
    }
    Ok(best.into_sorted_vec().into_iter().map(|(_, body)| body).collect())
}

/// How many signs are not the same in both.
fn unlike(left: &[u8], right: &[u8]) -> u32 {
    let ((left, left_rest), (right, right_rest)) = (left.as_chunks(), right.as_chunks());
    let eights = left.iter().zip(right).map(|(l, r)| (u64::from_ne_bytes(*l) ^ u64::from_ne_bytes(*r)).count_ones());
    let rest = left_rest.iter().zip(right_rest).map(|(l, r)| (l ^ r).count_ones());
    eights.chain(rest).sum()
}

/// For each of the bodies the cosine of the angle between its vector and `values`; those without a vector of that width are
/// left out.
pub(crate) fn cosines(conn: &Connection, bodies: &[i64], values: &[u8]) -> Result<Vec<(i64, f64)>> {
    let mut stmt = conn.prepare_cached("SELECT value_i8 FROM vector WHERE body_id = ?1")?;
    let mut found = Vec::with_capacity(bodies.len());
    for body in bodies {
        let own = stmt.query_row([body], |row| {
            let own = row.get_ref(0)?.as_blob()?;
            Ok((own.len() == values.len()).then(|| cosine(own, values)))
        });
        found.extend(own.optional()?.flatten().map(|cosine| (*body, cosine)));
    }
    Ok(found)
}

/// The bodies with a vector that a record or a subsystem refers to, in the words of the index `body_record`: they are few,
/// and the vectors of all else are never looked at.
const OF_RECORDS: &str = "FROM body b CROSS JOIN vector v ON v.body_id = b.id \
     WHERE b.scope = '=record' AND b.model_id IS NOT NULL";

/// Whether any record has a vector, of whatever model.
pub(crate) fn any_of_records(conn: &Connection) -> Result<bool> {
    conn.prepare_cached(&format!("SELECT EXISTS (SELECT 1 {OF_RECORDS})"))?.query_row([], |row| row.get(0))
}

/// The cosines with `values` of the newest `rows` bodies of records that have a vector of this model, nearest first.
pub(crate) fn of_records(conn: &Connection, model: i64, values: &[u8], rows: usize) -> Result<Vec<(i64, f64)>> {
    let mut stmt = conn.prepare_cached(&format!(
        "SELECT b.id, v.value_i8 {OF_RECORDS} AND b.model_id = ?1 ORDER BY b.id DESC LIMIT ?2"
    ))?;
    let mut all = stmt.query(params![model, column::int(rows)])?;
    let mut found: Vec<(i64, f64)> = Vec::new();
    while let Some(row) = all.next()? {
        let own = row.get_ref(1)?.as_blob()?;
        if own.len() == values.len() {
            found.push((row.get(0)?, cosine(own, values)));
        }
    }
    found.sort_by(|(a, ca), (b, cb)| cb.total_cmp(ca).then(a.cmp(b)));
    Ok(found)
}

/// The cosine of the angle between two vectors in [`bytes`], from -1 to 1; 0 when one of the two is all zeros.
#[expect(clippy::cast_precision_loss, reason = "sums of products of bytes stay far below 2^52")]
pub(crate) fn cosine(left: &[u8], right: &[u8]) -> f64 {
    let squares = dot(left, left) as f64 * dot(right, right) as f64;
    if squares == 0.0 { 0.0 } else { dot(left, right) as f64 / squares.sqrt() }
}

fn dot(left: &[u8], right: &[u8]) -> i64 {
    let product = |(left, right): (&u8, &u8)| i32::from(left.cast_signed()) * i32::from(right.cast_signed());
    left.iter().zip(right).map(|pair| i64::from(product(pair))).sum()
}

/// The model that made a body's vector, and its values.
pub(crate) fn get(conn: &Connection, body: i64) -> Result<(i64, Vec<u8>)> {
    conn.prepare_cached("SELECT model_id, value_i8 FROM vector WHERE body_id = ?1")?
        .query_row([body], |row| Ok((row.get(0)?, row.get(1)?)))
}

/// Removes all vectors of a model; answers how many.
pub(crate) fn delete_of(conn: &Connection, model: i64) -> Result<u64> {
    conn.execute("UPDATE body SET model_id = NULL WHERE model_id = ?1", [model])?;
    let removed = conn.execute("DELETE FROM vector WHERE model_id = ?1", [model])?;
    Ok(u64::try_from(removed).unwrap_or(u64::MAX))
}

pub(crate) fn count(conn: &Connection) -> Result<u64> {
    conn.prepare_cached("SELECT count(*) FROM vector")?.query_row([], |row| column::count(row, 0))
}

/// Vectors that are not as long as their model says.
const WRONG_WIDTH: &str = "NOT EXISTS (SELECT 1 FROM model m WHERE m.id = v.model_id \
     AND octet_length(v.value_i8) = m.width AND octet_length(v.signs) = (m.width + 7) / 8)";

/// What is wrong between bodies and vectors.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) struct Faults {
    /// Vectors whose body is not there, or says that it has none of that model.
    pub(crate) orphans: u64,
    /// Bodies that say that they have a vector and have none.
    pub(crate) missing: u64,
    /// Vectors that are not as long as their model says.
    pub(crate) wrong_width: u64,
}

impl Faults {
    /// Whether nothing is wrong.
    pub(crate) const fn is_none(self) -> bool {
        self.orphans == 0 && self.missing == 0 && self.wrong_width == 0
    }
}

/// Compares all bodies with all vectors.
pub(crate) fn faults(conn: &Connection) -> Result<Faults> {
    conn.prepare(&format!(
        "SELECT (SELECT count(*) FROM vector v LEFT JOIN body b ON b.id = v.body_id WHERE b.model_id IS NOT v.model_id), \
             (SELECT count(*) FROM body b WHERE b.model_id IS NOT NULL \
              AND NOT EXISTS (SELECT 1 FROM vector v WHERE v.body_id = b.id)), \
             (SELECT count(*) FROM vector v WHERE {WRONG_WIDTH})"
    ))?
    .query_row([], |row| {
        Ok(Faults {
            orphans: column::count(row, 0)?,
            missing: column::count(row, 1)?,
            wrong_width: column::count(row, 2)?,
        })
    })
}

/// Removes vectors that no body can have, and lets every body say what it has.
pub(crate) fn repair(conn: &Connection) -> Result<()> {
    conn.execute_batch(&format!(
        "DELETE FROM vector AS v WHERE NOT EXISTS (SELECT 1 FROM body b WHERE b.id = v.body_id) OR {WRONG_WIDTH}; \
         UPDATE body SET model_id = (SELECT v.model_id FROM vector v WHERE v.body_id = body.id) \
         WHERE model_id IS NOT (SELECT v.model_id FROM vector v WHERE v.body_id = body.id);"
    ))
}
