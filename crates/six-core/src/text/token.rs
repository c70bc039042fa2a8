//! The only tokenizer: index, query, document frequencies and the relevance gate all see these terms.
//!
//! * A word is lower-cased, folded (`fold`) and, if only ASCII letters are left, stemmed (`stem`).
//! * A compound such as `foo_bar`, `a::b`, `src/gate.rs` or `--flag` is indexed whole and in parts (`identifier`). In
//!   the whole, every run of separators is written as the letter U+01C0: `foo-bar` and `foo_bar` are one term, which
//!   is neither `foo` nor `bar` nor `foobar`. A flag keeps its leading dashes as one such letter.
//! * A camel-cased word is indexed as the word it is in lower case (`GitHub` is found by `github`) and by its humps.
//! * Scripts without blanks give every pair of neighbours, so that a word of two characters is found inside a
//!   sentence; a single character only where it stands alone.
//! * Combining marks are in no term, not even those of Thai or Hindi, because FTS5's `unicode61` would split there.
//!
//! Terms consist of letters and digits only and are at most 64 bytes long. A word of more than 64 characters is noise
//! (base64, hashes) and gives no term; a whole identifier of more than 64 bytes is left to its parts.

use super::cut::floor_char_boundary;
use super::fold::{fold_cluster, fold_word};
use super::identifier::{
    LEVELS, LevelSet, components, compound, humps, is_encoded_data, is_joiner, level_of, word_end,
};
use super::script::{Class, JOINT, class_at, cluster_end};
use super::stem::stem;

/// Changes with every change of the terms that a text gives; the store re-indexes then.
pub const TOKENIZER_VERSION: u32 = 1;

/// Longest term in bytes, and longest word in characters that is no noise.
pub const MAX_TERM_BYTES: usize = 64;

/// What a term stands for.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum TokenKind {
    /// A word on its own.
    Word,
    /// A whole identifier or a composed component of one.
    Identifier,
    /// An indivisible part of an identifier.
    Part,
    /// Two neighbouring characters, or a lone one, of a script without blanks.
    Bigram,
    /// Digits only, also with separators: `42`, `3.14`, `2024-05-01`.
    Number,
}

/// A term and where it stands.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Token {
    /// Folded and stemmed: what is indexed.
    pub term: String,
    /// First byte in the text.
    pub start: usize,
    /// Byte after the last one in the text.
    pub end: usize,
    /// What the term stands for.
    pub kind: TokenKind,
}

/// A [`Token`] that borrows its term while it is visited.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct TokenRef<'a> {
    /// Folded and stemmed: what is indexed.
    pub term: &'a str,
    /// First byte in the text.
    pub start: usize,
    /// Byte after the last one in the text.
    pub end: usize,
    /// What the term stands for.
    pub kind: TokenKind,
}

/// All tokens of `text`, in order of their text, a whole before its parts.
pub fn tokens(text: &str) -> Vec<Token> {
    let mut found = Vec::new();
    for_each_token(text, |token| {
        found.push(Token { term: token.term.to_owned(), start: token.start, end: token.end, kind: token.kind });
    });
    found
}

/// Visits the tokens of [`tokens`] without allocating one by one.
pub fn for_each_token(text: &str, visit: impl FnMut(TokenRef<'_>)) {
    let mut tokenizer = Tokenizer { text, visit, term: String::with_capacity(2 * MAX_TERM_BYTES) };
    let bytes = text.as_bytes();
    let mut at = 0;
    while let Some(byte) = bytes.get(at) {
        at = match byte {
            _ if byte.is_ascii_alphanumeric() => tokenizer.compound(at),
            _ if byte.is_ascii() => at + 1,
            _ => match class_at(text, at) {
                Class::Word => tokenizer.compound(at),
                Class::Dense => tokenizer.dense_run(at),
                Class::Extend | Class::Other => cluster_end(text, at),
            },
        };
    }
}

struct Tokenizer<'t, V> {
    text: &'t str,
    visit: V,
    term: String,
}

impl<V: FnMut(TokenRef<'_>)> Tokenizer<'_, V> {
    fn slice(&self, start: usize, end: usize) -> &str {
        self.text.get(start..end).unwrap_or_default()
    }

    /// Visits what was written to `self.term`.
    fn emit(&mut self, start: usize, end: usize, kind: TokenKind) {
        if !self.term.is_empty() {
            (self.visit)(TokenRef { term: &self.term, start, end, kind });
        }
    }

    fn compound(&mut self, start: usize) -> usize {
        let found = compound(self.text, start);
        let end = found.end;
        let flag = self.is_flag(start);
        if !found.levels.is_empty() && is_encoded_data(self.slice(start, end)) {
            return end;
        }
        if flag {
            self.whole(start - 2, end, TokenKind::Identifier);
        }
        if found.levels.is_empty() {
            let suffixed = self.suffixed_letter(start, end);
            self.leaf(start, end, if flag || suffixed { TokenKind::Part } else { TokenKind::Word });
        } else {
            self.node(start, end, 0, found.levels);
        }
        end
    }

    /// `--name` where nothing but a blank, a quote or a bracket stands before it.
    fn is_flag(&self, start: usize) -> bool {
        let before = self.text.as_bytes().get(..start).unwrap_or_default();
        match before {
            [.., c, b'-', b'-'] => c.is_ascii() && !is_joiner(*c) && !c.is_ascii_alphanumeric(),
            _ => before == b"--",
        }
    }

    /// `C++` and `C#`, which are names but hardly words.
    fn suffixed_letter(&mut self, start: usize, end: usize) -> bool {
        let rest = self.text.as_bytes().get(end..).unwrap_or_default();
        let (suffix, name) = match rest {
            [b'+', b'+', ..] => (2, "plusplus"),
            [b'#', ..] => (1, "sharp"),
            _ => return false,
        };
        if end - start != 1 {
            return false;
        }
        self.term.clear();
        fold_word(self.text.get(start..end).unwrap_or_default(), &mut self.term);
        self.term.push(JOINT);
        self.term.push_str(name);
        self.emit(start, end + suffix, TokenKind::Identifier);
        true
    }

    /// A compound that the separators outside of `level` did not split; `levels` are those of the whole.
    fn node(&mut self, start: usize, end: usize, level: u8, levels: LevelSet) {
        if level == LEVELS {
            self.leaf(start, end, TokenKind::Part);
            return;
        }
        let text = self.text;
        let compound = text.get(start..end).unwrap_or_default();
        if !levels.contains(level) || !compound.bytes().any(|b| level_of(b) == Some(level)) {
            self.node(start, end, level + 1, levels);
            return;
        }
        self.whole(start, end, TokenKind::Identifier);
        for (from, to) in components(compound, start, level) {
            self.node(from, to, level + 1, levels);
        }
    }

    /// The whole identifier with its separators written as joints.
    fn whole(&mut self, start: usize, end: usize, kind: TokenKind) {
        self.term.clear();
        let mut at = start;
        let mut digits_only = true;
        while at < end {
            let word = word_end(self.text, at).min(end);
            if word > at {
                let text = self.text.get(at..word).unwrap_or_default();
                digits_only &= text.bytes().all(|b| b.is_ascii_digit());
                fold_word(text, &mut self.term);
                at = word;
            } else {
                if !self.term.ends_with(JOINT) {
                    self.term.push(JOINT);
                }
                at += 1;
            }
            if self.term.len() > MAX_TERM_BYTES {
                return;
            }
        }
        self.emit(start, end, if digits_only { TokenKind::Number } else { kind });
    }

    /// One word without separators, and its humps.
    fn leaf(&mut self, start: usize, end: usize, kind: TokenKind) {
        let text = self.text;
        let word = text.get(start..end).unwrap_or_default();
        if word.is_ascii() {
            if word.len() > MAX_TERM_BYTES {
                return;
            }
            let humps = humps(word);
            self.word(start, end, if humps.is_empty() { kind } else { TokenKind::Identifier });
            for (from, to) in humps.into_iter().filter(|(from, to)| to - from > 1) {
                self.word(start + from, start + to, TokenKind::Part);
            }
        } else {
            self.word(start, end, kind);
        }
    }

    fn word(&mut self, start: usize, end: usize, kind: TokenKind) {
        self.term.clear();
        fold_word(self.text.get(start..end).unwrap_or_default(), &mut self.term);
        if self.term.len() > MAX_TERM_BYTES {
            if self.term.chars().nth(MAX_TERM_BYTES).is_some() {
                return;
            }
            let fits = floor_char_boundary(&self.term, MAX_TERM_BYTES);
            self.term.truncate(fits);
        }
        let kind = numeric_or(&self.term, kind);
        if self.term.bytes().all(|b| b.is_ascii_lowercase()) {
            stem(&mut self.term);
        }
        self.emit(start, end, kind);
    }

    /// A run of a script without blanks: every two neighbours, or the character if it is alone.
    fn dense_run(&mut self, start: usize) -> usize {
        let (mut before, mut here) = (String::new(), String::new());
        let mut before_start = start;
        let mut pairs = 0_usize;
        let mut at = start;
        while class_at(self.text, at) == Class::Dense {
            let end = cluster_end(self.text, at);
            here.clear();
            fold_cluster(self.text.get(at..end).unwrap_or_default(), &mut here);
            if !here.is_empty() {
                if !before.is_empty() {
                    self.term.clear();
                    self.term.push_str(&before);
                    self.term.push_str(&here);
                    self.emit(before_start, end, TokenKind::Bigram);
                    pairs += 1;
                }
                before_start = at;
                std::mem::swap(&mut before, &mut here);
            }
            at = end;
        }
        if pairs == 0 {
            self.term.clone_from(&before);
            self.emit(before_start, at, TokenKind::Bigram);
        }
        at
    }
}

fn numeric_or(term: &str, kind: TokenKind) -> TokenKind {
    let numeric = kind == TokenKind::Word && term.chars().all(char::is_numeric);
    if numeric { TokenKind::Number } else { kind }
}

#[cfg(test)]
mod tests {
    use std::collections::BTreeSet;

    use proptest::prelude::*;
    use unicode_normalization::char::is_combining_mark;

    use super::*;
    use crate::text::fold;

    fn terms(text: &str) -> Vec<String> {
        tokens(text).into_iter().map(|token| token.term).collect()
    }

    /// Whether a search for `query` has any or all of its terms in `text`.
    fn shared(text: &str, query: &str) -> (bool, bool) {
        let indexed: BTreeSet<_> = terms(text).into_iter().collect();
        let asked = terms(query);
        let hits = asked.iter().filter(|term| indexed.contains(*term)).count();
        (hits > 0, !asked.is_empty() && hits == asked.len())
    }

    fn finds(text: &str, query: &str) -> bool {
        shared(text, query).1
    }

    #[test]
    fn words_are_folded_and_english_ones_stemmed() {
        assert_eq!(terms("The Migrations were running!"), ["the", "migrat", "were", "run"]);
        assert_eq!(terms("Größe Élan naïve"), ["gross", "elan", "naiv"]);
        assert_eq!(terms("sha256 42"), ["sha256", "42"]);
        assert_eq!(tokens("42")[0].kind, TokenKind::Number);
    }

    #[test]
    fn identifiers_are_indexed_whole_and_in_parts() {
        for (text, expected) in [
            ("foo_bar", "foo\u{1C0}bar foo bar"),
            ("foo-bar", "foo\u{1C0}bar foo bar"),
            ("fooBar", "foobar foo bar"),
            ("a::b", "a\u{1C0}b a b"),
            ("C:\\x", "c\u{1C0}x c x"),
            ("--flag", "\u{1C0}flag flag"),
            ("--dry-run", "\u{1C0}dry\u{1C0}run dry\u{1C0}run dri run"),
            ("v1.2.3", "v1\u{1C0}2\u{1C0}3 v1 2 3"),
            ("C++ and C#", "c\u{1C0}plusplus c and c\u{1C0}sharp c"),
            (
                "src/gate_check.rs:42",
                "src\u{1C0}gate\u{1C0}check\u{1C0}rs\u{1C0}42 src\u{1C0}gate\u{1C0}check\u{1C0}rs src \
                 gate\u{1C0}check\u{1C0}rs gate\u{1C0}check gate check rs 42",
            ),
        ] {
            assert_eq!(terms(text).join(" "), expected, "{text}");
        }
    }

    #[test]
    fn an_identifier_is_found_by_its_parts_and_in_other_spellings() {
        assert!(finds("run the pre-edit hook", "pre-edit"));
        assert!(finds("see src/text/token.rs:10", "token.rs"));
        assert!(finds("see src/text/token.rs", "token"));
        assert!(finds("std::fs::read_to_string", "read_to_string"));
        assert!(finds("we use PostgreSQL on GitHub", "github postgresql"));
        assert!(finds("snake_case", "snake-case"));
        assert!(finds("pass --no-verify", "no-verify"));
        assert!(!finds("the foobar", "foo-bar"));
        assert!(!terms("foo bar").contains(&terms("foo-bar")[0]));
        assert!(!finds("plain C", "C++"));
    }

    #[test]
    fn inner_phrases_are_found_in_every_script() {
        for (text, query) in [
            ("部署方案决定用 SQLite", "部署"),
            ("部署方案决定用 SQLite", "方案"),
            ("部署方案决定用SQLite的", "sqlite"),
            ("今日は成語しりとりをした", "しりとり"),
            ("今日は成語しりとりをした", "成語"),
            ("サーバーの設定を変更", "設定"),
            ("데이터베이스를 선택했다", "데이터베이스"),
            ("데이터베이스를 선택했다", "선택"),
            ("เราเลือกใช้ฐานข้อมูลนี้", "ฐานข้อมูล"),
            ("قررنا استخدام قاعدة البيانات", "قاعدة"),
            ("قَرَّرَنا", "قررنا"),
            ("Мы решили использовать базу данных", "базу данных"),
            ("Ёлка", "елка"),
            ("Die Datenbankverbindungsgröße wächst", "datenbankverbindungsgroße"),
            ("हमने डेटाबेस चुना", "डेटाबेस"),
            ("החלטנו להשתמש", "להשתמש"),
        ] {
            assert!(finds(text, query), "{query} in {text}: {:?} {:?}", terms(text), terms(query));
        }
        assert!(!shared("部署方案", "署案").0);
    }

    #[test]
    fn one_way_of_writing_is_as_good_as_another() {
        let decomposed = "\u{1112}\u{1161}\u{11AB}\u{1100}\u{1173}\u{11AF}";
        assert_eq!(terms(decomposed), terms("한글"));
        assert_eq!(terms("ｶﾞｽ"), terms("ガス"));
        assert_eq!(terms("ＡＰＩ"), terms("api"));
        assert_eq!(terms("cafe\u{301}"), terms("café"));
        assert_eq!(terms("soft\u{AD}ware"), terms("software"));
    }

    #[test]
    fn a_lone_character_is_a_term_and_a_run_is_pairs() {
        assert_eq!(terms("用 SQLite"), ["用", "sqlite", "sq", "lite"].map(|t| terms(t)[0].clone()));
        assert_eq!(terms("方案决"), ["方案", "案决"]);
        let pair = &tokens("x 方案")[1];
        assert_eq!((pair.start, pair.end, pair.kind), (2, 8, TokenKind::Bigram));
    }

    #[test]
    fn emoji_and_punctuation_are_no_terms() {
        for text in
            ["👨\u{200D}👩\u{200D}👧 🇩🇪 ✅", "() ** -- :: // ^ \" '", "", "   ", "🅰\u{FE0F}", "\u{301}\u{301}", "──"]
        {
            assert_eq!(terms(text), [""; 0], "{text}");
        }
        assert_eq!(terms("ok👍🏽done"), ["ok", "done"]);
        assert_eq!(terms("don't"), ["don", "t"]);
    }

    #[test]
    fn noise_gives_no_terms() {
        assert_eq!(terms(&"a".repeat(1_000_000)), [""; 0]);
        assert_eq!(terms(&"é".repeat(500_000)), [""; 0]);
        assert_eq!(terms(&"aGk+/Zm9v".repeat(1000)), [""; 0]);
        assert_eq!(tokens(&"部".repeat(100_000)).len(), 99_999);
        assert_eq!(terms(&"й".repeat(64)), ["и".repeat(32)]);
        let long_path = format!("src/{}/gate.rs", "deep/".repeat(40));
        assert!(finds(&long_path, "gate.rs"));
    }

    #[test]
    fn hostile_runs_take_linear_time() {
        for unit in
            ["a/", "a.", "a_", "a:b/c.d_e-", "aB", "-", "--a", "é\u{301}", "\u{301}", "ก\u{E31}", "ﾞ", "a\u{200D}"]
        {
            assert!(tokens(&unit.repeat(200_000 / unit.len())).len() <= 400_000, "{unit}");
        }
    }

    fn hostile_text() -> impl Strategy<Value = String> {
        let pieces = prop_oneof![
            any::<String>(),
            "[a-zA-Z0-9_:./\\\\@+-]{0,80}",
            "[ก-๛ぁ-ヿ一-三가-각\u{1100}-\u{11FF}ｦ-ﾟ\u{300}-\u{303}]{0,12}",
            "[Α-ωА-яÀ-ſ]{0,70}",
        ];
        proptest::collection::vec(pieces, 0..6).prop_map(|parts| parts.concat())
    }

    proptest! {
        #[test]
        fn terms_stay_in_one_piece_in_fts5(text in hostile_text()) {
            for token in tokens(&text) {
                prop_assert!(!token.term.is_empty() && token.term.len() <= MAX_TERM_BYTES);
                prop_assert!(token.term.chars().all(|c| c.is_alphanumeric() && !is_combining_mark(c)), "{}", token.term);
            }
        }

        #[test]
        fn ranges_are_slices_of_the_text(text in hostile_text()) {
            for token in tokens(&text) {
                prop_assert!(text.get(token.start..token.end).is_some_and(|part| !part.is_empty()));
            }
        }

        #[test]
        fn folding_first_changes_no_term(text in "[a-z0-9 À-ÿа-яА-Я部署方案かがｶﾞกข]{0,40}") {
            prop_assert_eq!(terms(&fold(&text)), terms(&text));
        }

        #[test]
        fn an_inner_phrase_is_found(before in "[部署方案决定]{0,5}", phrase in "[部署方案决定]{2,5}", after in "[部署方案决定]{0,5}") {
            let text = [before.as_str(), &phrase, &after].concat();
            prop_assert!(finds(&text, &phrase));
        }
    }
}
