//! The question to the provider of vectors, on a thread of its own, and how long it may take.

use std::panic::{AssertUnwindSafe, catch_unwind};
use std::sync::mpsc::{self, Receiver, RecvTimeoutError};
use std::time::{Duration, Instant};

use six_core::config::{Config, EmbedProvider};
use six_core::record::Why;
use six_embed::EmbedError;
use six_store::{Store, StoreError};

use super::outside::aside;
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
    /// What is looked for once the answer is there: it must not take the time of the answer.
    flaw: Receiver<Option<EmbedError>>,
    began: Instant,
    warm_up: Duration,
}

/// Asks the provider. Where no thread can be had it is asked here and now.
pub(super) fn ask(store: &Store, config: &Config, patience: Patience) -> Result<Asked, StoreError> {
    let warm_up = warm_up(config, patience);
    let time = Patience::WarmUp(u64::try_from(warm_up.as_millis()).unwrap_or(u64::MAX));
    let question = Question::of(store, &config.embed, time, patience == Patience::Person)?;
    let (tell, answer) = mpsc::sync_channel(1);
    let (tell_flaw, flaw) = mpsc::sync_channel(1);
    let asked = question.clone();
    let ask = move || {
        // Where asking breaks off the senders are dropped, which tells it. Nobody hears an answer that is late.
        let _ = catch_unwind(AssertUnwindSafe(|| {
            let (answer, provider) = asked.ask();
            let _ = tell.send(answer);
            let _ = tell_flaw.send(provider.and_then(|provider| asked.find_flaw(&provider)));
        }));
    };
    let began = Instant::now();
    aside(ask);
    Ok(Asked { question, answer, flaw, began, warm_up })
}

impl Asked {
    /// The answer, once it is there or the time is used up: `until`, and for a server the warm-up beyond it. What else is
    /// wrong with the provider is told where there is time to see it.
    pub(super) fn arrive(self, until: Option<Instant>) -> Result<Answer, Why> {
        let is_server = self.question.is_for_server();
        let until = until.map(|until| if is_server { until + self.warm_up } else { until });
        let answer = match receive(&self.answer, until) {
            Ok(answer) => answer,
            Err(RecvTimeoutError::Disconnected) => return Err(Why::Failed),
            Err(RecvTimeoutError::Timeout) if is_server => return Ok(self.question.unanswered(self.began.elapsed())),
            Err(RecvTimeoutError::Timeout) => return Err(Why::OutOfTime),
        };
        match receive(&self.flaw, until) {
            Ok(flaw) => Ok(answer.with_flaw(flaw)),
            Err(RecvTimeoutError::Disconnected) => Err(Why::Failed),
            Err(RecvTimeoutError::Timeout) => Ok(answer),
        }
    }
}

fn receive<T>(from: &Receiver<T>, until: Option<Instant>) -> Result<T, RecvTimeoutError> {
    match until {
        None => Ok(from.recv()?),
        Some(until) => from.recv_timeout(until.saturating_duration_since(Instant::now())),
    }
}
