//! Which list a text is read with.

use super::cue::{CueList, Cues, LATIN, cues_of};
use super::reading::Reading;
use crate::inject::language_of;

/// Words up to which a text may be too short to tell its language by small words.
const FEW_WORDS: usize = 14;

/// What stands in many languages or says nothing of one.
const ANYWHERE: Cues = Cues::FILLER.and(Cues::OPERATE).and(Cues::PLAIN).and(Cues::HEDGE).and(Cues::DONE);

/// The list of the language that a text, in which quotations are masked, is written in; none for a language without one.
///
/// A few words in Latin script (`Verwende pnpm statt npm`) have no small words that tell: there the list counts that
/// knows most of them by their letters, if that is more than twice what the likeliest language knows.
pub(super) fn cues_for(masked: &str) -> Option<&'static CueList> {
    let likely = cues_of(language_of(masked))?;
    let is_latin = LATIN.iter().any(|language| cues_of(language).is_some_and(|list| std::ptr::eq(list, likely)));
    if !is_latin || masked.split_whitespace().nth(FEW_WORDS).is_some() {
        return Some(likely);
    }
    let own = known(masked, likely, Cues::OPERATE);
    let others =
        LATIN.iter().filter_map(|language| cues_of(language)).map(|list| (known(masked, list, ANYWHERE), list));
    let best = others.filter(|(letters, _)| *letters > own * 2).max_by_key(|(letters, _)| *letters);
    Some(best.map_or(likely, |(_, list)| list))
}

/// Letters of the phrases that a list knows, without those that do one of `but`.
fn known(masked: &str, list: &CueList, but: Cues) -> usize {
    let reading = Reading::of(masked, list);
    let telling = reading.found.iter().filter(|found| !found.cues.any(but) && !found.gapped);
    telling.map(|found| found.end - found.start).sum()
}
