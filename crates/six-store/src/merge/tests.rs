//! What comes along, what stays, what is one.

use proptest::prelude::*;
use six_core::curate::{self, Judge, Ruling, Sighting};
use six_core::effect::Effect;
use six_core::event::Link;
use six_core::ingest::{Batch, Mode, SessionSeen, StartTrace, TreePart};
use six_core::record::{
    Anchor, Entry, HookName, ItemId, Origin, Record, RecordEdit, RecordId, RecordKind, RecordState, SessionId, Source,
    Subsystem, SubsystemId, SubsystemState, UnixMs,
};

use super::*;
use crate::testkit::*;

fn renamed(id: &str) -> String {
    format!("{id}-merged")
}

/// Merges, checks that the plan foretold it, that the store is whole, and that a second merge adds nothing.
fn merge(here: &Scratch, other: &Scratch) -> Merged {
    let planned = here.store.plan_merge(&other.store, &renamed).unwrap();
    let merged = here.store.merge(&other.store, &renamed, NOW).unwrap();
    assert_eq!(planned, merged);
    here.assert_whole();
    let (entries, chunks) = (count(here, "entry"), count(here, "chunk"));
    let again = here.store.merge(&other.store, &renamed, NOW).unwrap();
    for taken in [again.records, again.threads, again.subsystems, again.entries, again.files, again.sessions] {
        assert_eq!(taken.new, 0, "{again:?}");
    }
    assert_eq!((count(here, "entry"), count(here, "chunk")), (entries, chunks));
    here.assert_whole();
    merged
}

fn count(s: &Scratch, table: &str) -> i64 {
    s.store.conn.query_row(&format!("SELECT count(*) FROM {table}"), [], |row| row.get(0)).unwrap()
}

fn hits(s: &Scratch, words: &str) -> usize {
    s.store.search(&query(words)).unwrap().hits.len()
}

fn decision(id: &str, state: RecordState, title: &str) -> six_core::record::Record {
    record(id, RecordKind::Decision, state, title, "")
}

#[test]
fn what_the_other_store_knows_is_found_here_and_what_is_here_stays() {
    let (here, other) = (Scratch::new(), Scratch::new());
    here.store.commit(&doc_batch("README.md", "harbour of this folder")).unwrap();
    other.store.commit(&doc_batch("README.md", "harbour of the other folder")).unwrap();
    other.store.commit(&doc_batch("piers.md", "piers on oak piles\npiers on oak piles")).unwrap();
    let merged = merge(&here, &other);
    assert_eq!((merged.entries, merged.files), (Taken { new: 1, known: 1 }, Taken { new: 1, known: 1 }));
    assert_eq!((hits(&here, "piers"), hits(&here, "harbour")), (1, 1));
    assert_eq!(hits(&here, "other"), 0, "an equal key is the one that is here");
    assert_eq!(hits(&other, "piers"), 1, "the other store stays as it was");
}

#[test]
fn reading_the_files_again_adds_nothing() {
    let (here, other) = (Scratch::new(), Scratch::new());
    let talk = transcript("/t/1.jsonl", &[("p", "u1"), ("a", "u2")], 80);
    let piers = doc_batch("piers.md", "piers on oak piles");
    other.store.commit(&talk).unwrap();
    other.store.commit(&piers).unwrap();
    merge(&here, &other);
    for (source, path) in [(Source::Transcript, "/t/1.jsonl"), (Source::Doc, "piers.md")] {
        let hash = file(source, path).path_hash;
        let ours = here.store.file_state(source, &hash).unwrap();
        assert!(ours.is_some());
        assert_eq!(ours, other.store.file_state(source, &hash).unwrap());
    }
    let (entries, chunks) = (count(&here, "entry"), count(&here, "chunk"));
    for batch in [&talk, &piers] {
        assert_eq!(here.store.commit(batch).unwrap().entries, 0);
    }
    assert_eq!((count(&here, "entry"), count(&here, "chunk")), (entries, chunks));
}

/// A transcript of a session of the file's name, in which every record follows the one before.
fn transcript(path: &str, said: &[(&str, &'static str)], consumed: u64) -> Batch {
    let mut batch = batch(Source::Transcript, path, Mode::Append, Vec::new());
    batch.file.consumed_bytes = consumed;
    let mut links: Vec<Link<String>> = Vec::new();
    for (kind, uuid) in said {
        let text = format!("said {uuid}");
        let mut entry: Entry = if *kind == "p" { prompt(uuid, &text) } else { answer(uuid, &text) };
        entry.session = Some(SessionId::new(path));
        batch.entries.push(entry);
        let parent = links.last().map(|link| link.uuid.clone());
        links.push(Link { uuid: (*uuid).to_owned(), parent, is_prompt: *kind == "p" });
    }
    let leaf = links.last().map(|link| link.uuid.clone());
    batch.tree = Some(TreePart { links, leaf, is_last: true });
    batch.sessions = vec![SessionSeen {
        id: SessionId::new(path),
        first: Some(NOW),
        last: Some(UnixMs(NOW.0 + 9)),
        client: "2.0".to_owned(),
        entrypoint: "cli".to_owned(),
        prompts: 1,
        start: StartTrace::Nothing,
    }];
    batch
}

#[test]
fn of_a_transcript_that_both_have_read_the_longer_reading_counts() {
    let short = [("p", "u1"), ("a", "u2")];
    let long = [("p", "u1"), ("a", "u2"), ("p", "u3"), ("a", "u4")];
    for (ours, theirs) in [(&short[..], &long[..]), (&long, &short)] {
        let (here, other) = (Scratch::new(), Scratch::new());
        here.store.commit(&transcript("t", ours, ours.len() as u64)).unwrap();
        other.store.commit(&transcript("t", theirs, theirs.len() as u64)).unwrap();
        merge(&here, &other);
        let hash = file(Source::Transcript, "t").path_hash;
        assert_eq!(here.store.file_state(Source::Transcript, &hash).unwrap().unwrap().consumed_bytes, 4);
        assert_eq!(count(&here, "entry"), 4);
        let links = crate::table::transcript_tree::of_file(&here.store.conn, 1).unwrap();
        assert_eq!(links.len(), 4);
        let prompts: i64 = here.store.conn.query_row("SELECT prompts FROM session", [], |row| row.get(0)).unwrap();
        assert_eq!(prompts, 1, "one session is counted once");
    }
}

#[test]
fn one_that_was_interrupted_in_a_file_goes_on_also_when_the_file_was_read_meanwhile() {
    let talk = transcript("t", &[("p", "u1"), ("a", "u2"), ("p", "u3")], 9);
    for is_read_meanwhile in [false, true] {
        let (here, other) = (Scratch::new(), Scratch::new());
        other.store.commit(&talk).unwrap();
        let mut begun = talk.clone();
        begun.entries.truncate(1);
        (begun.tree, begun.sessions) = (None, Vec::new());
        begun.file.consumed_bytes = 0;
        here.store.commit(&begun).unwrap();
        if is_read_meanwhile {
            here.store.commit(&talk).unwrap();
        }
        merge(&here, &other);
        assert_eq!(count(&here, "entry"), 3);
        assert_eq!(
            here.store.file_states(Source::Transcript).unwrap(),
            other.store.file_states(Source::Transcript).unwrap()
        );
        assert_eq!(crate::table::transcript_tree::of_file(&here.store.conn, 1).unwrap().len(), 3);
    }
}

#[test]
fn a_branch_that_was_left_behind_comes_along_as_that() {
    let (here, other) = (Scratch::new(), Scratch::new());
    let mut talk = transcript("t", &[("p", "u1"), ("a", "u2"), ("p", "u3"), ("p", "u4")], 9);
    if let Some(tree) = &mut talk.tree {
        tree.links[3].parent = Some("u2".to_owned());
    }
    other.store.commit(&talk).unwrap();
    merge(&here, &other);
    let label = |s: &Scratch| s.store.search(&query("u3")).unwrap().hits[0].label.clone();
    assert_eq!(label(&here), "abandoned branch");
    assert_eq!(label(&here), label(&other));
}

#[test]
fn what_one_file_left_behind_stays_live_where_a_fork_goes_on_with_it() {
    let (here, other) = (Scratch::new(), Scratch::new());
    let talk = [("p", "u1"), ("a", "u2"), ("p", "u3"), ("p", "u4")];
    let mut rewound = transcript("t", &talk, 9);
    if let Some(tree) = &mut rewound.tree {
        tree.links[3].parent = Some("u2".to_owned());
    }
    other.store.commit(&rewound).unwrap();
    other.store.commit(&transcript("fork", &talk[..3], 9)).unwrap();
    merge(&here, &other);
    for s in [&here, &other] {
        assert_eq!((count(s, "entry WHERE abandoned = 1"), count(s, "entry_holder")), (0, 3));
    }
}

#[test]
fn records_come_with_their_state_history_anchors_thread_and_successor() {
    let (here, other) = (Scratch::new(), Scratch::new());
    let thread = thread("t1", "piers");
    other.store.add_thread(&thread).unwrap();
    let mut old = decision("old", RecordState::Confirmed, "piers of iron");
    old.thread = Some(thread.id.clone());
    old.anchors = vec![Anchor {
        lines: Some((3, 9)),
        hash: Some("h".to_owned()),
        commit: Some("c".to_owned()),
        branch: Some(text("main")),
        ..Anchor::of_path(text("src/pier.rs"))
    }];
    other.store.add_record(&old, "operator").unwrap();
    other.store.add_record(&decision("new", RecordState::Pending, "piers of oak"), "agent").unwrap();
    other.store.set_state("new", RecordState::Confirmed, "operator", UnixMs(NOW.0 + 1)).unwrap();
    let (old, new, later) = (RecordId::new("old"), RecordId::new("new"), UnixMs(NOW.0 + 2));
    other.store.supersede(&old, &new, Origin::Operator, &text("oak lasts"), None, later).unwrap();
    let sub = Subsystem {
        id: SubsystemId::new("sub"),
        name: text("Quay"),
        purpose: text("holds the piers"),
        paths: vec![text("src/quay.rs")],
        entry_points: vec![text("quay::open")],
        source_path: None,
        state: SubsystemState::Live,
        origin: Origin::Operator,
        created: NOW,
    };
    other.store.add_subsystem(&sub).unwrap();
    let merged = merge(&here, &other);
    assert_eq!((merged.records.new, merged.threads.new, merged.subsystems.new), (2, 1, 1));
    assert!(merged.renamed.is_empty());
    for id in ["old", "new"] {
        assert_eq!(here.store.record(id).unwrap(), other.store.record(id).unwrap());
    }
    assert_eq!(here.store.threads().unwrap(), [thread]);
    assert_eq!(here.store.subsystems().unwrap(), [sub]);
    assert_eq!(count(&here, "record_history"), count(&other, "record_history"));
    assert_eq!((hits(&here, "oak"), hits(&here, "iron"), hits(&here, "quay")), (1, 0, 1));
}

#[test]
fn the_history_says_the_same_here_and_names_what_it_names_by_its_id_here() {
    let (here, other) = (Scratch::new(), Scratch::new());
    here.store.add_thread(&thread("t1", "hulls")).unwrap();
    let (piers, quays) = (thread("t1", "piers"), thread("t2", "quays"));
    for thread in [&piers, &quays] {
        other.store.add_thread(thread).unwrap();
    }
    let new = Record { thread: Some(piers.id.clone()), ..decision("r", RecordState::Confirmed, "piers of oak") };
    other.store.add_record(&new, "operator").unwrap();
    let edit = RecordEdit {
        title: Some(text("piers of elm")),
        evidence: Some(text("a year in the water")),
        commits: Some(vec![String::from("0a1b2c3")]),
        ..RecordEdit::default()
    };
    other.store.edit_record(&new.id, &edit, Origin::Operator, &text("oak rots"), None, UnixMs(NOW.0 + 1)).unwrap();
    let later = UnixMs(NOW.0 + 2);
    other.store.merge_threads(&piers.id, &quays.id, Origin::Operator, &text("one matter"), later).unwrap();
    let seen = Sighting {
        record: new.id.clone(),
        turn: String::from("u7"),
        session: None,
        origin: Origin::Agent,
        quote: text("elm it is"),
        at: NOW,
    };
    other.store.write(|conn| Ok(crate::table::sighting::insert(conn, &seen, None)?)).unwrap();
    for _ in 0..2 {
        merge(&here, &other);
    }
    let (ours, theirs) = (here.store.whole_record(&new.id).unwrap(), other.store.whole_record(&new.id).unwrap());
    assert_eq!((&ours.record, &ours.thread, &ours.sightings), (&theirs.record, &theirs.thread, &vec![seen]));
    let told = |whole: &crate::WholeRecord| -> Vec<String> {
        let changes = whole.history.iter().map(|step| &step.change);
        changes.map(|c| format!("{} {} {}", c.author, c.reason, serde_json::to_string(&c.before).unwrap())).collect()
    };
    assert_eq!(told(&ours)[..2], told(&theirs)[..2]);
    assert_eq!(told(&theirs)[2], r#"operator one matter {"thread":"t1"}"#);
    assert_eq!(told(&ours)[2], r#"operator one matter {"thread":"t1-merged"}"#);
    assert_eq!(here.store.thread("piers").unwrap(), quays);
    assert_eq!(here.store.thread("hulls").unwrap().id.as_str(), "t1");
    assert_eq!(here.store.threads().unwrap().len(), 3);
}

#[test]
fn verdicts_that_were_given_together_can_be_taken_back_together_here() {
    let (here, other) = (Scratch::new(), Scratch::new());
    for (id, title) in [("oak", "piers of oak"), ("elm", "piers of elm")] {
        other.store.add_record(&decision(id, RecordState::Pending, title), "extraction").unwrap();
    }
    let rulings = r#"[{"id": "oak", "verdict": "confirm", "thread": "new:Piers"},
                      {"id": "elm", "verdict": "merge", "into": "oak"}]"#;
    let rulings: Vec<Ruling> = serde_json::from_str(rulings).unwrap();
    let agents = curate::Batch { id: "b1", judge: Judge::Agent, now: UnixMs(NOW.0 + 1) };
    other.store.apply_rulings(&rulings, agents, false).unwrap().unwrap();
    merge(&here, &other);
    assert_eq!(here.store.unseen_batches().unwrap(), other.store.unseen_batches().unwrap());
    assert_eq!((count(&here, "sighting"), count(&here, "thread"), hits(&here, "oak")), (1, 1, 1));
    here.store.undo_batch("b1", Judge::Operator, UnixMs(NOW.0 + 2)).unwrap().unwrap();
    for id in ["oak", "elm"] {
        assert_eq!(here.store.record(id).unwrap().state, RecordState::Pending, "{id}");
    }
    assert_eq!((count(&here, "sighting"), count(&here, "thread"), hits(&here, "oak")), (0, 0, 0));
}

#[test]
fn an_equal_record_is_one_and_of_different_ones_with_one_id_both_stay() {
    let (here, other) = (Scratch::new(), Scratch::new());
    for (s, title) in [(&here, "piers of oak"), (&other, "piers of iron")] {
        s.store.add_record(&decision("same", RecordState::Confirmed, "quays of stone"), "operator").unwrap();
        s.store.add_record(&decision("differs", RecordState::Confirmed, title), "operator").unwrap();
    }
    let mut follows = decision("follows", RecordState::Superseded, "piers of reed");
    follows.superseded_by = Some(RecordId::new("differs"));
    other.store.add_record(&follows, "operator").unwrap();
    let merged = merge(&here, &other);
    assert_eq!(merged.records, Taken { new: 2, known: 1 });
    assert_eq!(merged.renamed, [("differs".to_owned(), "differs-merged".to_owned())]);
    let title = |id: &str| here.store.record(id).unwrap().title.to_string();
    assert_eq!((title("differs"), title("differs-merged")), ("piers of oak".to_owned(), "piers of iron".to_owned()));
    let follows = here.store.record("follows").unwrap();
    assert_eq!(follows.superseded_by, Some(RecordId::new("differs-merged")));
    assert_eq!((hits(&here, "oak"), hits(&here, "iron"), hits(&here, "stone")), (1, 1, 1));
}

#[test]
fn telemetry_stays_behind_and_nobody_is_blamed_for_it() {
    let (here, other) = (Scratch::new(), Scratch::new());
    let beat = heartbeat("e1", HookName::UserPromptSubmit);
    other.store.open_heartbeat(&beat).unwrap();
    let deliver = Effect::Deliver { session: SessionId::new("t"), items: vec![ItemId::new("decision:r")], at: NOW };
    other.store.apply(&beat.id, &[deliver], NOW).unwrap();
    let start = six_core::record::Boundary {
        session: SessionId::new("s0"),
        edge: six_core::record::Edge::End,
        detail: text("other"),
        at: UnixMs(NOW.0 - 9),
    };
    here.store.replay(&heartbeat("e2", HookName::SessionEnd), &[Effect::Boundary(start)]).unwrap();
    other.store.commit(&transcript("t", &[("p", "u1")], 5)).unwrap();
    merge(&here, &other);
    assert_eq!((count(&here, "heartbeat"), count(&here, "delivery")), (1, 0));
    let later = UnixMs(NOW.0 + 99);
    assert!(here.store.gather_unseen_sessions(later).unwrap().is_empty());
    assert!(
        here.store
            .gather_hooks(&watch(later, &|_| crate::Process::Gone))
            .unwrap()
            .iter()
            .all(|hook| hook.due == hook.called)
    );
}

#[test]
fn what_was_redacted_under_older_rules_is_redacted_anew_here() {
    let (here, other) = (Scratch::new(), Scratch::new());
    other.store.commit(&doc_batch("piers.md", "piers on oak piles")).unwrap();
    other.store.set_meta("redaction_version", "1").unwrap();
    assert!(here.store.redaction_is_current().unwrap());
    merge(&here, &other);
    assert!(!here.store.redaction_is_current().unwrap());
}

/// Which of a few keys a store holds: transcript records by file, documents, records.
#[derive(Debug, Clone)]
struct Held {
    talks: Vec<(u8, u8)>,
    docs: Vec<(u8, u8)>,
    records: Vec<(u8, u8)>,
}

fn held() -> impl Strategy<Value = Held> {
    let pairs = || prop::collection::vec((0_u8..4, 1_u8..4), 0..5);
    (pairs(), pairs(), pairs()).prop_map(|(talks, docs, records)| Held { talks, docs, records })
}

fn store_of(held: &Held) -> Scratch {
    const UUIDS: [&str; 6] = ["v0", "v1", "v2", "v3", "v4", "v5"];
    let s = Scratch::new();
    for (n, len) in &held.talks {
        let lines: Vec<(&str, &'static str)> =
            UUIDS.iter().skip(usize::from(*n % 2)).take(usize::from(*len)).map(|uuid| ("p", *uuid)).collect();
        s.store.commit(&transcript(&format!("talk{n}"), &lines, u64::from(*len))).unwrap();
    }
    for (n, words) in &held.docs {
        s.store.commit(&doc_batch(&format!("doc{n}"), &format!("pier {words}\nquay {words}"))).unwrap();
    }
    for (n, words) in &held.records {
        let state = if words % 2 == 0 { RecordState::Pending } else { RecordState::Confirmed };
        s.store.add_record(&decision(&format!("r{n}"), state, &format!("pier {words}")), "operator").unwrap();
    }
    s
}

fn keys(s: &Scratch, sql: &str) -> std::collections::BTreeSet<String> {
    let mut stmt = s.store.conn.prepare(sql).unwrap();
    stmt.query_map([], |row| row.get(0)).unwrap().map(Result::unwrap).collect()
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 32, failure_persistence: None, ..ProptestConfig::default() })]

    #[test]
    fn whatever_both_hold_the_merged_store_is_whole_and_holds_every_key_once(ours in held(), theirs in held()) {
        let (here, other) = (store_of(&ours), store_of(&theirs));
        let sql = "SELECT source || ' ' || key FROM entry WHERE source <> 'record'";
        let mut wanted = keys(&here, sql);
        wanted.extend(keys(&other, sql));
        let records = count(&here, "record");
        let merged = merge(&here, &other);
        prop_assert_eq!(keys(&here, sql), wanted);
        prop_assert_eq!(count(&here, "record"), records + i64::try_from(merged.records.new).unwrap());
    }
}
