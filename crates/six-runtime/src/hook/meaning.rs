//! The vector of a prompt: made while a person waits, or not at all.

use std::sync::atomic::Ordering;
use std::time::Duration;

use six_core::config::{EmbedConfig, EmbedProvider};
use six_core::inject::{Candidates, Limits, MeaningQuery, meaning_text};
use six_core::search::QueryVector;

use super::answer::Work;
use super::user_prompt_submit::UserPromptSubmit;
use crate::embed::{Embedding, Patience, Provider};

/// What has to be left of the deadline. A vector of 32 pieces takes 3 ms, ten times that on a machine that is busy, and
/// what it finds has to be looked up, rendered and recorded.
const LEFT: Duration = Duration::from_millis(60);

/// What makes the vector of a prompt, or a short stable word why nothing does.
#[derive(Debug)]
pub(super) struct Meaning {
    provider: Result<Provider, &'static str>,
    /// The embedded model, for whose cosines the thresholds are.
    calibrated: bool,
}

impl Meaning {
    /// As the project's configuration says. A server is asked only where the project allows it the time, and the hook
    /// may then take as much longer.
    pub(super) fn of(work: &Work<'_>, config: &EmbedConfig) -> Self {
        match config.provider {
            EmbedProvider::Embedded => {
                Self { provider: Provider::embedded().map_err(|_| "model-damaged"), calibrated: true }
            }
            EmbedProvider::Ollama => Self { provider: of_server(work, config), calibrated: false },
        }
    }

    /// The thresholds for the cosines of this model. Those of another than the embedded one are recorded and decide
    /// nothing: some models find any two texts alike.
    pub(super) fn limits(&self, limits: Limits) -> Limits {
        if self.calibrated { limits } else { limits.without_meaning() }
    }

    /// The vector of what is looked for.
    pub(super) fn embed(
        &self,
        work: &Work<'_>,
        query: &MeaningQuery,
        known: &Candidates,
    ) -> Result<QueryVector, &'static str> {
        let provider = self.provider.as_ref().map_err(|why| *why)?;
        let in_time = || work.left::<UserPromptSubmit>() >= LEFT;
        embed_meaning(provider, self.calibrated, query, known, in_time)
    }
}

/// The vector of what is looked for. A `calibrated` provider is the embedded model, which reads English only; `in_time` is
/// asked last, before the work.
pub fn embed_meaning(
    provider: &Provider,
    calibrated: bool,
    query: &MeaningQuery,
    known: &Candidates,
    in_time: impl FnOnce() -> bool,
) -> Result<QueryVector, &'static str> {
    let text = meaning_text(&query.text, &known.df, known.corpus);
    if calibrated && !(query.english && provider.reads(&text)) {
        return Err("not-english");
    }
    if !in_time() {
        return Err("late");
    }
    provider.embed_query(&text).map_err(|_| "failed")
}

fn of_server(work: &Work<'_>, config: &EmbedConfig) -> Result<Provider, &'static str> {
    if config.deadline_ms == 0 {
        return Err("server");
    }
    let store = work.store.as_ref().map_err(|_| "no-store")?;
    work.call.granted_ms.store(config.deadline_ms, Ordering::Relaxed);
    let embedding = Embedding::of(store, config, Patience::Prompt(config.deadline_ms)).map_err(|_| "no-store")?;
    embedding.provider.map_err(|_| "failed")
}
