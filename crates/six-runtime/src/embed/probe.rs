//! Whether texts are found by what they mean, and whether the provider makes vectors at all: the evidence of the checks
//! `vectors` and `embedding`. Both come of one text that is embedded once.

use std::time::{Duration, Instant};

use six_core::config::{EmbedConfig, EmbedProvider};
use six_core::health::{EmbeddingEvidence, EmbeddingOutcome, NoEmbedding, VectorProbe, VectorsEvidence};
use six_core::record::UnixMs;
use six_core::search::{EmbedTranscripts, Model, QueryVector};
use six_core::text::{Redacted, Redactor};
use six_embed::EmbedError;
use six_embed::ollama::{Ollama, OllamaError, OllamaSettings, Unfit};
use six_store::{Coverage, Store, StoreError};

use super::provider::{Patience, Provider, Source, open};

/// What is asked of a server that has made no vector yet, to see whether it makes any.
const ANY_TEXT: &str = "harbour";

/// Characters that are told of what a provider says: its place, the model, and a line of its own.
const SAID_CHARS: usize = 480;

/// What is to be asked of the provider, with all that the store has to say about it: it can be asked on another thread.
#[derive(Debug, Clone)]
pub struct Question {
    source: Source,
    transcripts: EmbedTranscripts,
    /// A text with a vector of each model that may answer.
    texts: Vec<Stored>,
    /// Whether the model inside six is to make the vector of a known text as well.
    checks_itself: bool,
}

/// A text that has a vector of a model.
#[derive(Debug, Clone)]
struct Stored {
    model: String,
    body: i64,
    text: Redacted,
}

/// What came of the question.
#[derive(Debug)]
pub struct Answer {
    provider: EmbedProvider,
    transcripts: EmbedTranscripts,
    /// Whose vectors count.
    model: Model,
    /// The configured one's id, where another made the vector.
    stand_in: Option<String>,
    took: Duration,
    /// What was looked for and its vector; `None` where the store has no text to look for.
    probe: Result<Option<(i64, QueryVector)>, EmbedError>,
    /// What else is wrong although vectors are made.
    flaw: Option<EmbedError>,
}

impl Question {
    /// Picks what is asked. A session start waits for the answer, and the vector of a long text takes forty milliseconds: a
    /// short one is picked. A person (`is_thorough`) waits for the known text, too.
    pub fn of(store: &Store, config: &EmbedConfig, patience: Patience, is_thorough: bool) -> Result<Self, StoreError> {
        let source = Source::of(store, config, patience)?;
        let mut models = vec![source.indexed.clone()];
        match &source.settings {
            None => models.extend(open(None).ok().map(|provider| provider.model())),
            Some(settings) => models.extend(fallback(settings, source.indexed.width)),
        }
        let redactor = Redactor::new();
        let mut texts = Vec::new();
        for model in models.into_iter().filter(|model| model.width > 0) {
            if let Some((body, text)) = store.any_short_embedded(&model)? {
                texts.push(Stored { model: model.name, body, text: redactor.redact(&text) });
            }
        }
        Ok(Self { source, transcripts: config.transcripts, texts, checks_itself: is_thorough })
    }

    /// Whether a server is asked, which may take as long as its patience.
    pub const fn is_for_server(&self) -> bool {
        self.source.settings.is_some()
    }

    /// Asks: the provider is opened and makes one vector. One that did can be looked at for [flaws](Self::find_flaw).
    pub fn ask(&self) -> (Answer, Option<Provider>) {
        match open(self.source.settings.as_ref()) {
            Ok(provider) => {
                let answer = self.ask_of(&provider);
                let is_made = answer.probe.is_ok();
                (answer, is_made.then_some(provider))
            }
            Err(why) => (self.failed(why), None),
        }
    }

    fn ask_of(&self, provider: &Provider) -> Answer {
        let model = provider.model();
        let stored = self.texts.iter().find(|text| text.model == model.name);
        let began = Instant::now();
        let probe = match stored {
            Some(stored) => provider.embed_document(&stored.text).map(|vector| Some((stored.body, vector))),
            None if self.is_for_server() => provider.embed_document(&Redacted::literal(ANY_TEXT)).map(|_| None),
            None => provider.check_itself().map(|()| None),
        };
        let took = began.elapsed();
        let is_other = self.is_for_server() && model.name != self.source.indexed.name;
        let probe = probe.map_err(wedged);
        Answer { stand_in: is_other.then(|| model.name.clone()), model, took, probe, ..self.blank() }
    }

    /// What the vector does not tell: a fallback that could never stand in, a kernel that errs in the same way as when the
    /// vectors were made. A server is asked again for it.
    pub fn find_flaw(&self, provider: &Provider) -> Option<EmbedError> {
        let has_text = || self.texts.iter().any(|text| text.model == provider.model().name);
        match &self.source.settings {
            Some(settings) => Ollama::check_fallback(settings).err().filter(is_of_fallback),
            None if self.checks_itself && has_text() => provider.check_itself().err(),
            None => None,
        }
    }

    /// The server had all the time that there was for it.
    pub fn unanswered(&self, waited: Duration) -> Answer {
        let endpoint = self.source.settings.as_ref().map(|settings| place(&settings.endpoint)).unwrap_or_default();
        self.failed(OllamaError::Wedged { endpoint, waited }.into())
    }

    fn failed(&self, why: EmbedError) -> Answer {
        Answer { probe: Err(why), ..self.blank() }
    }

    fn blank(&self) -> Answer {
        Answer {
            provider: self.source.name,
            transcripts: self.transcripts,
            model: self.source.indexed.clone(),
            stand_in: None,
            took: Duration::ZERO,
            probe: Ok(None),
            flaw: None,
        }
    }
}

/// A server that says nothing in the time that loading takes does not load.
fn wedged(why: EmbedError) -> EmbedError {
    match why {
        EmbedError::Ollama(OllamaError::Cold { endpoint, waited, .. }) => {
            OllamaError::Wedged { endpoint, waited }.into()
        }
        why => why,
    }
}

/// The model of the configured fallback: it stands in for no other width.
fn fallback(settings: &OllamaSettings, width: usize) -> Option<Model> {
    let settings = OllamaSettings::new(settings.fallback.clone()?);
    Some(Model { name: Ollama::id_of(&settings).ok()?, width })
}

/// `HOST:PORT` of an endpoint that a server was asked at.
fn place(endpoint: &str) -> String {
    endpoint.trim_start_matches("http://").trim_end_matches('/').to_owned()
}

/// What a server says of a fallback while it makes vectors without it: anything else is told when it is needed.
fn is_of_fallback(why: &EmbedError) -> bool {
    matches!(why, EmbedError::Ollama(OllamaError::ImpossibleFallback { .. }))
}

impl Answer {
    /// The same with what else is wrong.
    #[must_use]
    pub fn with_flaw(self, flaw: Option<EmbedError>) -> Self {
        Self { flaw, ..self }
    }

    /// Whether a server was asked.
    pub fn is_of_server(&self) -> bool {
        self.provider != EmbedProvider::Embedded
    }

    /// How far the store is and whether the text that was asked for comes back.
    pub fn gather_vectors(&self, store: &Store, now: UnixMs) -> Result<VectorsEvidence, StoreError> {
        let Coverage { eligible, embedded, lost, orphans, .. } = store.coverage(&self.model, self.transcripts, now)?;
        let probe = match &self.probe {
            _ if eligible == 0 => VectorProbe::NothingToFind,
            Ok(None) => VectorProbe::NothingToFind,
            Ok(Some((body, vector))) => look_for(store, *body, vector)?,
            Err(_) => VectorProbe::NoQuery,
        };
        let idle_boundaries = store.boundaries_since_embedding(now)?;
        Ok(VectorsEvidence { eligible, embedded, lost, orphans, idle_boundaries, probe })
    }

    /// One embedding end to end.
    pub fn gather_embedding(&self) -> EmbeddingEvidence {
        let outcome = match self.probe.as_ref().err().or(self.flaw.as_ref()) {
            Some(why) => EmbeddingOutcome::Failed { why: reason(why), said: said(why) },
            None => EmbeddingOutcome::Made {
                took_ms: u64::try_from(self.took.as_millis()).unwrap_or(u64::MAX),
                stand_in: self.stand_in.clone(),
            },
        };
        EmbeddingEvidence { provider: self.provider, outcome }
    }
}

/// Looks for one text by its own vector through the leg that searches use; `None` = there is none, or no vector to look
/// with.
pub(super) fn look_for_one(store: &Store, provider: &Provider) -> Result<VectorProbe, StoreError> {
    let Some((body, text)) = store.any_short_embedded(&provider.model())? else {
        return Ok(VectorProbe::NothingToFind);
    };
    match provider.embed_document(&Redactor::new().redact(&text)) {
        Err(_) => Ok(VectorProbe::NoQuery),
        Ok(vector) => look_for(store, body, &vector),
    }
}

fn look_for(store: &Store, body: i64, vector: &QueryVector) -> Result<VectorProbe, StoreError> {
    Ok(if store.finds_by_vector(body, vector)? { VectorProbe::Found } else { VectorProbe::NotFound })
}

fn reason(why: &EmbedError) -> NoEmbedding {
    match why {
        EmbedError::WrongWidth { .. } => NoEmbedding::WrongWidth,
        EmbedError::PathMissing(_) | EmbedError::UnknownLanguage => NoEmbedding::Unsupported,
        EmbedError::Model(_) | EmbedError::Miscomputed | EmbedError::ThreadDied => NoEmbedding::Broken,
        // The gate is the first to ask in its process.
        EmbedError::CircuitOpen { .. } => NoEmbedding::BadAnswer,
        EmbedError::Ollama(why) => match why {
            OllamaError::Endpoint { .. } => NoEmbedding::EndpointRefused,
            OllamaError::Name { .. } => NoEmbedding::NameRefused,
            OllamaError::Unreachable { .. } => NoEmbedding::Unreachable,
            OllamaError::NotOllama { .. } => NoEmbedding::NotOllama,
            OllamaError::ModelMissing { model, .. } => NoEmbedding::ModelMissing(model.clone()),
            OllamaError::Cold { .. } | OllamaError::Wedged { .. } => NoEmbedding::Wedged,
            OllamaError::ImpossibleFallback { fallback, why, .. } => {
                NoEmbedding::ImpossibleFallback { to_pull: (*why == Unfit::Missing).then(|| fallback.clone()) }
            }
            OllamaError::Overflow { .. } | OllamaError::Server { .. } | OllamaError::BadAnswer { .. } => {
                NoEmbedding::BadAnswer
            }
        },
    }
}

/// What a server says, and the name of a model, are words of others: what is kept of them went through the redactor.
fn said(why: &EmbedError) -> String {
    Redactor::new().redact(&why.to_string()).as_str().chars().take(SAID_CHARS).collect()
}

#[cfg(test)]
impl Question {
    /// Asks a provider of a test about a store, as a session's start asks a server.
    pub(super) fn ask_test(store: &Store, provider: &Provider) -> Answer {
        let settings = OllamaSettings { endpoint: String::new(), ..OllamaSettings::new("plain") };
        Self::ask_test_as(store, provider, Some(settings), false)
    }

    /// The same, as the model inside six is asked, which a person has checked as well.
    pub(super) fn ask_test_embedded(store: &Store, provider: &Provider, is_thorough: bool) -> Answer {
        Self::ask_test_as(store, provider, None, is_thorough)
    }

    fn ask_test_as(
        store: &Store,
        provider: &Provider,
        settings: Option<OllamaSettings>,
        checks_itself: bool,
    ) -> Answer {
        let indexed = provider.model();
        let stored = store.any_short_embedded(&indexed).unwrap();
        let redactor = Redactor::new();
        let texts =
            stored.map(|(body, text)| Stored { model: indexed.name.clone(), body, text: redactor.redact(&text) });
        let source = Source { name: EmbedProvider::Ollama, settings, indexed };
        let transcripts = EmbedTranscripts::Off;
        let question = Self { source, transcripts, texts: texts.into_iter().collect(), checks_itself };
        let answer = question.ask_of(provider);
        let flaw = answer.probe.is_ok().then(|| question.find_flaw(provider)).flatten();
        answer.with_flaw(flaw)
    }
}
