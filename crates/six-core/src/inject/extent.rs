//! How far a text is looked at.

use crate::text::cut_bytes;

/// Bytes of a person's own words, of new text or of a command that are looked at: what follows is a document, not a
/// request, and data, not code.
pub(super) const MAX_BYTES: usize = 16 * 1024;

/// The start of a text, up to its last whole word: half a secret can't be told from a word. Text without blanks is cut
/// where no secret goes on; one unbroken word is cut anywhere.
pub(super) fn whole_words(text: &str) -> &str {
    let cut = cut_bytes(text, MAX_BYTES);
    if cut.len() == text.len() {
        return text;
    }
    let end = cut.rfind(char::is_whitespace).or_else(|| cut.rfind(ends_secret));
    end.and_then(|end| cut.get(..end)).unwrap_or(cut)
}

/// Secrets are of letters, digits and the marks of base64, of URLs and of tokens in parts.
fn ends_secret(c: char) -> bool {
    !c.is_alphanumeric() && !matches!(c, '_' | '-' | '+' | '/' | '=' | '.' | '~')
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_word_across_the_end_is_left_out() {
        assert_eq!(whole_words("one two"), "one two");
        let filler = |with: &str| with.repeat(MAX_BYTES - 6) + "one" + with;
        for with in [" ", ";", "\n"] {
            let text = filler(with) + "secret";
            assert_eq!(whole_words(&text), &text[..MAX_BYTES - 3], "{with:?}");
        }
        assert_eq!(whole_words(&"x".repeat(MAX_BYTES + 1)).len(), MAX_BYTES, "one word has no other end");
    }
}
