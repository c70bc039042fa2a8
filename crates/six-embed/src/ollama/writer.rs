//! A model on an Ollama server that writes.

use std::time::Duration;

use super::error::{Flaw, OllamaError};
use super::model_name::ModelName;
use super::server::Server;
use super::settings::OllamaSettings;

/// Characters of a request's notes: with the rules and the answer they fit into the context in any script.
const NOTES_CHARS: usize = 2_800;

/// A model that writes a few sentences about what it is given. It gives up at the first failure and remembers nothing:
/// call it through a [`Circuit`](crate::Circuit).
#[derive(Debug)]
pub struct Writer {
    server: Server,
    model: ModelName,
    timeout: Duration,
}

impl Writer {
    /// The settings' model on the settings' server, each text within the time for texts of documents. Asks nobody.
    pub fn of(settings: &OllamaSettings) -> Result<Self, OllamaError> {
        let server = Server::new(settings.parse_endpoint()?, settings.connect_timeout);
        Ok(Self { server, model: settings.parse_model()?, timeout: settings.document_timeout })
    }

    /// The name of the model, with its tag.
    pub fn model(&self) -> &str {
        self.model.as_str()
    }

    /// What the model writes by these rules about these notes, as it wrote it: a stranger's text. At most some hundred
    /// words; of longer notes it gets the beginning. An answer without a visible character is a failure of this text alone.
    pub fn write(&self, rules: &str, notes: &str) -> Result<String, OllamaError> {
        let end = notes.char_indices().nth(NOTES_CHARS).map_or(notes.len(), |(at, _)| at);
        let notes = notes.get(..end).unwrap_or(notes);
        let text = self.server.generate(&self.model, rules, notes, self.timeout)?;
        if text.chars().all(|c| c.is_whitespace() || c.is_control()) {
            return Err(self.server.bad(Flaw::NoText));
        }
        Ok(text)
    }
}
