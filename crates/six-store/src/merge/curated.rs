//! Records, threads and subsystems of the other store. An id is random, so that an equal one is the same thing; where it
//! became two different ones, both stay.

use std::collections::BTreeMap;

use rusqlite::Connection;
use six_core::curate::Sighting;
use six_core::record::{Before, Change, Record, RecordId, RecordState, Subsystem, SubsystemId, Thread, ThreadId};

use super::run::{Merged, Rename, Taken};
use crate::error::Result;
use crate::open::Store;
use crate::records::{put_in_index, put_subsystem, record_entry};
use crate::table::batch::GivenBatch;
use crate::table::{batch, record, record_history, sighting, subsystem, thread};

/// Rows of one transaction.
const ROWS: usize = 100;

/// What is to be added, under the ids that it will have.
pub(super) struct Curated {
    /// Verdicts that were given together can be taken back together here as well.
    batches: Vec<GivenBatch>,
    /// Each with the batch that opened it.
    threads: Vec<(Thread, Option<String>)>,
    subsystems: Vec<Subsystem>,
    records: Vec<Record>,
    /// Of new records, and of those that are here already.
    history: Vec<(RecordId, Vec<Change>)>,
    /// The same, each with the batch that added it.
    sightings: Vec<(Sighting, Option<String>)>,
}

/// Under which id something of the other store is found here.
enum Fate {
    Known(String),
    New(String),
}

impl Curated {
    pub(super) fn gather(here: &Store, other: &Store, rename: Rename<'_>, merged: &mut Merged) -> Result<Self> {
        let (here, other) = (&here.conn, &other.conn);
        let mut threads = Vec::new();
        let mut thread_ids = BTreeMap::new();
        let mut all = thread::all(other)?;
        // What others were merged into has its id here before they are looked at.
        all.sort_by_key(|thread| thread.merged_into.is_some());
        for mut theirs in all {
            theirs.merged_into = theirs.merged_into.map(|id| thread_ids.get(&id).cloned().unwrap_or(id));
            let ours = |id: &str| Ok(thread::one(here, &ThreadId::new(id))?);
            let id =
                judge(theirs.id.as_str(), &theirs, ours, rename)?.note(theirs.id.as_str(), |m| &mut m.threads, merged);
            thread_ids.insert(theirs.id.clone(), ThreadId::new(id.id.as_str()));
            if id.is_new {
                let batch = thread::batch(other, &theirs.id)?;
                threads.push((Thread { id: ThreadId::new(id.id), ..theirs }, batch));
            }
        }
        let mut subsystems = Vec::new();
        for theirs in subsystem::all(other)? {
            let ours = |id: &str| Ok(subsystem::one(here, &SubsystemId::new(id))?);
            let id = judge(theirs.id.as_str(), &theirs, ours, rename)?.note(
                theirs.id.as_str(),
                |m| &mut m.subsystems,
                merged,
            );
            if id.is_new {
                subsystems.push(Subsystem { id: SubsystemId::new(id.id), ..theirs });
            }
        }
        let mut curated = Self {
            batches: batch::all(other)?,
            threads,
            subsystems,
            records: Vec::new(),
            history: Vec::new(),
            sightings: Vec::new(),
        };
        curated.gather_records(here, other, rename, &thread_ids, merged)?;
        Ok(curated)
    }

    fn gather_records(
        &mut self,
        here: &Connection,
        other: &Connection,
        rename: Rename<'_>,
        threads: &BTreeMap<ThreadId, ThreadId>,
        merged: &mut Merged,
    ) -> Result<()> {
        let mut ids = BTreeMap::new();
        for state in RecordState::ALL {
            for mut theirs in record::in_state(other, None, state)? {
                let old = theirs.id.clone();
                theirs.thread = theirs.thread.map(|id| threads.get(&id).cloned().unwrap_or(id));
                // What is here may follow the one that was taken under a new id before: that is the same.
                let follows = theirs.superseded_by.clone();
                let renamed = follows.as_ref().map(|id| RecordId::new(rename(id.as_str())));
                let ours = |id: &str| {
                    let mut ours = record::one(here, &RecordId::new(id))?;
                    if let Some(ours) = ours.as_mut().filter(|ours| ours.superseded_by == renamed) {
                        ours.superseded_by.clone_from(&follows);
                    }
                    Ok(ours)
                };
                let noted = judge(old.as_str(), &theirs, ours, rename)?.note(old.as_str(), |m| &mut m.records, merged);
                let id = RecordId::new(noted.id);
                self.history.push((id.clone(), record_history::of_record(other, &old)?));
                let seen = sighting::of_record_by_batch(other, &old)?;
                let here = |(seen, batch)| (Sighting { record: id.clone(), ..seen }, batch);
                self.sightings.extend(seen.into_iter().map(here));
                ids.insert(old, id.clone());
                if noted.is_new {
                    self.records.push(Record { id, ..theirs });
                }
            }
        }
        for new in &mut self.records {
            new.superseded_by = new.superseded_by.take().map(|id| ids.get(&id).cloned().unwrap_or(id));
        }
        for change in self.history.iter_mut().flat_map(|(_, changes)| changes) {
            follow(&mut change.before, "thread", |id| threads.get(&ThreadId::new(id)).map(ThreadId::as_str));
            follow(&mut change.before, "superseded_by", |id| ids.get(&RecordId::new(id)).map(RecordId::as_str));
        }
        Ok(())
    }

    pub(super) fn take(&self, here: &Store) -> Result<()> {
        here.write(|conn| {
            for given in &self.batches {
                batch::insert_missing(conn, given)?;
            }
            for (new, batch) in &self.threads {
                thread::insert(conn, new, batch.as_deref())?;
            }
            for new in &self.subsystems {
                put_subsystem(conn, new)?;
            }
            Ok(())
        })?;
        for some in self.records.chunks(ROWS) {
            here.write(|conn| some.iter().try_for_each(|new| take_record(conn, new)))?;
        }
        for some in self.history.chunks(ROWS) {
            here.write(|conn| {
                for (id, change) in some.iter().flat_map(|(id, changes)| changes.iter().map(move |c| (id, c))) {
                    record_history::insert_missing(conn, id, change, &serde_json::to_string(&change.before)?)?;
                }
                Ok(())
            })?;
        }
        for some in self.sightings.chunks(ROWS) {
            here.write(|conn| {
                for (seen, batch) in some {
                    sighting::insert(conn, seen, batch.as_deref())?;
                }
                Ok(())
            })?;
        }
        Ok(())
    }
}

/// Puts the id that something has here in the place of the one that it had.
fn follow<'i>(before: &mut Before, field: &str, id_here: impl Fn(&str) -> Option<&'i str>) {
    if let Some(value) = before.get_mut(field)
        && let Some(id) = value.as_str().and_then(id_here)
    {
        *value = id.into();
    }
}

fn take_record(conn: &Connection, new: &Record) -> Result<()> {
    record::insert(conn, new, &serde_json::to_string(&new.rejected)?, &serde_json::to_string(&new.commits)?)?;
    if new.state == RecordState::Confirmed { put_in_index(conn, &record_entry(new)) } else { Ok(()) }
}

/// What was taken under a new id by an earlier, interrupted merge is known by that id.
fn judge<T: PartialEq>(
    id: &str,
    theirs: &T,
    ours: impl Fn(&str) -> Result<Option<T>>,
    rename: Rename<'_>,
) -> Result<Fate> {
    match ours(id)? {
        None => return Ok(Fate::New(id.to_owned())),
        Some(ours) if ours == *theirs => return Ok(Fate::Known(id.to_owned())),
        Some(_) => {}
    }
    let renamed = rename(id);
    Ok(if ours(&renamed)?.is_some() { Fate::Known(renamed) } else { Fate::New(renamed) })
}

struct Noted {
    id: String,
    is_new: bool,
}

impl Fate {
    fn note(self, old: &str, of: impl Fn(&mut Merged) -> &mut Taken, merged: &mut Merged) -> Noted {
        let (id, is_new) = match self {
            Self::New(id) => (id, true),
            Self::Known(id) => (id, false),
        };
        of(merged).add(!is_new);
        if id != old {
            merged.renamed.push((old.to_owned(), id.clone()));
        }
        Noted { id, is_new }
    }
}
