//! What makes the vectors of this project.

use std::fmt;
use std::num::NonZeroUsize;
use std::time::Duration;

use six_core::config::{EmbedConfig, EmbedProvider, OllamaConfig};
use six_core::record::UnixMs;
use six_core::search::{EmbedTranscripts, Model, QueryVector};
use six_core::text::Redacted;
use six_embed::ollama::{Ollama, OllamaError, OllamaSettings};
use six_embed::{Circuit, EmbedError, Embedded, Embedder, Guarded, KNOWN_TEXT, Path, QUERY_PIECES, is_known};
use six_store::{Coverage, Store, StoreError};

use super::batch::stored;

/// Who waits for a vector.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Patience {
    /// A prompt, for so many milliseconds.
    Prompt(u64),
    /// A hook, which has a second for everything.
    Hook,
    /// A person who waits for an answer that is there without vectors too.
    Search,
    /// A person at a terminal, or nobody.
    Person,
    /// The gate, which lets a server load its model for so many milliseconds.
    WarmUp(u64),
}

impl Patience {
    /// How long a server may take for its metadata or a query, and for texts of documents.
    const fn timeouts(self) -> (Duration, Duration) {
        match self {
            // Two requests: for the metadata, and for the vector.
            Self::Prompt(ms) => (Duration::from_millis(ms / 2), Duration::from_millis(ms / 2)),
            Self::Hook => (Duration::from_millis(500), Duration::from_millis(500)),
            Self::Search => (Duration::from_secs(2), Duration::from_secs(2)),
            Self::Person => (Duration::from_secs(10), Duration::from_secs(60)),
            Self::WarmUp(ms) => (Duration::from_secs(2), Duration::from_millis(ms)),
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
    /// Whose vectors the store has from the configured model.
    indexed: Model,
}

impl Embedding {
    /// As the configuration says, for the vectors that the store has. A server is asked for the metadata of its model,
    /// within the patience.
    pub fn of(store: &Store, config: &EmbedConfig, patience: Patience) -> Result<Self, StoreError> {
        let Source { name, settings, indexed } = Source::of(store, config, patience)?;
        let provider = open(settings.as_ref());
        Ok(Self { name, transcripts: config.transcripts, provider, indexed })
    }

    /// Whose vectors count: without a provider those that the store has from the configured model.
    pub fn model(&self) -> Model {
        self.provider.as_ref().map_or_else(|_| self.indexed.clone(), Provider::model)
    }

    /// How many of the texts that should have a vector have one.
    pub fn coverage(&self, store: &Store, now: UnixMs) -> Result<Coverage, StoreError> {
        store.coverage(&self.model(), self.transcripts, now)
    }

    /// The vector of what somebody looks for. Redacted, since it may leave this process.
    pub fn embed_query(&self, text: &Redacted) -> Result<QueryVector, EmbedError> {
        let provider = self.provider.as_ref().map_err(Clone::clone)?;
        // A single word that it does not know may still be near to what holds it; of another script it knows none.
        if !text.as_str().is_ascii() && !provider.reads(text) {
            return Err(EmbedError::UnknownLanguage);
        }
        provider.embed_query(text)
    }
}

/// Whether the configured server can be meant. Asks nobody.
pub fn judge_server(config: &OllamaConfig) -> Result<(), OllamaError> {
    settings(config, Patience::Person).check()
}

/// What has to be known to open a provider: all of it, so that whoever opens it needs no store.
#[derive(Debug, Clone)]
pub(super) struct Source {
    /// What is configured.
    pub(super) name: EmbedProvider,
    /// Of a server.
    pub(super) settings: Option<OllamaSettings>,
    /// Whose vectors the store has from the configured model.
    pub(super) indexed: Model,
}

impl Source {
    /// As the configuration says, for the vectors that the store has. Asks nobody.
    pub(super) fn of(store: &Store, config: &EmbedConfig, patience: Patience) -> Result<Self, StoreError> {
        let name = config.provider;
        if name == EmbedProvider::Embedded {
            return Ok(Self { name, settings: None, indexed: nobody() });
        }
        let mut settings = settings(&config.ollama, patience);
        // A name that can't be that of a model has no vectors; opening it says what is wrong with it.
        let indexed = match Ollama::id_of(&settings) {
            Err(_) => nobody(),
            Ok(name) => {
                settings.indexed_width = store.indexed_width(&name)?;
                Model { name, width: settings.indexed_width.unwrap_or_default() }
            }
        };
        Ok(Self { name, settings: Some(settings), indexed })
    }
}

/// The provider: of a server with these settings, or the model inside six.
pub(super) fn open(settings: Option<&OllamaSettings>) -> Result<Provider, EmbedError> {
    settings.map_or_else(Provider::embedded, Provider::ollama)
}

/// A model that has made no vectors.
fn nobody() -> Model {
    Model { name: String::new(), width: 0 }
}

fn settings(config: &OllamaConfig, patience: Patience) -> OllamaSettings {
    let (query_timeout, document_timeout) = patience.timeouts();
    OllamaSettings {
        endpoint: config.endpoint.clone(),
        allow_remote: config.allow_remote,
        fallback: config.fallback.clone(),
        query_timeout,
        document_timeout,
        ..OllamaSettings::new(&config.model)
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

    fn ollama(settings: &OllamaSettings) -> Result<Self, EmbedError> {
        let server = CIRCUIT.run(|| Ollama::open(settings))?;
        let width = server.width();
        Ok(Self { path: None, embedder: Box::new(Guarded::new(server, width, &CIRCUIT)) })
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

    /// Whether the model knows enough of the words for its vector to say anything. A server's knows its languages.
    pub fn reads(&self, text: &Redacted) -> bool {
        self.embedder.reads(text.as_str())
    }

    /// The vector that a stored text has, to look for it by.
    pub(crate) fn embed_document(&self, text: &Redacted) -> Result<QueryVector, EmbedError> {
        Ok(self.asked(&self.embedder.embed(&[text.as_str()])?.concat()))
    }

    /// Whether the model inside six makes the vector that it must of a known text. A server's has none.
    pub(super) fn check_itself(&self) -> Result<(), EmbedError> {
        let made = self.embedder.embed(&[KNOWN_TEXT])?.concat();
        if is_known(&made) { Ok(()) } else { Err(EmbedError::Miscomputed) }
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
