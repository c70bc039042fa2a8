//! What was read: of a clause, and of all clauses together.

use super::sign::{Sign, Signs};
use crate::inject::clause::{Clause, OPAQUE};

/// The signs of one clause. Words are kept as they are shown in a receipt.
#[derive(Debug)]
pub(super) struct Reading<'a> {
    pub(super) noted: Vec<(Sign, &'a str)>,
    clause: &'a Clause,
    /// Nothing but fillers.
    pub(super) bare: bool,
    /// Speaks of who writes or who reads.
    pub(super) personal: bool,
}

impl<'a> Reading<'a> {
    /// Nothing read yet.
    pub(super) const fn of(clause: &'a Clause) -> Self {
        Self { noted: Vec::new(), clause, bare: false, personal: false }
    }

    pub(super) fn note(&mut self, sign: Sign, word: &'a str) {
        self.noted.push((sign, word));
    }

    /// Whether the clause opens the text.
    pub(super) const fn opens(&self) -> bool {
        self.clause.first
    }

    fn has(&self, sign: Sign) -> bool {
        self.noted.iter().any(|(noted, _)| *noted == sign)
    }

    /// Whether it holds an order.
    pub(super) fn acted(&self) -> bool {
        use Sign::{Change, ChangeBarred, ChangeNeeded, ChangeWeighed, Find, Glance, Operate};
        [Change, ChangeBarred, ChangeNeeded, ChangeWeighed, Find, Glance, Operate].iter().any(|sign| self.has(*sign))
    }

    /// What sort of request it is, if it is one.
    fn request(&self, weak: bool) -> Option<Sign> {
        use Sign::{
            AskChoice, AskPlain, AskTag, AskWhat, AskWhether, Change, ChangeNeeded, ChangeWeighed, Find, Glance,
            LastAsk, LastChange, LastFind, LastWeigh, Opinion, Propose, Request, Settle, Weigh, Wish,
        };
        self.noted.iter().rev().find_map(|(sign, _)| match sign {
            Change | ChangeNeeded | Request | Wish => Some(LastChange),
            Find | Glance => Some(LastFind),
            ChangeWeighed | Propose | Weigh | Opinion | AskChoice | Settle => Some(LastWeigh),
            AskWhat | AskWhether => Some(LastAsk),
            AskTag | AskPlain if weak => Some(LastAsk),
            _ => None,
        })
    }
}

/// Words of a prompt from which it is long, and up to which it is short.
const LONG: usize = 60;
const SHORT: usize = 4;

/// Words from which a text that speaks of nobody was probably not written to be read here.
const IMPERSONAL: usize = 20;

/// Words of a clause from which it states something.
const STATEMENT: usize = 4;

/// Lines of output that make a paste, points that make a list, names that make a text one about code.
const MANY: [(usize, Sign); 3] = [(3, Sign::Output), (2, Sign::Listed), (3, Sign::Named)];

/// All signs of a prompt.
pub(super) fn signs_of(readings: &[Reading<'_>]) -> Signs {
    let mut signs = Signs::default();
    let (mut words, mut bare) = (0, true);
    let mut counts = [0; 3];
    for reading in readings {
        let clause = reading.clause;
        words += clause.words.len();
        counts[0] += usize::from(clause.output);
        counts[1] += usize::from(clause.listed);
        counts[2] += clause.text.matches(OPAQUE).count();
        for (sign, _) in &reading.noted {
            signs.note(*sign);
        }
        bare &= reading.bare;
        if reading.noted.is_empty() && !clause.output && !reading.bare {
            signs.note(if clause.words.len() >= STATEMENT { Sign::Statement } else { Sign::Fragment });
        }
    }
    for (count, (many, sign)) in counts.into_iter().zip(MANY) {
        if count >= many {
            signs.note(sign);
        }
    }
    if bare {
        signs.note(Sign::Bare);
    }
    if words > LONG {
        signs.note(Sign::Long);
    }
    let last = |weak| readings.iter().rev().find_map(|reading| reading.request(weak));
    if words >= IMPERSONAL && !readings.iter().any(|reading| reading.personal) {
        signs.note(Sign::Impersonal);
    }
    if words <= SHORT && !signs.has(Sign::Symptom) && last(true).is_none() && last(false).is_none() {
        signs.note(Sign::Short);
    }
    if signs.any(&[Sign::Propose, Sign::Opinion, Sign::Weigh, Sign::AskWhat, Sign::AskWhether, Sign::AskChoice]) {
        signs.drop(Sign::AskPlain);
    }
    match last(false).or_else(|| last(true)) {
        // What is run or committed on the way is not what is wanted.
        Some(last) => {
            signs.note(last);
            signs.drop(Sign::Operate);
            signs.drop(Sign::Statement);
            signs.drop(Sign::Fragment);
        }
        None if signs.has(Sign::Operate) => signs.note(Sign::LastOperate),
        None => {}
    }
    if answers(readings) && !bare {
        signs.note(Sign::Answer);
    }
    signs
}

/// Whether a prompt begins with the letter or number of an option.
fn answers(readings: &[Reading<'_>]) -> bool {
    let Some(clause) = readings.first().map(|reading| reading.clause).filter(|clause| !clause.listed) else {
        return false;
    };
    let mut words = clause.words.iter().filter_map(|word| clause.text.get(word.clone()));
    let is_name = |word: &str| word.len() == 1 && !matches!(word, "a" | "i" | "q" | "\0");
    match words.next() {
        Some("option") => words.next().is_some_and(|word| word.len() == 1),
        Some(word) => is_name(word),
        None => false,
    }
}
