//! A line of text that is being typed.

use unicode_segmentation::UnicodeSegmentation;
use unicode_width::UnicodeWidthStr;

use super::keys::Key;
use super::width::{drawn, flat};

/// The text before and after the cursor.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub(super) struct Line {
    before: String,
    after: String,
}

impl Line {
    /// A text with the cursor behind it.
    pub(super) fn of(text: &str) -> Self {
        Self { before: flat(text), after: String::new() }
    }

    /// What has been typed.
    pub(super) fn text(&self) -> String {
        format!("{}{}", self.before, self.after)
    }

    /// Does what the key says; answers whether the text is another one now.
    pub(super) fn press(&mut self, key: Key) -> bool {
        let length = self.before.len() + self.after.len();
        match key {
            Key::Char(c) => self.insert(c.encode_utf8(&mut [0; 4])),
            Key::Left => self.move_left(last_grapheme(&self.before)),
            Key::Right => self.move_right(first_grapheme(&self.after)),
            Key::WordLeft => self.move_left(last_word(&self.before)),
            Key::WordRight => self.move_right(first_word(&self.after)),
            Key::Home => self.move_left(self.before.len()),
            Key::End => self.move_right(self.after.len()),
            Key::Backspace => self.drop_before(last_grapheme(&self.before)),
            Key::DeleteWord => self.drop_before(last_word(&self.before)),
            Key::DeleteBefore => self.before.clear(),
            Key::Delete => drop(self.after.drain(..first_grapheme(&self.after))),
            Key::DeleteAfter => self.after.clear(),
            _ => {}
        }
        length != self.before.len() + self.after.len()
    }

    /// Puts a text where the cursor is: line ends and tabs become blanks, controls become visible.
    pub(super) fn insert(&mut self, text: &str) {
        let clean = flat(text);
        match clean.as_str() {
            "" if text.contains(' ') => self.before.push(' '),
            clean => self.before.push_str(clean),
        }
    }

    /// What is seen of it in `columns` columns, and in which of them the cursor stands.
    pub(super) fn window(&self, columns: usize) -> (String, usize) {
        let room = columns.saturating_sub(1);
        let (mut seen, mut width) = (Vec::new(), 0);
        for piece in self.before.graphemes(true).map(drawn).rev() {
            if width + piece.width() > room {
                break;
            }
            width += piece.width();
            seen.push(piece);
        }
        seen.reverse();
        let cursor = width;
        for piece in self.after.graphemes(true).map(drawn) {
            if width + piece.width() > columns {
                break;
            }
            width += piece.width();
            seen.push(piece);
        }
        (seen.concat(), cursor)
    }

    fn move_left(&mut self, bytes: usize) {
        let moved = self.before.split_off(self.before.len().saturating_sub(bytes));
        self.after.insert_str(0, &moved);
    }

    fn move_right(&mut self, bytes: usize) {
        self.before.extend(self.after.drain(..bytes));
    }

    fn drop_before(&mut self, bytes: usize) {
        self.before.truncate(self.before.len().saturating_sub(bytes));
    }
}

fn last_grapheme(text: &str) -> usize {
    text.graphemes(true).next_back().map_or(0, str::len)
}

fn first_grapheme(text: &str) -> usize {
    text.graphemes(true).next().map_or(0, str::len)
}

/// Bytes of the last word with the blanks behind it.
fn last_word(text: &str) -> usize {
    let word = text.trim_end().split_word_bounds().next_back().map_or(0, str::len);
    word + text.len() - text.trim_end().len()
}

/// Bytes of the first word with the blanks before it.
fn first_word(text: &str) -> usize {
    let word = text.trim_start().split_word_bounds().next().map_or(0, str::len);
    word + text.len() - text.trim_start().len()
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    fn pressed(text: &str, keys: &[Key]) -> Line {
        let mut line = Line::of(text);
        for key in keys {
            line.press(*key);
        }
        line
    }

    #[test]
    fn what_is_typed_goes_where_the_cursor_is() {
        let line = pressed("ab", &[Key::Left, Key::Char('数'), Key::Char(' '), Key::Home, Key::Char('x'), Key::End]);
        assert_eq!(line, Line { before: "xa数 b".into(), after: String::new() });
    }

    #[test]
    fn a_visible_character_is_deleted_whole() {
        assert_eq!(pressed("go 👩\u{200d}🚀", &[Key::Backspace]).text(), "go ");
        assert_eq!(pressed("数据", &[Key::Home, Key::Delete]).text(), "据");
        assert_eq!(pressed("e\u{301}", &[Key::Left, Key::Delete]).text(), "");
    }

    #[test]
    fn a_word_is_deleted_with_the_blanks_behind_it() {
        assert_eq!(pressed("keep the log  ", &[Key::DeleteWord]).text(), "keep the ");
        assert_eq!(pressed("keep the log", &[Key::WordLeft, Key::WordLeft, Key::DeleteWord]).text(), "the log");
        assert_eq!(pressed("one two", &[Key::WordLeft, Key::DeleteBefore]).text(), "two");
        assert_eq!(pressed("one two", &[Key::WordLeft, Key::DeleteAfter]).text(), "one ");
        assert_eq!(pressed("one two", &[Key::Home, Key::WordRight, Key::DeleteAfter]).text(), "one");
    }

    #[test]
    fn a_paste_of_several_lines_stays_on_one() {
        let mut line = Line::of("a");
        line.press(Key::Char(' '));
        line.insert("b\r\nc\td\u{1b}[2J");
        assert_eq!(line.text(), "a b c d\u{FFFD}[2J");
    }

    #[test]
    fn the_cursor_is_always_in_sight() {
        let line = pressed("数据库迁移", &[]);
        assert_eq!(line.window(7), ("库迁移".into(), 6));
        assert_eq!(pressed("数据库迁移", &[Key::Home]).window(7), ("数据库".into(), 0));
    }

    proptest! {
        #[test]
        fn no_key_breaks_a_line(text in "[a 数é👩‍🚀\u{301}]{0,20}", presses in prop::collection::vec(0_usize..12, 0..40)) {
            let keys = [
                Key::Left, Key::Right, Key::WordLeft, Key::WordRight, Key::Home, Key::End, Key::Backspace, Key::Delete,
                Key::DeleteWord, Key::DeleteAfter, Key::Char('数'), Key::Char('\u{301}'),
            ];
            let mut line = Line::of(&text);
            for press in presses {
                line.press(keys[press]);
                let (seen, cursor) = line.window(9);
                prop_assert!(cursor < 9 && seen.width() <= 9, "{line:?}");
            }
        }
    }
}
