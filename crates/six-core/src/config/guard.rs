//! What happens before an action.

use serde::{Deserialize, Serialize};

/// `guard.dead_ends`: what happens to a call of a tool that would go into a dead end.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum OnDeadEnd {
    /// It runs, and the record is told beside its result.
    #[default]
    Note,
    /// Its first try in a session is refused with the record as the reason; the next one runs.
    DenyOnce,
}

impl OnDeadEnd {
    /// The words.
    pub(super) const WORDS: &[&str] = &["note", "deny-once"];
}
