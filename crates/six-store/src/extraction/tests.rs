use std::collections::BTreeSet;

use six_core::curate::{DropReason, Wording};
use six_core::effect::Effect;
use six_core::event::Link;
use six_core::ingest::{Batch, Mode, TreePart};
use six_core::record::{Boundary, Edge, Entry, EntryKind, EventId, HookName};

use super::*;
use crate::testkit::*;

const MANY: usize = 1 << 20;

fn session() -> SessionId {
    SessionId::new("s1")
}

fn said(mut entry: Entry) -> Entry {
    entry.session = Some(session());
    if entry.kind == EntryKind::Answer {
        entry.origin = Origin::Agent;
    }
    entry
}

fn commit(s: &Scratch, entries: Vec<Entry>) {
    let entries = entries.into_iter().map(said).collect();
    s.store.commit(&batch(Source::Transcript, "t", Mode::Append, entries)).unwrap();
}

fn turns(unread: &Unread) -> Vec<&str> {
    unread.messages.iter().map(|(_, message)| message.turn.as_str()).collect()
}

fn candidate(id: &str, turn: &str) -> Record {
    Record {
        session: Some(session()),
        turn: Some(turn.to_owned()),
        ..record(id, RecordKind::Decision, RecordState::Pending, "queue in memory", "")
    }
}

fn sighting(record: &str, turn: &str) -> Sighting {
    Sighting {
        record: RecordId::new(record),
        turn: turn.to_owned(),
        session: Some(session()),
        origin: Origin::Agent,
        quote: text("the queue is in memory"),
        at: NOW,
    }
}

fn extracted(candidates: Vec<Record>, sightings: Vec<Sighting>) -> Extracted {
    Extracted { candidates, sightings, dropped: [(DropReason::Question, 2)].into() }
}

fn read_on(s: &Scratch, extracted: &Extracted) -> Option<Attached> {
    let unread = s.store.gather_unread(&session(), MANY).unwrap().unwrap();
    s.store.apply_extraction(&session(), unread.reading, extracted, 1, NOW).unwrap()
}

fn histories(s: &Scratch, id: &str) -> Vec<String> {
    let mut stmt = s
        .store
        .conn
        .prepare(
            "SELECT state_to || ' ' || author || ' ' || reason FROM record_history WHERE record_id = ?1 ORDER BY id",
        )
        .unwrap();
    stmt.query_map([id], |row| row.get(0)).unwrap().map(rusqlite::Result::unwrap).collect()
}

fn seen_turns(s: &Scratch, id: &str) -> Vec<String> {
    let seen = sighting::of_record(&s.store.conn, &RecordId::new(id)).unwrap();
    seen.into_iter().map(|seen| seen.turn).collect()
}

fn drops(s: &Scratch) -> i64 {
    s.store.conn.query_row("SELECT ifnull(sum(count), 0) FROM extraction_drop", [], |row| row.get(0)).unwrap()
}

#[test]
fn prompts_and_answers_are_messages_and_nothing_else_is() {
    let s = Scratch::new();
    let of_kind = |kind, key: &str| entry(Source::Transcript, kind, key, key);
    commit(
        &s,
        vec![
            prompt("u1", "why?"),
            answer("u2", "because"),
            of_kind(EntryKind::Tool, "u3"),
            of_kind(EntryKind::Subagent, "u4"),
            of_kind(EntryKind::Summary, "u5"),
            answer("u2#1", "and so"),
        ],
    );
    let unread = s.store.gather_unread(&session(), MANY).unwrap().unwrap();
    assert_eq!(turns(&unread), ["u1", "u2", "u2#1"]);
    assert_eq!(unread.messages[0].1.speaker, Speaker::Operator);
    assert_eq!(unread.messages[1].1.speaker, Speaker::Agent);
    assert_eq!((unread.before, unread.pending), (None, 0));
    assert_eq!(s.store.gather_unread(&SessionId::new("s9"), MANY).unwrap(), None);
}

#[test]
fn what_was_read_is_not_read_again_and_the_answer_before_it_is_there_to_be_objected_to() {
    let s = Scratch::new();
    commit(&s, vec![prompt("u1", "why?"), answer("u2", "because")]);
    let done = read_on(&s, &extracted(vec![candidate("r1", "u2")], vec![])).unwrap();
    assert_eq!(done, Attached { candidates: 1, sightings: 0 });
    assert_eq!(s.store.gather_unread(&session(), MANY).unwrap(), None);
    commit(&s, vec![prompt("u3", "no")]);
    let unread = s.store.gather_unread(&session(), MANY).unwrap().unwrap();
    assert_eq!((turns(&unread), unread.pending), (vec!["u3"], 1));
    assert_eq!(unread.before.map(|said| said.turn), Some("u2".to_owned()));
}

#[test]
fn a_session_is_read_in_pieces_and_a_message_that_is_larger_is_a_piece() {
    let s = Scratch::new();
    commit(&s, vec![prompt("u1", "aaaa"), answer("u2", "bbbb"), answer("u3", &"c".repeat(99)), answer("u4", "d")]);
    let mut pieces = Vec::new();
    while let Some(unread) = s.store.gather_unread(&session(), 8).unwrap() {
        pieces.push(turns(&unread).join(" "));
        s.store.apply_extraction(&session(), unread.reading, &Extracted::default(), 1, NOW).unwrap().unwrap();
    }
    assert_eq!(pieces, ["u1 u2", "u3", "u4"]);
}

#[test]
fn of_two_processes_that_read_the_same_one_writes() {
    let s = Scratch::new();
    commit(&s, vec![prompt("u1", "why?")]);
    let unread = s.store.gather_unread(&session(), MANY).unwrap().unwrap();
    let found = extracted(vec![candidate("r1", "u1")], vec![]);
    let apply = |found| s.store.apply_extraction(&session(), unread.reading, found, 1, NOW).unwrap();
    assert_eq!(apply(&found).map(|done| done.candidates), Some(1));
    assert_eq!(apply(&extracted(vec![candidate("r2", "u1")], vec![])), None);
    assert_eq!(s.store.gather_known().unwrap().len(), 1);
    assert_eq!(drops(&s), 2, "and counts");
}

#[test]
fn what_is_there_already_is_not_touched_and_is_no_evidence_of_itself() {
    let s = Scratch::new();
    let judged = Record { title: text("edited"), state: RecordState::Rejected, ..candidate("r1", "u1") };
    s.store.add_record(&judged, "operator").unwrap();
    commit(&s, vec![prompt("u1", "why?"), answer("u2", "so")]);
    let sightings = vec![sighting("r1", "u1"), sighting("r1", "u2"), sighting("gone", "u2")];
    let done = read_on(&s, &extracted(vec![candidate("r1", "u1")], sightings)).unwrap();
    assert_eq!(done, Attached { candidates: 0, sightings: 1 });
    let known = s.store.gather_known().unwrap();
    assert_eq!((known[0].title.as_str(), known[0].state), ("edited", RecordState::Rejected));
    assert_eq!(seen_turns(&s, "r1"), ["u2"]);
}

#[test]
fn history_is_not_followed_and_a_session_that_ends_under_six_is() {
    let s = Scratch::new();
    commit(&s, vec![prompt("u1", "why?")]);
    assert_eq!(s.store.sessions_to_extract().unwrap(), []);
    assert_eq!((s.store.unread_messages(None).unwrap(), s.store.unread_messages(Some(&session())).unwrap()), (0, 1));
    assert_eq!(s.store.sessions_with_messages().unwrap(), [session()]);

    let beat = heartbeat("e1", HookName::SessionEnd);
    s.store.open_heartbeat(&beat).unwrap();
    let end = Boundary { session: session(), edge: Edge::End, detail: text("other"), at: NOW };
    s.store.apply(&EventId::new("e1"), &[Effect::Boundary(end)], NOW).unwrap();
    assert_eq!(s.store.sessions_to_extract().unwrap(), [session()]);
    assert_eq!(s.store.unread_messages(None).unwrap(), 1);
    assert!(s.store.is_extraction_left(1).unwrap());
    assert!(!s.store.is_extraction_left(0).unwrap(), "there is no room for candidates");
    read_on(&s, &Extracted::default()).unwrap();
    assert_eq!(s.store.sessions_to_extract().unwrap(), []);
    assert_eq!(s.store.unread_messages(None).unwrap(), 0);
    assert!(!s.store.is_extraction_left(1).unwrap());
}

#[test]
fn what_comes_from_elsewhere_is_no_message_in_whatever_place_it_stands() {
    let s = Scratch::new();
    let from = |origin, entry: Entry| Entry { origin, session: Some(session()), ..entry };
    let entries = vec![
        from(Origin::Import, prompt("u1", "we decided to keep the outbox")),
        from(Origin::Tool, answer("u2", "we decided to drop the outbox")),
        from(Origin::Operator, prompt("u3", "why?")),
    ];
    s.store.commit(&batch(Source::Transcript, "t", Mode::Append, entries)).unwrap();
    let unread = s.store.gather_unread(&session(), MANY).unwrap().unwrap();
    assert_eq!(turns(&unread), ["u3"]);
}

#[test]
fn frequencies_are_those_of_the_index() {
    let s = Scratch::new();
    s.store.commit(&doc_batch("a.md", "retry with jitter\nretry at once")).unwrap();
    let found = s.store.gather_frequencies(&BTreeSet::from(["retri", "jitter", "none"])).unwrap();
    assert_eq!(found.corpus, 2);
    assert_eq!(
        found.df.into_iter().collect::<Vec<_>>(),
        [("jitter".into(), 1), ("none".into(), 0), ("retri".into(), 2)]
    );
}

/// Records `links` of the transcript, child and parent, with the last leaf.
fn grow(s: &Scratch, entries: Vec<Entry>, links: &[(&str, Option<&str>)], leaf: &str) {
    let link = |(uuid, parent): &(&str, Option<&str>)| Link {
        uuid: (*uuid).to_owned(),
        parent: parent.map(str::to_owned),
        is_prompt: uuid.starts_with('p'),
    };
    let tree = TreePart { links: links.iter().map(link).collect(), leaf: Some(leaf.to_owned()), is_last: true };
    let entries = entries.into_iter().map(said).collect();
    s.store.commit(&Batch { tree: Some(tree), ..batch(Source::Transcript, "t", Mode::Append, entries) }).unwrap();
}

#[test]
fn a_turn_that_was_taken_back_ends_its_candidate_unless_another_says_the_same() {
    let s = Scratch::new();
    let first = vec![prompt("p1", "start"), answer("a1", "hello"), prompt("p2", "x"), answer("a2", "y")];
    let links = [("p1", None), ("a1", Some("p1")), ("p2", Some("a1")), ("a2", Some("p2"))];
    grow(&s, first, &links, "a2");
    let found = vec![candidate("r1", "a2"), candidate("r2", "a2"), candidate("r3", "a2"), candidate("r4", "a1")];
    read_on(&s, &extracted(found, vec![sighting("r2", "a1")])).unwrap();
    s.store.set_state("r3", RecordState::Confirmed, "operator", NOW).unwrap();
    let wording = Wording { title: text("memory holds the queue"), body: text("") };
    assert!(s.store.reword(&s.store.record("r1").unwrap(), &wording, "made-up:3b", NOW).unwrap());
    assert_eq!(s.store.expire_abandoned(&session(), NOW).unwrap(), 0);

    grow(&s, vec![prompt("p3", "other"), answer("a3", "z")], &[("p3", Some("a1")), ("a3", Some("p3"))], "a3");
    let unread = s.store.gather_unread(&session(), MANY).unwrap().unwrap();
    assert_eq!(turns(&unread), ["p3", "a3"]);
    assert_eq!(s.store.expire_abandoned(&session(), NOW).unwrap(), 1);
    let state = |id: &str| s.store.record(id).unwrap().state;
    assert_eq!(state("r1"), RecordState::Expired);
    assert_eq!(["r2", "r3", "r4"].map(state), [RecordState::Pending, RecordState::Confirmed, RecordState::Pending]);
    assert_eq!(histories(&s, "r1")[2], "expired rule the turn that it came from was taken back");
}

#[test]
fn a_piece_that_was_left_behind_whole_is_passed_over() {
    let s = Scratch::new();
    let first = vec![prompt("p1", "start"), answer("a1", "hello"), prompt("p2", "x"), answer("a2", "y")];
    let links = [("p1", None), ("a1", Some("p1")), ("p2", Some("a1")), ("a2", Some("p2"))];
    grow(&s, first, &links, "a2");
    grow(&s, vec![], &[("p3", Some("a1"))], "p3");
    let unread = s.store.gather_unread(&session(), 5).unwrap().unwrap();
    assert_eq!(turns(&unread), ["p1"]);
    s.store.apply_extraction(&session(), unread.reading, &Extracted::default(), 1, NOW).unwrap();
    let unread = s.store.gather_unread(&session(), 5).unwrap().unwrap();
    assert_eq!(turns(&unread), ["a1"]);
    s.store.apply_extraction(&session(), unread.reading, &Extracted::default(), 1, NOW).unwrap();
    assert_eq!(s.store.gather_unread(&session(), 5).unwrap(), None);
}

#[test]
fn what_nobody_said_again_for_long_enough_expires_and_what_somebody_did_waits() {
    let s = Scratch::new();
    commit(&s, vec![prompt("u1", "why?")]);
    let later = |days: i64| UnixMs(NOW.0 + days * UnixMs::DAY_MS);
    let old = |id: &str| Record { created: later(-400), ..candidate(id, "u1") };
    let again = Sighting { at: later(20), ..sighting("r2", "u9") };
    read_on(&s, &extracted(vec![old("r1"), old("r2")], vec![again])).unwrap();
    let expire = |days| s.store.expire_unseen(later(days - 30), "30 days", later(days)).unwrap();
    assert_eq!(expire(30), 0, "it waits from when it was found, whenever it was said");
    assert_eq!(expire(31), 1);
    assert_eq!(s.store.record("r1").unwrap().state, RecordState::Expired);
    assert_eq!(histories(&s, "r1"), ["pending extraction ", "expired rule 30 days"]);
    assert_eq!((expire(50), expire(51)), (0, 1));
}

#[test]
fn a_merged_candidate_is_evidence_of_the_other_and_brings_its_own() {
    let s = Scratch::new();
    commit(&s, vec![prompt("u1", "why?")]);
    let found = vec![candidate("r1", "u1"), candidate("r2", "u2"), candidate("r3", "u3")];
    read_on(&s, &extracted(found, vec![sighting("r2", "u4"), sighting("r2", "u1")])).unwrap();
    let merge = |id: &str, into: &str| {
        s.store.merge_candidate(&RecordId::new(id), &RecordId::new(into), "says the same as r1", NOW).unwrap()
    };
    assert!(merge("r2", "r1"));
    assert_eq!(seen_turns(&s, "r1"), ["u2", "u4"]);
    assert_eq!(s.store.record("r2").unwrap().state, RecordState::Expired);
    assert_eq!(histories(&s, "r2")[1], "expired rule says the same as r1");
    assert!(!merge("r2", "r1"), "it is none any more");
    assert!(!merge("r3", "r2"), "nothing is merged into what ended");

    s.store.set_state("r3", RecordState::Rejected, "operator", NOW).unwrap();
    s.store.set_state("r3", RecordState::Pending, "operator", NOW).unwrap();
    assert!(!merge("r3", "r1"), "a person has had a hand in it");
    assert_eq!(s.store.untouched_candidates(9).unwrap().len(), 1);
    let reject = |id: &str| {
        let refused = RecordId::new("r9");
        s.store.reject_candidate(&RecordId::new(id), &refused, "says the same as r9, which was rejected", NOW).unwrap()
    };
    s.store.add_record(&Record { turn: None, ..candidate("r9", "u9") }, "operator").unwrap();
    assert!(!reject("r1"), "what it is refused for is no longer refused");
    s.store.set_state("r9", RecordState::Rejected, "operator", NOW).unwrap();
    assert!(!reject("r3"));
    assert!(reject("r1"));
    assert_eq!(histories(&s, "r1")[1], "rejected rule says the same as r9, which was rejected");
}
