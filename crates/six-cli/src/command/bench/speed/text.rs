//! Made-up text: words as frequent as those of a language, the same every time.

use std::fmt::Write as _;

/// What stands at the head of the frequencies: the words that English text about software is full of.
const FREQUENT: &str = "the to of a and in is it for that on with be this as we not are or at by from an if can will \
    should when has was do test file use add error run make so all one new then but code change no need only read write \
    value name call build check work time data set list key first after before same line path user type order store \
    server cache request return message query index field table record session token worker queue retry";

/// Distinct words; a project of years has some ten thousand.
const VOCABULARY: f64 = 30_000.0;

/// A source of text.
#[derive(Debug)]
pub(crate) struct Prose {
    state: u64,
}

impl Prose {
    /// The same seed gives the same text.
    pub(crate) const fn new(seed: u64) -> Self {
        Self { state: seed }
    }

    /// Sentences of `words` words in all.
    pub(crate) fn text(&mut self, words: usize) -> String {
        let mut text = String::with_capacity(words * 8);
        let mut until_stop = 0_usize;
        for _ in 0..words {
            if until_stop == 0 {
                until_stop = 6 + self.below(12);
                text.push_str(if text.is_empty() { "" } else { ". " });
            } else {
                text.push(' ');
            }
            until_stop -= 1;
            self.word_into(&mut text);
        }
        text.push('.');
        text
    }

    /// Lines as a tool prints them.
    pub(crate) fn output(&mut self, lines: usize) -> String {
        let mut text = String::with_capacity(lines * 60);
        for line in 1..=lines {
            let _ = write!(text, "{line:>6}\t");
            (0..7).for_each(|_| {
                self.word_into(&mut text);
                text.push(' ');
            });
            text.push('\n');
        }
        text
    }

    /// So many small values, as the vector of a text has them.
    pub(crate) fn values(&mut self, width: usize) -> Vec<i8> {
        let small = |bits: u64| i8::try_from(bits % 101).unwrap_or(0) - 50;
        (0..width).map(|_| small(self.next() >> 32)).collect()
    }

    /// One of these words, each as likely as any other; empty if there are none.
    pub(crate) fn pick<'w>(&mut self, words: &[&'w str]) -> &'w str {
        words.get(self.below(words.len().max(1))).copied().unwrap_or_default()
    }

    /// A value between 0 and 1.
    fn unit(&mut self) -> f64 {
        f64::from(u32::try_from(self.next() >> 32).unwrap_or(0)) / 4_294_967_296.0
    }

    #[expect(clippy::cast_possible_truncation, clippy::cast_sign_loss, reason = "the rank is below VOCABULARY")]
    fn word_into(&mut self, text: &mut String) {
        let rank = VOCABULARY.powf(self.unit()) as u32 - 1;
        if rank > 2_000 && self.below(4) == 0 {
            text.push_str(&word(rank));
            text.push('_');
            text.push_str(&word(rank / 2));
        } else {
            text.push_str(&word(rank));
        }
    }

    fn below(&mut self, bound: usize) -> usize {
        usize::try_from(self.next() >> 32).unwrap_or(0) % bound
    }

    /// `SplitMix64`.
    fn next(&mut self) -> u64 {
        self.state = self.state.wrapping_add(0x9E37_79B9_7F4A_7C15);
        let mixed = (self.state ^ (self.state >> 30)).wrapping_mul(0xBF58_476D_1CE4_E5B9);
        let mixed = (mixed ^ (mixed >> 27)).wrapping_mul(0x94D0_49BB_1331_11EB);
        mixed ^ (mixed >> 31)
    }
}

/// The word of that rank: a frequent one, else three syllables that no language list knows.
pub(crate) fn word(rank: u32) -> String {
    const CONSONANTS: &str = "bdfgjklmnprtvwxz";
    const VOWELS: &str = "aiou";
    if let Some(word) = FREQUENT.split_whitespace().nth(usize::try_from(rank).unwrap_or(usize::MAX)) {
        return word.to_owned();
    }
    let letter = |of: &str, at: u32| of.chars().nth(usize::try_from(at).unwrap_or(0)).unwrap_or('x');
    // Neighbours in rank should not look alike.
    let mut rest = rank.wrapping_mul(40_503) % (1 << 18);
    let mut word = String::new();
    for _ in 0..3 {
        word.push(letter(CONSONANTS, rest % 64 / 4));
        word.push(letter(VOWELS, rest % 4));
        rest /= 64;
    }
    word
}

#[cfg(test)]
mod tests {
    use std::collections::BTreeMap;

    use super::*;

    #[test]
    fn the_same_seed_gives_the_same_text_and_another_seed_another() {
        assert_eq!(Prose::new(7).text(50), Prose::new(7).text(50));
        assert_ne!(Prose::new(7).text(50), Prose::new(8).text(50));
        assert_ne!(Prose::new(7).output(3), Prose::new(8).output(3));
    }

    #[test]
    fn words_are_as_frequent_as_in_a_language() {
        let text = Prose::new(1).text(20_000);
        let mut counts: BTreeMap<&str, usize> = BTreeMap::new();
        for word in text.split_whitespace() {
            *counts.entry(word.trim_end_matches('.')).or_default() += 1;
        }
        let share = |word: &str| counts[word] * 100 / 20_000;
        assert!((4..10).contains(&share("the")) && counts["the"] > counts["of"], "{}", counts["the"]);
        assert!(counts.len() > 4_000, "{}", counts.len());
        assert!(counts.keys().any(|word| word.contains('_')));
    }
}
