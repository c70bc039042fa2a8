//! Bytes as hex digits, and the hash by which texts and files are told apart.

use sha2::{Digest as _, Sha256};

/// Two lower-case digits for each byte.
pub fn hex(bytes: &[u8]) -> String {
    let digit = |nibble: u8| char::from_digit(nibble.into(), 16);
    bytes.iter().flat_map(|byte| [byte >> 4, byte & 0xF]).filter_map(digit).collect()
}

/// SHA-256 in hex.
pub fn sha256_hex(bytes: impl AsRef<[u8]>) -> String {
    hex(&Sha256::digest(bytes))
}

/// A hash of several texts, each with its length before it, so that no two lists of texts are the same bytes.
pub(crate) struct PartsHash(Sha256);

impl PartsHash {
    pub(crate) fn new() -> Self {
        Self(Sha256::new())
    }

    pub(crate) fn add(&mut self, part: &str) {
        self.0.update((part.len() as u64).to_le_bytes());
        self.0.update(part);
    }

    /// SHA-256 in hex.
    pub(crate) fn finish(self) -> String {
        hex(&self.0.finalize())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_hash_is_written_as_other_programs_write_it() {
        assert_eq!(hex(&[0x00, 0x0F, 0xA0, 0xFF]), "000fa0ff");
        assert_eq!(sha256_hex(""), "e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855");
    }
    #[test]
    fn what_moves_from_one_part_to_the_next_gives_another_hash() {
        let of = |parts: &[&str]| {
            let mut hash = PartsHash::new();
            for part in parts {
                hash.add(part);
            }
            hash.finish()
        };
        assert_ne!(of(&["ab", "c"]), of(&["a", "bc"]));
        assert_ne!(of(&["a", ""]), of(&["a"]));
        assert_eq!(of(&["a", "b"]).len(), 64);
    }
}
