//! Secrets that have a shape of their own, whatever they are called.

use std::ops::Range;

use super::placeholder::{is_placeholder, is_sample};
use super::prefilter::Hit;
use super::value::{
    Alphabet, has_letter_and_digit, line_before, look, looks_random, run_end, starts_token, take, take_back,
};

/// `header.payload.signature`, each base64url; `eyJ` is what `{"` becomes.
///
/// Runs have no limit here, since a token with many claims is long. Still linear: a run is read once as a header, since
/// a header starts a token, and once as a payload.
pub(super) fn jwt(hit: Hit<'_>) -> Option<Range<usize>> {
    const MIN_PART: usize = 8;
    if !hit.is_exact() || !starts_token(hit.text, hit.start) {
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
    (!is_sample(hit.text.get(hit.start..end)?)).then_some(hit.start..end)
}

/// Three characters, `8Q~`, then about 34 more.
pub(super) fn azure_client_secret(hit: Hit<'_>) -> Option<Range<usize>> {
    const LEAD: usize = 3;
    const LONGEST: usize = 37;
    let start = hit.start.checked_sub(LEAD)?;
    let lead = hit.text.get(start..hit.start)?.bytes().all(|b| Alphabet::Azure.contains(b));
    let end = hit.end + take(hit.text.as_bytes(), hit.end, LONGEST + 1, |b| Alphabet::Azure.contains(b));
    (lead && hit.is_exact() && (31..=LONGEST).contains(&(end - hit.end))).then_some(start..end)
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
    let digits = take_back(hit.text.as_bytes(), hit.start, 12, |b| b.is_ascii_digit());
    let end = look(hit.text, hit.start + 1, Alphabet::Token);
    (hit.is_exact() && (6..12).contains(&digits) && end - hit.start - 1 == KEY_BYTES).then_some(hit.start + 1..end)
}

/// The signature of a signed address, which lets anybody in who has it.
pub(super) fn signature(hit: Hit<'_>) -> Option<Range<usize>> {
    const MIN: usize = 32;
    const LOOK: usize = 512;
    let before = hit.start.checked_sub(1).and_then(|at| hit.text.as_bytes().get(at));
    let signed =
        matches!(before, Some(b'&' | b'?' | b';')) && line_before(hit.text.as_bytes(), hit.start, LOOK).contains(&b'=');
    let end = look(hit.text, hit.end, Alphabet::Escaped);
    let value = hit.text.get(hit.end..end)?;
    (signed && value.len() >= MIN && looks_random(value) && !is_placeholder(value))
        .then(|| hit.end..run_end(hit.text, end, Alphabet::Escaped))
}

/// `access_token$production$…$…`.
pub(super) fn braintree(hit: Hit<'_>) -> Option<Range<usize>> {
    let merchant = look(hit.text, hit.end, Alphabet::Alnum);
    let rest = hit.text.get(merchant..)?.strip_prefix('$')?;
    let start = hit.text.len() - rest.len();
    let end = look(hit.text, start, Alphabet::Hex);
    (end - start >= 32).then_some(hit.start..end)
}
