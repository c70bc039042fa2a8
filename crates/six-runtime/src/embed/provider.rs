//! What makes the vectors of this project.

use std::fmt;
use std::num::NonZeroUsize;
use std::time::Duration;

use six_core::config::{EmbedConfig, EmbedProvider, OllamaConfig};
use six_core::record::UnixMs;
use six_core::search::{EmbedTranscripts, Model, QueryVector};
use six_core::text::Redacted;
use six_embed::ollama::{Ollama, OllamaSettings};
use six_embed::{Circuit, EmbedError, Embedded, Embedder, Guarded, Path, QUERY_PIECES};
use six_store::{Coverage, Store, StoreError};

use super::batch::stored;

/// Who waits for a vector.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Patience {
    /// A hook, which has a second for everything.
    Hook,
    /// A person at a terminal, or nobody.
    Person,
}

impl Patience {
    /// How long a server may take for its metadata or a query, and for texts of documents.
    const fn timeouts(self) -> (Duration, Duration) {
        match self {
            Self::Hook => (Duration::from_millis(500), Duration::from_millis(500)),
            Self::Person => (Duration::from_secs(10), Duration::from_secs(60)),
        }
    }
}

/// What this process remembers of a server that failed: it waits for it once.
static CIRCUIT: Circuit = Circuit::new();

/// How a project embeds: what the configuration asks for, and what came of it.
#[derive(Debug)]
pub struct Embedding {
    /// What is configured.
    pub name: EmbedProvider,
    /// Which turns of transcripts get a vector.
    pub transcripts: EmbedTranscripts,
    /// What makes the vectors, or why there are none: texts are found by their words all the same.
    pub provider: Result<Provider, EmbedError>,
}

impl Embedding {
    /// As the configuration says, for the vectors that the store has. A server is asked for the metadata of its model,
    /// within the patience.
    pub fn of(store: &Store, config: &EmbedConfig, patience: Patience) -> Result<Self, StoreError> {
        let provider = match config.provider {
            EmbedProvider::Embedded => Provider::embedded(),
            EmbedProvider::Ollama => Provider::ollama(store, &config.ollama, patience)?,
        };
        Ok(Self { name: config.provider, transcripts: config.transcripts, provider })
    }

    /// Whose vectors count: those of a model that has made none where there is no provider.
    pub fn model(&self) -> Model {
        self.provider.as_ref().map_or_else(|_| Model { name: String::new(), width: 0 }, Provider::model)
    }

    /// How many of the texts that should have a vector have one.
    pub fn coverage(&self, store: &Store, now: UnixMs) -> Result<Coverage, StoreError> {
        store.coverage(&self.model(), self.transcripts, now)
    }

    /// The vector of what somebody looks for. Redacted, since it may leave this process.
    pub fn embed_query(&self, text: &Redacted) -> Result<QueryVector, EmbedError> {
        self.provider.as_ref().map_err(Clone::clone)?.embed_query(text)
    }
}

/// Something that makes vectors.
pub struct Provider {
    embedder: Box<dyn Embedder>,
    path: Option<Path>,
}

impl fmt::Debug for Provider {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Provider").field("model", &self.model()).field("path", &self.path).finish_non_exhaustive()
    }
}

impl Provider {
    /// The model inside the binary.
    pub fn embedded() -> Result<Self, EmbedError> {
        let embedded = Embedded::load()?;
        Ok(Self { path: Some(embedded.path()), embedder: Box::new(embedded) })
    }

    fn ollama(
        store: &Store,
        config: &OllamaConfig,
        patience: Patience,
    ) -> Result<Result<Self, EmbedError>, StoreError> {
        let (query_timeout, document_timeout) = patience.timeouts();
        let mut settings = OllamaSettings {
            endpoint: config.endpoint.clone(),
            allow_remote: config.allow_remote,
            fallback: config.fallback.clone(),
            query_timeout,
            document_timeout,
            ..OllamaSettings::new(&config.model)
        };
        let id = match Ollama::id_of(&settings) {
            Ok(id) => id,
            Err(why) => return Ok(Err(why.into())),
        };
        settings.indexed_width = store.indexed_width(&id)?;
        Ok(CIRCUIT.run(|| Ollama::open(&settings)).map(|server| {
            let width = server.width();
            Self { path: None, embedder: Box::new(Guarded::new(server, width, &CIRCUIT)) }
        }))
    }

    /// Any other, for tests.
    #[cfg(test)]
    pub(super) fn of_test(embedder: Box<dyn Embedder>) -> Self {
        Self { path: None, embedder }
    }

    /// Whose vectors it makes: they are compared with no others.
    pub fn model(&self) -> Model {
        Model { name: self.embedder.id().to_owned(), width: self.embedder.width() }
    }

    /// The instructions that the model inside the binary runs on.
    pub fn path(&self) -> Option<&'static str> {
        self.path.map(|path| match path {
            Path::Vnni => "AVX-512 VNNI",
            Path::Avx2 => "AVX2",
            Path::Portable => "portable",
        })
    }

    /// The vector of what somebody looks for: of its beginning, since the asker waits. Redacted, since it may leave this
    /// process.
    pub fn embed_query(&self, text: &Redacted) -> Result<QueryVector, EmbedError> {
        Ok(self.asked(&self.embedder.embed_query(text.as_str(), QUERY_PIECES)?))
    }

    /// The vector that a stored text has, to look for it by.
    pub(super) fn embed_document(&self, text: &str) -> Result<QueryVector, EmbedError> {
        Ok(self.asked(&self.embedder.embed(&[text])?.concat()))
    }

    pub(super) fn embedder(&self) -> &dyn Embedder {
        self.embedder.as_ref()
    }

    /// Threads that it can use of those that there are. A server has its own.
    pub(super) fn threads(&self, wanted: NonZeroUsize) -> NonZeroUsize {
        if self.path.is_some() { wanted } else { NonZeroUsize::MIN }
    }

    fn asked(&self, values: &[f32]) -> QueryVector {
        QueryVector { model: self.embedder.id().to_owned(), values: stored(values) }
    }
}
