//! Secrets that have a shape of their own, whatever they are called.

use std::ops::Range;

use super::prefilter::Hit;
use super::value::{Alphabet, has_letter_and_digit, is_placeholder, look, looks_random, run_end, starts_token, take};

/// `header.payload.signature`, each base64url; `eyJ` is what `{"` becomes.
///
/// Runs have no limit here, since a token with many claims is long. Still linear: a run is read once as a header, since
/// a header starts a token, and once as a payload.
pub(super) fn jwt(hit: Hit<'_>) -> Option<Range<usize>> {
    const MIN_PART: usize = 8;
    let exact = hit.text.get(hit.start..hit.end) == Some(hit.literal);
    if !exact || !starts_token(hit.text, hit.start) {
        return None;
    }
    let is_dot = |at| hit.text.as_bytes().get(at) == Some(&b'.');
    let header = run_end(hit.text, hit.start, Alphabet::Token);
    if !is_dot(header) {
        return None;
    }
    let payload = run_end(hit.text, header + 1, Alphabet::Token);
    if header - hit.start < MIN_PART || payload - header <= MIN_PART {
        return None;
    }
    let end = if is_dot(payload) { run_end(hit.text, payload + 1, Alphabet::Dotted) } else { payload };
    Some(hit.start..end)
}

/// Three characters, `8Q~`, then about 34 more.
pub(super) fn azure_client_secret(hit: Hit<'_>) -> Option<Range<usize>> {
    const LEAD: usize = 3;
    const LONGEST: usize = 37;
    let start = hit.start.checked_sub(LEAD)?;
    let lead = hit.text.get(start..hit.start)?.bytes().all(|b| Alphabet::Azure.contains(b));
    let exact = hit.text.get(hit.start..hit.end) == Some(hit.literal);
    let end = hit.end + take(hit.text.as_bytes(), hit.end, LONGEST + 1, |b| Alphabet::Azure.contains(b));
    (lead && exact && (31..=LONGEST).contains(&(end - hit.end))).then_some(start..end)
}

/// A PEM private key of any kind, also on one line with escaped newlines, also without its end.
///
/// A certificate or public key is no secret; a header without a body is a mention.
pub(super) fn private_key(hit: Hit<'_>) -> Option<Range<usize>> {
    const MAX_HEADER: usize = 64;
    const MAX_BODY: usize = 16 * 1024;
    const RULE: &[u8] = b"-----";
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
        None => body_start + written,
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

/// The password in `scheme://user:password@host`, or the token in `scheme://token@host`.
pub(super) fn url_credentials(hit: Hit<'_>) -> Option<Range<usize>> {
    const MAX_USERINFO: usize = 256;
    const MIN_TOKEN: usize = 20;
    let rest = hit.text.as_bytes().get(hit.end..)?;
    let reach = rest
        .iter()
        .take(MAX_USERINFO)
        .take_while(|b| {
            !b.is_ascii_whitespace() && !matches!(b, b'/' | b'"' | b'\'' | b'`' | b'<' | b'>' | b'\\' | b'|')
        })
        .count();
    let userinfo_len = rest.get(..reach)?.iter().rposition(|b| *b == b'@')?;
    let userinfo = hit.text.get(hit.end..hit.end + userinfo_len)?;
    let (start, secret) = match userinfo.split_once(':') {
        Some((user, password)) => (hit.end + user.len() + 1, password),
        None if userinfo.len() >= MIN_TOKEN && has_letter_and_digit(userinfo) => (hit.end, userinfo),
        None => return None,
    };
    (!is_placeholder(secret)).then_some(start..hit.end + userinfo_len)
}

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

/// The path of a webhook address: who knows it may post.
pub(super) fn webhook(hit: Hit<'_>) -> Option<Range<usize>> {
    const MIN: usize = 24;
    let end = look(hit.text, hit.end, Alphabet::Base64);
    let path = hit.text.get(hit.end..end)?;
    (path.len() >= MIN && looks_random(path) && !is_placeholder(path))
        .then(|| hit.end..run_end(hit.text, end, Alphabet::Base64))
}

/// `123456789:AA…`: the bot's number stays, it is no secret.
pub(super) fn telegram(hit: Hit<'_>) -> Option<Range<usize>> {
    const KEY_BYTES: usize = 35;
    let before = hit.text.as_bytes().get(..hit.start)?;
    let digits = before.iter().rev().take(12).take_while(|b| b.is_ascii_digit()).count();
    let end = look(hit.text, hit.start + 1, Alphabet::Token);
    let exact = hit.text.get(hit.start..hit.end) == Some(hit.literal);
    (exact && (6..12).contains(&digits) && end - hit.start - 1 == KEY_BYTES).then_some(hit.start + 1..end)
}
