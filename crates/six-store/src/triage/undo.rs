//! Taking a batch of verdicts back.

use rusqlite::Connection;
use six_core::curate::{Judge, RulingFault};
use six_core::record::{Change, Record, RecordId, RecordState, Thread, UnixMs};
use six_core::text::Redactor;

use crate::error::Result;
use crate::open::Store;
use crate::records::change;
use crate::table::batch::GivenBatch;
use crate::table::{batch, record, record_history, sighting, thread};

/// A batch that was taken back.
#[derive(Debug, Clone, PartialEq)]
pub struct Undone {
    /// Its id.
    pub batch: String,
    /// What is again as it was, as it is from now on.
    pub records: Vec<Record>,
    /// What it had added, which is retired from now on.
    pub withdrawn: Vec<Record>,
    /// Threads that it had opened and in which something stands by now: they stay.
    pub kept: Vec<Thread>,
}

/// Why a batch was not taken back; nothing was changed.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum NotUndone {
    /// No batch has this id.
    Unknown,
    /// The ids of several begin so.
    Several,
    /// It was taken back before.
    Before(UnixMs),
    /// A person gave it, and an agent wants to take it back.
    OfOperator,
    /// Records that were changed since.
    Changed(Vec<RulingFault>),
}

impl Store {
    /// The newest batch that was not taken back: of an agent, for an agent.
    pub fn last_batch(&self, judge: Judge) -> Result<Option<String>> {
        let author = (judge == Judge::Agent).then(|| judge.as_str());
        self.read(|conn| Ok(batch::last(conn, author)?.map(|batch| batch.id)))
    }

    /// Gives every record of the batch whose id begins with `prefix` what it was before, and removes what the batch added. What
    /// is done stays in the history, and so does that it was taken back.
    pub fn undo_batch(
        &self,
        prefix: &str,
        judge: Judge,
        now: UnixMs,
    ) -> Result<std::result::Result<Undone, NotUndone>> {
        self.write(|conn| {
            let given = match find(conn, prefix, judge)? {
                Ok(given) => given,
                Err(why) => return Ok(Err(why)),
            };
            let changes = record_history::of_batch(conn, &given.id)?;
            let faults = changed_since(conn, &changes)?;
            if !faults.is_empty() {
                return Ok(Err(NotUndone::Changed(faults)));
            }
            take_back(conn, &given, &changes, judge, now).map(Ok)
        })
    }
}

fn find(conn: &Connection, prefix: &str, judge: Judge) -> Result<std::result::Result<GivenBatch, NotUndone>> {
    let mut found = batch::beginning_with(conn, prefix, 2)?;
    if found.iter().any(|given| given.id == prefix) {
        found.retain(|given| given.id == prefix);
    }
    Ok(match (found.pop(), found.is_empty()) {
        (None, _) => Err(NotUndone::Unknown),
        _ if prefix.is_empty() => Err(NotUndone::Unknown),
        (Some(_), false) => Err(NotUndone::Several),
        (Some(GivenBatch { undone: Some(at), .. }), _) => Err(NotUndone::Before(at)),
        (Some(given), _) if judge == Judge::Agent && given.author != judge.as_str() => Err(NotUndone::OfOperator),
        (Some(given), _) => Ok(given),
    })
}

type Numbered = (i64, RecordId, Change);

/// What would be lost if the batch were taken back.
fn changed_since(conn: &Connection, changes: &[Numbered]) -> Result<Vec<RulingFault>> {
    let mut faults = Vec::new();
    for (number, id, _) in changes {
        if let Some(next) = record_history::next(conn, id, *number)? {
            let how = next.batch.map_or_else(|| format!("by {}", next.author), |batch| format!("by batch {batch}"));
            let why = format!("it was changed since, {how} at {}", next.at.rfc3339());
            faults.push(RulingFault { id: id.to_string(), why });
        }
        for replaced in record::superseded_by(conn, id)? {
            let is_of_batch = changes.iter().any(|(_, id, _)| *id == replaced.id);
            if replaced.state == RecordState::Superseded && !is_of_batch {
                let why = format!("it has replaced {} since", replaced.id);
                faults.push(RulingFault { id: id.to_string(), why });
            }
        }
    }
    Ok(faults)
}

fn take_back(conn: &Connection, given: &GivenBatch, changes: &[Numbered], judge: Judge, now: UnixMs) -> Result<Undone> {
    sighting::delete_of_batch(conn, &given.id)?;
    let reason = Redactor::new().redact(&format!("batch {} taken back", given.id));
    let (mut records, mut withdrawn) = (Vec::new(), Vec::new());
    for (_, id, made) in changes {
        // A record that is gone by now has nothing to be taken back.
        let Some(current) = record::one(conn, id)? else { continue };
        let (before, told) = match made.from {
            Some(state) => (current.taken_back(state, &made.before)?, &mut records),
            None => (Record { state: RecordState::Retired, ..current.clone() }, &mut withdrawn),
        };
        change(conn, &current, &before, &judge.into(), &reason, None, now)?;
        told.push(before);
    }
    let mut kept = Vec::new();
    for opened in thread::of_batch(conn, &given.id)? {
        if !thread::delete_if_empty(conn, &opened.id)? {
            kept.push(opened);
        }
    }
    batch::set_undone(conn, &given.id, now)?;
    Ok(Undone { batch: given.id.clone(), records, withdrawn, kept })
}
