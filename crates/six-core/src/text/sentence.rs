//! Sentences as people write them in prompts and documents.

use std::borrow::Cow;
use std::ops::Range;

use unicode_segmentation::UnicodeSegmentation;

/// A line at least this long (bytes) may have been wrapped by an editor, so that its sentence goes on in the next.
const WRAPPED_BYTES: usize = 60;

/// Byte ranges of the sentences of `text`, in order, without the blanks, bullets and heading marks round them.
///
/// Boundaries are those of Unicode (UAX 29) inside a paragraph. A line ends a sentence too, unless it is long and the
/// next one goes on in lower case: prompts are written line by line, documents are wrapped.
pub fn sentences(text: &str) -> impl Iterator<Item = Range<usize>> + '_ {
    paragraphs(text).flat_map(move |paragraph| {
        let body = text.get(paragraph.clone()).unwrap_or_default();
        // UAX 29 ends a sentence at every newline; a blank of the same width keeps the offsets.
        let body = if body.contains('\n') { Cow::Owned(body.replace(['\n', '\r'], " ")) } else { Cow::Borrowed(body) };
        let bounds: Vec<_> = body
            .split_sentence_bound_indices()
            .map(|(at, sentence)| {
                let start = paragraph.start + at + (sentence.len() - sentence.trim_start().len());
                start..start + sentence.trim().len()
            })
            .filter(|range| !range.is_empty())
            .collect();
        bounds
    })
}

/// Lines joined where an editor has wrapped them.
fn paragraphs(text: &str) -> impl Iterator<Item = Range<usize>> + '_ {
    let mut lines = lines(text).peekable();
    std::iter::from_fn(move || {
        let mut paragraph = lines.next()?;
        let mut last = paragraph.clone();
        while let Some(next) = lines.next_if(|next| goes_on(text, &last, next)) {
            paragraph.end = next.end;
            last = next;
        }
        Some(paragraph)
    })
}

fn goes_on(text: &str, line: &Range<usize>, next: &Range<usize>) -> bool {
    let starts_lower = text.get(next.clone()).and_then(|l| l.chars().next()).is_some_and(char::is_lowercase);
    let only_blanks_between = text.get(line.end..next.start).is_some_and(|gap| gap.trim().is_empty());
    let adjacent = text.get(line.end..next.start).is_some_and(|gap| gap.matches('\n').count() == 1);
    line.len() >= WRAPPED_BYTES && starts_lower && only_blanks_between && adjacent
}

/// Lines without marks, indent and trailing blanks; empty ones are left out.
fn lines(text: &str) -> impl Iterator<Item = Range<usize>> + '_ {
    let mut start = 0;
    text.split('\n').filter_map(move |line| {
        let body = without_mark(line);
        let from = start + (line.len() - body.len());
        start += line.len() + 1;
        let body = body.trim_end();
        (!body.is_empty()).then_some(from..from + body.len())
    })
}

/// The line after its quote marks, heading marks, bullet or number.
fn without_mark(line: &str) -> &str {
    let mut rest = line.trim_start();
    while let Some(quoted) = rest.strip_prefix('>') {
        rest = quoted.trim_start();
    }
    let unmarked = rest.trim_start_matches('#');
    if unmarked.len() < rest.len() && unmarked.starts_with(' ') {
        return unmarked.trim_start();
    }
    for bullet in ["- [ ] ", "- [x] ", "- ", "* ", "+ ", "• ", "– "] {
        if let Some(item) = rest.strip_prefix(bullet) {
            return item.trim_start();
        }
    }
    let after_number = rest.trim_start_matches(|c: char| c.is_ascii_digit());
    if (1..=3).contains(&(rest.len() - after_number.len())) {
        for end in [". ", ") "] {
            if let Some(item) = after_number.strip_prefix(end) {
                return item.trim_start();
            }
        }
    }
    rest
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    fn split(text: &str) -> Vec<&str> {
        sentences(text).map(|range| &text[range]).collect()
    }

    #[test]
    fn full_stops_end_sentences_and_abbreviations_do_not() {
        assert_eq!(
            split("No, use pnpm. Not npm, e.g. in CI! See v1.2.3 of foo.rs? Yes"),
            ["No, use pnpm.", "Not npm, e.g. in CI!", "See v1.2.3 of foo.rs?", "Yes"]
        );
    }

    #[test]
    fn bullets_and_headings_are_sentences_without_their_marks() {
        assert_eq!(
            split("# Plan\r\n\r\n- first thing\n  * second thing\n2. third thing\n> quoted\n- [x] done\n\n---\n"),
            ["Plan", "first thing", "second thing", "third thing", "quoted", "done", "---"]
        );
    }

    #[test]
    fn a_wrapped_line_goes_on_and_a_short_one_does_not() {
        let wrapped = "We decided to keep the write-ahead log because the readers of it\nmust never wait. Done.";
        assert_eq!(split(wrapped).len(), 2);
        assert_eq!(split("use pnpm\nnot npm"), ["use pnpm", "not npm"]);
    }

    #[test]
    fn chinese_and_japanese_stops_end_sentences() {
        assert_eq!(split("部署方案决定用 SQLite。不用 Redis！"), ["部署方案决定用 SQLite。", "不用 Redis！"]);
    }

    #[test]
    fn a_long_text_takes_linear_time() {
        for unit in ["a.", "a. ", "\n", "- ", "1. ", ">", "aaaa ", "?!"] {
            let text = unit.repeat(200_000 / unit.len());
            assert!(sentences(&text).count() <= text.len(), "{unit:?}");
        }
    }

    proptest! {
        #[test]
        fn ranges_are_ordered_trimmed_and_valid(text in any::<String>()) {
            let mut last = 0;
            for range in sentences(&text) {
                prop_assert!(range.start >= last);
                last = range.end;
                let sentence = text.get(range);
                prop_assert!(sentence.is_some_and(|s| !s.is_empty() && s.trim() == s));
            }
        }
    }
}
