//! Private keys in PEM: whole, on one line with escaped newlines, or with either end cut off.

use std::ops::Range;

use super::prefilter::Hit;
use super::value::{Alphabet, take, take_back};

const MAX_HEADER: usize = 64;
const MAX_BODY: usize = 16 * 1024;
const RULE: &[u8] = b"-----";

/// A PEM private key of any kind, also on one line with escaped newlines, also without its end.
///
/// A certificate or public key is no secret; a header without a body is a mention.
pub(super) fn private_key(hit: Hit<'_>) -> Option<Range<usize>> {
    let rest = hit.text.as_bytes().get(hit.end..)?;
    let header_len = position(rest.get(..MAX_HEADER.min(rest.len()))?, RULE)?;
    position(rest.get(..header_len)?, b"PRIVATE KEY")?;
    let body_start = hit.end + header_len + RULE.len();
    let rest = hit.text.as_bytes().get(body_start..)?;
    let window = rest.get(..MAX_BODY.min(rest.len()))?;
    let body_len = position(window, RULE);
    let body = window.get(..body_len.unwrap_or(window.len()))?;
    let written = encoded_len(body);
    if written == 0 {
        return None;
    }
    let closing = rest.get(body_len.unwrap_or(rest.len())..).unwrap_or_default();
    let end = match closing.strip_prefix(b"-----END") {
        Some(after) => {
            let name = after.get(..MAX_HEADER.min(after.len()))?;
            let tail = position(name, RULE).map_or(0, |at| at + RULE.len());
            body_start + body.len() + b"-----END".len() + tail
        }
        // Without its end it is one only if a key follows at once: source code names the line, too.
        None if begins_body(body) => body_start + written,
        None => return None,
    };
    Some(hit.start..end)
}

fn position(haystack: &[u8], needle: &[u8]) -> Option<usize> {
    haystack.windows(needle.len()).position(|window| window == needle)
}

/// Bytes up to the end of the last base64 run of a key's length; 0 if there is none.
fn encoded_len(body: &[u8]) -> usize {
    const MIN_RUN: usize = 16;
    let mut end = 0;
    let mut run = 0;
    for (at, byte) in body.iter().enumerate() {
        run = if Alphabet::Base64.contains(*byte) { run + 1 } else { 0 };
        if run >= MIN_RUN || (run > 0 && end > 0 && at - end <= 2) {
            end = at + 1;
        }
    }
    end
}

/// Whether encoded bytes, or the headers that may precede them, follow the line.
fn begins_body(body: &[u8]) -> bool {
    const MIN_RUN: usize = 16;
    const BREAKS: usize = 12;
    let start = take(body, 0, BREAKS, |b| matches!(b, b'\n' | b'\\' | b'n' | b'r' | b' ' | b'"' | b'+'));
    let rest = body.get(start..).unwrap_or_default();
    let headed = ["Proc-Type", "Version", "Comment"].iter().any(|name| rest.starts_with(name.as_bytes()));
    headed || take(rest, 0, MIN_RUN, |b| b.is_ascii_alphanumeric() || matches!(b, b'+' | b'/')) == MIN_RUN
}

/// The body in front of `-----END … PRIVATE KEY-----` whose beginning was cut off.
pub(super) fn private_key_end(hit: Hit<'_>) -> Option<Range<usize>> {
    const MIN_LINE: usize = 40;
    let bytes = hit.text.as_bytes();
    let rest = bytes.get(hit.end..)?;
    let name_len = position(rest.get(..MAX_HEADER.min(rest.len()))?, RULE)?;
    position(rest.get(..name_len)?, b"PRIVATE KEY")?;
    let is_body = |b: u8| b.is_ascii_alphanumeric() || matches!(b, b'+' | b'/' | b'=' | b'\n' | b'\\');
    let reach = hit.start - take_back(bytes, hit.start, MAX_BODY, is_body);
    let mut start = reach;
    for line in bytes.get(reach..hit.start)?.split_inclusive(|b| matches!(b, b'\n' | b'\\')) {
        if line.len() > MIN_LINE {
            return Some(start..hit.end + name_len + RULE.len());
        }
        start += line.len();
    }
    None
}

/// The lines behind `Private-Lines: N`, as `PuTTY` writes them.
pub(super) fn private_lines(hit: Hit<'_>) -> Option<Range<usize>> {
    const MIN_BODY: usize = 24;
    let bytes = hit.text.as_bytes();
    let body = hit.end + take(bytes, hit.end, 16, |b| matches!(b, b' ' | b'\n' | b'\r') || b.is_ascii_digit());
    let end = body + take(bytes, body, MAX_BODY, |b| Alphabet::Base64.contains(b) || b == b'\n');
    (end - body >= MIN_BODY).then_some(body..end)
}
