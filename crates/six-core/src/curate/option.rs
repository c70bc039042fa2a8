//! What a choice says was not taken.

use std::ops::Range;

use super::cue::{BREAK, Cues, Found};
use super::reading::Reading;

/// What stands before an option that was not taken.
const CONTRASTS: &[&str] = &[
    "instead of",
    "rather than",
    "as opposed to",
    "in place of",
    "over",
    "not",
    "and not",
    "but not",
    "and no longer",
    "statt",
    "anstatt",
    "anstelle von",
    "anstelle",
    "an stelle von",
    "nicht",
    "und nicht",
    "plutôt que",
    "plutôt qu'",
    "plutôt que de",
    "au lieu de",
    "au lieu d'",
    "au lieu du",
    "et pas",
    "et non",
    "pas",
    "en vez de",
    "en vez del",
    "en lugar de",
    "en lugar del",
    "y no",
    "no",
    "em vez de",
    "em vez do",
    "em vez da",
    "ao invés de",
    "ao invés do",
    "em lugar de",
    "e não",
    "não",
    "вместо",
    "а не",
    "не",
    "而不是",
    "而非",
    "代替",
    "替代",
    "取代",
    "不是",
    "不用",
    "不走",
    "不要",
    "别用",
    "而不用",
];

/// Words by which a thing is chosen over another.
const PREFERS: &[&str] = &["cho", "prefer", "pick", "opt", "select", "favour", "favor", "rather", "win"];

/// What follows `over` where it tells a time or a way.
const NO_RIVAL: &[&str] =
    &["the", "last", "past", "next", "time", "all", "http", "https", "tcp", "tls", "ssh", "wifi", "lunch", "night"];
const TIMES: &[&str] = &[
    "last", "past", "next", "first", "course", "day", "days", "week", "weeks", "month", "months", "year", "weekend",
    "wire",
];

/// What follows `not` where it names nothing.
const NO_OPTION: &[&str] = &[
    "sure",
    "yet",
    "worth",
    "needed",
    "necessary",
    "now",
    "only",
    "just",
    "until",
    "because",
    "if",
    "when",
    "so",
    "too",
    "very",
    "be",
    "been",
    "to",
    "a problem",
    "enough",
    "ready",
    "mehr",
    "nur",
    "nötig",
    "sicher",
    "jetzt",
    "solo",
    "só",
    "encore",
    "seulement",
    "más",
    "mais",
    "plus",
];

/// Words that a name does not reach over.
const ENDS: &[&str] = &[
    "for",
    "because",
    "since",
    "so",
    "too",
    "either",
    "anymore",
    "anyway",
    "here",
    "now",
    "when",
    "while",
    "as",
    "then",
    "today",
    "again",
    "until",
    "but",
    "if",
    "please",
    "everywhere",
    "für",
    "weil",
    "denn",
    "auch",
    "hier",
    "mehr",
    "pour",
    "car",
    "aussi",
    "ici",
    "para",
    "porque",
    "también",
    "também",
    "aqui",
    "aquí",
    "для",
    "потому",
    "тоже",
    "здесь",
];
const PLACES: &[&str] = &["in", "on", "at", "from", "by", "within", "inside", "during"];

/// Words of an option that was not taken.
const MAX_WORDS: usize = 10;

/// Parts of the reading that name what was not taken. `stops` are first bytes of sentences within it.
pub(super) fn options(reading: &Reading, stops: &[usize]) -> Vec<Range<usize>> {
    let over = reading.found.iter().filter(|found| found.cues.any(Cues::OVER) && !found.gapped);
    over.filter_map(|found| option(reading, found, stops)).collect()
}

fn option(reading: &Reading, found: &Found, stops: &[usize]) -> Option<Range<usize>> {
    let text = &reading.text;
    if found.cues.any(Cues::BEHIND) {
        return Some(word_before(text, found.start));
    }
    let phrase = text.get(found.start..found.end)?;
    if !CONTRASTS.contains(&phrase) {
        return None;
    }
    let ends = [Cues::UNTIL, Cues::WANT, Cues::DECIDED, Cues::CHOSEN, Cues::OVER, Cues::PERSON];
    let ends = ends.into_iter().fold(Cues::BECAUSE, Cues::and);
    let next = reading.found.iter().find(|next| next.start >= found.end && next.cues.any(ends));
    let stop = stops.iter().copied().find(|stop| *stop > found.start).unwrap_or(text.len());
    let end = next.map_or(text.len(), |next| next.start).min(reading.clause_end(found.end)).min(stop);
    let words: Vec<&str> = text.get(found.end..end)?.split(' ').filter(|word| !word.is_empty()).collect();
    let first = *words.first()?;
    let is_rival = match phrase {
        "over" => {
            let timed =
                words.iter().take(2).any(|word| TIMES.contains(word) || word.starts_with(|c: char| c.is_ascii_digit()));
            let named = !NO_RIVAL.contains(&first) || (first == "the" && words.len() > 1);
            named && !timed && prefers(text.get(..found.start)?)
        }
        _ => !NO_OPTION.contains(&first),
    };
    let len = name_len(&words, text.get(found.end..end)?);
    is_rival.then_some(found.end..found.end + len).filter(|part| !part.is_empty())
}

/// Whether something is chosen in the clause that ends here.
fn prefers(before: &str) -> bool {
    let clause = before.rsplit(BREAK).next().unwrap_or_default();
    clause.split(' ').any(|word| PREFERS.iter().any(|verb| word.starts_with(verb)))
}

/// Bytes of `text`, of which `words` are the words, that one name takes.
fn name_len(words: &[&str], text: &str) -> usize {
    let acts = words.first().is_some_and(|word| word.len() > 4 && word.ends_with("ing"));
    let ends = |at: usize, word: &str| {
        at > 0
            && (ENDS.contains(&word)
                || (PLACES.contains(&word) && !acts && !words.first().is_some_and(|first| PLACES.contains(first))))
    };
    let count = words.iter().enumerate().position(|(at, word)| ends(at, word)).unwrap_or(words.len());
    if count > MAX_WORDS {
        return 0;
    }
    let Some(next) = words.get(count) else { return text.len() };
    // The words are parts of the text in its order.
    let mut at = 0;
    for word in words.iter().take(count) {
        at += text.get(at..).and_then(|rest| rest.find(word)).unwrap_or_default() + word.len();
    }
    at.min(text.len() - next.len())
}

/// The word that ends here, in a language that may put no blanks between words: behind a blank, a break or a topic.
fn word_before(text: &str, end: usize) -> Range<usize> {
    const TOPICS: [char; 4] = [' ', BREAK, 'は', 'を'];
    let before = text.get(..end).unwrap_or_default().trim_end();
    let start = before.rfind(TOPICS).and_then(|at| Some(at + before.get(at..)?.chars().next()?.len_utf8()));
    start.unwrap_or(0)..before.len()
}
