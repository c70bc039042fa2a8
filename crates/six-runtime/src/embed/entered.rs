//! The vectors of what a person has just entered: it works at once, and not only after the next worker.

use six_core::config::{EmbedConfig, EmbedProvider};
use six_core::search::EmbedTranscripts;
use six_core::text::Redactor;
use six_embed::EmbedError;
use six_store::{Store, StoreError};

use super::batch::stored;
use super::provider::Provider;
use crate::clock;

/// Why what was entered has no vector yet. The worker makes it.
#[derive(Debug, thiserror::Error)]
pub enum EnteredError {
    /// There is none to be had.
    #[error(transparent)]
    Embed(#[from] EmbedError),
    /// The store refused it.
    #[error(transparent)]
    Store(#[from] StoreError),
}

/// Gives up to `most` of the most trusted and newest texts without a vector one: some milliseconds each. Where a server
/// makes the vectors nobody waits for it here.
pub fn embed_entered(store: &Store, config: &EmbedConfig, most: usize) -> Result<u64, EnteredError> {
    if config.provider != EmbedProvider::Embedded {
        return Ok(0);
    }
    let provider = Provider::embedded()?;
    let model = provider.model();
    let waiting = store.unembedded(&model, EmbedTranscripts::Off, clock::now(), None, most)?;
    let mut vectors = Vec::new();
    for text in waiting {
        let made = provider.embedder().embed(&[Redactor::new().redact(&text.text).as_str()])?;
        vectors.push((text.body, text.hash, stored(&made.concat())));
    }
    Ok(store.put_vectors(&model, &vectors)?)
}
