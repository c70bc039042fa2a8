//! The vector leg: bodies whose vector points where the query's does, filters inside.

use rusqlite::Connection;
use six_core::search::{Filter, Model, QueryVector};

use super::{Reference, Wanted, best_reference};
use crate::error::Result;
use crate::table::{model, vector};

/// The best `rows` references, nearest first, with their cosine. Empty where the query's model has made no vector: those of
/// other models, and of another width, are never compared with it.
pub(crate) fn nearest(
    conn: &Connection,
    query: &QueryVector,
    filter: &Filter,
    rows: usize,
) -> Result<Vec<(Reference, f64)>> {
    let asked = Model { name: query.model.clone(), width: query.values.len() };
    let Some(model) = model::id(conn, &asked)? else { return Ok(Vec::new()) };
    let mut all = Vec::new();
    vector::each(conn, model, |body, bytes| all.push((body, cosine(&query.values, bytes))))?;
    all.sort_unstable_by(|(a, ca), (b, cb)| cb.total_cmp(ca).then(a.cmp(b)));
    let wanted = Wanted::of(filter);
    let mut found = Vec::new();
    for (body, cosine) in all {
        if found.len() >= rows {
            break;
        }
        found.extend(best_reference(conn, body, &wanted)?.map(|reference| (reference, cosine)));
    }
    Ok(found)
}

/// 0 when one of the two is all zeros.
fn cosine(left: &[i8], right: &[u8]) -> f64 {
    let mut sums = [0_i32; 3];
    for (l, r) in left.iter().zip(right) {
        let (l, r) = (i32::from(*l), i32::from(r.cast_signed()));
        sums = [sums[0] + l * r, sums[1] + l * l, sums[2] + r * r];
    }
    let [dot, left, right] = sums.map(f64::from);
    if left * right == 0.0 { 0.0 } else { dot / (left * right).sqrt() }
}
