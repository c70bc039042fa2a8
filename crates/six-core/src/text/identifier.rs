//! Identifiers: how far one reaches, and how it comes apart.
//!
//! `src/gate_check.rs:42` is one compound. It is indexed whole, by each component that is itself composed
//! (`src/gate_check.rs`, `gate_check.rs`, `gate_check`), and by its parts (`src`, `gate`, `check`, `rs`, `42`).

use super::script::{Class, class_at};

/// Separators from the outermost level to the innermost. A line number leaves the path whole, a path its file name,
/// a file name its stem.
pub(crate) const LEVELS: [&[u8]; 4] = [b":", b"/\\@+", b".", b"_-"];

/// More separators in a row than in `://` make a rule or an ellipsis, not a name.
const MAX_JOINERS: usize = 3;

/// From this length on a compound with a `+` is encoded data.
const ENCODED_BYTES: usize = 128;

pub(crate) fn is_joiner(byte: u8) -> bool {
    matches!(byte, b':' | b'/' | b'\\' | b'@' | b'+' | b'.' | b'_' | b'-')
}

/// A run of words with nothing but joiners between them.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) struct Compound {
    pub(crate) end: usize,
    /// Whether it has more than one word.
    pub(crate) joined: bool,
}

/// The compound whose first word starts at byte `start`.
pub(crate) fn compound(text: &str, start: usize) -> Compound {
    let bytes = text.as_bytes();
    let mut end = word_end(text, start);
    let mut joined = false;
    loop {
        let joiners = bytes.iter().skip(end).take(MAX_JOINERS + 1).take_while(|b| is_joiner(**b)).count();
        let next = end + joiners;
        if joiners == 0 || joiners > MAX_JOINERS || class_at(text, next) != Class::Word {
            return Compound { end, joined };
        }
        end = word_end(text, next);
        joined = true;
    }
}

/// End of the word that starts at byte `start`.
pub(crate) fn word_end(text: &str, start: usize) -> usize {
    let bytes = text.as_bytes();
    let mut at = start;
    while let Some(byte) = bytes.get(at) {
        if byte.is_ascii_alphanumeric() {
            at += 1;
        } else if byte.is_ascii() {
            break;
        } else {
            match super::script::char_at(text, at) {
                Some(c) if matches!(super::script::class(c), Class::Word | Class::Extend) => at += c.len_utf8(),
                _ => break,
            }
        }
    }
    at
}

/// Whether a compound is base64 and not a name: long, with a `+`, which no path of that length has.
pub(crate) fn is_encoded_data(compound: &str) -> bool {
    compound.len() > ENCODED_BYTES && compound.bytes().any(|b| b == b'+')
}

/// The pieces between the separators of one level, without joiners at their ends, as byte ranges of the text in which
/// `compound` starts at `offset`.
pub(crate) fn components<'a>(
    compound: &'a str,
    offset: usize,
    separators: &'static [u8],
) -> impl Iterator<Item = (usize, usize)> + 'a {
    let is_joiner_char = |c: char| u8::try_from(c).is_ok_and(is_joiner);
    let mut start = offset;
    compound.split(move |c: char| u8::try_from(c).is_ok_and(|b| separators.contains(&b))).filter_map(move |piece| {
        let from = start + (piece.len() - piece.trim_start_matches(is_joiner_char).len());
        let trimmed = piece.trim_matches(is_joiner_char);
        start += piece.len() + 1;
        (!trimmed.is_empty()).then_some((from, from + trimmed.len()))
    })
}

/// The humps of a camel-cased ASCII word as byte ranges in it: `HTTPServer` → `HTTP`, `Server`. Empty if it has none.
pub(crate) fn humps(word: &str) -> Vec<(usize, usize)> {
    let bytes = word.as_bytes();
    let has_inner_upper = bytes.iter().skip(1).any(u8::is_ascii_uppercase);
    if !has_inner_upper || !bytes.iter().any(u8::is_ascii_lowercase) {
        return Vec::new();
    }
    let mut found = Vec::new();
    let mut start = 0;
    for (at, around) in bytes.windows(2).enumerate() {
        let &[before, here] = around else { continue };
        let after = bytes.get(at + 2);
        let plural = after == Some(&b's') && at + 3 == bytes.len();
        let starts_word = before.is_ascii_uppercase() && after.is_some_and(u8::is_ascii_lowercase) && !plural;
        if here.is_ascii_uppercase() && (!before.is_ascii_uppercase() || starts_word) {
            found.push((start, at + 1));
            start = at + 1;
        }
    }
    if !found.is_empty() {
        found.push((start, bytes.len()));
    }
    found
}

#[cfg(test)]
mod tests {
    use super::*;

    fn humps_of(word: &str) -> Vec<&str> {
        humps(word).into_iter().map(|(from, to)| &word[from..to]).collect()
    }

    #[test]
    fn humps_follow_case() {
        assert_eq!(humps_of("fooBar"), ["foo", "Bar"]);
        assert_eq!(humps_of("HTTPServer"), ["HTTP", "Server"]);
        assert_eq!(humps_of("parseJSON2Html"), ["parse", "JSON2", "Html"]);
        assert_eq!(humps_of("URLs"), [""; 0]);
        assert_eq!(humps_of("README"), [""; 0]);
        assert_eq!(humps_of("Word"), [""; 0]);
    }

    #[test]
    fn a_compound_ends_where_its_last_word_does() {
        for (text, whole) in [
            ("src/gate.rs, then", "src/gate.rs"),
            ("https://host.invalid/a-b.", "https://host.invalid/a-b"),
            ("C:\\x and", "C:\\x"),
            ("wait....what", "wait"),
            ("SQLite的", "SQLite"),
            ("größe_max!", "größe_max"),
        ] {
            assert_eq!(&text[..compound(text, 0).end], whole);
        }
    }

    #[test]
    fn components_lose_the_joiners_at_their_ends() {
        let found: Vec<_> = components("https://a/b", 10, LEVELS[1]).collect();
        assert_eq!(found, [(10, 15), (18, 19), (20, 21)]);
    }
}
