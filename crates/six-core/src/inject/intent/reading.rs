//! What was read: of a clause, and of all clauses together.

use super::sign::{Sign, Signs};
use crate::inject::clause::{Clause, OPAQUE, is_dense};

/// The signs of one clause. Words are kept as they are shown in a receipt.
#[derive(Debug)]
pub(super) struct Reading<'a> {
    pub(super) clause: &'a Clause,
    pub(super) noted: Vec<(Sign, &'a str)>,
    /// Nothing but fillers.
    pub(super) bare: bool,
    /// Speaks of who writes or who reads.
    pub(super) personal: bool,
}

impl<'a> Reading<'a> {
    /// Nothing read yet.
    pub(super) const fn of(clause: &'a Clause) -> Self {
        Self { clause, noted: Vec::new(), bare: false, personal: false }
    }

    /// Keeps a sign and the words that show it.
    pub(super) fn note(&mut self, sign: Sign, word: &'a str) {
        self.noted.push((sign, word));
    }

    /// Whether it holds an order.
    pub(super) fn acted(&self) -> bool {
        use Sign::{Change, ChangeBarred, ChangeNeeded, ChangeWeighed, Find, Glance, Operate};
        let orders = [Change, ChangeBarred, ChangeNeeded, ChangeWeighed, Find, Glance, Operate];
        self.noted.iter().any(|(sign, _)| orders.contains(sign))
    }

    /// The last request for which `sort` has an answer.
    fn request(&self, sort: impl Fn(Sign) -> Option<Sign>) -> Option<Sign> {
        self.noted.iter().rev().find_map(|(sign, _)| sort(*sign))
    }
}

/// What sort of request a sign makes, if it makes one.
const fn request(sign: Sign) -> Option<Sign> {
    match sign {
        Sign::Change | Sign::ChangeNeeded | Sign::Request | Sign::Wish => Some(Sign::MainChange),
        Sign::Find | Sign::Glance => Some(Sign::MainFind),
        Sign::ChangeWeighed
        | Sign::Propose
        | Sign::Weigh
        | Sign::Opinion
        | Sign::AskChoice
        | Sign::Settle
        | Sign::Prefer => Some(Sign::MainWeigh),
        Sign::AskWhat | Sign::AskWhether => Some(Sign::MainAsk),
        _ => None,
    }
}

/// The same for what is a question only by its mark.
const fn marked_request(sign: Sign) -> Option<Sign> {
    match sign {
        Sign::AskTag | Sign::AskPlain => Some(Sign::MainAsk),
        _ => None,
    }
}

fn main_request(readings: &[Reading<'_>], signs: Signs) -> Option<Sign> {
    if signs.has(Sign::Change) {
        return Some(Sign::MainChange);
    }
    let last = |sort: fn(Sign) -> Option<Sign>| readings.iter().rev().find_map(|reading| reading.request(sort));
    last(request).or_else(|| last(marked_request)).or_else(|| signs.has(Sign::Answer).then_some(Sign::MainWeigh))
}

/// Words of a clause from which it states something.
const STATEMENT: usize = 4;

/// Words up to which a prompt is short.
const SHORT: usize = 4;

/// Words from which a text that speaks of nobody was probably not written to be read here.
const IMPERSONAL: usize = 20;

/// Words from which a prompt is long.
const LONG: usize = 60;

/// Lines of output, points that make a list, names that make a text one about code.
const MANY: [(usize, Sign); 3] = [(1, Sign::Output), (2, Sign::Listed), (3, Sign::Named)];

/// All signs of a prompt.
pub(super) fn signs_of(readings: &[Reading<'_>]) -> Signs {
    let mut signs = Signs::default();
    for (sign, _) in readings.iter().flat_map(|reading| &reading.noted) {
        signs.note(*sign);
    }
    note_counts(&mut signs, readings);
    note_request(&mut signs, readings);
    signs
}

fn note_counts(signs: &mut Signs, readings: &[Reading<'_>]) {
    let count = |of: fn(&Clause) -> usize| readings.iter().map(|reading| of(reading.clause)).sum::<usize>();
    let counts = [
        count(|clause| usize::from(clause.output)),
        count(|clause| usize::from(clause.listed)),
        count(|clause| clause.text.matches(OPAQUE).count()),
    ];
    for (count, (many, sign)) in counts.into_iter().zip(MANY) {
        if count >= many {
            signs.note(sign);
        }
    }
    let words = count(word_count);
    if words > LONG {
        signs.note(Sign::Long);
    }
    if words >= IMPERSONAL && !readings.iter().any(|reading| reading.personal) {
        signs.note(Sign::Impersonal);
    }
    if readings.iter().all(|reading| reading.bare) {
        signs.note(Sign::Bare);
    } else if is_answer(readings) && !signs.any(&[Sign::Change, Sign::ChangeNeeded]) {
        signs.note(Sign::Answer);
    }
    if words <= SHORT && !signs.has(Sign::Symptom) && main_request(readings, *signs).is_none() {
        signs.note(Sign::Short);
    }
}

/// Words of a clause. Where there are no blanks between them, two characters are one.
fn word_count(clause: &Clause) -> usize {
    clause.words.len().max(clause.text.chars().filter(|c| is_dense(*c)).count() / 2)
}

fn note_request(signs: &mut Signs, readings: &[Reading<'_>]) {
    if let Some(main) = main_request(readings, *signs) {
        signs.note(main);
        // What is run or committed on the way is not what is wanted.
        signs.drop(Sign::Operate);
        if main != Sign::MainAsk || signs.any(&[Sign::AskWhat, Sign::AskWhether]) {
            signs.drop(Sign::AskPlain);
        }
        return;
    }
    if signs.has(Sign::Operate) {
        signs.note(Sign::MainOperate);
    }
    let silent = readings.iter().filter(|reading| reading.noted.is_empty() && !reading.clause.output && !reading.bare);
    for reading in silent {
        signs.note(if word_count(reading.clause) >= STATEMENT { Sign::Statement } else { Sign::Fragment });
    }
}

/// Whether a prompt begins with the letter or number of an option.
fn is_answer(readings: &[Reading<'_>]) -> bool {
    let Some(clause) = readings.first().map(|reading| reading.clause).filter(|clause| !clause.listed) else {
        return false;
    };
    let mut words = clause.words.iter().filter_map(|word| clause.text.get(word.clone()));
    words.next().is_some_and(|word| word.len() == 1 && !matches!(word, "a" | "i" | "q" | "\0"))
}
