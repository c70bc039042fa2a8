//! Keys that begin with a literal of their vendor.

use std::ops::Range;

use super::placeholder::is_placeholder;
use super::prefilter::Hit;
use super::value::{
    Alphabet, has_letter_and_digit, is_blank, look, looks_random, run_end, starts_token, take, take_back,
};

/// The key may have any length.
pub(super) const ANY: usize = usize::MAX;

/// The key at `hit`: the literal as it is spelled, then `min` to `max` characters of the alphabet.
pub(super) fn find_key(hit: Hit<'_>, of: Alphabet, min: usize, max: usize) -> Option<Range<usize>> {
    if !hit.is_exact() || !(starts_token(hit.text, hit.start) || is_part_of_name(hit)) {
        return None;
    }
    let end = look(hit.text, hit.end, of);
    let end = wrapped_end(hit, end, of, min, max).unwrap_or(end);
    let key = hit.text.get(hit.end..end)?;
    let fits = (min..=max).contains(&key.bytes().filter(|b| of.contains(*b)).count());
    (fits && looks_random(key) && !is_placeholder(key)).then(|| hit.start..run_end(hit.text, end, of))
}

/// Whether an unmistakable literal stands behind a joint, as in the name of a branch or a file. Short ones are also ends
/// and middles of names: `col-md-`, `on-disk-`.
fn is_part_of_name(hit: Hit<'_>) -> bool {
    const UNMISTAKABLE: usize = 4;
    let joint = hit.start.checked_sub(1).and_then(|before| hit.text.as_bytes().get(before));
    hit.literal.len() >= UNMISTAKABLE && matches!(joint, Some(b'-' | b'_'))
}

/// Where a key ends that a terminal or a mail broke over lines: it was too short as it stood, or the line was as wide as a
/// screen, and what begins the next line looks drawn.
fn wrapped_end(hit: Hit<'_>, first_end: usize, of: Alphabet, min: usize, max: usize) -> Option<usize> {
    const LINES: usize = 4;
    const FIRST: usize = 8;
    const WIDE: usize = 60;
    let bytes = hit.text.as_bytes();
    let mut end = first_end;
    let mut length = first_end - hit.end;
    for _ in 0..LINES {
        let wide = take_back(bytes, end, WIDE, |b| b != b'\n') == WIDE;
        if length < FIRST || length >= max || !(length < min || wide) {
            break;
        }
        let Some(start) = next_line(bytes, end) else { break };
        let more = look(hit.text, start, of);
        let part = hit.text.get(start..more)?;
        let goes_on = part.len() >= 4 && has_letter_and_digit(part) && !part.contains(['-', '_'])
            || part.len() >= 16 && looks_random(part);
        if !goes_on || part.len() > max - length {
            break;
        }
        length += part.len();
        end = more;
    }
    (end > first_end && length >= min).then_some(end)
}

/// Where the next line begins, if the line ends at byte `end`.
fn next_line(bytes: &[u8], end: usize) -> Option<usize> {
    const INDENT: usize = 8;
    let skip = match bytes.get(end..)? {
        [b'\n', ..] => 1,
        [b'\\', b'n' | b'\n', ..] => 2,
        _ => return None,
    };
    let start = end + skip;
    Some(start + take(bytes, start, INDENT, is_blank))
}
