//! Settings that are one of a few words.

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

/// `embed.transcripts`: which messages of sessions get vectors. All of them are found by their words anyway.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum EmbedTranscripts {
    /// None: measured, they add nothing to what words find.
    #[default]
    Off,
    /// Those of the last weeks.
    Recent,
    /// All.
    All,
}

impl EmbedTranscripts {
    /// The words.
    pub(super) const WORDS: &[&str] = &["off", "recent", "all"];
}

/// `search.fusion`: how the ranks of words and of vectors become one.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum Fusion {
    /// Convex combination of scores that are normalised per leg.
    #[default]
    Convex,
    /// Reciprocal Rank Fusion.
    Rrf,
}

impl Fusion {
    /// The words.
    pub(super) const WORDS: &[&str] = &["convex", "rrf"];
}
