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

#[path = "lexicon/format.rs"]
mod format;

use std::borrow::Cow;

use format::parse_phrases;
pub(super) use format::{Cues, MAX_PHRASE_WORDS};

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
}

impl Lexicon {
    /// Words that a project adds, in the format of the lists.
    fn of(text: &str) -> Self {
        let mut all = String::with_capacity(text.len());
        let entry = |(phrase, cues): (&str, Cues)| {
            let start = u32::try_from(all.len()).ok()?;
            all.push_str(phrase);
            Some(Entry { start, end: u32::try_from(all.len()).ok()?, cues })
        };
        let entries = parse_phrases(text).into_iter().map_while(entry).collect();
        Self { text: Cow::Owned(all), entries: Cow::Owned(entries), spaced: true }
    }

    fn phrase(&self, entry: Entry) -> &str {
        self.text.get(entry.start as usize..entry.end as usize).unwrap_or_default()
    }

    /// What exactly this phrase (lower case, one blank between words) does; none if it is not known.
    pub(super) fn cues(&self, phrase: &str) -> Option<Cues> {
        let found = self.entries.binary_search_by(|entry| self.phrase(*entry).cmp(phrase)).ok()?;
        self.entries.get(found).map(|entry| entry.cues)
    }

    /// All phrases that occur in a text without blanks between words.
    pub(super) fn within<'a>(&'a self, text: &'a str) -> impl Iterator<Item = (&'a str, Cues)> + 'a {
        self.entries.iter().map(|entry| (self.phrase(*entry), entry.cues)).filter(|(phrase, _)| text.contains(phrase))
    }
}

macro_rules! lexicon {
    ($name:ident, $text:ident, $entries:ident, $spaced:literal) => {
        static $name: Lexicon =
            Lexicon { text: Cow::Borrowed($text), entries: Cow::Borrowed(&$entries), spaced: $spaced };
    };
}

include!(concat!(env!("OUT_DIR"), "/lexicon.rs"));

lexicon!(EN, EN_TEXT, EN_ENTRIES, true);
lexicon!(DE, DE_TEXT, DE_ENTRIES, true);
lexicon!(ES, ES_TEXT, ES_ENTRIES, true);
lexicon!(FR, FR_TEXT, FR_ENTRIES, true);
lexicon!(PT, PT_TEXT, PT_ENTRIES, true);
lexicon!(RU, RU_TEXT, RU_ENTRIES, true);
lexicon!(ZH, ZH_TEXT, ZH_ENTRIES, false);
lexicon!(JA, JA_TEXT, JA_ENTRIES, false);
lexicon!(KO, KO_TEXT, KO_ENTRIES, false);

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
    /// Those for a text.
    pub(super) fn of(text: &str, extra: Option<&'a ExtraWords>) -> Self {
        Self { own: lexicon_for(text), extra: extra.map(|extra| &extra.0) }
    }

    /// What exactly this phrase does; none if it is not known.
    pub(super) fn cues(self, phrase: &str) -> Option<Cues> {
        let added = self.extra.and_then(|extra| extra.cues(phrase));
        match (self.own.cues(phrase), added) {
            (Some(own), Some(added)) => Some(own.and(added)),
            (own, added) => own.or(added),
        }
    }

    /// All phrases that occur in a text without blanks between words.
    pub(super) fn within(self, text: &'a str) -> impl Iterator<Item = (&'a str, Cues)> {
        self.own.within(text).chain(self.extra.into_iter().flat_map(|extra| extra.within(text)))
    }
}

/// Small words of the languages in Latin script; the prompt is in the language that has most of them. English comes
/// first and wins a draw: a foreign name in an English sentence is no language.
const LATIN: [(&Lexicon, &str); 5] = [
    (
        &EN,
        "the to is and of in it this that can we you for on with do let please i not be are have no so me as at my how what",
    ),
    (
        &DE,
        "der die das und ist nicht ein eine einen wir ich mit für auf bitte den dem sind wie warum kannst noch auch wird zu",
    ),
    (&ES, "el los las una y es por con para que qué cómo del favor esta está hay puedes al lo de la en un"),
    (&FR, "le les des une et est pour avec dans que qui du sur pas ce cette nous peux pourquoi aux il la de un"),
    (&PT, "o os as uma um e é não por com para que do da dos das no na isso você pode está de"),
];

/// The language of a prompt: by its script, and within the Latin one by its small words.
pub(super) fn lexicon_for(text: &str) -> &'static Lexicon {
    let (mut latin, mut cyrillic, mut han, mut kana, mut hangul) = (0_usize, 0_usize, 0_usize, 0_usize, 0_usize);
    for c in text.split_whitespace().filter(|word| !is_code(word)).flat_map(str::chars) {
        match c {
            'a'..='z' | 'A'..='Z' | '\u{c0}'..='\u{24f}' => latin += 1,
            '\u{400}'..='\u{4ff}' => cyrillic += 1,
            '\u{4e00}'..='\u{9fff}' | '\u{3400}'..='\u{4dbf}' => han += 1,
            '\u{3040}'..='\u{30ff}' => kana += 1,
            '\u{ac00}'..='\u{d7a3}' | '\u{3131}'..='\u{318e}' => hangul += 1,
            _ => {}
        }
    }
    // A character of these scripts says as much as several letters, and names among them are Latin in any language.
    let dense = han + kana + hangul;
    if dense * 6 > latin {
        return if hangul * 2 > dense {
            &KO
        } else if kana * 8 > dense {
            &JA
        } else {
            &ZH
        };
    }
    if cyrillic * 2 > latin { &RU } else { latin_lexicon(text) }
}

/// Paths and identifiers are in no language.
fn is_code(word: &str) -> bool {
    word.is_ascii() && word.contains(['/', '_', '\\', '='])
}

fn latin_lexicon(text: &str) -> &'static Lexicon {
    /// A few sentences tell a language.
    const WORDS: usize = 200;
    let mut best: (usize, &'static Lexicon) = (0, &EN);
    let words: Vec<String> = text
        .split_whitespace()
        .take(WORDS)
        .map(|word| word.trim_matches(|c: char| !c.is_alphanumeric()).to_lowercase())
        .collect();
    for (lexicon, common) in LATIN {
        let count = words.iter().filter(|word| common.split(' ').any(|known| known == word.as_str())).count();
        if count > best.0 {
            best = (count, lexicon);
        }
    }
    best.1
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
