//! What the screen asks of the store.

use std::process::ExitCode;

use six_core::curate::{self, Ruling, Similar};
use six_core::record::{Record, ThreadId};
use six_core::text::fold;
use six_runtime::project::identity::Project;
use six_store::{Store, StoreError};

use super::screen::{self, Inbox, Refused, Wanted};
use super::{apply, undo};
use crate::command::records::fresh_id;
use crate::context::Context;
use crate::failure::{Failure, store_failure};

/// Candidates that are looked at in one go: judging more takes hours.
const MOST: usize = 500;

/// Records that a search offers.
const OFFERED: usize = 20;

/// Runs the screen.
pub(super) fn run(context: &Context) -> Result<ExitCode, Failure> {
    screen::admit(context)?;
    let project = context.project()?;
    let store = context.writer(&project)?;
    screen::run(context, &mut Desk { context, project: &project, store: &store })
}

struct Desk<'a> {
    context: &'a Context,
    project: &'a Project,
    store: &'a Store,
}

impl Desk<'_> {
    fn failure(&self, fault: &StoreError) -> Failure {
        store_failure(self.project, fault)
    }
}

impl Inbox for Desk<'_> {
    fn waiting(&self) -> Result<curate::Inbox, Failure> {
        self.store.inbox(None, MOST, self.context.offset).map_err(|fault| self.failure(&fault))
    }

    fn apply(&mut self, rulings: &[Ruling]) -> Result<String, Refused> {
        let id = fresh_id().map_err(Refused::Failed)?;
        let given = apply::give(self.context, self.project, self.store, rulings, &id, false);
        given.map_err(Refused::Failed)?.map_err(Refused::Faults)?;
        Ok(id)
    }

    fn undo(&mut self, batch: &str) -> Result<(), Failure> {
        undo::take_back(self.context, self.project, self.store, batch)?.map(|_| ()).map_err(|faults| {
            let why: Vec<String> = faults.into_iter().map(|fault| format!("{}: {}", fault.id, fault.why)).collect();
            Failure::misuse(why.join("; "), "six log RECORD (what became of a record)")
        })
    }

    fn threads(&self) -> Result<Vec<(ThreadId, String)>, Failure> {
        let threads = self.store.threads().map_err(|fault| self.failure(&fault))?;
        let standing = threads.into_iter().filter(|thread| thread.merged_into.is_none());
        Ok(standing.map(|thread| (thread.id, thread.name.to_string())).collect())
    }

    fn find(&self, wanted: &Wanted) -> Result<Vec<Similar>, Failure> {
        let records = self.store.records(wanted.kind, wanted.states).map_err(|fault| self.failure(&fault))?;
        let words: Vec<String> = wanted.words.split_whitespace().map(|word| fold(word).into_owned()).collect();
        let has_all = |record: &Record| {
            let said = format!("{} {} {}", record.id, fold(record.title.as_str()), fold(record.quote.as_str()));
            words.iter().all(|word| said.contains(word.as_str()))
        };
        let found = records.into_iter().filter(|record| !words.is_empty() && has_all(record)).take(OFFERED);
        Ok(found
            .map(|one| Similar { id: one.id, kind: one.kind, state: one.state, title: one.title.to_string() })
            .collect())
    }
}
