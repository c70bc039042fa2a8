//! From texts in the store to their vectors: which provider makes them, and the run that makes what is missing.
//!
//! A text is found by its words from the moment it is stored; its vector follows, when there is time for it.

mod backfill;
mod batch;
mod entered;
mod probe;
mod provider;
mod report;

pub use backfill::{BackfillError, Options, all_cores, backfill, half_the_cores};
pub use entered::{EnteredError, embed_entered};
pub use probe::{Answer, Question};
pub use provider::{Embedding, Patience, Provider, judge_server};
pub use report::{Ended, Failure, NoProgress, Progress, Report};
pub use six_embed::EmbedError;
pub use six_embed::ollama::OllamaError;
