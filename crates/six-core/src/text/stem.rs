//! English stems.
//!
//! Only words that fold to ASCII letters are stemmed, all with the English stemmer: identifiers, logs and most project text are
//! English, the language of a single word cannot be known, and a stemmer that is wrong for the language but the same in
//! index and query only merges a few forms. Words of other languages are folded and found by their form.

use std::cell::RefCell;

use rust_stemmers::{Algorithm, Stemmer};

/// Longest word kept in the cache: what fits a `u128`.
const CACHED_BYTES: usize = 16;
const SLOTS: usize = 4096;

/// Stems of words met before, one word per slot, the last one wins.
///
/// The stemmer takes 213 ns per word, which alone would hold ingest below 50 MB/s; a hit takes under 10 ns. Invisible
/// from outside: the same word has the same stem whatever was asked before.
struct StemCache {
    stemmer: Stemmer,
    slots: Vec<Slot>,
}

#[derive(Clone, Copy)]
struct Slot {
    word: u128,
    stem: [u8; CACHED_BYTES],
    stem_bytes: u8,
}

thread_local! {
    static CACHE: RefCell<StemCache> = RefCell::new(StemCache {
        stemmer: Stemmer::create(Algorithm::English),
        slots: vec![Slot { word: 0, stem: [0; CACHED_BYTES], stem_bytes: 0 }; SLOTS],
    });
}

/// Replaces `word`, which must be lower-case ASCII letters, by its stem.
pub(crate) fn stem(word: &mut String) {
    if word.len() < 3 || word.bytes().next_back().is_none_or(never_ends_a_suffix) {
        return;
    }
    CACHE.with_borrow_mut(|cache| cache.stem(word));
}

/// Letters that end no English suffix, so that a word ending in one is its own stem.
fn never_ends_a_suffix(last: u8) -> bool {
    matches!(last, b'a' | b'b' | b'f' | b'h' | b'j' | b'k' | b'o' | b'p' | b'q' | b'u' | b'v' | b'w' | b'x' | b'z')
}

impl StemCache {
    fn stem(&mut self, word: &mut String) {
        let Some(key) = key(word) else {
            *word = self.stemmer.stem(word).into_owned();
            return;
        };
        let Some(slot) = self.slots.get_mut(slot_of(key)) else { return };
        if slot.word != key {
            let stem = self.stemmer.stem(word);
            let Some(room) = slot.stem.get_mut(..stem.len()) else {
                *word = stem.into_owned();
                return;
            };
            room.copy_from_slice(stem.as_bytes());
            slot.word = key;
            slot.stem_bytes = u8::try_from(stem.len()).unwrap_or_default();
        }
        if let Some(stem) = slot.stem.get(..usize::from(slot.stem_bytes)).and_then(|s| std::str::from_utf8(s).ok()) {
            word.clear();
            word.push_str(stem);
        }
    }
}

fn key(word: &str) -> Option<u128> {
    let mut bytes = [0; CACHED_BYTES];
    bytes.get_mut(..word.len())?.copy_from_slice(word.as_bytes());
    Some(u128::from_le_bytes(bytes))
}

fn slot_of(key: u128) -> usize {
    let bytes = key.to_le_bytes();
    let (mut low, mut high) = ([0; 8], [0; 8]);
    low.copy_from_slice(&bytes[..8]);
    high.copy_from_slice(&bytes[8..]);
    let mixed =
        (u64::from_le_bytes(low) ^ u64::from_le_bytes(high).rotate_left(29)).wrapping_mul(0x9E37_79B9_7F4A_7C15);
    usize::try_from(mixed >> 40).unwrap_or_default() % SLOTS
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    fn stemmed(word: &str) -> String {
        let mut word = word.to_owned();
        stem(&mut word);
        word
    }

    #[test]
    fn forms_of_a_word_meet() {
        assert_eq!(stemmed("migrations"), stemmed("migration"));
        assert_eq!(stemmed("running"), stemmed("runs"));
        assert_eq!(stemmed("queries"), stemmed("query"));
        assert_eq!(stemmed("internationalizations"), stemmed("internationalization"));
    }

    proptest! {
        #[test]
        fn cache_and_shortcut_change_no_stem(words in proptest::collection::vec("[a-z]{1,20}(s|ed|ing|li|a|f|ly)?", 1..200)) {
            let stemmer = Stemmer::create(Algorithm::English);
            for word in words.iter().chain(&words).filter(|w| w.len() > 2) {
                prop_assert_eq!(stemmed(word), stemmer.stem(word));
            }
        }
    }
}
