//! Reading a clause of a language that puts no reliable blanks between its words: phrases are found within it.

use super::Intent;
use super::ranked::{Rank, Ranked};
use crate::inject::clause::Clause;
use crate::inject::lexicon::{Cues, Spelling, Words};

/// A phrase of a clause with what it does, and where it ends.
struct Item<'a> {
    phrase: &'a str,
    cues: Cues,
    start: usize,
    end: usize,
}

/// The longest phrases of a text from left to right.
fn items<'a>(text: &'a str, words: Words<'_>) -> Vec<Item<'a>> {
    let mut found = Vec::new();
    let mut at = 0;
    let mut before = ' ';
    while let Some(c) = text.get(at..).and_then(|rest| rest.chars().next()) {
        let inside = c.is_ascii_alphabetic() && before.is_ascii_alphanumeric();
        let known = if inside { None } else { text.get(at..).and_then(|rest| words.longest_at(rest)) };
        let known = known.filter(|(len, cues)| {
            let asks = text.get(at..at + len).is_some_and(|phrase| phrase.ends_with('줘'));
            !is_hangul(before) || *len > SHORT_STEM || asks || !cues.any(ACTS)
        });
        let len = known.map_or(c.len_utf8(), |(len, _)| len);
        if let Some((_, cues)) = known {
            found.push(Item { phrase: text.get(at..at + len).unwrap_or_default(), cues, start: at, end: at + len });
        }
        before = text.get(at..at + len).and_then(|read| read.chars().next_back()).unwrap_or(c);
        at += len;
    }
    found
}

/// Bytes of two syllables of Korean: within a word such a verb is none, `진짜` has no `짜`.
const SHORT_STEM: usize = 6;

const fn is_hangul(c: char) -> bool {
    matches!(c, '\u{ac00}'..='\u{d7a3}')
}

const ACTS: Cues = Cues::BUILD.and(Cues::INVESTIGATE).and(Cues::GLANCE).and(Cues::OPERATE);

/// Reads one clause.
pub(super) fn read_dense(clause: &Clause, words: Words<'_>) -> Ranked {
    let text = words.own.spelling.simplified(&clause.text);
    let items = items(&text, words);
    let mut reading = Ranked::of(clause);
    if clause.output {
        for item in &items {
            reading.remark(item.phrase, item.cues.only(Cues::SYMPTOM), true);
        }
        return reading;
    }
    // What was done before, or is weighed, is not ordered.
    let mut barred = false;
    // Only Chinese verbs have one form for all uses.
    let formless = words.own.spelling == Spelling::Letters;
    let last = items.last().filter(|item| formless && item.end == text.len() && item.cues.any(Cues::SYMPTOM));
    for (n, item) in items.iter().enumerate() {
        if item.cues.any(Cues::LAST) && item.end < text.len() {
            continue;
        }
        reading.remark(item.phrase, item.cues, clause.question);
        reading.hold(item.cues.only(Cues::WH));
        if item.cues.any(Cues::POLITE) && !clause.question && !reading.brief {
            reading.note(Rank::Requires, Intent::Build, item.phrase);
        }
        barred |= item.cues.any(Cues::PAST.and(Cues::DECIDE).and(Cues::NEGATION));
        barred &= !item.cues.any(Cues::JOINT);
        let next = items.get(n + 1).filter(|next| next.start == item.end);
        let reports = next.is_some_and(|next| next.cues.any(Cues::AFTER));
        // "the import button fails" orders no import, "fix the failing import" does.
        let troubled = last.is_some_and(|last| last.start > item.start) && !item.cues.any(Cues::MEND);
        let named = item.cues.any(Cues::BARE) && !stands_out(&items, n, &text, reading.orders());
        // "who calls it?" has the verb's form of an order.
        let asked = clause.question && item.cues.any(Cues::ENDS) && asks_what(&items);
        if !barred && !reports && !named && !asked && (!troubled || !item.cues.any(Cues::BUILD)) {
            act(&mut reading, &items, item);
        }
        if item.cues.any(Cues::WH) {
            reading.note(Rank::Wonders, Intent::Investigate, item.phrase);
        }
    }
    if clause.question && !reading.operates() {
        reading.note(Rank::Wonders, Intent::Investigate, "?");
    }
    reading.settle(clause.question, clause.question && items.iter().any(|item| item.cues.any(Cues::OR)));
    reading
}

fn asks_what(items: &[Item<'_>]) -> bool {
    items.iter().any(|item| item.cues.any(Cues::WH)) && !items.iter().any(|item| item.cues.any(Cues::ASK))
}

/// Whether a verb without an ending is one and no noun: it opens a clause, ends one that
/// orders nothing else, or follows what opens an order.
fn stands_out(items: &[Item<'_>], at: usize, text: &str, ordered: bool) -> bool {
    let Some(item) = items.get(at) else { return false };
    let before = text.get(..item.start).unwrap_or_default().trim_end();
    let opens = Cues::ASK.and(Cues::JOINT).and(Cues::FILLER).and(Cues::OBLIGATION);
    let led = items.get(..at).and_then(<[_]>::last).is_some_and(|led| led.end >= before.len() && led.cues.any(opens));
    before.is_empty() || led || (item.end == text.len() && !ordered)
}

const TRACKED: Cues = Cues::OBJECT.and(Cues::OPERATE);

fn act(reading: &mut Ranked, items: &[Item<'_>], verb: &Item<'_>) {
    let on_tracker = || {
        let mut others = items.iter().filter(|item| item.start != verb.start);
        others.any(|item| item.cues.any(TRACKED) && !item.cues.any(Cues::BARE.and(Cues::LAST)))
    };
    if verb.cues.any(Cues::OPERATE) || (verb.cues.any(Cues::LIGHT) && on_tracker()) {
        reading.hold(Cues::OPERATE);
    } else if verb.cues.any(Cues::INVESTIGATE) {
        reading.note(Rank::Says, Intent::Investigate, verb.phrase);
    } else if verb.cues.any(Cues::GLANCE) {
        reading.note(Rank::Looks, Intent::Investigate, verb.phrase);
    } else if verb.cues.any(Cues::BUILD) {
        reading.note(Rank::Says, Intent::Build, verb.phrase);
    }
}
