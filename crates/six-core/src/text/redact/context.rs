//! Secrets that only their name gives away: `password: "…"`, `API_KEY=…`, `"client_secret":"…"`, `--token …`.

use std::ops::Range;

use super::prefilter::Hit;
use super::value::{has_letter_and_digit, is_placeholder, take};
use crate::text::cut::floor_char_boundary;

/// How far a value is read before it is known to be a secret (see `value`).
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

/// What stands behind the name of a secret.
struct Value<'t> {
    text: &'t str,
    range: Range<usize>,
    form: Form,
    delimiter: Delimiter,
}

/// Where a value ends.
#[derive(Debug, Clone, Copy)]
enum Delimiter {
    /// At the quote that opened it. `escaped`: the text is itself inside a string, the quotes are `\"`.
    Quote { quote: u8, escaped: bool },
    /// At a blank or a character that ends an expression.
    Blank,
}

impl Delimiter {
    /// Whether the value goes on with `byte`, which `before` precedes.
    fn goes_on(self, before: u8, byte: u8) -> bool {
        match self {
            _ if byte.is_ascii_whitespace() => false,
            Self::Quote { quote, escaped } => byte != quote || (!escaped && before == b'\\'),
            Self::Blank => !matches!(
                byte,
                b'"' | b'\'' | b'`' | b',' | b';' | b')' | b'}' | b']' | b'<' | b'>' | b'|' | b'&' | b'\\'
            ),
        }
    }

    /// Where a value that was read up to `at` ends, at most `max` bytes further on.
    fn end(self, bytes: &[u8], at: usize, max: usize) -> usize {
        let mut before = at.checked_sub(1).and_then(|at| bytes.get(at)).copied().unwrap_or_default();
        let rest = bytes.get(at..).unwrap_or_default().iter().take(max);
        let length = rest.take_while(|b| self.goes_on(std::mem::replace(&mut before, **b), **b)).count();
        at + length
    }
}

impl Value<'_> {
    /// What was read of it; a look of a fixed length may have ended inside a character.
    fn as_str(&self) -> &str {
        let end = floor_char_boundary(self.text, self.range.end);
        self.text.get(self.range.start..end).unwrap_or_default()
    }

    /// The bytes to take out: the value, however long it is.
    fn whole(&self) -> Range<usize> {
        let bytes = self.text.as_bytes();
        let mut end = self.delimiter.end(bytes, self.range.end, usize::MAX);
        if matches!(self.delimiter, Delimiter::Quote { escaped: true, .. }) {
            let tail = bytes.get(self.range.start..end).unwrap_or_default();
            end -= tail.iter().rev().take_while(|b| **b == b'\\').count();
        }
        self.range.start..end
    }
}

/// The value of something called a password.
pub(super) fn password_value(hit: Hit<'_>) -> Option<Range<usize>> {
    let found = named_value(hit)?;
    let value = found.as_str();
    let secret = match found.form {
        Form::Quoted | Form::Assigned => value.len() >= 4,
        Form::Bare => value.len() >= 6 && has_digit_or_sign(value) && !is_expression(value),
    };
    (secret && !is_placeholder(value)).then(|| found.whole())
}

/// The value of something called a secret, a token or a key.
pub(super) fn secret_value(hit: Hit<'_>) -> Option<Range<usize>> {
    let found = named_value(hit)?;
    let value = found.as_str();
    let digits_only = value.bytes().all(|b| b.is_ascii_digit() || matches!(b, b'.' | b'_' | b','));
    let secret = match found.form {
        Form::Quoted => value.len() >= 8 && (has_letter_and_digit(value) || is_mixed_case(value)),
        Form::Assigned => value.len() >= 6,
        Form::Bare => value.len() >= 8 && has_letter_and_digit(value) && !is_expression(value) && !is_snake_name(value),
    };
    (secret && !digits_only && !is_placeholder(value)).then(|| found.whole())
}

/// The value that belongs to the name at `hit`.
fn named_value(hit: Hit<'_>) -> Option<Value<'_>> {
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
    if let Some(quoted) = quoted(hit.text, value_start) {
        return Some(quoted);
    }
    let delimiter = Delimiter::Blank;
    let end = delimiter.end(bytes, value_start, MAX_VALUE_BYTES);
    let form = if assigned { Form::Assigned } else { Form::Bare };
    let value = Value { text: hit.text, range: value_start..end, form, delimiter };
    (!strict || has_letter_and_digit(value.as_str())).then_some(value)
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

/// What is inside the quotes that open at byte `at`, without blanks: with blanks it is a sentence.
fn quoted(text: &str, at: usize) -> Option<Value<'_>> {
    let bytes = text.as_bytes();
    let prefix = take(bytes, at, 1, |b| matches!(b, b'b' | b'r' | b'f' | b'u'));
    let escapes = take(bytes, at + prefix, 3, |b| b == b'\\');
    let open = at + prefix + escapes;
    let quote = *bytes.get(open).filter(|b| matches!(b, b'"' | b'\'' | b'`'))?;
    let delimiter = Delimiter::Quote { quote, escaped: escapes > 0 };
    let end = delimiter.end(bytes, open + 1, MAX_VALUE_BYTES);
    let range = open + 1..end;
    let ended_by_blank = bytes.get(end).is_some_and(u8::is_ascii_whitespace);
    (!ended_by_blank).then_some(Value { text, range, form: Form::Quoted, delimiter })
}

fn is_blank(byte: u8) -> bool {
    matches!(byte, b' ' | b'\t')
}

fn has_digit_or_sign(value: &str) -> bool {
    let is_sign = |b: u8| matches!(b, b'!' | b'@' | b'#' | b'$' | b'%' | b'^' | b'*' | b'+' | b'~');
    value.trim_end_matches(['!', '*']).bytes().any(|b| b.is_ascii_digit() || is_sign(b))
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
