use std::collections::BTreeMap;
use std::ops::Range;

use serde::Serialize;

use super::QueryTerm;
use crate::text::{printable, tokens};

/// A piece of a text round what was searched for.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
pub struct Snippet {
    /// Printable; `…` where something was left out.
    pub text: String,
    /// Where the terms are: byte ranges into `text`, ascending, at character boundaries.
    pub marks: Vec<Range<usize>>,
}

const ELLIPSIS: char = '…';

/// Cuts at most `max_chars` characters out of a text, round the window that holds most distinct terms (then most
/// matches, then the earliest one). Without any match it is the text's beginning. 400 is what a result shows.
pub fn snippet(text: &str, terms: &[QueryTerm], max_chars: usize) -> Snippet {
    let clean = printable(text);
    let bounds: Vec<usize> = clean.char_indices().map(|(at, _)| at).chain([clean.len()]).collect();
    let matches = matches(&clean, terms, &bounds);
    let chars = bounds.len().saturating_sub(1);
    let window = if chars <= max_chars {
        0..chars
    } else {
        // Two characters are kept for the marks of omission.
        place(&densest(&matches, max_chars.saturating_sub(2)), chars, max_chars.saturating_sub(2))
    };
    let byte = |char: usize| bounds.get(char).copied().unwrap_or(clean.len());
    let (start, end) = (byte(window.start), byte(window.end));
    let mut out = String::with_capacity(end - start + 6);
    if start > 0 && max_chars > 1 {
        out.push(ELLIPSIS);
    }
    let shift = out.len();
    out.push_str(clean.get(start..end).unwrap_or_default());
    if end < clean.len() && max_chars > 0 {
        out.push(ELLIPSIS);
    }
    let marks = matches
        .iter()
        .map(|m| byte(m.chars.start)..byte(m.chars.end))
        .filter(|m| m.start >= start && m.end <= end)
        .map(|m| m.start - start + shift..m.end - start + shift);
    Snippet { marks: merged(marks), text: out }
}

struct Match {
    term: usize,
    chars: Range<usize>,
}

fn matches(text: &str, terms: &[QueryTerm], bounds: &[usize]) -> Vec<Match> {
    let wanted: BTreeMap<&str, usize> = terms.iter().enumerate().map(|(n, term)| (term.0.as_str(), n)).collect();
    let char = |byte: usize| bounds.binary_search(&byte).ok();
    let mut found: Vec<Match> = tokens(text)
        .into_iter()
        .filter_map(|token| {
            let term = *wanted.get(token.term.as_str())?;
            Some(Match { term, chars: char(token.start)?..char(token.end)? })
        })
        .collect();
    found.sort_by_key(|m| (m.chars.start, m.chars.end));
    found
}

/// The span of the matches that are best shown together.
fn densest(matches: &[Match], room: usize) -> Range<usize> {
    let mut counts: BTreeMap<usize, usize> = BTreeMap::new();
    let mut best = ((0, 0), 0..0);
    let mut first = 0;
    for (last, right) in matches.iter().enumerate() {
        *counts.entry(right.term).or_default() += 1;
        while let Some(left) =
            matches.get(first).filter(|left| right.chars.end - left.chars.start > room && first < last)
        {
            if let Some(count) = counts.get_mut(&left.term) {
                *count -= 1;
                if *count == 0 {
                    counts.remove(&left.term);
                }
            }
            first += 1;
        }
        let score = (counts.len(), last + 1 - first);
        if score > best.0 {
            let start = matches.get(first).map_or(0, |left| left.chars.start);
            best = (score, start..right.chars.end);
        }
    }
    best.1
}

/// A window of `room` characters with the span in its middle, inside the text.
fn place(span: &Range<usize>, chars: usize, room: usize) -> Range<usize> {
    let spare = room.saturating_sub(span.len());
    let start = span.start.saturating_sub(spare / 2).min(chars.saturating_sub(room));
    start..(start + room).min(chars)
}

/// An identifier and its parts are all terms: ranges that touch or overlap become one.
fn merged(marks: impl Iterator<Item = Range<usize>>) -> Vec<Range<usize>> {
    let mut out: Vec<Range<usize>> = Vec::new();
    for mark in marks {
        match out.last_mut() {
            Some(last) if mark.start <= last.end => last.end = last.end.max(mark.end),
            _ => out.push(mark),
        }
    }
    out
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;
    use crate::record::UnixMs;
    use crate::search::{Filter, parse_query};

    fn cut(text: &str, query: &str, max: usize) -> Snippet {
        snippet(text, &parse_query(query, Filter::default(), 1, UnixMs(0)).terms, max)
    }

    #[test]
    fn a_short_text_is_shown_whole_with_its_matches() {
        let found = cut("retry the upload twice", "upload retry", 400);
        assert_eq!(found.text, "retry the upload twice");
        let marked: Vec<&str> = found.marks.iter().map(|m| &found.text[m.clone()]).collect();
        assert_eq!(marked, ["retry", "upload"]);
    }

    #[test]
    fn the_window_goes_where_most_different_words_stand() {
        let text =
            format!("{} alpha alpha alpha {} alpha beta {}", "x ".repeat(200), "y ".repeat(200), "z ".repeat(200));
        let found = cut(&text, "alpha beta", 60);
        assert!(found.text.contains("alpha beta"), "{}", found.text);
        assert!(found.text.starts_with('…') && found.text.ends_with('…'));
        assert!(found.text.chars().count() <= 60);
    }

    #[test]
    fn without_a_match_it_is_the_beginning() {
        let found = cut(&"word ".repeat(200), "nothing", 20);
        assert!(found.text.starts_with("word word"), "{}", found.text);
        assert!(found.marks.is_empty());
    }

    #[test]
    fn terminal_sequences_do_not_reach_the_reader() {
        assert!(!cut("red \u{1b}[31malert\u{7}", "alert", 400).text.contains(['\u{1b}', '\u{7}']));
    }

    proptest! {
        #[test]
        fn every_cut_is_valid_and_within_its_size(text in "(\\PC|\n){0,300}", query in "\\PC{0,20}", max in 0_usize..80) {
            let found = cut(&text, &query, max);
            prop_assert!(found.text.chars().count() <= max);
            for mark in &found.marks {
                prop_assert!(found.text.get(mark.clone()).is_some_and(|t| !t.is_empty()));
            }
        }
    }
}
