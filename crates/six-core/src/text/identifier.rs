//! Identifiers: how far one reaches, and how it comes apart.
//!
//! `src/gate_check.rs:42` is one compound. It is indexed whole, by each component that is itself composed
//! (`src/gate_check.rs`, `gate_check.rs`, `gate_check`), and by its parts (`src`, `gate`, `check`, `rs`, `42`).

use super::script::{Class, class_at};

/// How deep separators stand, from the outermost to the innermost: a line number leaves the path whole, a path its file
/// name, a file name its stem.
pub(crate) const LEVELS: u8 = 4;

/// More separators in a row than in `://` make a rule or an ellipsis, not a name.
const MAX_JOINERS: usize = 3;

/// From this length on a compound with a `+` is encoded data.
const ENCODED_BYTES: usize = 128;

/// The level at which `byte` separates, if it does.
pub(crate) fn level_of(byte: u8) -> Option<u8> {
    match byte {
        b':' => Some(0),
        b'/' | b'\\' | b'@' | b'+' => Some(1),
        b'.' => Some(2),
        b'_' | b'-' => Some(3),
        _ => None,
    }
}

pub(crate) fn is_joiner(byte: u8) -> bool {
    level_of(byte).is_some()
}

/// A set of levels, one bit each.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) struct LevelSet(u8);

impl LevelSet {
    const EMPTY: Self = Self(0);

    pub(crate) fn contains(self, level: u8) -> bool {
        self.0 >> level & 1 == 1
    }

    pub(crate) fn is_empty(self) -> bool {
        self == Self::EMPTY
    }

    fn insert(&mut self, level: u8) {
        self.0 |= 1 << level;
    }
}

/// A run of words with nothing but joiners between them.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) struct Compound {
    pub(crate) end: usize,
    /// At which levels it has separators; none in a single word.
    pub(crate) levels: LevelSet,
}

/// The compound whose first word starts at byte `start`.
pub(crate) fn compound(text: &str, start: usize) -> Compound {
    let bytes = text.as_bytes();
    let mut end = word_end(text, start);
    let mut levels = LevelSet::EMPTY;
    loop {
        let mut next = end;
        let mut here = levels;
        while let Some(level) = bytes.get(next).copied().and_then(level_of) {
            here.insert(level);
            next += 1;
            if next - end > MAX_JOINERS {
                return Compound { end, levels };
            }
        }
        if next == end || class_at(text, next) != Class::Word {
            return Compound { end, levels };
        }
        end = word_end(text, next);
        levels = here;
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
pub(crate) fn components(compound: &str, offset: usize, level: u8) -> impl Iterator<Item = (usize, usize)> + '_ {
    let mut start = offset;
    compound.as_bytes().split(move |b| level_of(*b) == Some(level)).filter_map(move |piece| {
        let leading = piece.iter().take_while(|b| is_joiner(**b)).count();
        let trailing = piece.iter().rev().take_while(|b| is_joiner(**b)).count();
        let (from, to) = (start + leading, start + piece.len() - trailing);
        start += piece.len() + 1;
        (from < to).then_some((from, to))
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
        let found: Vec<_> = components("https://a/b", 10, 1).collect();
        assert_eq!(found, [(10, 15), (18, 19), (20, 21)]);
    }
}
