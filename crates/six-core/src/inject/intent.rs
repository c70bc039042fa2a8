//! What a prompt is about to do: build, investigate, decide.

use serde::{Deserialize, Serialize};

/// What a human turn intends. None of these means that nothing is retrieved.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum Intent {
    /// Wants code, documents, configuration made or changed.
    Build,
    /// Wants to find out, debug, check, explain, review.
    Investigate,
    /// Weighs options, asks for a choice, states a design choice.
    Decide,
}
