//! Which names say that their value is a secret.

use super::prefilter::Hit;
use super::value::{is_blank, take, take_back};

const MAX_NAME: usize = 32;

/// Endings that make a name tell about the secret instead of holding it: `token_count`, `passwordField`.
const ABOUT: &[&str] = &[
    "name",
    "names",
    "id",
    "ids",
    "type",
    "types",
    "path",
    "paths",
    "file",
    "files",
    "url",
    "uri",
    "field",
    "ref",
    "refs",
    "count",
    "limit",
    "length",
    "len",
    "size",
    "expiry",
    "expires",
    "ttl",
    "policy",
    "version",
    "label",
    "hint",
    "input",
    "prompt",
    "error",
    "errors",
    "usage",
    "regex",
    "pattern",
    "strategy",
    "budget",
    "provider",
    "kind",
    "store",
    "endpoint",
    "arn",
    "env",
    "header",
    "headers",
    "prefix",
    "suffix",
    "format",
    "scope",
    "scopes",
    "status",
    "source",
    "index",
    "idx",
    "pos",
    "position",
    "offset",
    "start",
    "end",
    "span",
    "at",
    "in",
    "on",
    "class",
    "validator",
    "manager",
    "service",
    "param",
    "params",
    "parameter",
    "arg",
    "args",
    "flag",
    "selector",
    "placeholder",
    "title",
    "description",
    "rule",
    "rules",
    "bucket",
    "stdin",
    "command",
    "cmd",
    "helper",
    "min",
    "max",
    "required",
    "enabled",
    "algorithm",
    "alg",
    "schema",
    "model",
    "mode",
    "role",
    "handler",
    "reset",
    "page",
    "route",
    "test",
    "tests",
    "dir",
    "folder",
];

/// Words that make a key one that opens something: `api_key`, not `primary_key`.
const OF_KEY: &[&str] = &[
    "api",
    "access",
    "private",
    "secret",
    "auth",
    "authentication",
    "sign",
    "signing",
    "encrypt",
    "encryption",
    "account",
    "master",
    "service",
    "subscription",
    "app",
    "application",
    "license",
    "deploy",
    "shared",
    "admin",
    "consumer",
    "client",
    "webhook",
    "security",
    "fernet",
    "jwt",
    "hmac",
    "aes",
    "rsa",
    "ssh",
    "storage",
    "integration",
    "write",
    "server",
    "hash",
    "cipher",
    "decrypt",
    "decryption",
];

/// Flags that say something about a password and have no value.
const VALUELESS: &[&str] = &["--no-", "--ask-", "--show-", "--hide-", "--reset-", "--prompt-", "--skip-"];

/// Whether a name whose known part is `known` and that goes on with `tail` is the name of a secret.
pub(super) fn holds_secret(known: &str, tail: &str) -> bool {
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

/// `hit`, which is the word key, with the words before it that make it a secret's name; `None` if there are none.
pub(super) fn with_words_of_key(hit: Hit<'_>) -> Option<Hit<'_>> {
    let bytes = hit.text.as_bytes();
    let joint = take_back(bytes, hit.start, 1, |b| is_blank(b) || matches!(b, b'_' | b'-' | b'.'));
    let letters = take_back(bytes, hit.start - joint, MAX_NAME, |b| b.is_ascii_alphabetic());
    let word = hit.text.get(hit.start - joint - letters..hit.start - joint)?;
    let known = OF_KEY.iter().copied().filter(|known| ends_with(word, known)).max_by_key(|known| known.len())?;
    Some(Hit { start: hit.start - joint - known.len(), ..hit })
}

/// Whether `word` is `last` or has it as its last word: `myApi`, `MYAPI` is none.
fn ends_with(word: &str, last: &str) -> bool {
    let Some(at) = word.len().checked_sub(last.len()) else { return false };
    let (Some(head), Some(tail)) = (word.get(..at), word.get(at..)) else { return false };
    let begins = head.is_empty() || tail.bytes().next().is_some_and(|b| b.is_ascii_uppercase());
    begins && tail.eq_ignore_ascii_case(last)
}

/// Whether the name at `start` is a flag that takes a value: `--`, then the rest of its words.
pub(super) fn is_flag(before: &[u8]) -> bool {
    let words = take_back(before, before.len(), MAX_NAME, |b| b.is_ascii_alphanumeric() || b == b'-');
    let name = before.get(before.len() - words..).unwrap_or_default();
    name.starts_with(b"--") && !VALUELESS.iter().any(|flag| name.starts_with(flag.as_bytes()))
}

/// Bytes of the name behind its known part.
pub(super) fn tail_len(bytes: &[u8], end: usize) -> usize {
    take(bytes, end, MAX_NAME, is_name_byte)
}

/// First byte of the whole name whose known part begins at `start`.
pub(super) fn name_start(bytes: &[u8], start: usize) -> usize {
    start - take_back(bytes, start, MAX_NAME, |b| is_name_byte(b) || b == b'.')
}

fn is_name_byte(byte: u8) -> bool {
    byte.is_ascii_alphanumeric() || matches!(byte, b'_' | b'-')
}
