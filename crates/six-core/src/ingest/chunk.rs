//! Windows: a long text in overlapping pieces that each say something by themselves.

use std::ops::Range;

use crate::record::Chunk;
use crate::text::Redacted;

/// Longest window, in characters: about 300 tokens, so that a window fits the embedding model whole and a hit points at
/// a paragraph rather than at a page.
pub const WINDOW_CHARS: usize = 1200;

/// How many characters of a window the next one repeats, so that a statement on the border is whole in one of them.
pub const OVERLAP_CHARS: usize = 150;

/// A window ends at a sentence in its last third, or else at a blank there, or else where it is full.
const SEARCH_CHARS: usize = WINDOW_CHARS / 3;

/// Byte ranges of the windows of `text`, in order, at character boundaries. Together they cover all of it that is not
/// blank; a text that fits is one window; a blank text has none.
pub fn windows(text: &str) -> Vec<Range<usize>> {
    let mut windows = Vec::new();
    let mut start = skip_blank(text, 0);
    while start < text.len() {
        let end = window_end(text, start);
        let trimmed = start + text.get(start..end).unwrap_or_default().trim_end().len();
        windows.push(start..trimmed);
        let after = skip_blank(text, end);
        if after >= text.len() {
            break;
        }
        let next = overlap_start(text, start, end);
        start = if next > start { next } else { after };
    }
    windows
}

/// [`windows`] of a message or a commit, where line numbers mean nothing and the entry's title says it all.
pub(super) fn chunks_of(text: &Redacted) -> Vec<Chunk> {
    windows(text.as_str()).into_iter().map(|range| Chunk { range, lines: None, title: Redacted::literal("") }).collect()
}

/// Where the window that starts at `start` ends.
fn window_end(text: &str, start: usize) -> usize {
    let rest = text.get(start..).unwrap_or_default();
    let Some((full, _)) = rest.char_indices().nth(WINDOW_CHARS) else { return text.len() };
    let window = rest.get(..full).unwrap_or_default();
    let earliest = back(window, SEARCH_CHARS);
    let mut blank = None;
    let mut later: Option<char> = rest.get(full..).and_then(|after| after.chars().next());
    for (at, c) in window.char_indices().rev().take_while(|(at, _)| *at >= earliest) {
        let end = at + c.len_utf8();
        if ends_sentence(c, later) {
            return start + end;
        }
        if blank.is_none() && c.is_whitespace() {
            blank = Some(end);
        }
        later = Some(c);
    }
    start + blank.unwrap_or(full)
}

/// Whether a sentence or a line ends with `c`, given the character after it.
fn ends_sentence(c: char, later: Option<char>) -> bool {
    match c {
        '\n' | '。' | '！' | '？' | '।' | '؟' => true,
        '.' | '!' | '?' | ';' | ':' => later.is_none_or(char::is_whitespace),
        _ => false,
    }
}

/// Where the window after `start..end` starts: the first word or sentence within the overlap.
fn overlap_start(text: &str, start: usize, end: usize) -> usize {
    let window = text.get(start..end).unwrap_or_default();
    let from = back(window, OVERLAP_CHARS);
    let overlap = window.get(from..).unwrap_or_default();
    let sentence =
        overlap.char_indices().zip(overlap.chars().skip(1)).find(|((_, c), next)| ends_sentence(*c, Some(*next)));
    let cut = match sentence {
        Some(((at, c), _)) => at + c.len_utf8(),
        None => overlap.find(char::is_whitespace).unwrap_or(0),
    };
    skip_blank(text, start + from + cut)
}

/// The byte at which the last `chars` characters of `text` begin.
fn back(text: &str, chars: usize) -> usize {
    text.char_indices().rev().nth(chars.saturating_sub(1)).map_or(0, |(at, _)| at)
}

fn skip_blank(text: &str, at: usize) -> usize {
    let rest = text.get(at..).unwrap_or_default();
    at + (rest.len() - rest.trim_start().len())
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    #[test]
    fn a_short_text_is_one_window_and_a_blank_one_none() {
        assert_eq!(windows(" Use pnpm.\n"), vec![1..10]);
        assert_eq!(windows(" \n\t "), Vec::<Range<usize>>::new());
        assert_eq!(windows(""), Vec::<Range<usize>>::new());
    }

    #[test]
    fn windows_end_at_sentences_and_overlap() {
        let text = "The counter lives in the database and never in memory. ".repeat(60);
        let windows = windows(&text);
        assert!(windows.len() > 2);
        for window in &windows {
            assert!(text[window.clone()].starts_with("The counter"), "{window:?}");
            assert!(text[window.clone()].ends_with("in memory."), "{window:?}");
        }
        for pair in windows.windows(2) {
            assert!(pair[1].start < pair[0].end, "no overlap: {pair:?}");
        }
    }

    #[test]
    fn a_text_without_blanks_is_cut_all_the_same() {
        let text = "部".repeat(5000);
        let windows = windows(&text);
        assert!(windows.iter().all(|w| text[w.clone()].chars().count() <= WINDOW_CHARS));
        assert_eq!(windows.last().unwrap().end, text.len());
    }

    proptest! {
        #[test]
        fn windows_cover_what_is_not_blank(text in r"([a-z]{1,40}|[.!?] |\n|  |部署。|👨‍👩‍👧|é){0,900}") {
            let windows = windows(&text);
            let mut covered = 0;
            for window in &windows {
                let piece = text.get(window.clone());
                prop_assert!(piece.is_some_and(|p| !p.trim().is_empty() && p.chars().count() <= WINDOW_CHARS));
                if window.start > covered {
                    prop_assert!(text[covered..window.start].trim().is_empty());
                }
                prop_assert!(window.end > covered);
                covered = window.end;
            }
            prop_assert!(text[covered..].trim().is_empty());
        }
    }
}
