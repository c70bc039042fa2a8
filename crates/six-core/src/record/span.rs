//! Cited lines: how they are hashed, where they went, and whether a name occurs.

use std::iter;

use memchr::{memchr, memmem};
use sha2::{Digest as _, Sha256};

use crate::text::hex;

/// Letters and digits that lines need to be told from others: fewer are a brace, a `return;`, an `else`.
const TELLING_BYTES: usize = 12;

/// Hex digits of a SHA-256.
const SHA_DIGITS: usize = 64;

/// SHA-256 (hex) of a file, or of some of its lines (from 1, both ends included) without their line ends, so that a
/// checkout with other line ends is not a change. `None` if there are no such lines.
///
/// That of lines is followed by sixteen digits of their rolling sum, by which [`find_span`] passes over other lines.
pub fn span_hash(bytes: &[u8], lines: Option<(u32, u32)>) -> Option<String> {
    let Some(lines) = lines else { return Some(hex(&Sha256::digest(bytes))) };
    let (start, count) = window(lines)?;
    let cited: Vec<&[u8]> = lines_of(bytes).skip(start).take(count).collect();
    (cited.len() == count).then(|| hash(&cited) + &digits(cited.iter().fold(0, |sum, line| roll(sum, line_sum(line)))))
}

/// Lines of a text file; a last one without an end counts.
pub fn count_lines(bytes: &[u8]) -> usize {
    lines_of(bytes).count()
}

/// First and last line of the text that stood at `was` and has this [`span_hash`], if it stands elsewhere in the file:
/// the nearest such place. Text that could be any other (a brace) is not found. The cost is that of reading the file.
pub fn find_span(bytes: &[u8], was: (u32, u32), wanted: &str) -> Option<(u32, u32)> {
    let (from, count) = window(was)?;
    let (wanted, sum) = wanted.split_at_checked(SHA_DIGITS)?;
    let lines: Vec<&[u8]> = lines_of(bytes).collect();
    let mut starts = starts_like(&lines, count, u64::from_str_radix(sum, 16).ok()?);
    starts.sort_by_key(|start| start.abs_diff(from));
    let (start, found) = starts
        .into_iter()
        .filter_map(|start| Some((start, lines.get(start..start + count)?)))
        .find(|(_, found)| hash(found) == wanted)?;
    let first = u32::try_from(start).ok()?.checked_add(1)?;
    can_be_told(found).then_some((first, first + (was.1 - was.0)))
}

/// Where windows of `count` lines begin whose rolling sum is the wanted one.
fn starts_like(lines: &[&[u8]], count: usize, wanted: u64) -> Vec<usize> {
    let sums: Vec<u64> = lines.iter().map(|line| line_sum(line)).collect();
    // What the line that leaves the window weighs by then.
    let leaving = (0..count.min(sums.len())).fold(1_u64, |weight, _| weight.wrapping_mul(BASE));
    let (mut sum, mut starts) = (0, Vec::new());
    for (at, line) in sums.iter().enumerate() {
        sum = roll(sum, *line);
        if let Some(gone) = at.checked_sub(count).and_then(|gone| sums.get(gone)) {
            sum = sum.wrapping_sub(gone.wrapping_mul(leaving));
        }
        if let Some(start) = (at + 1).checked_sub(count)
            && sum == wanted
        {
            starts.push(start);
        }
    }
    starts
}

/// An odd number with bits everywhere: the golden ratio as a fraction of 2^64.
const BASE: u64 = 0x9e37_79b9_7f4a_7c15;

/// The sum of lines with one more: a polynomial, so that a window can be moved by a line at the cost of one.
const fn roll(sum: u64, line: u64) -> u64 {
    sum.wrapping_mul(BASE).wrapping_add(line)
}

/// FNV-1a: it only has to tell lines apart, SHA-256 decides.
fn line_sum(line: &[u8]) -> u64 {
    line.iter().fold(0xcbf2_9ce4_8422_2325, |sum, byte| (sum ^ u64::from(*byte)).wrapping_mul(0x0100_0000_01b3))
}

fn digits(sum: u64) -> String {
    hex(&sum.to_be_bytes())
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
        find_span(text.as_bytes(), was, &span_hash(wanted.as_bytes(), Some((1, was.1 - was.0 + 1)))?)
    }

    #[test]
    fn lines_are_hashed_without_their_ends() {
        let hash = |text: &str, lines| span_hash(text.as_bytes(), Some(lines));
        assert_eq!(hash("a\nb\nc", (2, 3)), hash("x\r\nb\r\nc\r\n", (2, 3)));
        assert_ne!(hash("a\nb", (1, 2)), hash("ab", (1, 1)));
        assert_eq!((hash("a\n", (2, 2)), hash("a\n", (0, 1)), hash("a\nb", (2, 1))), (None, None, None));
        assert_eq!(hash("a", (1, 1)).unwrap().len(), 80);
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
    fn lines_in_another_order_are_others() {
        let (one, two) = ("let quorum = votes;", "let berth = quay(votes);");
        assert_eq!(find(&format!("{one}\n{two}\n{one}\n"), (9, 10), &format!("{two}\n{one}")), Some((2, 3)));
        assert_eq!(find(&format!("{one}\n{two}\n"), (9, 10), &format!("{two}\n{one}")), None);
        assert_eq!(find_span(one.as_bytes(), (1, 1), "0123"), None);
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
        fn what_stands_in_a_file_is_found_wherever_it_was(
            before in prop::collection::vec("[a-c]{0,3}", 0..12), after in prop::collection::vec("[a-c]{0,3}", 0..12),
            was in 1_u32..30,
        ) {
            let cited = ["let quorum = votes;", "", "}"];
            let lines: Vec<&str> = before.iter().map(String::as_str).chain(cited).chain(after.iter().map(String::as_str)).collect();
            let first = u32::try_from(before.len()).unwrap() + 1;
            prop_assert_eq!(find(&lines.join("\n"), (was, was + 2), &cited.join("\n")), Some((first, first + 2)));
        }

        #[test]
        fn what_is_found_has_the_hash_that_was_looked_for(
            bytes in prop::collection::vec(prop_oneof![Just(b'\n'), Just(b'\r'), any::<u8>()], 0..200),
            first in 0_u32..12, more in 0_u32..4, at in 0_u32..12,
        ) {
            let was = (first, first + more);
            if let Some(wanted) = span_hash(&bytes, Some((at, at + more)))
                && let Some(found) = find_span(&bytes, was, &wanted)
            {
                prop_assert_eq!(span_hash(&bytes, Some(found)), Some(wanted));
            }
        }
    }
}
