//! What a run of embedding did, and how far it is.

use six_embed::EmbedError;
use six_store::Coverage;

/// Is told how far a run is. Called from the thread that runs it.
pub trait Progress {
    /// So many texts are to get a vector.
    fn total(&mut self, texts: u64);

    /// So many further ones have one, or were passed over.
    fn step(&mut self, texts: u64);
}

/// Nobody watches.
#[derive(Debug, Clone, Copy, Default)]
pub struct NoProgress;

impl Progress for NoProgress {
    fn total(&mut self, _: u64) {}

    fn step(&mut self, _: u64) {}
}

/// How a run ended.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub enum Ended {
    /// Nothing is left but what failed.
    #[default]
    Finished,
    /// As many as were asked for are done.
    Limit,
    /// Its time was used up, or somebody stopped it.
    Stopped,
    /// The provider makes no vectors any more.
    Failing(EmbedError),
    /// Another process embeds; nothing was done.
    Held,
}

/// A text that got no vector although others did.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Failure {
    /// How it begins.
    pub text: String,
    /// Why.
    pub why: EmbedError,
}

/// What a run did. What it stored stays, however it ended.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct Report {
    /// See [`Ended`].
    pub ended: Ended,
    /// Texts that got a vector.
    pub embedded: u64,
    /// Texts that were passed over. The next run tries them again.
    pub failed: u64,
    /// The first of them.
    pub failures: Vec<Failure>,
    /// Vectors that were thrown away first, since they did not belong to their texts.
    pub discarded: u64,
    /// How far the store is now.
    pub coverage: Coverage,
}
