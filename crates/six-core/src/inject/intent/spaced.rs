//! Reading a clause of a language that puts blanks between its words.

use super::reading::Reading;
use super::sign::Sign;
use crate::inject::clause::{Clause, OPAQUE};
use crate::inject::lexicon::{Cues, MAX_PHRASE_WORDS, Words};

/// A phrase of a clause with what it does.
#[derive(Debug, Clone, Copy)]
struct Item<'a> {
    phrase: &'a str,
    cues: Cues,
}

/// How an order is put.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Frame {
    Bare,
    Asked,
    Needed,
    Weighed,
}

/// Verbs that order.
const ACTS: Cues = Cues::BUILD.and(Cues::BUILD_TOPICAL).and(Cues::INVESTIGATE).and(Cues::GLANCE).and(Cues::OPERATE);

/// Reads one clause.
pub(super) fn read_spaced<'a>(clause: &'a Clause, words: Words<'_>) -> Reading<'a> {
    let (items, personal) = items(clause, words);
    let mut reading = Reading::of(clause);
    reading.personal = personal;
    if clause.output {
        mark(&mut reading, &items, Cues::SYMPTOM, Sign::Symptom);
        return reading;
    }
    if clause.question && clause.last && items.iter().all(|item| item.cues.any(Cues::TAG)) {
        reading.note(Sign::AskTag, "?");
        return reading;
    }
    let (head, frame, negated) = opening(&items, clause.question);
    reading.bare = head == items.len() && frame == Frame::Bare;
    orders(&mut reading, &items, head, frame, negated, clause.question);
    asks(&mut reading, &items, head, frame, clause);
    remarks(&mut reading, &items, clause.question);
    let first = items.get(head).map_or(Cues::NONE, |item| item.cues);
    if reading.noted.is_empty()
        && first.any(Cues::INDEFINITE)
        && items.len() > head + 2
        && (clause.first || clause.listed)
    {
        reading.note(Sign::Thing, phrase_at(&items, head + 1));
    }
    if first.any(Cues::SUBORDINATE) {
        reading.note(Sign::Condition, phrase_at(&items, head));
    }
    reading
}

fn items<'a>(clause: &'a Clause, words: Words<'_>) -> (Vec<Item<'a>>, bool) {
    let mut personal = false;
    let mut found = Vec::with_capacity(clause.words.len());
    let mut at = 0;
    while let Some(first) = clause.words.get(at) {
        let word = clause.text.get(first.clone()).unwrap_or_default();
        let mut item = Item { phrase: word, cues: Cues::NONE };
        let mut len = 1;
        if let Some(cues) = words.cues(word) {
            item.cues = cues;
            personal |= cues.any(Cues::PERSON);
            let longer = (2..=MAX_PHRASE_WORDS).rev().find_map(|len| {
                let last = clause.words.get(at + len - 1)?;
                let phrase = clause.text.get(first.start..last.end)?;
                words.cues(phrase).filter(|cues| *cues != Cues::NONE).map(|cues| (len, Item { phrase, cues }))
            });
            (len, item) = longer.unwrap_or((1, item));
        }
        personal |= item.cues.any(Cues::ASK.and(Cues::NEED).and(Cues::PROPOSE).and(Cues::OPINION).and(Cues::REPORT));
        found.push(item);
        at += len;
    }
    (found, personal)
}

/// Where a clause begins to say something, behind fillers and frames, how that is put, and whether it is negated.
fn opening(items: &[Item<'_>], question: bool) -> (usize, Frame, bool) {
    let mut frame = Frame::Bare;
    let mut negated = false;
    for (at, item) in items.iter().enumerate() {
        let inverts = item.cues.any(Cues::AUX) && question && !item.cues.any(Cues::ASK.and(Cues::PROPOSE));
        if inverts {
            return (at, frame, negated);
        } else if item.cues.any(Cues::PROPOSE) {
            frame = Frame::Weighed;
        } else if item.cues.any(ACTS) && is_verb(items, at, frame) {
            return (at, frame, negated);
        } else if item.cues.any(Cues::NEED) {
            frame = if frame == Frame::Weighed { frame } else { Frame::Needed };
        } else if item.cues.any(Cues::ASK) {
            frame = if frame == Frame::Bare { Frame::Asked } else { frame };
        } else if item.cues.any(Cues::NEGATION) {
            negated = true;
        } else if !item.cues.any(Cues::FILLER) {
            return (at, frame, negated);
        }
    }
    (items.len(), frame, negated)
}

/// Whether what could be a verb is one. Behind a frame it is; at the head of a clause, `test the parser` orders and
/// `test coverage is low` doesn't: before any word that may follow a verb comes one that a noun must precede.
fn is_verb(items: &[Item<'_>], at: usize, frame: Frame) -> bool {
    const NOUNS: usize = 4;
    if frame != Frame::Bare {
        return true;
    }
    for item in items.iter().skip(at + 1).take(NOUNS) {
        if item.cues.any(Cues::DETERMINER) || item.phrase.contains(OPAQUE) {
            return true;
        }
        if item.cues.any(Cues::AUX.and(Cues::OBLIGATION).and(Cues::NEED)) && !item.cues.any(Cues::ASK) {
            return false;
        }
    }
    true
}

/// Follows the orders of a clause from its head on.
fn orders<'a>(
    reading: &mut Reading<'a>,
    items: &[Item<'a>],
    head: usize,
    opening: Frame,
    barred: bool,
    question: bool,
) {
    let first = items.get(head).map_or(Cues::NONE, |item| item.cues);
    // A word alone in the midst of others is a name or a heading.
    let named = items.len() == 1 && !phrase_at(items, head).contains(' ') && !first.any(Cues::OPERATE);
    let acts = first.any(ACTS) && (!named || reading.opens());
    let mut frame = opening;
    let mut negated = barred;
    let mut open = acts;
    let mut acted = false;
    let mut before = Cues::NONE;
    for (at, item) in items.iter().enumerate().skip(head) {
        if open && item.cues.any(ACTS) && (at > head || acts) {
            let asked = question && frame == Frame::Needed;
            act(reading, items, at, if asked { Frame::Weighed } else { frame }, negated);
            acted = true;
            open = false;
        } else if at > head && opens(*item, before) {
            frame = match () {
                () if item.cues.any(Cues::PROPOSE) => Frame::Weighed,
                () if item.cues.any(Cues::NEED) => Frame::Needed,
                () => Frame::Asked,
            };
            negated = false;
            open = true;
        } else if item.cues.any(Cues::JOINT) && acted {
            negated = false;
            open = true;
        } else if open && item.cues.any(Cues::NEGATION) {
            negated = true;
        } else if !item.cues.any(Cues::FILLER) {
            open = false;
        }
        before = item.cues;
    }
    if !acted && opening == Frame::Asked {
        let finds = items.iter().skip(head).any(|item| item.cues.any(Cues::FINDING));
        reading.note(if finds { Sign::Find } else { Sign::Request }, phrase_at(items, head));
    }
}

/// Whether a phrase in the middle of a clause opens an order: `… it fails, can you add a retry`. `how can you` doesn't.
fn opens(item: Item<'_>, before: Cues) -> bool {
    let frame = item.cues.any(Cues::ASK.and(Cues::NEED).and(Cues::PROPOSE)) && item.phrase.contains([' ', '\'']);
    (frame || item.phrase == "please") && !before.any(Cues::WH.and(Cues::SUBORDINATE))
}

/// Takes the verb at `at` as an order.
fn act<'a>(reading: &mut Reading<'a>, items: &[Item<'a>], at: usize, frame: Frame, negated: bool) {
    const REACH: usize = 5;
    let Some(verb) = items.get(at) else { return };
    let object = |cue| items.iter().skip(at + 1).take(REACH).any(|item| item.cues.any(cue));
    let sign = if verb.cues.any(Cues::OPERATE) || (verb.cues.any(Cues::LIGHT) && object(Cues::OBJECT)) {
        if negated {
            return;
        }
        Sign::Operate
    } else if negated {
        Sign::ChangeBarred
    } else if verb.cues.any(Cues::INVESTIGATE) || object(Cues::FINDING) {
        Sign::Find
    } else if object(Cues::DECIDE.and(Cues::OPINION)) {
        Sign::Weigh
    } else if verb.cues.any(Cues::GLANCE) {
        Sign::Glance
    } else {
        match frame {
            Frame::Bare | Frame::Asked => Sign::Change,
            Frame::Needed => Sign::ChangeNeeded,
            Frame::Weighed => Sign::ChangeWeighed,
        }
    };
    reading.note(sign, verb.phrase);
}

/// What a clause asks.
fn asks<'a>(reading: &mut Reading<'a>, items: &[Item<'a>], head: usize, frame: Frame, clause: &Clause) {
    let first = items.get(head).map_or(Cues::NONE, |item| item.cues);
    let word = phrase_at(items, head);
    let closes = clause.question && clause.last;
    if frame != Frame::Bare || first.any(ACTS) {
    } else if items.iter().any(|item| item.cues.any(Cues::OPINION)) && clause.question {
    } else if first.any(Cues::WH) && (clause.question || clause.first || !first.any(Cues::SUBORDINATE)) {
        reading.note(Sign::AskWhat, word);
    } else if first.any(Cues::ABLE) && items.iter().skip(head + 1).take(SUBJECT).any(|item| item.cues.any(CHANGES)) {
        reading.note(Sign::Wish, word);
    } else if word == "do we" && clause.question && items.get(head + 1).is_some_and(|item| item.cues.any(CHANGES)) {
        reading.note(Sign::ChangeWeighed, word);
    } else if first.any(Cues::AUX) && (clause.question || !first.any(Cues::NEGATION.and(Cues::ASK).and(Cues::WANT))) {
        let sign = if first.any(Cues::OBLIGATION) && clause.question { Sign::Propose } else { Sign::AskWhether };
        reading.note(sign, word);
    } else if closes && items.len() > 1 && items.last().is_some_and(|item| item.cues.any(Cues::TAG)) {
        reading.note(Sign::AskTag, "?");
    } else if closes && !reading.acted() && !reading.bare {
        reading.note(Sign::AskPlain, "?");
    }
    let names = !first.any(Cues::AUX.and(Cues::WH).and(Cues::SUBORDINATE).and(Cues::REPORT)) && !reading.acted();
    if closes && (names || word == "do we") {
        let inner = items.len().saturating_sub(1);
        let from = usize::from(inner < 2);
        mark(reading, items.get(from..inner).unwrap_or_default(), Cues::CHOICE, Sign::AskChoice);
    }
}

/// Words of a subject within which the verb of a question is looked for.
const SUBJECT: usize = 5;

/// Verbs that order a change.
const CHANGES: Cues = Cues::BUILD.and(Cues::BUILD_TOPICAL);

/// Signs that count wherever they stand in a clause.
fn remarks<'a>(reading: &mut Reading<'a>, items: &[Item<'a>], question: bool) {
    for (cue, sign) in [
        (Cues::DECIDE, Sign::Weigh),
        (Cues::PREFER, Sign::Prefer),
        (Cues::OPINION, Sign::Opinion),
        (Cues::FINDING, Sign::Finding),
        (Cues::HEDGE, Sign::Hedge),
    ] {
        mark(reading, items, cue, sign);
    }
    for (at, item) in items.iter().enumerate() {
        let rest = items.get(at + 1..).unwrap_or_default();
        if item.cues.any(Cues::SETTLE) {
            // "let's go with B" answers and says nothing.
            let bare =
                !rest.is_empty() && rest.iter().all(|item| item.phrase.len() == 1 || item.cues.any(Cues::FILLER));
            reading.note(if bare { Sign::Approve } else { Sign::Settle }, item.phrase);
        }
        if item.cues.any(Cues::APPROVE)
            && (!item.cues.any(Cues::ASK) || rest.iter().all(|item| item.cues.any(Cues::FILLER)))
        {
            reading.note(Sign::Approve, item.phrase);
        }
    }
    if !items.iter().any(|item| item.cues.any(Cues::WH)) {
        mark(reading, items, Cues::WANT, Sign::Wish);
        mark(reading, items, Cues::PROPOSE, Sign::Propose);
    }
    mark(reading, items, Cues::COMMENT, Sign::Comment);
    if !question {
        mark(reading, items, Cues::OBLIGATION, Sign::Required);
        mark(reading, items, Cues::CONTRAST, Sign::Contrast);
    }
    if !reading.acted() {
        mark(reading, items, Cues::SYMPTOM, Sign::Symptom);
        mark(reading, items, Cues::EXPECT, Sign::Unexpected);
        mark(reading, items, Cues::REPORT, Sign::Report);
        mark(reading, items, Cues::LEAN, Sign::Lean);
    }
}

fn mark<'a>(reading: &mut Reading<'a>, items: &[Item<'a>], cue: Cues, sign: Sign) {
    for item in items.iter().filter(|item| item.cues.any(cue)) {
        reading.note(sign, item.phrase);
    }
}

/// What a receipt shows of an item: its words, unless that is a path or code.
fn phrase_at<'a>(items: &[Item<'a>], at: usize) -> &'a str {
    items.get(at).map(|item| item.phrase).filter(|phrase| !phrase.contains(OPAQUE)).unwrap_or("?")
}
