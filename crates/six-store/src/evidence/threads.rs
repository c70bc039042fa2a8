//! Which threads a prompt is about, and their stories.
//!
//! What is in force is in the index. The name of a thread, and what it went through before, is not: those texts are few
//! and read here, most of them only as far as to see that no wanted term can be in them.

use std::collections::{BTreeMap, BTreeSet};

use rusqlite::Connection;
use six_core::inject::ThreadStory;
use six_core::record::{RecordKind, RecordState, SessionId, Source, ThreadId};
use six_core::text::for_each_token;

use super::{BodyMatch, weight};
use crate::error::Result;
use crate::lineage::current_prose;
use crate::table::{chunk, delivery, entry, record, thread};

/// A term of the prompt that brings items in.
#[derive(Debug, Clone, Copy)]
pub(super) struct Wanted<'q> {
    pub(super) term: &'q str,
    /// Its inverse document frequency.
    pub(super) weight: f64,
    /// Whether the index has it at all.
    pub(super) indexed: bool,
}

/// The wanted terms of a thread, by their positions.
#[derive(Debug, Default)]
pub(super) struct ThreadMatch {
    /// In its name.
    name: BTreeSet<usize>,
    /// In its name, its summary, or one of its records.
    all: BTreeSet<usize>,
}

/// Threads whose texts are looked through, and records of each kind that were replaced or given up, the newest.
const MAX_THREADS: usize = 1_000;
const MAX_PAST: usize = 250;
/// Records that the name of their thread brings in: of one thread, and of all.
const MAX_NAMED_OF_THREAD: usize = 20;
const MAX_NAMED: usize = 100;
/// Bodies whose threads are looked up, those with the most matches.
const MAX_BODIES: usize = 60;
/// Records of one story.
const MAX_STORY: usize = 24;

/// Threads with a wanted term in their name or their summary and, where stories are told, in a record that is no longer in
/// force.
pub(super) fn matching(conn: &Connection, wanted: &[Wanted<'_>], tells: bool) -> Result<BTreeMap<String, ThreadMatch>> {
    let mut found: BTreeMap<String, ThreadMatch> = BTreeMap::new();
    if wanted.is_empty() {
        return Ok(found);
    }
    let finder = Finder::of(wanted);
    thread::each_text(conn, MAX_THREADS, |id, name, summary| {
        let (name, summary) = (finder.terms_in(name), finder.terms_in(summary));
        if !name.is_empty() || !summary.is_empty() {
            let found = found.entry(id.to_owned()).or_default();
            found.all.extend(name.union(&summary));
            found.name.extend(name);
        }
    })?;
    if !tells {
        return Ok(found);
    }
    for state in [RecordState::Superseded, RecordState::Retired] {
        for kind in [RecordKind::Decision, RecordKind::DeadEnd] {
            record::each_text_with_thread(conn, kind, state, MAX_PAST, |id, text| {
                let terms = finder.terms_in(text);
                if !terms.is_empty() {
                    found.entry(id.to_owned()).or_default().all.extend(terms);
                }
            })?;
        }
    }
    Ok(found)
}

/// Bodies of confirmed records, with the wanted terms in the name of their thread.
pub(super) fn bodies_by_name(conn: &Connection, threads: &BTreeMap<String, ThreadMatch>) -> Result<Vec<BodyMatch>> {
    let mut bodies = Vec::new();
    for (thread, found) in threads.iter().filter(|(_, found)| !found.name.is_empty()) {
        for key in record::confirmed_of_thread(conn, thread, MAX_NAMED_OF_THREAD)? {
            let Some(entry) = entry::id(conn, Source::Record, &key)? else { continue };
            for held in chunk::of_entry(conn, entry)? {
                bodies.push((held.body, found.name.clone()));
            }
        }
        if bodies.len() >= MAX_NAMED {
            break;
        }
    }
    Ok(bodies)
}

/// Adds the terms of records in force to their threads.
pub(super) fn join_bodies(
    conn: &Connection,
    threads: &mut BTreeMap<String, ThreadMatch>,
    bodies: &[BodyMatch],
) -> Result<()> {
    for (body, terms) in bodies.iter().take(MAX_BODIES) {
        for (_, key) in entry::records_of_body(conn, *body)? {
            if let Some(thread) = record::thread_of(conn, &key)? {
                threads.entry(thread).or_default().all.extend(terms);
            }
        }
    }
    Ok(())
}

/// The stories of at most `limit` threads, those with the most wanted terms first, among equals those with the rarer
/// ones. A thread in which nothing was ever in force has none.
pub(super) fn stories(
    conn: &Connection,
    threads: BTreeMap<String, ThreadMatch>,
    wanted: &[Wanted<'_>],
    limit: usize,
    session: &SessionId,
) -> Result<Vec<ThreadStory>> {
    let mut ranked: Vec<(usize, f64, String)> =
        threads.into_iter().map(|(id, found)| (found.all.len(), weight(wanted, &found.all), id)).collect();
    ranked.sort_by(|a, b| b.0.cmp(&a.0).then(b.1.total_cmp(&a.1)).then(a.2.cmp(&b.2)));
    let mut stories = Vec::new();
    for (_, _, id) in ranked {
        if stories.len() >= limit {
            break;
        }
        stories.extend(story(conn, &ThreadId::new(id), session)?);
    }
    Ok(stories)
}

fn story(conn: &Connection, id: &ThreadId, session: &SessionId) -> Result<Option<ThreadStory>> {
    let Some(found) = thread::one(conn, id)? else { return Ok(None) };
    let (records, older) = record::story(conn, id, MAX_STORY)?;
    if records.is_empty() {
        return Ok(None);
    }
    let prose = current_prose(conn, &found)?;
    let story = ThreadStory {
        id: found.id,
        name: found.name.to_string(),
        summary: found.summary.to_string(),
        open: found.open,
        records,
        older: u32::try_from(older).unwrap_or(u32::MAX),
        delivered: 0,
        prose,
    };
    let delivered = delivery::count(conn, session, &story.item())?;
    Ok(Some(ThreadStory { delivered, ..story }))
}

/// Looks wanted terms up in texts that are in no index.
struct Finder<'q> {
    /// Each with its position and with how a word begins that gives it.
    terms: Vec<(usize, &'q str, &'q str)>,
}

impl<'q> Finder<'q> {
    fn of(wanted: &[Wanted<'q>]) -> Self {
        let terms = wanted.iter().enumerate().map(|(n, wanted)| (n, wanted.term, stub(wanted.term))).collect();
        Self { terms }
    }

    fn terms_in(&self, text: &str) -> BTreeSet<usize> {
        let mut found = BTreeSet::new();
        // Outside of ASCII a letter may be folded into another one, so that only the tokenizer can tell.
        if !text.is_ascii() {
            for_each_token(text, |token| {
                found.extend(self.terms.iter().filter(|(_, term, _)| *term == token.term).map(|(n, _, _)| *n));
            });
            return found;
        }
        let lower = text.to_ascii_lowercase();
        for (n, term, stub) in &self.terms {
            let mut places = lower.match_indices(stub).filter(|(at, _)| may_begin(text, *at));
            if places.any(|(at, _)| gives(run_at(text, at), term)) {
                found.insert(*n);
            }
        }
        found
    }
}

/// How every word begins that gives this term: stemming changes the last two letters of what it leaves at most (`try` gives
/// `tri`, `ability` `abl`), but for `dying` and its like. The whole of a compound is written with a letter of its own
/// between the parts, so only its first part counts.
fn stub(term: &str) -> &str {
    let ascii = term.bytes().take_while(u8::is_ascii).count();
    let first = term.get(..ascii).unwrap_or_default();
    let len = if matches!(first, "die" | "lie" | "tie") { 1 } else { ascii.saturating_sub(2).max(2).min(ascii) };
    first.get(..len).unwrap_or_default()
}

/// Whether a word or a part of a compound can begin here.
fn may_begin(text: &str, at: usize) -> bool {
    let byte = |at: usize| text.as_bytes().get(at);
    let inside = |at: Option<usize>| at.and_then(byte).is_some_and(u8::is_ascii_lowercase);
    !(inside(at.checked_sub(1)) && inside(Some(at)))
}

/// What stands between the blanks round a place; no term crosses them.
fn run_at(text: &str, at: usize) -> &str {
    let (before, after) = text.split_at_checked(at).unwrap_or_default();
    let start = before.rfind(|c: char| c.is_ascii_whitespace()).map_or(0, |blank| blank + 1);
    let end = after.find(|c: char| c.is_ascii_whitespace()).map_or(text.len(), |blank| at + blank);
    text.get(start..end).unwrap_or_default()
}

fn gives(text: &str, term: &str) -> bool {
    let mut found = false;
    for_each_token(text, |token| found |= token.term == term);
    found
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;
    use six_core::effect::Effect;
    use six_core::inject::{CandidateQuery, ItemKind, Limits};
    use six_core::record::{EntryKind, HookName, ItemId, Record, RecordId, Thread, UnixMs};

    use super::*;
    use crate::testkit::*;

    fn ask(terms: &[&str]) -> CandidateQuery {
        let limits = Limits::default();
        CandidateQuery {
            terms: terms.iter().map(|t| (*t).to_owned()).collect(),
            kinds: vec![EntryKind::Decision, EntryKind::DeadEnd],
            limit: 20,
            topics: Vec::new(),
            threads: 4,
            rare_idf: limits.rare_idf,
            small_corpus: limits.small_corpus,
            sent: six_core::inject::SentPrompt::default(),
            meaning: None,
        }
    }

    fn add_thread(s: &Scratch, id: &str, name: &str, summary: &str) {
        let new = Thread { summary: text(summary), ..thread(id, name) };
        s.store.add_thread(&new).unwrap();
    }

    /// Made `day` days after the others.
    fn step(id: &str, kind: RecordKind, state: RecordState, title: &str, day: i64) -> Record {
        let mut new = record(id, kind, state, title, "");
        new.thread = Some(ThreadId::new("t1"));
        new.created = UnixMs(NOW.0 + day * UnixMs::DAY_MS);
        new
    }

    fn decided(id: &str, title: &str, day: i64) -> Record {
        step(id, RecordKind::Decision, RecordState::Confirmed, title, day)
    }

    fn stories(s: &Scratch, terms: &[&str]) -> Vec<ThreadStory> {
        s.store.gather_candidates(&ask(terms), &SessionId::new("s1"), |_, _| Err("not asked")).unwrap().threads
    }

    #[test]
    fn a_story_has_what_was_ever_in_force_oldest_first_and_nothing_else() {
        let s = Scratch::new();
        add_thread(&s, "t1", "Queue", "");
        for (day, state) in (0..).zip(RecordState::ALL) {
            s.store.add_record(&step(state.as_str(), RecordKind::Decision, state, state.as_str(), -day), "x").unwrap();
        }
        s.store.add_record(&step("d", RecordKind::DeadEnd, RecordState::Confirmed, "polling", 1), "x").unwrap();
        s.store.add_record(&step("c", RecordKind::Correction, RecordState::Confirmed, "rule", 1), "x").unwrap();
        let found = stories(&s, &["queue"]);
        let told: Vec<_> = found[0].records.iter().map(|r| (r.title.as_str(), r.kind, r.state)).collect();
        assert_eq!(
            told,
            [
                ("retired", ItemKind::Decision, RecordState::Retired),
                ("superseded", ItemKind::Decision, RecordState::Superseded),
                ("confirmed", ItemKind::Decision, RecordState::Confirmed),
                ("polling", ItemKind::DeadEnd, RecordState::Confirmed),
            ]
        );
        assert_eq!(found[0].older, 0);
    }

    #[test]
    fn what_replaced_a_step_is_named_only_if_it_was_in_force() {
        let s = Scratch::new();
        add_thread(&s, "t1", "Queue", "");
        for (id, by, state) in [("a", "x", RecordState::Confirmed), ("b", "y", RecordState::Pending)] {
            let old = step(id, RecordKind::Decision, RecordState::Superseded, id, 0);
            s.store.add_record(&Record { superseded_by: Some(RecordId::new(by)), ..old }, "x").unwrap();
            let new = step(by, RecordKind::Decision, state, &format!("title of {by}"), 2);
            s.store.add_record(&new, "x").unwrap();
        }
        let found = stories(&s, &["queue"]);
        let by: Vec<_> = found[0].records.iter().map(|r| (r.title.as_str(), r.superseded_by.as_deref())).collect();
        assert_eq!(by, [("a", Some("title of x")), ("b", None), ("title of x", None)]);
    }

    #[test]
    fn a_thread_is_found_by_its_name_its_summary_its_records_and_what_it_gave_up() {
        let s = Scratch::new();
        add_thread(&s, "t1", "Zeppelin moorings", "how masts are anchored");
        s.store.add_record(&decided("r1", "steel cables", 0), "x").unwrap();
        let mut past = step("r2", RecordKind::Decision, RecordState::Superseded, "hemp ropes", -1);
        past.rejected = vec![text("silk braids")];
        s.store.add_record(&past, "x").unwrap();
        for term in ["zeppelin", "mast", "cabl", "rope", "braid"] {
            assert_eq!(stories(&s, &[term]).len(), 1, "{term}");
        }
        assert!(stories(&s, &["balloon", "anch"]).is_empty());
    }

    #[test]
    fn a_thread_in_which_nothing_was_in_force_is_not_told_and_takes_no_place() {
        let s = Scratch::new();
        add_thread(&s, "t0", "Queue of old", "");
        add_thread(&s, "t1", "Queue", "");
        s.store.add_record(&decided("r1", "outbox", 0), "x").unwrap();
        let query = CandidateQuery { threads: 1, ..ask(&["queue"]) };
        let found = s.store.gather_candidates(&query, &SessionId::new("s1"), |_, _| Err("not asked")).unwrap();
        assert_eq!(found.threads.iter().map(|t| t.id.as_str()).collect::<Vec<_>>(), ["t1"]);
    }

    #[test]
    fn a_record_is_a_candidate_by_the_name_of_its_thread() {
        let s = Scratch::new();
        add_thread(&s, "t1", "Zeppelin moorings", "masts");
        s.store.add_record(&decided("r1", "steel cables", 0), "x").unwrap();
        s.store.add_record(&step("r2", RecordKind::Decision, RecordState::Pending, "ropes", 0), "x").unwrap();
        let titles = |terms: &[&str]| {
            let found = s.store.gather_candidates(&ask(terms), &SessionId::new("s1"), |_, _| Err("not asked")).unwrap();
            found.items.into_iter().map(|item| item.title).collect::<Vec<_>>()
        };
        assert_eq!(titles(&["zeppelin"]), ["steel cables"]);
        assert!(titles(&["mast"]).is_empty());
    }

    #[test]
    fn a_long_story_keeps_its_newest_steps_and_counts_the_others() {
        let s = Scratch::new();
        add_thread(&s, "t1", "Queue", "");
        for n in 0..MAX_STORY + 5 {
            let n = i64::try_from(n).unwrap();
            s.store.add_record(&decided(&format!("r{n}"), &format!("step{n}"), n), "x").unwrap();
        }
        let found = stories(&s, &["queue"]);
        assert_eq!((found[0].records.len(), found[0].older), (MAX_STORY, 5));
        assert_eq!(found[0].records[0].title, "step5");
    }

    #[test]
    fn a_thread_knows_how_often_its_session_was_shown_it_and_is_not_gathered_unasked() {
        let s = Scratch::new();
        add_thread(&s, "t1", "Queue", "");
        s.store.add_record(&decided("r1", "outbox", 0), "x").unwrap();
        let beat = heartbeat("e1", HookName::UserPromptSubmit);
        s.store.open_heartbeat(&beat).unwrap();
        let items = vec![ItemId::new("thread:t1")];
        s.store.apply(&beat.id, &[Effect::Deliver { session: SessionId::new("s1"), items, at: NOW }], NOW).unwrap();
        assert_eq!(stories(&s, &["queue"])[0].delivered, 1);
        let query = CandidateQuery { threads: 0, ..ask(&["queue"]) };
        assert!(
            s.store
                .gather_candidates(&query, &SessionId::new("s1"), |_, _| Err("not asked"))
                .unwrap()
                .threads
                .is_empty()
        );
    }

    #[test]
    fn a_text_that_is_looked_through_gives_the_terms_that_the_tokenizer_gives() {
        let texts = [
            "Retries of the outbox_relay in src/relay/mod.rs, tried twice",
            "try Über-Zeppelin, GitHub Actions; --no-verify",
            "部署 queue 队列",
            "skies and flies, C++ and 42",
        ];
        let terms: BTreeSet<String> =
            texts.iter().flat_map(|text| six_core::text::tokens(text)).map(|token| token.term).collect();
        for term in &terms {
            let finder = Finder::of(&[Wanted { term, weight: 1.0, indexed: false }]);
            for text in texts {
                let has = six_core::text::tokens(text).iter().any(|token| token.term == *term);
                assert_eq!(!finder.terms_in(text).is_empty(), has, "{term} in {text}");
            }
        }
    }

    proptest! {
        #[test]
        fn no_term_of_a_text_is_overlooked(text in "[a-zA-Z0-9_./:+# -]{0,40}", word in "[a-z]{2,7}(ies|ied|ing|ization|ational|ability|ibly|ence|ency|logy|ness|y|ly|es|ed|e|i)") {
            let text = format!("{text} {word}");
            for token in six_core::text::tokens(&text) {
                let finder = Finder::of(&[Wanted { term: &token.term, weight: 1.0, indexed: false }]);
                prop_assert!(!finder.terms_in(&text).is_empty(), "{} in {}", token.term, text);
            }
        }
    }
}
