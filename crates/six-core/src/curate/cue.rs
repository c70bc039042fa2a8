//! The words by which decisions, dead ends and corrections show, per language, as data: `cue/*.txt`.
//!
//! For an author of a list. A file has sections, `[name]` on a line of its own, under which phrases stand, separated by
//! commas and ends of lines, in lower case, with one blank between words and without marks of punctuation round them (`'`
//! and `-` within a word stay). A line that starts with `#` is a remark. A phrase may stand in several sections. Order is
//! free. A section that is left out costs recall and nothing else. Quotations and code are no words and match nothing.
//!
//! In a sentence the longest phrase counts and hides the shorter ones within it: `no need` under `plain` keeps `no` from
//! denying. In a language with blanks a phrase matches whole words; in one without (Chinese, Japanese, Korean) it
//! matches anywhere. A phrase never reaches over a comma, a colon, a bracket or a dash. Round a phrase may stand:
//!
//! | mark | means |
//! |---|---|
//! | `^no` | only at the head of a sentence, behind fillers and breaks |
//! | `>use` | only at the head of a clause: of a sentence, or behind a comma, a colon, a bracket, a dash |
//! | `^no!` | only if a break, the end or another phrase follows: `no, …`, `no don't …`, but `no tests …` is none |
//! | `entschied*` | the last word may go on |
//! | `使って$` | only at the end of a clause |
//! | `haben .. entschieden` | up to eight words (sixteen characters without blanks) may stand in the gap, which may reach over a comma; one gap a phrase; behind `>` it stays in its clause |
//! | `decid~ir` | the forms of a stem, whose endings stand once in a section `[endings]`: `ir = o, es, imos, imos_que`; `-` is the stem alone, `_` a blank |
//!
//! What states something:
//!
//! | section | what belongs there |
//! |---|---|
//! | `decided` | a choice is made, past doubt: `we decided`, `going with`, `locked in`, `settled on`, `approved`, `we'll use` |
//! | `chosen` | a choice is likely stated: `option 2`, `for now`, `by default`, `on purpose`, `out of scope`, `I prefer` |
//! | `lean` | words by which choices are weighed: `simpler`, `cleaner`, `at most`, `only on` |
//! | `want` | how a person proposes or asks for something: `let's`, `I'd like`, `we should`, `I suggest` |
//! | `must` | how a thing is to be: `it should`, `must`, `needs to be`, `has to` |
//! | `request` | asks the partner to do it: `can we`, `could you`, `how about`, `please` |
//! | `order` | orders a change, at the head of a clause: `>add`, `>print`, `>rename` |
//! | `over` | what follows was not taken: `instead of`, `rather than`, `>not`, `and not` |
//! | `behind` | beside `over`: it stands behind what was not taken: `ではなく`, `대신` |
//! | `failed` | an approach is dead, past doubt: `ruled out`, `abandoned`, `reverted because`, `dead end`, `can never work` |
//! | `trouble` | something does not do what it should: `doesn't work`, `fails`, `always excludes`, `not reliable` |
//! | `attempt` | something was tried: `we tried`, `prototyped`, `gave it a go`, `the first attempt` |
//! | `tried` | the word names an approach: `approach`, `workaround`, `strategy` |
//! | `because` | a reason follows: `because`, `since`, `due to`, `so it can't` |
//! | `until` | a condition follows under which it is worth another try: `until`, `unless`, `once`, `as soon as` |
//! | `no` | opens by setting right: `^no`, `^nope`, `^wrong`, `^actually`, `^not` |
//! | `but` | opens with a doubt: `^hmm`, `^but`, `^well`, `^yeah but`, `^technically` |
//! | `bar` | forbids: `>don't`, `should not`, `must not`, `>stop` |
//! | `wrong` | what was done or said is wrong: `that's not right`, `you forgot`, `not what I asked`, `looks odd` |
//! | `meant` | says again what was meant: `I mean`, `my point is`, `I was talking about`, `as I said` |
//! | `redirect` | something else is to be done: `instead`, `not X but`, `revert`, `put it back`, `use .. not` |
//! | `standing` | a standing rule, past doubt: `from now on`, `>always`, `>never`, `stop adding`, `next time`, `ask before` |
//! | `rule` | words that rules have: `always`, `never`, `everywhere`, `in this repo`, `for every` |
//! | `still` | it is as bad as before: `still`, `again`, `not yet` |
//!
//! What keeps a statement from being evidence:
//!
//! | section | what belongs there |
//! |---|---|
//! | `ask` | opens a question, with or without its mark: `^should we`, `^why`, `^is there` |
//! | `suppose` | a guess, a possibility: `might`, `could`, `maybe`, `what if`, `one option is` |
//! | `if` | opens a condition: `if`, `in case`, `when` |
//! | `wish` | a plan or wish that is not decided: `someday`, `eventually`, `would be nice`, `we could later` |
//! | `said` | somebody else says it: `they decided`, `he said`, `according to`, `the docs say`, `upstream` |
//! | `not` | denies the phrase that follows it: `haven't`, `not`, `never`, `nothing is` |
//! | `done` | a report of state, an acknowledgement: `tests pass`, `done`, `all green`, `sounds good`, `lgtm` |
//! | `narrate` | what the speaker does just now: `let me`, `I'll check`, `now I`, `looking at` |
//! | `operate` | behind a `want`: what is done and not decided: `commit`, `push`, `run`, `look at`, `start`, `continue` |
//! | `memory` | about keeping memory itself: `memory file`, `remember that`, `decision record`, `dead end record` |
//! | `hedge` | weakens: `I think`, `probably`, `not sure` |
//! | `filler` | may stand before anything and says nothing: `ok`, `yes`, `so`, `well`, `hmm`, `please`, `also` |
//! | `person` | who speaks and who listens: `I`, `we`, `you`, `please`; a long text without any is pasted |
//! | `plain` | says nothing, and hides the shorter phrases in it: `no problem`, `never mind`, `not only` |

#[cfg(test)]
mod format;
mod marks;

use std::borrow::Cow;

#[cfg(test)]
use crate::inject::Endings;
use crate::inject::Spelling;
use marks::{Edge, Marks, Place};

/// What a phrase does, as bits.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub(super) struct Cues(u64);

macro_rules! cues {
    ($($constant:ident $name:literal),+ $(,)?) => {
        /// The names of all sections.
        #[cfg(test)]
        const SECTIONS: &[(&str, Cues)] = &[$(($name, Cues::$constant)),+];

        #[derive(Clone, Copy)]
        #[expect(clippy::upper_case_acronyms, reason = "only numbers the constants below")]
        enum Number { $($constant),+ }

        impl Cues {
            $(pub(super) const $constant: Self = Self(1 << Number::$constant as u32);)+
        }
    };
}

cues!(
    DECIDED "decided",
    CHOSEN "chosen",
    LEAN "lean",
    WANT "want",
    MUST "must",
    REQUEST "request",
    ORDER "order",
    OVER "over",
    BEHIND "behind",
    FAILED "failed",
    TROUBLE "trouble",
    ATTEMPT "attempt",
    TRIED "tried",
    BECAUSE "because",
    UNTIL "until",
    NO "no",
    BUT "but",
    BAR "bar",
    WRONG "wrong",
    MEANT "meant",
    REDIRECT "redirect",
    STANDING "standing",
    RULE "rule",
    STILL "still",
    ASK "ask",
    SUPPOSE "suppose",
    IF "if",
    WISH "wish",
    SAID "said",
    NOT "not",
    DONE "done",
    NARRATE "narrate",
    OPERATE "operate",
    MEMORY "memory",
    HEDGE "hedge",
    FILLER "filler",
    PERSON "person",
    PLAIN "plain",
);

impl Cues {
    const NONE: Self = Self(0);

    /// Whether any of the given ones is among these.
    pub(super) const fn any(self, other: Self) -> bool {
        self.0 & other.0 != 0
    }

    /// Both.
    pub(super) const fn and(self, other: Self) -> Self {
        Self(self.0 | other.0)
    }
}

/// A phrase, as a range of its list's text, and what it does.
#[derive(Debug, Clone, Copy)]
struct Entry {
    /// The first byte of its head, which its tail follows at once.
    start: u16,
    /// The bytes of its head.
    head: u8,
    /// The bytes of its tail; none for a phrase without a gap.
    tail: u8,
    /// Its place among [`CueList::kinds`].
    kind: u16,
}

/// Where phrases stand and what they do. There are far fewer sorts of them than phrases.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
struct Kind {
    marks: Marks,
    cues: Cues,
}

/// The phrases of one language.
#[derive(Debug)]
pub(super) struct CueList {
    text: Cow<'static, str>,
    /// Sorted by their heads.
    entries: Cow<'static, [Entry]>,
    kinds: Cow<'static, [Kind]>,
    /// Whether the language puts blanks between words.
    pub(super) spaced: bool,
    /// Whether its signs are weighed as labelled prompts teach.
    pub(super) labelled: bool,
    /// How its words may be spelt.
    pub(super) spelling: Spelling,
}

/// Stands between clauses in a text in which phrases are looked for.
pub(super) const BREAK: char = '\u{1}';

/// What may stand in a gap of a phrase: words, or characters where there are no blanks.
const GAP_WORDS: usize = 8;
const GAP_CHARS: usize = 16;

/// A phrase in a text.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) struct Found {
    /// What it does.
    pub(super) cues: Cues,
    /// Its first byte.
    pub(super) start: usize,
    /// The byte behind it; of a phrase with a gap, behind all of it.
    pub(super) end: usize,
    /// Whether it stands at the head of its sentence, behind fillers.
    pub(super) heads: bool,
    /// Whether a gap is in it.
    pub(super) gapped: bool,
}

impl CueList {
    /// All phrases of a sentence from left to right, in lower case, with one blank between words and [`BREAK`] as a word
    /// of its own between clauses. A phrase within a longer one is none.
    pub(super) fn find(&self, text: &str) -> Vec<Found> {
        let mut found = Vec::new();
        let mut before = ' ';
        // Up to where phrases reach, and up to where what was read may stand before anything.
        let (mut reached, mut filled) = (0, 0);
        let (mut heads_sentence, mut heads_clause) = (true, true);
        for (at, c) in text.char_indices() {
            let starts = if self.spaced {
                before == ' '
            } else {
                !(before.is_ascii_alphanumeric() && c.is_ascii_alphanumeric())
            };
            before = c;
            if c == BREAK {
                heads_clause = true;
            }
            if c == ' ' || c == BREAK {
                continue;
            }
            if starts && let Some(longest) = self.find_at(text, at, (heads_sentence, heads_clause), reached, &mut found)
            {
                if longest.cues.any(Cues::FILLER) {
                    filled = filled.max(longest.end);
                }
                reached = longest.end;
            }
            if at >= filled {
                (heads_sentence, heads_clause) = (false, false);
            }
        }
        found
    }

    /// Adds the phrases that begin here, and returns the longest one without a gap that ends behind `reached`.
    fn find_at(
        &self,
        text: &str,
        at: usize,
        heads: (bool, bool),
        reached: usize,
        found: &mut Vec<Found>,
    ) -> Option<Found> {
        let rest = text.get(at..)?;
        let mut longest: Option<Found> = None;
        for phrase in self.heading(rest) {
            let stands = match phrase.kind.marks.place {
                Place::Anywhere => true,
                Place::Clause => heads.1,
                Place::Sentence => heads.0,
            };
            let Some(len) = phrase.head().len_at(rest, self.spaced).filter(|_| stands) else { continue };
            let tail = phrase.tail();
            let one =
                Found { cues: phrase.kind.cues, start: at, end: at + len, heads: heads.0, gapped: tail.is_some() };
            if phrase.kind.marks.parted && !self.is_parted(text, one.end) {
                continue;
            }
            if let Some(tail) = tail {
                let behind = rest.get(len..).unwrap_or_default();
                let clause =
                    behind.find(BREAK).filter(|_| phrase.kind.marks.place == Place::Clause).unwrap_or(behind.len());
                let end = behind.get(..clause).and_then(|rest| self.find_behind_gap(rest, tail));
                found.extend(end.map(|end| Found { end: one.end + end, ..one }));
            } else if one.end > reached {
                longest = Some(match longest {
                    Some(known) if known.end > one.end => known,
                    Some(known) if known.end == one.end => Found { cues: known.cues.and(one.cues), ..known },
                    _ => one,
                });
            }
        }
        found.extend(longest);
        longest
    }

    /// The phrases whose heads begin a text, wherever they count; those with the longest head first.
    fn heading(&self, text: &str) -> impl Iterator<Item = Phrase<'_>> {
        let mut found: Vec<&[Entry]> = Vec::new();
        let mut sharing: &[Entry] = &self.entries;
        for (at, byte) in text.bytes().map(Some).chain([None]).enumerate() {
            let there = |entry: &Entry| {
                self.text
                    .as_bytes()
                    .get(usize::from(entry.start) + at)
                    .copied()
                    .filter(|_| at < usize::from(entry.head))
            };
            // A head that ends here sorts before those that go on.
            let (whole, longer) = sharing.split_at(sharing.partition_point(|entry| there(entry).is_none()));
            found.extend(Some(whole).filter(|whole| !whole.is_empty()));
            let from = longer.get(longer.partition_point(|entry| there(entry) < byte)..).unwrap_or_default();
            sharing = from.get(..from.partition_point(|entry| there(entry) == byte)).unwrap_or_default();
            if sharing.is_empty() {
                break;
            }
        }
        found.into_iter().rev().flatten().filter_map(|entry| self.phrase(*entry))
    }

    fn phrase(&self, entry: Entry) -> Option<Phrase<'_>> {
        let (head, tail) = self.text.get(entry.start.into()..)?.split_at_checked(entry.head.into())?;
        Some(Phrase { head, tail: tail.get(..entry.tail.into())?, kind: *self.kinds.get(usize::from(entry.kind))? })
    }

    /// Whether a break, the end or another phrase comes next.
    fn is_parted(&self, text: &str, end: usize) -> bool {
        let rest = text.get(end..).unwrap_or_default().trim_start();
        let Some(next) = rest.chars().next() else { return true };
        let begins =
            |phrase: Phrase<'_>| !phrase.kind.marks.parted && phrase.head().len_at(rest, self.spaced).is_some();
        next == BREAK || self.heading(rest).any(begins)
    }

    /// The bytes up to the end of the first such part.
    fn find_behind_gap(&self, rest: &str, tail: Part<'_>) -> Option<usize> {
        let starts: Box<dyn Iterator<Item = usize>> = if self.spaced {
            Box::new(rest.match_indices(' ').map(|(at, _)| at + 1).take(GAP_WORDS + 1))
        } else {
            Box::new(rest.char_indices().map(|(at, _)| at).take(GAP_CHARS + 1))
        };
        starts.into_iter().find_map(|at| Some(at + tail.len_at(rest.get(at..)?, self.spaced)?))
    }
}

/// A phrase of a list.
#[derive(Debug, Clone, Copy)]
struct Phrase<'a> {
    head: &'a str,
    /// What has to follow behind a gap; empty for a phrase without one.
    tail: &'a str,
    kind: Kind,
}

impl<'a> Phrase<'a> {
    fn head(&self) -> Part<'a> {
        Part { text: self.head, edge: self.kind.marks.head }
    }

    fn tail(&self) -> Option<Part<'a>> {
        (!self.tail.is_empty()).then_some(Part { text: self.tail, edge: self.kind.marks.tail })
    }
}

/// Words in a row, and how they may end.
#[derive(Clone, Copy)]
struct Part<'a> {
    text: &'a str,
    edge: Edge,
}

impl Part<'_> {
    /// The bytes that it takes at the start of a text.
    fn len_at(self, text: &str, spaced: bool) -> Option<usize> {
        let rest = text.strip_prefix(self.text)?;
        let next = rest.chars().next();
        if self.edge.ends && !matches!(rest.trim_start().chars().next(), None | Some(BREAK)) {
            return None;
        }
        let whole = if spaced {
            next.is_none_or(|c| c == ' ')
        } else {
            !self.text.ends_with(|c: char| c.is_ascii_alphanumeric()) || next.is_none_or(|c| !c.is_ascii_alphanumeric())
        };
        if whole {
            return Some(self.text.len());
        }
        let end = rest.find(' ').unwrap_or(if spaced { rest.len() } else { 0 });
        self.edge.open.then_some(self.text.len() + end)
    }
}

/// A text of all phrases and ranges of it, for each language.
mod tables {
    use super::Place::{Anywhere, Clause, Sentence};
    use super::{Cues, Edge, Entry, Kind, Marks};

    include!(concat!(env!("OUT_DIR"), "/cues.rs"));
}

macro_rules! lists {
    ($($language:ident $name:literal $text:ident $entries:ident $spaced:literal $spelling:ident),+ $(,)?) => {
        $(static $language: CueList = CueList {
            text: Cow::Borrowed(tables::$text),
            entries: Cow::Borrowed(&tables::$entries),
            kinds: Cow::Borrowed(&tables::KINDS),
            spaced: $spaced,
            labelled: matches!($name.as_bytes(), b"en"),
            spelling: Spelling::$spelling,
        };)+

        /// The list of a language, by its two letters; none for a language without one.
        pub(super) fn cues_of(language: &str) -> Option<&'static CueList> {
            match language {
                $($name => Some(&$language),)+
                _ => None,
            }
        }
    };
}

/// Languages that are told by their words.
pub(super) const LATIN: [&str; 5] = ["en", "de", "es", "fr", "pt"];

lists!(
    EN "en" EN_TEXT EN_ENTRIES true Plain,
    DE "de" DE_TEXT DE_ENTRIES true Umlauts,
    ES "es" ES_TEXT ES_ENTRIES true Accents,
    FR "fr" FR_TEXT FR_ENTRIES true Accents,
    PT "pt" PT_TEXT PT_ENTRIES true Accents,
    RU "ru" RU_TEXT RU_ENTRIES true Letters,
    ZH "zh" ZH_TEXT ZH_ENTRIES false Letters,
    JA "ja" JA_TEXT JA_ENTRIES false Plain,
    KO "ko" KO_TEXT KO_ENTRIES false Plain,
);

#[cfg(test)]
mod tests {
    use super::*;

    impl CueList {
        /// What stands in no known section is left out.
        fn parse(list: &str, spaced: bool, spelling: Spelling) -> Self {
            let (mut text, mut entries, mut kinds) = (String::new(), Vec::new(), Vec::new());
            for phrase in format::parse_phrases(list, spelling) {
                let known = SECTIONS.iter().filter(|(name, _)| phrase.sections.contains(name));
                let Some(cues) = known.map(|(_, cues)| *cues).reduce(Cues::and) else { continue };
                let start = u16::try_from(text.len()).unwrap();
                let [head, tail] = [&phrase.head, &phrase.tail].map(|part| u8::try_from(part.len()).unwrap());
                entries.push(Entry { start, head, tail, kind: u16::try_from(kinds.len()).unwrap() });
                kinds.push(Kind { marks: phrase.marks, cues });
                text.extend([phrase.head, phrase.tail]);
            }
            let (text, entries, kinds) = (Cow::Owned(text), Cow::Owned(entries), Cow::Owned(kinds));
            Self { text, entries, kinds, spaced, labelled: false, spelling }
        }
    }

    fn found(list: &CueList, text: &str) -> Vec<String> {
        list.find(text).iter().map(|found| text[found.start..found.end].to_owned()).collect()
    }

    fn list(text: &str) -> CueList {
        CueList::parse(text, true, Spelling::Plain)
    }

    #[test]
    fn a_phrase_within_a_longer_one_is_none_and_words_are_whole() {
        let list = list("[no]\nno\n[plain]\nno need, no need for it\n[rule]\nneed for speed");
        assert_eq!(found(&list, "no notes no need for it"), ["no", "no need for it"]);
        assert_eq!(found(&list, "no need for speed"), ["no need", "need for speed"], "one that reaches further counts");
    }

    #[test]
    fn marks_say_where_a_phrase_counts() {
        let list = list("[no]\n^no, ^nope!\n[rule]\n>use\n[filler]\nok");
        assert_eq!(found(&list, "ok no \u{1} use it"), ["ok", "no", "use"]);
        assert_eq!(found(&list, "we use no glue"), [""; 0]);
        assert_eq!(found(&list, "nope"), ["nope"]);
        assert_eq!(found(&list, "nope \u{1} use it"), ["nope", "use"]);
        assert_eq!(found(&list, "nope that"), [""; 0]);
    }

    #[test]
    fn a_gap_holds_a_few_words_and_the_last_word_may_go_on() {
        let list = list("[decided]\nhaben .. entschied*");
        assert_eq!(found(&list, "wir haben uns dafür entschieden"), ["haben uns dafür entschieden"]);
        assert_eq!(found(&list, &format!("haben {}entschieden", "x ".repeat(GAP_WORDS))).len(), 1);
        assert_eq!(found(&list, &format!("haben {}entschieden", "x ".repeat(GAP_WORDS + 1))), [""; 0]);
    }

    #[test]
    fn without_blanks_a_phrase_is_found_within_the_text() {
        let list = CueList::parse("[decided]\n决定用\n[rule]\n不要 .. 改用, use", false, Spelling::Letters);
        assert_eq!(found(&list, "我们决定用sqlite"), ["决定用"]);
        assert_eq!(found(&list, "不要npm改用pnpm"), ["不要npm改用"]);
        assert_eq!(found(&list, "因为user"), [""; 0], "a word in latin letters is whole");
    }

    #[test]
    fn forms_of_a_stem_stand_for_themselves_and_an_unknown_section_for_nothing() {
        let list = list("[endings]\nir = o, imos\n[decided]\ndecid~ir\n[moon]\ncheese");
        assert_eq!(found(&list, "decidimos o decido cheese"), ["decidimos", "decido"]);
    }

    #[test]
    fn every_section_of_the_lists_is_known_and_in_lower_case() {
        for (name, text) in [
            ("en", include_str!("cue/en.txt")),
            ("de", include_str!("cue/de.txt")),
            ("es", include_str!("cue/es.txt")),
            ("fr", include_str!("cue/fr.txt")),
            ("pt", include_str!("cue/pt.txt")),
            ("ru", include_str!("cue/ru.txt")),
            ("zh", include_str!("cue/zh.txt")),
            ("ja", include_str!("cue/ja.txt")),
            ("ko", include_str!("cue/ko.txt")),
        ] {
            for line in text.lines().filter(|line| !line.starts_with('#')) {
                if let Some(section) = line.strip_prefix('[').and_then(|rest| rest.strip_suffix(']')) {
                    let known = section == "endings" || SECTIONS.iter().any(|(known, _)| *known == section);
                    assert!(known, "{name}: [{section}] has no meaning");
                } else {
                    assert_eq!(line, line.to_lowercase(), "{name}: phrases are in lower case");
                }
            }
        }
    }
}
