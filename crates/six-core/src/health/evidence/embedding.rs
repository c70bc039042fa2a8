//! What came of embedding one text.

use crate::config::EmbedProvider;

/// What came of embedding one text by the configured provider, end to end.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct EmbeddingEvidence {
    /// What is configured.
    pub provider: EmbedProvider,
    /// What it did.
    pub outcome: EmbeddingOutcome,
}

/// What the provider did with one text.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum EmbeddingOutcome {
    /// A vector came, of the width that the index has.
    Made {
        /// Milliseconds from the question to the vector; a server may have loaded its model in them.
        took_ms: u64,
        /// The id of the fallback, where it made the vector in place of the configured model.
        stand_in: Option<String>,
    },
    /// None came.
    Failed {
        /// Why, as a type.
        why: NoEmbedding,
        /// The same in the words that `six embed` has for it: redacted, bounded. Shown, never compared.
        said: String,
    },
}

/// Why a provider makes no vector.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum NoEmbedding {
    /// Nothing listens there, or the connection broke.
    Unreachable,
    /// What listens there is something else.
    NotOllama,
    /// The server does not have the model of this name.
    ModelMissing(String),
    /// The server takes requests and answers none, not even in the time that loading a model takes.
    Wedged,
    /// The vectors are wider or narrower than those of the index.
    WrongWidth,
    /// The configured fallback could never stand in.
    ImpossibleFallback {
        /// Its name, where the server does not have it: it can be had.
        to_pull: Option<String>,
    },
    /// The configured endpoint is none that six speaks to.
    EndpointRefused,
    /// A configured name can't be that of a model.
    NameRefused,
    /// The server answered with a failure, or with vectors that are none.
    BadAnswer,
    /// The model inside six is damaged, or makes another vector of a known text than it must.
    Broken,
    /// This processor lacks what the model inside six runs on.
    Unsupported,
}

#[cfg(test)]
impl EmbeddingEvidence {
    /// All is well.
    pub(crate) fn sound() -> Self {
        Self { provider: EmbedProvider::Embedded, outcome: EmbeddingOutcome::Made { took_ms: 2, stand_in: None } }
    }
}
