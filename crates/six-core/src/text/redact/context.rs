//! Secrets that only their name gives away: `password: "…"`, `API_KEY=…`, `"client_secret":"…"`, `--token …`.

use std::ops::Range;

use super::prefilter::Hit;
use super::value::{has_letter_and_digit, is_placeholder};

/// Longest value that is looked at.
const MAX_VALUE_BYTES: usize = 512;
const MAX_NAME_TAIL: usize = 32;
const MAX_BLANKS: usize = 8;
const MAX_TYPE_BYTES: usize = 24;

/// Endings that make a name tell about the secret instead of holding it: `token_count`, `passwordField`.
const ABOUT: &[&str] = &[
    "name", "id", "ids", "type", "path", "file", "url", "uri", "field", "ref", "count", "limit", "length", "len",
    "size", "expiry", "expires", "ttl", "policy", "version", "label", "hint", "input", "prompt", "error", "usage",
    "regex", "pattern", "strategy", "budget", "provider", "kind", "store", "endpoint", "arn", "env", "header",
];

/// How the value stands behind its name; what may be a secret depends on it.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Form {
    /// In quotes of any kind.
    Quoted,
    /// `NAME=value` or `--name value`: shells and `.env` files hold values, not expressions.
    Assigned,
    /// Without quotes in code, YAML or a sentence: may be an expression or a word.
    Bare,
}

/// The value of something called a password.
pub(super) fn password_value(hit: Hit<'_>) -> Option<Range<usize>> {
    let (range, form) = named_value(hit)?;
    let value = hit.text.get(range.clone())?;
    let secret = match form {
        Form::Quoted | Form::Assigned => value.len() >= 4,
        Form::Bare => value.len() >= 6 && value.bytes().any(|b| b.is_ascii_digit()) && !is_expression(value),
    };
    (secret && !is_placeholder(value)).then_some(range)
}

/// The value of something called a secret, a token or a key.
pub(super) fn secret_value(hit: Hit<'_>) -> Option<Range<usize>> {
    let (range, form) = named_value(hit)?;
    let value = hit.text.get(range.clone())?;
    let digits_only = value.bytes().all(|b| b.is_ascii_digit() || matches!(b, b'.' | b'_' | b','));
    let secret = match form {
        Form::Quoted => value.len() >= 8 && (has_letter_and_digit(value) || is_mixed_case(value)),
        Form::Assigned => value.len() >= 6,
        Form::Bare => value.len() >= 8 && has_letter_and_digit(value) && !is_expression(value) && !is_snake_name(value),
    };
    (secret && !digits_only && !is_placeholder(value)).then_some(range)
}

/// The value that belongs to the name at `hit`.
fn named_value(hit: Hit<'_>) -> Option<(Range<usize>, Form)> {
    let bytes = hit.text.as_bytes();
    let name_end =
        hit.end + take(bytes, hit.end, MAX_NAME_TAIL, |b| b.is_ascii_alphanumeric() || matches!(b, b'_' | b'-'));
    let name = hit.text.get(hit.start..hit.end)?;
    if !holds_secret(name, hit.text.get(hit.end..name_end)?) {
        return None;
    }
    let after_name =
        name_end + take(bytes, name_end, 6, |b| matches!(b, b'"' | b'\'' | b'`' | b'\\' | b']' | b')' | b'*'));
    let (value_start, assigned, strict) = separator(hit, name_end, after_name)?;
    let value_start = value_start + take(bytes, value_start, MAX_BLANKS, is_blank);
    if let Some(range) = quoted(hit.text, value_start) {
        return Some((range, Form::Quoted));
    }
    let is_end = |b: u8| {
        b.is_ascii_whitespace()
            || matches!(b, b'"' | b'\'' | b'`' | b',' | b';' | b')' | b'}' | b']' | b'<' | b'>' | b'|' | b'&' | b'\\')
    };
    let length = take(bytes, value_start, MAX_VALUE_BYTES, |b| !is_end(b));
    let range = value_start..value_start + length;
    let value = hit.text.get(range.clone())?;
    let form = if assigned { Form::Assigned } else { Form::Bare };
    (!strict || has_letter_and_digit(value)).then_some((range, form))
}

/// Where the value may start, whether it is assigned as in a shell, and whether only a sentence joins the two.
fn separator(hit: Hit<'_>, name_end: usize, after_name: usize) -> Option<(usize, bool, bool)> {
    let bytes = hit.text.as_bytes();
    let at = after_name + take(bytes, after_name, MAX_BLANKS, is_blank);
    let rest = bytes.get(at..)?;
    let flag = is_flag(bytes.get(..hit.start)?);
    let shouted = bytes.get(hit.start..hit.end)?.iter().all(|b| !b.is_ascii_lowercase());
    match rest {
        [b'=', b'=' | b'~', ..] | [b':', b':', ..] => None,
        [b':', b'=', ..] | [b'=', b'>', ..] => Some((at + 2, false, false)),
        [b'=', next, ..] => Some((at + 1, at == name_end && !is_blank(*next) && (shouted || flag), false)),
        [b':', ..] => Some((after_type(bytes, at + 1), false, false)),
        [b'i', b's', b' ' | b':', ..] if at > after_name => Some((at + 3, false, true)),
        _ if flag && at > name_end && after_name == name_end => Some((at, true, false)),
        _ => None,
    }
}

/// Behind the type in `: string = value`, else where the value would start.
fn after_type(bytes: &[u8], start: usize) -> usize {
    let length =
        take(bytes, start, MAX_TYPE_BYTES, |b| b.is_ascii_alphabetic() || matches!(b, b' ' | b'&' | b'<' | b'>'));
    match bytes.get(start + length..) {
        Some([b'=', next, ..]) if length > 0 && *next != b'=' => start + length + 1,
        _ => start,
    }
}

/// Whether a name whose known part is `known` and that goes on with `tail` is the name of a secret.
fn holds_secret(known: &str, tail: &str) -> bool {
    let Some(first) = tail.bytes().next() else { return true };
    let lower = tail.to_ascii_lowercase();
    let new_word = matches!(first, b'_' | b'-')
        || first.is_ascii_digit()
        || (first.is_ascii_uppercase() && known.bytes().next_back().is_some_and(|b| b.is_ascii_lowercase()))
        || matches!(lower.as_str(), "key" | "value" | "s");
    let plural = lower == "s" && !known.eq_ignore_ascii_case("credential");
    new_word && !plural && !ABOUT.iter().any(|about| is_last_word(tail, &lower, about))
}

fn is_last_word(tail: &str, lower: &str, word: &str) -> bool {
    lower.strip_suffix(word).is_some_and(|head| {
        head.is_empty()
            || head.ends_with(['_', '-'])
            || tail.as_bytes().get(head.len()).is_some_and(u8::is_ascii_uppercase)
    })
}

/// Whether what stands before a name makes it a flag: `--`, then the rest of its words.
fn is_flag(before: &[u8]) -> bool {
    let words =
        before.iter().rev().take(MAX_NAME_TAIL).take_while(|b| b.is_ascii_alphanumeric() || **b == b'-').count();
    before.get(before.len() - words..).is_some_and(|name| name.starts_with(b"--"))
}

/// The range inside quotes that open at byte `at`, on one line and without blanks: with blanks it is a sentence.
fn quoted(text: &str, at: usize) -> Option<Range<usize>> {
    let bytes = text.as_bytes();
    let prefix = take(bytes, at, 1, |b| matches!(b, b'b' | b'r' | b'f' | b'u'));
    let escapes = take(bytes, at + prefix, 3, |b| b == b'\\');
    let open = at + prefix + escapes;
    let quote = *bytes.get(open).filter(|b| matches!(b, b'"' | b'\'' | b'`'))?;
    let length = take(bytes, open + 1, MAX_VALUE_BYTES, |b| b != quote && !b.is_ascii_whitespace());
    let close = open + 1 + length;
    let value = text.get(open + 1..close)?;
    let closed = bytes.get(close) == Some(&quote) || length == MAX_VALUE_BYTES || close == bytes.len();
    let trailing = if escapes > 0 { value.len() - value.trim_end_matches('\\').len() } else { 0 };
    closed.then_some(open + 1..close - trailing)
}

fn take(bytes: &[u8], start: usize, max: usize, keep: impl Fn(u8) -> bool) -> usize {
    bytes.iter().skip(start).take(max).take_while(|b| keep(**b)).count()
}

fn is_blank(byte: u8) -> bool {
    matches!(byte, b' ' | b'\t')
}

fn is_mixed_case(value: &str) -> bool {
    value.bytes().any(|b| b.is_ascii_uppercase()) && value.bytes().any(|b| b.is_ascii_lowercase())
}

/// A call, a path of fields, a macro: code that fetches the secret.
fn is_expression(value: &str) -> bool {
    let is_name = |part: &str| {
        part.bytes().next().is_some_and(|b| b.is_ascii_alphabetic() || b == b'_')
            && part.bytes().all(|b| b.is_ascii_alphanumeric() || matches!(b, b'_' | b'?' | b'!'))
    };
    value.contains(['(', '/', '[']) || value.contains("::") || (value.contains('.') && value.split('.').all(is_name))
}

/// `token_v2`: a variable, not a value.
fn is_snake_name(value: &str) -> bool {
    value.contains('_')
        && value.len() < 24
        && value.bytes().all(|b| b.is_ascii_lowercase() || b.is_ascii_digit() || b == b'_')
}
