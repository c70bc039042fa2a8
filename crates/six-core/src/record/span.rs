//! Cited lines: how they are hashed, where they went, and whether a name occurs.

use std::iter;

use memchr::{memchr, memmem};
use sha2::{Digest as _, Sha256};

use crate::text::hex;

/// Letters and digits that lines need to be told from others: fewer are a brace, a `return;`, an `else`.
const TELLING_BYTES: usize = 12;

/// SHA-256 (hex) of a file, or of some of its lines (from 1, both ends included) without their line ends, so that a
/// checkout with other line ends is not a change. `None` if there are no such lines.
pub fn span_hash(bytes: &[u8], lines: Option<(u32, u32)>) -> Option<String> {
    let Some(lines) = lines else { return Some(hex(&Sha256::digest(bytes))) };
    let (start, count) = window(lines)?;
    let cited: Vec<&[u8]> = lines_of(bytes).skip(start).take(count).collect();
    (cited.len() == count).then(|| hash(&cited))
}

/// Lines of a text file; a last one without an end counts.
pub fn count_lines(bytes: &[u8]) -> usize {
    lines_of(bytes).count()
}

/// First and last line of the text that stood at `was` and has this [`span_hash`], if it stands elsewhere in the file:
/// the nearest such place. Text that could be any other (a brace) is not found. At most `most_bytes` are hashed, and none
/// after `is_over` says so.
pub fn find_span(
    bytes: &[u8],
    was: (u32, u32),
    wanted: &str,
    most_bytes: usize,
    is_over: &dyn Fn() -> bool,
) -> Option<(u32, u32)> {
    let (from, count) = window(was)?;
    let lines: Vec<&[u8]> = lines_of(bytes).collect();
    let last = lines.len().checked_sub(count)?;
    let mut left = most_bytes;
    for start in nearest_first(from.min(last), last) {
        let lines = lines.get(start..start + count)?;
        left = left.checked_sub(lines.iter().map(|line| line.len() + 1).sum())?;
        if hash(lines) == wanted {
            let first = u32::try_from(start).ok()?.checked_add(1)?;
            return if can_be_told(lines) { Some((first, first + (was.1 - was.0))) } else { None };
        }
        if is_over() {
            return None;
        }
    }
    None
}

/// Whether a name stands in a text as a word of its own: `send` does not stand in `resend` or `send_all`.
pub fn has_word(bytes: &[u8], name: &str) -> bool {
    let is_part = |byte: Option<&u8>| byte.is_some_and(|b| b.is_ascii_alphanumeric() || *b == b'_' || !b.is_ascii());
    let (begins, ends) = (is_part(name.as_bytes().first()), is_part(name.as_bytes().last()));
    let stands_alone = |at: usize| {
        let (before, after) = (at.checked_sub(1).and_then(|at| bytes.get(at)), bytes.get(at + name.len()));
        let goes_on = (begins && is_part(before)) || (ends && is_part(after));
        !goes_on
    };
    !name.is_empty() && memmem::find_iter(bytes, name).any(stands_alone)
}

/// Lines counted from 1 as a start counted from 0 and a number.
fn window((first, last): (u32, u32)) -> Option<(usize, usize)> {
    let count = usize::try_from(last.checked_sub(first)?).ok()?.checked_add(1)?;
    Some((usize::try_from(first.checked_sub(1)?).ok()?, count))
}

/// All of `0..=last`, those next to `from` first.
fn nearest_first(from: usize, last: usize) -> impl Iterator<Item = usize> {
    (0..=last)
        .flat_map(move |by| [from.checked_sub(by), from.checked_add(by).filter(|_| by > 0)])
        .flatten()
        .filter(move |start| *start <= last)
}

fn hash(lines: &[&[u8]]) -> String {
    let mut hasher = Sha256::new();
    for line in lines {
        hasher.update(line);
        hasher.update(b"\n");
    }
    hex(&hasher.finalize())
}

fn can_be_told(lines: &[&[u8]]) -> bool {
    let telling = lines.iter().flat_map(|line| line.iter()).filter(|b| b.is_ascii_alphanumeric() || !b.is_ascii());
    telling.take(TELLING_BYTES).count() == TELLING_BYTES
}

fn lines_of(bytes: &[u8]) -> impl Iterator<Item = &[u8]> {
    let mut rest = bytes;
    iter::from_fn(move || {
        let end = memchr(b'\n', rest).map_or(rest.len(), |at| at + 1);
        let (line, after) = rest.split_at_checked(end).filter(|(line, _)| !line.is_empty())?;
        rest = after;
        let line = line.strip_suffix(b"\n").unwrap_or(line);
        Some(line.strip_suffix(b"\r").unwrap_or(line))
    })
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    fn find(text: &str, was: (u32, u32), wanted: &str) -> Option<(u32, u32)> {
        find_span(text.as_bytes(), was, &span_hash(wanted.as_bytes(), Some((1, was.1 - was.0 + 1)))?, 1 << 20, &|| {
            false
        })
    }

    #[test]
    fn lines_are_hashed_without_their_ends() {
        let hash = |text: &str, lines| span_hash(text.as_bytes(), Some(lines));
        assert_eq!(hash("a\nb\nc", (2, 3)), hash("x\r\nb\r\nc\r\n", (2, 3)));
        assert_ne!(hash("a\nb", (1, 2)), hash("ab", (1, 1)));
        assert_eq!((hash("a\n", (2, 2)), hash("a\n", (0, 1)), hash("a\nb", (2, 1))), (None, None, None));
        assert_eq!(span_hash(b"", None).unwrap(), "e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855");
    }

    #[test]
    fn lines_that_moved_are_found_at_the_nearest_place() {
        let text = "let quorum = votes;\r\nx\nlet quorum = votes;\nx\nx\nlet quorum = votes;\n";
        assert_eq!(find(text, (4, 4), "let quorum = votes;"), Some((3, 3)));
        assert_eq!(find(text, (400, 400), "let quorum = votes;"), Some((6, 6)));
        assert_eq!(find(text, (1, 2), "let quorum = votes;\nlet quorum = votes;"), None);
        assert_eq!(find("", (1, 1), "let quorum = votes;"), None);
        assert_eq!(find(text, (u32::MAX, u32::MAX), "let quorum = votes;"), Some((6, 6)));
    }

    #[test]
    fn a_brace_is_not_taken_for_the_brace_that_was_cited() {
        assert_eq!(find("a\n    }\n", (1, 1), "    }"), None);
    }

    #[test]
    fn a_search_ends_when_its_bytes_or_its_time_are_used_up() {
        let text = "filler\n".repeat(1_000) + "let quorum = votes;\n";
        let wanted = span_hash(b"let quorum = votes;", Some((1, 1))).unwrap();
        let found = |bytes, is_over: &dyn Fn() -> bool| find_span(text.as_bytes(), (1, 1), &wanted, bytes, is_over);
        assert_eq!(found(1 << 20, &|| false), Some((1_001, 1_001)));
        assert_eq!((found(1_000, &|| false), found(1 << 20, &|| true)), (None, None));
    }

    #[test]
    fn a_name_is_a_word_of_its_own() {
        for (text, name, is_there) in [
            ("fn send(", "send", true),
            ("resend send_all sender", "send", false),
            ("resend, send", "send", true),
            ("größe", "gr", false),
            ("größe", "größe", true),
            ("a->b", "->", true),
            ("", "send", false),
            ("send", "", false),
        ] {
            assert_eq!(has_word(text.as_bytes(), name), is_there, "{name} in {text}");
        }
        assert!(has_word(b"\xff send \xfe", "send"));
    }

    proptest! {
        #[test]
        fn what_is_found_has_the_hash_that_was_looked_for(
            bytes in prop::collection::vec(prop_oneof![Just(b'\n'), Just(b'\r'), any::<u8>()], 0..200),
            first in 0_u32..12, more in 0_u32..4, at in 0_u32..12,
        ) {
            let was = (first, first + more);
            if let Some(wanted) = span_hash(&bytes, Some((at, at + more)))
                && let Some(found) = find_span(&bytes, was, &wanted, usize::MAX, &|| false)
            {
                prop_assert_eq!(span_hash(&bytes, Some(found)), Some(wanted));
            }
        }
    }
}
