//! The inbox of a project's store.

use std::process::ExitCode;

use six_core::curate::{self, Batch, Judge, Ruling, Similar, TriageVerdict};
use six_core::record::{Record, ThreadId};
use six_core::text::fold;
use six_runtime::clock;
use six_runtime::project::identity::Project;
use six_store::{NotUndone, Store, StoreError};

use super::inbox::{Inbox, Refused, Wanted};
use super::run::show;
use crate::command::records::{embed_at_once, fresh_id};
use crate::context::Context;
use crate::failure::{Failure, store_failure};

/// Records that a search offers; who needs more types another word.
const MAX_FOUND: usize = 50;

/// Shows what waits in the project's store until the operator leaves.
pub(crate) fn run(context: &Context) -> Result<ExitCode, Failure> {
    let project = context.project()?;
    let store = context.writer(&project)?;
    let mut inbox = StoreInbox { context, project: &project, store: &store, confirmed: 0 };
    let shown = show(context, &mut inbox);
    if inbox.confirmed > 0 {
        embed_at_once(context, &project, &store, inbox.confirmed);
    }
    shown
}

struct StoreInbox<'a> {
    context: &'a Context,
    project: &'a Project,
    store: &'a Store,
    /// Verdicts that have put something in force, which is embedded when the screen is left.
    confirmed: usize,
}

impl StoreInbox<'_> {
    fn failure(&self, fault: &StoreError) -> Failure {
        store_failure(self.project, fault)
    }
}

impl Inbox for StoreInbox<'_> {
    fn waiting(&self) -> Result<curate::Inbox, Failure> {
        self.store.inbox(None, usize::MAX, self.context.offset).map_err(|fault| self.failure(&fault))
    }

    fn apply(&mut self, rulings: &[Ruling]) -> Result<String, Refused> {
        let id = fresh_id().map_err(Refused::Failed)?;
        let batch = Batch { id: &id, judge: Judge::Operator, now: clock::now() };
        match self.store.apply_rulings(rulings, batch, false) {
            Ok(Ok(_)) => {}
            Ok(Err(faults)) => return Err(Refused::Faults(faults)),
            Err(fault) => return Err(Refused::Failed(self.failure(&fault))),
        }
        self.confirmed += rulings.iter().filter(|ruling| ruling.verdict == TriageVerdict::Confirm).count();
        Ok(id)
    }

    fn undo(&mut self, batch: &str) -> Result<(), Failure> {
        match self.store.undo_batch(batch, Judge::Operator, clock::now()) {
            Ok(Ok(_)) => Ok(()),
            Ok(Err(why)) => Err(not_undone(batch, &why)),
            Err(fault) => Err(self.failure(&fault)),
        }
    }

    fn threads(&self) -> Result<Vec<(ThreadId, String)>, Failure> {
        let threads = self.store.threads().map_err(|fault| self.failure(&fault))?;
        Ok(threads.into_iter().map(|thread| (thread.id, thread.name.to_string())).collect())
    }

    fn find(&self, wanted: &Wanted) -> Result<Vec<Similar>, Failure> {
        let records = self.store.records(wanted.kind, wanted.states).map_err(|fault| self.failure(&fault))?;
        let words = fold(&wanted.words);
        let words: Vec<&str> = words.split_whitespace().collect();
        let found = records.into_iter().filter(|record| has_all(record, &words)).take(MAX_FOUND);
        Ok(found
            .map(|record| Similar { id: record.id, state: record.state, title: record.title.to_string() })
            .collect())
    }
}

fn has_all(record: &Record, words: &[&str]) -> bool {
    let text = fold(&format!("{} {} {} {}", record.id, record.title, record.quote, record.body)).into_owned();
    words.iter().all(|word| text.contains(word))
}

fn not_undone(batch: &str, why: &NotUndone) -> Failure {
    let next = "six triage --review";
    match why {
        NotUndone::Changed(faults) => {
            let faults: Vec<String> = faults.iter().map(|fault| format!("{} {}", fault.id, fault.why)).collect();
            Failure::misuse(faults.join("; "), next)
        }
        NotUndone::Before(at) => {
            Failure::misuse(format_args!("batch {batch} was taken back at {}", at.rfc3339()), next)
        }
        NotUndone::Unknown | NotUndone::Several | NotUndone::OfOperator => {
            Failure::misuse(format_args!("batch {batch} is not there"), next)
        }
    }
}
