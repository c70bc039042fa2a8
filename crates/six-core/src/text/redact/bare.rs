//! Keys that nothing gives away but that they look drawn at random.
//!
//! Only letters of both cases mixed with digits tell: lower hex of any length is what hashes are written in.

use std::ops::Range;

use super::placeholder::is_placeholder;
use super::value::{Alphabet, has_letter_and_digit, holds, line_before, run_end, take, take_back};

/// The secret half of a cloud key has 40 characters. Ids of hosts and libraries that are drawn as well are shorter.
const MIN_BYTES: usize = 40;

/// What is longer is data: a picture, a certificate, a source map.
const MAX_BYTES: usize = 100;

/// Runs that begin like this are ids, digests or public keys.
const HARMLESS: &[&str] = &[
    "sha1-",
    "sha256-",
    "sha384-",
    "sha512-",
    "toolu_",
    "msg_",
    "req_",
    "call_",
    "chatcmpl-",
    "resp_",
    "AAAA",
    "data/",
    "org/",
    "Qm",
];

/// Ranges of bare keys, in order. Linear: a window is left at its last gap, and a run is read once.
pub(super) fn bare_keys(text: &str) -> Vec<Range<usize>> {
    let bytes = text.as_bytes();
    let mut found = Vec::new();
    let mut at = 0;
    while let Some(window) = bytes.get(at..at + MIN_BYTES) {
        if let Some(gap) = window.iter().rposition(|b| !is_inside(*b)) {
            at += gap + 1;
            continue;
        }
        let end = run_end(text, at + MIN_BYTES, Alphabet::Path);
        if end - at <= MAX_BYTES && is_key(text, at..end) {
            found.push(at..run_end(text, end, Alphabet::Padding));
        }
        at = end + 1;
    }
    found
}

/// Ranges of the tokens of chat bots: three runs with a dot between, of which the first is a number in base64.
pub(super) fn bot_tokens(text: &str) -> Vec<Range<usize>> {
    const STAMP: usize = 6;
    let bytes = text.as_bytes();
    let is_run = |b: u8| Alphabet::Token.contains(b);
    let mut found: Vec<Range<usize>> = Vec::new();
    for (dot, _) in text.match_indices('.') {
        let key = dot + 1 + STAMP + 1;
        if bytes.get(key - 1) != Some(&b'.') || take(bytes, dot + 1, STAMP, is_run) != STAMP {
            continue;
        }
        let start = dot - take_back(bytes, dot, 32, is_run);
        let end = key + take(bytes, key, 64, is_run);
        let number = matches!(bytes.get(start), Some(b'M' | b'N' | b'O'));
        let fits = (23..=28).contains(&(dot - start)) && (27..=43).contains(&(end - key));
        let free = found.last().is_none_or(|last| last.end <= start);
        if number && fits && free && text.get(key..end).is_some_and(has_letter_and_digit) {
            found.push(start..end);
        }
    }
    found
}

fn is_inside(byte: u8) -> bool {
    Alphabet::Path.contains(byte)
}

fn is_key(text: &str, range: Range<usize>) -> bool {
    let Some(run) = text.get(range.clone()) else { return false };
    is_drawn(run)
        && !HARMLESS.iter().any(|head| run.starts_with(head))
        && !is_placeholder(run)
        && !is_digest(text.as_bytes(), range.start)
        && !is_part_of_address(text.as_bytes(), range.start)
        && !is_line_of_block(text.as_bytes(), range)
}

/// Whether classes change as often as they do by chance, and no class is missing.
///
/// Of 62 letters and digits two neighbours differ in class with a chance of 0.62, which in 40 of them falls below 0.4 once
/// in five hundred. In names of several words most letters stand in runs of three or more small ones, which of 40 drawn
/// characters six do.
fn is_drawn(run: &str) -> bool {
    let class = |b: u8| match b {
        b'a'..=b'z' => 0,
        b'A'..=b'Z' => 1,
        b'0'..=b'9' => 2,
        _ => 3,
    };
    let mut counts = [0_usize; 4];
    let mut changes = 0;
    let mut worded = 0;
    let mut length = 0;
    let mut before = 4;
    for byte in run.bytes() {
        let class = class(byte);
        if let Some(count) = counts.get_mut(class) {
            *count += 1;
        }
        length = if class == before { length + 1 } else { 1 };
        changes += usize::from(class != before);
        worded += match (class, length) {
            (0, 3) => 3,
            (0, 4..) => 1,
            _ => 0,
        };
        before = class;
    }
    let [lower, upper, digits, others] = counts;
    lower >= 5
        && upper >= 5
        && digits >= 2
        && others * 8 <= run.len()
        && 5 * changes >= 2 * run.len()
        && 5 * worded < 2 * run.len()
}

/// `SHA256:…`, `h1:…`, `data:image/png;base64,…`, "the checksum is …": what follows is a digest or data.
fn is_digest(bytes: &[u8], start: usize) -> bool {
    const LOOK: usize = 48;
    const TOLD_BY: &[&str] = &[
        "sha1",
        "sha2",
        "sha3",
        "sha5",
        "md5",
        "h1:",
        "base64",
        "hash",
        "digest",
        "checksum",
        "integrity",
        "fingerprint",
    ];
    let before = line_before(bytes, start, LOOK);
    TOLD_BY.iter().any(|word| holds(before, word))
}

/// Whether the run belongs to an address without being the value of one of its parameters: addresses of pictures and
/// documents are drawn at random too.
fn is_part_of_address(bytes: &[u8], start: usize) -> bool {
    const LOOK: usize = 256;
    let is_inside = |b: u8| !b.is_ascii_whitespace() && !matches!(b, b'"' | b'\'' | b'`' | b'<' | b'(');
    let address = bytes.get(start - take_back(bytes, start, LOOK, is_inside)..start).unwrap_or_default();
    holds(address, "://") && !(address.ends_with(b"=") && address.contains(&b'?'))
}

/// Whether the line before or the line after is such a run too: a certificate, an attachment.
fn is_line_of_block(bytes: &[u8], range: Range<usize>) -> bool {
    const NEIGHBOUR: usize = 16;
    let before = bytes.get(..range.start).unwrap_or_default();
    let above = before.strip_suffix(b"\n").or_else(|| before.strip_suffix(b"\\n"));
    let after = bytes.get(range.end..).unwrap_or_default();
    let below = after.strip_prefix(b"\n").or_else(|| after.strip_prefix(b"\\n"));
    let starts_line = range.start == 0 || above.is_some();
    let ends_line = after.is_empty() || below.is_some();
    let is_run = |run: &[u8]| run.len() == NEIGHBOUR && run.iter().all(|b| is_inside(*b));
    let above = above.is_some_and(|a| is_run(a.get(a.len().saturating_sub(NEIGHBOUR)..).unwrap_or_default()));
    let below = below.is_some_and(|b| is_run(b.get(..NEIGHBOUR).unwrap_or_default()));
    (starts_line && above) || (ends_line && below)
}
