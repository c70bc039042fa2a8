//! What a search answers.

use serde::Serialize;

use crate::record::{EntryKind, SessionId, Source, UnixMs};

/// One hit.
#[derive(Debug, Clone, PartialEq, Serialize)]
pub struct Hit {
    /// `chunk:N`; stable while the chunk is there.
    pub id: String,
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
}

/// The parts of a score.
#[derive(Debug, Clone, Copy, PartialEq, Default, Serialize)]
pub struct Parts {
    /// BM25, scaled to 0..1 over the hits of this search.
    pub lexical: f64,
    /// Cosine, scaled likewise; 0 where a chunk has no vector.
    pub vector: f64,
    /// Factor of the kind's weight.
    pub weight: f64,
    /// Factor of age.
    pub freshness: f64,
}
