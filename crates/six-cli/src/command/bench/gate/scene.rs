//! A store that prompts are tried in: a made-up one, or a copy of one's own.

use std::time::Duration;

use six_core::inject::{CandidateQuery, Candidates, Limits, Receipt};
use six_core::record::{Evidence, SessionId, Why};
use six_runtime::embed::{NoProgress, Provider};
use six_runtime::hook::gather_candidates;
use six_store::{Access, Store};
use tempfile::TempDir;

use super::super::corpus::{embed_texts, scratch_failure, scratch_folder};
use super::filler::fill;
use super::label::Labelled;
use super::planted::{Planted, Row, threads};
use super::play::{Clock, play};
use super::relevance::{Case, Outcome, threads_of};
use crate::failure::Failure;

/// A store in a scratch folder.
pub(super) struct Scene<'a> {
    store: Store,
    provider: &'a Provider,
    clock: Clock,
    /// Goes with the store.
    folder: TempDir,
}

/// Outcomes under each of some thresholds.
pub(super) type Trials = Vec<Vec<Outcome>>;

impl<'a> Scene<'a> {
    /// A made-up store that holds what is planted, among answers with words as in `everyday`.
    pub(super) fn made_up(
        everyday: &[Labelled],
        planted: &[Planted],
        provider: &'a Provider,
        clock: Clock,
    ) -> Result<Self, Failure> {
        let folder = scratch_folder()?;
        let store =
            Store::create(&folder.path().join("memory.db"), clock.now).map_err(|fault| scratch_failure(&fault))?;
        fill(&store, everyday, planted)?;
        let scene = Self { store, provider, clock, folder };
        scene.plant(planted)?;
        Ok(scene)
    }

    /// A copy of a store.
    pub(super) fn copy_of(own: &Store, provider: &'a Provider, clock: Clock) -> Result<Self, Failure> {
        let folder = scratch_folder()?;
        let path = folder.path().join("memory.db");
        let store = own.copy_to(&path).and_then(|()| Store::open(&path, Access::Write, Duration::ZERO));
        Ok(Self { store: store.map_err(|fault| scratch_failure(&fault))?, provider, clock, folder })
    }

    /// Adds records, threads and subsystems, with their vectors: the newest are embedded first.
    pub(super) fn plant(&self, planted: &[Planted]) -> Result<(), Failure> {
        let failure = |fault| scratch_failure(&fault);
        for thread in threads(planted, self.clock.now) {
            self.store.add_thread(&thread).map_err(failure)?;
        }
        for one in planted {
            match &one.row {
                Row::Record(record) => self.store.add_record(record, "operator").map(drop),
                Row::Subsystem(subsystem) => self.store.add_subsystem(subsystem),
            }
            .map_err(failure)?;
        }
        embed_texts(self.folder.path(), &self.store, self.provider, Some(planted.len()), &mut NoProgress)?;
        Ok(())
    }

    /// Distinct chunks in the store.
    pub(super) fn chunks(&self) -> Result<u64, Failure> {
        Ok(self.store.status().map_err(|fault| scratch_failure(&fault))?.bodies)
    }

    /// Tries prompts that should be met with silence, under each of the thresholds.
    pub(super) fn try_unrelated(&self, prompts: &[Labelled], thresholds: &[&Limits]) -> Result<Trials, Failure> {
        let mut trials = vec![Vec::with_capacity(prompts.len()); thresholds.len()];
        for prompt in prompts {
            for (trial, receipt) in trials.iter_mut().zip(self.play(&prompt.id, &prompt.text, thresholds)?) {
                let case = Case::Unrelated { lang: prompt.lang.clone() };
                trial.push(Outcome::of_other(&prompt.id, case, &receipt));
            }
        }
        Ok(trials)
    }

    /// Tries prompts about what is planted, and those that only look like it.
    pub(super) fn try_planted(&self, planted: &[Planted], thresholds: &[&Limits]) -> Result<Trials, Failure> {
        let threads = threads_of(planted);
        let mut trials = vec![Vec::new(); thresholds.len()];
        for (target, (number, ask)) in planted.iter().flat_map(|one| std::iter::repeat(one).zip((1..).zip(&one.asks))) {
            let id = format!("{}/{number}", target.id);
            for (trial, receipt) in trials.iter_mut().zip(self.play(&id, &ask.text, thresholds)?) {
                trial.push(if ask.should {
                    Outcome::of_planted(&id, target, ask.how, &threads, &receipt)
                } else {
                    Outcome::of_other(&id, Case::NearMiss { kind: target.kind }, &receipt)
                });
            }
        }
        Ok(trials)
    }

    /// One prompt under each of the thresholds. A store that gives no answer would look like silence, so it is an error.
    fn play(&self, id: &str, text: &str, thresholds: &[&Limits]) -> Result<Vec<Receipt>, Failure> {
        let session = SessionId::new(format!("bench-gate-{id}"));
        let mut answers = Answers { store: &self.store, session: &session, given: Vec::new(), refused: None };
        let mut receipts: Vec<Receipt> = Vec::with_capacity(thresholds.len());
        for limits in thresholds {
            let receipt = match receipts.first() {
                // It is silent before any threshold is looked at.
                Some(first) if answers.given.is_empty() => first.clone(),
                _ => play(text, &session, self.clock, limits, |query| answers.gather(query))?,
            };
            if let Some(why) = answers.refused {
                return Err(Failure::misuse(format_args!("the store gave no answer: {}", why.as_str()), "six repair"));
            }
            receipts.push(receipt);
        }
        Ok(receipts)
    }
}

/// What the store answered in one session. The same question has the same answer, and most thresholds only decide what
/// becomes of it.
struct Answers<'a> {
    store: &'a Store,
    session: &'a SessionId,
    given: Vec<(CandidateQuery, Evidence<Candidates>)>,
    /// Why there was no answer.
    refused: Option<Why>,
}

impl Answers<'_> {
    fn gather(&mut self, query: &CandidateQuery) -> Evidence<Candidates> {
        if let Some((_, answer)) = self.given.iter().find(|(known, _)| known == query) {
            return answer.clone();
        }
        let answer = gather_candidates(self.store, self.session, query);
        if let Evidence::Missing(why) = answer {
            self.refused = Some(why);
        }
        self.given.push((query.clone(), answer.clone()));
        answer
    }
}
