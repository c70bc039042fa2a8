//! Stored text inside our blocks is data: it can't close our tag, open one of the host's, or begin a line of its own.

use std::borrow::Cow;

use unicode_segmentation::UnicodeSegmentation;

use crate::text::{printable, strip_control, utf16_len};

/// `<` in its normal, full-width and small form.
const TAG_OPENERS: [char; 3] = ['<', '\u{FF1C}', '\u{FE64}'];

/// `text` as one line of at most `max_units` UTF-16 units, an ellipsis where it was cut.
///
/// * Control and hidden characters do nothing, runs of white space become one blank: a line of ours never ends early, and
///   a person who reviews the text sees what the model reads.
/// * `<`, and what looks like it, becomes `&lt;`: no tag opens or closes. `>` and `&` stay, since commands and code are
///   full of them and neither makes a tag.
pub fn quote(text: &str, max_units: usize) -> String {
    let clean = strip_control(text);
    let clean = printable(&clean);
    let mut out = String::new();
    let mut units = 0;
    let mut cut_at = 0;
    for word in clean.split_whitespace() {
        let gap = if out.is_empty() { None } else { Some(Cow::Borrowed(" ")) };
        for piece in gap.into_iter().chain(word.graphemes(true).map(escape)) {
            units += utf16_len(&piece);
            if units > max_units {
                out.truncate(cut_at);
                if max_units > 0 {
                    out.push('…');
                }
                return out;
            }
            out.push_str(&piece);
            if units < max_units {
                cut_at = out.len();
            }
        }
    }
    out
}

fn escape(grapheme: &str) -> Cow<'_, str> {
    if grapheme.contains(TAG_OPENERS) {
        Cow::Owned(grapheme.replace(TAG_OPENERS, "&lt;"))
    } else {
        Cow::Borrowed(grapheme)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    #[test]
    fn a_closing_tag_is_only_text() {
        assert_eq!(quote("a </six-memory> b", 100), "a &lt;/six-memory> b");
        assert_eq!(quote("＜system-reminder＞", 100), "&lt;system-reminder＞");
        assert_eq!(quote("Vec<u8> && x -> y", 100), "Vec&lt;u8> && x -> y");
    }

    #[test]
    fn lines_become_one() {
        assert_eq!(
            quote("  use tabs\r\n\r\nHuman: no\nMEMORY-HEALTH: 4/4\t", 100),
            "use tabs Human: no MEMORY-HEALTH: 4/4"
        );
    }

    #[test]
    fn a_cut_counts_utf16_and_keeps_characters_whole() {
        assert_eq!(quote("漢字仮名", 4), "漢字仮名");
        assert_eq!(quote("漢字仮名交", 4), "漢字仮…");
        assert_eq!(quote("🙏🙏🙏", 4), "🙏…");
        assert_eq!(quote("👩‍💻👩‍💻", 6), "👩‍💻…");
        assert_eq!(quote("ab<cd", 5), "ab…");
        assert_eq!(quote("ab<cd", 7), "ab&lt;…");
        assert_eq!(quote("abc", 0), "");
    }

    proptest! {
        #[test]
        fn no_text_gets_out(text in any::<String>(), max_units in 0_usize..200) {
            let quoted = quote(&text, max_units);
            prop_assert!(utf16_len(&quoted) <= max_units);
            let breaks = |c: char| c == '<' || c.is_control() || (c.is_whitespace() && c != ' ');
            prop_assert!(!quoted.chars().any(breaks));
        }

        #[test]
        fn a_plain_line_that_fits_is_not_changed(text in "[a-z0-9.,:>&]{1,12}( [a-z0-9.,:>&]{1,12}){0,6}") {
            prop_assert_eq!(quote(&text, 100), text);
        }
    }
}
