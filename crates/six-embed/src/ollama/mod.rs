//! Vectors from an Ollama server, as another [`Embedder`](crate::Embedder) than the model in the binary, and words from a
//! model of it that writes.
//!
//! What a configuration says about it ([`OllamaSettings`], [`Endpoint`], [`ModelName`]) and what can go wrong
//! ([`OllamaError`]) need no HTTP and are always here; the client stands behind the feature `ollama`.

mod endpoint;
mod error;
#[cfg(feature = "ollama")]
mod http;
mod model_name;
#[cfg(feature = "ollama")]
mod prompts;
#[cfg(feature = "ollama")]
mod provider;
#[cfg(feature = "ollama")]
mod server;
mod settings;
#[cfg(feature = "ollama")]
mod wire;
#[cfg(feature = "ollama")]
mod writer;

pub use endpoint::{BadEndpoint, Endpoint};
pub use error::{Flaw, OllamaError, Unfit};
pub use model_name::{BadModelName, ModelName};
#[cfg(feature = "ollama")]
pub use provider::Ollama;
pub use settings::OllamaSettings;
#[cfg(feature = "ollama")]
pub use writer::Writer;
