//! Reading a clause of a language that puts no blanks between its words: phrases are found anywhere in it.

use super::reading::Reading;
use super::sign::Sign;
use crate::inject::clause::Clause;
use crate::inject::lexicon::{Cues, Words};

/// Reads one clause.
pub(super) fn read_dense<'a>(clause: &'a Clause, words: Words<'a>) -> Reading<'a> {
    let mut reading = Reading::of(clause);
    let found: Vec<_> = words.within(&clause.text).collect();
    let all = found.iter().fold(Cues::NONE, |all, (_, cues)| all.and(*cues));
    let orders = !all.any(Cues::OPERATE.and(Cues::NEGATION).and(Cues::DECIDE));
    for (phrase, cues) in found {
        for (cue, sign) in SIGNS {
            if cues.any(cue) && (orders || !matches!(sign, Sign::Change | Sign::Find)) {
                reading.note(sign, phrase);
            }
        }
    }
    if clause.question && !all.any(Cues::OPERATE) {
        reading.note(Sign::AskPlain, "?");
    }
    reading
}

const SIGNS: [(Cues, Sign); 6] = [
    (Cues::BUILD, Sign::Change),
    (Cues::INVESTIGATE, Sign::Find),
    (Cues::OPERATE, Sign::Operate),
    (Cues::DECIDE, Sign::Weigh),
    (Cues::SYMPTOM, Sign::Symptom),
    (Cues::WH, Sign::AskWhat),
];
