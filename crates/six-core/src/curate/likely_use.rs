//! How often a candidate would have been of use lately: the prompts that had its words, and those on which it would have
//! been shown, judged by the same gate that judges what is in force.

use std::collections::BTreeSet;

use super::{Fired, Frequencies, Sighting};
use crate::inject::{
    Candidate, Candidates, Intent, Limits, Receipt, Setting, Topic, admit, consider, idf, needed_weight, prompt_terms,
    scope_holds, topics_of, without_marks,
};
use crate::record::{Anchor, Record, RecordKind, SessionId, UnixMs};
use crate::text::{Redacted, cut_bytes, for_each_token, one_line};

/// Prompts that are named for one candidate.
const MAX_NAMED: usize = 5;

/// Bytes of one text of a record whose words are compared.
const MAX_BYTES: usize = 8 * 1024;

/// A person's prompt, as its receipt keeps it.
#[derive(Debug, Clone, PartialEq)]
pub struct PastPrompt {
    session: SessionId,
    at: UnixMs,
    head: String,
    intents: Vec<Intent>,
    terms: Vec<String>,
    topics: Vec<&'static Topic>,
    limits: Limits,
}

impl PastPrompt {
    /// Of a receipt; `None` for what a machine sent and for the call of a tool. The terms of a prompt that was not looked at
    /// any further are those of its beginning.
    pub fn of(receipt: &Receipt) -> Option<Self> {
        if !receipt.human || receipt.tool.is_some() {
            return None;
        }
        let head = receipt.head.as_str();
        let terms = match receipt.terms.as_slice() {
            [] => prompt_terms(&without_marks(head), &receipt.limits),
            terms => terms.to_vec(),
        };
        Some(Self {
            session: receipt.session.clone(),
            at: receipt.at,
            head: head.to_owned(),
            intents: receipt.intents.iter().map(|(intent, _)| *intent).collect(),
            terms,
            topics: topics_of(head),
            limits: receipt.limits.clone(),
        })
    }

    /// Its terms, whose frequencies have to be known.
    pub fn terms(&self) -> impl Iterator<Item = &str> {
        self.terms.iter().map(String::as_str)
    }
}

/// Of how much use a candidate would have been.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct LikelyUse {
    /// Prompts that had a rare word of it.
    pub came_up: u32,
    /// Prompts on which it would have been shown.
    pub fired: u32,
    /// The newest of those.
    pub named: Vec<Fired>,
}

/// Judges a candidate as if it were confirmed. `prompts` come newest first. What was said in its own session before it was
/// made is where it comes from, and no later use; so are the prompts that say it, there and where it was said again.
pub fn judge_use(
    record: &Record,
    sightings: &[Sighting],
    thread: Option<&str>,
    prompts: &[PastPrompt],
    known: &Frequencies,
) -> LikelyUse {
    let words = words_of(record, thread);
    let df = words.iter().filter_map(|word| Some((word.clone(), *known.df.get(word)?))).collect();
    let candidate = Candidates { corpus: known.corpus, df, items: vec![candidate(record, thread)], ..<_>::default() };
    let mut found = LikelyUse::default();
    for prompt in prompts {
        if is_source(record, sightings, prompt) {
            continue;
        }
        let shared = Shared::of(&words, prompt, known);
        found.came_up += u32::from(shared.rare > 0);
        let may_fire = shared.may_pass(known.corpus, &prompt.limits)
            || record.kind == RecordKind::Correction && !prompt.topics.is_empty();
        if may_fire && would_be_shown(&candidate, prompt) {
            found.fired += 1;
            if found.named.len() < MAX_NAMED {
                found.named.push(Fired { at: prompt.at, head: prompt.head.clone() });
            }
        }
    }
    found
}

fn is_source(record: &Record, sightings: &[Sighting], prompt: &PastPrompt) -> bool {
    let is_here = |session: Option<&SessionId>| session == Some(&prompt.session);
    let head = one_line(&prompt.head);
    let says = |quote: &Redacted| {
        let quote = one_line(quote.as_str());
        let end = head.trim_end_matches('…');
        !quote.is_empty() && !end.is_empty() && (head.contains(&quote) || quote.contains(end) || ends_in(end, &quote))
    };
    is_here(record.session.as_ref()) && (prompt.at <= record.created || says(&record.quote))
        || sightings.iter().any(|one| is_here(one.session.as_ref()) && says(&one.quote))
}

/// Whether a head breaks off within a quote: its last words are the first of that.
fn ends_in(head: &str, quote: &str) -> bool {
    const FIRST: usize = 24;
    let first = cut_bytes(quote, FIRST);
    first.len() >= FIRST / 2
        && head.rfind(first).and_then(|at| head.get(at..)).is_some_and(|rest| quote.starts_with(rest))
}

/// What a candidate and a prompt share.
#[derive(Debug, Clone, Copy, Default)]
struct Shared {
    terms: u32,
    rare: u32,
    weight: f64,
}

impl Shared {
    fn of(words: &BTreeSet<String>, prompt: &PastPrompt, known: &Frequencies) -> Self {
        let limits = &prompt.limits;
        let mut shared = Self::default();
        for term in prompt.terms.iter().filter(|term| words.contains(*term)) {
            let weight = known.df.get(term).map_or(0.0, |df| idf(*df, known.corpus));
            shared.terms += 1;
            shared.rare += u32::from(known.corpus < limits.small_corpus || weight >= limits.rare_idf);
            shared.weight += weight;
        }
        shared
    }

    /// Whether the gate could let it pass: most pairs fall here, before the candidate's text is read for each prompt anew.
    fn may_pass(self, corpus: u64, limits: &Limits) -> bool {
        let is_small = corpus < limits.small_corpus;
        self.terms >= limits.min_matches
            && (is_small || self.rare >= limits.min_rare && self.weight >= needed_weight(corpus, limits))
    }
}

/// Meaning is not compared: it would cost a vector for each candidate, and only adds to what words find.
fn would_be_shown(candidate: &Candidates, prompt: &PastPrompt) -> bool {
    let setting = Setting { intents: &prompt.intents, corpus: candidate.corpus, compared: 0, limits: &prompt.limits };
    !prompt.intents.is_empty()
        && consider(candidate, &prompt.terms, &prompt.topics, |scope| scope_holds(scope, &prompt.head))
            .iter()
            .any(|one| admit(&one.facts, setting).is_ok())
}

fn words_of(record: &Record, thread: Option<&str>) -> BTreeSet<String> {
    let texts = [&record.title, &record.body, &record.revive_if, &record.scope].into_iter().chain(&record.rejected);
    let paths = record.anchors.iter().map(|Anchor { path, .. }| path.as_str());
    let symbols = record.anchors.iter().filter_map(|anchor| anchor.symbol.as_ref().map(Redacted::as_str));
    let mut words = BTreeSet::new();
    for text in texts.map(Redacted::as_str).chain(paths).chain(symbols).chain(thread) {
        for_each_token(cut_bytes(text, MAX_BYTES), |token| {
            words.insert(token.term.to_owned());
        });
    }
    words
}

fn candidate(record: &Record, thread: Option<&str>) -> Candidate {
    Candidate {
        item: record.item(),
        kind: record.kind.entry_kind(),
        origin: record.origin,
        written_by: record.written_by.to_string(),
        named_in: None,
        title: record.title.to_string(),
        body: record.body.to_string(),
        anchors: record.anchors.clone(),
        state: String::new(),
        rejected: record.rejected.iter().map(ToString::to_string).collect(),
        revive_if: record.revive_if.to_string(),
        scope: record.scope.to_string(),
        thread: thread.map(str::to_owned),
        validated: record.validated,
        cosine: None,
        delivered: 0,
        delivered_stale: 0,
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::curate::sample::{NOW, pending, receipt};
    use crate::record::Origin;

    fn known() -> Frequencies {
        let df = [("zebrawood", 1), ("mahogani", 2), ("mahogany", 2), ("lantern", 1), ("part", 900)];
        Frequencies { corpus: 1_000, df: df.map(|(term, df)| (term.to_owned(), df)).into() }
    }

    fn prompts(asked: &[&str]) -> Vec<PastPrompt> {
        asked.iter().filter_map(|text| PastPrompt::of(&receipt(text))).collect()
    }

    #[test]
    fn the_gate_that_judges_what_is_in_force_judges_a_candidate() {
        let record = pending("r", RecordKind::Decision, Origin::Agent, "Varnish zebrawood before mahogany");
        let asked = ["Build the zebrawood mahogany table.", "Build the part.", "Why is zebrawood so rare?"];
        let found = judge_use(&record, &[], None, &prompts(&asked), &known());
        assert_eq!((found.came_up, found.fired), (2, 1));
        assert_eq!(found.named, [Fired { at: NOW, head: asked[0].to_owned() }]);
    }

    #[test]
    fn a_rule_on_a_tool_fires_on_the_work_that_the_tool_does() {
        let record = pending("r", RecordKind::Correction, Origin::Operator, "Use pnpm, not npm");
        let found = judge_use(&record, &[], None, &prompts(&["Install the date picker package."]), &known());
        assert_eq!((found.came_up, found.fired), (0, 1));
    }

    #[test]
    fn what_a_machine_sent_and_where_the_candidate_comes_from_do_not_count() {
        let mut machine = receipt("Build the zebrawood mahogany table.");
        machine.human = false;
        assert_eq!(PastPrompt::of(&machine), None);
        let mut record = pending("r", RecordKind::Decision, Origin::Operator, "Varnish zebrawood before mahogany");
        let asked = prompts(&["Build the zebrawood mahogany table."]);
        record.session = Some(SessionId::new("s-1"));
        assert_eq!(judge_use(&record, &[], None, &asked, &known()), LikelyUse::default());
        record.created = UnixMs(NOW.0 - 1);
        assert_eq!(judge_use(&record, &[], None, &asked, &known()).fired, 1);
        record.quote = crate::text::Redactor::new().redact("build the zebrawood mahogany table.");
        assert_eq!(judge_use(&record, &[], None, &asked, &known()).fired, 1, "other words");
        record.quote = crate::text::Redactor::new().redact("Build the zebrawood  mahogany table.");
        assert_eq!(judge_use(&record, &[], None, &asked, &known()), LikelyUse::default());
    }

    #[test]
    fn five_prompts_are_named_and_all_are_counted() {
        let record = pending("r", RecordKind::DeadEnd, Origin::Agent, "zebrawood on mahogany");
        let found = judge_use(&record, &[], None, &prompts(&["Build the zebrawood mahogany table."; 9]), &known());
        assert_eq!((found.fired, found.named.len()), (9, 5));
    }
}
