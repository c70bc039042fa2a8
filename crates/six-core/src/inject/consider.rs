//! From what the store has to the facts that are decided on.

use std::collections::BTreeSet;

use super::decide::weight;
use super::relevance::{matches, names_of_item, names_of_thread, words_of_item, words_of_thread};
use super::{Candidate, CandidateReceipt, Candidates, Gate, ItemKind, Shown, TermReceipt, ThreadStory, Topic};
use crate::record::{EntryKind, Origin, bare_title};

/// A candidate with its facts.
#[derive(Debug)]
pub struct Considered<'a> {
    /// What would be shown.
    pub shown: Shown<'a>,
    /// Its facts; the verdict is not decided yet.
    pub facts: CandidateReceipt,
}

/// The facts of all that the store has, those with the strongest evidence first; among equals the store's order holds.
/// `topics` are those of the prompt; `in_scope` tells whether it is where a correction with this scope holds.
pub fn consider<'a>(
    known: &'a Candidates,
    terms: &[String],
    topics: &[&Topic],
    in_scope: impl Fn(&str) -> bool,
) -> Vec<Considered<'a>> {
    let items = known.items.iter().filter_map(|candidate| {
        let kind = ItemKind::of_entry(candidate.kind)?;
        let tokens = matches(&names_of_item(candidate), &words_of_item(candidate), known, terms);
        let mut facts = of_item(candidate, kind, tokens);
        if kind == ItemKind::Correction {
            facts.in_scope = in_scope(&candidate.scope);
            facts.topic = topic(candidate, topics);
        }
        Some(Considered { shown: Shown::Item(candidate), facts })
    });
    let threads = known.threads.iter().map(|thread| Considered {
        shown: Shown::Thread(thread),
        facts: of_thread(thread, matches(&names_of_thread(thread), &words_of_thread(thread), known, terms)),
    });
    let mut all: Vec<Considered<'a>> = items.chain(threads).collect();
    all.sort_by(|a, b| strength(&b.facts).total_cmp(&strength(&a.facts)));
    if all.len() > 1 {
        drop_twins(&mut all);
    }
    all
}

/// Leaves out records that say in the same words what a stronger one of their kind says: read twice it is no truer. A rule
/// that does not hold here stands for none that does.
fn drop_twins(all: &mut Vec<Considered<'_>>) {
    let mut told: BTreeSet<(EntryKind, String)> = BTreeSet::new();
    all.retain(|one| match one.shown {
        Shown::Item(record) if record.kind != EntryKind::Subsystem && one.facts.in_scope => {
            told.insert((record.kind, bare_title(&record.title)))
        }
        _ => true,
    });
}

/// One scale for words and meaning: a cosine of 1 weighs as much as two words of a handful of chunks among ten thousand.
const OF_FULL_COSINE: f64 = 14.0;
/// On that scale a rule on the topic weighs as much as the words that a rule needs.
const OF_TOPIC: f64 = 7.0;

fn strength(facts: &CandidateReceipt) -> f64 {
    let topic = if facts.topic.is_some() { OF_TOPIC } else { 0.0 };
    weight(&facts.tokens).max(facts.cosine.unwrap_or(0.0) * OF_FULL_COSINE).max(topic)
}

/// The first of the topics that a rule is on. Its title is the rule; what else it tells may name any tool.
fn topic(candidate: &Candidate, topics: &[&Topic]) -> Option<String> {
    Topic::named_in(topics, &candidate.title).map(|topic| topic.name().to_owned())
}

pub(super) fn of_item(candidate: &Candidate, kind: ItemKind, tokens: Vec<TermReceipt>) -> CandidateReceipt {
    CandidateReceipt {
        item: candidate.item.clone(),
        kind,
        sum: sum(&tokens),
        tokens,
        cosine: candidate.cosine,
        topic: None,
        // The inventory has no states of confirmation, so its origin decides; that something exists is also believed of the
        // project's own file. A record of an agent is a candidate only after a person has confirmed it.
        confirmed: kind != ItemKind::Subsystem || candidate.origin == Origin::Operator || candidate.named_in.is_some(),
        in_scope: true,
        anchors: Vec::new(),
        touched: None,
        delivered: candidate.delivered,
        delivered_stale: candidate.delivered_stale,
        block: None,
        units: 0,
        verdict: Gate::NoBlock,
    }
}

fn of_thread(thread: &ThreadStory, tokens: Vec<TermReceipt>) -> CandidateReceipt {
    CandidateReceipt {
        item: thread.item(),
        kind: ItemKind::Thread,
        sum: sum(&tokens),
        tokens,
        cosine: None,
        topic: None,
        confirmed: true,
        in_scope: true,
        anchors: Vec::new(),
        touched: None,
        delivered: thread.delivered,
        delivered_stale: 0,
        block: None,
        units: 0,
        verdict: Gate::NoBlock,
    }
}

fn sum(tokens: &[TermReceipt]) -> f64 {
    // A sum of nothing would be stored as -0.0.
    tokens.iter().fold(0.0, |sum, term| sum + term.idf)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::inject::relevance::tests::item;
    use crate::inject::{StoryRecord, topics_of};
    use crate::record::{EntryKind, ItemId, RecordState, ThreadId, UnixMs};

    /// An index of a thousand chunks in which every word is rare.
    fn known(items: Vec<Candidate>, threads: Vec<ThreadStory>) -> Candidates {
        let df = terms().into_iter().map(|term| (term, 1)).collect();
        Candidates { corpus: 1_000, df, items, threads, ..Candidates::default() }
    }

    fn terms() -> Vec<String> {
        ["zeppelin", "quorum", "beacon"].map(str::to_owned).to_vec()
    }

    fn correction(title: &str, scope: &str) -> Candidate {
        Candidate { kind: EntryKind::Correction, scope: scope.into(), state: String::new(), ..item(title) }
    }

    fn thread(name: &str, steps: &[(&str, &str)]) -> ThreadStory {
        let record = |(title, rejected): &(&str, &str)| StoryRecord {
            item: ItemId::new("decision:1"),
            kind: ItemKind::Decision,
            state: RecordState::Superseded,
            origin: Origin::Operator,
            title: (*title).to_owned(),
            body: String::new(),
            rejected: vec![(*rejected).to_owned()],
            revive_if: String::new(),
            superseded_by: None,
            at: UnixMs(0),
        };
        ThreadStory {
            id: ThreadId::new("t1"),
            name: name.into(),
            summary: String::new(),
            open: true,
            records: steps.iter().map(record).collect(),
            older: 0,
            delivered: 1,
            prose: None,
        }
    }

    fn facts(known: &Candidates, prompt: &str) -> Vec<CandidateReceipt> {
        let all = consider(known, &terms(), &topics_of(prompt), |scope| scope != "elsewhere");
        all.into_iter().map(|one| one.facts).collect()
    }

    #[test]
    fn the_strongest_evidence_comes_first_and_equals_keep_their_order() {
        let near = Candidate { cosine: Some(0.8), ..item("cache") };
        let mut last = item("nothing");
        last.item = ItemId::new("subsystem:other");
        let known = known(vec![last, item("zeppelin"), near, item("zeppelin quorum")], vec![thread("beacon", &[])]);
        let order: Vec<String> = facts(&known, "").iter().map(|facts| facts.item.to_string()).collect();
        assert_eq!(order, ["subsystem:15", "subsystem:5", "subsystem:8", "thread:t1", "subsystem:other"]);
    }

    #[test]
    fn a_thread_is_matched_by_its_name_its_steps_and_what_they_rejected() {
        let known = known(Vec::new(), vec![thread("Zeppelin", &[("quorum", "a beacon")])]);
        let facts = facts(&known, "").remove(0);
        let mut words: Vec<&str> = facts.tokens.iter().map(|term| term.t.as_str()).collect();
        words.sort_unstable();
        assert_eq!(words, ["beacon", "quorum", "zeppelin"]);
        assert_eq!((facts.kind, facts.delivered), (ItemKind::Thread, 1));
    }

    #[test]
    fn an_entry_of_an_agent_in_the_inventory_is_not_confirmed_and_a_confirmed_record_of_one_is() {
        let by_agent = |kind| Candidate { origin: Origin::Agent, kind, ..item("zeppelin") };
        let known = known(vec![by_agent(EntryKind::Subsystem), by_agent(EntryKind::Decision)], Vec::new());
        let confirmed: Vec<bool> = facts(&known, "").iter().map(|facts| facts.confirmed).collect();
        assert_eq!(confirmed, [false, true]);
    }

    #[test]
    fn a_scope_binds_corrections_only() {
        let decision = Candidate { kind: EntryKind::Decision, ..correction("zeppelin", "elsewhere") };
        let known = known(vec![correction("zeppelin", "elsewhere"), decision, correction("zeppelin", "")], Vec::new());
        let held: Vec<bool> = facts(&known, "").iter().map(|facts| facts.in_scope).collect();
        assert_eq!(held, [false, true, true]);
    }

    #[test]
    fn a_rule_on_what_the_prompt_calls_for_has_its_topic_and_comes_before_weak_evidence() {
        let noted = Candidate { body: "npm broke it".into(), ..correction("Zeppelins are airships", "") };
        let decision = Candidate { kind: EntryKind::Decision, ..correction("Use pnpm", "") };
        let known = known(vec![noted, decision, correction("Use pnpm, not npm", "")], Vec::new());
        let topics = |prompt| facts(&known, prompt).into_iter().map(|facts| facts.topic).collect::<Vec<_>>();
        assert_eq!(topics("install the date picker"), [Some("package managers".to_owned()), None, None]);
        assert_eq!(topics("paint the sidebar"), [None, None, None]);
    }

    #[test]
    fn what_two_records_say_in_the_same_words_is_told_once() {
        let other = |kind| Candidate { kind, ..correction("zeppelin quorum. ", "") };
        let elsewhere = correction("Zeppelin quorum", "elsewhere");
        let kinds = [EntryKind::Correction, EntryKind::Correction, EntryKind::Decision, EntryKind::Subsystem];
        let mut items = vec![elsewhere, correction("Zeppelin quorum", "")];
        items.extend(kinds.into_iter().skip(1).chain([EntryKind::Subsystem]).map(other));
        let told: Vec<_> = facts(&known(items, Vec::new()), "").iter().map(|one| (one.kind, one.in_scope)).collect();
        assert_eq!(
            told,
            [
                (ItemKind::Correction, false),
                (ItemKind::Correction, true),
                (ItemKind::Decision, true),
                (ItemKind::Subsystem, true),
                (ItemKind::Subsystem, true),
            ]
        );
    }

    #[test]
    fn text_of_a_transcript_is_no_item() {
        let said = Candidate { kind: EntryKind::Answer, ..item("zeppelin quorum") };
        assert_eq!(facts(&known(vec![said], Vec::new()), ""), []);
    }
}
