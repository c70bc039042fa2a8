//! What becomes of proposals, once it is known what the store has.

use std::collections::BTreeMap;

use serde::{Deserialize, Serialize};

use crate::record::{Origin, Record, RecordId, RecordKind, RecordState, SessionId, UnixMs};
use crate::text::Redacted;

/// How common the terms of proposals are.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct Frequencies {
    /// Distinct chunks in the index.
    pub corpus: u64,
    /// In how many of them each term occurs. A term that is absent here could not be looked up and counts as common.
    pub df: BTreeMap<String, u64>,
}

/// A record that a proposal may repeat.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct KnownRecord {
    /// Its id.
    pub id: RecordId,
    /// Its kind.
    pub kind: RecordKind,
    /// Pending, confirmed, rejected or retired. A retired one is repeated by agents only: a person may have come back to it.
    pub state: RecordState,
    /// Its title.
    pub title: String,
    /// The sentence that it came from; empty for one that was entered directly.
    pub quote: String,
}

/// Why a sentence with a cue makes no candidate.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum DropReason {
    /// It asks.
    Question,
    /// It supposes.
    Hypothetical,
    /// It wishes or plans.
    Future,
    /// It repeats what others said.
    Quotation,
    /// It denies what the cue says.
    Negated,
    /// It is code, a table, a log or a heading without content.
    NoProse,
    /// It reports a state: a status echo, an acknowledgement.
    StatusEcho,
    /// It narrates what the agent or its tools do.
    Narration,
    /// It is about keeping memory itself.
    AboutMemory,
    /// It is a joke, or the next sentence takes it back.
    NotMeant,
    /// The same sentence states another kind more clearly.
    OtherKind,
    /// Its message states more of the kind than a message may propose.
    TooMany,
    /// It has too few words that say something.
    NoSubstance,
    /// None of its words is rare in the project.
    NothingRare,
    /// The same was said before in these messages or is a record already: it became evidence of that.
    Repeated,
    /// A person rejected the same before.
    RejectedBefore,
}

impl DropReason {
    /// All, in the order in which they are tested.
    pub const ALL: [Self; 16] = [
        Self::Question,
        Self::Hypothetical,
        Self::Future,
        Self::Quotation,
        Self::Negated,
        Self::NoProse,
        Self::StatusEcho,
        Self::Narration,
        Self::AboutMemory,
        Self::NotMeant,
        Self::OtherKind,
        Self::TooMany,
        Self::NoSubstance,
        Self::NothingRare,
        Self::Repeated,
        Self::RejectedBefore,
    ];

    /// The name in the store and in JSON.
    pub const fn as_str(self) -> &'static str {
        match self {
            Self::Question => "question",
            Self::Hypothetical => "hypothetical",
            Self::Future => "future",
            Self::Quotation => "quotation",
            Self::Negated => "negated",
            Self::NoProse => "no-prose",
            Self::StatusEcho => "status-echo",
            Self::Narration => "narration",
            Self::AboutMemory => "about-memory",
            Self::NotMeant => "not-meant",
            Self::OtherKind => "other-kind",
            Self::TooMany => "too-many",
            Self::NoSubstance => "no-substance",
            Self::NothingRare => "nothing-rare",
            Self::Repeated => "repeated",
            Self::RejectedBefore => "rejected-before",
        }
    }

    /// The one of that name.
    pub fn parse(name: &str) -> Option<Self> {
        Self::ALL.into_iter().find(|reason| reason.as_str() == name)
    }
}

/// Another turn that says what a record says.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct Sighting {
    /// The record.
    pub record: RecordId,
    /// The message.
    pub turn: String,
    /// The session of the message.
    pub session: Option<SessionId>,
    /// Who said it.
    pub origin: Origin,
    /// What was said.
    pub quote: Redacted,
    /// When.
    pub at: UnixMs,
}

/// What is to be written of a session's messages, all together.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct Extracted {
    /// New records, all pending.
    pub candidates: Vec<Record>,
    /// Further evidence of records that are there, or of candidates above.
    pub sightings: Vec<Sighting>,
    /// What was dropped, by reason.
    pub dropped: BTreeMap<DropReason, u64>,
}
