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
            (Some((model, left)), Some((same, right))) if model == same => Some(vector::cosine(left, right)),
            _ => None,
        };
        self.gist.is_like(&other.gist, cosine)
    }
}
