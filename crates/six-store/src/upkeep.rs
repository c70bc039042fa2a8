//! Vectors over time: when embedding last got on, and vectors that went astray.

use six_core::record::UnixMs;
use six_core::search::Model;

use crate::error::Result;
use crate::open::Store;
use crate::table::{body, boundary, meta, model, vector};

impl Store {
    /// A run of embedding has stored vectors, or found none to make.
    pub fn note_embedding(&self, at: UnixMs) -> Result<()> {
        self.set_meta(meta::EMBEDDED, &at.0.to_string())
    }

    /// Starts and ends of sessions since then; all of them where no run ever got on.
    pub fn boundaries_since_embedding(&self, now: UnixMs) -> Result<u32> {
        let last = self.meta(meta::EMBEDDED)?.and_then(|at| at.parse().ok()).map_or(UnixMs(i64::MIN), UnixMs);
        self.read(|conn| Ok(boundary::count_between(conn, last, now)?))
    }

    /// Removes vectors of no body, and the notes of bodies whose vector is not there, so that it is made again. Answers how
    /// many vectors were removed.
    pub fn settle_vectors(&self) -> Result<u64> {
        if self.read(|conn| Ok(vector::count(conn)? == body::count_embedded(conn)?))? {
            return Ok(0);
        }
        self.write(|conn| {
            body::forget_lost_vectors(conn)?;
            Ok(vector::delete_strays(conn)?)
        })
    }

    /// Removes all vectors of a model; answers how many.
    pub fn discard_vectors(&self, of: &Model) -> Result<u64> {
        self.write(|conn| match model::id(conn, of)? {
            None => Ok(0),
            Some(model) => Ok(vector::delete_of(conn, model)?),
        })
    }
}
