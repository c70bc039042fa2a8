//! The run that makes the vectors that are missing.
//!
//! Most trusted and newest first, 256 texts at a time: embedded before the transaction opens, stored in one short one. What
//! was stored stays, so a run goes on where the last one ended.

use std::num::NonZeroUsize;
use std::path::Path;
use std::time::Duration;

use six_core::health::VectorProbe;
use six_core::search::{EmbedTranscripts, Model};
use six_core::text::{Redacted, Redactor};
use six_store::{Coverage, Store, StoreError, Unembedded};

use super::batch::make;
use super::probe::look_for_one;
use super::provider::Provider;
use super::report::{Ended, Failure, Progress, Report};
use crate::clock;
use crate::ingest::WhenHeld;
use crate::lock::{FileLock, LockError};

/// Texts of one transaction: a few seconds of work, and milliseconds under the lock.
const BATCH: usize = 256;

/// Failures that are named; all are counted.
const NAMED: usize = 5;

/// Characters of a text that failed: enough to know it by.
const NAMED_CHARS: usize = 80;

/// What a run is to do.
#[derive(Clone, Copy)]
pub struct Options<'a> {
    /// Which turns of transcripts get a vector.
    pub transcripts: EmbedTranscripts,
    /// Texts at most; `None` = all that have none.
    pub limit: Option<usize>,
    /// Threads for a model that runs in this process.
    pub threads: NonZeroUsize,
    /// The budget is used up. Asked after each text.
    pub is_over: &'a dyn Fn() -> bool,
    /// What to do while another process embeds.
    pub when_held: WhenHeld,
}

/// Why a run ended early. What had been stored stays.
#[derive(Debug, thiserror::Error)]
pub enum BackfillError {
    /// The store refused.
    #[error("the vectors could not be stored: {0}")]
    Store(#[from] StoreError),
    /// The lock can't be had or waited for.
    #[error("embedding could not take its lock: {0}")]
    Lock(#[source] LockError),
}

/// For a run that a person waits for.
pub fn all_cores() -> NonZeroUsize {
    std::thread::available_parallelism().unwrap_or(NonZeroUsize::MIN)
}

/// For a run beside a person's own work.
pub fn half_the_cores() -> NonZeroUsize {
    NonZeroUsize::new(all_cores().get() / 2).unwrap_or(NonZeroUsize::MIN)
}

/// Gives every text that should have a vector of the provider's model one, as far as the options go. `folder` is the
/// store's, for the lock that keeps a second run out.
pub fn backfill(
    folder: &Path,
    store: &Store,
    provider: &Provider,
    options: &Options<'_>,
    progress: &mut dyn Progress,
) -> Result<Report, BackfillError> {
    let wait = match options.when_held {
        WhenHeld::Skip => Duration::ZERO,
        WhenHeld::Wait(time) => time,
    };
    let _lock = match FileLock::acquire(&folder.join("embed.lock"), wait) {
        Ok(lock) => lock,
        Err(LockError::Busy { .. }) => return Ok(Report { ended: Ended::Held, ..Report::default() }),
        Err(fault) => return Err(BackfillError::Lock(fault)),
    };
    let model = provider.model();
    let discarded = discard_wrong(store, provider, &model)?;
    let mut run = Run { store, provider, model, options, report: Report { discarded, ..Report::default() } };
    let before = run.coverage()?;
    let waiting = before.eligible.saturating_sub(before.embedded);
    progress.total(options.limit.map_or(waiting, |limit| waiting.min(count(limit))));
    run.report.ended = run.fill(progress)?;
    run.report.coverage = run.coverage()?;
    Ok(run.report)
}

/// Forgets what stands in the way of making vectors anew: those without a text, notes of vectors that are not there, and
/// all of the model if one of them does not belong to its text, now or when health last looked: of vectors that are partly
/// wrong, the one that is looked at now may be right.
fn discard_wrong(store: &Store, provider: &Provider, model: &Model) -> Result<u64, StoreError> {
    let strays = store.settle_vectors()?;
    if store.was_unfound_since_embedding(clock::now())? || look_for_one(store, provider)? == VectorProbe::NotFound {
        return Ok(strays + store.discard_vectors(model)?);
    }
    Ok(strays)
}

struct Run<'a> {
    store: &'a Store,
    provider: &'a Provider,
    model: Model,
    options: &'a Options<'a>,
    report: Report,
}

impl Run<'_> {
    fn coverage(&self) -> Result<Coverage, StoreError> {
        self.store.coverage(&self.model, self.options.transcripts, clock::now())
    }

    fn fill(&mut self, progress: &mut dyn Progress) -> Result<Ended, StoreError> {
        let mut last = None;
        loop {
            let done = self.report.embedded.saturating_add(self.report.failed);
            let left = self
                .options
                .limit
                .map_or(BATCH, |limit| limit.saturating_sub(usize::try_from(done).unwrap_or(usize::MAX)).min(BATCH));
            let batch = self.next(last.as_ref(), left.max(1))?;
            if batch.is_empty() {
                if self.report.failed == 0 {
                    self.store.note_embedding(clock::now())?;
                }
                return Ok(Ended::Finished);
            }
            if left == 0 {
                return Ok(Ended::Limit);
            }
            if (self.options.is_over)() {
                return Ok(Ended::Stopped);
            }
            if let Some(ended) = self.embed(&batch, progress)? {
                return Ok(ended);
            }
            last = batch.into_iter().next_back();
        }
    }

    fn next(&self, last: Option<&Unembedded>, limit: usize) -> Result<Vec<Unembedded>, StoreError> {
        self.store.unembedded(&self.model, self.options.transcripts, clock::now(), last, limit)
    }

    /// Embeds a batch and stores what came of it; answers why the run is over, if it is.
    fn embed(&mut self, batch: &[Unembedded], progress: &mut dyn Progress) -> Result<Option<Ended>, StoreError> {
        let redactor = Redactor::new();
        let texts: Vec<Redacted> = batch.iter().map(|text| redactor.redact(&text.text)).collect();
        let threads = self.provider.threads(self.options.threads);
        let made = make(self.provider.embedder(), &texts, threads, self.options.is_over, progress);
        let vectors: Vec<_> =
            batch.iter().zip(made.vectors).filter_map(|(text, values)| Some((text.body, text.hash, values?))).collect();
        if !vectors.is_empty() {
            self.report.embedded += self.store.put_vectors(&self.model, &vectors)?;
            self.store.note_embedding(clock::now())?;
        }
        self.report.failed += count(made.failed.len());
        for (index, why) in made.failed {
            if let Some(text) = texts.get(index).filter(|_| self.report.failures.len() < NAMED) {
                self.report.failures.push(Failure { text: text.as_str().chars().take(NAMED_CHARS).collect(), why });
            }
        }
        Ok(made.ended)
    }
}

fn count(n: usize) -> u64 {
    u64::try_from(n).unwrap_or(u64::MAX)
}

#[cfg(test)]
mod tests;
