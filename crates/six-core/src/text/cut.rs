//! Cuts at a limit, and what is taken out of a text before it is stored or shown.

use std::borrow::Cow;

use unicode_segmentation::GraphemeCursor;

/// A character of more bytes than this (a base with hundreds of marks) may be cut apart.
const MAX_GRAPHEME_BYTES: usize = 128;

/// The longest start of `text` of at most `max_bytes` bytes that splits no visible character.
pub fn cut_bytes(text: &str, max_bytes: usize) -> &str {
    if text.len() <= max_bytes {
        return text;
    }
    let end = floor_char_boundary(text, max_bytes);
    let whole = floor_grapheme_boundary(text, end);
    text.get(..if end - whole > MAX_GRAPHEME_BYTES { end } else { whole }).unwrap_or_default()
}

/// The first line of a text that says something, cut to `max_bytes` bytes: what stands for a title where there is none.
pub fn first_line(text: &str, max_bytes: usize) -> &str {
    cut_bytes(text.trim_start().lines().next().unwrap_or_default(), max_bytes).trim_end()
}

/// Length in UTF-16 code units: the host counts its limits in them.
pub fn utf16_len(text: &str) -> usize {
    text.chars().map(char::len_utf16).sum()
}

/// The longest start of `text` of at most `max_units` UTF-16 code units that splits no visible character, and whether
/// anything was cut.
pub fn cut_utf16(text: &str, max_units: usize) -> (&str, bool) {
    let mut units = 0;
    let end = text.char_indices().find(|(_, c)| {
        units += c.len_utf16();
        units > max_units
    });
    match end {
        Some((at, _)) => (cut_bytes(text, at), true),
        None => (text, false),
    }
}

/// The last character boundary at or before byte `at`.
pub(crate) fn floor_char_boundary(text: &str, at: usize) -> usize {
    (0..=at.min(text.len())).rev().find(|&at| text.is_char_boundary(at)).unwrap_or_default()
}

fn floor_grapheme_boundary(text: &str, at: usize) -> usize {
    let mut cursor = GraphemeCursor::new(at, text.len(), true);
    if cursor.is_boundary(text, 0).unwrap_or(true) {
        return at;
    }
    cursor.prev_boundary(text, 0).ok().flatten().unwrap_or_default()
}

/// `text` with control characters other than tab and newline as blanks, and CR LF as LF. Nothing else changes.
pub fn strip_control(text: &str) -> Cow<'_, str> {
    if !has_control(text) {
        return Cow::Borrowed(text);
    }
    let mut clean = String::with_capacity(text.len());
    let mut copied = 0;
    for (at, control) in text.match_indices(|c: char| c.is_control() && !matches!(c, '\t' | '\n')) {
        clean.push_str(text.get(copied..at).unwrap_or_default());
        copied = at + control.len();
        let ends_line = control == "\r" && text.as_bytes().get(copied) == Some(&b'\n');
        if !ends_line {
            clean.push(' ');
        }
    }
    clean.push_str(text.get(copied..).unwrap_or_default());
    Cow::Owned(clean)
}

/// Looks at whole blocks without a way out in between, which the compiler turns into vector code.
///
/// U+0080 to U+009F are the byte 0xC2 and one below 0xA0.
fn has_control(text: &str) -> bool {
    let c0 = |b: u8| (b < 0x20 && b != b'\t' && b != b'\n') || b == 0x7F;
    let bytes = text.as_bytes();
    let suspect = |b: u8| c0(b) || b == 0xC2;
    let lead = bytes.chunks(1024).any(|block| block.iter().fold(false, |found, &b| found | suspect(b)));
    lead && (bytes.iter().any(|&b| c0(b)) || bytes.windows(2).any(|pair| matches!(pair, [0xC2, 0x80..=0x9F])))
}

/// `text` as a terminal may show it: escape sequences, text direction overrides and invisible characters do nothing.
///
/// Controls become U+FFFD, so that a reader sees that something was there; invisible characters vanish. Tab, newline,
/// and the joiners of emoji and Persian stay.
pub fn printable(text: &str) -> Cow<'_, str> {
    if text.chars().all(|c| shown(c) == Some(c)) {
        return Cow::Borrowed(text);
    }
    Cow::Owned(text.chars().filter_map(shown).collect())
}

/// The words of a text on one line, with one blank between them.
pub fn one_line(text: &str) -> String {
    text.split_whitespace().collect::<Vec<_>>().join(" ")
}

/// The same as a terminal may show it, whoever wrote it.
pub fn printable_line(text: &str) -> String {
    one_line(&printable(&strip_control(text)))
}

fn shown(c: char) -> Option<char> {
    match c {
        '\t' | '\n' => Some(c),
        '\u{061C}' | '\u{200E}' | '\u{200F}' | '\u{2028}'..='\u{202E}' | '\u{2066}'..='\u{2069}' => Some('\u{FFFD}'),
        // Zero width: blank, word joiner and the like, byte order mark, annotations, tags that spell hidden ASCII.
        '\u{200B}'
        | '\u{2060}'..='\u{2065}'
        | '\u{206A}'..='\u{206F}'
        | '\u{FEFF}'
        | '\u{FFF9}'..='\u{FFFB}'
        | '\u{E0000}'..='\u{E007F}' => None,
        _ if c.is_control() => Some('\u{FFFD}'),
        _ => Some(c),
    }
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;
    use unicode_segmentation::UnicodeSegmentation;

    use super::*;

    const FAMILY: &str = "👨\u{200D}👩\u{200D}👧";

    #[test]
    fn a_cut_never_leaves_half_a_character() {
        let samples =
            [format!("a{FAMILY}b"), "e\u{301}e\u{301}".into(), "部署方案".into(), "🇩🇪🇫🇷".into(), "한글".into()];
        for text in &samples {
            let graphemes: Vec<_> = text.grapheme_indices(true).map(|(at, _)| at).chain([text.len()]).collect();
            for limit in 0..=text.len() + 1 {
                let cut = cut_bytes(text, limit);
                assert!(cut.len() <= limit && graphemes.contains(&cut.len()), "{text:?} at {limit}: {cut:?}");
                let (cut, was_cut) = cut_utf16(text, limit);
                assert!(utf16_len(cut) <= limit && graphemes.contains(&cut.len()));
                assert_eq!(was_cut, cut != text);
            }
        }
    }

    #[test]
    fn limits_count_what_they_say() {
        assert_eq!(cut_bytes("部署方案", 8), "部署");
        assert_eq!(cut_utf16("a😀b", 3), ("a😀", true));
        assert_eq!(cut_utf16("a😀b", 4), ("a😀b", false));
        assert_eq!(utf16_len("a😀b"), 4);
    }

    #[test]
    fn a_character_of_a_thousand_marks_is_cut_all_the_same() {
        let text = format!("a{}", "\u{301}".repeat(1000));
        assert_eq!(cut_bytes(&text, 1000).len(), 999);
    }

    #[test]
    fn controls_become_blanks_and_line_ends_one_newline() {
        assert_eq!(strip_control("a\0b\u{1B}[31m\tc\r\nd\re\u{85}\u{7F}f\u{FFFD}"), "a b [31m\tc\nd e  f\u{FFFD}");
        assert!(matches!(strip_control("plain é\n\t部"), Cow::Borrowed(_)));
    }

    #[test]
    fn a_terminal_sees_no_escape_no_override_and_no_hidden_text() {
        assert_eq!(printable("\u{1B}[2Jgone\u{7}"), "\u{FFFD}[2Jgone\u{FFFD}");
        assert_eq!(printable("user\u{202E}txt.exe"), "user\u{FFFD}txt.exe");
        assert_eq!(printable("a\u{200B}b\u{E0041}c"), "abc");
        assert!(matches!(printable(FAMILY), Cow::Borrowed(_)));
    }

    proptest! {
        #[test]
        fn stripped_text_has_no_control_and_stays_stripped(text in any::<String>()) {
            let clean = strip_control(&text);
            prop_assert!(clean.chars().all(|c| !c.is_control() || matches!(c, '\t' | '\n')));
            prop_assert_eq!(strip_control(&clean), clean.as_ref());
        }

        #[test]
        fn a_cut_is_a_start_of_the_text(text in any::<String>(), limit in 0..80_usize) {
            prop_assert!(text.starts_with(cut_bytes(&text, limit)));
            prop_assert!(utf16_len(cut_utf16(&text, limit).0) <= limit);
        }
    }
}
