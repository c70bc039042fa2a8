//! Text in terminal columns: made harmless, folded, filled up.

use six_core::text::printable;
use unicode_segmentation::UnicodeSegmentation;
use unicode_width::{UnicodeWidthChar, UnicodeWidthStr};

/// Joins emoji; in narrow scripts it only shapes letters.
const JOINER: char = '\u{200D}';

/// The text on one line, as it is to be stored: controls are visible, line ends and tabs are blanks.
pub(super) fn flat(text: &str) -> String {
    visible(text).split_whitespace().collect::<Vec<_>>().join(" ")
}

/// The text on one line, as it is to be shown.
pub(super) fn one_line(text: &str) -> String {
    flat(text).graphemes(true).map(drawn).collect()
}

/// What is drawn for a visible character. Terminals disagree about the width of emoji that are put together (joined, with a
/// tone of skin, with a selector of their form): of these the first is drawn, or the columns behind them would shift.
pub(super) fn drawn(grapheme: &str) -> &str {
    let apart: usize = grapheme.chars().map(|c| c.width().unwrap_or(0)).sum();
    let is_joined = apart > 1 && grapheme.contains(JOINER);
    let first = grapheme.chars().next().map_or(0, char::len_utf8);
    if apart == grapheme.width() && !is_joined { grapheme } else { grapheme.get(..first).unwrap_or_default() }
}

/// The text in lines of at most `columns` columns, without anything that a terminal would obey. Lines break at spaces and
/// beside wide characters; a longer word is cut.
pub(super) fn fold(text: &str, columns: usize) -> Vec<String> {
    let text: String = visible(text).graphemes(true).map(drawn).collect();
    text.lines().flat_map(|line| fold_line(line.trim_end(), columns.max(2))).collect()
}

fn visible(text: &str) -> String {
    printable(&text.replace("\r\n", "\n")).replace('\t', "    ")
}

fn fold_line(line: &str, columns: usize) -> Vec<String> {
    let mut folded = Vec::new();
    // What is sure to stand on the line, and what may still go to the next one.
    let (mut kept, mut word) = (String::new(), String::new());
    for piece in line.graphemes(true) {
        let wide = piece.width() > 1;
        if wide || piece == " " {
            kept.push_str(&word);
            word.clear();
        }
        if kept.width() + word.width() + piece.width() > columns {
            if kept.trim().is_empty() {
                kept.push_str(&std::mem::take(&mut word));
            }
            folded.push(std::mem::take(&mut kept).trim_end().to_owned());
        }
        match piece {
            " " if kept.is_empty() && !folded.is_empty() => {}
            _ if wide || piece == " " => kept.push_str(piece),
            _ => word.push_str(piece),
        }
    }
    kept.push_str(&word);
    folded.push(kept);
    folded
}

/// The text filled up with blanks to `columns`.
pub(super) fn pad(text: &str, columns: usize) -> String {
    format!("{text}{}", " ".repeat(columns.saturating_sub(text.width())))
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    #[test]
    fn lines_break_at_spaces_and_long_words_are_cut() {
        assert_eq!(fold("we keep the write-ahead log", 12), ["we keep the", "write-ahead", "log"]);
        assert_eq!(fold("a/very/long/path/without/space", 10), ["a/very/lon", "g/path/wit", "hout/space"]);
        assert_eq!(fold("one\n\n  two", 10), ["one", "", "  two"]);
    }

    #[test]
    fn wide_characters_fill_the_line() {
        assert_eq!(fold("数据库迁移到新的服务器", 9), ["数据库迁", "移到新的", "服务器"]);
        assert_eq!(fold("use 数据库 here", 8), ["use 数据", "库 here"]);
    }

    #[test]
    fn nothing_that_a_terminal_would_obey_is_left() {
        assert_eq!(one_line("a\u{1b}[2Jb\r\nc\td"), "a\u{FFFD}[2Jb c d");
        assert_eq!(fold("a\u{9b}31mb\tc", 20), ["a\u{FFFD}31mb    c"]);
    }

    #[test]
    fn of_emoji_that_are_put_together_the_first_is_drawn() {
        assert_eq!(one_line("go 👩\u{200d}🚀 👩\u{200d} ☁\u{fe0f} 👍🏽 e\u{301} 🇫🇮"), "go 👩 👩 ☁ 👍 e\u{301} 🇫🇮");
        assert_eq!(flat("👩\u{200d}🚀\r\n☁\u{fe0f}"), "👩\u{200d}🚀 ☁\u{fe0f}");
    }

    proptest! {
        #[test]
        fn no_line_is_too_wide_and_no_word_is_lost(text in "[a-c 数据é\n👩‍🚀]{0,60}", columns in 2_usize..30) {
            let lines = fold(&text, columns);
            prop_assert!(lines.iter().all(|line| line.width() <= columns), "{lines:?}");
            let bare = |text: &str| text.split_whitespace().collect::<String>();
            prop_assert_eq!(bare(&lines.concat()), bare(&one_line(&text)));
        }
    }
}
