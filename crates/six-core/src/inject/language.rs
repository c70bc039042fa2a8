//! The language of a text: by its script, and within the Latin one by its words.
//!
//! Words stand here as sums, a tenth of the size of the lists that they come from: a program that only has to tell languages
//! apart does not carry phrases.

use super::clause::{Clause, OPAQUE, clauses};
use super::lexicon::sum;
use super::prose::mask_quoted;

/// A language with lists of words.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Language {
    English,
    German,
    Spanish,
    French,
    Portuguese,
    Russian,
    Chinese,
    Japanese,
    Korean,
}

impl Language {
    const fn as_str(self) -> &'static str {
        match self {
            Self::English => "en",
            Self::German => "de",
            Self::Spanish => "es",
            Self::French => "fr",
            Self::Portuguese => "pt",
            Self::Russian => "ru",
            Self::Chinese => "zh",
            Self::Japanese => "ja",
            Self::Korean => "ko",
        }
    }
}

/// Words by which a language in Latin script is told, as sorted sums. Of the words that no list has, one in some hundred
/// thousands is taken for one that counts least.
struct Words {
    language: Language,
    /// All single words of its list that do something.
    known: &'static [u32],
    /// The small ones among them.
    small: &'static [u32],
    /// Letters that the others don't have.
    letters: &'static [char],
}

impl Words {
    fn is_small(&self, word: &str) -> bool {
        self.small.binary_search(&sum(word)).is_ok()
    }
}

/// Sums for each language.
#[expect(clippy::unreadable_literal, reason = "written by the build script")]
mod tables {
    include!(concat!(env!("OUT_DIR"), "/words.rs"));
}

const ENGLISH: Words =
    Words { language: Language::English, known: &tables::EN_KNOWN, small: &tables::EN_SMALL, letters: &[] };

/// The languages in Latin script. English comes first and wins a draw: a foreign name in an English sentence is no
/// language.
const LATIN: [Words; 5] = [
    ENGLISH,
    Words {
        language: Language::German,
        known: &tables::DE_KNOWN,
        small: &tables::DE_SMALL,
        letters: &['ä', 'ö', 'ü', 'ß'],
    },
    Words {
        language: Language::Spanish,
        known: &tables::ES_KNOWN,
        small: &tables::ES_SMALL,
        letters: &['ñ', 'í', 'ú'],
    },
    Words {
        language: Language::French,
        known: &tables::FR_KNOWN,
        small: &tables::FR_SMALL,
        letters: &['è', 'ê', 'ù', 'œ', 'î', 'û', 'ç'],
    },
    Words {
        language: Language::Portuguese,
        known: &tables::PT_KNOWN,
        small: &tables::PT_SMALL,
        letters: &['ã', 'õ', 'ç', 'ê', 'ô', 'í', 'ú'],
    },
];

/// The language of a text, as two letters.
pub(crate) fn language_of(text: &str) -> &'static str {
    judge_language(&clauses(&mask_quoted(text, OPAQUE))).as_str()
}

/// Whether a prompt is read as English: in a language that is not known it is, too.
pub fn is_english(text: &str) -> bool {
    judge_language(&clauses(&mask_quoted(text, OPAQUE))) == Language::English
}

/// The language of a text that is in clauses. The output of programs says nothing of the person's language.
pub(super) fn judge_language(clauses: &[Clause]) -> Language {
    let own = clauses.iter().any(|clause| !clause.output);
    let read = || clauses.iter().filter(|clause| !own || !clause.output);
    let (mut latin, mut cyrillic, mut han, mut kana, mut hangul) = (0_usize, 0_usize, 0_usize, 0_usize, 0_usize);
    for c in read().flat_map(|clause| clause.text.chars()) {
        match c {
            'a'..='z' | '\u{df}'..='\u{24f}' => latin += 1,
            '\u{400}'..='\u{4ff}' => cyrillic += 1,
            '\u{4e00}'..='\u{9fff}' | '\u{3400}'..='\u{4dbf}' => han += 1,
            '\u{3040}'..='\u{30ff}' => kana += 1,
            '\u{ac00}'..='\u{d7a3}' | '\u{3131}'..='\u{318e}' => hangul += 1,
            _ => {}
        }
    }
    // A character of these scripts says as much as several letters, and names among them are Latin in any language.
    let dense = han + kana + hangul;
    if dense * 8 > latin {
        return if hangul * 2 > dense {
            Language::Korean
        } else if kana * 8 > dense {
            Language::Japanese
        } else {
            Language::Chinese
        };
    }
    if cyrillic * 8 > latin {
        Language::Russian
    } else if own {
        judge_latin(read())
    } else {
        Language::English
    }
}

/// Whether the other languages need not be looked at: that would cost more than the reading of the prompt. Four in ten
/// words of English are small ones, of another language that shares some of them hardly two.
fn is_plainly_english(words: &[&str]) -> bool {
    const ENOUGH: usize = 16;
    let words = words.get(..ENOUGH).unwrap_or(words);
    let small = words.iter().filter(|word| ENGLISH.is_small(word)).count();
    small >= 3 && small * 5 >= words.len() * 2 && words.iter().all(|word| word.is_ascii())
}

fn judge_latin<'a>(clauses: impl Iterator<Item = &'a Clause>) -> Language {
    /// A few sentences tell a language.
    const WORDS: usize = 48;
    /// How much a small word, and a letter that only one language has, counts; any other known word counts one.
    const SMALL: usize = 3;
    let words = clauses.flat_map(|clause| clause.words.iter().filter_map(|word| clause.text.get(word.clone())));
    let words: Vec<&str> = words.take(WORDS).filter(|word| !word.contains(OPAQUE)).collect();
    if is_plainly_english(&words) {
        return Language::English;
    }
    let mut scores = [0; LATIN.len()];
    for word in words {
        for (score, known) in scores.iter_mut().zip(&LATIN) {
            if known.is_small(word) {
                *score += SMALL;
            } else if known.known.binary_search(&sum(word)).is_ok() {
                *score += 1;
            }
            if !word.is_ascii() && word.contains(known.letters) {
                *score += SMALL;
            }
        }
    }
    let best = scores.into_iter().max().unwrap_or_default();
    scores.iter().zip(&LATIN).find(|(score, _)| **score == best).map_or(Language::English, |(_, words)| words.language)
}
