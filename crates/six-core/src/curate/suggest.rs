//! The verdict that arithmetic would give on a candidate. It is shown with its reason and never applied.

use chrono::FixedOffset;

use super::{Frequencies, LikelyUse, Suggestion, TriageVerdict};
use crate::inject::{Limits, idf};
use crate::record::{Origin, Record, RecordState, UnixMs};
use crate::text::{for_each_token, is_stop};

/// Times that the operator says a thing before it is taken for meant.
const OFTEN_SAID: usize = 2;

/// Prompts on which a candidate would have been shown before it is taken for useful.
const OFTEN_SHOWN: u32 = 2;

/// A record that says nearly the same as a candidate.
#[derive(Debug, Clone, Copy)]
pub struct Alike<'a> {
    /// The record.
    pub record: &'a Record,
    /// Since when it is in its state.
    pub since: UnixMs,
}

/// What a suggestion stands on.
#[derive(Debug, Clone, Copy)]
pub struct Grounds<'a> {
    /// The candidate.
    pub record: &'a Record,
    /// Records that say nearly the same, the closest first.
    pub same: &'a [Alike<'a>],
    /// Whether something similar was confirmed or rejected.
    pub is_near_judged: bool,
    /// How often it was said, by whomever.
    pub said: usize,
    /// How often the operator said it.
    pub said_by_operator: usize,
    /// How often it would have been of use.
    pub likely: &'a LikelyUse,
    /// How common the candidate's words are.
    pub known: &'a Frequencies,
    /// The reader's time zone.
    pub offset: FixedOffset,
}

/// Suggests a verdict, or none: most candidates need somebody to read them. A reason names others by their ids and repeats no
/// text of theirs.
pub fn suggest(grounds: Grounds<'_>) -> Option<Suggestion> {
    rejected_before(grounds)
        .or_else(|| said_elsewhere(grounds))
        .or_else(|| nothing_rare(grounds))
        .or_else(|| said_often(grounds))
        .or_else(|| shown_often(grounds))
}

fn rejected_before(grounds: Grounds<'_>) -> Option<Suggestion> {
    let before = grounds.same.iter().find(|one| one.record.state == RecordState::Rejected)?;
    let reason = format!("the same was rejected on {}", before.since.date(grounds.offset));
    Some(Suggestion { verdict: TriageVerdict::Reject, into: None, reason })
}

/// Of two candidates the later one goes into the earlier one, never both into each other.
fn said_elsewhere(grounds: Grounds<'_>) -> Option<Suggestion> {
    let age = |record: &Record| (record.created, record.id.clone());
    let is_earlier = |one: &Record| age(one) < age(grounds.record);
    let into = grounds.same.iter().map(|one| one.record).find(|one| match one.state {
        RecordState::Confirmed => true,
        RecordState::Pending => is_earlier(one),
        _ => false,
    })?;
    let reason = format!("says nearly the same as {}, which is {}", into.id, into.state.as_str());
    Some(Suggestion { verdict: TriageVerdict::Merge, into: Some(into.id.clone()), reason })
}

fn nothing_rare(grounds: Grounds<'_>) -> Option<Suggestion> {
    let limits = Limits::default();
    let Frequencies { corpus, df } = grounds.known;
    if *corpus < limits.small_corpus {
        return None;
    }
    let is_common = |term: &String| df.get(term).is_some_and(|df| idf(*df, *corpus) < limits.rare_idf);
    let all_common = content_terms(grounds.record).iter().all(is_common);
    let reason = || String::from("nothing in it is rare here: no prompt would find it by its words");
    all_common.then(|| Suggestion { verdict: TriageVerdict::Reject, into: None, reason: reason() })
}

fn said_often(grounds: Grounds<'_>) -> Option<Suggestion> {
    let times = grounds.said_by_operator;
    let reason = || format!("the operator said it {times} times");
    (times >= OFTEN_SAID && is_trusted(grounds)).then(|| confirm(reason()))
}

fn shown_often(grounds: Grounds<'_>) -> Option<Suggestion> {
    let times = grounds.likely.fired;
    let reason = || format!("would have been shown on {times} prompts lately");
    let only_an_agent_said_it_once = grounds.said_by_operator == 0 && grounds.said < 2;
    (times >= OFTEN_SHOWN && !only_an_agent_said_it_once && is_trusted(grounds)).then(|| confirm(reason()))
}

const fn confirm(reason: String) -> Suggestion {
    Suggestion { verdict: TriageVerdict::Confirm, into: None, reason }
}

/// What tools, the web and imports said is never suggested to be believed, however often it fits, nor what somebody has to
/// hold against a record that is similar and was judged.
const fn is_trusted(grounds: Grounds<'_>) -> bool {
    matches!(grounds.record.origin, Origin::Operator | Origin::Agent) && !grounds.is_near_judged
}

/// The distinct terms of title and quote that say something: those whose frequencies have to be known.
pub fn content_terms(record: &Record) -> Vec<String> {
    let mut terms = Vec::new();
    for text in [&record.title, &record.quote] {
        for_each_token(text.as_str(), |token| {
            if !is_stop(token.term) && !terms.iter().any(|known| known == token.term) {
                terms.push(token.term.to_owned());
            }
        });
    }
    terms
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::curate::sample::{NOW, pending};
    use crate::record::RecordKind;

    fn record(id: &str, state: RecordState) -> Record {
        let record = pending(id, RecordKind::Decision, Origin::Agent, "Varnish zebrawood before mahogany");
        Record { state, ..record }
    }

    fn suggested(record: &Record, same: &[&Record], said: usize, fired: u32, df: u64) -> Option<Suggestion> {
        let same: Vec<Alike<'_>> = same.iter().map(|record| Alike { record, since: NOW }).collect();
        let df = content_terms(record).into_iter().map(|term| (term, df)).collect();
        suggest(Grounds {
            record,
            same: &same,
            is_near_judged: false,
            said: said.max(1),
            said_by_operator: said,
            likely: &LikelyUse { fired, ..LikelyUse::default() },
            known: &Frequencies { corpus: 1_000, df },
            offset: FixedOffset::east_opt(0).unwrap(),
        })
    }

    #[test]
    fn every_suggestion_names_its_reason() {
        let mine = record("mine", RecordState::Pending);
        let rejected = record("old", RecordState::Rejected);
        let confirmed = record("known", RecordState::Confirmed);
        let told: Vec<String> = [
            suggested(&mine, &[&confirmed, &rejected], 5, 5, 1),
            suggested(&mine, &[&confirmed], 5, 5, 1),
            suggested(&mine, &[], 5, 5, 900),
            suggested(&mine, &[], 3, 5, 1),
            suggested(&mine, &[], 1, 4, 1),
            suggested(&mine, &[], 1, 1, 1),
        ]
        .into_iter()
        .map(|one| one.map_or_else(|| "-".to_owned(), |one| format!("{}: {}", one.verdict.as_str(), one.reason)))
        .collect();
        insta::assert_snapshot!(told.join("\n"), @r#"
        reject: the same was rejected on 2026-02-02
        merge: says nearly the same as known, which is confirmed
        reject: nothing in it is rare here: no prompt would find it by its words
        confirm: the operator said it 3 times
        confirm: would have been shown on 4 prompts lately
        -
        "#);
    }

    #[test]
    fn of_two_candidates_only_the_later_goes_into_the_earlier() {
        let (mine, other) = (record("b", RecordState::Pending), record("a", RecordState::Pending));
        assert_eq!(suggested(&mine, &[&other], 1, 0, 1).unwrap().into, Some(other.id.clone()));
        assert_eq!(suggested(&other, &[&mine], 1, 0, 1), None);
    }

    #[test]
    fn what_a_tool_or_an_import_said_is_never_suggested_to_be_believed() {
        for origin in [Origin::Tool, Origin::Import] {
            let mine = Record { origin, ..record("mine", RecordState::Pending) };
            assert_eq!(suggested(&mine, &[], 9, 9, 1), None);
        }
    }

    #[test]
    fn nothing_is_suggested_to_be_believed_beside_what_was_judged_or_when_an_agent_said_it_once() {
        let mine = record("mine", RecordState::Pending);
        let likely = LikelyUse { fired: 9, ..LikelyUse::default() };
        let of = |is_near_judged, said, said_by_operator| {
            suggest(Grounds {
                record: &mine,
                same: &[],
                is_near_judged,
                said,
                said_by_operator,
                likely: &likely,
                known: &Frequencies { corpus: 1_000, df: <_>::default() },
                offset: FixedOffset::east_opt(0).unwrap(),
            })
        };
        assert!(of(false, 1, 1).is_some() && of(false, 2, 0).is_some());
        assert_eq!((of(true, 5, 5), of(false, 1, 0)), (None, None));
    }

    #[test]
    fn a_frequency_that_is_not_known_is_not_taken_for_common() {
        let mine = record("mine", RecordState::Pending);
        let grounds = Grounds {
            record: &mine,
            same: &[],
            is_near_judged: false,
            said: 1,
            said_by_operator: 1,
            likely: &LikelyUse::default(),
            known: &Frequencies { corpus: 1_000, df: <_>::default() },
            offset: FixedOffset::east_opt(0).unwrap(),
        };
        assert_eq!(suggest(grounds), None);
    }
}
