//! A model on an Ollama server as an embedder.

use std::time::{Duration, Instant};

use super::error::{Flaw, OllamaError, Unfit};
use super::model_name::ModelName;
use super::prompts::{self, Prompts};
use super::server::{Asked, Refused, Server};
use super::settings::OllamaSettings;
use super::wire::Metadata;
use crate::embedder::{EmbedError, Embedder};

/// Texts in one request. A processor makes thirty vectors within the time of one request, whatever the model.
const BATCH: usize = 32;

/// The largest context that is asked for. Some models would read 128 000 tokens, and the server would take gigabytes of
/// memory for them; our texts have a few hundred.
const LARGEST_CONTEXT: usize = 8192;

/// Characters of a text for each token of the context. Prose has more, code fewer, down to one: a head of so many
/// characters is what a first try sends, and it may overflow.
const CHARACTERS_PER_TOKEN: usize = 4;

/// How often a text that overflows is halved. After the last time it has one character for eight tokens, and no
/// character is more than four.
const HALVINGS: usize = 5;

/// A model on an Ollama server. Its width and its context are known from the server's metadata, its vectors are checked
/// and brought to length 1 here.
///
/// It gives up at the first failure and remembers nothing: put it behind a [`Guarded`](crate::Guarded).
#[derive(Debug)]
pub struct Ollama {
    server: Server,
    id: String,
    model: ModelName,
    width: usize,
    context: usize,
    prompts: Prompts,
    stands_in: bool,
    query_timeout: Duration,
    document_timeout: Duration,
}

impl Ollama {
    /// Asks the server for the metadata of the model; nothing is loaded.
    ///
    /// If the server does not have the model, a configured fallback stands in for it, provided that its vectors are as
    /// wide as those that the index has; on an index without vectors nothing stands in. The fallback keeps its own id,
    /// since its vectors mean something else.
    pub fn open(settings: &OllamaSettings) -> Result<Self, EmbedError> {
        let (model, fallback) = (settings.parse_model()?, settings.parse_fallback()?);
        let server = Server::new(settings.parse_endpoint()?, settings.connect_timeout);
        match server.show(&model, settings.query_timeout) {
            Ok(metadata) => match settings.indexed_width {
                Some(expected) if expected != metadata.width => {
                    Err(EmbedError::WrongWidth { expected, found: metadata.width })
                }
                _ => Ok(Self::of(server, model, metadata, settings)),
            },
            Err(missing @ OllamaError::ModelMissing { .. }) => {
                let (Some(fallback), Some(expected)) = (fallback, settings.indexed_width) else {
                    return Err(missing.into());
                };
                let metadata = judge_fallback(&server, &fallback, &model, expected, settings.query_timeout)?;
                Ok(Self { stands_in: true, ..Self::of(server, fallback, metadata, settings) })
            }
            Err(error) => Err(error.into()),
        }
    }

    /// The id of the configured model, which the index knows its vectors by. Asks nobody.
    pub fn id_of(settings: &OllamaSettings) -> Result<String, OllamaError> {
        settings.parse_model().map(|model| id(&model))
    }

    /// Whether the configured fallback could stand in, by the server's metadata; nothing is loaded. A configuration
    /// without a fallback is fine.
    pub fn check_fallback(settings: &OllamaSettings) -> Result<(), EmbedError> {
        let (model, fallback) = (settings.parse_model()?, settings.parse_fallback()?);
        let Some(fallback) = fallback else { return Ok(()) };
        let server = Server::new(settings.parse_endpoint()?, settings.connect_timeout);
        let expected = match server.show(&model, settings.query_timeout) {
            Ok(metadata) => metadata.width,
            Err(error @ OllamaError::ModelMissing { .. }) => settings.indexed_width.ok_or(error)?,
            Err(error) => return Err(error.into()),
        };
        judge_fallback(&server, &fallback, &model, expected, settings.query_timeout)?;
        Ok(())
    }

    fn of(server: Server, model: ModelName, metadata: Metadata, settings: &OllamaSettings) -> Self {
        Self {
            server,
            id: id(&model),
            prompts: Prompts::of(&model),
            model,
            width: metadata.width,
            context: metadata.context.min(LARGEST_CONTEXT),
            stands_in: false,
            query_timeout: settings.query_timeout,
            document_timeout: settings.document_timeout,
        }
    }

    /// The name of the model that makes the vectors.
    pub fn model(&self) -> &ModelName {
        &self.model
    }

    /// Whether that is the fallback.
    pub fn stands_in(&self) -> bool {
        self.stands_in
    }

    /// Lets the server load the model, which may take up to `limit`; gives the time that it took. A server that says
    /// nothing even then is wedged.
    pub fn warm_up(&self, limit: Duration) -> Result<Duration, EmbedError> {
        let began = Instant::now();
        match self.vectors("", &["warm"], Patience::Once { began, limit }) {
            Err(EmbedError::Ollama(OllamaError::Cold { endpoint, .. })) => {
                Err(OllamaError::Wedged { endpoint, waited: limit }.into())
            }
            made => made.map(|_| began.elapsed()),
        }
    }

    /// The vectors of `texts`, each with `prompt` before it.
    fn vectors(&self, prompt: &str, texts: &[&str], patience: Patience) -> Result<Vec<Vec<f32>>, EmbedError> {
        let longest = self.context.saturating_mul(CHARACTERS_PER_TOKEN);
        let heads: Vec<&str> = texts.iter().map(|text| head(text, longest)).collect();
        // Which of many texts is too long, the server does not say.
        if heads.len() > 1
            && let Some(vectors) = self.request(prompt, &heads, patience)?
        {
            return Ok(vectors);
        }
        heads.into_iter().map(|head| self.vector(prompt, head, patience)).collect()
    }

    /// The vector of `text`, or of the longest head that the model takes.
    fn vector(&self, prompt: &str, text: &str, patience: Patience) -> Result<Vec<f32>, EmbedError> {
        let mut characters = text.chars().count();
        let mut halvings = 0;
        loop {
            if let Some(vectors) = self.request(prompt, &[head(text, characters)], patience)? {
                return Ok(vectors.into_iter().next().unwrap_or_default());
            }
            if halvings == HALVINGS {
                return Err(OllamaError::Overflow { model: self.model.to_string(), characters, halvings }.into());
            }
            halvings += 1;
            characters /= 2;
        }
    }

    /// The vectors of `heads` from one request; none if one of them is too long.
    fn request(&self, prompt: &str, heads: &[&str], patience: Patience) -> Result<Option<Vec<Vec<f32>>>, EmbedError> {
        let input: Vec<String> = heads.iter().map(|head| format!("{prompt}{head}")).collect();
        let asked = Asked { model: &self.model, width: self.width, context: self.context };
        match self.server.embed(asked, &input, patience.left()) {
            Ok(vectors) => vectors.into_iter().map(|vector| self.unit(vector)).collect::<Result<_, _>>().map(Some),
            Err(Refused::TooLong) => Ok(None),
            Err(Refused::Failed(error)) => Err(error.into()),
        }
    }

    /// `vector` with length 1.
    fn unit(&self, mut vector: Vec<f32>) -> Result<Vec<f32>, EmbedError> {
        if vector.len() != self.width {
            return Err(EmbedError::WrongWidth { expected: self.width, found: vector.len() });
        }
        if vector.iter().any(|value| !value.is_finite()) {
            return Err(self.server.bad(Flaw::NotFinite).into());
        }
        let length = vector.iter().map(|value| f64::from(*value).powi(2)).sum::<f64>().sqrt();
        if length == 0.0 {
            return Err(self.server.bad(Flaw::AllZero).into());
        }
        for value in &mut vector {
            *value = scaled(*value, length);
        }
        Ok(vector)
    }
}

impl Embedder for Ollama {
    fn id(&self) -> &str {
        &self.id
    }

    fn width(&self) -> usize {
        self.width
    }

    fn embed(&self, texts: &[&str]) -> Result<Vec<Vec<f32>>, EmbedError> {
        let patience = Patience::Each(self.document_timeout);
        let mut vectors = Vec::with_capacity(texts.len());
        for batch in texts.chunks(BATCH) {
            vectors.extend(self.vectors(self.prompts.document, batch, patience)?);
        }
        Ok(vectors)
    }

    fn embed_query(&self, text: &str, pieces: usize) -> Result<Vec<f32>, EmbedError> {
        let patience = Patience::Once { began: Instant::now(), limit: self.query_timeout };
        let text = head(text, pieces.saturating_mul(CHARACTERS_PER_TOKEN));
        Ok(self.vectors(self.prompts.query, &[text], patience)?.into_iter().next().unwrap_or_default())
    }
}

fn id(model: &ModelName) -> String {
    format!("ollama/{model}.p{}", prompts::VERSION)
}

/// How long requests may take.
#[derive(Debug, Clone, Copy)]
enum Patience {
    /// Each of them.
    Each(Duration),
    /// All of them together, so that halving does not make a prompt wait longer.
    Once { began: Instant, limit: Duration },
}

impl Patience {
    fn left(self) -> Duration {
        match self {
            Self::Each(limit) => limit,
            Self::Once { began, limit } => limit.saturating_sub(began.elapsed()),
        }
    }
}

/// The metadata of `fallback`, if its vectors are as wide as they have to be to stand in for those of `model`.
fn judge_fallback(
    server: &Server,
    fallback: &ModelName,
    model: &ModelName,
    expected: usize,
    time: Duration,
) -> Result<Metadata, OllamaError> {
    let unfit = |why| OllamaError::ImpossibleFallback { fallback: fallback.to_string(), model: model.to_string(), why };
    if fallback == model {
        return Err(unfit(Unfit::Same));
    }
    match server.show(fallback, time) {
        Ok(metadata) if metadata.width == expected => Ok(metadata),
        Ok(metadata) => Err(unfit(Unfit::Width { expected, found: metadata.width })),
        Err(OllamaError::ModelMissing { .. }) => Err(unfit(Unfit::Missing)),
        Err(error) => Err(error),
    }
}

/// The first `characters` of `text`.
fn head(text: &str, characters: usize) -> &str {
    let end = text.char_indices().nth(characters).map_or(text.len(), |(at, _)| at);
    text.get(..end).unwrap_or(text)
}

#[expect(clippy::cast_possible_truncation, reason = "a value of a vector of length 1 is a small number")]
fn scaled(value: f32, length: f64) -> f32 {
    (f64::from(value) / length) as f32
}
