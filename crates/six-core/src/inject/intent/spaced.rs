//! Reading a clause of a language that puts blanks between its words.

use super::{Clause, Intent, OPAQUE, Reading, Strength};
use crate::inject::lexicon::{Cues, Lexicon, MAX_PHRASE_WORDS};

/// A phrase of a clause with what it does.
struct Item<'a> {
    phrase: &'a str,
    cues: Cues,
}

fn items<'a>(clause: &'a Clause, lexicon: &Lexicon) -> Vec<Item<'a>> {
    let mut found = Vec::new();
    let mut at = 0;
    while let Some(first) = clause.words.get(at) {
        let longest = (1..=MAX_PHRASE_WORDS).rev().find_map(|len| {
            let last = clause.words.get(at + len - 1)?;
            let phrase = clause.text.get(first.start..last.end)?;
            let cues = lexicon.cues(phrase);
            (cues != Cues::NONE).then_some((len, Item { phrase, cues }))
        });
        let (len, item) = longest.unwrap_or_else(|| {
            (1, Item { phrase: clause.text.get(first.clone()).unwrap_or_default(), cues: Cues::NONE })
        });
        found.push(item);
        at += len;
    }
    found
}

pub(super) fn read_spaced(clause: &Clause, lexicon: &Lexicon) -> Reading {
    let items = items(clause, lexicon);
    let head = items.iter().position(|item| !item.cues.any(Cues::FILLER)).unwrap_or(0);
    let mut reading = Reading { output: clause.output, ..Reading::default() };
    if reading.output {
        return trouble(reading, &items);
    }
    let opening = items.get(head).map_or(Cues::NONE, |item| item.cues);
    let asks = opening.any(Cues::WH) || (clause.question && opening.any(Cues::AUX) && !opening.any(Cues::ASK));
    // Conditions, reasons and questions give no orders, whatever verbs are in them.
    let orders = !asks && !opening.any(Cues::SUBORDINATE);
    let mut open = orders;
    let troubled = items.iter().any(|item| item.cues.any(Cues::SYMPTOM));
    let mut negated = false;
    for (n, item) in items.iter().enumerate() {
        remark(&mut reading, item, clause, opening, troubled);
        negated |= item.cues.any(Cues::NEGATION);
        if open && item.cues.any(ACTS) {
            act(&mut reading, &items, n, negated);
            open = false;
        } else if item.cues.any(Cues::DECIDE) {
            // What follows is weighed, not ordered.
            break;
        } else if item.cues.any(Cues::ASK) && orders {
            open = true;
        } else if item.cues.any(Cues::JOINT) && n > head {
            open |= reading.operates || reading.orders();
            negated = false;
        } else if !item.cues.any(Cues::FILLER.and(Cues::NEGATION)) {
            open = false;
        }
    }
    let silent = !reading.operates && !reading.orders();
    if asks && clause.question && opening.any(Cues::OBLIGATION) {
        reading.note(Strength::Says, Intent::Decide, "should");
    } else if clause.question && opening.any(Cues::ASK) && silent {
        // "could we also do …?": a request whose verb is in no list.
        reading.note(Strength::Requires, Intent::Build, head_word(&items, head));
    } else if (asks || (clause.question && !reading.operates)) && !reading.orders() {
        reading.note(Strength::Wonders, Intent::Investigate, head_word(&items, head));
    }
    trouble(reading, &items)
}

/// What a receipt shows of a question: its first word, unless that is a path or code.
fn head_word<'a>(items: &[Item<'a>], head: usize) -> &'a str {
    items.get(head).map(|item| item.phrase).filter(|phrase| !phrase.contains(OPAQUE)).unwrap_or("?")
}

/// Signs that count wherever they stand in a clause.
fn remark(reading: &mut Reading, item: &Item<'_>, clause: &Clause, opening: Cues, troubled: bool) {
    let conditional = opening.any(Cues::SUBORDINATE);
    if item.cues.any(Cues::DECIDE) && !conditional {
        reading.note(Strength::Says, Intent::Decide, item.phrase);
    }
    if item.cues.any(Cues::LEAN) && !conditional && !troubled {
        reading.note(Strength::Leans, Intent::Decide, item.phrase);
    }
    if item.cues.any(Cues::OBLIGATION) && !clause.question {
        reading.note(Strength::Requires, Intent::Build, item.phrase);
    }
}

fn trouble(mut reading: Reading, items: &[Item<'_>]) -> Reading {
    for item in items.iter().filter(|item| item.cues.any(Cues::SYMPTOM)) {
        reading.note(Strength::Reports, Intent::Investigate, item.phrase);
    }
    reading
}

const ACTS: Cues = Cues::BUILD.and(Cues::INVESTIGATE).and(Cues::GLANCE).and(Cues::OPERATE);

/// Takes the verb at `at` as an order.
fn act(reading: &mut Reading, items: &[Item<'_>], at: usize, negated: bool) {
    const REACH: usize = 5;
    let Some(verb) = items.get(at) else { return };
    let on_tracker = || items.iter().skip(at + 1).take(REACH).any(|item| item.cues.any(Cues::OBJECT));
    if verb.cues.any(Cues::OPERATE) || (verb.cues.any(Cues::LIGHT) && on_tracker()) {
        reading.operates = true;
    } else if negated {
        // "don't add a cache" asks for nothing that could be built twice.
    } else if verb.cues.any(Cues::INVESTIGATE) {
        reading.note(Strength::Says, Intent::Investigate, verb.phrase);
    } else if verb.cues.any(Cues::GLANCE) {
        reading.note(Strength::Looks, Intent::Investigate, verb.phrase);
    } else {
        reading.note(Strength::Says, Intent::Build, verb.phrase);
    }
}
