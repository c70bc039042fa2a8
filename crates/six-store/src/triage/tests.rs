use chrono::FixedOffset;
use proptest::prelude::*;
use rusqlite::types::Value;
use six_core::curate::{Inbox, Judge, TriageVerdict};
use six_core::effect::Effect;
use six_core::ingest::Mode;
use six_core::inject::{Emission, Limits, Receipt, judge_intents, prompt_terms};
use six_core::record::{
    Author, HookName, Origin, Record, RecordId, RecordKind, RecordState, SessionId, Source, ThreadId, UnixMs,
};

use super::*;
use crate::testkit::*;

const TABLES: [(&str, &str); 9] = [
    ("record", "id"),
    ("anchor", "record_id, ordinal"),
    ("sighting", "record_id, turn"),
    ("thread", "id"),
    ("term", "term"),
    ("(SELECT source, key, kind, origin, path, at_unix_ms, title, text FROM entry)", "source, key"),
    ("(SELECT hash, weight, scope, title, handles FROM body)", "hash"),
    ("(SELECT e.key, c.start_bytes, c.end_bytes FROM chunk c JOIN entry e ON e.id = c.entry_id)", "key, start_bytes"),
    ("(SELECT * FROM meta WHERE key IN ('bodies', 'chunks', 'text_bytes'))", "key"),
];

/// All that a verdict may touch, but for the history and the batches, which only grow.
fn all_rows(s: &Scratch) -> Vec<Vec<Value>> {
    let rows = |(table, order): &(&str, &str)| {
        let mut stmt = s.store.conn.prepare(&format!("SELECT * FROM {table} ORDER BY {order}")).unwrap();
        let columns = stmt.column_count();
        let rows = stmt.query_map([], |row| (0..columns).map(|n| row.get(n)).collect::<rusqlite::Result<Vec<_>>>());
        rows.unwrap().map(rusqlite::Result::unwrap).collect::<Vec<_>>()
    };
    TABLES.iter().flat_map(rows).collect()
}

fn rulings(json: &str) -> Vec<Ruling> {
    serde_json::from_str(json).unwrap()
}

fn batch(id: &str, judge: Judge) -> Batch<'_> {
    Batch { id, judge, now: UnixMs(NOW.0 + 1_000) }
}

fn apply(s: &Scratch, id: &str, json: &str) -> std::result::Result<JudgedBatch, Vec<RulingFault>> {
    s.store.apply_rulings(&rulings(json), batch(id, Judge::Operator), false).unwrap()
}

fn undo(s: &Scratch, id: &str) -> std::result::Result<Undone, NotUndone> {
    s.store.undo_batch(id, Judge::Operator, UnixMs(NOW.0 + 2_000)).unwrap()
}

fn inbox(s: &Scratch) -> Inbox {
    s.store.inbox(None, 50, FixedOffset::east_opt(0).unwrap()).unwrap()
}

fn add(s: &Scratch, id: &str, kind: RecordKind, state: RecordState, origin: Origin, title: &str) {
    let new = Record { origin, quote: text(title), ..record(id, kind, state, title, "because of the tide") };
    assert!(s.store.add_record(&new, origin.as_str()).unwrap());
}

/// Four candidates, one record in force, one that was rejected, a thread.
fn desk() -> Scratch {
    let s = Scratch::new();
    add(&s, "d1", RecordKind::Decision, RecordState::Pending, Origin::Operator, "keep the outbox of the relay");
    add(&s, "d2", RecordKind::Decision, RecordState::Pending, Origin::Agent, "the outbox of the relay is kept");
    add(&s, "d3", RecordKind::Decision, RecordState::Pending, Origin::Agent, "paint the lighthouse red");
    add(&s, "e1", RecordKind::DeadEnd, RecordState::Pending, Origin::Tool, "polling the pier");
    add(&s, "yes", RecordKind::Decision, RecordState::Confirmed, Origin::Operator, "moor at the quay");
    add(&s, "no", RecordKind::Decision, RecordState::Rejected, Origin::Agent, "sink the barge");
    s.store.add_thread(&thread("t-mail", "Mail")).unwrap();
    s
}

const WHOLE: &str = r#"[
    {"id": "d1", "verdict": "confirm", "title": "Keep the outbox", "thread": "new:Harbour", "reason": "still so"},
    {"id": "d2", "verdict": "merge", "into": "d1"},
    {"id": "d3", "verdict": "supersede", "by": "yes", "thread": "t-mail"},
    {"id": "e1", "verdict": "reject"}
]"#;

#[test]
fn what_is_confirmed_is_found_and_what_is_not_is_not() {
    let s = desk();
    let applied = apply(&s, "b1", WHOLE).unwrap();
    assert_eq!((applied.judged.len(), applied.opened.len()), (4, 1));
    let state = |id: &str| s.store.record(id).unwrap().state;
    assert_eq!(
        ["d1", "d2", "d3", "e1"].map(state),
        [RecordState::Confirmed, RecordState::Expired, RecordState::Superseded, RecordState::Rejected]
    );
    assert_eq!(s.store.search(&query("outbox")).unwrap().hits[0].title, "Keep the outbox");
    assert!(s.store.search(&query("lighthouse")).unwrap().hits.is_empty());
    let confirmed = s.store.record("d1").unwrap();
    assert_eq!(confirmed.validated, UnixMs(NOW.0 + 1_000));
    assert_eq!(confirmed.thread, Some(applied.opened[0].id.clone()));
    s.assert_whole();
}

#[test]
fn a_merged_candidate_is_evidence_and_no_part_of_a_story() {
    let s = desk();
    let further = r#"[{"id": "d3", "verdict": "merge", "into": "d2"}]"#;
    apply(&s, "b0", further).unwrap();
    apply(
        &s,
        "b1",
        r#"[{"id": "d1", "verdict": "confirm", "thread": "t-mail"}, {"id": "d2", "verdict": "merge", "into": "d1"}]"#,
    )
    .unwrap();
    let seen = s.store.read(|conn| Ok(sighting::of_record(conn, &RecordId::new("d1"))?)).unwrap();
    let turns: Vec<&str> = seen.iter().map(|one| one.turn.as_str()).collect();
    assert_eq!(turns, ["d2", "d3"], "what the merged one had as evidence goes with it");
    s.store.conn.execute("UPDATE record SET thread_id = 't-mail'", []).unwrap();
    let (story, _) = s.store.read(|conn| Ok(crate::table::record::story(conn, &ThreadId::new("t-mail"), 9)?)).unwrap();
    let told: Vec<&str> = story.iter().map(|one| one.title.as_str()).collect();
    assert_eq!(told, ["keep the outbox of the relay", "moor at the quay"]);
}

#[test]
fn one_bad_verdict_leaves_everything_as_it_was() {
    let s = desk();
    let before = all_rows(&s);
    let bad = WHOLE.replace(r#""id": "e1""#, r#""id": "yes""#);
    let faults = apply(&s, "b1", &bad).unwrap_err();
    assert_eq!(faults.iter().map(|fault| fault.id.as_str()).collect::<Vec<_>>(), ["yes"]);
    assert_eq!(all_rows(&s), before);
    assert_eq!(s.store.last_batch(Judge::Operator).unwrap(), None);
}

#[test]
fn a_dry_run_judges_and_changes_nothing() {
    let s = desk();
    let before = all_rows(&s);
    let judged = s.store.apply_rulings(&rulings(WHOLE), batch("b1", Judge::Operator), true).unwrap().unwrap();
    assert_eq!(judged.judged.len(), 4);
    assert_eq!(all_rows(&s), before);
    assert!(apply(&s, "b2", "[]").unwrap().judged.is_empty());
    assert_eq!(s.store.last_batch(Judge::Operator).unwrap(), None, "no verdicts are no batch");
}

#[test]
fn a_batch_that_is_taken_back_leaves_every_row_as_it_was_and_both_in_the_history() {
    let s = desk();
    let before = all_rows(&s);
    apply(&s, "b1", WHOLE).unwrap();
    assert_ne!(all_rows(&s), before);
    let undone = undo(&s, "b1").unwrap();
    assert_eq!((undone.records.len(), undone.kept.len()), (4, 0));
    assert_eq!(all_rows(&s), before);
    s.assert_whole();
    let history = s.store.read(|conn| Ok(record_history_of(conn, "d1"))).unwrap();
    assert_eq!(history, ["pending operator ", "confirmed operator still so", "pending operator batch b1 taken back"]);
    assert_eq!(undo(&s, "b1").unwrap_err(), NotUndone::Before(UnixMs(NOW.0 + 2_000)));
    apply(&s, "b2", WHOLE).unwrap();
    undo(&s, "b2").unwrap();
    assert_eq!(all_rows(&s), before);
}

fn record_history_of(conn: &Connection, id: &str) -> Vec<String> {
    let changes = crate::table::record_history::of_record(conn, &RecordId::new(id)).unwrap();
    changes.iter().map(|one| format!("{} {} {}", one.to.as_str(), one.author, one.reason)).collect()
}

#[test]
fn what_was_changed_since_is_not_taken_back_but_named() {
    let s = desk();
    apply(&s, "b1", WHOLE).unwrap();
    s.store.set_state("e1", RecordState::Confirmed, "operator", NOW).unwrap();
    apply(&s, "b2", "[]").unwrap();
    let before = all_rows(&s);
    let NotUndone::Changed(faults) = undo(&s, "b1").unwrap_err() else { panic!("another refusal") };
    assert_eq!(faults.iter().map(|fault| fault.id.as_str()).collect::<Vec<_>>(), ["e1"]);
    assert!(faults[0].why.starts_with("it was changed since, by operator at 20"), "{}", faults[0].why);
    assert_eq!(all_rows(&s), before);

    let s = desk();
    apply(&s, "b1", r#"[{"id": "d1", "verdict": "confirm"}]"#).unwrap();
    apply(&s, "b2", r#"[{"id": "d2", "verdict": "supersede", "by": "d1"}]"#).unwrap();
    let NotUndone::Changed(faults) = undo(&s, "b1").unwrap_err() else { panic!("another refusal") };
    assert_eq!(faults[0].why, "it has replaced d2 since");
    undo(&s, "b2").unwrap();
    undo(&s, "b1").unwrap();
}

#[test]
fn a_thread_that_others_use_by_now_stays() {
    let s = desk();
    let opened = apply(&s, "b1", r#"[{"id": "d1", "verdict": "confirm", "thread": "new:Harbour"}]"#).unwrap().opened;
    let id = opened[0].id.as_str();
    apply(&s, "b2", &format!(r#"[{{"id": "d3", "verdict": "confirm", "thread": "{id}"}}]"#)).unwrap();
    let undone = undo(&s, "b1").unwrap();
    assert_eq!(undone.kept, opened);
    assert_eq!(s.store.threads().unwrap().len(), 2);
}

#[test]
fn batches_are_named_by_the_beginning_of_their_ids_and_the_last_one_is_the_newest() {
    let s = desk();
    for (batch, id) in [("b1", "d1"), ("b2", "d3")] {
        apply(&s, batch, &format!(r#"[{{"id": "{id}", "verdict": "reject"}}]"#)).unwrap();
    }
    assert_eq!(s.store.last_batch(Judge::Operator).unwrap().as_deref(), Some("b2"));
    assert_eq!(undo(&s, "b").unwrap_err(), NotUndone::Several);
    assert_eq!((undo(&s, "c").unwrap_err(), undo(&s, "").unwrap_err()), (NotUndone::Unknown, NotUndone::Unknown));
    undo(&s, "b2").unwrap();
    assert_eq!(s.store.last_batch(Judge::Operator).unwrap().as_deref(), Some("b1"));
}

#[test]
fn an_agents_verdicts_wait_for_a_look_and_a_persons_are_not_its_to_take_back() {
    let s = desk();
    let one = |id: &str| rulings(&format!(r#"[{{"id": "{id}", "verdict": "confirm"}}]"#));
    assert!(s.store.apply_rulings(&one("e1"), batch("a0", Judge::Agent), false).unwrap().is_err());
    s.store.apply_rulings(&one("d1"), batch("a1", Judge::Agent), false).unwrap().unwrap();
    s.store.apply_rulings(&one("d2"), batch("p1", Judge::Operator), false).unwrap().unwrap();
    let unseen = s.store.unseen_batches().unwrap();
    assert_eq!(unseen.iter().map(|batch| batch.id.as_str()).collect::<Vec<_>>(), ["a1"]);
    assert_eq!(unseen[0].verdicts[0].1.author, Author::Agent);
    assert_eq!(s.store.last_batch(Judge::Agent).unwrap().as_deref(), Some("a1"));
    let undo = |id| s.store.undo_batch(id, Judge::Agent, NOW).unwrap();
    assert_eq!(undo("p1").unwrap_err(), NotUndone::OfOperator);
    s.store.mark_seen(&unseen, NOW).unwrap();
    assert!(s.store.unseen_batches().unwrap().is_empty());
    undo("a1").unwrap();
}

fn receipt(text_of: &str, session: &str, at: i64) -> Receipt {
    let limits = Limits::default();
    Receipt {
        session: SessionId::new(session),
        prompt_id: None,
        at: UnixMs(at),
        tool: None,
        prompt_hash: String::new(),
        head: text(text_of),
        mode: Emission::On,
        human: true,
        silenced: None,
        intents: judge_intents(text_of).into_found(),
        terms: prompt_terms(text_of, &limits),
        corpus: 0,
        compared: 0,
        candidates: Vec::new(),
        blocks: Vec::new(),
        degraded: Vec::new(),
        limits,
        stages_us: Vec::new(),
        took_us: 0,
    }
}

fn sent(s: &Scratch, event: &str, receipt: Receipt) {
    let beat = heartbeat(event, HookName::UserPromptSubmit);
    s.store.open_heartbeat(&beat).unwrap();
    s.store.apply(&beat.id, &[Effect::Receipt(Box::new(receipt))], NOW).unwrap();
}

#[test]
fn a_candidate_comes_with_all_that_helps_to_judge_it() {
    let s = desk();
    let said = "The relay lost mails. We keep the lantern beside the outbox. Now the queue.";
    s.store.commit(&batch_of(said)).unwrap();
    let new = Record {
        turn: Some("u1".to_owned()),
        quote: text("We keep the lantern beside the outbox."),
        ..record("d4", RecordKind::Decision, RecordState::Pending, "keep the lantern beside the outbox", "")
    };
    s.store.add_record(&new, "extraction").unwrap();
    for n in 0..7 {
        sent(&s, &format!("e{n}"), receipt("Build the lantern beside the outbox.", "s9", NOW.0 + n));
    }
    let mut tool = receipt("Build the lantern beside the outbox.", "s9", NOW.0 + 9);
    tool.tool = Some("Bash".to_owned());
    sent(&s, "e9", tool);
    let inbox = inbox(&s);
    assert_eq!((inbox.pending, inbox.items.len(), inbox.remaining_ms), (5, 5, 5 * 12_000));
    let first = &inbox.items[0];
    assert_eq!(first.record.id.as_str(), "d4");
    assert_eq!(first.neighbours, ("The relay lost mails.".to_owned(), "Now the queue.".to_owned()));
    assert_eq!((first.fired.len(), first.fired[0].at), (5, UnixMs(NOW.0 + 6)));
    let suggestion = first.suggestion.as_ref().unwrap();
    assert_eq!(
        (suggestion.verdict, suggestion.reason.as_str()),
        (TriageVerdict::Confirm, "would have been shown on 7 prompts lately")
    );
}

fn batch_of(said: &str) -> six_core::ingest::Batch {
    crate::testkit::batch(Source::Transcript, "t.jsonl", Mode::Append, vec![prompt("u1", said)])
}

#[test]
fn what_repeats_a_record_is_suggested_to_go_the_same_way() {
    let s = desk();
    add(&s, "r1", RecordKind::Decision, RecordState::Pending, Origin::Agent, "we sink the barge");
    add(&s, "m1", RecordKind::Decision, RecordState::Pending, Origin::Agent, "we moor at the quay");
    let inbox = inbox(&s);
    let suggested = |id: &str| {
        let item = inbox.items.iter().find(|item| item.record.id.as_str() == id).unwrap();
        let into = item.suggestion.as_ref().and_then(|one| one.into.as_ref()).map(RecordId::as_str);
        (item.suggestion.as_ref().map(|one| one.verdict), into)
    };
    assert_eq!(suggested("r1"), (Some(TriageVerdict::Reject), None));
    assert_eq!(suggested("m1"), (Some(TriageVerdict::Merge), Some("yes")));
    assert_eq!(suggested("d3"), (None, None));
}

#[test]
fn only_one_kind_and_only_some_are_shown_where_that_is_asked() {
    let s = desk();
    let inbox = s.store.inbox(Some(RecordKind::Decision), 2, FixedOffset::east_opt(0).unwrap()).unwrap();
    assert_eq!((inbox.items.len(), inbox.pending), (2, 3));
    assert!(inbox.items.iter().all(|item| item.record.kind == RecordKind::Decision));
}

fn verdict(n: usize) -> impl Strategy<Value = Option<String>> {
    let id = ["d1", "d2", "d3", "e1"][n];
    prop_oneof![
        Just(None),
        Just(Some(format!(r#"{{"id": "{id}", "verdict": "confirm", "thread": "new:Harbour"}}"#))),
        Just(Some(format!(r#"{{"id": "{id}", "verdict": "confirm", "title": "Other words", "thread": "Mail"}}"#))),
        Just(Some(format!(r#"{{"id": "{id}", "verdict": "reject", "reason": "no"}}"#))),
        Just(Some(format!(r#"{{"id": "{id}", "verdict": "supersede", "by": "yes"}}"#))),
        (0..4_usize).prop_map(move |other| {
            let into = ["d1", "d2", "d3", "yes"][other];
            Some(format!(r#"{{"id": "{id}", "verdict": "merge", "into": "{into}"}}"#))
        }),
    ]
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 48, failure_persistence: None, ..ProptestConfig::default() })]
    #[test]
    fn taking_back_undoes_whatever_was_applied(verdicts in (verdict(0), verdict(1), verdict(2), verdict(3))) {
        let s = desk();
        let before = all_rows(&s);
        let verdicts = [verdicts.0, verdicts.1, verdicts.2, verdicts.3];
        let json = format!("[{}]", verdicts.into_iter().flatten().collect::<Vec<_>>().join(","));
        let applied = apply(&s, "b1", &json);
        if applied.is_ok_and(|applied| !applied.judged.is_empty()) {
            prop_assert!(undo(&s, "b1").is_ok());
        }
        prop_assert_eq!(all_rows(&s), before);
        s.assert_whole();
    }
}
