//! What the store is asked for a prompt, and what it answers.

use std::collections::BTreeMap;

use serde::{Deserialize, Serialize};

use crate::record::{EntryKind, ItemId, Origin, UnixMs};

/// Which items could matter for a prompt.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct CandidateQuery {
    /// Distinct terms of the prompt, stop words and the vocabulary of intent removed.
    pub terms: Vec<String>,
    /// Kinds that the block can show.
    pub kinds: Vec<EntryKind>,
    /// At most this many items, those with the most rare matches first.
    pub limit: usize,
    /// Inverse document frequency from which a term is rare ([`super::Limits::rare_idf`]). Only rare terms bring an item
    /// in: without one it can't pass the gate, and a common term costs as much as it has chunks.
    pub rare_idf: f64,
    /// In an index of fewer chunks every term brings items in, since there the gate asks for no rare one
    /// ([`super::Limits::small_corpus`]).
    pub small_corpus: u64,
}

/// What the store answers. All frequencies come from the index's own table.
#[derive(Debug, Clone, PartialEq, Default, Serialize, Deserialize)]
pub struct Candidates {
    /// Distinct chunks in the index.
    pub corpus: u64,
    /// In how many distinct chunks each asked term occurs. A term that is absent here could not be looked up.
    pub df: BTreeMap<String, u64>,
    /// Items, best first.
    pub items: Vec<Candidate>,
}

/// One item that could be shown: a confirmed record or a subsystem.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct Candidate {
    /// Key of damping and receipts.
    pub item: ItemId,
    /// What it is.
    pub kind: EntryKind,
    /// Who said it.
    pub origin: Origin,
    /// Title, name or rule.
    pub title: String,
    /// The rest of its text: rationale, why it failed, purpose.
    pub body: String,
    /// Paths of a subsystem; a record's anchors.
    pub paths: Vec<String>,
    /// State of a subsystem (`live`, `dormant`, `planned`); empty for records.
    pub state: String,
    /// Under which condition a dead end is worth another try.
    pub revive_if: String,
    /// Name of its thread.
    pub thread: Option<String>,
    /// When it was last validated.
    pub validated: UnixMs,
    /// How often this session was shown it.
    pub delivered: u32,
}
