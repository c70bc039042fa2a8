//! The server's three answers that matter, and what each failure of it means.

use std::time::Duration;

use ureq::Agent;

use super::endpoint::Endpoint;
use super::error::{Flaw, OllamaError};
use super::http::{self, Answer, Bounds, NoAnswer};
use super::model_name::ModelName;
use super::wire::{self, Metadata, said};

const SHOW: &str = "/api/show";
const EMBED: &str = "/api/embed";
const GENERATE: &str = "/api/generate";

/// The metadata of a model comes with its licence, its template and a list of its tensors.
const SHOW_BYTES: u64 = 4 << 20;
/// An answer that is not about its vectors: a failure, or the fields beside them.
const SMALL_BYTES: u64 = 64 << 10;
/// Some hundred words with what the server tells about them: the tokens of the request are numbers in it.
const WORDS_BYTES: u64 = 256 << 10;
/// The longest decimal of a value, with its comma and white space.
const VALUE_BYTES: u64 = 32;

/// What the versions of Ollama and of its engine say of a text that is longer than the context.
const TOO_LONG: [&str; 4] = [
    "exceeds the context length",
    "exceeds maximum context length",
    "exceeds the available context size",
    "too large to process",
];

/// A server, and the connections to it.
#[derive(Debug)]
pub(crate) struct Server {
    endpoint: Endpoint,
    agent: Agent,
}

/// A model to ask for vectors.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Asked<'a> {
    pub(crate) model: &'a ModelName,
    /// Values that each vector should have.
    pub(crate) width: usize,
    /// Tokens of the context that the server makes for it.
    pub(crate) context: usize,
}

/// Why texts got no vectors.
#[derive(Debug)]
pub(crate) enum Refused {
    /// At least one of them is too long for the model.
    TooLong,
    /// Another fault, which a shorter text would not mend.
    Failed(OllamaError),
}

impl From<OllamaError> for Refused {
    fn from(error: OllamaError) -> Self {
        Self::Failed(error)
    }
}

impl Server {
    pub(crate) fn new(endpoint: Endpoint, connect_timeout: Duration) -> Self {
        Self { endpoint, agent: http::agent(connect_timeout) }
    }

    /// `HOST:PORT`.
    pub(crate) fn place(&self) -> String {
        self.endpoint.to_string()
    }

    /// Width and context of `model`, without loading it.
    pub(crate) fn show(&self, model: &ModelName, time: Duration) -> Result<Metadata, OllamaError> {
        let bounds = Bounds { time, bytes: SHOW_BYTES };
        let silent = |endpoint| OllamaError::Wedged { endpoint, waited: time };
        let answer = self.ask(SHOW, &wire::render_show(model.as_str()), bounds, silent)?;
        if answer.status != 200 {
            return Err(self.failure(SHOW, model, &answer));
        }
        wire::parse_show(&answer.body).map_err(|flaw| self.flawed(SHOW, &answer, flaw))
    }

    /// The vectors of `input` as the server gives them, one for each text.
    pub(crate) fn embed(&self, asked: Asked<'_>, input: &[String], time: Duration) -> Result<Vec<Vec<f32>>, Refused> {
        let values = u64::try_from(input.len().saturating_mul(asked.width)).unwrap_or(u64::MAX);
        let bounds = Bounds { time, bytes: SMALL_BYTES.saturating_add(values.saturating_mul(VALUE_BYTES)) };
        let body = wire::render_embed(asked.model.as_str(), asked.context, input);
        let silent = |endpoint| OllamaError::Cold { endpoint, model: asked.model.to_string(), waited: time };
        let answer = self.ask(EMBED, &body, bounds, silent)?;
        if answer.status == 200 {
            return Ok(wire::parse_embed(&answer.body, input.len()).map_err(|flaw| self.flawed(EMBED, &answer, flaw))?);
        }
        let text = wire::parse_error(&answer.body).unwrap_or_default();
        if TOO_LONG.iter().any(|words| text.contains(words)) {
            return Err(Refused::TooLong);
        }
        Err(self.failure(EMBED, asked.model, &answer).into())
    }

    /// What `model` writes by `rules` about `notes`.
    pub(crate) fn generate(
        &self,
        model: &ModelName,
        rules: &str,
        notes: &str,
        time: Duration,
    ) -> Result<String, OllamaError> {
        let bounds = Bounds { time, bytes: WORDS_BYTES };
        let silent = |endpoint| OllamaError::Cold { endpoint, model: model.to_string(), waited: time };
        let answer = self.ask(GENERATE, &wire::render_generate(model.as_str(), rules, notes), bounds, silent)?;
        if answer.status != 200 {
            return Err(self.failure(GENERATE, model, &answer));
        }
        wire::parse_generate(&answer.body).map_err(|flaw| self.flawed(GENERATE, &answer, flaw))
    }

    /// The answer to `body` at `path`. What it means that none came in time, the request alone knows: `silent` is given
    /// the place of the server.
    fn ask(
        &self,
        path: &str,
        body: &str,
        bounds: Bounds,
        silent: impl FnOnce(String) -> OllamaError,
    ) -> Result<Answer, OllamaError> {
        http::post(&self.agent, &self.endpoint.url(path), body, bounds).map_err(|why| match why {
            NoAnswer::Unreachable(why) => OllamaError::Unreachable { endpoint: self.place(), why: said(&why) },
            NoAnswer::Silent => silent(self.place()),
            NoAnswer::NotHttp(why) => self.other_server(&format!("its answer is no HTTP ({why})")),
            NoAnswer::TooLarge => self.bad(Flaw::TooLarge { limit: bounds.bytes }),
        })
    }

    /// What it means that `path` was answered with another status than 200.
    fn failure(&self, path: &str, model: &ModelName, answer: &Answer) -> OllamaError {
        let status = answer.status;
        match wire::parse_error(&answer.body) {
            Some(text) if status == 404 && text.contains("model") => {
                OllamaError::ModelMissing { endpoint: self.place(), model: model.to_string() }
            }
            // An engine's vector of no numbers, which no JSON can hold.
            Some(text) if text.contains("NaN") => self.bad(Flaw::NotFinite),
            Some(text) if status != 404 => OllamaError::Server { endpoint: self.place(), status, text: said(&text) },
            _ if (300..400).contains(&status) => self.other_server(&format!("it redirects {path} (status {status})")),
            _ if status == 404 => self.other_server(&format!("it does not know {path} (status 404)")),
            _ => self.other_server(&format!("status {status} to {path}, without Ollama's error message")),
        }
    }

    /// What it means that an answer of status 200 can't be read: JSON that is wrong is a fault of Ollama, and a page is
    /// somebody else's.
    fn flawed(&self, path: &str, answer: &Answer, flaw: Flaw) -> OllamaError {
        match flaw {
            Flaw::Unreadable(_) if !answer.says_json => self.other_server(&format!("it answers {path} with no JSON")),
            flaw => self.bad(flaw),
        }
    }

    pub(crate) fn bad(&self, flaw: Flaw) -> OllamaError {
        OllamaError::BadAnswer { endpoint: self.place(), flaw }
    }

    fn other_server(&self, why: &str) -> OllamaError {
        OllamaError::NotOllama { endpoint: self.place(), why: said(why) }
    }
}
