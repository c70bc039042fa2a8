//! What ingest hands over: entries and the new state of their file, in one transaction.

use std::collections::HashSet;

use rusqlite::Connection;
use six_core::event::judge_abandoned;
use six_core::ingest::{Batch, Committed, FileState, Mode, TreePart};
use six_core::record::{Entry, Source, UnixMs};

use crate::error::Result;
use crate::index::{Indexer, Prepared};
use crate::kill::KillPoint;
use crate::open::{Store, pragma_u32};
use crate::records::replace_inventory;
use crate::rules::{remove_rules, replace_rules};
use crate::table::record_name::Name;
use crate::table::{entry, left_behind, session, source_file, transcript_tree};

impl Store {
    /// The states of all files of a source, by the hash of their path.
    pub fn file_states(&self, source: Source) -> Result<Vec<FileState>> {
        self.read(|conn| Ok(source_file::all(conn, source)?))
    }

    /// The state of one file.
    pub fn file_state(&self, source: Source, path_hash: &str) -> Result<Option<FileState>> {
        self.read(|conn| Ok(source_file::one(conn, source, path_hash)?))
    }

    /// Stores a batch: all of it or nothing. Batches of about a megabyte of text keep the lock for a few dozen
    /// milliseconds.
    pub fn commit(&self, batch: &Batch) -> Result<Committed> {
        let prepared = self.prepare(batch)?;
        let done = self.write(|conn| {
            let file = source_file::upsert(conn, &batch.file)?;
            let (done, repeated) = store_entries(conn, file, batch, prepared)?;
            if let Some(part) = &batch.tree {
                grow_tree(conn, file, part, &repeated)?;
            }
            if let Some(named) = &batch.inventory {
                replace_inventory(conn, &batch.file.path, named)?;
            }
            if let Some(stated) = &batch.rules {
                replace_rules(conn, &batch.file.path, stated, batch.file.tried)?;
            }
            for seen in &batch.sessions {
                session::add(conn, seen)?;
            }
            KillPoint::IngestInTransaction.reach();
            Ok(done)
        })?;
        KillPoint::IngestCommitted.reach();
        Ok(done)
    }

    /// Stores that a file could not be consumed. Only the state changes.
    pub fn note_failure(&self, state: &FileState) -> Result<()> {
        self.write(|conn| source_file::upsert(conn, state).map(drop).map_err(Into::into))
    }

    /// Removes files that are proven to be gone, with all that they gave, and retires the rules that they stated; answers
    /// the entries removed.
    pub fn remove_files(&self, source: Source, path_hashes: &[String], now: UnixMs) -> Result<u64> {
        self.write(|conn| {
            let mut index = Indexer::new(conn);
            let mut removed = 0;
            let mut named = Vec::new();
            for path_hash in path_hashes {
                let Some(file) = source_file::id(conn, source, path_hash)? else { continue };
                named.extend(source_file::one(conn, source, path_hash)?.map(|state| state.path));
                for (id, _) in entry::of_file(conn, file)? {
                    index.remove(id)?;
                    removed += 1;
                }
                source_file::delete(conn, file)?;
            }
            index.finish()?;
            for path in named {
                replace_inventory(conn, &path, &[])?;
                if source == Source::Memory {
                    remove_rules(conn, &path, now)?;
                }
            }
            Ok(removed)
        })
    }

    /// The keys of all entries of a source.
    pub fn entry_keys(&self, source: Source) -> Result<Vec<String>> {
        self.read(|conn| Ok(entry::keys(conn, source)?))
    }

    /// Removes entries by their keys; answers how many there were.
    pub fn remove_entries(&self, source: Source, keys: &[String]) -> Result<u64> {
        self.write(|conn| {
            let mut index = Indexer::new(conn);
            let mut removed = 0;
            for key in keys {
                let Some(id) = entry::id(conn, source, key)? else { continue };
                index.remove(id)?;
                removed += 1;
            }
            index.finish()?;
            Ok(removed)
        })
    }

    /// Bytes of the store that hold something: pages that were freed are used again before the file grows.
    pub fn used_bytes(&self) -> Result<u64> {
        self.read(|conn| {
            let [pages, free, size] = ["page_count", "freelist_count", "page_size"].map(|name| pragma_u32(conn, name));
            Ok(u64::from(pages?.saturating_sub(free?)) * u64::from(size?))
        })
    }

    fn prepare(&self, batch: &Batch) -> Result<Vec<Prepared>> {
        let mut met = HashSet::new();
        let prepare = |e: &Entry| {
            if keeps_first(batch, e) && entry::id(&self.conn, e.source, &e.key)?.is_some() {
                return Ok(Prepared::default());
            }
            Prepared::of(&self.conn, e, &mut met)
        };
        batch.entries.iter().map(prepare).collect()
    }
}

/// An appended transcript record that is there already is the same message; anything else of an equal key is a new version.
fn keeps_first(batch: &Batch, entry: &Entry) -> bool {
    batch.mode == Mode::Append && entry.source == Source::Transcript
}

/// Answers also the entries that were there already: another file's tree may say something else about them.
fn store_entries<'b>(
    conn: &Connection,
    file: i64,
    batch: &'b Batch,
    prepared: Vec<Prepared>,
) -> Result<(Committed, Vec<&'b Entry>)> {
    let mut index = Indexer::new(conn);
    let mut done = Committed::default();
    let mut repeated = Vec::new();
    for (new, prepared) in batch.entries.iter().zip(prepared) {
        match entry::id(conn, new.source, &new.key)? {
            None => {
                done.chunks += index.add(Some(file), new, prepared)?;
                done.entries += 1;
            }
            Some(id) if keeps_first(batch, new) => {
                left_behind::add_holder(conn, id, file)?;
                repeated.push(new);
            }
            Some(id) => {
                done.chunks += index.replace(id, Some(file), new, prepared)?;
                repeated.push(new);
            }
        }
    }
    if batch.mode == Mode::Replace {
        let given: HashSet<&str> = batch.entries.iter().map(|e| e.key.as_str()).collect();
        for (id, _) in entry::of_file(conn, file)?.iter().filter(|(_, key)| !given.contains(key.as_str())) {
            index.remove(*id)?;
            done.removed += 1;
        }
    }
    index.finish()?;
    done.repeated = u64::try_from(repeated.len()).unwrap_or(u64::MAX);
    Ok((done, repeated))
}

/// The transcript record that the entry of a key was taken from.
pub(crate) fn record_of(key: &str) -> &str {
    key.split_once('#').map_or(key, |(uuid, _)| uuid)
}

/// Adds records to a transcript's tree; at the file's end, marks the entries of branches that were left behind.
fn grow_tree(conn: &Connection, file: i64, part: &TreePart, repeated: &[&Entry]) -> Result<()> {
    transcript_tree::add(conn, file, &part.links)?;
    if let Some(leaf) = &part.leaf {
        transcript_tree::set_leaf(conn, file, &Name::of(leaf))?;
    }
    // What was there already may be left behind in another file's tree and live in this one.
    for name in repeated.iter().map(|entry| Name::of(record_of(&entry.key))).collect::<HashSet<_>>() {
        entry::settle_abandoned(conn, &name)?;
    }
    if part.is_last { judge_tree(conn, file) } else { Ok(()) }
}

/// Stores which records of a file were left behind, and settles the entries of those that changed.
pub(crate) fn judge_tree(conn: &Connection, file: i64) -> Result<()> {
    let Some(leaf) = transcript_tree::leaf(conn, file)? else { return Ok(()) };
    let links = transcript_tree::of_file(conn, file)?;
    let was: HashSet<Name> = left_behind::of_file(conn, file)?;
    let now: HashSet<&Name> =
        judge_abandoned(&links, &leaf).into_iter().filter_map(|at| links.get(at)).map(|link| &link.uuid).collect();
    for name in was.iter().filter(|name| !now.contains(name)) {
        left_behind::delete(conn, file, name)?;
        entry::settle_abandoned(conn, name)?;
    }
    for name in now.into_iter().filter(|name| !was.contains(name)) {
        left_behind::insert(conn, file, name)?;
        entry::settle_abandoned(conn, name)?;
    }
    Ok(())
}

#[cfg(test)]
mod branches;

#[cfg(test)]
mod tests {
    use proptest::prelude::*;
    use six_core::record::EntryKind;
    use six_core::search::{EmbedTranscripts, Model};

    use super::*;
    use crate::table::{body, body_fts, term};
    use crate::testkit::*;

    fn df(scratch: &Scratch, word: &str) -> u64 {
        term::df(&scratch.store.conn, word).unwrap()
    }

    #[test]
    fn an_equal_text_in_two_places_is_one_body_and_survives_the_loss_of_one() {
        let s = Scratch::new();
        s.store.commit(&doc_batch("a.md", "retry with jitter")).unwrap();
        s.store.commit(&doc_batch("b.md", "retry with jitter")).unwrap();
        assert_eq!(body::count(&s.store.conn).unwrap(), 1);
        assert_eq!(df(&s, "jitter"), 1);

        assert_eq!(s.store.remove_files(Source::Doc, &["hash of a.md".to_owned()], NOW).unwrap(), 1);
        let hits = s.store.search(&query("jitter")).unwrap().hits;
        assert_eq!(hits.iter().map(|h| h.path.as_deref()).collect::<Vec<_>>(), [Some("b.md")]);
        s.assert_whole();

        s.store.remove_files(Source::Doc, &["hash of b.md".to_owned()], NOW).unwrap();
        assert!(s.store.search(&query("jitter")).unwrap().hits.is_empty());
        assert_eq!((df(&s, "jitter"), body::count(&s.store.conn).unwrap()), (0, 0));
        assert!(term::all(&s.store.conn).unwrap().is_empty());
        s.assert_whole();
    }

    #[test]
    fn a_body_is_titled_by_its_heaviest_reference() {
        let s = Scratch::new();
        let mut said = prompt("u1", "wait a while");
        said.title = text("chatter");
        s.store.commit(&batch(Source::Transcript, "t", Mode::Append, vec![said])).unwrap();
        let mut written = doc("adr.md", "wait a while");
        written.title = text("Outbox");
        s.store.commit(&batch(Source::Doc, "adr.md", Mode::Replace, vec![written])).unwrap();
        assert_eq!((df(&s, "outbox"), df(&s, "chatter")), (1, 0));
        s.assert_whole();

        s.store.remove_files(Source::Doc, &["hash of adr.md".to_owned()], NOW).unwrap();
        assert_eq!((df(&s, "outbox"), df(&s, "chatter")), (0, 1));
        s.assert_whole();
    }

    #[test]
    fn a_rewritten_document_keeps_the_ids_of_what_stayed() {
        let s = Scratch::new();
        s.store.commit(&doc_batch("a.md", "first part\nsecond part")).unwrap();
        let before = s.store.search(&query("second")).unwrap().hits;
        let done = s.store.commit(&doc_batch("a.md", "a new beginning\nsecond part\nand an end")).unwrap();
        assert_eq!((done.entries, done.repeated, done.chunks), (0, 1, 2));
        let after = s.store.search(&query("second")).unwrap().hits;
        assert_eq!(after[0].id, before[0].id);
        assert_eq!(after[0].text, "second part");
        assert!(s.store.search(&query("first")).unwrap().hits.is_empty());
        s.assert_whole();
    }

    #[test]
    fn what_a_rewritten_file_no_longer_gives_is_removed_and_appending_removes_nothing() {
        let s = Scratch::new();
        let ledger = |keys: &[&str]| keys.iter().map(|k| entry(Source::Ledger, EntryKind::Ledger, k, k)).collect();
        s.store.commit(&batch(Source::Ledger, "l", Mode::Append, ledger(&["one", "two"]))).unwrap();
        s.store.commit(&batch(Source::Ledger, "l", Mode::Append, ledger(&["three"]))).unwrap();
        assert_eq!(entry::count(&s.store.conn).unwrap(), 3);
        let done = s.store.commit(&batch(Source::Ledger, "l", Mode::Replace, ledger(&["two", "four"]))).unwrap();
        assert_eq!((done.entries, done.removed), (1, 2));
        s.assert_whole();
    }

    #[test]
    fn a_fork_repeats_records_and_adds_none_of_them_again() {
        let s = Scratch::new();
        s.store
            .commit(&batch(Source::Transcript, "one", Mode::Append, vec![prompt("u1", "hello"), answer("u2", "hi")]))
            .unwrap();
        let done = s
            .store
            .commit(&batch(
                Source::Transcript,
                "fork",
                Mode::Append,
                vec![prompt("u1", "hello"), answer("u3", "other")],
            ))
            .unwrap();
        assert_eq!((done.entries, done.repeated), (1, 1));
        s.assert_whole();
    }

    #[test]
    fn entries_are_removed_by_their_keys_and_what_they_took_is_free_again() {
        let s = Scratch::new();
        let commit =
            |key: &str| entry(Source::Git, EntryKind::Commit, key, &format!("{key} retry {}", "jitter ".repeat(900)));
        s.store.commit(&batch(Source::Git, "HEAD", Mode::Append, vec![commit("a"), commit("b")])).unwrap();
        let used = s.store.used_bytes().unwrap();
        assert_eq!(s.store.entry_keys(Source::Git).unwrap(), ["a", "b"]);
        assert_eq!(s.store.remove_entries(Source::Git, &["a".to_owned(), "x".to_owned()]).unwrap(), 1);
        assert_eq!(s.store.entry_keys(Source::Git).unwrap(), ["b"]);
        assert!(s.store.used_bytes().unwrap() < used);
        s.assert_whole();
    }

    #[test]
    fn two_equal_prompts_are_two_entries() {
        let s = Scratch::new();
        let done = s
            .store
            .commit(&batch(
                Source::Transcript,
                "t",
                Mode::Append,
                vec![prompt("u1", "continue"), prompt("u2", "continue")],
            ))
            .unwrap();
        assert_eq!((done.entries, done.chunks), (2, 2));
        assert_eq!(body::count(&s.store.conn).unwrap(), 1);
        s.assert_whole();
    }

    #[test]
    fn file_states_come_back_as_they_went_in() {
        let s = Scratch::new();
        let mut state = file(Source::Transcript, "t.jsonl");
        state.skipped.insert("too long".to_owned(), 3);
        s.store
            .commit(&Batch { file: state.clone(), ..batch(Source::Transcript, "t.jsonl", Mode::Append, vec![]) })
            .unwrap();
        assert_eq!(s.store.file_state(Source::Transcript, &state.path_hash).unwrap().as_ref(), Some(&state));
        let failed = FileState { fails: 1, last_error: text("permission denied"), ..state.clone() };
        s.store.note_failure(&failed).unwrap();
        assert_eq!(s.store.file_states(Source::Transcript).unwrap(), [failed]);
        assert_eq!(s.store.file_states(Source::Doc).unwrap(), []);
        assert_eq!(s.store.gather_ingest().unwrap().last_run, Some(NOW));
    }

    #[test]
    fn a_batch_that_fails_leaves_nothing() {
        let s = Scratch::new();
        s.store.commit(&doc_batch("a.md", "kept")).unwrap();
        s.store.conn.execute_batch("DROP TABLE term").unwrap();
        s.store.commit(&doc_batch("b.md", "lost")).unwrap_err();
        assert_eq!(s.store.file_states(Source::Doc).unwrap().len(), 1);
        assert_eq!(entry::count(&s.store.conn).unwrap(), 1);
        assert_eq!(body_fts::count(&s.store.conn).unwrap(), 1);
    }

    #[derive(Debug, Clone)]
    enum Step {
        Doc(usize, Vec<usize>),
        Said(usize, usize),
        Record(usize, usize, bool),
        Remove(usize),
        Embed,
    }

    const LINES: [&str; 6] =
        ["retry with jitter", "the outbox", "", "jitter jitter outbox", "重试 队列", "a::b foo_bar"];

    fn step() -> impl Strategy<Value = Step> {
        prop_oneof![
            (0..3_usize, prop::collection::vec(0..LINES.len(), 0..5)).prop_map(|(f, l)| Step::Doc(f, l)),
            (0..6_usize, 0..LINES.len()).prop_map(|(u, l)| Step::Said(u, l)),
            (0..3_usize, 0..LINES.len(), any::<bool>()).prop_map(|(r, l, c)| Step::Record(r, l, c)),
            (0..3_usize).prop_map(Step::Remove),
            Just(Step::Embed),
        ]
    }

    fn take(store: &Store, step: &Step) {
        use six_core::record::{RecordKind, RecordState};
        match step {
            Step::Doc(file, lines) => {
                let body: Vec<&str> = lines.iter().map(|l| LINES[*l]).collect();
                let path = format!("doc{file}.md");
                let mut written = doc(&path, &body.join("\n"));
                written.title = text(LINES[lines.len()]);
                store.commit(&batch(Source::Doc, &path, Mode::Replace, vec![written])).unwrap();
            }
            Step::Said(uuid, line) => {
                let said = prompt(&format!("u{uuid}"), LINES[*line]);
                store.commit(&batch(Source::Transcript, "t", Mode::Append, vec![said])).unwrap();
            }
            Step::Record(id, line, confirmed) => {
                let id = format!("r{id}");
                let state = if *confirmed { RecordState::Confirmed } else { RecordState::Retired };
                let new = record(&id, RecordKind::Decision, RecordState::Pending, LINES[*line], "");
                store.add_record(&new, "operator").unwrap();
                store.set_state(&id, state, "operator", NOW).unwrap();
            }
            Step::Remove(file) => {
                store.remove_files(Source::Doc, &[format!("hash of doc{file}.md")], NOW).unwrap();
            }
            Step::Embed => {
                embed(store, EmbedTranscripts::All, made_vector);
            }
        }
    }

    proptest! {
        #![proptest_config(ProptestConfig { cases: 48, failure_persistence: None, ..ProptestConfig::default() })]

        #[test]
        fn frequencies_always_equal_a_recount(steps in prop::collection::vec(step(), 1..24)) {
            let s = Scratch::new();
            for step in &steps {
                take(&s.store, step);
                prop_assert_eq!(crate::check::wrong_frequencies(&s.store.conn).unwrap(), 0, "after {:?}", step);
            }
            s.assert_whole();
        }

        #[test]
        fn a_text_has_the_vector_of_what_it_says_now_or_none(steps in prop::collection::vec(step(), 1..24)) {
            let s = Scratch::new();
            for step in &steps {
                take(&s.store, step);
                let faults = crate::table::vector::faults(&s.store.conn).unwrap();
                prop_assert_eq!((faults.orphans, faults.missing, faults.wrong_width), (0, 0, 0), "after {:?}", step);
            }
            s.assert_vectors_current();
            embed(&s.store, EmbedTranscripts::All, made_vector);
            let model = Model { name: MODEL.to_owned(), width: 8 };
            let coverage = s.store.coverage(&model, EmbedTranscripts::All, NOW).unwrap();
            prop_assert_eq!(coverage.embedded, coverage.eligible);
            s.assert_vectors_current();
        }
    }
}
