//! What vectors are made of, and what is compared with them.

use serde::{Deserialize, Serialize};

/// Which model made a vector. Two models that share a name but not a width are two models.
#[derive(Debug, Clone, PartialEq, Eq, Hash)]
pub struct Model {
    /// The name that its server or its weights go by.
    pub name: String,
    /// Values of each of its vectors.
    pub width: usize,
}

/// What is looked for, as a vector.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct QueryVector {
    /// The name of the model that made it: only that model's vectors are compared with it.
    pub model: String,
    /// A value for each of the model's dimensions, on the one scale that stored vectors have.
    pub values: Vec<i8>,
}

/// Which turns of transcripts get a vector. Documents, memory files, ledgers, commits and records always do.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum EmbedTranscripts {
    /// None: turns are found by their words, and a measurement found that vectors add nothing.
    #[default]
    Off,
    /// Those of the last [`RECENT_DAYS`].
    Recent,
    /// All.
    All,
}

impl EmbedTranscripts {
    /// The words of `embed.transcripts`.
    pub const WORDS: &[&str] = &["off", "recent", "all"];
}

/// Days for which a turn is recent.
pub const RECENT_DAYS: u32 = 30;
