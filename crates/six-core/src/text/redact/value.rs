//! What a secret is made of, and how far one is read.

/// Characters that a key consists of.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Alphabet {
    Hex,
    Alnum,
    /// Letters, digits, `_`, `-`.
    Token,
    /// `Token` and `.`.
    Dotted,
    /// `Dotted` and `~`.
    Azure,
    /// Both base64 alphabets without the padding.
    Path,
    /// The padding of base64.
    Padding,
    /// Both base64 alphabets and the padding.
    Base64,
    /// What RFC 6750 allows after `Bearer`.
    Bearer,
    /// `Bearer` as a URL or a cookie has it, with `%xx`.
    Escaped,
}

impl Alphabet {
    pub(super) fn contains(self, byte: u8) -> bool {
        match self {
            Self::Hex => byte.is_ascii_hexdigit(),
            Self::Alnum => byte.is_ascii_alphanumeric(),
            Self::Token => byte.is_ascii_alphanumeric() || matches!(byte, b'_' | b'-'),
            Self::Dotted => Self::Token.contains(byte) || byte == b'.',
            Self::Azure => Self::Dotted.contains(byte) || byte == b'~',
            Self::Path => Self::Token.contains(byte) || matches!(byte, b'+' | b'/'),
            Self::Padding => byte == b'=',
            Self::Base64 => Self::Path.contains(byte) || byte == b'=',
            Self::Bearer => Self::Base64.contains(byte) || matches!(byte, b'.' | b'~'),
            Self::Escaped => Self::Bearer.contains(byte) || matches!(byte, b'%' | b':'),
        }
    }
}

/// How far a run is read before it is known to be a secret, so that hostile text costs a bounded look per literal. A
/// secret is read to its end then: what was read is not looked at again, so the whole stays linear.
const MAX_LOOK_BYTES: usize = 1024;

/// Where the run of `alphabet` that starts at byte `start` ends, at most 1 KiB further on.
pub(super) fn look(text: &str, start: usize, alphabet: Alphabet) -> usize {
    start + take(text.as_bytes(), start, MAX_LOOK_BYTES, |b| alphabet.contains(b))
}

/// Where the run of `alphabet` that starts at byte `start` ends.
pub(super) fn run_end(text: &str, start: usize, alphabet: Alphabet) -> usize {
    start + take(text.as_bytes(), start, usize::MAX, |b| alphabet.contains(b))
}

/// How many bytes from `start` on, up to `max`, are to be kept.
pub(super) fn take(bytes: &[u8], start: usize, max: usize, keep: impl Fn(u8) -> bool) -> usize {
    counted(bytes.get(start..).unwrap_or_default().iter().take(max).take_while(|b| keep(**b)).count())
}

/// How many bytes before `end`, up to `max`, are to be kept.
pub(super) fn take_back(bytes: &[u8], end: usize, max: usize, keep: impl Fn(u8) -> bool) -> usize {
    counted(bytes.get(..end).unwrap_or_default().iter().rev().take(max).take_while(|b| keep(**b)).count())
}

/// `looked` bytes were looked at; tests add them up, since time proves nothing on a busy machine.
fn counted(looked: usize) -> usize {
    #[cfg(test)]
    LOOKED.with(|sum| sum.set(sum.get() + looked));
    looked
}

#[cfg(test)]
thread_local! {
    /// Bytes that this thread has looked at behind or before a literal.
    pub(super) static LOOKED: std::cell::Cell<usize> = const { std::cell::Cell::new(0) };
}

/// The part of a line that stands before byte `end`, at most `max` bytes of it.
pub(super) fn line_before(bytes: &[u8], end: usize, max: usize) -> &[u8] {
    bytes.get(end - take_back(bytes, end, max, |b| b != b'\n')..end).unwrap_or_default()
}

/// Whether `word` stands anywhere in `text`, whatever its case.
pub(super) fn holds(text: &[u8], word: &str) -> bool {
    text.windows(word.len()).any(|window| window.eq_ignore_ascii_case(word.as_bytes()))
}

/// Whether a token can begin at byte `start`: nothing of a word stands before it, unless that is the tail of an escape
/// (`\n` in JSON, `%3D` in a URL).
pub(super) fn starts_token(text: &str, start: usize) -> bool {
    match text.as_bytes().get(..start).unwrap_or_default() {
        [] | [.., b'\\', b'n' | b'r' | b't'] => true,
        [.., b'%', a, b] if a.is_ascii_hexdigit() && b.is_ascii_hexdigit() => true,
        [.., before] => !Alphabet::Token.contains(*before),
    }
}

/// Keys are drawn at random, so one without any digit or capital is a name: `sk-toggle-button-primary`.
pub(super) fn looks_random(key: &str) -> bool {
    key.bytes().any(|b| b.is_ascii_digit() || b.is_ascii_uppercase())
}

pub(super) fn has_letter_and_digit(value: &str) -> bool {
    value.bytes().any(|b| b.is_ascii_digit()) && value.bytes().any(|b| b.is_ascii_alphabetic())
}

pub(super) fn is_blank(byte: u8) -> bool {
    matches!(byte, b' ' | b'\t')
}
