//! What makes vectors.

use serde::{Deserialize, Serialize};

/// `embed.provider`: what makes vectors.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum EmbedProvider {
    /// The model inside the binary.
    #[default]
    Embedded,
    /// An Ollama server.
    Ollama,
}

impl EmbedProvider {
    /// The words.
    pub(super) const WORDS: &[&str] = &["embedded", "ollama"];
}
