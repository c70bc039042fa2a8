//! Text to word pieces, as the model was trained on them: control characters dropped, accents and case folded, split at
//! blanks, punctuation and ideographs, each word cut into the longest pieces that the vocabulary knows.
//!
//! Gives the ids of the reference tokenizer, with two exceptions that are meant: a text that spells a special word
//! (`[SEP]`) gets the pieces of its characters and not the special id, and of a very long text only the first part is
//! read, so that a megabyte of blanks costs no more than a page.

use unicode_normalization::UnicodeNormalization;
use unicode_properties::{GeneralCategory, GeneralCategoryGroup, UnicodeGeneralCategory};

use crate::vocabulary::Vocabulary;

/// A longer word is unknown as a whole (the reference's limit).
const WORD_CHARS: usize = 100;
/// Characters that are read for each piece that is wanted. A piece of ordinary text has four, of blanks and unknown
/// words more.
const CHARS_PER_PIECE: usize = 64;

/// The ids of `text` between the two marks, together no more than `limit` (at least 2, for the marks).
pub(crate) fn encode(vocabulary: &Vocabulary, text: &str, limit: usize) -> Vec<u16> {
    let limit = limit.max(2);
    let mut pieces = Pieces { vocabulary, ids: vec![vocabulary.start], word: String::new(), word_chars: 0 };
    for c in fold(text.chars().take(limit.saturating_mul(CHARS_PER_PIECE))) {
        if pieces.ids.len() >= limit {
            break;
        }
        if c.is_whitespace() {
            pieces.end_word();
        } else if is_punctuation(c) || is_ideograph(c) {
            pieces.end_word();
            pieces.push(c);
            pieces.end_word();
        } else {
            pieces.push(c);
        }
    }
    pieces.end_word();
    pieces.ids.truncate(limit - 1);
    pieces.ids.push(vocabulary.end);
    pieces.ids
}

struct Pieces<'a> {
    vocabulary: &'a Vocabulary<'a>,
    ids: Vec<u16>,
    word: String,
    word_chars: usize,
}

impl Pieces<'_> {
    fn push(&mut self, c: char) {
        self.word_chars += 1;
        if self.word_chars <= WORD_CHARS {
            self.word.push(c);
        }
    }

    fn end_word(&mut self) {
        if self.word_chars > WORD_CHARS {
            self.ids.push(self.vocabulary.unknown);
        } else if self.word_chars > 0 {
            let before = self.ids.len();
            if self.cut_word().is_none() {
                self.ids.truncate(before);
                self.ids.push(self.vocabulary.unknown);
            }
        }
        self.word.clear();
        self.word_chars = 0;
    }

    /// Pushes the longest known piece at each place; `None` where there is none.
    fn cut_word(&mut self) -> Option<()> {
        let mut rest = self.word.as_str();
        while !rest.is_empty() {
            let is_start = rest.len() == self.word.len();
            let find =
                |piece| if is_start { self.vocabulary.starting(piece) } else { self.vocabulary.continuing(piece) };
            let (id, after) =
                splits(rest, self.vocabulary.longest).find_map(|(piece, after)| Some((find(piece)?, after)))?;
            self.ids.push(id);
            rest = after;
        }
        Some(())
    }
}

/// The ways to cut `text` in two with something before the cut, at most `longest` bytes; the longest first.
fn splits(text: &str, longest: usize) -> impl Iterator<Item = (&str, &str)> {
    (1..=text.len().min(longest)).rev().filter_map(|at| text.split_at_checked(at))
}

fn fold(chars: impl Iterator<Item = char>) -> impl Iterator<Item = char> {
    let decomposed = chars.filter(|c| !is_dropped(*c)).nfd().filter(|c| !is_accent(*c));
    decomposed.flat_map(|c| {
        let (ascii, other) =
            if c.is_ascii() { (Some(c.to_ascii_lowercase()), None) } else { (None, Some(c.to_lowercase())) };
        ascii.into_iter().chain(other.into_iter().flatten())
    })
}

fn is_dropped(c: char) -> bool {
    match c {
        '\t' | '\n' | '\r' | ' '..='~' => false,
        '\u{fffd}' => true,
        _ => matches!(
            c.general_category(),
            GeneralCategory::Control | GeneralCategory::Format | GeneralCategory::PrivateUse
        ),
    }
}

fn is_accent(c: char) -> bool {
    !c.is_ascii() && c.general_category() == GeneralCategory::NonspacingMark
}

fn is_punctuation(c: char) -> bool {
    c.is_ascii_punctuation() || (!c.is_ascii() && c.general_category_group() == GeneralCategoryGroup::Punctuation)
}

/// The blocks of ideographs that the model was trained to see one by one.
fn is_ideograph(c: char) -> bool {
    matches!(c,
        '\u{4e00}'..='\u{9fff}' | '\u{3400}'..='\u{4dbf}' | '\u{20000}'..='\u{2a6df}' | '\u{2a700}'..='\u{2b73f}'
        | '\u{2b740}'..='\u{2b81f}' | '\u{2b920}'..='\u{2ceaf}' | '\u{f900}'..='\u{faff}' | '\u{2f800}'..='\u{2fa1f}')
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::model::{Model, PIECES};
    use crate::weights;
    use proptest::prelude::*;

    fn ids(text: &str, limit: usize) -> Vec<u16> {
        encode(&Model::load(weights::file()).expect("the shipped model").vocabulary, text, limit)
    }

    #[test]
    fn accents_case_and_control_characters_make_no_difference() {
        let plain = ids("Uber cafe", PIECES);
        for same in
            ["Über café", "U\u{308}BER CAFE\u{301}", "\u{0}uber\u{7}\u{200b} \t\n cafe\u{fffd}", "  uber   cafe "]
        {
            assert_eq!(ids(same, PIECES), plain, "{same:?}");
        }
    }

    #[test]
    fn ideographs_and_punctuation_stand_alone() {
        assert_eq!(ids("文件a", PIECES), ids("文 件 a", PIECES));
        assert_eq!(ids("a::b", PIECES), ids("a : : b", PIECES));
        assert_eq!(ids("«a»", PIECES), ids("« a »", PIECES));
    }

    #[test]
    fn nothing_is_two_marks() {
        for empty in ["", " \n", "\u{0}\u{1}\u{2}", "\u{301}"] {
            assert_eq!(ids(empty, PIECES), [101, 102], "{empty:?}");
        }
    }

    #[test]
    fn a_special_word_in_a_text_is_text() {
        assert!(!ids("[SEP] [CLS]", PIECES)[1..8].iter().any(|id| [101, 102].contains(id)));
    }

    #[test]
    fn a_word_that_no_pieces_make_up_is_one_unknown() {
        assert_eq!(ids("\u{1f980}", PIECES), [101, 100, 102]);
        assert_eq!(ids(&"a".repeat(101), PIECES), [101, 100, 102]);
        assert_ne!(ids(&"a".repeat(100), PIECES)[1], 100);
    }

    #[test]
    fn a_limit_cuts_the_end_and_keeps_the_marks() {
        let text = "one two three four five";
        assert_eq!(ids(text, 5), [101, 2028, 2048, 2093, 102]);
        for limit in [0, 1, 2] {
            assert_eq!(ids(text, limit), [101, 102]);
        }
    }

    #[test]
    fn a_megabyte_is_read_no_further_than_a_page() {
        for c in [' ', 'a', '!', '\u{0}', '\u{301}', '\u{1f980}', '漢'] {
            let text = c.to_string().repeat(1_000_000);
            let page: String = text.chars().take(PIECES * CHARS_PER_PIECE).collect();
            assert_eq!(ids(&text, PIECES), ids(&page, PIECES), "{c:?}");
        }
    }

    proptest! {
        #[test]
        fn any_text_has_ids_within_the_limit(text in any::<String>(), limit in 2_usize..PIECES) {
            let ids = ids(&text, limit);
            prop_assert!(ids.len() <= limit);
            prop_assert_eq!((ids.first(), ids.last()), (Some(&101), Some(&102)));
            prop_assert!(ids.iter().all(|id| *id < 30_522));
        }
    }
}
