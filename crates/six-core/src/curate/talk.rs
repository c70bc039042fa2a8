//! Words of a chat that say nothing of the matter: what a title goes without.
//!
//! The lists of all languages stand together: a phrase counts at the head of a sentence only, where words of one language
//! are hardly words of another. None of them denies, forbids or names what is to be done. (`no` alone before a comma
//! answers what was said before and is therefore among what stands alone.)

use super::cue::{BREAK, Cues, Found};
use super::reading::Reading;

/// What is talk where nothing else stands in its clause: `damn.`, `change of plan, …`.
const ALONE: &[&str] = &[
    "damn",
    "dammit",
    "ugh",
    "haha",
    "hahaha",
    "lol",
    "hmm",
    "hm",
    "huh",
    "wow",
    "ok",
    "okay",
    "k",
    "back",
    "i'm back",
    "hi",
    "hello",
    "hey",
    "morning",
    "good morning",
    "hi again",
    "agreed",
    "understood",
    "change of plan",
    "change of plans",
    "i like it",
    "i like that",
    "love it",
    "i agree",
    "great",
    "good",
    "nice",
    "cool",
    "perfect",
    "excellent",
    "fine",
    "yes",
    "yeah",
    "yep",
    "yup",
    "sure",
    "right",
    "true",
    "oh right",
    "exactly",
    "good point",
    "good idea",
    "fair enough",
    "makes sense",
    "much better",
    "looks good",
    "sounds good",
    "thanks",
    "thx",
    "thank you",
    "sorry",
    "please",
    "pls",
    "actually",
    "so",
    "well",
    "also",
    "anyway",
    "btw",
    "no",
    "nope",
    "nah",
    "wait",
    "hold on",
    "never mind",
    "nein",
    "nee",
    "nö",
    "moment",
    "warte",
    "stimmt",
    "gute idee",
    "einverstanden",
    "gefällt mir",
    "planänderung",
    "guten morgen",
    "non",
    "d'accord",
    "attends",
    "bien vu",
    "bonne idée",
    "ça me plaît",
    "changement de plan",
    "merci",
    "bonjour",
    "de acuerdo",
    "espera",
    "buena idea",
    "me gusta",
    "cambio de planes",
    "gracias",
    "hola",
    "não",
    "concordo",
    "espere",
    "boa ideia",
    "gostei",
    "mudança de planos",
    "obrigado",
    "obrigada",
    "нет",
    "стоп",
    "подожди",
    "согласен",
    "хорошая идея",
    "спасибо",
    "привет",
    "смена планов",
    "不",
    "不对",
    "等等",
    "同意",
    "好主意",
    "改主意了",
    "いや",
    "いいえ",
    "違う",
    "違います",
    "了解です",
    "賛成です",
    "아니",
    "아니요",
    "아뇨",
    "잠깐",
    "동의해요",
    "좋아요",
];

/// What is talk before anything.
const BEFORE: &[&str] = &[
    "ok",
    "okay",
    "so",
    "well",
    "and",
    "also",
    "but",
    "please",
    "pls",
    "plz",
    "then",
    "yes",
    "yeah",
    "yep",
    "hmm",
    "hm",
    "ah",
    "oh",
    "ugh",
    "actually",
    "hey",
    "btw",
    "sorry",
    "haha",
    "lol",
    "damn",
    "alright",
    "anyway",
    "bitte",
    "und",
    "ja",
    "naja",
    "dann",
    "por favor",
    "porfa",
    "vale",
    "bueno",
    "pues",
    "entonces",
    "s'il te plaît",
    "s'il vous plaît",
    "stp",
    "donc",
    "alors",
    "então",
    "ну",
    "пожалуйста",
    "итак",
];

/// What goes on behind a word of [`BEFORE`], which is none then: `so that`, `but for`.
const GOES_ON: &[&str] = &[
    "that", "far", "long", "much", "many", "few", "little", "as", "for", "nicht", "kein", "keine", "when", "if", "dass",
];

/// What says that something is chosen and not what: its object is the title.
const CHOOSES: &[&str] = &[
    "we decided to",
    "we've decided to",
    "we have decided to",
    "i decided to",
    "i've decided to",
    "it was decided to",
    "we agreed to",
    "we decided on",
    "we agreed on",
    "we decided that",
    "we agreed that",
    "we settled on",
    "let's go with",
    "lets go with",
    "let's go for",
    "we'll go with",
    "we will go with",
    "we go with",
    "we're going with",
    "we are going with",
    "i'd go with",
    "i'll go with",
    "we went with",
    "going with",
    "go with",
    "let's",
    "lets",
    "lass uns",
    "vamos con",
    "vamos com",
    "давайте",
    "давай",
    "我们决定",
];

/// What refers to something before, or denies: no title begins with it where a choice was cut off.
const REFERS: &[&str] = &[
    "it", "that", "this", "these", "those", "them", "both", "not", "never", "against", "neither", "none", "option",
    "plan", "nicht", "nie", "das", "no", "nunca", "eso", "esto", "isso", "não", "не", "это", "不", "别", "看", "see",
    "look", "check",
];

/// An object of fewer words is no title by itself: `we go with Kafka`.
const MIN_OBJECT: usize = 3;

/// Politeness and laughter that end a sentence.
pub(super) const AT_END: &[&str] = &[
    "because", "please", "pls", "plz", "thanks", "thx", "lol", "haha", "bitte", "danke", "merci", "stp", "gracias",
    "obrigado",
];

/// What answers a sentence by its opposite: what it stands behind is not the last word.
const OPPOSITES: &[&str] = &[
    "no",
    "nope",
    "nah",
    "lol no",
    "wait",
    "nein",
    "nee",
    "doch nicht",
    "non",
    "não",
    "нет",
    "不对",
    "いや",
    "いいえ",
    "아니",
    "아니요",
    "on second thought",
    "scratch that",
];

/// Where the matter of a part of the reading begins. `stops` are first bytes of its later parts.
pub(super) fn matter(reading: &Reading, start: usize, end: usize, stops: &[usize]) -> usize {
    let mut at = start;
    loop {
        at = skip_marks(reading, at, end);
        let clause = clause_end(reading, at, stops).min(end);
        if clause < end && is_talk(reading, at, clause) {
            at = clause;
        } else if let Some(next) = behind_word(reading, at, end) {
            at = next;
        } else {
            return at;
        }
    }
}

/// Where the object of a choice begins, if the words from here say that something is chosen.
pub(super) fn object(reading: &Reading, at: usize, end: usize) -> usize {
    let Some(from) = longest(reading, at, end, CHOOSES) else { return at };
    let clause = reading.clause_end(at).min(end);
    let rest = reading.text.get(from..end).unwrap_or_default().trim_start();
    let named = skip_marks(reading, from, clause);
    if clause < end
        && longest(reading, named, clause, &["that", "this"])
            .is_some_and(|to| skip_marks(reading, to, clause) == clause)
    {
        // `let's go with that, the same for all`: what was meant is said again.
        return skip_marks(reading, clause, end);
    }
    let first = rest.split([' ', BREAK]).next().unwrap_or_default();
    let refers = first.is_empty() || REFERS.contains(&first) || (!first.is_ascii() && starts_any(rest, REFERS));
    let is_name_only = rest.split([' ', BREAK]).filter(|word| !word.is_empty()).count() < MIN_OBJECT;
    if refers || is_name_only { at } else { skip_marks(reading, from, end) }
}

/// Whether a part of the reading is talk and nothing else.
pub(super) fn is_talk(reading: &Reading, start: usize, end: usize) -> bool {
    let mut at = skip_marks(reading, start, end);
    let mut any = false;
    while at < end {
        let told = |found: &&Found| {
            found.start == at
                && found.end <= end
                && !found.gapped
                && found.cues.any(Cues::FILLER.and(Cues::MEANT))
                && !found.cues.any(Cues::BAR.and(Cues::REDIRECT).and(Cues::STANDING).and(Cues::RULE))
        };
        let cue = reading.found.iter().filter(told).map(|found| found.end).max();
        let Some(next) = cue.max(longest(reading, at, end, ALONE)) else { return false };
        any = true;
        at = skip_marks(reading, next, end);
    }
    any
}

/// Whether what begins here says the opposite of what was said before. A title tells both; what is taken back for good is no
/// statement at all (`meant.rs`).
pub(super) fn contradicts(reading: &Reading, start: usize, end: usize, stops: &[usize]) -> bool {
    let mut at = skip_marks(reading, start, end);
    while at < end {
        let clause = clause_end(reading, at, stops).min(end);
        if longest(reading, at, clause, OPPOSITES).is_some_and(|to| skip_marks(reading, to, clause) >= clause) {
            return true;
        }
        if !is_talk(reading, at, clause) {
            return false;
        }
        at = skip_marks(reading, clause, end);
    }
    false
}

/// Whether a sentence that was not read does so.
pub(super) fn text_contradicts(text: &str) -> bool {
    let first =
        text.split([',', '.', '!', ';', ':', '，', '、', '。']).next().unwrap_or_default().trim().to_lowercase();
    OPPOSITES.contains(&first.as_str())
}

/// The end of the clause that goes on here: at a break or at a stop.
pub(super) fn clause_end(reading: &Reading, at: usize, stops: &[usize]) -> usize {
    let stop = stops.iter().copied().find(|stop| *stop > at).unwrap_or(usize::MAX);
    reading.clause_end(at).min(stop)
}

fn behind_word(reading: &Reading, at: usize, end: usize) -> Option<usize> {
    let next = longest(reading, at, end, BEFORE)?;
    let rest = reading.text.get(next..end)?.trim_start();
    let follows = rest.split([' ', BREAK]).next().unwrap_or_default();
    (!follows.is_empty() && !GOES_ON.contains(&follows)).then_some(next)
}

/// The end of the longest of these phrases that stands here as whole words.
fn longest(reading: &Reading, at: usize, end: usize, phrases: &[&str]) -> Option<usize> {
    let rest = reading.text.get(at..end)?;
    let fits = |phrase: &&&str| {
        rest.strip_prefix(**phrase).is_some_and(|behind| {
            // Where no blanks stand between words, a phrase of choice goes on at once.
            behind.is_empty() || behind.starts_with([' ', BREAK]) || **phrase == "我们决定"
        })
    };
    phrases.iter().filter(fits).map(|phrase| at + phrase.len()).max()
}

fn starts_any(text: &str, phrases: &[&str]) -> bool {
    phrases.iter().any(|phrase| !phrase.is_ascii() && text.starts_with(phrase))
}

/// The first byte from here that is no blank and no break.
pub(super) fn skip_marks(reading: &Reading, at: usize, end: usize) -> usize {
    let rest = reading.text.get(at..end).unwrap_or_default();
    at + rest.len() - rest.trim_start_matches([' ', BREAK]).len()
}
