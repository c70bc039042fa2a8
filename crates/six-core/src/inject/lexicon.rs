//! The words by which an intent shows, per language, as data: `lexicon/*.txt`.

use std::sync::LazyLock;

/// What a phrase does in a clause. A phrase may do several things (`open` is an operation, and begins a change).
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) struct Cues(u32);

impl Cues {
    /// Says nothing.
    pub(super) const NONE: Self = Self(0);
    /// Asks for a change.
    pub(super) const BUILD: Self = Self(1);
    /// Asks to find out.
    pub(super) const INVESTIGATE: Self = Self(1 << 1);
    /// Weighs or settles something.
    pub(super) const DECIDE: Self = Self(1 << 2);
    /// Reports trouble.
    pub(super) const SYMPTOM: Self = Self(1 << 3);
    /// Operates tools: commit, run, go on.
    pub(super) const OPERATE: Self = Self(1 << 4);
    /// A verb of change that is an operation when its object is one of a tracker or of version control.
    pub(super) const LIGHT: Self = Self(1 << 5);
    /// Such an object.
    pub(super) const OBJECT: Self = Self(1 << 6);
    /// A frame after which an order follows: `can you`, `let's`.
    pub(super) const ASK: Self = Self(1 << 7);
    /// States how something has to be.
    pub(super) const OBLIGATION: Self = Self(1 << 8);
    /// Opens a question, with or without its mark.
    pub(super) const WH: Self = Self(1 << 9);
    /// Opens a question that has its mark.
    pub(super) const AUX: Self = Self(1 << 10);
    /// Opens a condition or a reason.
    pub(super) const SUBORDINATE: Self = Self(1 << 11);
    /// Turns the next cue round.
    pub(super) const NEGATION: Self = Self(1 << 12);
    /// Joins a second order to the first.
    pub(super) const JOINT: Self = Self(1 << 13);
    /// May stand in front of anything.
    pub(super) const FILLER: Self = Self(1 << 14);
    /// Asks for a look, which often only prepares something else.
    pub(super) const GLANCE: Self = Self(1 << 15);
    /// Leans towards an option without saying so.
    pub(super) const LEAN: Self = Self(1 << 16);

    /// Whether any of the given ones is among these.
    pub(super) const fn any(self, other: Self) -> bool {
        self.0 & other.0 != 0
    }

    /// Both.
    pub(super) const fn and(self, other: Self) -> Self {
        Self(self.0 | other.0)
    }

    fn named(name: &str) -> Self {
        match name {
            "build" => Self::BUILD,
            "investigate" => Self::INVESTIGATE,
            "decide" => Self::DECIDE,
            "symptom" => Self::SYMPTOM,
            "operate" => Self::OPERATE,
            "light" => Self::LIGHT,
            "object" => Self::OBJECT,
            "ask" => Self::ASK,
            "obligation" => Self::OBLIGATION,
            "wh" => Self::WH,
            "aux" => Self::AUX,
            "subordinate" => Self::SUBORDINATE,
            "negation" => Self::NEGATION,
            "joint" => Self::JOINT,
            "filler" => Self::FILLER,
            "glance" => Self::GLANCE,
            "lean" => Self::LEAN,
            _ => Self::NONE,
        }
    }
}

/// The phrases of one language.
#[derive(Debug)]
pub(super) struct Lexicon {
    /// Sorted by phrase, each once.
    phrases: Vec<(&'static str, Cues)>,
    /// Whether the language puts blanks between words. Where it does not, phrases are found within the text.
    pub(super) spaced: bool,
}

impl Lexicon {
    fn parse(text: &'static str, spaced: bool) -> Self {
        let mut phrases: Vec<(&'static str, Cues)> = Vec::new();
        let mut section = Cues::NONE;
        for line in text.lines().map(str::trim).filter(|line| !line.starts_with('#')) {
            if let Some(name) = line.strip_prefix('[').and_then(|rest| rest.strip_suffix(']')) {
                section = Cues::named(name);
            } else {
                let words = line.split(',').map(str::trim).filter(|phrase| !phrase.is_empty());
                phrases.extend(words.map(|phrase| (phrase, section)));
            }
        }
        phrases.sort_by_key(|(phrase, _)| *phrase);
        phrases.dedup_by(|next, kept| {
            let same = next.0 == kept.0;
            if same {
                kept.1 = kept.1.and(next.1);
            }
            same
        });
        Self { phrases, spaced }
    }

    /// What exactly this phrase (lower case, one blank between words) does.
    pub(super) fn cues(&self, phrase: &str) -> Cues {
        let found = self.phrases.binary_search_by_key(&phrase, |(known, _)| known).ok();
        found.and_then(|at| self.phrases.get(at)).map_or(Cues::NONE, |(_, cues)| *cues)
    }

    /// All phrases that occur in a text without blanks between words.
    pub(super) fn within<'a>(&'a self, text: &'a str) -> impl Iterator<Item = (&'static str, Cues)> + 'a {
        self.phrases.iter().copied().filter(|(phrase, _)| text.contains(phrase))
    }
}

/// Words of the longest phrase.
pub(super) const MAX_PHRASE_WORDS: usize = 5;

macro_rules! lexicon {
    ($name:ident, $file:literal, $spaced:literal) => {
        static $name: LazyLock<Lexicon> =
            LazyLock::new(|| Lexicon::parse(include_str!(concat!("lexicon/", $file)), $spaced));
    };
}

lexicon!(EN, "en.txt", true);
lexicon!(DE, "de.txt", true);
lexicon!(ES, "es.txt", true);
lexicon!(FR, "fr.txt", true);
lexicon!(PT, "pt.txt", true);
lexicon!(RU, "ru.txt", true);
lexicon!(ZH, "zh.txt", false);
lexicon!(JA, "ja.txt", false);
lexicon!(KO, "ko.txt", false);

/// Small words of the languages in Latin script; the prompt is in the language that has most of them. English comes
/// first and wins a draw: a foreign name in an English sentence is no language.
const LATIN: [(&LazyLock<Lexicon>, &str); 5] = [
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

/// Whether a prompt is read as English: in a language that is not known it is, too.
pub fn is_english(text: &str) -> bool {
    std::ptr::eq(lexicon_for(text), &raw const *EN)
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

    const ALL: [(&LazyLock<Lexicon>, &str); 9] = [
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
        for (lexicon, prompt) in &ALL {
            assert!(std::ptr::eq(lexicon_for(prompt), &raw const ***lexicon), "{prompt}");
            assert_eq!(is_english(prompt), std::ptr::eq(*lexicon, &raw const EN), "{prompt}");
        }
    }

    #[test]
    fn every_list_is_read_whole() {
        for (lexicon, prompt) in ALL {
            for cue in [Cues::BUILD, Cues::INVESTIGATE, Cues::DECIDE, Cues::OPERATE] {
                assert!(lexicon.phrases.iter().any(|(_, cues)| cues.any(cue)), "{prompt}: {cue:?}");
            }
            for (phrase, cues) in &lexicon.phrases {
                assert!(*cues != Cues::NONE, "{phrase}: its section has no meaning");
                assert_eq!(*phrase, phrase.to_lowercase(), "phrases are in lower case");
                assert!(phrase.split(' ').count() <= MAX_PHRASE_WORDS, "{phrase}: too long to be found");
            }
        }
    }
}
