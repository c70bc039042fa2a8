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
            if cues.any(cue) && (orders || !matches!(sign, Sign::Change | Sign::Find | Sign::Glance)) {
                reading.note(sign, phrase);
            }
        }
    }
    if clause.question && !all.any(Cues::OPERATE) {
        reading.note(Sign::AskPlain, "?");
    }
    reading
}

const SIGNS: [(Cues, Sign); 20] = [
    (Cues::BUILD, Sign::Change),
    (Cues::BUILD_TOPICAL, Sign::Change),
    (Cues::INVESTIGATE, Sign::Find),
    (Cues::FINDING, Sign::Finding),
    (Cues::GLANCE, Sign::Glance),
    (Cues::OPERATE, Sign::Operate),
    (Cues::DECIDE, Sign::Weigh),
    (Cues::PROPOSE, Sign::Propose),
    (Cues::SETTLE, Sign::Settle),
    (Cues::PREFER, Sign::Prefer),
    (Cues::OPINION, Sign::Opinion),
    (Cues::LEAN, Sign::Lean),
    (Cues::HEDGE, Sign::Hedge),
    (Cues::SYMPTOM, Sign::Symptom),
    (Cues::EXPECT, Sign::Unexpected),
    (Cues::REPORT, Sign::Report),
    (Cues::WANT, Sign::Wish),
    (Cues::OBLIGATION, Sign::Required),
    (Cues::APPROVE, Sign::Approve),
    (Cues::WH, Sign::AskWhat),
];
