//! Verdicts that are handed in together: the whole batch is judged before anything of it is applied.

use std::collections::{BTreeMap, BTreeSet};

use super::ruled_thread::thread_of;
use super::trust::{judge_agents_choice, judge_agents_say};
use super::{Ruling, RulingFault, Sighting, TriageVerdict, version_of};
use crate::record::{Author, Origin, Record, RecordId, RecordState, Thread, UnixMs, judge_line};
use crate::text::{Redacted, printable};

/// Whose verdicts they are.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum Judge {
    /// A person.
    Operator,
    /// An agent, with a person who looks through it later.
    Agent,
}

impl From<Judge> for Author {
    fn from(judge: Judge) -> Self {
        match judge {
            Judge::Operator => Self::Operator,
            Judge::Agent => Self::Agent,
        }
    }
}

impl Judge {
    /// The author of a batch, by name.
    pub const fn as_str(self) -> &'static str {
        match self {
            Self::Operator => Origin::Operator.as_str(),
            Self::Agent => Origin::Agent.as_str(),
        }
    }
}

/// The batch that verdicts belong to.
#[derive(Debug, Clone, Copy)]
pub struct Batch<'a> {
    /// A random id.
    pub id: &'a str,
    /// Who judges.
    pub judge: Judge,
    /// When.
    pub now: UnixMs,
}

/// What the store has of what the verdicts name.
#[derive(Debug, Clone, Default)]
pub struct Named {
    /// For each id as it was handed in, the records that answer to it.
    pub records: BTreeMap<String, Vec<Record>>,
    /// All threads.
    pub threads: Vec<Thread>,
}

/// A verdict that can be applied.
#[derive(Debug, Clone, PartialEq)]
pub struct Judged {
    /// The candidate as it is.
    pub old: Record,
    /// As it becomes.
    pub new: Record,
    /// The word.
    pub verdict: TriageVerdict,
    /// Of a merge: what it is evidence of from now on.
    pub sighting: Option<Sighting>,
    /// Why; may be empty.
    pub reason: Redacted,
}

/// A batch that can be applied.
#[derive(Debug, Clone, PartialEq, Default)]
pub struct JudgedBatch {
    /// In the order in which the verdicts were handed in.
    pub judged: Vec<Judged>,
    /// Threads that it opens.
    pub opened: Vec<Thread>,
}

/// Judges a batch of verdicts.
///
/// # Errors
///
/// All that is wrong, in the order of the verdicts: nothing of such a batch may be applied.
pub fn judge_rulings(rulings: &[Ruling], named: &Named, batch: Batch<'_>) -> Result<JudgedBatch, Vec<RulingFault>> {
    let mut faults = Vec::new();
    let mut out = JudgedBatch::default();
    let fates = fates(rulings, named);
    let mut seen = BTreeSet::new();
    for ruling in rulings {
        let judged = candidate(ruling, named, batch.judge)
            .and_then(|old| {
                if seen.insert(old.id.clone()) {
                    Ok(old)
                } else {
                    Err("it has another verdict in this batch".to_owned())
                }
            })
            .and_then(|old| {
                let judged = judge_one(ruling, old, named, &fates, batch, &mut out.opened)?;
                Ok((judged, confirmed_with(ruling, named, &fates, batch)?))
            });
        match judged {
            Ok((judged, with)) => {
                out.judged.extend(with.filter(|with| seen.insert(with.old.id.clone())));
                out.judged.push(judged);
            }
            Err(why) => faults.push(RulingFault { id: ruling.id.clone(), why }),
        }
    }
    if faults.is_empty() { Ok(out) } else { Err(faults) }
}

/// The verdict on each candidate that is named.
type Fates<'r> = BTreeMap<RecordId, &'r Ruling>;

fn fates<'r>(rulings: &'r [Ruling], named: &Named) -> Fates<'r> {
    rulings.iter().filter_map(|ruling| Some((one(named, &ruling.id).ok()?.id.clone(), ruling))).collect()
}

fn one<'n>(named: &'n Named, id: &str) -> Result<&'n Record, String> {
    match named.records.get(id).map(Vec::as_slice) {
        Some([one]) => Ok(one),
        None | Some([]) => Err(format!("there is no record {:?}", printable(id))),
        Some(more) => Err(format!("{} or more records begin with {:?}", more.len(), printable(id))),
    }
}

fn candidate<'n>(ruling: &Ruling, named: &'n Named, judge: Judge) -> Result<&'n Record, String> {
    if ruling.id.is_empty() {
        return Err("the id is empty".to_owned());
    }
    let found = one(named, &ruling.id)?;
    if found.state != RecordState::Pending {
        return Err(format!("it is {}, not pending", found.state.as_str()));
    }
    if judge == Judge::Agent {
        judge_agents_say(ruling, found)?;
    }
    Ok(found)
}

fn judge_one(
    ruling: &Ruling,
    old: &Record,
    named: &Named,
    fates: &Fates<'_>,
    batch: Batch<'_>,
    opened: &mut Vec<Thread>,
) -> Result<Judged, String> {
    fits(ruling)?;
    if ruling.version.as_ref().is_some_and(|seen| *seen != version_of(old)) {
        return Err("it was changed since it was listed".to_owned());
    }
    let mut new = old.clone();
    if let Some(kind) = ruling.kind {
        old.judge_kind(kind).map_err(|why| format!("\"kind\": {why}"))?;
        new.kind = kind;
    }
    let mut sighting = None;
    match ruling.verdict {
        TriageVerdict::Confirm => {
            new.state = RecordState::Confirmed;
            new.validated = batch.now;
        }
        TriageVerdict::Reject => new.state = RecordState::Rejected,
        TriageVerdict::Merge => {
            let into = merge_target(ruling, old, named, fates)?;
            if batch.judge == Judge::Agent {
                judge_agents_choice(old, into)?;
            }
            // Not `Superseded`: what never was in force is no part of a thread's story.
            new.state = RecordState::Expired;
            new.superseded_by = Some(into.id.clone());
            sighting = Some(evidence_of(into, old));
        }
        TriageVerdict::Supersede => {
            let by = successor(ruling, &new, named, fates)?;
            if batch.judge == Judge::Agent {
                judge_agents_choice(old, by)?;
            }
            new.superseded_by = Some(by.id.clone());
            new.state = RecordState::Superseded;
        }
    }
    if let Some(title) = &ruling.title {
        new.title = checked_title(title)?;
        if new.title != old.title {
            new.written_by = match batch.judge {
                Judge::Operator => Redacted::default(),
                Judge::Agent => Redacted::literal(Origin::Agent.as_str()),
            };
        }
    }
    if let Some(thread) = &ruling.thread {
        new.thread = Some(thread_of(thread, &named.threads, batch, opened)?);
    }
    let reason = ruling.reason.clone().unwrap_or_default();
    Ok(Judged { old: old.clone(), new, verdict: ruling.verdict, sighting, reason })
}

/// A field that a verdict makes no use of was meant for another verdict.
fn fits(ruling: &Ruling) -> Result<(), String> {
    let stays = matches!(ruling.verdict, TriageVerdict::Confirm | TriageVerdict::Supersede);
    let fields = [
        ("into", ruling.into.is_some(), ruling.verdict == TriageVerdict::Merge),
        ("by", ruling.by.is_some(), ruling.verdict == TriageVerdict::Supersede),
        ("thread", ruling.thread.is_some(), stays),
        ("title", ruling.title.is_some(), stays),
        ("kind", ruling.kind.is_some(), stays),
    ];
    match fields.into_iter().find(|(_, is_there, is_used)| *is_there && !is_used) {
        Some((field, ..)) => Err(format!("{field:?} says nothing about a verdict {:?}", ruling.verdict.as_str())),
        None => Ok(()),
    }
}

fn merge_target<'n>(ruling: &Ruling, old: &Record, named: &'n Named, fates: &Fates<'_>) -> Result<&'n Record, String> {
    let Some(id) = &ruling.into else { return Err("a merge needs \"into\": the record that says the same".to_owned()) };
    let into = one(named, id).map_err(|why| format!("\"into\": {why}"))?;
    if into.id == old.id {
        return Err("it can't be merged into itself".to_owned());
    }
    match (into.state, fates.get(&into.id).map(|fate| fate.verdict)) {
        (RecordState::Confirmed, _) | (RecordState::Pending, None | Some(TriageVerdict::Confirm)) => Ok(into),
        (RecordState::Pending, Some(other)) => {
            Err(format!("\"into\": {} gets the verdict {:?} in this batch", into.id, other.as_str()))
        }
        (state, _) => Err(format!("\"into\": {} is {}, neither confirmed nor pending", into.id, state.as_str())),
    }
}

/// What replaced it, under the rule that holds for every record. One that waits is in force by then, since it is confirmed
/// together with this verdict.
fn successor<'n>(ruling: &Ruling, old: &Record, named: &'n Named, fates: &Fates<'_>) -> Result<&'n Record, String> {
    let Some(id) = &ruling.by else { return Err("a supersede needs \"by\": the record that replaced it".to_owned()) };
    let by = one(named, id).map_err(|why| format!("\"by\": {why}"))?;
    let fate = fates.get(&by.id).filter(|_| by.id != old.id);
    let waits = by.state == RecordState::Pending;
    let state = if waits { RecordState::Confirmed } else { by.state };
    let then = Record { state, kind: fate.and_then(|fate| fate.kind).unwrap_or(by.kind), ..by.clone() };
    old.judge_successor(&then).map_err(|why| format!("\"by\": {why}"))?;
    match fate.map(|fate| fate.verdict) {
        Some(other) if waits && other != TriageVerdict::Confirm => {
            Err(format!("\"by\": {} gets the verdict {:?} in this batch", by.id, other.as_str()))
        }
        _ => Ok(by),
    }
}

/// The confirmation of what waits and is said to have replaced something, where it has no verdict of its own: whoever says
/// so says that it holds, and has to be one who may.
fn confirmed_with(
    ruling: &Ruling,
    named: &Named,
    fates: &Fates<'_>,
    batch: Batch<'_>,
) -> Result<Option<Judged>, String> {
    let Some(id) = ruling.by.as_ref().filter(|_| ruling.verdict == TriageVerdict::Supersede) else { return Ok(None) };
    let by = one(named, id)?;
    if by.state != RecordState::Pending || fates.contains_key(&by.id) {
        return Ok(None);
    }
    let confirm = Ruling {
        id: id.clone(),
        verdict: TriageVerdict::Confirm,
        version: None,
        thread: None,
        title: None,
        kind: None,
        into: None,
        by: None,
        reason: None,
    };
    if batch.judge == Judge::Agent {
        judge_agents_say(&confirm, by).map_err(|why| format!("\"by\": {why}"))?;
    }
    let new = Record { state: RecordState::Confirmed, validated: batch.now, ..by.clone() };
    let reason = Redacted::literal("confirmed as what replaced another");
    Ok(Some(Judged { old: by.clone(), new, verdict: TriageVerdict::Confirm, sighting: None, reason }))
}

/// A merged candidate as evidence. One that came from no message is known by its own id.
fn evidence_of(into: &Record, old: &Record) -> Sighting {
    Sighting {
        record: into.id.clone(),
        turn: old.turn.clone().unwrap_or_else(|| old.id.to_string()),
        session: old.session.clone(),
        origin: old.origin,
        quote: if old.quote.is_empty() { old.title.clone() } else { old.quote.clone() },
        at: old.created,
    }
}

fn checked_title(title: &Redacted) -> Result<Redacted, String> {
    let title = trimmed(title);
    judge_line(title.as_str()).map_err(|fault| format!("\"title\" {fault}"))?;
    Ok(title)
}

/// Without blanks round it.
fn trimmed(text: &Redacted) -> Redacted {
    let whole = text.as_str();
    let start = whole.len() - whole.trim_start().len();
    text.slice(start..start + whole.trim().len()).unwrap_or_default()
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::curate::sample::{NOW, pending};
    use crate::record::{RecordKind, ThreadId};
    use crate::text::Redactor;

    const BATCH: Batch<'_> = Batch { id: "b", judge: Judge::Operator, now: UnixMs(NOW.0 + 5) };

    fn ruling(json: &str) -> Ruling {
        serde_json::from_str(json).unwrap()
    }

    fn named() -> Named {
        let of = |id: &str, state| Record {
            state,
            quote: Redacted::literal("keep it"),
            ..pending(id, RecordKind::Decision, Origin::Agent, "keep the outbox")
        };
        let mut records = vec![
            of("p1", RecordState::Pending),
            of("p2", RecordState::Pending),
            of("p3", RecordState::Pending),
            of("yes", RecordState::Confirmed),
            of("no", RecordState::Rejected),
        ];
        records.push(pending("rule", RecordKind::Correction, Origin::Operator, "use pnpm"));
        records.push(pending("wish", RecordKind::Correction, Origin::Agent, "use what I say"));
        records.push(pending("tool", RecordKind::Decision, Origin::Tool, "run it"));
        records.push(pending("import", RecordKind::Decision, Origin::Import, "run it"));
        let thread = |id: &str, name: &str| Thread {
            id: ThreadId::new(id),
            name: Redactor::new().redact(name),
            summary: Redacted::default(),
            open: true,
            created: NOW,
            merged_into: None,
        };
        let mut named = Named {
            records: records.iter().map(|record| (record.id.to_string(), vec![record.clone()])).collect(),
            threads: vec![thread("t-mail", "Mail"), thread("t-more", "Queue")],
        };
        named.records.insert("p".to_owned(), records[..3].to_vec());
        named
    }

    fn judged(rulings: &[&str], batch: Batch<'_>) -> Result<JudgedBatch, String> {
        let rulings: Vec<Ruling> = rulings.iter().map(|json| ruling(json)).collect();
        let told = |one: &RulingFault| format!("{}: {}", one.id, one.why);
        judge_rulings(&rulings, &named(), batch)
            .map_err(|faults| faults.iter().map(told).collect::<Vec<_>>().join("\n"))
    }

    #[test]
    fn every_verdict_gives_its_state() {
        let out = judged(
            &[
                r#"{"id": "p1", "verdict": "confirm", "title": "  Keep it ", "thread": "t-mail", "reason": "seen"}"#,
                r#"{"id": "rule", "verdict": "reject"}"#,
                r#"{"id": "p2", "verdict": "merge", "into": "p1"}"#,
                r#"{"id": "p3", "verdict": "supersede", "by": "p1"}"#,
            ],
            BATCH,
        )
        .unwrap();
        let state =
            |n: usize| (out.judged[n].new.state, out.judged[n].new.superseded_by.as_ref().map(RecordId::as_str));
        assert_eq!(state(0), (RecordState::Confirmed, None));
        assert_eq!(state(1), (RecordState::Rejected, None));
        assert_eq!(state(2), (RecordState::Expired, Some("p1")));
        assert_eq!(state(3), (RecordState::Superseded, Some("p1")));
        let first = &out.judged[0];
        assert_eq!(
            (first.new.title.as_str(), first.new.validated, first.reason.as_str()),
            ("Keep it", BATCH.now, "seen")
        );
        assert_eq!(first.new.thread, Some(ThreadId::new("t-mail")));
        let sighting = out.judged[2].sighting.as_ref().unwrap();
        assert_eq!((sighting.record.as_str(), sighting.turn.as_str()), ("p1", "p2"));
    }

    #[test]
    fn all_that_is_wrong_is_named_and_one_fault_refuses_the_batch() {
        let long = format!(r#"{{"id": "p1", "verdict": "confirm", "title": "{}"}}"#, "x".repeat(121));
        let told: Vec<String> = [
            r#"{"id": "nope", "verdict": "confirm"}"#,
            r#"{"id": "", "verdict": "confirm"}"#,
            r#"{"id": "p", "verdict": "confirm"}"#,
            r#"{"id": "yes", "verdict": "confirm"}"#,
            r#"{"id": "p1", "verdict": "confirm", "thread": "nothing"}"#,
            r#"{"id": "p1", "verdict": "confirm", "thread": "t-m"}"#,
            r#"{"id": "p1", "verdict": "confirm", "thread": "new: "}"#,
            r#"{"id": "p1", "verdict": "confirm", "thread": "New:Mail"}"#,
            r#"{"id": "p1", "verdict": "confirm", "title": " "}"#,
            r#"{"id": "p1", "verdict": "confirm", "title": "a\nb"}"#,
            long.as_str(),
            r#"{"id": "p1", "verdict": "confirm", "into": "yes"}"#,
            r#"{"id": "p1", "verdict": "reject", "thread": "t-mail"}"#,
            r#"{"id": "p1", "verdict": "merge"}"#,
            r#"{"id": "p1", "verdict": "merge", "into": "gone"}"#,
            r#"{"id": "p1", "verdict": "merge", "into": "p1"}"#,
            r#"{"id": "p1", "verdict": "merge", "into": "no"}"#,
            r#"{"id": "p1", "verdict": "supersede"}"#,
            r#"{"id": "p1", "verdict": "supersede", "by": "p1"}"#,
            r#"{"id": "p1", "verdict": "supersede", "by": "rule"}"#,
            r#"{"id": "p1", "verdict": "supersede", "by": "no"}"#,
            r#"{"id": "p1", "verdict": "confirm", "kind": "cheatsheet"}"#,
            r#"{"id": "p1", "verdict": "reject", "kind": "dead_end"}"#,
            r#"{"id": "p1", "verdict": "supersede", "by": "rule"}"#,
        ]
        .into_iter()
        .map(|json| judged(&[r#"{"id": "p3", "verdict": "confirm"}"#, json], BATCH).unwrap_err())
        .collect();
        insta::assert_snapshot!(told.join("\n"), @r#"
        nope: there is no record "nope"
        : the id is empty
        p: 3 or more records begin with "p"
        yes: it is confirmed, not pending
        p1: there is no thread "nothing"; "new:NAME" opens one
        p1: 2 threads answer to "t-m"
        p1: the name of the new thread is empty
        p1: there is a thread "Mail" already: use its id t-mail
        p1: "title" is empty
        p1: "title" has more than one line
        p1: "title" has 121 characters, more than 120
        p1: "into" says nothing about a verdict "confirm"
        p1: "thread" says nothing about a verdict "reject"
        p1: a merge needs "into": the record that says the same
        p1: "into": there is no record "gone"
        p1: it can't be merged into itself
        p1: "into": no is rejected, neither confirmed nor pending
        p1: a supersede needs "by": the record that replaced it
        p1: "by": p1 can't replace itself
        p1: "by": a correction can't replace a decision: change its kind first, while it waits
        p1: "by": no is rejected and can replace nothing before it is in force
        p1: "kind": p1 is a pending decision: only a candidate changes its kind, and a cheatsheet is no other kind
        p1: "kind" says nothing about a verdict "reject"
        p1: "by": a correction can't replace a decision: change its kind first, while it waits
        "#);
    }

    #[test]
    fn verdicts_of_one_batch_that_contradict_each_other_are_refused() {
        let told = |rulings: &[&str]| judged(rulings, BATCH).unwrap_err();
        let all = [
            told(&[r#"{"id": "p1", "verdict": "confirm"}"#, r#"{"id": "p1", "verdict": "reject"}"#]),
            told(&[
                r#"{"id": "p1", "verdict": "merge", "into": "p2"}"#,
                r#"{"id": "p2", "verdict": "merge", "into": "p1"}"#,
            ]),
            told(&[r#"{"id": "p1", "verdict": "merge", "into": "p2"}"#, r#"{"id": "p2", "verdict": "reject"}"#]),
            told(&[r#"{"id": "p1", "verdict": "supersede", "by": "p2"}"#, r#"{"id": "p2", "verdict": "reject"}"#]),
        ];
        insta::assert_snapshot!(all.join("\n--\n"), @r#"
        p1: it has another verdict in this batch
        --
        p1: "into": p2 gets the verdict "merge" in this batch
        p2: "into": p1 gets the verdict "merge" in this batch
        --
        p1: "into": p2 gets the verdict "reject" in this batch
        --
        p1: "by": p2 gets the verdict "reject" in this batch
        "#);
    }

    #[test]
    fn a_verdict_on_words_that_were_changed_since_is_refused() {
        let mut named = named();
        let seen = version_of(&named.records["p1"][0]);
        let given = ruling(&format!(r#"{{"id": "p1", "verdict": "confirm", "version": "{seen}"}}"#));
        assert!(judge_rulings(std::slice::from_ref(&given), &named, BATCH).is_ok());
        named.records.get_mut("p1").unwrap()[0].body = Redacted::literal("other words");
        let told = judge_rulings(&[given], &named, BATCH).unwrap_err();
        assert_eq!(told[0].why, "it was changed since it was listed");
    }

    #[test]
    fn a_candidate_gets_another_kind_with_its_verdict_and_may_then_replace_its_kind() {
        let out = judged(
            &[
                r#"{"id": "rule", "verdict": "confirm", "kind": "decision"}"#,
                r#"{"id": "p2", "verdict": "merge", "into": "rule"}"#,
            ],
            BATCH,
        )
        .unwrap();
        assert_eq!((out.judged[0].new.kind, out.judged[0].old.kind), (RecordKind::Decision, RecordKind::Correction));
        assert_eq!(out.judged[1].new.superseded_by, Some(RecordId::new("rule")));
        let agent = Batch { judge: Judge::Agent, ..BATCH };
        for json in [
            r#"{"id": "rule", "verdict": "confirm", "kind": "decision"}"#,
            r#"{"id": "p1", "verdict": "confirm", "kind": "correction"}"#,
        ] {
            assert!(judged(&[json], agent).is_err(), "{json}");
        }
        assert!(judged(&[r#"{"id": "p1", "verdict": "confirm", "kind": "dead_end"}"#], agent).is_ok());
    }

    #[test]
    fn what_waits_and_replaced_another_is_confirmed_with_it_by_who_may() {
        let ruled = r#"{"id": "p1", "verdict": "supersede", "by": "p2"}"#;
        let again = r#"{"id": "p3", "verdict": "supersede", "by": "p2"}"#;
        let out = judged(&[ruled, again], BATCH).unwrap();
        let told: Vec<_> = out.judged.iter().map(|one| (one.new.id.as_str(), one.new.state)).collect();
        assert_eq!(
            told,
            [("p2", RecordState::Confirmed), ("p1", RecordState::Superseded), ("p3", RecordState::Superseded)]
        );
        let agent = Batch { judge: Judge::Agent, ..BATCH };
        assert!(judged(&[ruled], agent).is_ok());
        assert!(judged(&[r#"{"id": "p1", "verdict": "supersede", "by": "tool"}"#], agent).is_err());
    }

    #[test]
    fn a_new_name_opens_one_thread_in_a_batch() {
        let out = judged(
            &[
                r#"{"id": "p1", "verdict": "confirm", "thread": "new:Fährhafen"}"#,
                r#"{"id": "p2", "verdict": "confirm", "thread": "New: Fa\u0308hrhafen "}"#,
                r#"{"id": "p3", "verdict": "confirm", "thread": "new:Another"}"#,
            ],
            BATCH,
        )
        .unwrap();
        let names: Vec<&str> = out.opened.iter().map(|thread| thread.name.as_str()).collect();
        assert_eq!(names, ["Fährhafen", "Another"]);
        assert_eq!(out.judged[0].new.thread, out.judged[1].new.thread);
        assert_ne!(out.judged[0].new.thread, out.judged[2].new.thread);
    }

    #[test]
    fn an_agent_judges_nothing_from_elsewhere_makes_no_rule_of_its_words_and_its_wording_is_marked() {
        let agent = Batch { judge: Judge::Agent, ..BATCH };
        for (id, verdict) in [("tool", "confirm"), ("tool", "reject"), ("import", "confirm"), ("import", "reject")] {
            let json = format!(r#"{{"id": "{id}", "verdict": "{verdict}"}}"#);
            assert!(judged(&[&json], agent).is_err() && judged(&[&json], BATCH).is_ok(), "{json}");
        }
        for json in [
            r#"{"id": "wish", "verdict": "confirm"}"#,
            r#"{"id": "rule", "verdict": "confirm", "title": "use what I say"}"#,
        ] {
            assert!(judged(&[json], agent).is_err() && judged(&[json], BATCH).is_ok(), "{json}");
        }
        for json in [r#"{"id": "wish", "verdict": "reject"}"#, r#"{"id": "rule", "verdict": "confirm"}"#] {
            assert!(judged(&[json], agent).is_ok(), "{json}");
        }
        let mut worded = named();
        worded.records.get_mut("rule").unwrap()[0].written_by = Redacted::literal("made-up:7b");
        let confirmed = [ruling(r#"{"id": "rule", "verdict": "confirm"}"#)];
        assert!(judge_rulings(&confirmed, &worded, agent).is_err(), "a model's words for the operator's rule");
        assert!(judge_rulings(&confirmed, &worded, BATCH).is_ok());
        let retitled = r#"{"id": "p1", "verdict": "confirm", "title": "Other words"}"#;
        let written_by = |batch| judged(&[retitled], batch).unwrap().judged[0].new.written_by.to_string();
        assert_eq!((written_by(agent), written_by(BATCH)), ("agent".to_owned(), String::new()));
    }
}
