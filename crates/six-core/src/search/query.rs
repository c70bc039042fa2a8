//! What is asked.

use serde::Serialize;

use super::{Fusion, NoVector, QueryVector};
use crate::record::{EntryKind, Source, UnixMs};

/// Terms of one query at most, rarest first; a megabyte prompt costs no more than a line.
pub const MAX_TERMS: usize = 64;

/// One distinct term.
#[derive(Debug, Clone, PartialEq, Eq, PartialOrd, Ord)]
pub struct QueryTerm(pub String);

/// What is searched for. Any word may match; order says nothing.
#[derive(Debug, Clone, PartialEq)]
pub struct Query {
    /// Distinct terms, in the order of the text; stop words only where nothing else would remain.
    pub terms: Vec<QueryTerm>,
    /// The same text as a vector, or why there is none: a search that goes by words alone says so.
    pub vector: Result<QueryVector, NoVector>,
    /// What may be found.
    pub filter: Filter,
    /// Hits wanted.
    pub limit: usize,
    /// Which legs are asked.
    pub legs: Legs,
    /// How they become one order.
    pub fusion: Fusion,
    /// When it is asked: ages count from here.
    pub now: UnixMs,
}

/// One way of finding.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize)]
#[serde(rename_all = "lowercase")]
pub enum Leg {
    /// By words.
    Lexical,
    /// By meaning.
    Vector,
}

/// The legs of one search.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub enum Legs {
    /// Words and meaning.
    #[default]
    Both,
    /// Only one of them, to compare.
    Only(Leg),
}

impl Legs {
    /// Whether a leg is asked.
    pub fn has(self, leg: Leg) -> bool {
        self == Self::Both || self == Self::Only(leg)
    }
}

/// Filters work inside the search, not on its result.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct Filter {
    /// Only these kinds; empty = all.
    pub kinds: Vec<EntryKind>,
    /// Only these sources; empty = all.
    pub sources: Vec<Source>,
    /// Only paths that contain this.
    pub path: Option<String>,
    /// Only what is at least as new.
    pub since: Option<UnixMs>,
}
