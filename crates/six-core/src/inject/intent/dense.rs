//! Reading a clause of a language that puts no blanks between its words.

use super::{Clause, Intent, Reading, Strength};
use crate::inject::lexicon::{Cues, Lexicon};

/// Chinese, Japanese and Korean put no reliable blanks between words, so phrases are found within the clause.
pub(super) fn read_dense(clause: &Clause, lexicon: &Lexicon) -> Reading {
    let mut reading = Reading { output: clause.output, ..Reading::default() };
    let found: Vec<_> = lexicon.within(&clause.text).collect();
    let all = found.iter().fold(Cues::NONE, |all, (_, cues)| all.and(*cues));
    let orders = !all.any(Cues::OPERATE.and(Cues::NEGATION).and(Cues::DECIDE));
    for (phrase, cues) in found {
        for (cue, intent) in [(Cues::BUILD, Intent::Build), (Cues::INVESTIGATE, Intent::Investigate)] {
            if cues.any(cue) && orders {
                reading.note(Strength::Says, intent, phrase);
            }
        }
        if cues.any(Cues::DECIDE) {
            reading.note(Strength::Says, Intent::Decide, phrase);
        }
        if cues.any(Cues::SYMPTOM.and(Cues::WH)) {
            reading.note(Strength::Wonders, Intent::Investigate, phrase);
        }
    }
    if clause.question && !all.any(Cues::OPERATE) {
        reading.note(Strength::Wonders, Intent::Investigate, "?");
    }
    reading
}
