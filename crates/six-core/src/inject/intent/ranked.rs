//! Signs by rank, for the languages of which there are too few labelled prompts to learn weights from.
//!
//! Signs of the strongest rank that occurs decide, and the weaker ones are then silent.

use super::{Intent, Intents, MAX_WORDS};
use crate::inject::clause::{Clause, is_dense};
use crate::inject::lexicon::Cues;

/// How much a sign of intent counts.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub(super) enum Rank {
    /// An order, or the weighing of options.
    Says,
    /// A look at something, which often only prepares an order: `read the plan and …`.
    Looks,
    /// States how something has to be.
    Requires,
    /// Leans towards something.
    Leans,
    /// Asks something.
    Wonders,
    /// Reports trouble.
    Reports,
    /// States a rule: `dates always in UTC`.
    Rules,
    /// Says what is not so.
    Denies,
}

/// What a receipt shows of a question that offers two things.
const OFFER: &str = "?";

/// Words of a short clause, or characters of one that has no blanks.
const BRIEF: usize = 2;
const BRIEF_DENSE: usize = 8;

/// Characters from which a phrase of a language without blanks says what several words say.
const TELLING: usize = 3;

fn is_brief(clause: &Clause) -> bool {
    let dense = clause.text.chars().any(is_dense);
    if dense { clause.text.chars().count() <= BRIEF_DENSE } else { clause.words.len() <= BRIEF }
}

fn is_telling(phrase: &str) -> bool {
    phrase.chars().all(is_dense) && phrase.chars().count() >= TELLING
}

/// What one clause says. Words are kept as they are shown in a receipt.
#[derive(Debug, Default)]
pub(super) struct Ranked {
    signs: Vec<(Rank, Intent, String)>,
    /// What else it does, of these: orders an operation, asks for a thing or a reason, says that a matter is over, chats.
    holds: Cues,
    /// Reads like the output of a program.
    output: bool,
    /// Is short enough for one word to say that a matter is over: `egal`, but not `es kommt später`.
    pub(super) brief: bool,
}

impl Ranked {
    /// Nothing read yet.
    pub(super) fn of(clause: &Clause) -> Self {
        Self { output: clause.output, brief: is_brief(clause), ..Self::default() }
    }

    /// Says that a clause does this.
    pub(super) fn hold(&mut self, cues: Cues) {
        self.holds = self.holds.and(cues);
    }

    /// Whether it orders an operation.
    pub(super) const fn operates(&self) -> bool {
        self.holds.any(Cues::OPERATE)
    }

    pub(super) fn note(&mut self, rank: Rank, intent: Intent, word: &str) {
        self.signs.push((rank, intent, word.to_owned()));
    }

    /// Ends a clause: an operation is asked for as politely as a change, and what is weighed or offered is not ordered.
    pub(super) fn settle(&mut self, question: bool, offers: bool) {
        if self.operates() {
            self.signs.retain(|(rank, ..)| *rank != Rank::Requires);
        }
        // "I think it crashes" weighs nothing.
        if self.signs.iter().any(|(rank, ..)| *rank == Rank::Reports) {
            self.signs.retain(|(rank, ..)| *rank != Rank::Leans);
        }
        if self.brief {
            self.signs.retain(|(rank, ..)| *rank < Rank::Rules);
        }
        if question && self.signs.iter().any(|(rank, of, _)| *rank == Rank::Says && *of == Intent::Decide) {
            self.signs.retain(|(_, intent, _)| *intent != Intent::Build);
        }
        if offers && !self.holds.any(Cues::WH) && !self.has(Intent::Investigate) {
            self.signs.retain(|(_, intent, _)| *intent != Intent::Build);
            self.note(Rank::Says, Intent::Decide, OFFER);
        }
    }

    fn has(&self, intent: Intent) -> bool {
        self.signs.iter().any(|(rank, of, _)| *rank <= Rank::Looks && *of == intent)
    }

    /// Whether it holds an order.
    pub(super) fn orders(&self) -> bool {
        self.signs.iter().any(|(rank, ..)| *rank <= Rank::Looks)
    }

    /// Notes what counts wherever it stands in a clause.
    pub(super) fn remark(&mut self, phrase: &str, cues: Cues, question: bool) {
        if cues.any(Cues::DECIDE) {
            self.note(Rank::Says, Intent::Decide, phrase);
        }
        if cues.any(Cues::LEAN) {
            self.note(Rank::Leans, Intent::Decide, phrase);
        }
        if cues.any(Cues::OBLIGATION) && !question {
            self.note(Rank::Requires, Intent::Build, phrase);
        }
        if cues.any(Cues::SYMPTOM) {
            self.note(Rank::Reports, Intent::Investigate, phrase);
        }
        if cues.any(Cues::ALWAYS) && !question {
            self.note(Rank::Rules, Intent::Build, phrase);
        }
        if cues.any(Cues::NEGATION) && !question {
            self.note(Rank::Denies, Intent::Investigate, phrase);
        }
        if self.brief || phrase.contains(' ') || is_telling(phrase) {
            self.hold(cues.only(Cues::OVER));
        }
        self.hold(cues.only(Cues::CHAT));
    }
}

/// Lines of output that make a paste.
const PASTED_LINES: usize = 3;

/// What a prompt intends.
pub(super) fn rank(readings: &[Ranked]) -> Intents {
    // What is over is not asked for any more; what comes after it may be.
    let after = readings.iter().rposition(|reading| reading.holds.any(Cues::OVER)).map_or(0, |last| last + 1);
    let open = readings.get(after..).unwrap_or_default();
    // "where is it kept? in a cookie or in the store?" does not offer anything.
    let asks = open.iter().any(|reading| reading.holds.any(Cues::WH));
    let offers_kept = |(_, intent, word): &(Rank, Intent, String)| !asks || *intent != Intent::Decide || word != OFFER;
    let kept = |sign: &&(Rank, Intent, String)| !silent(open, sign.0) && offers_kept(sign);
    let signs = || open.iter().flat_map(|reading| &reading.signs).filter(kept);
    let Some(strongest) = signs().map(|(rank, ..)| *rank).min() else {
        // Output without a word of one's own is a bare symptom.
        let pasted = readings.iter().filter(|reading| reading.output).count() >= PASTED_LINES;
        let quiet = after == 0 && !readings.iter().any(Ranked::operates);
        return Intents(if pasted && quiet {
            vec![(Intent::Investigate, vec!["pasted output".into()])]
        } else {
            Vec::new()
        });
    };
    let has = |intent| signs().any(|(rank, of, _)| *rank == strongest && *of == intent);
    // Finding out serves what is then made or chosen.
    let serves = has(Intent::Build) || has(Intent::Decide);
    let mut intents = Vec::new();
    for intent in Intent::ALL {
        if intent == Intent::Investigate && serves {
            continue;
        }
        let mut words: Vec<String> = Vec::new();
        for (.., word) in signs().filter(|(rank, of, _)| *rank == strongest && *of == intent) {
            if words.len() < MAX_WORDS && !words.contains(word) {
                words.push(word.clone());
            }
        }
        if !words.is_empty() {
            intents.push((intent, words));
        }
    }
    Intents(intents)
}

/// Whether a prompt's other words take a sign of this rank away.
fn silent(readings: &[Ranked], rank: Rank) -> bool {
    let any = |cues| readings.iter().any(|reading| reading.holds.any(cues));
    match rank {
        // "we had a lint error, commit the fix": the trouble is over.
        Rank::Reports => any(Cues::OPERATE),
        Rank::Leans | Rank::Rules | Rank::Denies => any(Cues::OPERATE.and(Cues::CHAT)),
        Rank::Says | Rank::Looks | Rank::Requires | Rank::Wonders => false,
    }
}
