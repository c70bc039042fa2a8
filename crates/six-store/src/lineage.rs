//! Stories of threads: what they are told from, and what a model made of them.

use rusqlite::Connection;
use six_core::curate::{Prose, Wording, story_key, story_of};
use six_core::health::LineageEvidence;
use six_core::inject::ThreadStory;
use six_core::record::{Author, Record, RecordState, Thread, ThreadId, UnixMs};
use six_core::text::{Redacted, Redactor};

use crate::error::Result;
use crate::open::Store;
use crate::records::change;
use crate::table::{lineage, record, thread};

/// A thread with its story.
#[derive(Debug, Clone, PartialEq)]
pub struct Lineage {
    /// The thread.
    pub thread: Thread,
    /// All that it is told from, with what a model told of exactly that.
    pub story: ThreadStory,
    /// The key of what it is told from ([`story_key`]).
    pub key: String,
}

impl Store {
    /// The story of a thread, or of the one that it was merged into; `None` when there is no such thread.
    pub fn lineage(&self, thread: &ThreadId) -> Result<Option<Lineage>> {
        self.read(|conn| told(conn, thread))
    }

    /// Keeps what a model told of what has this key; an empty text says that it told nothing of use. `false`, and nothing
    /// is kept, when the thread has changed since.
    pub fn put_prose(&self, thread: &ThreadId, key: &str, prose: &Prose) -> Result<bool> {
        self.write(|conn| {
            if key_now(conn, thread)?.as_deref() != Some(key) {
                return Ok(false);
            }
            lineage::put(conn, thread, key, prose)?;
            Ok(true)
        })
    }

    /// Forgets what models told of what has changed since; it is shown nowhere. Answers how many stories that were.
    pub fn forget_stale_prose(&self) -> Result<u64> {
        let stale = self.read(stale)?;
        if stale.is_empty() {
            return Ok(0);
        }
        self.write(|conn| {
            let mut forgotten = 0;
            for (id, key) in &stale {
                // Told anew since it was looked at.
                if lineage::one(conn, id)?.is_some_and(|(now, _)| now == *key) {
                    lineage::delete(conn, id)?;
                    forgotten += 1;
                }
            }
            Ok(forgotten)
        })
    }

    /// Threads with a story of at least `steps` steps of which that model, or any, was not asked to tell it as it is now;
    /// those first in which something happened last.
    pub fn untold_threads(&self, model: &str, steps: u64, limit: usize) -> Result<Vec<ThreadId>> {
        self.read(|conn| {
            let mut untold = Vec::new();
            for id in record::told_threads(conn, steps)? {
                if untold.len() >= limit {
                    break;
                }
                let is_told = match lineage::one(conn, &id)? {
                    Some((key, prose)) if key_now(conn, &id)?.as_deref() == Some(key.as_str()) => {
                        !prose.text.is_empty() || prose.model.as_str() == model
                    }
                    _ => false,
                };
                if !is_told {
                    untold.push(id);
                }
            }
            Ok(untold)
        })
    }

    /// How many stories models told, and the names of the threads that have changed since.
    pub fn gather_lineage(&self) -> Result<LineageEvidence> {
        self.read(|conn| {
            let mut evidence = LineageEvidence { told: lineage::count_told(conn)?, stale: Vec::new() };
            for (id, _) in stale(conn)? {
                if lineage::one(conn, &id)?.is_some_and(|(_, prose)| !prose.text.is_empty()) {
                    evidence.stale.extend(thread::one(conn, &id)?.map(|thread| thread.name.to_string()));
                }
            }
            Ok(evidence)
        })
    }

    /// Candidates that nobody has touched since they were taken from what was said, the newest first.
    pub fn unworded(&self, limit: usize) -> Result<Vec<Record>> {
        self.read(|conn| Ok(record::unworded(conn, limit)?))
    }

    /// Gives a candidate the title and the rationale that a model wrote; what was there stays in the history. `false`, and
    /// nothing changes, when it is no longer what the model was shown.
    pub fn reword(&self, old: &Record, wording: &Wording, model: &str, now: UnixMs) -> Result<bool> {
        self.write(|conn| {
            let Some(found) = record::one(conn, &old.id)?.filter(|found| is_as_it_was(found, old)) else {
                return Ok(false);
            };
            let new = Record {
                title: wording.title.clone(),
                body: wording.body.clone(),
                written_by: Redactor::new().redact(model),
                ..found.clone()
            };
            change(conn, &found, &new, &Author::Model(model.to_owned()), &Redacted::default(), None, now)?;
            Ok(true)
        })
    }

    /// Notes that a model was asked to word a candidate, and why its answer was not taken: it is not asked again. What
    /// somebody has had a hand in meanwhile is not asked about anyway, and a row behind theirs would keep it from being
    /// taken back.
    pub fn note_wording_refused(&self, old: &Record, model: &str, why: &str, now: UnixMs) -> Result<()> {
        self.write(|conn| {
            let Some(found) = record::one(conn, &old.id)?.filter(|found| is_as_it_was(found, old)) else {
                return Ok(());
            };
            change(conn, &found, &found, &Author::Model(model.to_owned()), &Redactor::new().redact(why), None, now)
        })
    }
}

/// What a model told of a thread as it is now. Only where it told something the records have to be read.
pub(crate) fn current_prose(conn: &Connection, thread: &Thread) -> Result<Option<Prose>> {
    let Some((key, prose)) = lineage::one(conn, &thread.id)?.filter(|(_, prose)| !prose.text.is_empty()) else {
        return Ok(None);
    };
    let records = record::of_story(conn, &thread.id)?;
    Ok((story_key(thread, &records) == key).then_some(prose))
}

fn told(conn: &Connection, id: &ThreadId) -> Result<Option<Lineage>> {
    let Some(found) = thread::one(conn, id)? else { return Ok(None) };
    let into = found.merged_into.as_ref().map(|into| thread::one(conn, into)).transpose()?.flatten();
    let thread = into.unwrap_or(found);
    let id = thread.id.clone();
    let records = record::of_story(conn, &id)?;
    let key = story_key(&thread, &records);
    let kept = lineage::one(conn, &id)?.filter(|(of, prose)| *of == key && !prose.text.is_empty());
    let story = ThreadStory { prose: kept.map(|(_, prose)| prose), ..story_of(&thread, &records) };
    Ok(Some(Lineage { thread, story, key }))
}

fn key_now(conn: &Connection, id: &ThreadId) -> Result<Option<String>> {
    let Some(thread) = thread::one(conn, id)? else { return Ok(None) };
    Ok(Some(story_key(&thread, &record::of_story(conn, id)?)))
}

/// The threads that have changed since a model told them, with the keys of what it told.
fn stale(conn: &Connection) -> Result<Vec<(ThreadId, String)>> {
    let mut stale = Vec::new();
    for (id, key) in lineage::keys(conn)? {
        if key_now(conn, &id)?.as_deref() != Some(key.as_str()) {
            stale.push((id, key));
        }
    }
    Ok(stale)
}

/// Whether a candidate still waits as a model was shown it, without its anchors: those are looked after all the time.
fn is_as_it_was(found: &Record, shown: &Record) -> bool {
    found.state == RecordState::Pending && *found == Record { anchors: found.anchors.clone(), ..shown.clone() }
}

#[cfg(test)]
mod tests {
    use six_core::curate::{Judge, accept_prose};
    use six_core::record::{Origin, RecordKind};

    use super::*;
    use crate::testkit::*;

    const MODEL: &str = "made-up:3b";

    fn thread(id: &str, name: &str) -> Thread {
        Thread {
            id: ThreadId::new(id),
            name: text(name),
            summary: text(""),
            open: true,
            created: NOW,
            merged_into: None,
        }
    }

    fn in_thread(id: &str, state: RecordState, title: &str) -> Record {
        Record { thread: Some(ThreadId::new("t1")), ..record(id, RecordKind::Decision, state, title, "") }
    }

    /// A thread with a decision that was replaced, the one in force, and one that waits.
    fn queue() -> Scratch {
        let s = Scratch::new();
        s.store.add_thread(&thread("t1", "Job queue")).unwrap();
        for (id, state) in
            [("r1", RecordState::Superseded), ("r2", RecordState::Confirmed), ("r3", RecordState::Pending)]
        {
            s.store.add_record(&in_thread(id, state, &format!("Queue {id}")), "operator").unwrap();
        }
        s
    }

    fn lineage_of(s: &Scratch) -> Lineage {
        s.store.lineage(&ThreadId::new("t1")).unwrap().unwrap()
    }

    fn tell(s: &Scratch, text: &str) -> bool {
        let lineage = lineage_of(s);
        let text = accept_prose(&lineage.story, text).unwrap_or_default();
        let prose = Prose { text, model: self::text(MODEL), at: NOW };
        s.store.put_prose(&lineage.thread.id, &lineage.key, &prose).unwrap()
    }

    fn is_told(s: &Scratch) -> bool {
        lineage_of(s).story.prose.is_some()
    }

    fn untold(s: &Scratch, model: &str) -> usize {
        s.store.untold_threads(model, 2, 9).unwrap().len()
    }

    #[test]
    fn a_story_that_was_told_is_shown_until_anything_in_the_thread_changes() {
        let changes: [(&str, &str); 6] = [
            ("confirm", "UPDATE record SET state = 'confirmed' WHERE id = 'r3'"),
            ("reject", "UPDATE record SET state = 'rejected' WHERE id = 'r3'"),
            ("edit", "UPDATE record SET title = 'another' WHERE id = 'r2'"),
            ("supersede", "UPDATE record SET superseded_by = 'r2' WHERE id = 'r1'"),
            ("rename", "UPDATE thread SET name = 'Jobs'"),
            ("leave", "UPDATE record SET thread_id = NULL WHERE id = 'r1'"),
        ];
        for (name, sql) in changes {
            let s = queue();
            assert!(!is_told(&s) && tell(&s, "The queue moved.") && is_told(&s));
            assert_eq!(s.store.gather_lineage().unwrap(), LineageEvidence { told: 1, stale: Vec::new() });
            s.store.conn.execute_batch(sql).unwrap();
            assert!(!is_told(&s), "{name}");
            assert_eq!(s.store.gather_lineage().unwrap().stale.len(), 1, "{name}");
            assert_eq!(s.store.forget_stale_prose().unwrap(), 1, "{name}");
            assert_eq!(s.store.gather_lineage().unwrap(), LineageEvidence::default(), "{name}");
        }
    }

    #[test]
    fn what_was_told_of_something_else_meanwhile_is_not_kept() {
        let s = queue();
        let before = lineage_of(&s);
        s.store.set_state("r3", RecordState::Confirmed, "operator", NOW).unwrap();
        let prose = Prose { text: text("Old."), model: text(MODEL), at: NOW };
        assert!(!s.store.put_prose(&before.thread.id, &before.key, &prose).unwrap());
        assert!(!is_told(&s));
    }

    #[test]
    fn a_thread_is_told_once_and_again_when_it_has_changed() {
        let s = queue();
        s.store.add_thread(&thread("t2", "Of one step")).unwrap();
        let one = Record { thread: Some(ThreadId::new("t2")), ..in_thread("r9", RecordState::Confirmed, "alone") };
        s.store.add_record(&one, "operator").unwrap();
        assert_eq!(untold(&s, MODEL), 1);
        tell(&s, "The queue moved.");
        assert_eq!((untold(&s, MODEL), untold(&s, "other")), (0, 0));
        s.store.set_state("r3", RecordState::Confirmed, "operator", NOW).unwrap();
        assert_eq!(untold(&s, MODEL), 1);
    }

    #[test]
    fn a_model_that_told_nothing_of_use_is_not_asked_again_and_another_one_is() {
        let s = queue();
        assert!(tell(&s, "no idea") && !is_told(&s));
        assert_eq!((untold(&s, MODEL), untold(&s, "other")), (0, 1));
    }

    #[test]
    fn a_thread_that_was_merged_is_told_as_the_one_that_took_it_in() {
        let s = queue();
        s.store.add_thread(&thread("t2", "Jobs")).unwrap();
        s.store.conn.execute_batch("UPDATE thread SET merged_into = 't1' WHERE id = 't2'").unwrap();
        let found = s.store.lineage(&ThreadId::new("t2")).unwrap().unwrap();
        assert_eq!((found.thread.id.as_str(), found.story.records.len()), ("t1", 2));
        s.store.conn.execute_batch("UPDATE thread SET merged_into = 't2' WHERE id = 't1'").unwrap();
        assert!(s.store.lineage(&ThreadId::new("t2")).unwrap().is_some(), "a circle ends");
        assert_eq!(s.store.lineage(&ThreadId::new("t9")).unwrap(), None);
    }

    fn wording() -> Wording {
        Wording { title: text("Queue in Postgres"), body: text("One thing less.") }
    }

    #[test]
    fn a_candidate_is_worded_once_and_what_it_was_stays_in_its_history() {
        let s = Scratch::new();
        let quoted =
            Record { quote: text("so we go with Postgres"), ..in_thread("r1", RecordState::Pending, "Postgres") };
        s.store.add_record(&Record { thread: None, ..quoted.clone() }, "extraction").unwrap();
        let found = s.store.unworded(9).unwrap();
        assert_eq!(found.len(), 1);
        assert!(s.store.reword(&found[0], &wording(), MODEL, NOW).unwrap());
        let now = s.store.record("r1").unwrap();
        assert_eq!((now.title.as_str(), now.written_by.as_str()), ("Queue in Postgres", MODEL));
        assert_eq!((now.quote, now.state, now.origin), (quoted.quote, RecordState::Pending, quoted.origin));
        let row: (String, String, String) = s
            .store
            .conn
            .query_row("SELECT author, state_to, before_json FROM record_history ORDER BY id DESC LIMIT 1", [], |row| {
                Ok((row.get(0)?, row.get(1)?, row.get(2)?))
            })
            .unwrap();
        assert_eq!((row.0.as_str(), row.1.as_str()), ("model:made-up:3b", "pending"));
        assert_eq!(row.2, r#"{"body":"","title":"Postgres","written_by":""}"#);
        assert!(s.store.unworded(9).unwrap().is_empty());
        s.store.set_state("r1", RecordState::Confirmed, "operator", NOW).unwrap();
        assert_eq!(s.store.search(&query("postgres")).unwrap().hits.len(), 1);
        s.assert_whole();
    }

    #[test]
    fn only_candidates_with_a_quote_that_nobody_has_touched_are_worded() {
        let s = Scratch::new();
        let quoted =
            |id: &str, state| Record { quote: text("we go"), ..record(id, RecordKind::Decision, state, id, "") };
        for state in RecordState::ALL {
            s.store.add_record(&quoted(state.as_str(), state), "extraction").unwrap();
        }
        let entered = record("entered", RecordKind::Decision, RecordState::Pending, "entered", "");
        let of_file = Record { source_path: Some(text("feedback_a.md")), ..quoted("of-file", RecordState::Pending) };
        for new in [&entered, &of_file, &quoted("refused", RecordState::Pending)] {
            s.store.add_record(new, "agent").unwrap();
        }
        s.store.note_wording_refused(&quoted("refused", RecordState::Pending), MODEL, "it says else", NOW).unwrap();
        let found = s.store.unworded(9).unwrap();
        assert_eq!(found.iter().map(|record| record.id.as_str()).collect::<Vec<_>>(), ["pending"]);
    }

    #[test]
    fn a_candidate_that_was_judged_or_edited_meanwhile_keeps_its_words() {
        let s = Scratch::new();
        let old = Record { quote: text("we go"), ..record("r1", RecordKind::Decision, RecordState::Pending, "a", "") };
        s.store.add_record(&old, "extraction").unwrap();
        for edited in [Record { title: text("b"), ..old.clone() }, Record { scope: text("web/"), ..old.clone() }] {
            assert!(!s.store.reword(&edited, &wording(), MODEL, NOW).unwrap());
        }
        s.store
            .judge_records(
                std::slice::from_ref(&old.id),
                RecordState::Confirmed,
                Origin::Operator,
                &text(""),
                Some("b1"),
                NOW,
            )
            .unwrap();
        assert!(!s.store.reword(&old, &wording(), MODEL, NOW).unwrap());
        s.store.note_wording_refused(&old, MODEL, "it says something else", NOW).unwrap();
        assert_eq!(s.store.record("r1").unwrap().title, old.title);
        let undone = s.store.undo_batch("b1", Judge::Operator, NOW).unwrap();
        assert!(undone.is_ok(), "the person's verdict can still be taken back: {undone:?}");
    }
}
