//! When two records say exactly the same.

use unicode_normalization::UnicodeNormalization as _;

use crate::text::one_line;

/// Whether two titles are the same words: case, blanks, the stop at the end and how accents are composed make no other one.
pub fn says_the_same(one: &str, other: &str) -> bool {
    bare_title(one) == bare_title(other)
}

/// A title without what makes no other one of it: two that say the same are equal.
pub fn bare_title(title: &str) -> String {
    let title = title.trim().trim_end_matches(['.', '。', '．', '।']);
    let plain = one_line(title);
    if plain.is_ascii() {
        return plain.to_ascii_lowercase();
    }
    plain.nfc().flat_map(char::to_lowercase).nfc().collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn case_blanks_and_the_last_stop_make_no_other_title_and_a_word_does() {
        for same in ["use pnpm, never npm", " Use  pnpm,\tnever npm. ", "USE PNPM, NEVER NPM"] {
            assert!(says_the_same("Use pnpm, never npm", same), "{same}");
        }
        assert!(says_the_same("caf\u{e9}用。", "CAFE\u{301}用"));
        for other in ["Use pnpm never npm", "Use npm, never pnpm", "Use pnpm, never npm?", ""] {
            assert!(!says_the_same("Use pnpm, never npm", other), "{other}");
        }
    }
}
