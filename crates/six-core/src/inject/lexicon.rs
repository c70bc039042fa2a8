//! The words by which an intent shows, per language, as data: `lexicon/*.txt`.
//!
//! For an author of a list. A file has sections, `[name]` on a line of its own, under which phrases stand, separated by
//! commas and ends of lines, in lower case, of at most seven words with one blank between them. A line that starts with
//! `#` is a remark. A phrase may stand in several sections. In a text the longest phrase counts, so a phrase hides the
//! shorter ones in it (`don't forget to` is no negation). In a language with blanks a phrase matches whole words, so
//! every form that is meant has to be there; in one without, it matches anywhere in a clause. Order is free: the build
//! sorts. A section that is left out costs recall and nothing else.
//!
//! Verbs, in the forms that order (`add`, `füge`, `追加して`), not those that report (`added`). They count at the head of
//! a clause, behind fillers and frames, and behind a `joint` that follows an order:
//!
//! | section | what belongs there |
//! |---|---|
//! | `build` | verbs of making and changing; comparatives that ask (`shorter`) |
//! | `build-topical` | the same where the word also names a matter (`cache`, `encrypt`): it stays a search term |
//! | `investigate` | verbs of finding out, checking, explaining, reviewing |
//! | `glance` | verbs of a look, which often only prepares (`look at`, `read`, `show me`) |
//! | `operate` | verbs of version control, trackers, running, going on, waiting: no intent |
//! | `light` | verbs of `build` that operate when an `object` follows (`create a branch`) |
//! | `object` | nouns of version control and trackers (`branch`, `pr`, `ticket`) |
//!
//! Frames, which say how the verb behind them is meant, at the head or in the midst of a clause:
//!
//! | section | what belongs there |
//! |---|---|
//! | `ask` | asks for it: `can you`, `let's`, `please`, `bitte` |
//! | `need` | calls it needed or wanted: `we need to`, `I want to`, `you should` |
//! | `propose` | weighs it: `should we`, `why not`, `what if`, `I think we should`, `I wonder if` |
//! | `negation` | rules it out: `don't`, `nicht` |
//! | `joint` | joins a second order to the first: `and`, `then` |
//! | `filler` | may stand before anything and says nothing: `ok`, `now`, `maybe` |
//! | `determiner` | articles, pronouns, prepositions: what may follow a verb, and tells it from a noun |
//!
//! Openings, which count at the head of a clause:
//!
//! | section | what belongs there |
//! |---|---|
//! | `wh` | opens a question for a thing, place, reason, with or without its mark: `why`, `how do`, `is there` |
//! | `aux` | opens a question for yes or no: `is`, `does`, `did you` |
//! | `able` | opens a wish if a verb of change follows its subject, else a question: `can`, `could it` |
//! | `subordinate` | opens a condition, a reason, a relative clause: `if`, `because`, `which` |
//! | `indefinite` | opens the name of a thing that is not there yet: `a`, `another`, `optional` |
//! | `tag` | ends a statement that asks to be confirmed: `right`, `no`, `isn't it` |
//!
//! Remarks, which count anywhere:
//!
//! | section | what belongs there |
//! |---|---|
//! | `decide` | weighing: `trade-offs`, `best way`, `would it make sense` |
//! | `settle` | a choice stated: `let's go with`, `we'll use`, `option 2`, `out of scope` |
//! | `prefer` | a preference stated: `I'd rather`, `I like`, `not a fan of` |
//! | `opinion` | a question for an opinion or a choice: `what do you think`, `which option`, `you decide` |
//! | `lean` | words that judge a design: `overkill`, `simpler`, `is fine`, `belongs in` |
//! | `hedge` | words that mark an opinion: `I think`, `probably` |
//! | `choice` | between options in a question: `or`, `versus` |
//! | `finding` | names of finding out and of its results: `root cause`, `a review`, `a summary`, `any idea` |
//! | `symptom` | trouble: `fails`, `missing`, `geht nicht` |
//! | `expect` | not what was expected: `still`, `supposed to`, `used to` |
//! | `report` | what somebody saw or tried: `I get`, `it looks like`, `I ran` |
//! | `want` | a wish for a thing or a state: `I'd like the`, `would be nice if`, `there should be` |
//! | `obligation` | how something has to be: `must`, `should only`, `make sure` |
//! | `contrast` | the same said beside it: `instead of`, `by default`, `so that` |
//! | `comment` | a reviewer's words: `nit`, `medium severity`, `could lead to` |
//! | `approve` | approval, thanks, leave-taking: `lgtm`, `sounds good`, `that's all` |
//! | `person` | words for who writes and who reads: `I`, `we`, `you`, `my` |

#[path = "lexicon/format.rs"]
mod format;

use std::borrow::Cow;
use std::cmp::Ordering;

pub(super) use format::Cues;
use format::parse_phrases;

/// A phrase, as a range of its lexicon's text, and what it does.
#[derive(Debug, Clone, Copy)]
struct Entry {
    start: u32,
    end: u32,
    cues: Cues,
}

/// A phrase with which a text begins.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) struct Phrase {
    /// Its bytes.
    pub(super) len: usize,
    /// What it does.
    pub(super) cues: Cues,
    /// What its first word alone does.
    pub(super) first: Cues,
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

    fn find(&self, phrase: &str) -> Option<usize> {
        self.entries.binary_search_by(|entry| self.phrase(*entry).cmp(phrase)).ok()
    }

    /// What exactly this phrase (lower case, one blank between words) does; none if it is not known.
    pub(super) fn cues(&self, phrase: &str) -> Option<Cues> {
        self.entries.get(self.find(phrase)?).map(|entry| entry.cues)
    }

    /// The longest phrase with which a text begins, given its first word. Phrases stand directly behind the word that
    /// begins them: a blank sorts before all that can be in a word.
    fn longest(&self, text: &str, word: &str) -> Option<Phrase> {
        let at = self.find(word)?;
        let first = self.entries.get(at)?.cues;
        let mut best = Phrase { len: word.len(), cues: first, first };
        for entry in self.entries.get(at + 1..).unwrap_or_default() {
            let phrase = self.phrase(*entry);
            if !phrase.strip_prefix(word).is_some_and(|rest| rest.starts_with(' ')) {
                break;
            }
            let ends = text.strip_prefix(phrase).is_some_and(|rest| rest.is_empty() || rest.starts_with(' '));
            if ends && phrase.len() > best.len && entry.cues != Cues::NONE {
                best = Phrase { len: phrase.len(), cues: entry.cues, first };
            }
        }
        Some(best)
    }

    /// All phrases that occur in a text without blanks between words.
    pub(super) fn within<'a>(&'a self, text: &'a str) -> impl Iterator<Item = (&'a str, Cues)> + 'a {
        self.entries.iter().map(|entry| (self.phrase(*entry), entry.cues)).filter(|(phrase, _)| text.contains(phrase))
    }
}

macro_rules! lexicon {
    ($name:ident, $text:ident, $entries:ident, $spaced:literal) => {
        static $name: Lexicon =
            Lexicon { text: Cow::Borrowed(tables::$text), entries: Cow::Borrowed(&tables::$entries), spaced: $spaced };
    };
}

/// A text of all phrases and ranges of it, for each language.
#[expect(clippy::unreadable_literal, reason = "written by the build script")]
mod tables {
    use super::{Cues, Entry};

    include!(concat!(env!("OUT_DIR"), "/lexicon.rs"));
}

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

    /// The longest phrase with which a text begins, given its first word; none if that word begins none.
    pub(super) fn longest(self, text: &str, word: &str) -> Option<Phrase> {
        let own = self.own.longest(text, word);
        let Some(added) = self.extra.and_then(|extra| extra.longest(text, word)) else { return own };
        let Some(own) = own else { return Some(added) };
        let first = own.first.and(added.first);
        Some(match own.len.cmp(&added.len) {
            Ordering::Greater => Phrase { first, ..own },
            Ordering::Less => Phrase { first, ..added },
            Ordering::Equal => Phrase { cues: own.cues.and(added.cues), first, ..own },
        })
    }

    /// All phrases that occur in a text without blanks between words.
    pub(super) fn within(self, text: &'a str) -> impl Iterator<Item = (&'a str, Cues)> {
        self.own.within(text).chain(self.extra.into_iter().flat_map(|extra| extra.within(text)))
    }
}

/// Small words of the languages in Latin script; the prompt is in the language that has most of them. English comes
/// first and wins a draw: a foreign name in an English sentence is no language.
const LATIN: [(&Lexicon, &[&str]); 5] = [
    (
        &EN,
        &[
            "the", "to", "is", "and", "of", "in", "it", "this", "that", "can", "we", "you", "for", "on", "with", "do",
            "let", "please", "i", "not", "be", "are", "have", "no", "so", "me", "as", "at", "my", "how", "what",
        ],
    ),
    (
        &DE,
        &[
            "der", "die", "das", "und", "ist", "nicht", "ein", "eine", "einen", "wir", "ich", "mit", "für", "auf",
            "bitte", "den", "dem", "sind", "wie", "warum", "kannst", "noch", "auch", "wird", "zu",
        ],
    ),
    (
        &ES,
        &[
            "el", "los", "las", "una", "y", "es", "por", "con", "para", "que", "qué", "cómo", "del", "favor", "esta",
            "está", "hay", "puedes", "al", "lo", "de", "la", "en", "un",
        ],
    ),
    (
        &FR,
        &[
            "le", "les", "des", "une", "et", "est", "pour", "avec", "dans", "que", "qui", "du", "sur", "pas", "ce",
            "cette", "nous", "peux", "pourquoi", "aux", "il", "la", "de", "un",
        ],
    ),
    (
        &PT,
        &[
            "o", "os", "as", "uma", "um", "e", "é", "não", "por", "com", "para", "que", "do", "da", "dos", "das", "no",
            "na", "isso", "você", "pode", "está", "de",
        ],
    ),
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
        let count = words.iter().filter(|word| common.contains(&word.as_str())).count();
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

    const LISTS: [&str; 9] = [
        include_str!("lexicon/en.txt"),
        include_str!("lexicon/de.txt"),
        include_str!("lexicon/es.txt"),
        include_str!("lexicon/fr.txt"),
        include_str!("lexicon/pt.txt"),
        include_str!("lexicon/ru.txt"),
        include_str!("lexicon/zh.txt"),
        include_str!("lexicon/ja.txt"),
        include_str!("lexicon/ko.txt"),
    ];

    #[test]
    fn every_phrase_of_every_list_can_be_found() {
        for ((lexicon, prompt), list) in ALL.into_iter().zip(LISTS) {
            for line in list.lines().map(str::trim).filter(|line| !line.starts_with('#')) {
                if let Some(name) = line.strip_prefix('[').and_then(|rest| rest.strip_suffix(']')) {
                    assert!(format::SECTIONS.iter().any(|(known, _)| *known == name), "[{name}] has no meaning");
                    continue;
                }
                for phrase in line.split(',').map(str::trim).filter(|phrase| !phrase.is_empty()) {
                    assert!(lexicon.cues(phrase).is_some_and(|cues| cues != Cues::NONE), "{prompt}: {phrase}");
                    assert_eq!(phrase, phrase.to_lowercase(), "phrases are in lower case");
                }
            }
            for cue in [Cues::BUILD, Cues::INVESTIGATE, Cues::DECIDE, Cues::OPERATE] {
                assert!(lexicon.entries.iter().any(|entry| entry.cues.any(cue)), "{prompt}: {cue:?}");
            }
        }
    }

    #[test]
    fn the_longest_phrase_counts_and_ends_with_a_word() {
        let words = Words::of("can you add it", None);
        let len = |text: &str| words.longest(text, text.split(' ').next().unwrap()).map(|phrase| phrase.len);
        assert_eq!(len("can you add it"), Some("can you".len()));
        assert_eq!(len("can younger ones"), Some("can".len()));
        assert_eq!(len("don't forget to"), Some("don't forget to".len()));
        assert_eq!(len("xyzzy"), None);
    }

    #[test]
    fn words_of_a_project_add_to_those_of_a_language() {
        let extra =
            ExtraWords::parse("# ours\n[build]\nfrobnicate, reticulate the splines\n[nothing]\nxyzzy\n[operate]\nadd");
        let words = Words::of("please add it", Some(&extra));
        let cues = |text: &str| words.longest(text, text.split(' ').next().unwrap()).map(|phrase| phrase.cues);
        assert_eq!(cues("frobnicate it"), Some(Cues::BUILD));
        assert_eq!(cues("reticulate the splines"), Some(Cues::BUILD));
        assert!(cues("add it").is_some_and(|cues| cues.any(Cues::BUILD) && cues.any(Cues::OPERATE)));
        assert_eq!(cues("reticulate it"), Some(Cues::NONE), "a word that only begins a phrase does nothing alone");
        assert_eq!(cues("xyzzy"), None);
    }
}
