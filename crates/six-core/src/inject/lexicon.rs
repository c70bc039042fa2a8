//! The words by which an intent shows, per language, as data: `lexicon/*.txt`.
//!
//! For an author of a list. A file has sections, `[name]` on a line of its own, under which phrases stand, separated by
//! commas and ends of lines, in lower case, of at most five words with one blank between them. A line that starts with `#` is a
//! remark. A phrase may stand in several sections. In a text the longest phrase counts. In a language with blanks a phrase
//! matches whole words, so every form that is meant has to be there; in one without, it matches anywhere in a clause.
//!
//! | section | what belongs there | effect |
//! |---|---|---|
//! | build | verbs that order a change, in the forms that order (`add`, `füge`, `追加して`), not those that report | at the head of a clause or after a frame: build |
//! | investigate | the same for verbs of finding out, checking, explaining | investigate |
//! | glance | verbs of a look that often only prepares (`look at`, `read`, `show me`) | investigate, less than the above |
//! | operate | verbs of version control, trackers, running, going on | no intent, even beside a report of trouble |
//! | light | verbs of `build` that are operations when an `object` follows (`create a branch`) | see object |
//! | object | nouns of version control and trackers (`branch`, `pr`, `ticket`) | see light |
//! | decide | phrases that weigh, choose, propose or settle (`should we`, `go with`, `trade-offs`) | decide, anywhere in a clause |
//! | lean | phrases that lean towards an option (`i think`, `overkill`, `is fine`) | decide, less than the above |
//! | symptom | words that report trouble (`fails`, `missing`, `geht nicht`) | investigate, when nothing is ordered |
//! | ask | frames after which an order follows (`can you`, `let's`, `bitte`) | opens a clause to the verbs above |
//! | obligation | phrases that say how something has to be (`must`, `make sure`) | build, less than an order |
//! | wh | words that open a question even without its mark (`why`, `how do`) | investigate |
//! | aux | words that open a question if its mark is there (`is`, `does`) | investigate |
//! | subordinate | words that open a condition or reason (`if`, `because`) | the clause orders nothing |
//! | negation | words that turn the next verb round (`don't`, `nicht`) | the verb orders nothing |
//! | joint | words that join a second order to the first (`and`, `then`) | opens the clause again |
//! | filler | words that may stand before anything (`ok`, `please`, `now`) | none |

mod format;
mod forms;

use std::borrow::Cow;

use super::clause::{Clause, OPAQUE, clauses};
use super::prose::mask_quoted;

use format::parse_phrases;
pub(super) use format::{Cues, MAX_PHRASE_WORDS};
pub(super) use forms::Spelling;

/// A phrase, as a range of its lexicon's text, and what it does.
#[derive(Debug, Clone, Copy)]
struct Entry {
    start: u32,
    end: u32,
    cues: Cues,
}

/// The phrases of one language.
#[derive(Debug)]
pub(super) struct Lexicon {
    text: Cow<'static, str>,
    /// Sorted by phrase, each once.
    entries: Cow<'static, [Entry]>,
    /// Whether the language puts blanks between words. Where it does not, phrases are found within the text.
    pub(super) spaced: bool,
    /// How its words may be spelt.
    pub(super) spelling: Spelling,
    /// Letters that tell it from the other languages of its script.
    letters: &'static [char],
}

impl Lexicon {
    /// Words that a project adds, in the format of the lists.
    fn of(text: &str) -> Self {
        let mut all = String::with_capacity(text.len());
        let entry = |(phrase, cues): (String, Cues)| {
            let start = u32::try_from(all.len()).ok()?;
            all.push_str(&phrase);
            Some(Entry { start, end: u32::try_from(all.len()).ok()?, cues })
        };
        let entries = parse_phrases(text, Spelling::Plain).into_iter().map_while(entry).collect();
        Self {
            text: Cow::Owned(all),
            entries: Cow::Owned(entries),
            spaced: true,
            spelling: Spelling::Plain,
            letters: &[],
        }
    }

    /// Whether it is the one of English.
    pub(super) fn is_english(&self) -> bool {
        std::ptr::eq(self, &raw const EN)
    }

    fn phrase(&self, entry: Entry) -> &str {
        self.text.get(entry.start as usize..entry.end as usize).unwrap_or_default()
    }

    /// What exactly this phrase (lower case, one blank between words) does; none if it is not known.
    pub(super) fn cues(&self, phrase: &str) -> Option<Cues> {
        let found = self.entries.binary_search_by(|entry| self.phrase(*entry).cmp(phrase)).ok()?;
        self.entries.get(found).map(|entry| entry.cues)
    }

    /// The longest phrase with which a text begins, and what it does.
    pub(super) fn longest_at(&self, text: &str) -> Option<(usize, Cues)> {
        let first = text.chars().next()?;
        let from = self.entries.partition_point(|entry| self.phrase(*entry).chars().next().is_some_and(|c| c < first));
        let entries = self.entries.get(from..)?.iter().copied();
        let sharing = entries.take_while(|entry| self.phrase(*entry).starts_with(first));
        sharing
            .filter(|entry| entry.cues != Cues::NONE && is_at(text, self.phrase(*entry), entry.cues))
            .map(|entry| (self.phrase(entry).len(), entry.cues))
            .max_by_key(|(len, _)| *len)
    }
}

macro_rules! lexicon {
    ($name:ident, $text:ident, $entries:ident, $spaced:literal, $spelling:ident, $letters:expr) => {
        static $name: Lexicon = Lexicon {
            text: Cow::Borrowed($text),
            entries: Cow::Borrowed(&$entries),
            spaced: $spaced,
            spelling: Spelling::$spelling,
            letters: &$letters,
        };
    };
}

include!(concat!(env!("OUT_DIR"), "/lexicon.rs"));

lexicon!(EN, EN_TEXT, EN_ENTRIES, true, Plain, []);
lexicon!(DE, DE_TEXT, DE_ENTRIES, true, Umlauts, ['ä', 'ö', 'ü', 'ß']);
lexicon!(ES, ES_TEXT, ES_ENTRIES, true, Accents, ['ñ', 'ú', 'í']);
lexicon!(FR, FR_TEXT, FR_ENTRIES, true, Accents, ['è', 'ê', 'ù', 'œ', 'î', 'û', 'ç']);
lexicon!(PT, PT_TEXT, PT_ENTRIES, true, Accents, ['ã', 'õ', 'ç', 'ê', 'ô']);
lexicon!(RU, RU_TEXT, RU_ENTRIES, true, Letters, []);
lexicon!(ZH, ZH_TEXT, ZH_ENTRIES, false, Letters, []);
lexicon!(JA, JA_TEXT, JA_ENTRIES, false, Plain, []);
lexicon!(KO, KO_TEXT, KO_ENTRIES, false, Plain, []);

/// Words that a project adds to those of every language.
#[derive(Debug)]
pub struct ExtraWords(Lexicon);

impl ExtraWords {
    /// Parses a list in the format of `lexicon/*.txt`. What is in no known section is left out.
    pub fn parse(text: &str) -> Self {
        Self(Lexicon::of(text))
    }
}

/// The words by which one prompt is read: those of its language and those of its project.
#[derive(Debug, Clone, Copy)]
pub(super) struct Words<'a> {
    pub(super) own: &'a Lexicon,
    extra: Option<&'a Lexicon>,
}

impl<'a> Words<'a> {
    /// Those for a text in clauses.
    pub(super) fn of(clauses: &[Clause], extra: Option<&'a ExtraWords>) -> Self {
        Self { own: lexicon_of(clauses), extra: extra.map(|extra| &extra.0) }
    }

    /// What exactly this phrase does; none if it is not known.
    pub(super) fn cues(self, phrase: &str) -> Option<Cues> {
        let added = self.extra.and_then(|extra| extra.cues(phrase));
        match (self.own.cues(phrase), added) {
            (Some(own), Some(added)) => Some(own.and(added)),
            (own, added) => own.or(added),
        }
    }

    /// The longest phrase with which a text without blanks between words begins, and what it does.
    pub(super) fn longest_at(self, text: &str) -> Option<(usize, Cues)> {
        let added = self.extra.and_then(|extra| extra.longest_at(text));
        self.own.longest_at(text).into_iter().chain(added).max_by_key(|(len, _)| *len)
    }
}

/// Whether a text begins with a phrase. One in Latin letters is a word, and some phrases count only where a word ends.
fn is_at(text: &str, phrase: &str, cues: Cues) -> bool {
    let Some(rest) = text.strip_prefix(phrase) else { return false };
    let next = rest.chars().next();
    let latin = phrase.ends_with(|c: char| c.is_ascii_alphabetic());
    !(latin && next.is_some_and(|c| c.is_ascii_alphanumeric()))
        && !(cues.any(Cues::ENDS) && next.is_some_and(char::is_alphanumeric))
}

/// The languages in Latin script. English comes first and wins a draw: a foreign name in an English sentence is no
/// language.
const LATIN: [&Lexicon; 5] = [&EN, &DE, &ES, &FR, &PT];

/// The language of a prompt: by its script, and within the Latin one by its words.
pub(super) fn lexicon_for(text: &str) -> &'static Lexicon {
    lexicon_of(&clauses(&mask_quoted(text, OPAQUE)))
}

/// The same for a text that is in clauses already. The output of programs says nothing, unless there is nothing else.
pub(super) fn lexicon_of(clauses: &[Clause]) -> &'static Lexicon {
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
            &KO
        } else if kana * 8 > dense {
            &JA
        } else {
            &ZH
        };
    }
    if cyrillic * 3 > latin { &RU } else { latin_lexicon(read()) }
}

fn latin_lexicon<'a>(clauses: impl Iterator<Item = &'a Clause>) -> &'static Lexicon {
    /// A few sentences tell a language.
    const WORDS: usize = 48;
    /// How much a small word, and a letter that only one language has, counts; any other known word counts one.
    const SMALL: usize = 3;
    let mut scores = [0; LATIN.len()];
    let words = clauses.flat_map(|clause| clause.words.iter().filter_map(|word| clause.text.get(word.clone())));
    for word in words.take(WORDS).filter(|word| !word.contains(OPAQUE)) {
        for (score, lexicon) in scores.iter_mut().zip(LATIN) {
            *score += match lexicon.cues(word) {
                Some(cues) if cues.any(Cues::COMMON) => SMALL,
                Some(cues) if cues != Cues::NONE => 1,
                _ => 0,
            };
            if !word.is_ascii() && word.contains(lexicon.letters) {
                *score += SMALL;
            }
        }
    }
    let best = scores.into_iter().max().unwrap_or_default();
    scores.iter().zip(LATIN).find(|(score, _)| **score == best).map_or(&EN, |(_, lexicon)| lexicon)
}

#[cfg(test)]
mod tests {
    use super::*;

    const ALL: [(&Lexicon, &str); 9] = [
        (&EN, "can you fix the timeout in main.rs?"),
        (&DE, "bitte behebe den Fehler in der Datei"),
        (&ES, "arregla el error de la conexión por favor"),
        (&FR, "corrige le bug dans le module de paiement"),
        (&PT, "corrija o erro na tela de login, por favor"),
        (&RU, "исправь ошибку в парсере"),
        (&ZH, "帮我修改一下 README 的内容"),
        (&JA, "main.rs のエラーを直してください"),
        (&KO, "rename 버그를 수정해줘"),
    ];

    #[test]
    fn a_prompt_is_read_in_its_language() {
        for (lexicon, prompt) in ALL {
            assert!(std::ptr::eq(lexicon_for(prompt), &raw const *lexicon), "{prompt}");
        }
    }

    #[test]
    fn every_list_is_read_whole() {
        for (lexicon, prompt) in ALL {
            for cue in [Cues::BUILD, Cues::INVESTIGATE, Cues::DECIDE, Cues::OPERATE] {
                assert!(lexicon.entries.iter().any(|entry| entry.cues.any(cue)), "{prompt}: {cue:?}");
            }
            for entry in lexicon.entries.iter() {
                let phrase = lexicon.phrase(*entry);
                assert_eq!(phrase, phrase.to_lowercase(), "phrases are in lower case");
            }
        }
    }
}
