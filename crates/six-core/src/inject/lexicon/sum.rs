//! A word as a number.

/// A sum of a word's bytes (FNV-1a), the same whenever and wherever it is made.
pub(crate) const fn sum(word: &str) -> u32 {
    let bytes = word.as_bytes();
    let mut sum = 0x811c_9dc5_u32;
    let mut at = 0;
    while at < bytes.len() {
        sum = (sum ^ bytes[at] as u32).wrapping_mul(0x0100_0193);
        at += 1;
    }
    sum
}
