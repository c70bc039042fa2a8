//! A record with all that is known about it, and the log of all records.

use std::collections::BTreeMap;
use std::collections::btree_map::Entry;

use rusqlite::Connection;
use six_core::curate::Sighting;
use six_core::record::{Record, RecordId, Step, Thread, UnixMs, steps};

use crate::error::{Result, StoreError};
use crate::open::Store;
use crate::table::{delivery, record, record_history, sighting, thread};

/// A record with all that is known about it.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct WholeRecord {
    /// The record.
    pub record: Record,
    /// Its thread.
    pub thread: Option<Thread>,
    /// What became of it, oldest first.
    pub history: Vec<Step>,
    /// Other turns that say the same, newest first.
    pub sightings: Vec<Sighting>,
    /// How often it was shown at the start of a session, and when last.
    pub served: (u64, Option<UnixMs>),
    /// How often it was shown on a prompt or before an action, and in how many sessions. A session that was compacted begins
    /// anew, and what is long ago is no longer counted.
    pub delivered: (u64, u64),
    /// What it replaced, oldest first.
    pub supersedes: Vec<Record>,
    /// What replaced it.
    pub superseded_by: Option<Record>,
}

impl Store {
    /// A record with all that is known about it; [`StoreError::NotOne`] when there is none of that id.
    pub fn whole_record(&self, id: &RecordId) -> Result<WholeRecord> {
        self.read(|conn| {
            let found = known(conn, id)?;
            Ok(WholeRecord {
                thread: found.thread.as_ref().map(|id| thread::one(conn, id)).transpose()?.flatten(),
                history: steps(record_history::of_record(conn, id)?, &found)?,
                sightings: sighting::of_record(conn, id)?,
                served: record::served(conn, id)?,
                delivered: delivery::of_item(conn, &found.item())?,
                supersedes: record::superseded_by(conn, id)?,
                superseded_by: found.superseded_by.as_ref().map(|id| record::one(conn, id)).transpose()?.flatten(),
                record: found,
            })
        })
    }

    /// The newest changes of all records, newest first, each with its record as it is now. Changes of one record keep their
    /// order, whatever a clock said.
    pub fn log(&self, limit: usize) -> Result<Vec<(Record, Step)>> {
        self.read(|conn| {
            let mut left: BTreeMap<RecordId, Option<(Record, Vec<Step>)>> = BTreeMap::new();
            let mut found = Vec::new();
            for id in record_history::newest(conn, limit)? {
                let of_record = match left.entry(id) {
                    Entry::Occupied(known) => known.into_mut(),
                    Entry::Vacant(new) => {
                        let record = record::one(conn, new.key())?;
                        new.insert(record.map(|record| with_steps(conn, record)).transpose()?)
                    }
                };
                if let Some((record, steps)) = of_record {
                    found.extend(steps.pop().map(|step| (record.clone(), step)));
                }
            }
            Ok(found)
        })
    }
}

fn known(conn: &Connection, id: &RecordId) -> Result<Record> {
    record::one(conn, id)?.ok_or(StoreError::NotOne { found: 0 })
}

fn with_steps(conn: &Connection, record: Record) -> Result<(Record, Vec<Step>)> {
    let steps = steps(record_history::of_record(conn, &record.id)?, &record)?;
    Ok((record, steps))
}

#[cfg(test)]
mod tests {
    use six_core::effect::Effect;
    use six_core::record::{HookName, Origin, RecordEdit, RecordKind, RecordState, SessionId};
    use six_core::text::Redacted;

    use super::*;
    use crate::testkit::*;

    const LATER: UnixMs = UnixMs(NOW.0 + 9);

    fn add(s: &Scratch, id: &str, thread: Option<&str>) -> RecordId {
        let mut new = record(id, RecordKind::Decision, RecordState::Confirmed, &format!("title of {id}"), "");
        new.thread = thread.map(six_core::record::ThreadId::new);
        s.store.add_record(&new, "operator").unwrap();
        new.id
    }

    #[test]
    fn all_that_is_known_about_a_record_comes_with_it() {
        let s = Scratch::new();
        s.store.add_thread(&thread("t1", "queue")).unwrap();
        let (old, new, next) = (add(&s, "a", None), add(&s, "b", Some("t1")), add(&s, "c", None));
        let reason = Redacted::default();
        s.store.supersede(&old, &new, Origin::Operator, &reason, None, NOW).unwrap();
        s.store.supersede(&new, &next, Origin::Operator, &reason, None, NOW).unwrap();
        let seen = Sighting {
            record: new.clone(),
            turn: String::from("u7"),
            session: Some(SessionId::new("s1")),
            origin: Origin::Agent,
            quote: text("so be it"),
            at: NOW,
        };
        s.store.write(|conn| Ok(sighting::insert(conn, &seen, None)?)).unwrap();
        let items = vec![s.store.record("b").unwrap().item()];
        for (n, session) in ["s1", "s1", "s2"].into_iter().enumerate() {
            let beat = heartbeat(&format!("e{n}"), HookName::UserPromptSubmit);
            s.store.open_heartbeat(&beat).unwrap();
            let shown = Effect::Deliver { session: SessionId::new(session), items: items.clone(), at: NOW };
            s.store.apply(&beat.id, &[shown], NOW).unwrap();
        }
        let whole = s.store.whole_record(&new).unwrap();
        assert_eq!(whole.thread.as_ref().map(|thread| thread.name.as_str()), Some("queue"));
        assert_eq!((whole.delivered, whole.served, whole.history.len()), ((3, 2), (0, None), 2));
        assert_eq!(whole.supersedes.iter().map(|record| &record.id).collect::<Vec<_>>(), [&old]);
        assert_eq!((whole.superseded_by.map(|record| record.id), whole.sightings), (Some(next), vec![seen]));
        assert!(matches!(s.store.whole_record(&RecordId::new("z")), Err(StoreError::NotOne { found: 0 })));
    }

    #[test]
    fn the_log_has_the_newest_changes_first_and_each_with_what_became_of_its_fields() {
        let s = Scratch::new();
        let (one, two) = (add(&s, "a", None), add(&s, "b", None));
        for (id, title, at) in [(&one, "outbox", 1), (&two, "inbox", 2), (&one, "mailbox", 3)] {
            let edit = RecordEdit { title: Some(text(title)), ..RecordEdit::default() };
            s.store.edit_record(id, &edit, Origin::Operator, &text(""), None, UnixMs(LATER.0 + at)).unwrap();
        }
        let told = |(record, step): &(Record, Step)| {
            let title = step.fields.iter().find(|field| field.name == "title");
            let title = title.map_or_else(String::new, |field| format!(" {} -> {}", field.before, field.after));
            format!("{}{title}", record.id)
        };
        let log = |limit| s.store.log(limit).unwrap().iter().map(told).collect::<Vec<_>>();
        let all =
            [r#"a "outbox" -> "mailbox""#, r#"b "title of b" -> "inbox""#, r#"a "title of a" -> "outbox""#, "b", "a"];
        assert_eq!(log(9), all);
        assert_eq!(log(2), all[..2]);
        assert_eq!(s.store.whole_record(&one).unwrap().history.len(), 3);
    }
}
