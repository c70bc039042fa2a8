//! What triage is about: candidates with all that helps to judge them, and the verdicts on them.

use serde::{Deserialize, Serialize};

use super::Sighting;
use crate::record::{Record, RecordId, RecordState, UnixMs};
use crate::text::{Redacted, cut_bytes, sha256_hex};

/// A person's or an agent's word on a candidate.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum TriageVerdict {
    /// It is so: in force from now on.
    Confirm,
    /// It is not, or not worth keeping.
    Reject,
    /// It says what another record (`into`) says, and becomes evidence of that.
    Merge,
    /// It was so, and another record (`by`) has replaced it.
    Supersede,
}

impl TriageVerdict {
    /// All of them.
    pub const ALL: [Self; 4] = [Self::Confirm, Self::Reject, Self::Merge, Self::Supersede];

    /// The word in JSON.
    pub const fn as_str(self) -> &'static str {
        match self {
            Self::Confirm => "confirm",
            Self::Reject => "reject",
            Self::Merge => "merge",
            Self::Supersede => "supersede",
        }
    }
}

/// One verdict as it is handed in. Ids may be beginnings of ids.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Ruling {
    /// The candidate.
    pub id: String,
    /// The word.
    pub verdict: TriageVerdict,
    /// [`version_of`] the candidate as it was looked at: a verdict on other words is refused.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub version: Option<String>,
    /// Its thread from now on: an id, or `new:NAME` for a new one.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub thread: Option<String>,
    /// Its title from now on.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub title: Option<Redacted>,
    /// Of a merge: the record that it becomes evidence of.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub into: Option<String>,
    /// Of a supersede: the record that replaced it.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub by: Option<String>,
    /// Why; kept in the history.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub reason: Option<Redacted>,
}

/// Hexadecimal digits of a version: too many to look for other words that have the same.
const VERSION_DIGITS: usize = 20;

/// What a candidate says, as a short hash of title, body and quote: another one, other words.
pub fn version_of(record: &Record) -> String {
    let said = [&record.title, &record.body, &record.quote].map(Redacted::as_str).join("\0");
    cut_bytes(&sha256_hex(said), VERSION_DIGITS).to_owned()
}

/// Why a batch of verdicts was refused; nothing of it was applied.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
pub struct RulingFault {
    /// The id as it was handed in.
    pub id: String,
    /// What is wrong, in a clause.
    pub why: String,
}

/// A record that says nearly the same.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
pub struct Similar {
    /// Its id.
    pub id: RecordId,
    /// Its state.
    pub state: RecordState,
    /// Its title.
    pub title: String,
}

/// A verdict that the store's own arithmetic would give. It is shown and never applied.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
pub struct Suggestion {
    /// The word.
    pub verdict: TriageVerdict,
    /// Of a merge: into which record.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub into: Option<RecordId>,
    /// Why, in a clause.
    pub reason: String,
}

/// A prompt on which a candidate would have been shown, had it been in force.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
pub struct Fired {
    /// When.
    pub at: UnixMs,
    /// The beginning of the prompt.
    pub head: String,
}

/// A candidate with all that helps to judge it.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct TriageItem {
    /// The candidate itself; always pending.
    pub record: Record,
    /// What was said before and after the quote in the same message, in this order; empty where there is nothing.
    pub neighbours: (String, String),
    /// Other turns that say the same, newest first.
    pub sightings: Vec<Sighting>,
    /// Records that say nearly the same.
    pub similar: Vec<Similar>,
    /// What arithmetic suggests, if anything.
    pub suggestion: Option<Suggestion>,
    /// Lately sent prompts on which it would have been shown, newest first.
    pub fired: Vec<Fired>,
}

/// What waits for triage.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct Inbox {
    /// Candidates in the order of expected use, at most as many as were asked for.
    pub items: Vec<TriageItem>,
    /// How many wait, shown or not.
    pub pending: u64,
    /// How many milliseconds all of them will take.
    pub remaining_ms: i64,
}
