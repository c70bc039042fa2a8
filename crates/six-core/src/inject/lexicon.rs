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
//!
//! The other languages are read without weights (`intent/ranked.rs`) and need fewer sections: of the above `build`,
//! `investigate`, `glance`, `operate`, `light`, `object`, `ask`, `wh`, `aux`, `subordinate`, `negation`, `joint`, `filler`,
//! `decide` (with what English has in `settle`, `prefer`, `opinion`, `propose`), `lean`, `symptom`, `obligation`, and:
//!
//! | section | what belongs there |
//! |---|---|
//! | `endings` | endings given once for many stems, a line each: `er = er, e, ez`; `ajout~er` then stands for three forms |
//! | `late` | beside a verb's section, `[build late]`: forms that order anywhere in a clause (`исправь`, `umbenennen`) |
//! | `bare` | forms that may be a noun: no order where trouble follows or, without blanks, in the midst of a clause |
//! | `mend` | verbs whose object is trouble: `修复` |
//! | `after` | what directly behind a verb (`了`), or in front of a late one (`zu`), makes it no order |
//! | `past` | what sets a clause in the past, for a language whose verbs do not: `昨天` |
//! | `polite` | asks even without a verb: `die Meldungen bitte auf Englisch` |
//! | `always` | states a rule: `immer`, `siempre` |
//! | `or` | between two things that are offered in a question |
//! | `chat` | approval, thanks, greetings: hides what leans, states a rule or denies |
//! | `over` | a matter is done or put off: hides all that was said before |
//! | `plain` | says nothing, and hides the shorter phrases in it |
//! | `common` | small words that tell the language |
//!
//! Behind a form, `+` is `late`, `=` is `bare`, `$` counts only at the end of a word and `!` only at the end of a clause.

mod format;
mod forms;

use std::borrow::Cow;
use std::cmp::Ordering;

use super::clause::{Clause, OPAQUE, clauses};
use super::prose::mask_quoted;
use crate::text::{Writing, writing_of};

use format::parse_phrases;
pub(super) use format::{Cues, MAX_PHRASE_WORDS};
#[cfg(test)]
pub(crate) use forms::Endings;
pub(crate) use forms::Spelling;

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
        pub(super) static $name: Lexicon = Lexicon {
            text: Cow::Borrowed(tables::$text),
            entries: Cow::Borrowed(&tables::$entries),
            spaced: $spaced,
            spelling: Spelling::$spelling,
            letters: &$letters,
        };
    };
}

/// A text of all phrases and ranges of it, for each language.
#[expect(clippy::unreadable_literal, reason = "written by the build script")]
mod tables {
    use super::{Cues, Entry};

    include!(concat!(env!("OUT_DIR"), "/lexicon.rs"));
}

lexicon!(EN, EN_TEXT, EN_ENTRIES, true, Plain, []);
lexicon!(DE, DE_TEXT, DE_ENTRIES, true, Umlauts, ['ä', 'ö', 'ü', 'ß']);
lexicon!(ES, ES_TEXT, ES_ENTRIES, true, Accents, ['ñ', 'í', 'ú']);
lexicon!(FR, FR_TEXT, FR_ENTRIES, true, Accents, ['è', 'ê', 'ù', 'œ', 'î', 'û', 'ç']);
lexicon!(PT, PT_TEXT, PT_ENTRIES, true, Accents, ['ã', 'õ', 'ç', 'ê', 'ô', 'í', 'ú']);
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

    /// The longest phrase with which a text without blanks between words begins, and what it does.
    pub(super) fn longest_at(self, text: &str) -> Option<(usize, Cues)> {
        let added = self.extra.and_then(|extra| extra.longest_at(text));
        self.own.longest_at(text).into_iter().chain(added).max_by_key(|(len, _)| *len)
    }
}

/// Whether a text begins with a phrase. One in Latin letters is a word, and some phrases count only where a word ends.
fn is_at(text: &str, phrase: &str, cues: Cues) -> bool {
    let Some(rest) = text.strip_prefix(phrase) else { return false };
    let Some(next) = rest.chars().next() else { return true };
    let latin = phrase.ends_with(|c: char| c.is_ascii_alphabetic());
    let inside = if cues.any(Cues::ENDS) { next.is_alphanumeric() } else { latin && next.is_ascii_alphanumeric() };
    !inside
}

/// The languages in Latin script. English comes first and wins a draw: a foreign name in an English sentence is no
/// language.
const LATIN: [&Lexicon; 5] = [&EN, &DE, &ES, &FR, &PT];

/// The language of a prompt: by its script, and within the Latin one by its words.
pub(super) fn lexicon_for(text: &str) -> &'static Lexicon {
    lexicon_of(&clauses(&mask_quoted(text, OPAQUE)))
}

/// The same for a text that is in clauses already. The output of programs says nothing of the person's language.
pub(super) fn lexicon_of(clauses: &[Clause]) -> &'static Lexicon {
    let own = clauses.iter().any(|clause| !clause.output);
    let read = || clauses.iter().filter(|clause| !own || !clause.output);
    match writing_of(read().flat_map(|clause| clause.text.chars())) {
        Some(Writing::Cyrillic) => &RU,
        Some(Writing::Chinese) => &ZH,
        Some(Writing::Japanese) => &JA,
        Some(Writing::Korean) => &KO,
        None if own => latin_lexicon(read()),
        None => &EN,
    }
}

/// Whether a prompt is read as English: in a language that is not known it is, too.
pub fn is_english(text: &str) -> bool {
    lexicon_for(text).is_english()
}

/// Whether the other languages need not be looked at: that would cost more than the reading of the prompt. Four in ten
/// words of English are small ones, of another language that shares some of them hardly two.
fn is_plainly_english(words: &[&str]) -> bool {
    const ENOUGH: usize = 16;
    let words = words.get(..ENOUGH).unwrap_or(words);
    let small = words.iter().filter(|word| EN.cues(word).is_some_and(|cues| cues.any(Cues::COMMON))).count();
    small >= 3 && small * 5 >= words.len() * 2 && words.iter().all(|word| word.is_ascii())
}

fn latin_lexicon<'a>(clauses: impl Iterator<Item = &'a Clause>) -> &'static Lexicon {
    /// A few sentences tell a language.
    const WORDS: usize = 48;
    /// How much a small word, and a letter that only one language has, counts; any other known word counts one.
    const SMALL: usize = 3;
    let words = clauses.flat_map(|clause| clause.words.iter().filter_map(|word| clause.text.get(word.clone())));
    let words: Vec<&str> = words.take(WORDS).filter(|word| !word.contains(OPAQUE)).collect();
    if is_plainly_english(&words) {
        return &EN;
    }
    let mut scores = [0; LATIN.len()];
    for word in words {
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
            assert_eq!(is_english(prompt), std::ptr::eq(lexicon, &raw const EN), "{prompt}");
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
            let mut endings = forms::Endings::default();
            let mut given = false;
            for line in list.lines().map(str::trim).filter(|line| !line.starts_with('#')) {
                if let Some(names) = line.strip_prefix('[').and_then(|rest| rest.strip_suffix(']')) {
                    given = names == "endings";
                    let known = |name: &str| given || format::SECTIONS.iter().any(|(known, _)| *known == name);
                    assert!(names.split(' ').all(known), "[{names}] has no meaning");
                } else if given {
                    endings.add(line);
                } else {
                    for phrase in line.split(',').map(str::trim).filter(|phrase| !phrase.is_empty()) {
                        assert_eq!(phrase, phrase.to_lowercase(), "phrases are in lower case");
                        let forms = endings.forms(phrase);
                        assert!(!forms.is_empty(), "{prompt}: {phrase} has endings that are not given");
                        for form in forms {
                            let form = lexicon.spelling.listed(form.trim_end_matches(['$', '!', '=', '+']));
                            let cues = lexicon.cues(&form);
                            assert!(cues.is_some_and(|cues| cues != Cues::NONE), "{prompt}: {form}");
                        }
                    }
                }
            }
            for cue in [Cues::BUILD, Cues::INVESTIGATE, Cues::DECIDE, Cues::OPERATE] {
                assert!(lexicon.entries.iter().any(|entry| entry.cues.any(cue)), "{prompt}: {cue:?}");
            }
        }
    }

    #[test]
    fn the_longest_phrase_counts_and_ends_with_a_word() {
        let words = Words::of(&clauses("can you add it"), None);
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
        let words = Words::of(&clauses("please add it"), Some(&extra));
        let cues = |text: &str| words.longest(text, text.split(' ').next().unwrap()).map(|phrase| phrase.cues);
        assert_eq!(cues("frobnicate it"), Some(Cues::BUILD));
        assert_eq!(cues("reticulate the splines"), Some(Cues::BUILD));
        assert!(cues("add it").is_some_and(|cues| cues.any(Cues::BUILD) && cues.any(Cues::OPERATE)));
        assert_eq!(cues("reticulate it"), Some(Cues::NONE), "a word that only begins a phrase does nothing alone");
        assert_eq!(cues("xyzzy"), None);
    }
}
