//! Why an item was not shown: the gate where it fell, or why it never was a candidate.

use std::process::ExitCode;

use serde_json::{Value, json};
use six_core::inject::{CandidateQuery, Gate, Intent, Receipt, SentPrompt, TermReceipt, consider};
use six_core::plan::{pre_tool_use, user_prompt_submit};
use six_core::record::{EntryKind, ItemId, Record, RecordState, UnixMs};
use six_core::text::printable;
use six_runtime::project::identity::Project;
use six_store::{Store, StoreError, Turn};

use crate::context::Context;
use crate::failure::{Exit, Failure, store_failure};
use crate::output::{asked, count, fate_words, object, silence_words};

/// What became of an item in a turn.
#[derive(Debug, PartialEq)]
struct Fate {
    item: String,
    /// The verdict, if it was a candidate.
    verdict: Option<Gate>,
    /// The same, or why it was none, in words.
    why: String,
    /// The item exists, or did at that turn.
    known: bool,
}

/// Tells it: exit code 1 when there is no such item.
pub(super) fn run(
    context: &Context,
    project: &Project,
    store: &Store,
    turn: &Turn,
    typed: &str,
) -> Result<ExitCode, Failure> {
    let fate = match of_candidate(turn, typed)? {
        Some(fate) => fate,
        None => gather(context, project, store, turn, typed)?,
    };
    context.print(&if context.json {
        object("why", json(turn, &fate))
    } else {
        format!("turn {}, {}: {}", turn.number, printable(&fate.item), fate.why)
    });
    Ok(if fate.known { ExitCode::SUCCESS } else { Exit::Nothing.into() })
}

fn json(turn: &Turn, fate: &Fate) -> Value {
    json!({
        "turn": turn.number,
        "event": turn.event,
        "item": fate.item,
        "candidate": fate.verdict.is_some(),
        "known": fate.known,
        "verdict": fate.verdict,
        "why": fate.why,
    })
}

/// The id of an item without its kind.
fn key(item: &str) -> &str {
    item.split_once(':').map_or(item, |(_, key)| key)
}

/// The candidate of that id, or the one whose id begins so, with or without its kind.
fn of_candidate(turn: &Turn, typed: &str) -> Result<Option<Fate>, Failure> {
    let all = &turn.receipt.candidates;
    let exact = |item: &ItemId| item.as_str() == typed || key(item.as_str()) == typed;
    let begins = |item: &ItemId| item.as_str().starts_with(typed) || key(item.as_str()).starts_with(typed);
    let mut found: Vec<_> = all.iter().filter(|one| exact(&one.item)).collect();
    if found.is_empty() {
        found = all.iter().filter(|one| begins(&one.item)).collect();
    }
    match found.as_slice() {
        [] => Ok(None),
        [one] => Ok(Some(Fate {
            item: one.item.to_string(),
            verdict: Some(one.verdict),
            why: fate_words(one, &turn.receipt),
            known: true,
        })),
        several => Err(Failure::misuse(
            format_args!("{} candidates of turn {} begin with {typed:?}", several.len(), turn.number),
            format_args!("give more of the id: six why {}", turn.number),
        )),
    }
}

/// Something that could have been a candidate.
struct Stored {
    item: ItemId,
    kind: Option<EntryKind>,
    created: UnixMs,
    /// Why it can be none, whatever the prompt says.
    never: Option<String>,
}

fn gather(context: &Context, project: &Project, store: &Store, turn: &Turn, typed: &str) -> Result<Fate, Failure> {
    let failed = |fault| store_failure(project, &fault);
    let fate =
        |item: String, why: String| Fate { item, verdict: None, why: format!("no candidate: {why}"), known: true };
    let receipt = &turn.receipt;
    let Some(stored) = stored(store, typed, receipt).map_err(|fault| match fault {
        StoreError::NotOne { found } => Failure::misuse(
            format_args!("{found} items begin with {typed:?}"),
            format_args!("give more of the id: six why {} --not ID", turn.number),
        ),
        fault => failed(fault),
    })?
    else {
        let why = "there is no such item: it never was in the store, or is gone from it".to_owned();
        return Ok(Fate { known: false, ..fate(typed.to_owned(), why) });
    };
    if let Some(why) = before_looking(receipt) {
        return Ok(fate(stored.item.to_string(), why));
    }
    if let Some(why) = stored.never {
        return Ok(fate(stored.item.to_string(), why));
    }
    if stored.created > receipt.at {
        let why = format!("it was entered after this turn, {}", stored.created.minute(context.offset));
        return Ok(fate(stored.item.to_string(), why));
    }
    let tokens = shared_today(store, receipt, &stored).map_err(failed)?;
    Ok(fate(stored.item.to_string(), of_words(receipt, tokens.as_deref(), &stored)))
}

/// Why this turn had no candidates at all.
fn before_looking(receipt: &Receipt) -> Option<String> {
    // That nothing is known is what looking it up gave.
    if let Some(why) = receipt.silenced.as_deref().filter(|why| *why != "nothing-known") {
        return Some(format!("nothing was looked up, since {}", silence_words(why)));
    }
    let missing = receipt.degraded.iter().find_map(|doubt| doubt.strip_prefix("candidates:"));
    missing.map(|why| format!("what is remembered could not be looked up ({})", printable(why)))
}

/// The record, subsystem, thread or piece of text that is named so.
fn stored(store: &Store, typed: &str, receipt: &Receipt) -> six_store::Result<Option<Stored>> {
    match store.record(key(typed)) {
        Ok(record) => return Ok(Some(of_record(&record, receipt))),
        Err(StoreError::NotOne { found: 0 }) => {}
        Err(fault) => return Err(fault),
    }
    let mut found: Vec<Stored> = Vec::new();
    for one in store.subsystems()? {
        if one.id.as_str().starts_with(key(typed)) {
            let (item, kind, created) = (one.item(), EntryKind::Subsystem, one.created);
            found.push(Stored { item, kind: Some(kind), created, never: never_of_kind(kind, receipt) });
        }
    }
    for one in store.threads()? {
        if one.id.as_str().starts_with(key(typed)) {
            let item = ItemId::new(format!("thread:{}", one.id));
            let never = receipt.tool.as_ref().map(|_| String::from("threads are not told before a tool runs"));
            found.push(Stored { item, kind: None, created: one.created, never });
        }
    }
    match (found.len(), found.pop()) {
        (0, _) => {}
        (1, only) => return Ok(only),
        (found, _) => return Err(StoreError::NotOne { found }),
    }
    let text = store.show(typed)?;
    Ok(text.map(|hit| Stored {
        item: ItemId::new(hit.id.clone()),
        kind: Some(hit.kind),
        created: UnixMs(i64::MIN),
        never: Some(no_block_shows(hit.kind, receipt)),
    }))
}

fn of_record(record: &Record, receipt: &Receipt) -> Stored {
    let kind = record.kind.entry_kind();
    let never = if record.state == RecordState::Confirmed {
        never_of_kind(kind, receipt)
    } else {
        Some(format!("it is {}, and only confirmed records are candidates", record.state.as_str()))
    };
    Stored { item: record.item(), kind: Some(kind), created: record.created, never }
}

/// Why no entry of that kind can be a candidate of such a turn.
fn never_of_kind(kind: EntryKind, receipt: &Receipt) -> Option<String> {
    let shown: &[EntryKind] = if receipt.tool.is_some() { &pre_tool_use::KINDS } else { &user_prompt_submit::KINDS };
    (!shown.contains(&kind)).then(|| no_block_shows(kind, receipt))
}

fn no_block_shows(kind: EntryKind, receipt: &Receipt) -> String {
    let shows = if receipt.tool.is_some() { "the block before a tool does not show" } else { "no block shows" };
    format!("it is of the kind {}, which {shows}", kind.as_str().replace('_', " "))
}

/// The words of the prompt that stand in the item, with today's frequencies, looked up as the hook does. `None`: it has
/// none of them.
fn shared_today(store: &Store, receipt: &Receipt, stored: &Stored) -> six_store::Result<Option<Vec<TermReceipt>>> {
    let query = CandidateQuery {
        terms: receipt.terms.clone(),
        kinds: stored.kind.into_iter().collect(),
        limit: usize::MAX,
        threads: if stored.kind.is_none() { usize::MAX } else { 0 },
        rare_idf: 0.0,
        small_corpus: receipt.limits.small_corpus,
        topics: Vec::new(),
        sent: SentPrompt::default(),
        meaning: None,
    };
    let known = store.gather_candidates(&query, &receipt.session, |_, _| Err("not-asked"))?;
    let mut all = consider(&known, &receipt.terms, &[], |_| true).into_iter();
    Ok(all.find(|one| one.facts.item == stored.item).map(|one| one.facts.tokens))
}

fn of_words(receipt: &Receipt, tokens: Option<&[TermReceipt]>, stored: &Stored) -> String {
    let acts = receipt.intents.iter().any(|(intent, _)| matches!(intent, Intent::Build | Intent::Decide));
    if stored.kind.is_none() && !acts {
        return "threads are told only to somebody who builds or decides".to_owned();
    }
    let asked = asked(receipt);
    let tokens = tokens.unwrap_or_default();
    if tokens.is_empty() {
        return format!("it shares no word with the {asked} ({})", printable(&receipt.terms.join(" ")));
    }
    let words: Vec<String> = tokens.iter().map(|term| format!("{} idf {:.2}", printable(&term.t), term.idf)).collect();
    let words = words.join(", ");
    let rare = receipt.limits.rare_idf;
    if tokens.iter().all(|term| term.idf < rare) {
        return format!(
            "it shares {} with the {asked} ({words}), and none is rare (idf {rare:.2} or more)",
            count(tokens.len() as u64, "word")
        );
    }
    let needed = receipt.limits.min_matches;
    if receipt.tool.is_some() && tokens.len() < needed as usize {
        return format!(
            "it shares {} with the call ({words}), {needed} needed for what neither cites the file nor names the program",
            count(tokens.len() as u64, "word")
        );
    }
    let full = receipt.candidates.len() >= receipt.limits.max_candidates;
    let why = if full { "the list was full of stronger ones" } else { "it, or the index, was another one then" };
    format!("today it would be one ({words}); {why}")
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::output::sample;

    #[test]
    fn a_candidate_is_found_by_its_id_with_or_without_its_kind_and_by_the_beginning_of_it() {
        let turn = sample::fired();
        let found = |typed: &str| of_candidate(&turn, typed).map(|fate| fate.map(|fate| fate.item));
        for typed in ["decision:manifests", "manifests", "manif", "decision:man"] {
            assert_eq!(found(typed).unwrap().as_deref(), Some("decision:manifests"), "{typed}");
        }
        assert_eq!(found("nowhere").unwrap(), None);
        insta::assert_snapshot!(found("dec").unwrap_err(), @r#"
        six: 3 candidates of turn 12 begin with "dec"
          next: give more of the id: six why 12
        "#);
    }

    #[test]
    fn what_never_was_a_candidate_is_explained_by_its_words() {
        let turn = sample::fired();
        let stored = |kind| Stored { item: ItemId::new("x:1"), kind, created: UnixMs(0), never: None };
        let term = |t: &str, idf| TermReceipt { t: t.into(), df: 1, idf, names: true };
        let record = stored(Some(EntryKind::Decision));
        let mut asks = sample::fired().receipt;
        asks.intents = vec![(Intent::Investigate, vec!["explain".into()])];
        let told = [
            of_words(&turn.receipt, None, &record),
            of_words(&turn.receipt, Some(&[term("ship", 1.5), term("writer", 0.4)]), &record),
            of_words(&turn.receipt, Some(&[term("parquet", 6.0)]), &record),
            of_words(&asks, None, &stored(None)),
        ];
        insta::assert_snapshot!(told.join("\n"), @"
        it shares no word with the prompt (parquet manifest writer ship)
        it shares 2 words with the prompt (ship idf 1.50, writer idf 0.40), and none is rare (idf 3.00 or more)
        today it would be one (parquet idf 6.00); it, or the index, was another one then
        threads are told only to somebody who builds or decides
        ");
    }

    #[test]
    fn before_a_tool_only_what_warns_could_have_been_a_candidate() {
        let receipt = sample::tool().receipt;
        let never = [EntryKind::Decision, EntryKind::Subsystem, EntryKind::DeadEnd, EntryKind::Correction]
            .map(|kind| never_of_kind(kind, &receipt));
        let stored =
            Stored { item: ItemId::new("dead_end:x"), kind: Some(EntryKind::DeadEnd), created: UnixMs(0), never: None };
        let term = TermReceipt { t: "lease".into(), df: 1, idf: 6.0, names: true };
        let told = [of_words(&receipt, None, &stored), of_words(&receipt, Some(&[term]), &stored)];
        insta::assert_snapshot!(format!("{never:#?}\n{}", told.join("\n")), @r#"
        [
            Some(
                "it is of the kind decision, which the block before a tool does not show",
            ),
            Some(
                "it is of the kind subsystem, which the block before a tool does not show",
            ),
            None,
            None,
        ]
        it shares no word with the call (redis lease)
        it shares 1 word with the call (lease idf 6.00), 2 needed for what neither cites the file nor names the program
        "#);
    }

    #[test]
    fn a_turn_without_a_look_at_the_store_says_so() {
        let mut receipt = sample::silent().receipt;
        let silent = before_looking(&receipt);
        receipt.silenced = None;
        assert_eq!(before_looking(&receipt), None);
        receipt.degraded = vec!["candidates:busy".into()];
        let told = [silent, before_looking(&receipt)].map(Option::unwrap_or_default);
        receipt.degraded.clear();
        receipt.silenced = Some("nothing-known".into());
        assert_eq!(before_looking(&receipt), None, "it was looked up, and nothing was found");
        insta::assert_snapshot!(told.join("\n"), @"
        nothing was looked up, since it asks for nothing to be built, investigated or decided
        what is remembered could not be looked up (busy)
        ");
    }
}
