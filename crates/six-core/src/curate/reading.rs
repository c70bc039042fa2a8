//! A sentence, read: its words in order and the phrases among them.

use std::ops::Range;

use super::cue::{BREAK, CueList, Cues, Found};
use crate::inject::OPAQUE;

/// Longest sentence that is read, in bytes; one beyond is a paste.
pub(super) const MAX_BYTES: usize = 1_500;

/// A sentence with its phrases.
#[derive(Debug)]
pub(super) struct Reading {
    /// Lower case, one blank between words, breaks as words; what is quoted within it as [`OPAQUE`].
    pub(super) text: String,
    /// For each byte of `text`, the byte of the sentence that it was made of; one more for the end.
    origin: Vec<usize>,
    /// Phrases from left to right.
    pub(super) found: Vec<Found>,
    /// Words, without breaks.
    pub(super) words: usize,
    /// Whether it ends with a mark of question.
    pub(super) asks: bool,
}

impl Reading {
    /// Reads a sentence in which quotations are masked.
    pub(super) fn of(sentence: &str, list: &CueList) -> Self {
        let (text, origin) = normalise(sentence);
        let text = list.spelling.simplified(&text).into_owned();
        let found = list.find(&text);
        let ends = sentence.trim_end_matches(|c: char| !c.is_alphanumeric() && !matches!(c, '?' | '？'));
        Self { words: count_words(&text, list.spaced), asks: ends.ends_with(['?', '？']), text, origin, found }
    }

    /// Whether any of its phrases does one of these.
    pub(super) fn has(&self, cues: Cues) -> bool {
        self.found.iter().any(|found| found.cues.any(cues))
    }

    /// The first phrase that does one of these.
    pub(super) fn first(&self, cues: Cues) -> Option<&Found> {
        self.found.iter().find(|found| found.cues.any(cues))
    }

    /// Bytes of the sentence for bytes of the text.
    pub(super) fn source(&self, range: Range<usize>) -> Range<usize> {
        let at = |byte: usize| self.origin.get(byte).or(self.origin.last()).copied().unwrap_or_default();
        let start = at(range.start);
        start..at(range.end).max(start)
    }

    /// The end of the clause that goes on at this byte of the text.
    pub(super) fn clause_end(&self, at: usize) -> usize {
        self.text.get(at..).and_then(|rest| rest.find(BREAK)).map_or(self.text.len(), |end| at + end)
    }

    /// Whether something is quoted or named as code.
    pub(super) fn quotes(&self) -> bool {
        self.text.contains(OPAQUE)
    }
}

fn count_words(text: &str, spaced: bool) -> usize {
    if spaced {
        text.split(' ').filter(|word| word.chars().any(char::is_alphanumeric)).count()
    } else {
        // Two characters are a word, roughly.
        text.chars().filter(|c| c.is_alphanumeric()).count() / 2
    }
}

/// Marks that part clauses wherever they stand, and those that do so only beside a blank.
const BREAKS: [char; 13] = ['(', ')', '[', ']', '，', '、', '：', '；', '—', '→', '（', '）', '…'];
const SPACED_BREAKS: [char; 6] = [',', ':', ';', '-', '–', '/'];

fn normalise(sentence: &str) -> (String, Vec<usize>) {
    let mut out = Normal { text: String::with_capacity(sentence.len()), origin: Vec::with_capacity(sentence.len()) };
    let mut chars = sentence.char_indices().peekable();
    let mut before = ' ';
    while let Some((at, c)) = chars.next() {
        let next = chars.peek().map_or(' ', |(_, next)| *next);
        let alone = next.is_whitespace() && (matches!(c, ',' | ':' | ';') || before.is_whitespace());
        if BREAKS.contains(&c) || (SPACED_BREAKS.contains(&c) && alone) {
            out.word_break(at);
        } else if c.is_whitespace() {
            out.blank(at);
        } else if c == OPAQUE {
            if !out.text.ends_with(OPAQUE) {
                out.push(at, c);
            }
        } else if c.is_alphanumeric() || is_inner(before, c, next) {
            let c = if c == '’' { '\'' } else { c };
            c.to_lowercase().for_each(|c| out.push(at, c));
        }
        before = c;
    }
    while out.text.ends_with([' ', BREAK]) {
        out.text.pop();
        out.origin.pop();
    }
    out.origin.push(sentence.len());
    (out.text, out.origin)
}

/// A mark within a word: `don't`, `token.rs`, `--flag`'s dash is none.
fn is_inner(before: char, c: char, next: char) -> bool {
    matches!(c, '\'' | '’' | '-' | '.' | '_' | '/' | ':' | '+' | '#' | '@')
        && before.is_alphanumeric()
        && next.is_alphanumeric()
}

struct Normal {
    text: String,
    origin: Vec<usize>,
}

impl Normal {
    fn push(&mut self, at: usize, c: char) {
        self.text.push(c);
        self.origin.resize(self.text.len(), at);
    }

    fn blank(&mut self, at: usize) {
        if !self.text.is_empty() && !self.text.ends_with(' ') {
            self.push(at, ' ');
        }
    }

    fn word_break(&mut self, at: usize) {
        self.blank(at);
        if !self.text.is_empty() && !self.text.trim_end().ends_with(BREAK) {
            self.push(at, BREAK);
            self.push(at, ' ');
        }
    }
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    #[test]
    fn words_stand_in_lower_case_with_breaks_between_clauses() {
        let (text, _) = normalise("No, don’t use  main.rs (or \0\0\0) - use --flag!");
        assert_eq!(text, "no \u{1} don't use main.rs \u{1} or \0 \u{1} use flag");
        let (text, _) = normalise("不用npm，改用pnpm。");
        assert_eq!(text, "不用npm \u{1} 改用pnpm");
    }

    proptest! {
        #[test]
        fn every_part_has_a_source(sentence in "(\\PC|İ|ß|，|, |\0){0,60}") {
            let (text, origin) = normalise(&sentence);
            prop_assert_eq!(origin.len(), text.len() + 1);
            prop_assert!(origin.is_sorted());
            for (at, _) in text.char_indices() {
                prop_assert!(sentence.is_char_boundary(origin[at]));
            }
        }
    }
}
