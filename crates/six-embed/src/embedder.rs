//! What turns texts into vectors.

use thiserror::Error;

use crate::forward::forward;
use crate::kernel::{Kernels, Path};
use crate::model::{Model, ModelError, PIECES, WIDTH};
use crate::ollama::OllamaError;
use crate::tokenizer::encode;
use crate::weights;

/// Word pieces of a query that hooks embed. What a person asks for stands at the beginning, and the prompt waits: 15
/// pieces took 1.5 ms with VNNI and 2.9 ms with AVX2, 202 pieces 29 and 43.
pub const QUERY_PIECES: usize = 32;

/// Pieces of a word that the vocabulary has, with the marks before and after it.
const PIECES_OF_KNOWN: usize = 3;

/// Of ten words of English those that the vocabulary has at least: nine in ten English prompts have eight, one in a hundred
/// six; the median of German, Spanish and French ones is four to six.
const KNOWN_TENTHS: usize = 5;

/// Something that turns texts into vectors of one width and one meaning.
pub trait Embedder: Sync {
    /// Names the model: vectors of two ids must never be compared.
    fn id(&self) -> &str;

    /// Values in each vector.
    fn width(&self) -> usize;

    /// A vector of length 1 for each text, in the order of the texts. The end of a text that is too long is not read.
    fn embed(&self, texts: &[&str]) -> Result<Vec<Vec<f32>>, EmbedError>;

    /// Whether the model knows the language of `text`.
    fn reads(&self, _text: &str) -> bool {
        true
    }

    /// The vector of what somebody looks for, from the first `pieces` word pieces of `text`, marks included.
    fn embed_query(&self, text: &str, pieces: usize) -> Result<Vec<f32>, EmbedError>;
}

/// Why there are no vectors.
#[derive(Debug, Clone, PartialEq, Eq, Error)]
pub enum EmbedError {
    /// The embedded model knows English.
    #[error("the model inside six reads English, and these words are none that it knows")]
    UnknownLanguage,
    /// The embedded model is damaged.
    #[error("the embedded model can't be used: {0}")]
    Model(#[from] ModelError),
    /// The processor lacks the instructions that were asked for.
    #[error("this processor can't run the {0:?} path")]
    PathMissing(Path),
    /// The embedded model makes another vector of a known text than it must.
    #[error("the embedded model makes a wrong vector of a known text")]
    Miscomputed,
    /// A thread ended before its work did.
    #[error("a thread that made vectors has died")]
    ThreadDied,
    /// The Ollama server gives none.
    #[error(transparent)]
    Ollama(#[from] OllamaError),
    /// A vector of another width than the index has, or than the model is said to make.
    #[error("a vector of {found} values is refused: {expected} are expected")]
    WrongWidth {
        /// Values that a vector has to have.
        expected: usize,
        /// Values that it has.
        found: usize,
    },
    /// Nothing was tried, because an earlier call of this process has failed.
    #[error("not tried again in this process: {first}")]
    CircuitOpen {
        /// What the first failure said.
        first: String,
    },
}

impl EmbedError {
    /// Whether the fault lies in one text, so that the next one may well get its vector.
    pub fn is_of_one_text(&self) -> bool {
        matches!(self, Self::Ollama(error) if error.is_of_one_text())
    }
}

/// The embedded model on the kernels of one path.
#[derive(Debug)]
pub struct Embedded {
    model: Model<'static>,
    kernels: Kernels,
}

impl Embedded {
    /// The model with the fastest kernels of this processor. Reads no more of the weights than their table.
    pub fn load() -> Result<Self, EmbedError> {
        Ok(Self { model: Model::load(weights::file())?, kernels: Kernels::best() })
    }

    /// The same on `path`, to compare.
    pub fn load_on(path: Path) -> Result<Self, EmbedError> {
        let kernels = Kernels::of(path).ok_or(EmbedError::PathMissing(path))?;
        Ok(Self { model: Model::load(weights::file())?, kernels })
    }

    /// The path that the model runs on.
    pub fn path(&self) -> Path {
        self.kernels.path
    }

    /// The ids of `text`, at most `pieces` and at most [`PIECES`], marks included.
    pub fn pieces(&self, text: &str, pieces: usize) -> Vec<u16> {
        encode(&self.model.vocabulary, text, pieces.min(PIECES))
    }

    fn vector(&self, text: &str, pieces: usize) -> Vec<f32> {
        forward(&self.model, &self.kernels, &self.pieces(text, pieces))
    }
}

impl Embedder for Embedded {
    fn id(&self) -> &'static str {
        "all-MiniLM-L6-v2.i8.e4"
    }

    fn width(&self) -> usize {
        WIDTH
    }

    fn embed(&self, texts: &[&str]) -> Result<Vec<Vec<f32>>, EmbedError> {
        Ok(texts.iter().map(|text| self.vector(text, PIECES)).collect())
    }

    /// English words are in the vocabulary, those of other languages fall into pieces and their vectors lie close
    /// together whatever they say: of 50 prompts each, two unrelated ones had a median cosine of 0.07 in English, 0.30 in
    /// German, 0.40 in Spanish and 0.57 in Russian.
    fn reads(&self, text: &str) -> bool {
        let words = text.split(|c: char| !c.is_alphanumeric() && c != '_');
        let words = words.filter(|word| word.chars().all(char::is_alphabetic) && word.chars().nth(1).is_some());
        let (known, all) = words.take(QUERY_PIECES).fold((0, 0), |(known, all), word| {
            (
                known + usize::from(word.is_ascii() && self.pieces(word, PIECES_OF_KNOWN + 1).len() == PIECES_OF_KNOWN),
                all + 1,
            )
        });
        known * 10 >= all * KNOWN_TENTHS && (all > 0 || text.is_ascii())
    }

    fn embed_query(&self, text: &str, pieces: usize) -> Result<Vec<f32>, EmbedError> {
        Ok(self.vector(text, pieces))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn english_is_read_and_other_languages_are_not() {
        let model = Embedded::load().unwrap();
        for text in ["add a rate limiter to the api", "fix src/a_b.rs", "", "cap the calls of every client per minute"]
        {
            assert!(model.reads(text), "{text}");
        }
        for text in [
            "bitte behebe den Fehler in der Berechtigungsverwaltung",
            "исправь ошибку в парсере",
            "帮我修改一下这个文件的内容",
            "aggiungi un limite alle chiamate dei clienti",
        ] {
            assert!(!model.reads(text), "{text}");
        }
    }
}
