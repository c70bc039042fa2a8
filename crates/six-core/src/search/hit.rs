//! What a search answers.

use serde::Serialize;

use crate::record::{EntryKind, RecordId, SessionId, Source, UnixMs};

/// One hit.
#[derive(Debug, Clone, PartialEq, Serialize)]
pub struct Hit {
    /// `chunk:N`; stable while the chunk is there.
    pub id: String,
    /// The record that it is, if it is one.
    pub record: Option<RecordId>,
    /// What it is.
    pub kind: EntryKind,
    /// Where it comes from.
    pub source: Source,
    /// Title of the entry and heading path of the chunk.
    pub title: String,
    /// Path, for documents and transcripts.
    pub path: Option<String>,
    /// First and last line in that file.
    pub lines: Option<(u32, u32)>,
    /// The session it was said in.
    pub session: Option<SessionId>,
    /// When.
    pub at: Option<UnixMs>,
    /// The chunk's text.
    pub text: String,
    /// 0 to 1, relative to the best hit of this search.
    pub score: f64,
    /// What the score is made of.
    pub parts: Parts,
    /// What to know about it (`abandoned branch`); empty when there is nothing.
    pub label: String,
    /// Ids of hits that say the same and are not listed for that; best first.
    pub duplicates: Vec<String>,
}

/// The parts of a score: `both * weight * freshness`, which the hit's score relates to that of the best hit.
#[derive(Debug, Clone, Copy, PartialEq, Serialize)]
pub struct Parts {
    /// BM25, scaled to 0..1 over what the leg found; 0 where no word matched.
    pub lexical: f64,
    /// Cosine, scaled likewise; 0 where a text has no vector or is not among the nearest.
    pub vector: f64,
    /// The two fused, 0..1.
    pub both: f64,
    /// Factor of the kind's weight.
    pub weight: f64,
    /// Factor of age.
    pub freshness: f64,
}

impl Parts {
    /// What hits are ordered by.
    pub fn product(&self) -> f64 {
        self.both * self.weight * self.freshness
    }
}
