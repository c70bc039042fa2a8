//! The part of a sentence that can be judged by itself.
//!
//! A title may say more than is needed, never less than the sentence means: only talk is taken off (`talk.rs`), and what
//! does not fit is cut at its end, with a mark.

use std::ops::Range;

use super::cue::{BREAK, Cues};
use super::reading::Reading;
use super::talk::{clause_end, contradicts, is_talk, matter, object, skip_marks};
use crate::record::RecordKind;

/// A part of fewer words takes another one in.
const FEW_WORDS: usize = 4;
/// A part of fewer characters does so where no blanks stand between words.
const FEW_CHARS: usize = 6;

/// Where a title stands in the reading.
pub(super) struct Cut {
    /// Its bytes.
    pub(super) part: Range<usize>,
    /// Whether something of its sentence is left out behind it that is more than a reason.
    pub(super) is_short: bool,
}

/// Chooses a title of a sentence. `stops` are first bytes of sentences within it; `fits` tells whether a part is short
/// enough.
pub(super) fn cut(reading: &Reading, kind: RecordKind, stops: &[usize], fits: impl Fn(Range<usize>) -> bool) -> Cut {
    let parts = parts(reading, stops);
    let cue = cue(reading, kind, &parts);
    let (start, end) = chosen(reading, kind, cue, &parts, stops, &fits);
    let start = matter(reading, start, end, stops);
    // A choice is told by its object; a rule needs its verb.
    let object = |at: usize| if kind == RecordKind::Decision { object(reading, at, end) } else { at };
    let from = object(start);
    if fits(from..end) {
        return Cut { part: from..end, is_short: false };
    }
    // A reason is left out first: it is told below the title.
    let reason = reading.found.iter().filter(|found| found.cues.any(Cues::BECAUSE) && found.start > cue.max(from));
    let reason = reason.map(|found| found.start).find(|at| stands_behind_break(reading, *at) && *at < end);
    if let Some(reason) = reason.filter(|reason| fits(from..*reason)) {
        return Cut { part: from..reason, is_short: false };
    }
    let clause = reading.text.get(from..cue.max(from)).and_then(|before| before.rfind(BREAK));
    let clause = clause.map_or(from, |at| skip_marks(reading, from + at, end));
    let from = if fits(from..clause_end(reading, cue.max(from), stops).min(end)) { from } else { clause };
    let from = object(matter(reading, from, end, stops));
    Cut { part: from..end, is_short: !fits(from..end) }
}

/// The sentences within a sentence.
fn parts(reading: &Reading, stops: &[usize]) -> Vec<Range<usize>> {
    let ends = stops.iter().copied().chain([reading.text.len()]);
    ends.scan(0, |from, end| Some(std::mem::replace(from, end)..end)).filter(|part| !part.is_empty()).collect()
}

/// Where the sentence shows that it states this kind, outside talk.
fn cue(reading: &Reading, kind: RecordKind, parts: &[Range<usize>]) -> usize {
    let order: &[Cues] = match kind {
        RecordKind::Decision => &[Cues::DECIDED, Cues::CHOSEN, Cues::OVER, Cues::WANT.and(Cues::MUST), Cues::LEAN],
        RecordKind::DeadEnd => &[Cues::FAILED, Cues::ATTEMPT, Cues::TROUBLE],
        _ => &[
            Cues::STANDING,
            Cues::BAR.and(Cues::RULE).and(Cues::OVER),
            Cues::WRONG.and(Cues::REDIRECT),
            Cues::WANT.and(Cues::MUST),
        ],
    };
    let matters = |at: usize| parts.iter().any(|part| part.contains(&at) && !is_talk(reading, part.start, part.end));
    let first = |cues: &Cues| reading.found.iter().find(|found| found.cues.any(*cues) && matters(found.start));
    let stated = order.iter().find_map(first).map(|found| found.start);
    let longest = || parts.iter().filter(|part| matters(part.start)).max_by_key(|part| part.len());
    stated.or_else(|| longest().map(|part| part.start)).unwrap_or_default()
}

/// The part with the cue, with what it can't be understood without.
fn chosen(
    reading: &Reading,
    kind: RecordKind,
    cue: usize,
    parts: &[Range<usize>],
    stops: &[usize],
    fits: &impl Fn(Range<usize>) -> bool,
) -> (usize, usize) {
    let at = parts.iter().position(|part| part.contains(&cue)).unwrap_or_default();
    let Some(own) = parts.get(at) else { return (0, reading.text.len()) };
    let (mut start, mut end) = (own.start, own.end);
    let behind = parts.iter().skip(at + 1);
    if let Some(last) = behind.rev().find(|part| contradicts(reading, part.start, part.end, stops)) {
        // What was taken back is told with what took it back.
        end = parts.last().map_or(last.end, |part| part.end);
    }
    if kind == RecordKind::Correction {
        // A rule may stand in two sentences.
        let is_rule = |part: &&Range<usize>| {
            let rules = Cues::BAR.and(Cues::RULE).and(Cues::STANDING);
            reading.found.iter().any(|found| found.cues.any(rules) && !found.gapped && part.contains(&found.start))
        };
        let first = parts.iter().find(is_rule).map_or(start, |part| part.start.min(start));
        let last = parts.iter().rev().find(is_rule).map_or(end, |part| part.end.max(end));
        if fits(first..last) {
            (start, end) = (first, last);
        }
    }
    let is_little = |range: Range<usize>| {
        let text = reading.text.get(range).unwrap_or_default();
        let letters = text.chars().filter(|c| c.is_alphanumeric()).count();
        let words = text.split([' ', BREAK]).filter(|word| word.chars().any(char::is_alphanumeric)).count();
        if text.is_ascii() { words < FEW_WORDS } else { words < FEW_WORDS && letters < FEW_CHARS }
    };
    if is_little(matter(reading, start, end, stops)..end) {
        let before =
            at.checked_sub(1).and_then(|at| parts.get(at)).filter(|part| !is_talk(reading, part.start, part.end));
        let next = parts.iter().find(|part| part.start == end);
        if let Some(before) = before.filter(|before| fits(before.start..end)) {
            start = before.start;
        } else if let Some(next) = next.filter(|next| fits(start..next.end)) {
            end = next.end;
        }
    }
    (start, end)
}

fn stands_behind_break(reading: &Reading, at: usize) -> bool {
    reading.text.get(..at).is_some_and(|before| before.trim_end().ends_with(BREAK))
}
