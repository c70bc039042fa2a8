//! Secrets in the headers of requests.

use std::ops::Range;

use super::placeholder::is_placeholder;
use super::prefilter::Hit;
use super::value::{Alphabet, has_letter_and_digit, look, looks_random, run_end, take};

/// The credentials of an `Authorization` header, whatever its scheme.
pub(super) fn authorization(hit: Hit<'_>) -> Option<Range<usize>> {
    const MIN: usize = 8;
    let rest = hit.text.get(hit.end..)?;
    let after_name = rest.trim_start_matches(['"', '\'', '\\', ']']);
    let value = skip_blanks(after_name).strip_prefix([':', '=', ','])?;
    let value = skip_blanks(value).trim_start_matches(['"', '\'', '`', '\\']);
    let start = hit.text.len() - value.len();
    let word = look(hit.text, start, Alphabet::Bearer);
    let after_scheme = skip_blanks(hit.text.get(word..)?);
    let second = hit.text.len() - after_scheme.len();
    let second_end = look(hit.text, second, Alphabet::Bearer);
    let is_scheme = second > word && hit.text.get(start..word)?.bytes().all(|b| b.is_ascii_alphabetic() || b == b'-');
    let range = if is_scheme { second..second_end } else { start..word };
    let credentials = hit.text.get(range.clone())?;
    let secret = credentials.len() >= MIN && looks_random(credentials) && !is_placeholder(credentials);
    let found = secret && (is_scheme || has_letter_and_digit(credentials));
    found.then(|| range.start..run_end(hit.text, range.end, Alphabet::Bearer))
}

/// A few blanks; more make a layout, not a header.
fn skip_blanks(text: &str) -> &str {
    const MAX_BLANKS: usize = 4;
    let blanks = text.bytes().take(MAX_BLANKS).take_while(|b| matches!(b, b' ' | b'\t')).count();
    text.get(blanks..).unwrap_or_default()
}

/// The token after the word `Bearer`.
pub(super) fn bearer(hit: Hit<'_>) -> Option<Range<usize>> {
    const MIN: usize = 16;
    let rest = hit.text.get(hit.end..)?;
    let after = rest.strip_prefix("%20").unwrap_or_else(|| skip_blanks(rest));
    let start = hit.text.len() - after.len();
    let end = look(hit.text, start, Alphabet::Bearer);
    let token = hit.text.get(start..end)?;
    let secret = start > hit.end && token.len() >= MIN && has_letter_and_digit(token) && !is_placeholder(token);
    secret.then(|| start..run_end(hit.text, end, Alphabet::Bearer))
}

/// The values of a `Cookie` header, from the first to the last that is drawn at random: who has them is logged in.
pub(super) fn cookie(hit: Hit<'_>) -> Option<Range<usize>> {
    const MAX_HEADER: usize = 4096;
    const MIN: usize = 16;
    let rest = hit.text.get(hit.end..)?;
    let after_name = rest.trim_start_matches(['"', '\'', '\\']);
    let value = skip_blanks(after_name).strip_prefix([':', '='])?;
    let start = hit.text.len() - value.len();
    let is_inside = |b: u8| !matches!(b, b'\n' | b'"' | b'\'' | b'`' | b'\\' | b'<' | b'>');
    let end = start + take(value.as_bytes(), 0, MAX_HEADER, is_inside);
    let mut found: Option<Range<usize>> = None;
    let mut at = start;
    for pair in hit.text.get(start..end)?.split_inclusive([';', ' ']) {
        if let Some((name, value)) = pair.split_once('=') {
            let value = value.trim_end_matches([';', ' ']);
            if value.len() >= MIN && has_letter_and_digit(value) && !is_placeholder(value) {
                let first = at + name.len() + 1;
                let begin = found.map_or(first, |found| found.start);
                found = Some(begin..first + value.len());
            }
        }
        at += pair.len();
    }
    found
}
