//! The query parser: any text becomes a list of terms, and never an error.

use crate::record::{EntryKind, Source, UnixMs};

/// Terms of one query at most, rarest first; a megabyte prompt costs no more than a line.
pub const MAX_TERMS: usize = 64;

/// One distinct term.
#[derive(Debug, Clone, PartialEq, Eq, PartialOrd, Ord)]
pub struct QueryTerm(pub String);

/// What is searched for. Any word may match; order says nothing.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Query {
    /// Distinct terms, in the order of the text; stop words only where nothing else would remain.
    pub terms: Vec<QueryTerm>,
    /// What may be found.
    pub filter: Filter,
    /// Hits wanted.
    pub limit: usize,
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
