//! What a secret is made of, and what only looks like one.

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
    /// Both base64 alphabets and the padding.
    Base64,
    /// What RFC 6750 allows after `Bearer`.
    Bearer,
}

impl Alphabet {
    pub(super) fn contains(self, byte: u8) -> bool {
        match self {
            Self::Hex => byte.is_ascii_hexdigit(),
            Self::Alnum => byte.is_ascii_alphanumeric(),
            Self::Token => byte.is_ascii_alphanumeric() || matches!(byte, b'_' | b'-'),
            Self::Dotted => Self::Token.contains(byte) || byte == b'.',
            Self::Azure => Self::Dotted.contains(byte) || byte == b'~',
            Self::Base64 => Self::Token.contains(byte) || matches!(byte, b'+' | b'/' | b'='),
            Self::Bearer => Self::Base64.contains(byte) || matches!(byte, b'.' | b'~'),
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
    bytes.get(start..).unwrap_or_default().iter().take(max).take_while(|b| keep(**b)).count()
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

/// What people write where a secret would stand.
const PLACEHOLDER_PARTS: &[&str] = &[
    "example",
    "changeme",
    "change-me",
    "change_me",
    "placeholder",
    "redacted",
    "dummy",
    "your",
    "xxxx",
    "****",
    "....",
    "…",
    "${",
    "{{",
    "process.env",
    "import.meta",
    "os.environ",
    "getenv",
    "env.",
    "secrets.",
];

/// Types, literals of languages, and the words for the thing itself.
const PLACEHOLDER_WORDS: &[&str] = &[
    "string",
    "str",
    "bool",
    "boolean",
    "number",
    "int",
    "integer",
    "null",
    "none",
    "nil",
    "undefined",
    "true",
    "false",
    "required",
    "optional",
    "any",
    "unknown",
    "object",
    "bytes",
    "text",
    "hidden",
    "missing",
    "invalid",
    "empty",
    "set",
    "password",
    "passwd",
    "passphrase",
    "pass",
    "pwd",
    "secret",
    "token",
    "api_key",
    "apikey",
    "api-key",
    "key",
    "auto",
    "credential",
    "credentials",
    "access_token",
    "inherit",
];

/// Whether `value` stands for a secret instead of being one: a variable, a type, a sample, a row of stars.
pub(super) fn is_placeholder(value: &str) -> bool {
    let value = value.trim();
    let Some(first) = value.bytes().next() else { return true };
    if matches!(first, b'<' | b'{' | b'[' | b'(') || is_variable(value) || is_drawn_by_hand(value) {
        return true;
    }
    let lower = value.to_ascii_lowercase();
    PLACEHOLDER_WORDS.contains(&lower.as_str()) || PLACEHOLDER_PARTS.iter().any(|part| lower.contains(part))
}

/// `$NAME`, `${...}`, `$(...)`, `%NAME%`.
fn is_variable(value: &str) -> bool {
    let is_name = |name: &str| name.bytes().all(|b| b.is_ascii_alphanumeric() || b == b'_');
    match value.strip_prefix('$') {
        Some(rest) => rest.starts_with(['{', '(']) || is_name(rest),
        None => value.strip_prefix('%').and_then(|rest| rest.strip_suffix('%')).is_some_and(is_name),
    }
}

/// One character makes up half of the value or more: `xxxxxxx1`, `********`.
fn is_drawn_by_hand(value: &str) -> bool {
    let mut counts = [0_usize; 256];
    for byte in value.bytes() {
        if let Some(count) = counts.get_mut(usize::from(byte)) {
            *count += 1;
        }
    }
    counts.iter().any(|count| *count > 2 && 2 * count >= value.len())
}
