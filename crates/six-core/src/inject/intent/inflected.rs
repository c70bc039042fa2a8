//! Reading a clause of a language that puts blanks between its words and shows an order in the form of a verb.

use super::Intent;
use super::ranked::{Rank, Ranked};
use crate::inject::clause::{Clause, OPAQUE};
use crate::inject::lexicon::{Cues, MAX_PHRASE_WORDS, Words};

/// A phrase of a clause with what it does.
struct Item<'a> {
    phrase: &'a str,
    cues: Cues,
}

fn items<'a>(clause: &Clause, text: &'a str, words: Words<'_>) -> Vec<Item<'a>> {
    let mut found = Vec::new();
    let mut at = 0;
    while let Some(first) = clause.words.get(at) {
        let word = text.get(first.clone()).unwrap_or_default();
        let single = cues_of(word, words);
        let longer = single.and_then(|_| {
            (2..=MAX_PHRASE_WORDS).rev().find_map(|len| {
                let last = clause.words.get(at + len - 1)?;
                let phrase = text.get(first.start..last.end)?;
                let cues = here(words.cues(phrase)?, at + len == clause.words.len());
                (cues != Cues::NONE).then_some((len, Item { phrase, cues }))
            })
        });
        let alone = || here(single.unwrap_or_default(), at + 1 == clause.words.len());
        let (len, item) = longer.unwrap_or_else(|| (1, Item { phrase: word, cues: alone() }));
        found.push(item);
        at += len;
    }
    found
}

/// `hazlo` at the end of a clause goes on, `lass` there gives up, and before its end both order a change.
const fn here(cues: Cues, ends: bool) -> Cues {
    if cues.any(Cues::LAST) && !ends { cues.without(Cues::OPERATE.and(Cues::OVER).and(Cues::LAST)) } else { cues }
}

fn cues_of(word: &str, words: Words<'_>) -> Option<Cues> {
    let known = words.cues(word);
    // A word that is only the first of longer phrases may still be a form with a moved accent.
    if known.is_some_and(|cues| cues != Cues::NONE) {
        return known;
    }
    let plain = || words.own.spelling.unaccented(word).and_then(|plain| words.cues(&plain));
    // `d'ajouter`, `l'erreur`
    let elided = || word.split_once('\'').and_then(|(_, rest)| words.cues(rest));
    plain().or_else(elided).or(known)
}

/// Reads one clause.
pub(super) fn read_inflected(clause: &Clause, words: Words<'_>) -> Ranked {
    let text = words.own.spelling.simplified(&clause.text);
    let items = items(clause, &text, words);
    let head = items.iter().position(|item| !item.cues.any(Cues::FILLER)).unwrap_or(0);
    let mut reading = Ranked::of(clause);
    if clause.output {
        for item in &items {
            reading.remark(item.phrase, item.cues.only(Cues::SYMPTOM), true);
        }
        return reading;
    }
    let opening = items.get(head).map_or(Cues::NONE, |item| item.cues);
    if opening.any(Cues::WH) || (clause.question && items.iter().any(|item| item.cues.any(Cues::WH))) {
        reading.hold(Cues::WH);
    }
    let asks = opening.any(Cues::WH) || (clause.question && opening.any(Cues::AUX) && !opening.any(Cues::ASK));
    // Conditions, reasons and questions give no orders, whatever verbs are in them.
    let orders = !asks && !opening.any(Cues::SUBORDINATE);
    let mut open = orders;
    let mut negated = false;
    for (n, item) in items.iter().enumerate() {
        reading.remark(item.phrase, item.cues, clause.question);
        negated |= item.cues.any(Cues::NEGATION);
        if item.cues.any(ACTS) && (open || (orders && stands_out(&items, n))) {
            act(&mut reading, &items, n, negated || bars(&items, n));
            open = false;
        } else if item.cues.any(Cues::DECIDE) {
            // What follows is weighed, not ordered.
            break;
        } else if item.cues.any(Cues::ASK) && orders {
            open = true;
        } else if item.cues.any(Cues::JOINT) && n > head {
            open |= reading.operates() || reading.orders();
            negated = false;
        } else if !item.cues.any(Cues::FILLER.and(Cues::NEGATION)) {
            open = false;
        }
    }
    questions(&mut reading, &items, head, asks, clause.question);
    let polite = items.iter().find(|item| item.cues.any(Cues::POLITE));
    if let Some(polite) = polite.filter(|_| items.len() > 2 && !clause.question && !negated && !reading.orders()) {
        // "the messages in English please": a request without a verb.
        reading.note(Rank::Requires, Intent::Build, polite.phrase);
    }
    let offers = clause.question && !asks && items.iter().skip(head + 1).any(|item| item.cues.any(Cues::OR));
    reading.settle(clause.question, offers);
    reading
}

fn questions(reading: &mut Ranked, items: &[Item<'_>], head: usize, asks: bool, question: bool) {
    let opening = items.get(head).map_or(Cues::NONE, |item| item.cues);
    let word = head_word(items, head);
    if question && opening.any(Cues::ASK) && !reading.operates() && !reading.orders() {
        // "could we also do …?": a request whose verb is in no list.
        reading.note(Rank::Requires, Intent::Build, word);
    } else if (asks || (question && !reading.operates())) && !reading.orders() {
        reading.note(Rank::Wonders, Intent::Investigate, word);
    }
}

/// What a receipt shows of a question: its first word, unless that is a path or code.
fn head_word<'a>(items: &[Item<'a>], head: usize) -> &'a str {
    items.get(head).map(|item| item.phrase).filter(|phrase| !phrase.contains(OPAQUE)).unwrap_or("?")
}

const ACTS: Cues = Cues::BUILD.and(Cues::INVESTIGATE).and(Cues::GLANCE).and(Cues::OPERATE);

/// Whether a verb orders although it does not open its clause: one whose form does nothing else does, one that is also a
/// name does where no trouble follows: `umbenennen` in `den Button umbenennen`, but not in `Umbenennen geht nicht`.
fn stands_out(items: &[Item<'_>], at: usize) -> bool {
    let Some(verb) = items.get(at).filter(|verb| verb.cues.any(Cues::LATE)) else { return false };
    let behind = at.checked_sub(1).and_then(|before| items.get(before)).is_some_and(|item| item.cues.any(Cues::AFTER));
    let troubled = items.iter().skip(at + 1).any(|item| item.cues.any(Cues::SYMPTOM));
    !(verb.cues.any(Cues::BARE) && (behind || troubled))
}

/// Whether a negation right behind the verb at `at` turns it round: `ändere noch nichts`, `touche pas`.
fn bars(items: &[Item<'_>], at: usize) -> bool {
    items.iter().skip(at + 1).take(2).any(|item| item.cues.any(Cues::NEGATION))
}

/// Whether a light verb that ends a clause goes on with an operation: `commit it and send it up`.
fn goes_on(reading: &Ranked, items: &[Item<'_>], at: usize) -> bool {
    reading.operates() && items.len() <= at + 2
}

/// Takes the verb at `at` as an order.
fn act(reading: &mut Ranked, items: &[Item<'_>], at: usize, negated: bool) {
    const REACH: usize = 5;
    let Some(verb) = items.get(at) else { return };
    let tracked = |item: &Item<'_>| item.cues.any(Cues::OBJECT.and(Cues::OPERATE));
    let on_tracker = || {
        items.iter().skip(at + 1).take(REACH).any(tracked)
            || (verb.cues.any(Cues::LATE) && items.iter().take(at).rev().take(REACH).any(tracked))
    };
    // "sigue" goes on, and "sigue fallando" reports.
    let reports = verb.cues.any(Cues::SYMPTOM) && items.iter().skip(at + 1).any(|item| item.cues.any(Cues::SYMPTOM));
    if reports {
        // The trouble is noted already.
    } else if verb.cues.any(Cues::OPERATE)
        || (verb.cues.any(Cues::LIGHT) && (on_tracker() || goes_on(reading, items, at)))
    {
        reading.hold(Cues::OPERATE);
    } else if negated {
        // "don't add a cache" asks for nothing that could be built twice.
    } else if verb.cues.any(Cues::INVESTIGATE) {
        reading.note(Rank::Says, Intent::Investigate, verb.phrase);
    } else if verb.cues.any(Cues::GLANCE) {
        reading.note(Rank::Looks, Intent::Investigate, verb.phrase);
    } else {
        reading.note(Rank::Says, Intent::Build, verb.phrase);
    }
}
