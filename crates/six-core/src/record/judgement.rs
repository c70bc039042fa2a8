//! What a person thought of one firing.

use serde::{Deserialize, Serialize};

use super::UnixMs;
use crate::text::Redacted;

/// Whether it was right to interrupt.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum Worth {
    /// What was said mattered for the prompt.
    Justified,
    /// It did not.
    Noise,
}

impl Worth {
    /// Both.
    pub const ALL: [Self; 2] = [Self::Justified, Self::Noise];

    /// The word in rows, JSON and on the command line.
    pub const fn as_str(self) -> &'static str {
        match self {
            Self::Justified => "justified",
            Self::Noise => "noise",
        }
    }

    /// The inverse of [`as_str`](Self::as_str).
    pub fn parse(word: &str) -> Option<Self> {
        Self::ALL.into_iter().find(|worth| worth.as_str() == word)
    }
}

/// One person's judgement of one turn. A second one of the same person replaces the first.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct Judgement {
    /// Who judged.
    pub rater: Redacted,
    /// How.
    pub verdict: Worth,
    /// Why; may be empty.
    pub note: Redacted,
    /// When.
    pub at: UnixMs,
}
