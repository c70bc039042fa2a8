//! The question to the provider of vectors, on a thread of its own, and how long it may take.

use std::panic::{AssertUnwindSafe, catch_unwind};
use std::sync::mpsc::{self, Receiver, RecvTimeoutError};
use std::thread;
use std::time::{Duration, Instant};

use six_core::config::{Config, EmbedProvider};
use six_core::record::Why;
use six_store::{Store, StoreError};

use crate::embed::{Answer, Patience, Question};

/// The most that a server gets at a session's start, whatever is configured: the host ends a hook after 20 s.
const MOST_IN_HOOK: Duration = Duration::from_secs(15);

/// The least that a server gets at a session's start, whatever is configured: one that has its model loaded needs a fifth.
const LEAST_IN_HOOK: Duration = Duration::from_millis(500);

/// The least that a server gets where a person waits: a large model is read from a slow disk in that time.
const LEAST_FOR_PERSON: Duration = Duration::from_secs(30);

/// What a session's start has to allow for a server beyond its own deadline. None with the model inside six.
pub fn server_time(config: &Config) -> Duration {
    match config.embed.provider {
        EmbedProvider::Embedded => Duration::ZERO,
        EmbedProvider::Ollama => warm_up(config, Patience::Hook),
    }
}

fn warm_up(config: &Config, patience: Patience) -> Duration {
    let configured = Duration::from_millis(config.health.warmup_ms);
    if patience == Patience::Person {
        configured.max(LEAST_FOR_PERSON)
    } else {
        configured.clamp(LEAST_IN_HOOK, MOST_IN_HOOK)
    }
}

/// A question that was asked.
pub(super) struct Asked {
    question: Question,
    answer: Receiver<Answer>,
    began: Instant,
    warm_up: Duration,
}

/// Asks the provider. Where no thread can be had it is asked here and now.
pub(super) fn ask(store: &Store, config: &Config, patience: Patience) -> Result<Asked, StoreError> {
    let warm_up = warm_up(config, patience);
    let time = Patience::WarmUp(u64::try_from(warm_up.as_millis()).unwrap_or(u64::MAX));
    let question = Question::of(store, &config.embed, time, patience == Patience::Person)?;
    let (tell, answer) = mpsc::sync_channel(1);
    let (asked, here) = (question.clone(), tell.clone());
    let began = Instant::now();
    let elsewhere = thread::Builder::new().spawn(move || {
        // Without an answer the sender is dropped, which tells that the look broke off. Nobody hears one that is late.
        if let Ok(answer) = catch_unwind(AssertUnwindSafe(|| asked.ask())) {
            let _ = tell.send(answer);
        }
    });
    if elsewhere.is_err() {
        let _ = here.send(question.ask());
    }
    Ok(Asked { question, answer, began, warm_up })
}

impl Asked {
    /// The answer, once it is there or the time is used up: `until`, and for a server the warm-up beyond it.
    pub(super) fn arrive(self, until: Option<Instant>) -> Result<Answer, Why> {
        let Some(until) = until else { return self.answer.recv().map_err(|_| Why::Failed) };
        let is_server = self.question.is_for_server();
        let until = if is_server { until + self.warm_up } else { until };
        match self.answer.recv_timeout(until.saturating_duration_since(Instant::now())) {
            Ok(answer) => Ok(answer),
            Err(RecvTimeoutError::Disconnected) => Err(Why::Failed),
            Err(RecvTimeoutError::Timeout) if is_server => Ok(self.question.unanswered(self.began.elapsed())),
            Err(RecvTimeoutError::Timeout) => Err(Why::OutOfTime),
        }
    }
}
