//! What extraction reads.

use crate::record::UnixMs;
use crate::text::Redacted;

/// Whose words they are.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum Speaker {
    /// A person's own prompt. What a program sent in a person's name is no message.
    Operator,
    /// The main agent's answer. What sub-agents and tools said is none.
    Agent,
}

/// One message of a session's live branch.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Message {
    /// The transcript record that it stands in: its uuid, with `#` and a number where a record gave several messages.
    pub turn: String,
    /// Whose words.
    pub speaker: Speaker,
    /// The words, whole.
    pub text: Redacted,
    /// When they were said, if the transcript tells.
    pub at: Option<UnixMs>,
}
