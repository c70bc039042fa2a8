//! Secrets that only their name gives away: `password: "…"`, `API_KEY=…`, `"client_secret":"…"`, `--token …`.

use std::ops::Range;

use super::name::{holds_secret, is_flag, name_start, tail_len, with_words_of_key};
use super::placeholder::{is_expression, is_made_of_words, is_place, is_placeholder, is_plain_word};
use super::prefilter::Hit;
use super::value::{Alphabet, has_letter_and_digit, holds, is_blank, line_before, run_end, take};
use crate::text::cut::floor_char_boundary;

/// How far a value is read before it is known to be a secret (see `value`).
const MAX_VALUE_BYTES: usize = 512;
const MAX_BLANKS: usize = 8;
const MAX_TYPE_BYTES: usize = 24;
/// Quotes and backslashes between a name and what joins it to its value: JSON in JSON in JSON has seven.
const MAX_QUOTING: usize = 16;
/// How far the line is looked at in front of a name.
const MAX_LINE: usize = 96;

/// How the value stands behind its name; what may be a secret depends on it.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Form {
    /// In quotes of any kind.
    Quoted,
    /// `NAME=value`, `?name=value&`, `--name value`: shells, addresses and `.env` files hold values, not expressions.
    Assigned,
    /// Alone with its name on a line, as YAML and INI have it, or next to the name of the user.
    Entry,
    /// Without quotes in code or a sentence: may be an expression or a word.
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
    let code = |value: &str| is_expression(value) || is_plain_word(value.trim_end_matches(['.', '!', ':', '?']));
    let secret = match found.form {
        Form::Quoted => value.len() >= 4 && !is_place(value),
        Form::Assigned => value.len() >= 4 && !is_place(value) && !is_plain_word(value),
        Form::Entry => value.len() >= 4 && (has_digit_or_sign(value) || is_lower_word(value)) && !code(value),
        Form::Bare => value.len() >= 6 && has_digit_or_sign(value) && !is_expression(value),
    };
    (secret && !is_placeholder(value)).then(|| found.whole())
}

/// The value of something called a secret, a token or a credential.
pub(super) fn secret_value(hit: Hit<'_>) -> Option<Range<usize>> {
    let found = named_value(hit)?;
    let value = found.as_str();
    let digits_only = value.bytes().all(|b| b.is_ascii_digit() || matches!(b, b'.' | b'_' | b','));
    let drawn = has_letter_and_digit(value) || is_mixed_case(value);
    let secret = match found.form {
        Form::Quoted => value.len() >= 8 && drawn && !is_made_of_words(value) && !is_camel(value),
        Form::Assigned => value.len() >= 6 && !is_plain_word(value),
        Form::Entry | Form::Bare => {
            value.len() >= 8
                && has_letter_and_digit(value)
                && !is_expression(value)
                && !is_snake_name(value)
                && !is_made_of_words(value)
        }
    };
    (secret && !digits_only && !is_place(value) && !is_placeholder(value)).then(|| found.whole())
}

/// The value of a key that opens something.
pub(super) fn key_value(hit: Hit<'_>) -> Option<Range<usize>> {
    secret_value(with_words_of_key(hit)?)
}

/// What joins a name and its value.
struct Joint {
    /// Byte at which the value may start.
    end: usize,
    assigned: bool,
    /// Only a sentence joins the two.
    sentence: bool,
}

/// The value that belongs to the name at `hit`.
fn named_value(hit: Hit<'_>) -> Option<Value<'_>> {
    let bytes = hit.text.as_bytes();
    let name_end = hit.end + tail_len(bytes, hit.end);
    if !holds_secret(hit.text.get(hit.start..hit.end)?, hit.text.get(hit.end..name_end)?) {
        return None;
    }
    let joint = joint(hit, name_end)?;
    let start = value_start(bytes, joint.end);
    if let Some(quoted) = quoted(hit.text, start) {
        return Some(quoted);
    }
    let end = Delimiter::Blank.end(bytes, start, MAX_VALUE_BYTES);
    let is_entry = || !joint.sentence && (is_alone(bytes, hit.start, end) || is_beside_user(bytes, hit.start));
    let form = if joint.assigned {
        Form::Assigned
    } else if is_entry() {
        Form::Entry
    } else {
        Form::Bare
    };
    let value = Value { text: hit.text, range: start..end, form, delimiter: Delimiter::Blank };
    let fits = !value.as_str().starts_with('-') && (!joint.sentence || has_letter_and_digit(value.as_str()));
    fits.then_some(value)
}

fn joint(hit: Hit<'_>, name_end: usize) -> Option<Joint> {
    let bytes = hit.text.as_bytes();
    let after_name = name_end
        + take(bytes, name_end, MAX_QUOTING, |b| matches!(b, b'"' | b'\'' | b'`' | b'\\' | b']' | b')' | b'*'));
    let at = after_name + take(bytes, after_name, MAX_BLANKS, is_blank);
    let before = bytes.get(..hit.start)?;
    let flag = is_flag(before);
    let code = |end| Some(Joint { end, assigned: false, sentence: false });
    match bytes.get(at..)? {
        [b'=', b'=' | b'~', ..] | [b':', b':', ..] => None,
        [b':', b'=', ..] | [b'=', b'>', ..] => code(at + 2),
        [b'=', next, ..] => {
            let assigned = at == name_end && !is_blank(*next) && (flag || is_shell(hit, name_end));
            Some(Joint { end: at + 1, assigned, sentence: false })
        }
        [b':', ..] => code(after_type(bytes, at + 1)),
        [b'>', ..] if at == name_end && before.get(name_start(bytes, hit.start).checked_sub(1)?) == Some(&b'<') => {
            code(at + 1)
        }
        [b'i', b's', b' ' | b':', ..] if at > after_name => {
            Some(Joint { end: at + 3, assigned: false, sentence: true })
        }
        _ if flag && at > name_end && after_name == name_end => {
            Some(Joint { end: at, assigned: true, sentence: false })
        }
        _ => beside_value(bytes, after_name).and_then(code),
    }
}

/// Whether `name=value` is a variable of a shell, or one of several in an address or a connection string.
fn is_shell(hit: Hit<'_>, name_end: usize) -> bool {
    let bytes = hit.text.as_bytes();
    let start = name_start(bytes, hit.start);
    let shouted = bytes.get(start..name_end).unwrap_or_default().iter().all(|b| !b.is_ascii_lowercase());
    let before = bytes.get(..start).unwrap_or_default();
    let listed = matches!(before, [.., b'?' | b'&' | b';']);
    shouted || listed || (before.ends_with(b" ") && follows_pair(before))
}

/// Whether the word before is a `key=value` too, as in `host=… user=… password=…`; arguments of a call have a comma.
fn follows_pair(before: &[u8]) -> bool {
    let line = line_before(before, before.len(), MAX_LINE).trim_ascii_end();
    let word = line.rsplit(|b| *b == b' ').next().unwrap_or_default();
    word.contains(&b'=') && !word.ends_with(b",") && !word.contains(&b'(')
}

/// `name: KEY`, then `value: …`; `key="NAME" value="…"`: the value has a name of its own.
fn beside_value(bytes: &[u8], after_name: usize) -> Option<usize> {
    const BETWEEN: usize = 24;
    let between = |b: u8| b.is_ascii_whitespace() || matches!(b, b',' | b'"' | b'\'' | b'\\');
    let at = after_name + take(bytes, after_name, BETWEEN, between);
    let rest = bytes.get(at..)?;
    if at == after_name || !rest.get(..5)?.eq_ignore_ascii_case(b"value") {
        return None;
    }
    let quotes = take(rest, 5, MAX_QUOTING, |b| matches!(b, b'"' | b'\'' | b'\\'));
    matches!(rest.get(5 + quotes), Some(b':' | b'=')).then_some(at + 5 + quotes + 1)
}

/// Behind blanks, the marks of bold type and those of a YAML block; a line break only before these or a quote.
fn value_start(bytes: &[u8], at: usize) -> usize {
    const INDENT: usize = 16;
    let at = at + take(bytes, at, MAX_BLANKS, |b| is_blank(b) || b == b'*');
    let marks = take(bytes, at, 2, |b| matches!(b, b'|' | b'>' | b'-' | b'+'));
    let line_end = match bytes.get(at + marks..).unwrap_or_default() {
        [b'\n', ..] => 1,
        [b'\\', b'n', ..] => 2,
        _ => return at,
    };
    let next = at + marks + line_end;
    let next = next + take(bytes, next, INDENT, |b| b.is_ascii_whitespace());
    let opens = matches!(bytes.get(next..).unwrap_or_default(), [b'"' | b'\'', ..] | [b'\\', b'"', ..]);
    if marks > 0 || opens { next } else { at }
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

/// Whether name and value have the line to themselves: `  db_password: hunter`.
fn is_alone(bytes: &[u8], name: usize, value_end: usize) -> bool {
    let start = name_start(bytes, name);
    let line = line_before(bytes, start, MAX_LINE);
    let head = line.trim_ascii_start().strip_prefix(b"export ").unwrap_or(line);
    let begins = head.iter().all(|b| is_blank(*b) || matches!(b, b'-' | b'>' | b'*' | b'#' | b'"' | b'\''));
    let end = value_end + take(bytes, value_end, MAX_LINE, is_blank);
    let broken = matches!(bytes.get(end..).unwrap_or_default(), [] | [b'\n' | b'#', ..] | [b'\\', b'n', ..]);
    begins && broken
}

/// Whether the line names the user just before: `user: admin, password: hunter`.
fn is_beside_user(bytes: &[u8], name: usize) -> bool {
    const LOOK: usize = 64;
    let before = line_before(bytes, name, LOOK);
    ["user", "login", "email"].into_iter().any(|word| {
        let at = before.windows(word.len()).rposition(|w| w.eq_ignore_ascii_case(word.as_bytes()));
        at.is_some_and(|at| before.get(at..).unwrap_or_default().iter().take(12).any(|b| matches!(b, b':' | b'=')))
    })
}

/// What is inside the quotes that open at byte `at`, without blanks: with blanks it is a sentence.
fn quoted(text: &str, at: usize) -> Option<Value<'_>> {
    let bytes = text.as_bytes();
    let prefix = take(bytes, at, 1, |b| matches!(b, b'b' | b'r' | b'f' | b'u'));
    let escapes = take(bytes, at + prefix, MAX_QUOTING, |b| b == b'\\');
    let open = at + prefix + escapes;
    let quote = *bytes.get(open).filter(|b| matches!(b, b'"' | b'\'' | b'`'))?;
    let delimiter = Delimiter::Quote { quote, escaped: escapes > 0 };
    let end = delimiter.end(bytes, open + 1, MAX_VALUE_BYTES);
    let range = open + 1..end;
    let ended_by_blank = bytes.get(end).is_some_and(u8::is_ascii_whitespace);
    (!ended_by_blank).then_some(Value { text, range, form: Form::Quoted, delimiter })
}

/// The base64 of user and password as a registry's configuration keeps it: `"auth": "…"`.
pub(super) fn auth_value(hit: Hit<'_>) -> Option<Range<usize>> {
    const MIN: usize = 12;
    let bytes = hit.text.as_bytes();
    let joint = hit.end + take(bytes, hit.end, MAX_QUOTING, |b| is_blank(b) || matches!(b, b'"' | b'\\'));
    if !matches!(bytes.get(joint), Some(b':' | b'=')) {
        return None;
    }
    let start = joint + 1 + take(bytes, joint + 1, MAX_QUOTING, |b| is_blank(b) || matches!(b, b'"' | b'\\'));
    let end = run_end(hit.text, start, Alphabet::Base64);
    let value = hit.text.get(start..end)?;
    let drawn = value.len() >= MIN && is_mixed_case(value) && (value.ends_with('=') || has_letter_and_digit(value));
    (drawn && !is_placeholder(value) && !holds(value.as_bytes(), "auth")).then_some(start..end)
}

fn has_digit_or_sign(value: &str) -> bool {
    let is_sign = |b: u8| matches!(b, b'!' | b'@' | b'#' | b'$' | b'%' | b'^' | b'*' | b'+' | b'~');
    value.trim_end_matches(['!', '*']).bytes().any(|b| b.is_ascii_digit() || is_sign(b))
}

fn is_lower_word(value: &str) -> bool {
    value.bytes().all(|b| b.is_ascii_lowercase() || b == b'-')
}

fn is_mixed_case(value: &str) -> bool {
    value.bytes().any(|b| b.is_ascii_uppercase()) && value.bytes().any(|b| b.is_ascii_lowercase())
}

/// `nextToken`, `HandleClick`: a name of code, without a digit.
fn is_camel(value: &str) -> bool {
    let humps = value.bytes().filter(u8::is_ascii_uppercase).count();
    value.len() <= 32 && value.bytes().all(|b| b.is_ascii_alphabetic()) && 4 * humps <= value.len()
}

/// `token_v2`: a variable, not a value.
fn is_snake_name(value: &str) -> bool {
    value.contains('_')
        && value.len() < 24
        && value.bytes().all(|b| b.is_ascii_lowercase() || b.is_ascii_digit() || b == b'_')
}
