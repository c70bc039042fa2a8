//! Why an Ollama server gives no vectors and no words.

use std::time::Duration;

use thiserror::Error;

use super::endpoint::BadEndpoint;
use super::model_name::BadModelName;

/// What went wrong, where and why. What a server said is data: at most 200 characters of it, none of them a control
/// character.
#[derive(Debug, Clone, PartialEq, Eq, Error)]
pub enum OllamaError {
    /// The configured endpoint is none that six speaks to.
    #[error("{endpoint:?} can't be the Ollama endpoint: {why}")]
    Endpoint {
        /// As it was configured, without a user and a password.
        endpoint: String,
        /// What is wrong with it.
        why: BadEndpoint,
    },
    /// The configured name can't be that of a model.
    #[error("{model:?}: {why}")]
    Name {
        /// As it was configured.
        model: String,
        /// What is wrong with it.
        why: BadModelName,
    },
    /// Nothing listens there, or the connection broke.
    #[error("no Ollama server can be reached at {endpoint}: {why}")]
    Unreachable {
        /// `HOST:PORT`.
        endpoint: String,
        /// What the connection came to.
        why: String,
    },
    /// Something listens there that speaks another language.
    #[error("what answers at {endpoint} is not Ollama: {why}")]
    NotOllama {
        /// `HOST:PORT`.
        endpoint: String,
        /// What it answered instead.
        why: String,
    },
    /// The server is well, and the model has not been pulled.
    #[error("the Ollama server at {endpoint} has no model {model}: `ollama pull {model}` gets it")]
    ModelMissing {
        /// `HOST:PORT`.
        endpoint: String,
        /// The name that was asked for.
        model: String,
    },
    /// The server said nothing in the time of a request that may have to load the model first.
    #[error("{model} at {endpoint} gave no answer within {waited:?}: it may still be loading")]
    Cold {
        /// `HOST:PORT`.
        endpoint: String,
        /// The model that was asked.
        model: String,
        /// The time that it had.
        waited: Duration,
    },
    /// The server said nothing to what needs no model, or not even in the time that loading takes.
    #[error("the Ollama server at {endpoint} takes requests and does not answer, waited {waited:?}: restart it")]
    Wedged {
        /// `HOST:PORT`.
        endpoint: String,
        /// The time that it had.
        waited: Duration,
    },
    /// The configured fallback could never stand in for the model.
    #[error("{fallback} can't stand in for {model}: {why}")]
    ImpossibleFallback {
        /// The fallback.
        fallback: String,
        /// The model.
        model: String,
        /// What the server's metadata says.
        why: Unfit,
    },
    /// A text is too long for the model however short it is cut.
    #[error("{model} finds the first {characters} characters of a text too long, after {halvings} halvings")]
    Overflow {
        /// The model.
        model: String,
        /// Length of the last head that was tried.
        characters: usize,
        /// How often the text was halved.
        halvings: usize,
    },
    /// The server failed, and said how.
    #[error("the Ollama server at {endpoint} answered {status}: {text}")]
    Server {
        /// `HOST:PORT`.
        endpoint: String,
        /// The status of the answer.
        status: u16,
        /// What it said.
        text: String,
    },
    /// The server answered as if all were well, and the answer is of no use.
    #[error("the answer of the Ollama server at {endpoint} is of no use: {flaw}")]
    BadAnswer {
        /// `HOST:PORT`.
        endpoint: String,
        /// What is wrong with it.
        flaw: Flaw,
    },
}

/// Why a model can't stand in for another.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Error)]
pub enum Unfit {
    /// It has not been pulled.
    #[error("the server does not have it; `ollama pull` gets it")]
    Missing,
    /// Its vectors don't fit into the index.
    #[error("its vectors have {found} values, and {expected} are needed")]
    Width {
        /// Values of the vectors that the index has or gets.
        expected: usize,
        /// Values of the fallback's vectors.
        found: usize,
    },
    /// It is the same model.
    #[error("it is the same model")]
    Same,
}

/// What is wrong with an answer.
#[derive(Debug, Clone, PartialEq, Eq, Error)]
pub enum Flaw {
    /// Not the JSON that the request asks for.
    #[error("it can't be read ({0})")]
    Unreadable(String),
    /// The model's metadata lacks a number, or has one that can't be true.
    #[error("it gives no {0} that can be true")]
    Metadata(&'static str),
    /// More or fewer vectors than texts.
    #[error("{found} vectors for {expected} texts")]
    Count {
        /// Texts that were sent.
        expected: usize,
        /// Vectors that came.
        found: usize,
    },
    /// A value is infinite or no number.
    #[error("a vector has a value that is no finite number")]
    NotFinite,
    /// A text without a character that can be seen.
    #[error("the text is empty")]
    NoText,
    /// A vector without a direction.
    #[error("a vector is all zeros")]
    AllZero,
    /// The answer does not end where any answer would.
    #[error("it is longer than {limit} bytes")]
    TooLarge {
        /// Bytes that were read.
        limit: u64,
    },
}

impl OllamaError {
    /// Whether the fault lies in one text, so that the next one may well get its vector.
    pub(crate) fn is_of_one_text(&self) -> bool {
        matches!(
            self,
            Self::Overflow { .. } | Self::BadAnswer { flaw: Flaw::NotFinite | Flaw::AllZero | Flaw::NoText, .. }
        )
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_message_says_what_and_where_and_why() {
        let (endpoint, model) = ("127.0.0.1:11434".to_owned(), "all-minilm:latest".to_owned());
        let waited = Duration::from_secs(2);
        let errors = [
            OllamaError::Endpoint { endpoint: "http://localhost:11434".to_owned(), why: BadEndpoint::Name },
            OllamaError::Name { model: "a b".to_owned(), why: BadModelName },
            OllamaError::Unreachable { endpoint: endpoint.clone(), why: "connection refused".to_owned() },
            OllamaError::NotOllama { endpoint: endpoint.clone(), why: "status 404 to /api/show".to_owned() },
            OllamaError::ModelMissing { endpoint: endpoint.clone(), model: model.clone() },
            OllamaError::Cold { endpoint: endpoint.clone(), model: model.clone(), waited },
            OllamaError::Wedged { endpoint: endpoint.clone(), waited },
            OllamaError::ImpossibleFallback {
                fallback: "bge-m3:latest".to_owned(),
                model: model.clone(),
                why: Unfit::Width { expected: 384, found: 1024 },
            },
            OllamaError::Overflow { model, characters: 64, halvings: 5 },
            OllamaError::Server { endpoint: endpoint.clone(), status: 500, text: "out of memory".to_owned() },
            OllamaError::BadAnswer { endpoint, flaw: Flaw::Count { expected: 2, found: 1 } },
        ];
        let messages: Vec<String> = errors.iter().map(ToString::to_string).collect();
        insta::assert_snapshot!(messages.join("\n"), @r#"
        "http://localhost:11434" can't be the Ollama endpoint: names are not looked up, localhost included, since that takes time and may lead elsewhere: write 127.0.0.1
        "a b": not the name of a model: 1 to 200 letters, digits and ._-:/ are expected, starting with a letter or digit
        no Ollama server can be reached at 127.0.0.1:11434: connection refused
        what answers at 127.0.0.1:11434 is not Ollama: status 404 to /api/show
        the Ollama server at 127.0.0.1:11434 has no model all-minilm:latest: `ollama pull all-minilm:latest` gets it
        all-minilm:latest at 127.0.0.1:11434 gave no answer within 2s: it may still be loading
        the Ollama server at 127.0.0.1:11434 takes requests and does not answer, waited 2s: restart it
        bge-m3:latest can't stand in for all-minilm:latest: its vectors have 1024 values, and 384 are needed
        all-minilm:latest finds the first 64 characters of a text too long, after 5 halvings
        the Ollama server at 127.0.0.1:11434 answered 500: out of memory
        the answer of the Ollama server at 127.0.0.1:11434 is of no use: 1 vectors for 2 texts
        "#);
    }
}
