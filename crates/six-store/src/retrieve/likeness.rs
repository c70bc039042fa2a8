//! Whether two bodies say the same: by their words, and by their vectors where both have one.

use rusqlite::Connection;
use six_core::search::Gist;

use crate::table::vector;

/// What is compared of a body.
#[derive(Debug)]
pub(super) struct Likeness {
    gist: Gist,
    /// Its model and its values.
    vector: Option<(i64, Vec<u8>)>,
}

impl Likeness {
    /// A vector that can't be read is none: texts are then compared by their words.
    pub(super) fn of(conn: &Connection, body: i64, text: &str) -> Self {
        Self { gist: Gist::of(text), vector: vector::get(conn, body).ok() }
    }

    /// Whether the other one says the same.
    pub(super) fn says(&self, other: &Self) -> bool {
        let cosine = match (&self.vector, &other.vector) {
            (Some((model, left)), Some((same, right))) if model == same => Some(cosine(left, right)),
            _ => None,
        };
        self.gist.is_like(&other.gist, cosine)
    }
}

/// Of values in two's complement; 0 when one of the two is all zeros. Not in SQL, since every hit is compared with every
/// other.
fn cosine(left: &[u8], right: &[u8]) -> f64 {
    let sum = |left: &[u8], right: &[u8]| -> f64 {
        left.iter().zip(right).map(|(l, r)| f64::from(l.cast_signed()) * f64::from(r.cast_signed())).sum()
    };
    let squares = sum(left, left) * sum(right, right);
    if squares == 0.0 { 0.0 } else { sum(left, right) / squares.sqrt() }
}
