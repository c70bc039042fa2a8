//! What a prompt is about to do: build, investigate, decide.
//!
//! A deterministic reading: a text is split into clauses, each word of a clause has cues by the list of its language,
//! and a clause is read from its head. `add a test` orders a change, `the add button` does not, because only the head of
//! a clause, or what follows a frame such as `can you`, gives orders. Questions, reports of trouble and statements of how
//! something should be count less than an order: they decide only when nobody gives one.

use serde::{Deserialize, Serialize};

use super::clause::{Clause, clauses};
use super::lexicon::{Cues, Lexicon, MAX_PHRASE_WORDS, lexicon_for};
use super::prose::blank_quoted;

/// What a human turn intends. None of these means that nothing is retrieved.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum Intent {
    /// Wants code, documents, configuration made or changed.
    Build,
    /// Wants to find out, debug, check, explain, review.
    Investigate,
    /// Weighs options, asks for a choice, states a design choice.
    Decide,
}

impl Intent {
    /// All intents, in the order in which they are listed.
    pub const ALL: [Self; 3] = [Self::Build, Self::Investigate, Self::Decide];

    /// The name in receipts and JSON.
    pub const fn as_str(self) -> &'static str {
        match self {
            Self::Build => "build",
            Self::Investigate => "investigate",
            Self::Decide => "decide",
        }
    }
}

/// The intents of a text, each with the words that showed it.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct Intents(Vec<(Intent, Vec<String>)>);

impl Intents {
    /// Whether the text intends this.
    pub fn has(&self, intent: Intent) -> bool {
        self.0.iter().any(|(found, _)| *found == intent)
    }

    /// Whether it intends nothing that six acts on.
    pub fn is_empty(&self) -> bool {
        self.0.is_empty()
    }

    /// Intents in the order of [`Intent::ALL`], with distinct words in the order of the text.
    pub fn into_found(self) -> Vec<(Intent, Vec<String>)> {
        self.0
    }
}

/// Judges a person's own words. Bounded by the text's length, which the caller bounds.
pub fn judge_intents(text: &str) -> Intents {
    let lexicon = lexicon_for(text);
    let readings: Vec<Reading> = clauses(&blank_quoted(text))
        .iter()
        .map(|clause| if lexicon.spaced { read_spaced(clause, lexicon) } else { read_dense(clause, lexicon) })
        .collect();
    weigh(&readings)
}

/// The words of a prompt's language that show intent, and therefore say nothing about a matter.
pub(super) struct Vocabulary(&'static Lexicon);

impl Vocabulary {
    /// That of the language of this text.
    pub(super) fn of(text: &str) -> Self {
        Self(lexicon_for(text))
    }

    /// Whether a word, in lower case, belongs to it.
    pub(super) fn has(&self, word: &str) -> bool {
        self.0.cues(word).any(ABOUT)
    }
}

const ABOUT: Cues = Cues::BUILD.and(Cues::INVESTIGATE).and(Cues::DECIDE).and(Cues::LIGHT);

/// What one clause says. Words are kept as they are shown in a receipt.
#[derive(Debug, Default)]
struct Reading {
    orders: Vec<(Intent, String)>,
    decides: Option<String>,
    /// States how something has to be.
    requires: Option<String>,
    /// Asks something, or reports trouble.
    wonders: Option<String>,
    operates: bool,
}

/// Orders and choices first; requirements when there is no order; questions and trouble when there is nothing else.
fn weigh(readings: &[Reading]) -> Intents {
    let mut found: Vec<(Intent, String)> = readings.iter().flat_map(|r| r.orders.iter().cloned()).collect();
    found.extend(readings.iter().filter_map(|r| Some((Intent::Decide, r.decides.clone()?))));
    if found.is_empty() {
        found.extend(readings.iter().filter_map(|r| Some((Intent::Build, r.requires.clone()?))));
    }
    if found.is_empty() {
        found.extend(readings.iter().filter_map(|r| Some((Intent::Investigate, r.wonders.clone()?))));
    }
    let mut intents = Vec::new();
    for intent in Intent::ALL {
        let mut words: Vec<String> = Vec::new();
        for (_, word) in found.iter().filter(|(of, _)| *of == intent) {
            if !words.contains(word) {
                words.push(word.clone());
            }
        }
        if !words.is_empty() {
            intents.push((intent, words));
        }
    }
    Intents(intents)
}

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

fn read_spaced(clause: &Clause, lexicon: &Lexicon) -> Reading {
    let items = items(clause, lexicon);
    let head = items.iter().position(|item| !item.cues.any(Cues::FILLER)).unwrap_or(0);
    let mut reading = Reading::default();
    let opening = items.get(head).map_or(Cues::NONE, |item| item.cues);
    let conditional = opening.any(Cues::SUBORDINATE);
    // Whether an order may stand here: at the head, and after a frame.
    let mut open = !conditional;
    let mut negated = false;
    for (n, item) in items.iter().enumerate() {
        let word = || item.phrase.to_owned();
        if item.cues.any(Cues::DECIDE) && !conditional {
            reading.decides.get_or_insert_with(word);
        }
        if item.cues.any(Cues::SYMPTOM) {
            reading.wonders.get_or_insert_with(word);
        }
        if item.cues.any(Cues::OBLIGATION) && n > head && !clause.question && !conditional {
            reading.requires.get_or_insert_with(word);
        }
        negated |= item.cues.any(Cues::NEGATION);
        let acts = item.cues.any(ACTS);
        if open && acts {
            act(&mut reading, &items, n, negated);
            open = false;
        } else if item.cues.any(Cues::ASK) && !conditional {
            open = true;
        } else if item.cues.any(Cues::JOINT) && n > head {
            open |= reading.operates || !reading.orders.is_empty();
            negated = false;
        } else if !item.cues.any(Cues::FILLER.and(Cues::NEGATION)) {
            open = false;
        }
    }
    let asks = opening.any(Cues::WH) || (clause.question && (opening.any(Cues::AUX) || !reading.operates));
    if asks && reading.orders.is_empty() {
        let word = || items.get(head).map_or_else(|| "?".to_owned(), |item| item.phrase.to_owned());
        reading.wonders.get_or_insert_with(word);
    }
    reading
}

const ACTS: Cues = Cues::BUILD.and(Cues::INVESTIGATE).and(Cues::OPERATE);

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
        reading.orders.push((Intent::Investigate, verb.phrase.to_owned()));
    } else {
        reading.orders.push((Intent::Build, verb.phrase.to_owned()));
    }
}

/// Chinese, Japanese and Korean put no reliable blanks between words, so phrases are found within the clause.
fn read_dense(clause: &Clause, lexicon: &Lexicon) -> Reading {
    let mut reading = Reading::default();
    let mut cues = Cues::NONE;
    for (phrase, found) in lexicon.within(&clause.text) {
        cues = cues.and(found);
        for (cue, intent) in [(Cues::BUILD, Intent::Build), (Cues::INVESTIGATE, Intent::Investigate)] {
            if found.any(cue) {
                reading.orders.push((intent, phrase.to_owned()));
            }
        }
        if found.any(Cues::DECIDE) {
            reading.decides.get_or_insert_with(|| phrase.to_owned());
        }
        if found.any(Cues::SYMPTOM.and(Cues::WH)) {
            reading.wonders.get_or_insert_with(|| phrase.to_owned());
        }
    }
    if clause.question {
        reading.wonders.get_or_insert_with(|| "?".to_owned());
    }
    if cues.any(Cues::OPERATE.and(Cues::NEGATION)) {
        reading.orders.clear();
    }
    reading.operates = cues.any(Cues::OPERATE);
    reading
}
