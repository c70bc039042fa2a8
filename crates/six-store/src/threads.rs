//! Threads: two names never become one by themselves, and what was merged goes on being found by its id and its name.

use rusqlite::Connection;
use six_core::record::{Origin, Record, RecordState, Refusal, Thread, ThreadEdit, ThreadId, UnixMs, judge_person};
use six_core::text::Redacted;

use crate::error::{Result, StoreError};
use crate::open::Store;
use crate::records::change;
use crate::table::{record, thread};

impl Store {
    /// Adds a thread. [`Refusal::NameTaken`] when another one has its name, or had it when it was merged.
    pub fn add_thread(&self, new: &Thread) -> Result<()> {
        self.write(|conn| {
            check_name(conn, &new.name, None)?;
            Ok(thread::insert(conn, new, None)?)
        })
    }

    /// All threads, newest first, those that were merged into others among them.
    pub fn threads(&self) -> Result<Vec<Thread>> {
        self.read(|conn| Ok(thread::all(conn)?))
    }

    /// The thread that this id or name leads to: of one that was merged the one that took its records.
    /// [`StoreError::NotOne`] when it leads to none or, as stores that were merged may have it, to several.
    pub fn thread(&self, name: &str) -> Result<Thread> {
        self.read(|conn| one(conn, name))
    }

    /// Records of a thread in the named states, oldest first.
    pub fn records_of_thread(&self, id: &ThreadId, states: &[RecordState]) -> Result<Vec<Record>> {
        self.read(|conn| {
            let mut found = record::of_thread(conn, id)?;
            found.retain(|record| states.contains(&record.state));
            Ok(found)
        })
    }

    /// Gives a thread another name or summary, closes it, opens it again.
    pub fn edit_thread(&self, id: &ThreadId, edit: &ThreadEdit, by: Origin) -> Result<Thread> {
        judge_person(by)?;
        self.write(|conn| {
            let mut new = one(conn, id.as_str())?;
            if let Some(name) = &edit.name {
                check_name(conn, name, Some(&new.id))?;
                new.name.clone_from(name);
            }
            if let Some(summary) = &edit.summary {
                new.summary.clone_from(summary);
            }
            new.open = edit.open.unwrap_or(new.open);
            thread::update(conn, &new)?;
            Ok(new)
        })
    }

    /// Moves all records of `from` to `into`, whose summary and state stay; answers how many. Id and name of `from`, and of
    /// what was merged into it before, lead to `into` from then on.
    pub fn merge_threads(
        &self,
        from: &ThreadId,
        into: &ThreadId,
        by: Origin,
        reason: &Redacted,
        now: UnixMs,
    ) -> Result<u64> {
        judge_person(by)?;
        self.write(|conn| {
            let (from, into) = (one(conn, from.as_str())?, one(conn, into.as_str())?);
            if from.id == into.id {
                return Err(Refusal::SameThread { id: into.id }.into());
            }
            let moved = record::of_thread(conn, &from.id)?;
            for old in &moved {
                let new = Record { thread: Some(into.id.clone()), ..old.clone() };
                change(conn, old, &new, &by.into(), reason, None, now)?;
            }
            thread::set_merged(conn, &from.id, &into.id)?;
            Ok(moved.len() as u64)
        })
    }
}

fn one(conn: &Connection, name: &str) -> Result<Thread> {
    let all = thread::all(conn)?;
    let target = |found: &Thread| {
        let id = found.merged_into.as_ref().unwrap_or(&found.id);
        all.iter().find(|thread| thread.id == *id).cloned()
    };
    let fits: [&dyn Fn(&Thread) -> bool; 4] = [
        &|thread| thread.id.as_str() == name,
        &|thread| thread.is_spelled(name),
        &|thread| thread.is_named(name),
        &|thread| !name.is_empty() && thread.id.as_str().starts_with(name),
    ];
    for fits in fits {
        let mut found: Vec<Thread> = all.iter().filter(|thread| fits(thread)).filter_map(target).collect();
        found.sort_by(|a, b| a.id.cmp(&b.id));
        found.dedup_by(|a, b| a.id == b.id);
        match (found.len(), found.pop()) {
            (1, Some(thread)) => return Ok(thread),
            (0, _) => {}
            (found, _) => return Err(StoreError::NotOne { found }),
        }
    }
    Err(StoreError::NotOne { found: 0 })
}

/// Refuses a name that leads to another thread than `of`.
fn check_name(conn: &Connection, name: &Redacted, of: Option<&ThreadId>) -> Result<()> {
    let taken = thread::all(conn)?.into_iter().find(|thread| {
        thread.is_named(name.as_str())
            && of.is_none_or(|of| thread.id != *of && thread.merged_into.as_ref() != Some(of))
    });
    match taken {
        Some(thread) => Err(Refusal::NameTaken { id: thread.merged_into.unwrap_or(thread.id) }.into()),
        None => Ok(()),
    }
}

#[cfg(test)]
mod tests {
    use six_core::record::RecordKind;

    use super::*;
    use crate::testkit::*;

    fn add(s: &Scratch, id: &str, name: &str) -> Thread {
        let new = thread(id, name);
        s.store.add_thread(&new).unwrap();
        new
    }

    fn refusal<T: std::fmt::Debug>(done: Result<T>) -> Refusal {
        match done.unwrap_err() {
            StoreError::Refused(refusal) => refusal,
            other => panic!("{other}"),
        }
    }

    #[test]
    fn threads_come_back_with_their_names_in_any_script() {
        let s = Scratch::new();
        let (first, second) = (add(&s, "t1", "重试"), add(&s, "t2", "queue"));
        let mut threads = s.store.threads().unwrap();
        threads.sort_by(|a, b| a.id.cmp(&b.id));
        assert_eq!(threads, [first.clone(), second]);
        for name in ["重试", "t1"] {
            assert_eq!(s.store.thread(name).unwrap(), first);
        }
    }

    #[test]
    fn no_second_thread_gets_a_name_that_leads_somewhere() {
        let s = Scratch::new();
        let taken = Refusal::NameTaken { id: add(&s, "t1", "caf\u{e9}").id };
        for same in ["cafe\u{301}", "CAF\u{c9}"] {
            assert_eq!(refusal(s.store.add_thread(&thread("t2", same))), taken);
            assert_eq!(s.store.thread(same).unwrap().id.as_str(), "t1");
        }
        // Looks the same and is not: the last letter is Cyrillic.
        add(&s, "t3", "cach\u{435}");
        let other = add(&s, "t4", "cache");
        let rename = |name| ThreadEdit { name: Some(text(name)), ..ThreadEdit::default() };
        assert_eq!(refusal(s.store.edit_thread(&other.id, &rename("caf\u{e9}"), Origin::Operator)), taken);
        assert_eq!(s.store.thread("cache").unwrap(), other);
        let renamed = s.store.edit_thread(&other.id, &rename("stores"), Origin::Operator).unwrap();
        assert_eq!((s.store.thread("stores").unwrap(), s.store.threads().unwrap().len()), (renamed, 3));
    }

    #[test]
    fn a_merged_thread_gives_its_records_and_is_found_by_its_id_and_its_name() {
        let s = Scratch::new();
        for (id, name) in [("t1", "queue"), ("t2", "outbox"), ("t3", "mail")] {
            add(&s, id, name);
            let mut new = record(&format!("of-{id}"), RecordKind::Decision, RecordState::Confirmed, name, "");
            new.thread = Some(ThreadId::new(id));
            s.store.add_record(&new, "operator").unwrap();
        }
        let merge = |from: &str, into: &str| {
            let (from, into) = (ThreadId::new(from), ThreadId::new(into));
            s.store.merge_threads(&from, &into, Origin::Operator, &text("one matter"), NOW)
        };
        assert_eq!(merge("t1", "t2").unwrap(), 1);
        assert_eq!(merge("t2", "t3").unwrap(), 2);
        for name in ["queue", "t1", "outbox", "t2", "mail"] {
            assert_eq!(s.store.thread(name).unwrap().id.as_str(), "t3", "{name}");
        }
        let all = s.store.records_of_thread(&ThreadId::new("t3"), &[RecordState::Confirmed]).unwrap();
        assert_eq!(all.len(), 3);
        let history = s.store.whole_record(&all[0].id).unwrap().history;
        let moves: Vec<_> =
            history.iter().map(|step| (step.change.reason.as_str(), step.change.before.get("thread"))).collect();
        assert_eq!(moves[0], ("", None));
        assert_eq!(moves[1].0, "one matter");
        assert_eq!(moves.len(), 3);
        assert_eq!(refusal(merge("queue", "t3")), Refusal::SameThread { id: ThreadId::new("t3") });
        assert_eq!(refusal(s.store.add_thread(&thread("t4", "queue"))), Refusal::NameTaken { id: ThreadId::new("t3") });
        let back = ThreadEdit { name: Some(text("queue")), ..ThreadEdit::default() };
        assert!(s.store.edit_thread(&ThreadId::new("t3"), &back, Origin::Operator).is_ok(), "the name leads there");
        s.assert_whole();
    }

    #[test]
    fn an_agent_changes_no_thread() {
        let s = Scratch::new();
        let (one, two) = (add(&s, "t1", "queue"), add(&s, "t2", "mail"));
        let close = ThreadEdit { open: Some(false), ..ThreadEdit::default() };
        assert_eq!(refusal(s.store.edit_thread(&one.id, &close, Origin::Agent)), Refusal::NotAPerson);
        let merged = s.store.merge_threads(&one.id, &two.id, Origin::Agent, &text(""), NOW);
        assert_eq!(refusal(merged), Refusal::NotAPerson);
        assert_eq!(s.store.thread("t1").unwrap(), one);
        assert!(!s.store.edit_thread(&one.id, &close, Origin::Operator).unwrap().open);
    }
}
