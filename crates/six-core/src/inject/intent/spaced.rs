//! Reading a clause of a language that puts blanks between its words.

use super::reading::Reading;
use super::sign::Sign;
use crate::inject::clause::{Clause, OPAQUE};
use crate::inject::lexicon::{Cues, Words};

/// A phrase of a clause with what it does.
#[derive(Debug, Clone, Copy)]
struct Item<'a> {
    phrase: &'a str,
    cues: Cues,
}

impl Item<'_> {
    const fn any(&self, cues: Cues) -> bool {
        self.cues.any(cues)
    }
}

/// How an order is put: `rename it`, `can you rename it`, `we need to rename it`, `should we rename it`.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Frame {
    Bare,
    Asked,
    Needed,
    Weighed,
}

impl Frame {
    /// What a phrase makes of the frame so far. Weighing stays weighing.
    fn after(self, item: &Item<'_>) -> Option<Self> {
        match self {
            _ if item.any(Cues::PROPOSE) => Some(Self::Weighed),
            _ if !item.any(Cues::NEED.and(Cues::ASK)) => None,
            Self::Weighed => Some(Self::Weighed),
            _ if item.any(Cues::NEED) => Some(Self::Needed),
            Self::Bare => Some(Self::Asked),
            Self::Asked | Self::Needed => Some(self),
        }
    }
}

/// Verbs that order a change.
const CHANGES: Cues = Cues::BUILD.and(Cues::BUILD_TOPICAL);

/// Verbs that order anything.
const ACTS: Cues = CHANGES.and(Cues::INVESTIGATE).and(Cues::GLANCE).and(Cues::OPERATE);

/// What speaks to somebody.
const ADDRESSES: Cues = Cues::ASK.and(Cues::NEED).and(Cues::PROPOSE).and(Cues::OPINION).and(Cues::REPORT);

/// A clause, parted into its opening and the rest.
struct Parsed<'i, 'a> {
    items: &'i [Item<'a>],
    /// Where it begins to say something, behind fillers and frames.
    head: usize,
    frame: Frame,
    /// Whether the opening negates.
    negated: bool,
    question: bool,
}

/// Reads one clause.
pub(super) fn read_spaced<'a>(clause: &'a Clause, words: Words<'_>) -> Reading<'a> {
    let mut reading = Reading::of(clause);
    let items = items(&mut reading, words);
    if clause.output {
        note_all(&mut reading, &items, &[(Cues::SYMPTOM, Sign::Symptom)]);
        return reading;
    }
    if clause.question && clause.place.ends_sentence && items.iter().all(|item| item.any(Cues::TAG)) {
        reading.note(Sign::AskTag, "?");
        return reading;
    }
    let parsed = parse(&items, clause.question);
    reading.bare = parsed.head == items.len() && parsed.frame == Frame::Bare;
    read_orders(&mut reading, &parsed);
    read_question(&mut reading, &parsed);
    read_remarks(&mut reading, &parsed);
    if reading.noted.is_empty() && parsed.first().any(Cues::INDEFINITE) && (clause.place.opens_text || clause.listed) {
        reading.note(Sign::Thing, parsed.word());
    }
    if parsed.first().any(Cues::SUBORDINATE) {
        reading.note(Sign::Condition, parsed.word());
    }
    reading
}

/// The longest known phrases from the left, and the words between them.
fn items<'a>(reading: &mut Reading<'a>, words: Words<'_>) -> Vec<Item<'a>> {
    let clause = reading.clause;
    let mut found = Vec::with_capacity(clause.words.len());
    let mut end = 0;
    for word in &clause.words {
        if word.start < end {
            continue;
        }
        let rest = clause.text.get(word.start..).unwrap_or_default();
        let alone = clause.text.get(word.clone()).unwrap_or_default();
        let mut item = Item { phrase: alone, cues: Cues::NONE };
        if let Some(known) = words.longest(rest, alone) {
            item = Item { phrase: rest.get(..known.len).unwrap_or(alone), cues: known.cues };
            reading.personal |= known.first.any(Cues::PERSON) || known.cues.any(ADDRESSES);
        }
        end = word.start + item.phrase.len();
        found.push(item);
    }
    found
}

fn parse<'i, 'a>(items: &'i [Item<'a>], question: bool) -> Parsed<'i, 'a> {
    let mut parsed = Parsed { items, head: items.len(), frame: Frame::Bare, negated: false, question };
    for (at, item) in items.iter().enumerate() {
        let inverts = question && item.any(Cues::AUX) && !item.any(Cues::ASK.and(Cues::PROPOSE));
        let alternative = question && at == 0 && item.any(Cues::CHOICE);
        if alternative || (!inverts && item.any(Cues::PROPOSE)) {
            parsed.frame = Frame::Weighed;
        } else if inverts || (item.any(ACTS) && parsed.is_verb(at)) {
            parsed.head = at;
            break;
        } else if let Some(frame) = parsed.frame.after(item) {
            parsed.frame = frame;
        } else if item.any(Cues::NEGATION) {
            parsed.negated = true;
        } else if !item.any(Cues::FILLER.and(Cues::JOINT)) {
            parsed.head = at;
            break;
        }
    }
    parsed
}

impl<'i, 'a> Parsed<'i, 'a> {
    /// What the word at the head does.
    fn first(&self) -> Cues {
        self.items.get(self.head).map_or(Cues::NONE, |item| item.cues)
    }

    /// What a receipt shows of the head: its words, unless that is a path or code.
    fn word(&self) -> &'a str {
        self.items.get(self.head).map(|item| item.phrase).filter(|phrase| !phrase.contains(OPAQUE)).unwrap_or("?")
    }

    fn behind(&self, at: usize) -> &'i [Item<'a>] {
        self.items.get(at + 1..).unwrap_or_default()
    }

    /// Whether what could be a verb is one. Behind a frame it is; at the head of a clause, `test the parser` orders and
    /// `test coverage is low` doesn't: a finite verb comes before any word that may follow a verb.
    fn is_verb(&self, at: usize) -> bool {
        const NOUNS: usize = 4;
        let follows = |item: &&Item<'_>| item.any(Cues::DETERMINER) || item.phrase.contains(OPAQUE);
        let finite =
            |item: &Item<'_>| item.any(Cues::AUX.and(Cues::OBLIGATION).and(Cues::NEED)) && !item.any(Cues::ASK);
        self.frame != Frame::Bare || !self.behind(at).iter().take(NOUNS).take_while(|item| !follows(item)).any(finite)
    }

    /// Whether the clause orders from its head on. A word alone in the midst of others is a name or a heading.
    fn orders(&self, clause: &Clause) -> bool {
        let named = self.items.len() == 1 && clause.words.len() == 1 && !self.first().any(Cues::OPERATE);
        self.first().any(ACTS) && (!named || clause.place.opens_text)
    }

    /// Whether the phrase at `at`, in the midst of the clause, opens an order: `… it fails, can you add a retry`. In
    /// `how can you` it doesn't, nor in a question that goes on.
    fn opens(&self, at: usize) -> bool {
        let before = at.checked_sub(1).and_then(|at| self.items.get(at)).map_or(Cues::NONE, |item| item.cues);
        let asks = self.first().any(Cues::WH.and(Cues::AUX).and(Cues::OPINION));
        at > self.head
            && (!asks || before.any(Cues::JOINT.and(Cues::FILLER)))
            && !before.any(Cues::WH.and(Cues::SUBORDINATE).and(Cues::OPINION))
    }
}

/// Follows the orders of a clause from its head on.
fn read_orders<'a>(reading: &mut Reading<'a>, parsed: &Parsed<'_, 'a>) {
    let mut frame = parsed.frame;
    let mut negated = parsed.negated;
    let mut open = parsed.orders(reading.clause);
    let mut acted = false;
    for (at, item) in parsed.items.iter().enumerate().skip(parsed.head) {
        let opened = if parsed.opens(at) { Frame::Bare.after(item) } else { None };
        if open && item.any(ACTS) {
            if let Some(sign) = sign_of_order(parsed, at, frame, negated) {
                reading.note(sign, item.phrase);
            }
            acted = true;
            open = false;
        } else if let Some(opened) = opened {
            (frame, negated, open) = (opened, false, true);
        } else if item.any(Cues::JOINT) && acted {
            (negated, open) = (false, true);
        } else if open && item.any(Cues::NEGATION) {
            negated = true;
        } else if !item.any(Cues::FILLER) {
            open = false;
        }
    }
    if !acted && parsed.frame == Frame::Asked {
        let finds = parsed.items.iter().any(|item| item.any(Cues::FINDING));
        reading.note(if finds { Sign::Find } else { Sign::Request }, parsed.word());
    }
}

/// What the verb at `at` orders.
fn sign_of_order(parsed: &Parsed<'_, '_>, at: usize, frame: Frame, negated: bool) -> Option<Sign> {
    const REACH: usize = 5;
    let verb = parsed.items.get(at)?;
    let has_object = |cues| parsed.behind(at).iter().take(REACH).any(|item| item.any(cues));
    let sign = if verb.any(Cues::OPERATE) || (verb.any(Cues::LIGHT) && has_object(Cues::OBJECT)) {
        return (!negated).then_some(Sign::Operate);
    } else if negated {
        Sign::ChangeBarred
    } else if verb.any(Cues::INVESTIGATE) || has_object(Cues::FINDING) {
        Sign::Find
    } else if has_object(Cues::DECIDE.and(Cues::OPINION)) {
        Sign::Weigh
    } else if verb.any(Cues::GLANCE) {
        Sign::Glance
    } else {
        match frame {
            Frame::Bare | Frame::Asked => Sign::Change,
            Frame::Needed if parsed.question => Sign::ChangeWeighed,
            Frame::Needed => Sign::ChangeNeeded,
            Frame::Weighed => Sign::ChangeWeighed,
        }
    };
    Some(sign)
}

/// What a clause asks.
fn read_question<'a>(reading: &mut Reading<'a>, parsed: &Parsed<'_, 'a>) {
    let closes = parsed.question && reading.clause.place.ends_sentence;
    if let Some(sign) = sign_of_question(reading, parsed) {
        let word = if matches!(sign, Sign::AskTag | Sign::AskPlain) { "?" } else { parsed.word() };
        reading.note(sign, word);
    }
    let asks = parsed.first().any(Cues::AUX.and(Cues::WH).and(Cues::SUBORDINATE).and(Cues::REPORT));
    if closes && !asks && !reading.acted() {
        // What stands last is a tag: `…, or?`
        let inner = parsed.items.len().saturating_sub(1);
        note_all(reading, parsed.items.get(..inner).unwrap_or_default(), &[(Cues::CHOICE, Sign::AskChoice)]);
    }
}

fn sign_of_question(reading: &Reading<'_>, parsed: &Parsed<'_, '_>) -> Option<Sign> {
    /// Words of a subject within which the verb of a question is looked for.
    const SUBJECT: usize = 5;
    let Parsed { items, head, question, .. } = *parsed;
    let clause = reading.clause;
    let first = parsed.first();
    let opinion = question && items.iter().any(|item| item.any(Cues::OPINION));
    if parsed.frame != Frame::Bare || first.any(ACTS) || opinion {
        None
    } else if first.any(Cues::WH) && (question || clause.place.opens_text || !first.any(Cues::SUBORDINATE)) {
        Some(Sign::AskWhat)
    } else if first.any(Cues::ABLE) && parsed.behind(head).iter().take(SUBJECT).any(|item| item.any(CHANGES)) {
        Some(Sign::Wish)
    } else if first.any(Cues::AUX) && question {
        Some(if first.any(Cues::OBLIGATION) { Sign::Propose } else { Sign::AskWhether })
    } else if first.any(Cues::AUX)
        && clause.place.opens_sentence
        && !first.any(Cues::NEGATION.and(Cues::ASK).and(Cues::WANT))
    {
        Some(Sign::AskWhether)
    } else if !question || !clause.place.ends_sentence {
        None
    } else if items.len() > 1 && items.last().is_some_and(|item| item.any(Cues::TAG)) {
        Some(Sign::AskTag)
    } else {
        (!reading.acted() && !reading.bare).then_some(Sign::AskPlain)
    }
}

/// Signs that count wherever they stand in a clause.
const ANYWHERE: [(Cues, Sign); 6] = [
    (Cues::DECIDE, Sign::Weigh),
    (Cues::PREFER, Sign::Prefer),
    (Cues::OPINION, Sign::Opinion),
    (Cues::FINDING, Sign::Finding),
    (Cues::HEDGE, Sign::Hedge),
    (Cues::COMMENT, Sign::Comment),
];

/// Signs that count where nothing is asked for before them.
const UNASKED: [(Cues, Sign); 2] = [(Cues::WANT, Sign::Wish), (Cues::PROPOSE, Sign::Propose)];

/// Signs that count in a statement.
const STATED: [(Cues, Sign); 2] = [(Cues::OBLIGATION, Sign::Required), (Cues::CONTRAST, Sign::Contrast)];

/// Signs that count in a clause without an order.
const STANCE: [(Cues, Sign); 2] = [(Cues::REPORT, Sign::Report), (Cues::LEAN, Sign::Lean)];

/// The same where there is no opinion either: `add a warning` and `I'd rather have errors` report no trouble.
const TROUBLE: [(Cues, Sign); 2] = [(Cues::SYMPTOM, Sign::Symptom), (Cues::EXPECT, Sign::Unexpected)];

/// What puts an opinion.
const OPINIONS: Cues = Cues::PREFER.and(Cues::PROPOSE).and(Cues::SETTLE).and(Cues::OPINION).and(Cues::DECIDE);

fn read_remarks<'a>(reading: &mut Reading<'a>, parsed: &Parsed<'_, 'a>) {
    let items = parsed.items;
    let asked = items.iter().position(|item| item.any(Cues::WH)).unwrap_or(items.len());
    let unasked = items.get(..asked).unwrap_or_default();
    note_all(reading, items, &ANYWHERE);
    note_all(reading, unasked, &UNASKED);
    if !parsed.question {
        note_all(reading, items, &STATED);
    }
    if !reading.acted() {
        note_all(reading, items, &STANCE);
        if !items.iter().any(|item| item.any(OPINIONS)) {
            note_all(reading, items, &TROUBLE);
        }
    }
    let idle = |item: &Item<'_>| item.phrase.len() == 1 || item.any(Cues::FILLER);
    let tail = items.iter().rposition(|item| !idle(item)).map_or(0, |last| last + 1);
    for (at, item) in items.iter().enumerate() {
        let ends = at + 1 >= tail;
        if item.any(Cues::SETTLE) {
            // "let's go with B" answers, and states no choice that could be understood elsewhere.
            reading.note(if ends && at + 1 < items.len() { Sign::Approve } else { Sign::Settle }, item.phrase);
        }
        if item.any(Cues::APPROVE) && (ends || !item.any(Cues::ASK)) {
            reading.note(Sign::Approve, item.phrase);
        }
    }
}

fn note_all<'a>(reading: &mut Reading<'a>, items: &[Item<'a>], table: &[(Cues, Sign)]) {
    for (cue, sign) in table {
        for item in items.iter().filter(|item| item.any(*cue)) {
            reading.note(*sign, item.phrase);
        }
    }
}
