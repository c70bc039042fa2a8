//! Boundaries: the start or end of a session.

use serde::{Deserialize, Serialize};

use super::{SessionId, UnixMs};
use crate::text::Redacted;

/// Which side of a session.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Edge {
    /// `SessionStart`.
    Start,
    /// `SessionEnd`.
    End,
}

impl Edge {
    /// The name in the store.
    pub const fn as_str(self) -> &'static str {
        match self {
            Self::Start => "start",
            Self::End => "end",
        }
    }
}

/// The start or end of a session.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct Boundary {
    /// Which session.
    pub session: SessionId,
    /// Which side.
    pub edge: Edge,
    /// The host's `source` (startup, resume, clear, compact, fork) or `reason`.
    pub detail: Redacted,
    /// When.
    pub at: UnixMs,
}
