//! The format of a word list, read when six is built (its own lists) and when a project adds words of its own.

use super::forms::{Endings, Spelling};

/// What a phrase does in a clause, as bits. A phrase may do several things (`open` operates, `review` finds out).
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub(crate) struct Cues(pub(crate) u64);

/// Cues by the names of their sections; [`crate::inject::lexicon`] explains each.
pub(crate) const SECTIONS: [(&str, Cues); 49] = [
    ("build", Cues::BUILD),
    ("build-topical", Cues::BUILD_TOPICAL),
    ("investigate", Cues::INVESTIGATE),
    ("glance", Cues::GLANCE),
    ("operate", Cues::OPERATE),
    ("light", Cues::LIGHT),
    ("object", Cues::OBJECT),
    ("decide", Cues::DECIDE),
    ("propose", Cues::PROPOSE),
    ("settle", Cues::SETTLE),
    ("prefer", Cues::PREFER),
    ("opinion", Cues::OPINION),
    ("lean", Cues::LEAN),
    ("choice", Cues::CHOICE),
    ("symptom", Cues::SYMPTOM),
    ("expect", Cues::EXPECT),
    ("report", Cues::REPORT),
    ("ask", Cues::ASK),
    ("need", Cues::NEED),
    ("want", Cues::WANT),
    ("obligation", Cues::OBLIGATION),
    ("wh", Cues::WH),
    ("aux", Cues::AUX),
    ("tag", Cues::TAG),
    ("subordinate", Cues::SUBORDINATE),
    ("negation", Cues::NEGATION),
    ("joint", Cues::JOINT),
    ("filler", Cues::FILLER),
    ("determiner", Cues::DETERMINER),
    ("approve", Cues::APPROVE),
    ("finding", Cues::FINDING),
    ("able", Cues::ABLE),
    ("hedge", Cues::HEDGE),
    ("contrast", Cues::CONTRAST),
    ("indefinite", Cues::INDEFINITE),
    ("comment", Cues::COMMENT),
    ("person", Cues::PERSON),
    ("late", Cues::LATE),
    ("after", Cues::AFTER),
    ("past", Cues::PAST),
    ("or", Cues::OR),
    ("mend", Cues::MEND),
    ("over", Cues::OVER),
    ("chat", Cues::CHAT),
    ("plain", Cues::PLAIN),
    ("common", Cues::COMMON),
    ("polite", Cues::POLITE),
    ("bare", Cues::BARE),
    ("always", Cues::ALWAYS),
];

impl Cues {
    pub(crate) const NONE: Self = Self(0);
    pub(crate) const BUILD: Self = Self(1);
    pub(crate) const BUILD_TOPICAL: Self = Self(1 << 1);
    pub(crate) const INVESTIGATE: Self = Self(1 << 2);
    pub(crate) const GLANCE: Self = Self(1 << 3);
    pub(crate) const OPERATE: Self = Self(1 << 4);
    pub(crate) const LIGHT: Self = Self(1 << 5);
    pub(crate) const OBJECT: Self = Self(1 << 6);
    pub(crate) const DECIDE: Self = Self(1 << 7);
    pub(crate) const PROPOSE: Self = Self(1 << 8);
    pub(crate) const SETTLE: Self = Self(1 << 9);
    pub(crate) const PREFER: Self = Self(1 << 10);
    pub(crate) const OPINION: Self = Self(1 << 11);
    pub(crate) const LEAN: Self = Self(1 << 12);
    pub(crate) const CHOICE: Self = Self(1 << 13);
    pub(crate) const SYMPTOM: Self = Self(1 << 14);
    pub(crate) const EXPECT: Self = Self(1 << 15);
    pub(crate) const REPORT: Self = Self(1 << 16);
    pub(crate) const ASK: Self = Self(1 << 17);
    pub(crate) const NEED: Self = Self(1 << 18);
    pub(crate) const WANT: Self = Self(1 << 19);
    pub(crate) const OBLIGATION: Self = Self(1 << 20);
    pub(crate) const WH: Self = Self(1 << 21);
    pub(crate) const AUX: Self = Self(1 << 22);
    pub(crate) const TAG: Self = Self(1 << 23);
    pub(crate) const SUBORDINATE: Self = Self(1 << 24);
    pub(crate) const NEGATION: Self = Self(1 << 25);
    pub(crate) const JOINT: Self = Self(1 << 26);
    pub(crate) const FILLER: Self = Self(1 << 27);
    pub(crate) const DETERMINER: Self = Self(1 << 28);
    pub(crate) const APPROVE: Self = Self(1 << 29);
    pub(crate) const FINDING: Self = Self(1 << 30);
    pub(crate) const ABLE: Self = Self(1 << 31);
    pub(crate) const HEDGE: Self = Self(1 << 32);
    pub(crate) const CONTRAST: Self = Self(1 << 33);
    pub(crate) const INDEFINITE: Self = Self(1 << 34);
    pub(crate) const COMMENT: Self = Self(1 << 35);
    pub(crate) const PERSON: Self = Self(1 << 36);

    pub(crate) const LATE: Self = Self(1 << 63);
    pub(crate) const AFTER: Self = Self(1 << 62);
    pub(crate) const PAST: Self = Self(1 << 61);
    pub(crate) const OR: Self = Self(1 << 60);
    pub(crate) const MEND: Self = Self(1 << 59);
    pub(crate) const OVER: Self = Self(1 << 58);
    pub(crate) const CHAT: Self = Self(1 << 57);
    pub(crate) const PLAIN: Self = Self(1 << 56);
    pub(crate) const COMMON: Self = Self(1 << 54);
    pub(crate) const ALWAYS: Self = Self(1 << 50);
    pub(crate) const POLITE: Self = Self(1 << 51);
    /// Of a phrase that counts only at the end of a clause; written as a `!` behind it.
    pub(crate) const LAST: Self = Self(1 << 52);
    /// Of a verb without an ending, which may be a noun; written as a `=` behind it.
    pub(crate) const BARE: Self = Self(1 << 53);
    /// Of a phrase that counts only at the end of a word; written as a `$` behind it.
    pub(crate) const ENDS: Self = Self(1 << 55);

    /// Whether any of the given ones is among these.
    pub(crate) const fn any(self, other: Self) -> bool {
        self.0 & other.0 != 0
    }

    /// Those of these that are among the given ones.
    pub(crate) const fn only(self, other: Self) -> Self {
        Self(self.0 & other.0)
    }

    /// Those of these that are not among the given ones.
    pub(crate) const fn without(self, other: Self) -> Self {
        Self(self.0 & !other.0)
    }

    /// Both.
    pub(crate) const fn and(self, other: Self) -> Self {
        Self(self.0 | other.0)
    }
}

/// Words of the longest phrase.
pub(crate) const MAX_PHRASE_WORDS: usize = 7;

/// The phrases of a list with what each does: sorted, each once. Phrases of an unknown section, and phrases that are too
/// long to be found, are left out. The first word of a longer phrase is there too, so that a look-up can stop at it.
pub(crate) fn parse_phrases(text: &str, spelling: Spelling) -> Vec<(String, Cues)> {
    let mut phrases: Vec<(String, Cues)> = Vec::new();
    let mut endings = Endings::default();
    let mut section = Some(Cues::NONE);
    for line in text.lines().map(str::trim).filter(|line| !line.starts_with('#')) {
        if let Some(names) = line.strip_prefix('[').and_then(|rest| rest.strip_suffix(']')) {
            section = (names != "endings").then(|| section_cues(names));
            continue;
        }
        let Some(cues) = section else {
            endings.add(line);
            continue;
        };
        for phrase in line.split(',').map(str::trim).filter(|phrase| cues != Cues::NONE && !phrase.is_empty()) {
            for form in endings.forms(phrase) {
                let (form, cues) = [('$', Cues::ENDS), ('=', Cues::BARE), ('+', Cues::LATE), ('!', Cues::LAST)]
                    .into_iter()
                    .fold((&*form, cues), marked);
                add(&mut phrases, spelling.listed(form), cues);
                if let Some(plain) = spelling.without_marks(form) {
                    add(&mut phrases, plain, cues);
                }
            }
        }
    }
    phrases.sort_unstable_by(|one, other| one.0.cmp(&other.0));
    phrases.dedup_by(|next, kept| {
        let same = next.0 == kept.0;
        if same {
            kept.1 = kept.1.and(next.1);
        }
        same
    });
    phrases
}

/// Takes a mark off the end of a form.
fn marked((form, cues): (&str, Cues), (mark, means): (char, Cues)) -> (&str, Cues) {
    form.strip_suffix(mark).map_or((form, cues), |form| (form, cues.and(means)))
}

/// `[build late]` does what both names say.
fn section_cues(names: &str) -> Cues {
    let known = |name: &str| SECTIONS.iter().find(|(known, _)| *known == name).map(|(_, cues)| *cues);
    names.split(' ').filter_map(known).fold(Cues::NONE, Cues::and)
}

fn add(phrases: &mut Vec<(String, Cues)>, phrase: String, cues: Cues) {
    if phrase.split(' ').count() > MAX_PHRASE_WORDS {
        return;
    }
    if let Some((first, _)) = phrase.split_once(' ') {
        phrases.push((first.to_owned(), Cues::NONE));
    }
    phrases.push((phrase, cues));
}
