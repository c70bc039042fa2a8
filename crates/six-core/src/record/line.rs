//! Titles of records and names of threads: one line that can be seen.

use super::Record;
use crate::text::printable;

/// Why a text is no title and no name.
#[derive(Debug, Clone, Copy, PartialEq, Eq, thiserror::Error)]
pub enum LineFault {
    /// Nothing of it can be seen.
    #[error("is empty")]
    Empty,
    /// It has a line break.
    #[error("has more than one line")]
    Lines,
    /// It has so many characters, more than [`Record::TITLE_MAX_CHARS`].
    #[error("has {0} characters, more than {max}", max = Record::TITLE_MAX_CHARS)]
    Long(usize),
}

/// Whether a text, without the blanks round it, is one line that can be seen.
///
/// # Errors
///
/// What is wrong with it.
pub fn judge_line(text: &str) -> Result<(), LineFault> {
    let text = text.trim();
    let chars = text.chars().count();
    if !printable(text).chars().any(is_seen) {
        return Err(LineFault::Empty);
    }
    if chars > Record::TITLE_MAX_CHARS {
        return Err(LineFault::Long(chars));
    }
    if text.contains(['\n', '\r', '\u{2028}', '\u{2029}']) { Err(LineFault::Lines) } else { Ok(()) }
}

/// The joiners and selectors of emoji show nothing by themselves; U+FFFD stands for a control.
fn is_seen(c: char) -> bool {
    !c.is_whitespace() && !matches!(c, '\u{FFFD}' | '\u{200C}' | '\u{200D}' | '\u{FE00}'..='\u{FE0F}' | '\u{00AD}')
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_title_or_name_is_one_line_of_at_most_120_characters_that_can_be_seen() {
        for empty in ["", " \t", "\u{200B}\u{FEFF}", "\u{7}\u{1b}", "\u{200D}", "\u{202E}"] {
            assert_eq!(judge_line(empty), Err(LineFault::Empty), "{empty:?}");
        }
        assert_eq!(judge_line("a\nb"), Err(LineFault::Lines));
        assert_eq!(judge_line("a\u{2028}b"), Err(LineFault::Lines));
        assert_eq!(judge_line(&"ü".repeat(121)), Err(LineFault::Long(121)));
        for fit in [&"ü".repeat(120), "Fährhafen", "渡し場", " a\u{200D}b "] {
            assert_eq!(judge_line(fit), Ok(()), "{fit:?}");
        }
    }
}
