//! Curated records: decisions, dead ends, corrections, cheatsheets.

use serde::{Deserialize, Serialize};

use super::{Anchor, EntryKind, ItemId, Origin, RecordId, SessionId, ThreadId, UnixMs};
use crate::text::Redacted;

/// What a record says.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum RecordKind {
    /// A choice of the project.
    Decision,
    /// An approach that was tried or ruled out.
    DeadEnd,
    /// A standing rule of the operator.
    Correction,
    /// A short piece of know-how.
    Cheatsheet,
}

impl RecordKind {
    /// All kinds.
    pub const ALL: [Self; 4] = [Self::Decision, Self::DeadEnd, Self::Correction, Self::Cheatsheet];

    /// The name in the store and in JSON.
    pub const fn as_str(self) -> &'static str {
        self.entry_kind().as_str()
    }

    /// The kind of that name.
    pub fn parse(name: &str) -> Option<Self> {
        Self::ALL.into_iter().find(|k| k.as_str() == name)
    }

    /// How it is indexed.
    pub const fn entry_kind(self) -> EntryKind {
        match self {
            Self::Decision => EntryKind::Decision,
            Self::DeadEnd => EntryKind::DeadEnd,
            Self::Correction => EntryKind::Correction,
            Self::Cheatsheet => EntryKind::Cheatsheet,
        }
    }
}

/// The state of a record: `pending -> confirmed | rejected | expired`, `confirmed -> superseded | retired`; a person may have
/// another mind later ([`leads_to`](Self::leads_to)), and another wording of a memory file is pending again, whatever its
/// record was. Every read path names the states it accepts; only `Confirmed` ever reaches a block, a lineage or a render.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum RecordState {
    /// Proposed, waiting for triage.
    Pending,
    /// In force.
    Confirmed,
    /// Refused in triage.
    Rejected,
    /// Replaced by another record.
    Superseded,
    /// Pending for too long, or evidence of another record by now.
    Expired,
    /// No longer in force, replaced by nothing.
    Retired,
}

impl RecordState {
    /// All states.
    pub const ALL: [Self; 6] =
        [Self::Pending, Self::Confirmed, Self::Rejected, Self::Superseded, Self::Expired, Self::Retired];

    /// The state that a direct entry begins in. What a person says is in force at once; nothing else confirms itself.
    pub const fn of_entry(origin: Origin) -> Self {
        match origin {
            Origin::Operator => Self::Confirmed,
            Origin::Agent | Origin::Tool | Origin::Import => Self::Pending,
        }
    }

    /// The name in the store and in JSON.
    pub const fn as_str(self) -> &'static str {
        match self {
            Self::Pending => "pending",
            Self::Confirmed => "confirmed",
            Self::Rejected => "rejected",
            Self::Superseded => "superseded",
            Self::Expired => "expired",
            Self::Retired => "retired",
        }
    }

    /// The state of that name.
    pub fn parse(name: &str) -> Option<Self> {
        Self::ALL.into_iter().find(|s| s.as_str() == name)
    }
}

/// A curated record. One shape for all kinds: what differs is which fields are filled.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct Record {
    /// Stable id.
    pub id: RecordId,
    /// What it says.
    pub kind: RecordKind,
    /// Its state.
    pub state: RecordState,
    /// Who said it.
    pub origin: Origin,
    /// One clause of at most 120 characters: the choice, the approach, the rule.
    pub title: Redacted,
    /// Why: the rationale of a decision, why an approach failed, the words round a correction. May be empty.
    pub body: Redacted,
    /// The sentence it was taken from; empty for a direct entry.
    pub quote: Redacted,
    /// Options that a decision rejected, each with its why.
    pub rejected: Vec<Redacted>,
    /// A condition under which a dead end is worth another try; empty if none was given.
    pub revive_if: Redacted,
    /// Where a correction holds: empty = the whole project, else a path pattern.
    pub scope: Redacted,
    /// Its thread.
    pub thread: Option<ThreadId>,
    /// The record that replaced it.
    pub superseded_by: Option<RecordId>,
    /// The session it was said in.
    pub session: Option<SessionId>,
    /// The uuid of the transcript record it was taken from.
    pub turn: Option<String>,
    /// What it cites.
    pub anchors: Vec<Anchor>,
    /// When it was made.
    pub created: UnixMs,
    /// When a person last said that it holds.
    pub validated: UnixMs,
    /// What shows that it is so: of a dead end the command and its outcome; may be empty.
    #[serde(default)]
    pub evidence: Redacted,
    /// Commits that carried it out, as hexadecimal names.
    #[serde(default)]
    pub commits: Vec<String>,
    /// The memory file that it stands in, relative to the memory folder.
    #[serde(default)]
    pub source_path: Option<Redacted>,
    /// Who worded title or body anew, where that was no person: a model by its name, or `agent`; else empty.
    #[serde(default)]
    pub written_by: Redacted,
}

impl Record {
    /// Longest title in characters.
    pub const TITLE_MAX_CHARS: usize = 120;

    /// A candidate that says just this, made at `at`.
    pub fn pending(id: RecordId, kind: RecordKind, origin: Origin, title: Redacted, at: UnixMs) -> Self {
        Self {
            id,
            kind,
            state: RecordState::Pending,
            origin,
            title,
            body: Redacted::default(),
            quote: Redacted::default(),
            rejected: Vec::new(),
            revive_if: Redacted::default(),
            scope: Redacted::default(),
            thread: None,
            superseded_by: None,
            session: None,
            turn: None,
            anchors: Vec::new(),
            created: at,
            validated: at,
            evidence: Redacted::default(),
            commits: Vec::new(),
            source_path: None,
            written_by: Redacted::default(),
        }
    }

    /// The key of damping and receipts.
    pub fn item(&self) -> ItemId {
        ItemId::new(format!("{}:{}", self.kind.as_str(), self.id))
    }
}

#[cfg(test)]
pub(super) mod tests {
    use super::*;

    /// A decision in force that says so.
    pub(in crate::record) fn record(title: &str, body: &str) -> Record {
        let text = |text: &str| serde_json::from_value(serde_json::Value::from(text)).unwrap();
        let id = RecordId::new("r1");
        Record {
            state: RecordState::Confirmed,
            body: text(body),
            ..Record::pending(id, RecordKind::Decision, Origin::Operator, text(title), UnixMs(0))
        }
    }

    #[test]
    fn only_what_a_person_enters_is_in_force_at_once() {
        let in_force =
            Origin::ALL.into_iter().filter(|origin| RecordState::of_entry(*origin) == RecordState::Confirmed);
        assert_eq!(in_force.collect::<Vec<_>>(), [Origin::Operator]);
    }
}
