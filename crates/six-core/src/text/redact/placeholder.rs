//! What only looks like a secret, or stands where one would.

/// What people write where a secret would stand.
const PARTS: &[&str] = &[
    "example",
    "changeme",
    "change-me",
    "change_me",
    "placeholder",
    "redacted",
    "removed",
    "dummy",
    "your-",
    "your_",
    "your ",
    "yourapi",
    "yourkey",
    "yourpass",
    "yoursecret",
    "yourtoken",
    "-your",
    "_your",
    "goes-here",
    "goes_here",
    "replace-me",
    "replace_me",
    "replaceme",
    "xxxx",
    "****",
    "....",
    "…",
    "${",
    "#{",
    "{{",
    "process.env",
    "import.meta",
    "os.environ",
    "getenv",
    "env.",
    "secrets.",
];

/// Keys that vendors print in their own documentation, by the part that is theirs alone.
const SAMPLES: &[&str] =
    &["4eC39HqLyjWDarjtT1zdp7dc", "BQokikJOvBiI2HlWgH4olfQ2", "SflKxwRJSMeKKF2QT4fwpMeJf36POk6yJV_adQssw5c"];

/// Types, literals of languages, and the words for the thing itself.
const WORDS: &[&str] = &[
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
    "varchar",
    "hidden",
    "missing",
    "invalid",
    "empty",
    "set",
    "unset",
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
    "enabled",
    "disabled",
    "void",
    "never",
    "default",
    "value",
    "write",
    "read",
];

/// Lower-case words that stand behind the name of a password in code and sentences. Only a password that is a plain word
/// is taken for one of them.
const PLAIN_WORDS: &[&str] = &[
    "admin",
    "allow",
    "also",
    "always",
    "and",
    "args",
    "argument",
    "array",
    "await",
    "because",
    "been",
    "before",
    "being",
    "body",
    "both",
    "button",
    "can",
    "cannot",
    "case",
    "char",
    "check",
    "checked",
    "class",
    "cleartext",
    "code",
    "config",
    "const",
    "could",
    "crypt",
    "current",
    "data",
    "deny",
    "does",
    "done",
    "each",
    "either",
    "email",
    "encoded",
    "encrypted",
    "enter",
    "entry",
    "error",
    "expired",
    "fail",
    "failed",
    "fails",
    "field",
    "file",
    "files",
    "first",
    "flag",
    "flow",
    "following",
    "for",
    "form",
    "from",
    "func",
    "function",
    "generated",
    "getpass",
    "handler",
    "has",
    "hash",
    "hashed",
    "have",
    "here",
    "image",
    "impl",
    "input",
    "instead",
    "into",
    "item",
    "just",
    "last",
    "line",
    "list",
    "load",
    "login",
    "long",
    "make",
    "managed",
    "manual",
    "match",
    "maybe",
    "member",
    "more",
    "most",
    "must",
    "name",
    "needed",
    "needs",
    "next",
    "not",
    "only",
    "option",
    "other",
    "output",
    "over",
    "param",
    "parameter",
    "params",
    "passed",
    "path",
    "pending",
    "plain",
    "plaintext",
    "prompt",
    "property",
    "public",
    "random",
    "raw",
    "ref",
    "request",
    "reset",
    "result",
    "return",
    "revoked",
    "row",
    "same",
    "schema",
    "scram",
    "self",
    "sensitive",
    "session",
    "should",
    "show",
    "since",
    "skip",
    "some",
    "static",
    "stored",
    "super",
    "that",
    "the",
    "their",
    "then",
    "there",
    "these",
    "they",
    "this",
    "type",
    "update",
    "updated",
    "use",
    "used",
    "user",
    "username",
    "using",
    "valid",
    "variable",
    "vault",
    "was",
    "when",
    "where",
    "which",
    "while",
    "will",
    "with",
    "would",
    "wrong",
    "you",
    "your",
];

/// Whether `value` stands for a secret instead of being one: a variable, a type, a sample, a row of stars.
pub(super) fn is_placeholder(value: &str) -> bool {
    let value = value.trim();
    let Some(first) = value.bytes().next() else { return true };
    if matches!(first, b'<' | b'{' | b'[' | b'(') || is_variable(value) || is_drawn_by_hand(value) || is_sample(value) {
        return true;
    }
    if value.ends_with("...") || is_shouted(value) {
        return true;
    }
    let lower = value.to_ascii_lowercase();
    let plain = lower.trim_end_matches(['!', '?', '.', ';', ',', ':']);
    WORDS.contains(&plain) || PARTS.iter().any(|part| lower.contains(part))
}

/// Whether a lower-case word behind the name of a password is no password.
pub(super) fn is_plain_word(value: &str) -> bool {
    PLAIN_WORDS.binary_search(&value).is_ok()
}

/// A key that is printed in documentation.
pub(super) fn is_sample(value: &str) -> bool {
    SAMPLES.iter().any(|sample| value.ends_with(sample))
}

/// `API_TOKEN_HERE`: words, not a value.
fn is_shouted(value: &str) -> bool {
    value.contains(['_', '-']) && value.bytes().all(|b| b.is_ascii_uppercase() || matches!(b, b'_' | b'-'))
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

/// A file, an address or a module: where the secret is, not what it is.
pub(super) fn is_place(value: &str) -> bool {
    const EXTENSION: usize = 5;
    let absolute = ["/", "./", "../", "~", "@/", "\\\\"].iter().any(|head| value.starts_with(head));
    let drive = matches!(value.as_bytes(), [letter, b':', b'\\' | b'/', ..] if letter.is_ascii_alphabetic());
    let (_, file) = value.rsplit_once('/').unwrap_or(("", value));
    let is_extension = |ext: &str| (1..=EXTENSION).contains(&ext.len()) && ext.bytes().all(|b| b.is_ascii_lowercase());
    let named = file.rsplit_once('.').is_some_and(|(stem, ext)| !stem.is_empty() && is_extension(ext));
    // Base64 may begin with a slash, but does not go on in words.
    (absolute && value.split('/').all(is_word_or_short)) || drive || named || value.contains("://")
}

/// A folder or file: `id_ed25519`, `v2`.
fn is_word_or_short(part: &str) -> bool {
    const SHORT: usize = 3;
    const DIGITS: usize = 5;
    part.len() <= SHORT || part.split(['-', '_', '.', ' ']).all(|part| is_word(part, DIGITS))
}

/// Letters, with a few digits behind them: `utf8`, `v2`, `Layout`.
fn is_word(part: &str, max_digits: usize) -> bool {
    let letters = part.trim_end_matches(|c: char| c.is_ascii_digit());
    part.len() - letters.len() <= max_digits
        && letters.bytes().all(|b| b.is_ascii_alphabetic())
        && !is_shuffled(letters)
}

/// Capitals inside that are no humps: `qZbXkPmR`.
fn is_shuffled(letters: &str) -> bool {
    let humps = letters.as_bytes().windows(2).filter(|pair| matches!(pair, [b'a'..=b'z', b'A'..=b'Z'])).count();
    humps > 1 + letters.len() / 5
}

/// Words joined by dashes, dots and the like, as names are made: `app-secret-v1`, `cl100k_base` is none of them.
pub(super) fn is_made_of_words(value: &str) -> bool {
    const DIGITS: usize = 2;
    let mut parts = value.split(['-', '_', '.', ':', '/', '@', ' ']).peekable();
    let joined = value.contains(['-', '_', '.', ':', '/', '@', ' ']);
    joined && parts.peek().is_some() && parts.all(|part| is_word(part, DIGITS) || is_number(part))
}

fn is_number(part: &str) -> bool {
    const DIGITS: usize = 4;
    part.len() <= DIGITS && part.bytes().all(|b| b.is_ascii_digit())
}

/// A call, a path of fields, a macro, a generic type: code that fetches or describes the secret.
pub(super) fn is_expression(value: &str) -> bool {
    let is_name = |part: &str| {
        part.bytes().next().is_some_and(|b| b.is_ascii_alphabetic() || b == b'_')
            && part.bytes().all(|b| b.is_ascii_alphanumeric() || matches!(b, b'_' | b'?' | b'!'))
    };
    value.contains(['(', '[', '{'])
        || value.contains("::")
        || value.starts_with(['&', '*'])
        || is_place(value)
        || is_literal_number(value)
        || is_constant(value)
        || (value.contains('/') && is_made_of_words(value))
        || (value.contains('.') && value.split('.').all(is_name))
}

/// `0x80310037`, `4099i32`.
fn is_literal_number(value: &str) -> bool {
    const DIGITS: usize = 18;
    let digits = value.trim_end_matches("usize").trim_end_matches(|c: char| c.is_ascii_digit());
    let typed = value.starts_with(|c: char| c.is_ascii_digit())
        && digits.strip_suffix(['i', 'u', 'f']).is_some_and(|n| n.bytes().all(|b| b.is_ascii_digit()));
    let hex = value.strip_prefix("0x").is_some_and(|n| n.bytes().all(|b| b.is_ascii_hexdigit()));
    value.len() <= DIGITS && (typed || hex)
}

/// `DOT11_MODE`, `ULONG64`: words in capitals.
fn is_constant(value: &str) -> bool {
    let shouted = value.bytes().all(|b| b.is_ascii_uppercase() || b.is_ascii_digit() || b == b'_');
    shouted && value.split('_').all(|part| is_word(part, 2) || is_number(part))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_plain_words_are_in_order_for_the_search() {
        assert!(PLAIN_WORDS.windows(2).all(|pair| pair[0] < pair[1]));
    }

    #[test]
    fn places_and_names_are_told_from_drawn_values() {
        for place in ["/run/secrets/token", "~/.ssh/id_ed25519", "keys/app.pem", "C:\\keys\\a", "https://a.invalid"] {
            assert!(is_place(place), "{place}");
        }
        for value in ["/q7Zb2XkP9mRt4Ws/V8cYd3LhJ6nGf", "q7Zb2XkP9mRt", "hunter2"] {
            assert!(!is_place(value) && !is_made_of_words(value), "{value}");
        }
        assert!(is_made_of_words("app-secret-v1") && is_made_of_words("auth.token.v2"));
    }
}
