//! What hooks ask: candidates for a prompt, the view of a session's start.
//!
//! This is the whole of the inject policy. It shares the index with [`crate::retrieve`] and nothing else: a candidate is
//! made of a confirmed record or a subsystem and of nothing that a search ranks.

mod start;
mod threads;

use std::collections::{BTreeMap, BTreeSet, HashMap};

use rusqlite::Connection;
use six_core::inject::{
    BlockReceipt, Candidate, CandidateQuery, Candidates, MeaningQuery, Receipt, SentPrompt, Topic, idf, stale_key,
};
use six_core::record::{Anchor, EntryKind, ItemId, RecordId, RecordKind, RecordState, SessionId, SubsystemId};
use six_core::search::{Model, QueryVector};

use self::threads::{ThreadMatch, Wanted};
use crate::error::Result;
use crate::open::Store;
use crate::table::{body_fts, delivery, entry, meta, model, receipt, record, subsystem, term, thread, vector};

/// Corrections whose titles are read for the tools that they name, the newest; an operator has some dozens.
const MAX_RULES: usize = 200;
/// Corrections that come in by the tool that they name, beside those that words bring in.
const MAX_BY_TOPIC: usize = 8;

impl Store {
    /// Confirmed records and subsystems that share a rare term with a prompt, those with the most rare matches first (in
    /// a small index all terms are taken for rare), corrections on tools that it calls for, and the stories of threads.
    /// The name of a thread counts for its records. The frequencies are those of the whole index, of all terms. What a
    /// branch left behind or a person has not confirmed is never among them.
    ///
    /// Where the query says so, those that are near to the prompt by meaning come after them, and every item that has a
    /// vector gets its cosine. `embed` gives the vector of what is looked for, from what is known by then, the frequencies;
    /// or a short stable word why not. It is not asked where there is nothing to compare with.
    pub fn gather_candidates(
        &self,
        query: &CandidateQuery,
        session: &SessionId,
        embed: impl FnOnce(&MeaningQuery, &Candidates) -> std::result::Result<QueryVector, &'static str>,
    ) -> Result<Candidates> {
        self.read(|conn| {
            let corpus = meta::counter(conn, meta::BODIES)?;
            let mut df = BTreeMap::new();
            let mut wanted = Vec::new();
            for term in &query.terms {
                let count = term::df(conn, term)?;
                df.insert(term.clone(), count);
                let weight = idf(count, corpus);
                if weight >= query.rare_idf || corpus < query.small_corpus {
                    wanted.push(Wanted { term, weight, indexed: count > 0 });
                }
            }
            let taken_back = taken_back(conn, &query.sent, session)?;
            let mut known = Candidates { corpus, df, taken_back, ..Candidates::default() };
            let near = match &query.meaning {
                Some(meaning) => compare(conn, meaning, &mut known, embed)?,
                None => Vec::new(),
            };
            let mut threads = threads::matching(conn, &wanted, query.threads > 0)?;
            let bodies = matching_bodies(conn, &wanted, &threads)?;
            let mut chosen = finalists(conn, query, &bodies)?;
            chosen.extend(by_topic(conn, query, &chosen)?);
            if let Some(meaning) = &query.meaning {
                add_nearest(conn, meaning, &near, &mut chosen)?;
            }
            for one in chosen {
                let cosine = near.iter().find(|(body, _)| Some(*body) == one.body).map(|(_, cosine)| *cosine);
                let item = candidate(conn, one.kind, &one.key, session)?;
                known.items.extend(item.map(|item| Candidate { cosine, ..item }));
            }
            if query.threads > 0 {
                threads::join_bodies(conn, &mut threads, &bodies)?;
                known.threads = threads::stories(conn, threads, &wanted, query.threads, session)?;
            }
            discount(&mut known);
            Ok(known)
        })
    }
}

/// Items that a prompt is compared with by meaning, the newest ones: a thousand take a millisecond.
const MOST_COMPARED: usize = 4_000;

/// The body of every record and subsystem that has a vector, and its cosine, nearest first. Says in `found` how many there are, or why there is none.
fn compare(
    conn: &Connection,
    query: &MeaningQuery,
    found: &mut Candidates,
    embed: impl FnOnce(&MeaningQuery, &Candidates) -> std::result::Result<QueryVector, &'static str>,
) -> Result<Vec<(i64, f64)>> {
    if !vector::any_of_records(conn)? {
        found.no_meaning = Some("no-vectors");
        return Ok(Vec::new());
    }
    let asked = match embed(query, found) {
        Ok(asked) => asked,
        Err(why) => {
            found.no_meaning = Some(why);
            return Ok(Vec::new());
        }
    };
    let model = model::id(conn, &Model { name: asked.model.clone(), width: asked.values.len() })?;
    let near = match model {
        Some(model) => vector::of_records(conn, model, &vector::bytes(&asked.values), MOST_COMPARED)?,
        None => Vec::new(),
    };
    found.compared = near.len() as u64;
    if near.is_empty() {
        found.no_meaning = Some("other-model");
    }
    Ok(near)
}

/// Bodies among which those of the kinds that may come in by meaning are looked for: what lies behind a hundred nearer
/// ones is not near.
const MOST_LOOKED_AT: usize = 100;

fn add_nearest(conn: &Connection, query: &MeaningQuery, near: &[(i64, f64)], chosen: &mut Vec<Finalist>) -> Result<()> {
    let mut left = query.limit;
    for (body, _) in near.iter().take(MOST_LOOKED_AT) {
        for (kind, key) in entry::records_of_body(conn, *body)? {
            if left == 0 {
                return Ok(());
            }
            if query.kinds.contains(&kind) {
                left -= 1;
                if !chosen.iter().any(|one| one.kind == kind && one.key == key) {
                    chosen.push(Finalist { body: Some(*body), kind, key });
                }
            }
        }
    }
    Ok(())
}

/// A record or a subsystem that is going to be a candidate.
#[derive(Debug)]
struct Finalist {
    /// Its text in the index, where it was found by it.
    body: Option<i64>,
    kind: EntryKind,
    key: String,
}

/// Takes what was taken back out of the counts.
fn discount(known: &mut Candidates) {
    let taken_back = &known.taken_back;
    let less = |count: &mut u32, key: &ItemId| *count -= u32::from(*count > 0 && taken_back.contains(key));
    for item in &mut known.items {
        less(&mut item.delivered, &item.item);
        less(&mut item.delivered_stale, &stale_key(&item.item));
    }
    for story in &mut known.threads {
        let key = story.item();
        less(&mut story.delivered, &key);
    }
}

/// A prompt that comes again later than this was answered and is asked again.
const TAKEN_BACK_WITHIN_MS: i64 = 60_000;

/// What was shown when this prompt was sent just before, under another id. A receipt that can't be read tells of nothing.
fn taken_back(conn: &Connection, sent: &SentPrompt, session: &SessionId) -> Result<Vec<ItemId>> {
    let newest = receipt::newest_of_session(conn, session)?;
    let before = newest.and_then(|json| serde_json::from_str::<Receipt>(&json).ok());
    Ok(before
        .filter(|before| before.prompt_hash == sent.hash && sent.id.is_some() && before.prompt_id.is_some())
        .filter(|before| {
            before.prompt_id != sent.id && (0..=TAKEN_BACK_WITHIN_MS).contains(&sent.at.0.saturating_sub(before.at.0))
        })
        .map(|before| before.blocks.iter().flat_map(BlockReceipt::delivered).collect())
        .unwrap_or_default())
}

/// A body and the wanted terms that it or the name of its thread has, by their positions.
type BodyMatch = (i64, BTreeSet<usize>);

/// The sum of the weights of some wanted terms.
fn weight(wanted: &[Wanted<'_>], terms: &BTreeSet<usize>) -> f64 {
    terms.iter().filter_map(|n| wanted.get(*n)).map(|wanted| wanted.weight).sum()
}

/// Bodies of confirmed records and subsystems in a stable order: most matches first, so that items which the gate must
/// refuse never take the place of one that it would let through; among equals those with the rarer ones.
fn matching_bodies(
    conn: &Connection,
    wanted: &[Wanted<'_>],
    threads: &BTreeMap<String, ThreadMatch>,
) -> Result<Vec<BodyMatch>> {
    let mut found: HashMap<i64, BTreeSet<usize>> = HashMap::new();
    for (n, one) in wanted.iter().enumerate().filter(|(_, one)| one.indexed) {
        for body in body_fts::records_with(conn, one.term)? {
            found.entry(body).or_default().insert(n);
        }
    }
    for (body, named) in threads::bodies_by_name(conn, threads)? {
        found.entry(body).or_default().extend(named);
    }
    let mut bodies: Vec<(f64, BodyMatch)> =
        found.into_iter().map(|(body, terms)| (weight(wanted, &terms), (body, terms))).collect();
    bodies.sort_by(|(sum_a, (a, in_a)), (sum_b, (b, in_b))| {
        in_b.len().cmp(&in_a.len()).then(sum_b.total_cmp(sum_a)).then(a.cmp(b))
    });
    Ok(bodies.into_iter().map(|(_, one)| one).collect())
}

/// The wanted number of items.
fn finalists(conn: &Connection, query: &CandidateQuery, bodies: &[BodyMatch]) -> Result<Vec<Finalist>> {
    let mut items = Vec::new();
    for (body, _) in bodies {
        for (kind, key) in entry::records_of_body(conn, *body)? {
            if query.kinds.contains(&kind) && items.len() < query.limit {
                items.push(Finalist { body: Some(*body), kind, key });
            }
        }
        if items.len() >= query.limit {
            break;
        }
    }
    Ok(items)
}

/// Corrections that name a tool which the prompt calls for, the newest first, without those that are there already.
fn by_topic(conn: &Connection, query: &CandidateQuery, there: &[Finalist]) -> Result<Vec<Finalist>> {
    if query.topics.is_empty() || !query.kinds.contains(&EntryKind::Correction) {
        return Ok(Vec::new());
    }
    let rules = record::newest(conn, RecordKind::Correction, MAX_RULES)?.into_iter();
    Ok(rules
        .filter(|rule| Topic::named_in(&query.topics, &rule.title).is_some())
        .map(|rule| Finalist { body: None, kind: EntryKind::Correction, key: rule.id.as_str().to_owned() })
        .filter(|rule| there.iter().all(|one| (one.kind, &one.key) != (rule.kind, &rule.key)))
        .take(MAX_BY_TOPIC)
        .collect())
}

pub(crate) fn candidate(
    conn: &Connection,
    kind: EntryKind,
    key: &str,
    session: &SessionId,
) -> Result<Option<Candidate>> {
    let found = if kind == EntryKind::Subsystem { of_subsystem(conn, key)? } else { of_record(conn, kind, key)? };
    found
        .map(|c| {
            let delivered = delivery::count(conn, session, &c.item)?;
            let delivered_stale = delivery::count(conn, session, &stale_key(&c.item))?;
            Ok(Candidate { delivered, delivered_stale, ..c })
        })
        .transpose()
}

fn of_subsystem(conn: &Connection, key: &str) -> Result<Option<Candidate>> {
    let Some(found) = subsystem::one(conn, &SubsystemId::new(key))? else { return Ok(None) };
    Ok(Some(Candidate {
        item: found.item(),
        kind: EntryKind::Subsystem,
        origin: found.origin,
        written_by: String::new(),
        named_in: found.source_path.map(|path| path.to_string()),
        title: found.name.to_string(),
        body: found.purpose.to_string(),
        anchors: found.paths.iter().map(|path| Anchor::of_path(path.clone())).collect(),
        state: found.state.as_str().to_owned(),
        rejected: Vec::new(),
        revive_if: String::new(),
        scope: String::new(),
        thread: None,
        validated: found.created,
        cosine: None,
        delivered: 0,
        delivered_stale: 0,
    }))
}

fn of_record(conn: &Connection, kind: EntryKind, key: &str) -> Result<Option<Candidate>> {
    let id = RecordId::new(key);
    let Some(found) = record::one(conn, &id)?.filter(|r| r.state == RecordState::Confirmed) else { return Ok(None) };
    let thread = match &found.thread {
        Some(id) => thread::one(conn, id)?.map(|t| t.name.to_string()),
        None => None,
    };
    Ok(Some(Candidate {
        item: ItemId::new(found.item().as_str()),
        kind,
        origin: found.origin,
        written_by: found.written_by.to_string(),
        named_in: None,
        title: found.title.to_string(),
        body: found.body.to_string(),
        state: String::new(),
        rejected: found.rejected.iter().map(ToString::to_string).collect(),
        revive_if: found.revive_if.to_string(),
        scope: found.scope.to_string(),
        anchors: found.anchors,
        thread,
        validated: found.validated,
        cosine: None,
        delivered: 0,
        delivered_stale: 0,
    }))
}

#[cfg(test)]
mod tests {
    use std::collections::BTreeSet;

    use proptest::prelude::*;
    use six_core::effect::Effect;
    use six_core::ingest::Mode;
    use six_core::inject::{Intent, Limits, Setting, admit, consider, topics_of};
    use six_core::record::{HookName, Origin, Source, Subsystem, SubsystemState};
    use six_core::search::EmbedTranscripts;

    use super::*;
    use crate::testkit::*;

    fn ask(terms: &[&str]) -> CandidateQuery {
        let limits = Limits::default();
        CandidateQuery {
            rare_idf: limits.rare_idf,
            small_corpus: limits.small_corpus,
            terms: terms.iter().map(|t| (*t).to_owned()).collect(),
            kinds: vec![EntryKind::Decision, EntryKind::DeadEnd, EntryKind::Subsystem],
            limit: 5,
            topics: Vec::new(),
            threads: 0,
            sent: SentPrompt::default(),
            meaning: None,
        }
    }

    fn titles(found: &Candidates) -> Vec<&str> {
        found.items.iter().map(|c| c.title.as_str()).collect()
    }

    fn session() -> SessionId {
        SessionId::new("s1")
    }

    /// Asked for by prompts that look for nothing by meaning: never.
    fn unasked(_: &MeaningQuery, _: &Candidates) -> std::result::Result<QueryVector, &'static str> {
        panic!("nothing is embedded")
    }

    const MEANT: [i8; 8] = [90, -40, 10, 70, -5, 33, -80, 21];

    #[expect(clippy::unnecessary_wraps, reason = "it is what the store is given")]
    fn meant(_: &MeaningQuery, _: &Candidates) -> std::result::Result<QueryVector, &'static str> {
        Ok(QueryVector { model: MODEL.to_owned(), values: MEANT.to_vec() })
    }

    fn ask_meaning(terms: &[&str], limit: usize) -> CandidateQuery {
        let kinds = vec![EntryKind::DeadEnd, EntryKind::Subsystem];
        CandidateQuery {
            meaning: Some(MeaningQuery { text: text("what is meant"), english: true, kinds, limit }),
            ..ask(terms)
        }
    }

    /// Dead ends `r0` to `r9` and a decision: the vectors of the odd ones are those of the prompt.
    fn with_vectors() -> Scratch {
        let s = Scratch::new();
        for n in 0..10 {
            let new = record(&format!("r{n}"), RecordKind::DeadEnd, RecordState::Confirmed, &format!("number{n}"), "");
            s.store.add_record(&new, "x").unwrap();
        }
        let new = record("d1", RecordKind::Decision, RecordState::Confirmed, "number11", "");
        s.store.add_record(&new, "x").unwrap();
        let odd = |text: &str| text.trim_start_matches("number").parse::<u8>().is_ok_and(|n| n % 2 == 1);
        let other = || MEANT.iter().map(|value| -value).collect();
        embed(&s.store, EmbedTranscripts::Off, |text| if odd(text) { MEANT.to_vec() } else { other() });
        s.store.commit(&doc_batch("a.md", "number1 is a document")).unwrap();
        s
    }

    #[test]
    fn what_is_near_by_meaning_comes_after_what_shares_words_and_all_have_their_cosine() {
        let s = with_vectors();
        let found = s.store.gather_candidates(&ask_meaning(&["number2"], 3), &session(), meant).unwrap();
        assert_eq!(titles(&found), ["number2", "number1", "number3", "number5"]);
        let cosines: Vec<_> = found.items.iter().map(|item| item.cosine.unwrap()).collect();
        assert!(cosines[0] < -0.99 && cosines[1..].iter().all(|cosine| *cosine > 0.99), "{cosines:?}");
        assert_eq!((found.compared, found.no_meaning), (11, None));
    }

    #[test]
    fn a_kind_that_may_not_pass_by_meaning_gets_its_cosine_and_comes_in_by_its_words_alone() {
        let s = with_vectors();
        let found = s.store.gather_candidates(&ask_meaning(&["number11"], 20), &session(), meant).unwrap();
        assert_eq!((found.items.len(), found.items[0].title.as_str()), (11, "number11"));
        assert!(found.items[0].cosine.unwrap() > 0.99);
        let found = s.store.gather_candidates(&ask_meaning(&[], 20), &session(), meant).unwrap();
        assert!(!titles(&found).contains(&"number11"));
    }

    #[test]
    fn an_item_that_is_found_both_ways_is_there_once() {
        let s = with_vectors();
        let found = s.store.gather_candidates(&ask_meaning(&["number3"], 2), &session(), meant).unwrap();
        assert_eq!(titles(&found), ["number3", "number1"]);
    }

    #[test]
    fn where_nothing_can_be_compared_words_do_it_and_it_is_said_why() {
        let s = Scratch::new();
        let new = record("r1", RecordKind::DeadEnd, RecordState::Confirmed, "backoff", "");
        s.store.add_record(&new, "x").unwrap();
        s.store.commit(&doc_batch("a.md", "a document")).unwrap();
        let asked = ask_meaning(&["backoff"], 5);
        let told = |found: Candidates| (found.items.len(), found.items[0].cosine, found.no_meaning.unwrap());
        assert_eq!(told(s.store.gather_candidates(&asked, &session(), unasked).unwrap()), (1, None, "no-vectors"));
        embed(&s.store, EmbedTranscripts::Off, made_vector);
        let late = s.store.gather_candidates(&asked, &session(), |_, known| {
            assert_eq!((known.corpus, known.df["backoff"]), (2, 1), "frequencies are known by now");
            Err("late")
        });
        assert_eq!(told(late.unwrap()), (1, None, "late"));
        let other = |_: &MeaningQuery, _: &Candidates| Ok(QueryVector { model: "another".into(), values: vec![1; 8] });
        assert_eq!(told(s.store.gather_candidates(&asked, &session(), other).unwrap()), (1, None, "other-model"));
    }

    #[test]
    fn only_confirmed_records_and_the_inventory_are_candidates() {
        let s = Scratch::new();
        for state in RecordState::ALL {
            let title = format!("outbox {}", state.as_str());
            s.store.add_record(&record(state.as_str(), RecordKind::Decision, state, &title, ""), "operator").unwrap();
        }
        s.store.commit(&doc_batch("outbox.md", "outbox everywhere")).unwrap();
        s.store.commit(&batch(Source::Transcript, "t", Mode::Append, vec![prompt("u1", "build the outbox")])).unwrap();
        s.store
            .add_subsystem(&Subsystem {
                id: SubsystemId::new("sub"),
                name: text("Outbox relay"),
                purpose: text("sends the outbox"),
                paths: vec![text("src/relay.rs")],
                entry_points: Vec::new(),
                source_path: None,
                state: SubsystemState::Dormant,
                origin: Origin::Operator,
                created: NOW,
            })
            .unwrap();
        let found = s.store.gather_candidates(&ask(&["outbox", "relay", "nowhere"]), &session(), unasked).unwrap();
        assert_eq!(titles(&found), ["Outbox relay", "outbox confirmed"]);
        assert_eq!(found.corpus, 4);
        assert_eq!(found.df["outbox"], 4);
        assert_eq!(found.df["nowhere"], 0);
        assert_eq!(found.items[0].anchors, [Anchor::of_path(text("src/relay.rs"))]);
        assert_eq!(found.items[0].state, "dormant");
    }

    #[test]
    fn a_record_that_is_no_longer_confirmed_leaves_the_candidates_and_the_index() {
        let s = Scratch::new();
        s.store
            .add_record(&record("r1", RecordKind::DeadEnd, RecordState::Confirmed, "backoff", "too slow"), "x")
            .unwrap();
        assert_eq!(titles(&s.store.gather_candidates(&ask(&["backoff"]), &session(), unasked).unwrap()), ["backoff"]);
        s.store.set_state("r1", RecordState::Superseded, "operator", NOW).unwrap();
        let found = s.store.gather_candidates(&ask(&["backoff"]), &session(), unasked).unwrap();
        assert_eq!((found.items.len(), found.corpus, found.df["backoff"]), (0, 0, 0));
        s.assert_whole();
    }

    #[test]
    fn a_record_that_says_what_a_document_says_is_a_candidate_as_long_as_it_is_confirmed() {
        let s = Scratch::new();
        s.store.commit(&doc_batch("a.md", "use the outbox")).unwrap();
        s.store
            .add_record(&record("r1", RecordKind::Decision, RecordState::Confirmed, "use the outbox", ""), "x")
            .unwrap();
        assert_eq!(s.store.gather_candidates(&ask(&["outbox"]), &session(), unasked).unwrap().items.len(), 1);
        s.store.set_state("r1", RecordState::Retired, "x", NOW).unwrap();
        assert_eq!(s.store.gather_candidates(&ask(&["outbox"]), &session(), unasked).unwrap().items.len(), 0);
        assert_eq!(s.store.search(&query("outbox")).unwrap().hits.len(), 1);
        s.assert_whole();
    }

    #[test]
    fn the_rarest_matches_come_first_and_the_limit_holds() {
        let s = Scratch::new();
        for n in 0..30 {
            let title = format!("queue number{n}");
            s.store
                .add_record(&record(&format!("r{n}"), RecordKind::Decision, RecordState::Confirmed, &title, ""), "x")
                .unwrap();
        }
        let found = s.store.gather_candidates(&ask(&["queue", "number7"]), &session(), unasked).unwrap();
        assert_eq!(found.items.len(), 5);
        assert_eq!(found.items[0].title, "queue number7");
    }

    #[test]
    fn a_common_word_brings_nothing_in_and_its_frequency_is_told() {
        let s = Scratch::new();
        let lines: Vec<String> = (0..60).map(|n| format!("queue line{n}")).collect();
        s.store.commit(&doc_batch("a.md", &lines.join("\n"))).unwrap();
        for (id, title) in [("r1", "queue"), ("r2", "queue backoff")] {
            s.store.add_record(&record(id, RecordKind::Decision, RecordState::Confirmed, title, ""), "x").unwrap();
        }
        let found = s.store.gather_candidates(&ask(&["queue", "backoff"]), &session(), unasked).unwrap();
        assert_eq!(titles(&found), ["queue backoff"]);
        assert_eq!((found.df["queue"], found.df["backoff"]), (62, 1));
    }

    /// What the gate lets through of what the store found.
    fn passed(found: &Candidates, terms: &[String]) -> BTreeSet<String> {
        let setting = Setting {
            intents: &[Intent::Build],
            corpus: found.corpus,
            compared: found.compared,
            limits: &Limits::default(),
        };
        let judged = consider(found, terms, &[], |_| true).into_iter().map(|one| one.facts);
        judged.filter(|facts| admit(facts, setting).is_ok()).map(|facts| facts.item.to_string()).collect()
    }

    /// Words of which the first are common and the last rare.
    fn words(len: std::ops::Range<usize>) -> impl Strategy<Value = Vec<String>> {
        let word = (0_u8..12, 0_u8..12).prop_map(|(a, b)| format!("word{}", char::from(b'a' + a * b / 12)));
        prop::collection::vec(word, len)
    }

    proptest! {
        #![proptest_config(ProptestConfig::with_cases(24))]

        #[test]
        fn the_gate_says_the_same_when_every_word_brings_items_in(
            lines in prop::collection::vec(words(1..3), 0..90),
            records in prop::collection::vec(words(1..5), 1..12),
            asked in words(1..8),
        ) {
            let s = Scratch::new();
            let lines: Vec<String> = lines.iter().zip(0..).map(|(line, n)| format!("{} l{n}", line.join(" "))).collect();
            s.store.commit(&doc_batch("a.md", &lines.join("\n"))).unwrap();
            for (title, n) in records.iter().zip(0..) {
                let new = record(&format!("r{n}"), RecordKind::Decision, RecordState::Confirmed, &title.join(" "), "");
                s.store.add_record(&new, "x").unwrap();
            }
            let terms: BTreeSet<&str> = asked.iter().map(String::as_str).collect();
            let rare = CandidateQuery { limit: 20, ..ask(&terms.into_iter().collect::<Vec<_>>()) };
            let all = CandidateQuery { rare_idf: 0.0, ..rare.clone() };
            let by_rare = s.store.gather_candidates(&rare, &session(), unasked).unwrap();
            let by_all = s.store.gather_candidates(&all, &session(), unasked).unwrap();
            prop_assert_eq!(&by_rare.df, &by_all.df);
            prop_assert_eq!(passed(&by_rare, &rare.terms), passed(&by_all, &rare.terms));
        }
    }

    #[test]
    fn a_rule_on_a_tool_is_a_candidate_where_the_tool_is_called_for_though_no_word_is_shared() {
        let s = Scratch::new();
        for (id, kind, state, title) in [
            ("c1", RecordKind::Correction, RecordState::Confirmed, "Use pnpm, not npm"),
            ("c2", RecordKind::Correction, RecordState::Pending, "Use yarn"),
            ("c3", RecordKind::Correction, RecordState::Confirmed, "Prefer short names"),
            ("d1", RecordKind::Decision, RecordState::Confirmed, "Moved to pnpm"),
        ] {
            s.store.add_record(&record(id, kind, state, title, ""), "operator").unwrap();
        }
        let found = |prompt: &str, terms: &[&str]| {
            let kinds = vec![EntryKind::Correction, EntryKind::Decision];
            let query = CandidateQuery { kinds, topics: topics_of(prompt), ..ask(terms) };
            let found = s.store.gather_candidates(&query, &session(), |_, _| Err("not asked")).unwrap();
            found.items.into_iter().map(|item| item.title).collect::<Vec<_>>()
        };
        assert_eq!(found("install the date picker", &["picker"]), ["Use pnpm, not npm"]);
        assert_eq!(found("paint the sidebar", &["sidebar"]), Vec::<String>::new());
        assert_eq!(found("install pnpm", &["pnpm"]), ["Use pnpm, not npm", "Moved to pnpm"]);
    }

    #[test]
    fn a_candidate_knows_how_often_its_session_was_shown_it() {
        let s = Scratch::new();
        s.store.add_record(&record("r1", RecordKind::Decision, RecordState::Confirmed, "outbox", ""), "x").unwrap();
        let beat = heartbeat("e1", HookName::UserPromptSubmit);
        s.store.open_heartbeat(&beat).unwrap();
        let items = vec![ItemId::new("decision:r1")];
        s.store.apply(&beat.id, &[Effect::Deliver { session: session(), items, at: NOW }], NOW).unwrap();
        let delivered = |session: &SessionId| {
            s.store.gather_candidates(&ask(&["outbox"]), session, unasked).unwrap().items[0].delivered
        };
        assert_eq!((delivered(&session()), delivered(&SessionId::new("s2"))), (1, 0));
    }
}
