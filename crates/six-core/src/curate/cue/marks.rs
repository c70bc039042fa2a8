//! What has to be true of the place where a phrase stands.

/// Where a phrase counts.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Place {
    Anywhere,
    Clause,
    Sentence,
}

/// How words in a row may end.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) struct Edge {
    /// Whether the last word may go on.
    pub(crate) open: bool,
    /// Whether the clause ends with it.
    pub(crate) ends: bool,
}

/// The marks of a phrase.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) struct Marks {
    pub(crate) place: Place,
    /// Whether a break, the end or another phrase has to follow.
    pub(crate) parted: bool,
    /// Of its words; where it has a gap, of those before it.
    pub(crate) head: Edge,
    /// Of the words behind its gap.
    pub(crate) tail: Edge,
}
