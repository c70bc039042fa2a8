//! What a session's messages propose, before it is known what the store has.

use std::collections::BTreeMap;

use sha2::{Digest as _, Sha256};

use super::DropReason;
use crate::record::{Origin, RecordId, RecordKind, UnixMs};
use crate::text::{Redacted, hex};

/// Version of the rules. It is stored beside what they made and is never part of an id, so that newer rules find what
/// older ones found under the same name.
pub const EXTRACTION_VERSION: u32 = 1;

/// Bytes of a hash that make an id: 26 hexadecimal digits, as long as a random id.
const ID_BYTES: usize = 13;

/// A sentence that states a decision, a dead end or a correction.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Proposal {
    /// Made of turn, kind and the ordinal of the sentence: the same whenever the turn is read again.
    pub id: RecordId,
    /// What it states.
    pub kind: RecordKind,
    /// Who states it: the operator or the agent.
    pub origin: Origin,
    /// A clean clause of at most [`Record::TITLE_MAX_CHARS`](crate::record::Record::TITLE_MAX_CHARS) characters.
    pub title: Redacted,
    /// The sentence with its neighbours; empty where the quote says all.
    pub body: Redacted,
    /// The sentence as it was said.
    pub quote: Redacted,
    /// Options that a decision rejects, as far as the sentence names them.
    pub rejected: Vec<Redacted>,
    /// A condition under which a dead end is worth another try, if one is named.
    pub revive_if: Redacted,
    /// Where a correction holds; empty = everywhere.
    pub scope: Redacted,
    /// The message that it stands in.
    pub turn: String,
    /// When it was said.
    pub at: Option<UnixMs>,
    /// Its distinct content terms, as the index's tokenizer makes them: what substance and likeness are judged by.
    pub terms: Vec<String>,
}

/// All that some messages propose.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct Proposed {
    /// In reading order.
    pub proposals: Vec<Proposal>,
    /// Sentences that had a cue and propose nothing, by reason.
    pub dropped: BTreeMap<DropReason, u64>,
}

/// The id of what the sentence with this ordinal in a raw turn states: the same whenever the turn is read again, under
/// whatever rules of redaction and extraction.
pub(super) fn extracted_id(turn: &str, kind: RecordKind, ordinal: usize) -> RecordId {
    let mut hash = Sha256::new();
    for part in [turn, kind.as_str(), &ordinal.to_string()] {
        hash.update(part.as_bytes());
        hash.update([0]);
    }
    RecordId::new(hex(hash.finalize().get(..ID_BYTES).unwrap_or_default()))
}
