//! Curated records, the inventory and the worker's queue. What is confirmed is in the index, what is not is not.

use std::collections::HashSet;

use rusqlite::Connection;
use six_core::curate::{Batch, Judge};
use six_core::effect::Work;
use six_core::record::{
    Anchor, Author, Before, Change, Chunk, Entry, EntryKind, Origin, Record, RecordEdit, RecordId, RecordKind,
    RecordState, Source, Subsystem, UnixMs, judge_person, says_the_same,
};
use six_core::text::Redacted;

use crate::error::{Result, StoreError};
use crate::index::{Indexer, Prepared};
use crate::open::Store;
use crate::table::{anchor, batch, entry, record, record_history, sighting, subsystem, work};

impl Store {
    /// Adds a record in whatever state it has; `false` when its id is there already.
    pub fn add_record(&self, new: &Record, author: impl Into<Author>) -> Result<bool> {
        self.write(|conn| insert(conn, new, &author.into()))
    }

    /// Records in the named states, newest first. Every caller names the states that it accepts.
    pub fn records(&self, kind: Option<RecordKind>, states: &[RecordState]) -> Result<Vec<Record>> {
        self.read(|conn| {
            let mut found = Vec::new();
            for state in states {
                found.extend(record::in_state(conn, kind, *state)?);
            }
            found.sort_by(|a, b| b.created.cmp(&a.created).then_with(|| a.id.cmp(&b.id)));
            Ok(found)
        })
    }

    /// The record whose id begins with `prefix`; [`StoreError::NotOne`] when none does, or several do.
    pub fn record(&self, prefix: &str) -> Result<Record> {
        self.read(|conn| one(conn, prefix))
    }

    /// Gives a record other fields; answers it as it is then. An edit that changes nothing leaves no trace. What a person edits
    /// is thereby said to hold. `batch` is the id by which [`Store::undo_batch`] takes a person's edit back.
    pub fn edit_record(
        &self,
        id: &RecordId,
        edit: &RecordEdit,
        by: Origin,
        reason: &Redacted,
        batch: Option<&str>,
        now: UnixMs,
    ) -> Result<Record> {
        self.write(|conn| {
            let old = one(conn, id.as_str())?;
            old.judge_edit(by)?;
            if let Some(kind) = edit.kind.filter(|kind| *kind != old.kind) {
                old.judge_kind(kind)?;
            }
            let mut new = edit.edited(&old, by);
            if new == old {
                return Ok(old);
            }
            if old.state == RecordState::Confirmed {
                new.validated = now;
            }
            open_batch(conn, batch, now)?;
            change(conn, &old, &new, &by.into(), reason, batch, now)?;
            Ok(new)
        })
    }

    /// A person's verdict on records: all of them get that state or, when one can't, none. `batch` is the id by which
    /// [`Store::undo_batch`] takes it back.
    pub fn judge_records(
        &self,
        ids: &[RecordId],
        to: RecordState,
        by: Origin,
        reason: &Redacted,
        batch: Option<&str>,
        now: UnixMs,
    ) -> Result<()> {
        judge_person(by)?;
        self.write(|conn| {
            open_batch(conn, batch, now)?;
            for id in ids {
                let old = one(conn, id.as_str())?;
                old.judge_state(to)?;
                change_state(conn, &old, to, &by.into(), reason, batch, now)?;
            }
            Ok(())
        })
    }

    /// A person's word that `new`, which is in force, replaced `old`.
    pub fn supersede(
        &self,
        old: &RecordId,
        new: &RecordId,
        by: Origin,
        reason: &Redacted,
        batch: Option<&str>,
        now: UnixMs,
    ) -> Result<()> {
        judge_person(by)?;
        self.write(|conn| {
            let (old, new) = (one(conn, old.as_str())?, one(conn, new.as_str())?);
            old.judge_successor(&new)?;
            open_batch(conn, batch, now)?;
            supersede(conn, &old, &new.id, &by.into(), reason, batch, now)
        })
    }

    /// A person's new word in the place of an old one: `new` is added, and `old` is closed by it. Both or neither.
    pub fn replace_record(&self, old: &RecordId, new: &Record, batch: &str) -> Result<()> {
        judge_person(new.origin)?;
        self.write(|conn| {
            let old = one(conn, old.as_str())?;
            old.judge_successor(new)?;
            open_batch(conn, Some(batch), new.created)?;
            let author = &new.origin.into();
            insert_of_batch(conn, new, author, new.created, Some(batch))?;
            supersede(conn, &old, &new.id, author, &Redacted::default(), Some(batch), new.created)
        })
    }

    /// The record of that kind, in force or waiting, that says exactly this, if there is one: what is in force first.
    pub fn said_by(&self, kind: RecordKind, title: &Redacted) -> Result<Option<Record>> {
        self.read(|conn| {
            for state in [RecordState::Confirmed, RecordState::Pending] {
                let found = record::in_state(conn, Some(kind), state)?;
                if let Some(same) = found.into_iter().find(|one| says_the_same(one.title.as_str(), title.as_str())) {
                    return Ok(Some(same));
                }
            }
            Ok(None)
        })
    }

    /// Adds a subsystem to the inventory and the index, or puts it in the place of the one with its id.
    pub fn add_subsystem(&self, new: &Subsystem) -> Result<()> {
        self.write(|conn| put_subsystem(conn, new))
    }

    /// The inventory, by name.
    pub fn subsystems(&self) -> Result<Vec<Subsystem>> {
        self.read(|conn| Ok(subsystem::all(conn)?))
    }

    /// The oldest work that is not done, with the id that [`Store::finish_work`] takes.
    pub fn next_work(&self) -> Result<Option<(i64, Work)>> {
        self.read(|conn| Ok(work::next(conn)?))
    }

    /// Marks work as done.
    pub fn finish_work(&self, id: i64, now: UnixMs) -> Result<()> {
        self.write(|conn| Ok(work::finish(conn, id, now)?))
    }
}

/// Notes the batch of a single command, so that it is taken back as verdicts are that were given together.
fn open_batch(conn: &Connection, id: Option<&str>, now: UnixMs) -> Result<()> {
    match id {
        Some(id) => Ok(batch::insert(conn, &Batch { id, judge: Judge::Operator, now })?),
        None => Ok(()),
    }
}

/// Adds a record with its history and, when it is confirmed, its place in the index.
pub(crate) fn insert(conn: &Connection, new: &Record, author: &Author) -> Result<bool> {
    insert_at(conn, new, author, new.created)
}

/// The same for what is older than its place in the store.
pub(crate) fn insert_at(conn: &Connection, new: &Record, author: &Author, at: UnixMs) -> Result<bool> {
    insert_of_batch(conn, new, author, at, None)
}

fn insert_of_batch(conn: &Connection, new: &Record, author: &Author, at: UnixMs, batch: Option<&str>) -> Result<bool> {
    let (rejected, commits) = (serde_json::to_string(&new.rejected)?, serde_json::to_string(&new.commits)?);
    if !record::insert(conn, new, &rejected, &commits)? {
        return Ok(false);
    }
    let made = Change {
        from: None,
        to: new.state,
        author: author.clone(),
        at,
        reason: Redacted::default(),
        before: Before::new(),
        batch: batch.map(str::to_owned),
    };
    record_history::insert(conn, &new.id, &made, "{}")?;
    if new.state == RecordState::Confirmed {
        put_in_index(conn, &record_entry(new))?;
    }
    Ok(true)
}

fn one(conn: &Connection, prefix: &str) -> Result<Record> {
    let mut found = answering(conn, prefix)?;
    match (found.pop(), found.len()) {
        (Some(record), 0) => Ok(record),
        (last, others) => Err(StoreError::NotOne { found: others + usize::from(last.is_some()) }),
    }
}

/// The record of that id, or two whose ids begin so.
pub(crate) fn answering(conn: &Connection, id: &str) -> Result<Vec<Record>> {
    let mut ids = record::ids(conn, id, 2)?;
    if ids.iter().any(|found| found.as_str() == id) {
        ids.retain(|found| found.as_str() == id);
    }
    let found = ids.iter().map(|id| record::one(conn, id)).collect::<rusqlite::Result<Vec<_>>>()?;
    Ok(found.into_iter().flatten().collect())
}

/// Moves a record to another state, with its history and its place in the index. One that is in force after all is replaced by
/// nothing and evidence of nothing else.
pub(crate) fn change_state(
    conn: &Connection,
    old: &Record,
    state: RecordState,
    author: &Author,
    reason: &Redacted,
    batch: Option<&str>,
    now: UnixMs,
) -> Result<()> {
    let validated = if state == RecordState::Confirmed { now } else { old.validated };
    let mut new = Record { state, validated, ..old.clone() };
    if state == RecordState::Confirmed
        && let Some(other) = new.superseded_by.take()
    {
        sighting::delete_merged(conn, &other, old.turn.as_deref().unwrap_or(old.id.as_str()))?;
    }
    change(conn, old, &new, author, reason, batch, now)
}

/// Closes a record that `new` replaced.
pub(crate) fn supersede(
    conn: &Connection,
    old: &Record,
    new: &RecordId,
    author: &Author,
    reason: &Redacted,
    batch: Option<&str>,
    now: UnixMs,
) -> Result<()> {
    let closed = Record { state: RecordState::Superseded, superseded_by: Some(new.clone()), ..old.clone() };
    change(conn, old, &closed, author, reason, batch, now)
}

/// Puts `new` in the place of `old`, which has the same id: one row of history with what was before, the index in step.
/// Whether the change is one that may be made is the caller's to know.
pub(crate) fn change(
    conn: &Connection,
    old: &Record,
    new: &Record,
    author: &Author,
    reason: &Redacted,
    batch: Option<&str>,
    now: UnixMs,
) -> Result<()> {
    let made = Change {
        from: Some(old.state),
        to: new.state,
        author: author.clone(),
        at: now,
        reason: reason.clone(),
        before: old.before(new)?,
        batch: batch.map(str::to_owned),
    };
    record::update(conn, new, &serde_json::to_string(&new.rejected)?, &serde_json::to_string(&new.commits)?)?;
    if new.anchors != old.anchors {
        anchor::replace_all(conn, &new.id, &new.anchors)?;
    }
    record_history::insert(conn, &new.id, &made, &serde_json::to_string(&made.before)?)?;
    if new.state != RecordState::Confirmed {
        return take_from_index(conn, new.id.as_str());
    }
    let entry = record_entry(new);
    if old.state == RecordState::Confirmed && record_entry(old) == entry {
        return Ok(());
    }
    put_in_index(conn, &entry)
}

pub(crate) fn put_subsystem(conn: &Connection, new: &Subsystem) -> Result<()> {
    let entry_points = serde_json::to_string(&new.entry_points)?;
    subsystem::upsert(conn, new, &serde_json::to_string(&new.paths)?, &entry_points)?;
    put_in_index(conn, &subsystem_entry(new))
}

/// Puts what an inventory file names in the place of what it named before.
pub(crate) fn replace_inventory(conn: &Connection, path: &Redacted, named: &[Subsystem]) -> Result<()> {
    let known = subsystem::of_source(conn, path)?;
    for gone in known.iter().filter(|known| named.iter().all(|new| new.id != known.id)) {
        subsystem::delete(conn, &gone.id)?;
        take_from_index(conn, gone.id.as_str())?;
    }
    for new in named.iter().filter(|new| !known.contains(new)) {
        put_subsystem(conn, new)?;
    }
    Ok(())
}

pub(crate) fn put_in_index(conn: &Connection, new: &Entry) -> Result<()> {
    let prepared = Prepared::of(conn, new, &mut HashSet::new())?;
    let mut index = Indexer::new(conn);
    match entry::id(conn, Source::Record, &new.key)? {
        None => index.add(None, new, prepared)?,
        Some(id) => index.replace(id, None, new, prepared)?,
    };
    index.finish()
}

pub(crate) fn take_from_index(conn: &Connection, key: &str) -> Result<()> {
    let Some(id) = entry::id(conn, Source::Record, key)? else { return Ok(()) };
    let mut index = Indexer::new(conn);
    index.remove(id)?;
    index.finish()
}

/// What is searched of a record: the choice, the why, what was rejected, when to try again. The sentence that it was taken
/// from says the same in other words and would only make its words common.
pub(crate) fn record_entry(record: &Record) -> Entry {
    let parts = [&record.title, &record.body].into_iter().chain(&record.rejected).chain([&record.revive_if]);
    let mut entry = whole(record.kind.entry_kind(), record.id.as_str(), &record.title, parts);
    entry.origin = record.origin;
    entry.session.clone_from(&record.session);
    entry.at = Some(record.validated);
    entry.path = joined_paths(record.anchors.iter().map(|Anchor { path, .. }| path));
    entry
}

pub(crate) fn subsystem_entry(subsystem: &Subsystem) -> Entry {
    let parts = [&subsystem.name, &subsystem.purpose];
    let mut entry = whole(EntryKind::Subsystem, subsystem.id.as_str(), &subsystem.name, parts.into_iter());
    entry.origin = subsystem.origin;
    entry.at = Some(subsystem.created);
    entry.path = joined_paths(subsystem.paths.iter());
    entry
}

/// An entry of one chunk.
fn whole<'t>(kind: EntryKind, key: &str, title: &Redacted, parts: impl Iterator<Item = &'t Redacted>) -> Entry {
    let parts: Vec<Redacted> = parts.filter(|p| !p.is_empty()).cloned().collect();
    let text = Redacted::join(&parts, "\n");
    Entry {
        key: key.to_owned(),
        source: Source::Record,
        kind,
        origin: Origin::Operator,
        session: None,
        path: None,
        title: title.clone(),
        at: None,
        branch: None,
        chunks: vec![Chunk { range: 0..text.as_str().len(), lines: None, title: Redacted::literal("") }],
        text,
    }
}

fn joined_paths<'p>(paths: impl Iterator<Item = &'p Redacted>) -> Option<Redacted> {
    let paths: Vec<Redacted> = paths.cloned().collect();
    if paths.is_empty() { None } else { Some(Redacted::join(&paths, " ")) }
}

#[cfg(test)]
mod tests {
    use six_core::record::ThreadId;

    use super::*;
    use crate::testkit::*;

    #[test]
    fn a_record_comes_back_as_it_went_in() {
        let s = Scratch::new();
        let mut new = record("abcdef", RecordKind::DeadEnd, RecordState::Pending, "polling", "too slow");
        new.rejected = vec![text("a"), text("b, because")];
        new.turn = Some("u1".to_owned());
        new.thread = Some(ThreadId::new("t1"));
        new.anchors = vec![
            Anchor { lines: Some((3, 9)), hash: Some("h".into()), ..Anchor::of_path(text("src/a.rs")) },
            Anchor {
                commit: Some("c".into()),
                branch: Some(text("main")),
                symbol: Some(text("settle")),
                moved_to: Some(text("src/c.rs:3-9")),
                merged: Some(false),
                ..Anchor::of_path(text("src/b.rs"))
            },
        ];
        assert!(s.store.add_record(&new, "operator").unwrap());
        assert!(!s.store.add_record(&new, "operator").unwrap());
        assert_eq!(s.store.record("abcdef").unwrap(), new);
        assert_eq!(s.store.record("abc").unwrap(), new);
        assert_eq!(s.store.records(None, &[RecordState::Pending]).unwrap(), [new]);
        assert!(s.store.records(None, &[RecordState::Confirmed]).unwrap().is_empty());
    }

    #[test]
    fn an_id_must_name_exactly_one_record() {
        let s = Scratch::new();
        for id in ["ab", "abc", "xyz"] {
            s.store.add_record(&record(id, RecordKind::Decision, RecordState::Pending, id, ""), "operator").unwrap();
        }
        assert_eq!(s.store.record("ab").unwrap().id.as_str(), "ab");
        assert_eq!(s.store.record("x").unwrap().id.as_str(), "xyz");
        for (prefix, n) in [("a", 2), ("q", 0), ("%", 0), ("_", 0)] {
            assert!(matches!(s.store.record(prefix), Err(StoreError::NotOne { found }) if found == n), "{prefix}");
        }
    }

    fn add(s: &Scratch, id: &str, state: RecordState, title: &str) -> RecordId {
        let new = record(id, RecordKind::Decision, state, title, "");
        s.store.add_record(&new, "operator").unwrap();
        new.id
    }

    fn judge(s: &Scratch, ids: &[&RecordId], to: RecordState) -> Result<()> {
        let ids: Vec<RecordId> = ids.iter().map(|id| (*id).clone()).collect();
        s.store.judge_records(&ids, to, Origin::Operator, &text("so it is"), None, LATER)
    }

    fn refused<T>(done: &Result<T>) -> bool {
        matches!(done, Err(StoreError::Refused(_)))
    }

    fn found(s: &Scratch, word: &str) -> usize {
        s.store.search(&query(word)).unwrap().hits.len()
    }

    const LATER: UnixMs = UnixMs(NOW.0 + 9);

    #[test]
    fn only_what_is_in_force_is_found_and_every_change_leaves_who_when_and_why() {
        let s = Scratch::new();
        let (old, new) = (add(&s, "r", RecordState::Pending, "outbox"), add(&s, "n", RecordState::Confirmed, "inbox"));
        judge(&s, &[&old], RecordState::Confirmed).unwrap();
        assert_eq!((s.store.record("r").unwrap().validated, found(&s, "outbox")), (LATER, 1));
        judge(&s, &[&old], RecordState::Retired).unwrap();
        assert_eq!(found(&s, "outbox"), 0);
        judge(&s, &[&old], RecordState::Confirmed).unwrap();
        s.store.supersede(&old, &new, Origin::Operator, &text("it keeps order"), None, LATER).unwrap();
        let closed = s.store.record("r").unwrap();
        assert_eq!((closed.superseded_by, found(&s, "outbox"), found(&s, "inbox")), (Some(new), 0, 1));
        let told = s.store.whole_record(&old).unwrap().history.into_iter().map(|step| {
            let c = step.change;
            let from = c.from.map_or("-", RecordState::as_str);
            format!("{from} > {} {} {:?} {}", c.to.as_str(), c.author, c.reason.as_str(), serde_json::json!(c.before))
        });
        let told: Vec<String> = told.collect();
        assert_eq!(
            told.iter().map(String::as_str).collect::<Vec<_>>(),
            [
                r#"- > pending operator "" {}"#,
                r#"pending > confirmed operator "so it is" {"validated":1770000000000}"#,
                r#"confirmed > retired operator "so it is" {}"#,
                r#"retired > confirmed operator "so it is" {}"#,
                r#"confirmed > superseded operator "it keeps order" {"superseded_by":null}"#,
            ]
        );
        s.assert_whole();
    }

    #[test]
    fn a_verdict_that_can_not_stand_leaves_all_as_they_were() {
        let s = Scratch::new();
        let (one, two) = (add(&s, "a", RecordState::Pending, "outbox"), add(&s, "b", RecordState::Confirmed, "inbox"));
        assert!(refused(&judge(&s, &[&one, &two], RecordState::Confirmed)));
        assert!(refused(&judge(&s, &[&two], RecordState::Rejected)));
        assert!(refused(&s.store.judge_records(
            std::slice::from_ref(&one),
            RecordState::Confirmed,
            Origin::Agent,
            &text(""),
            None,
            LATER
        )));
        for (old, new, by) in
            [(&one, &one, Origin::Operator), (&two, &one, Origin::Operator), (&one, &two, Origin::Agent)]
        {
            assert!(refused(&s.store.supersede(old, new, by, &text(""), None, LATER)), "{old} {new}");
        }
        assert_eq!((s.store.record("a").unwrap().state, found(&s, "outbox")), (RecordState::Pending, 0));
        for id in [&one, &two] {
            assert_eq!(s.store.whole_record(id).unwrap().history.len(), 1);
        }
    }

    #[test]
    fn an_edit_changes_what_it_names_in_the_index_too_and_keeps_what_was() {
        let s = Scratch::new();
        let id = add(&s, "r", RecordState::Confirmed, "outbox");
        let edit = RecordEdit {
            title: Some(text("inbox")),
            rejected: Some(vec![text("polling")]),
            anchors: Some(vec![Anchor::of_path(text("src/a.rs"))]),
            ..RecordEdit::default()
        };
        let edited = s.store.edit_record(&id, &edit, Origin::Operator, &text("a slip"), None, LATER).unwrap();
        assert_eq!(s.store.record("r").unwrap(), edited);
        assert_eq!((edited.validated, edited.anchors.len()), (LATER, 1));
        assert_eq!((found(&s, "outbox"), found(&s, "inbox"), found(&s, "polling")), (0, 1, 1));
        s.store.edit_record(&id, &edit, Origin::Operator, &text("again"), None, UnixMs(LATER.0 + 1)).unwrap();
        let history = s.store.whole_record(&id).unwrap().history;
        assert_eq!(history.len(), 2, "an edit that changes nothing leaves no trace");
        assert_eq!(history[1].change.before["title"], "outbox");
        assert_eq!(history[1].change.before["anchors"], serde_json::json!([]));
        s.assert_whole();
    }

    #[test]
    fn an_agent_edits_its_own_proposal_and_nothing_that_a_person_said_or_confirmed() {
        let s = Scratch::new();
        let edit = RecordEdit { title: Some(text("inbox")), ..RecordEdit::default() };
        let edited = |id: &RecordId| s.store.edit_record(id, &edit, Origin::Agent, &text(""), None, LATER);
        let said = add(&s, "said", RecordState::Pending, "outbox");
        let mut own = record("own", RecordKind::Decision, RecordState::Pending, "outbox", "");
        own.origin = Origin::Agent;
        s.store.add_record(&own, "agent").unwrap();
        assert!(refused(&edited(&said)));
        assert_eq!(edited(&own.id).unwrap().state, RecordState::Pending);
        assert_eq!(s.store.whole_record(&own.id).unwrap().history[1].change.author, Author::Agent);
        judge(&s, &[&own.id], RecordState::Confirmed).unwrap();
        let other = RecordEdit { title: Some(text("mailbox")), ..RecordEdit::default() };
        assert!(refused(&s.store.edit_record(&own.id, &other, Origin::Agent, &text(""), None, LATER)));
        assert_eq!(found(&s, "mailbox"), 0);
    }

    #[test]
    fn a_subsystem_is_found_by_its_path_and_changed_in_place() {
        use six_core::record::{SubsystemId, SubsystemState};
        let s = Scratch::new();
        let mut new = Subsystem {
            id: SubsystemId::new("s"),
            name: text("Relay"),
            purpose: text("sends mail"),
            paths: vec![text("src/relay")],
            entry_points: vec![text("relay::send")],
            source_path: Some(text("INVENTORY.md")),
            state: SubsystemState::Live,
            origin: Origin::Operator,
            created: NOW,
        };
        s.store.add_subsystem(&new).unwrap();
        assert_eq!(s.store.search(&query("src")).unwrap().hits[0].kind, EntryKind::Subsystem);
        new.purpose = text("sends letters");
        s.store.add_subsystem(&new).unwrap();
        assert!(s.store.search(&query("mail")).unwrap().hits.is_empty());
        assert_eq!(s.store.subsystems().unwrap(), [new]);
        s.assert_whole();
    }
}
