//! How much of what two records say is the same: what they share of their words that say something.

use std::collections::{BTreeMap, BTreeSet};

use crate::text::{cut_bytes, for_each_token, is_stop};

/// Bytes of a text that are compared; titles and sentences are far shorter.
const MAX_BYTES: usize = 4 * 1024;

/// Terms of the shorter text that two records share from which on they are about one matter: half of them.
const SIMILAR: f64 = 0.5;

/// Terms that they share, of all that either has, from which on they say nearly the same: three of five. `use pnpm, not npm`
/// and `we use pnpm and not npm here` share all.
const SAME: f64 = 0.6;

/// Fewer shared terms than this are chance.
const LEAST_SHARED: usize = 2;

/// The distinct terms of a record that say something, each with its place.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct Likeness {
    terms: BTreeMap<String, usize>,
    numbers: BTreeSet<String>,
}

impl Likeness {
    /// Of a record's title. The quote stands in where a title has no term that says something.
    pub fn of(title: &str, quote: &str) -> Self {
        let of_title = Self::of_text(title);
        if of_title.terms.is_empty() { Self::of_text(quote) } else { of_title }
    }

    fn of_text(text: &str) -> Self {
        let mut likeness = Self::default();
        for_each_token(cut_bytes(text, MAX_BYTES), |token| {
            if is_stop(token.term) {
                return;
            }
            if token.term.bytes().any(|byte| byte.is_ascii_digit()) {
                likeness.numbers.insert(token.term.to_owned());
            }
            let place = likeness.terms.len();
            likeness.terms.entry(token.term.to_owned()).or_insert(place);
        });
        likeness
    }

    /// Whether both are about one matter.
    pub fn is_similar(&self, other: &Self) -> bool {
        let shared = self.shared(other);
        let shorter = self.terms.len().min(other.terms.len());
        shared >= LEAST_SHARED && share(shared, shorter) >= SIMILAR || self.is_same(other)
    }

    /// Whether both say nearly the same: other numbers are another matter (`port 80`, `port 443`), and so is another order
    /// (`pnpm, not npm`).
    pub fn is_same(&self, other: &Self) -> bool {
        self.numbers == other.numbers && self.closeness(other) >= SAME && self.is_in_order(other)
    }

    /// Shared terms among all that either has: 0.0 to 1.0, 0.0 where one has none.
    pub fn closeness(&self, other: &Self) -> f64 {
        let shared = self.shared(other);
        share(shared, self.terms.len() + other.terms.len() - shared)
    }

    fn shared(&self, other: &Self) -> usize {
        self.terms.keys().filter(|term| other.terms.contains_key(*term)).count()
    }

    /// Whether most pairs of shared terms stand in one order in both.
    fn is_in_order(&self, other: &Self) -> bool {
        let places: Vec<(usize, usize)> =
            self.terms.iter().filter_map(|(term, here)| Some((*here, *other.terms.get(term)?))).collect();
        let pairs = || places.iter().enumerate().flat_map(|(n, a)| places.iter().skip(n + 1).map(move |b| (a, b)));
        let turned = pairs().filter(|(a, b)| (a.0 < b.0) != (a.1 < b.1)).count();
        turned == 0 || turned * 2 < pairs().count()
    }
}

#[expect(clippy::cast_precision_loss, reason = "a text of some kilobytes has far fewer than 2^52 terms")]
fn share(part: usize, whole: usize) -> f64 {
    if whole == 0 { 0.0 } else { part as f64 / whole as f64 }
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    fn both(left: &str, right: &str) -> (bool, bool) {
        let (left, right) = (Likeness::of(left, ""), Likeness::of(right, ""));
        (left.is_similar(&right), left.is_same(&right))
    }

    #[test]
    fn the_same_in_nearly_the_same_words_is_the_same() {
        assert_eq!(both("Use pnpm, not npm", "we use pnpm and not npm here"), (true, true));
        assert_eq!(both("The outbox sends every mail", "Every mail is sent by the outbox relay"), (true, false));
        assert_eq!(both("部署方案决定用 SQLite", "部署方案决定用 SQLite。"), (true, true));
    }

    #[test]
    fn another_number_another_order_and_another_matter_are_not_the_same() {
        assert!(!both("listen on port 80 of the gateway host", "listen on port 443 of the gateway host").1);
        assert!(!both("use pnpm not npm", "use npm not pnpm").1);
        assert_eq!(both("keep the outbox", "paint the lighthouse red"), (false, false));
    }

    #[test]
    fn one_word_in_common_is_chance() {
        assert!(!both("keep the outbox", "drop the outbox table when the mooring is closed").0);
    }

    #[test]
    fn where_the_title_says_nothing_the_quote_is_compared() {
        let quoted = |quote| Likeness::of("", quote);
        assert!(quoted("keep the outbox relay").is_same(&Likeness::of("keep the outbox relay", "")));
        assert!(!quoted("").is_same(&quoted("")), "nothing is not the same as nothing");
    }

    proptest! {
        #[test]
        fn likeness_has_no_direction_and_what_is_the_same_is_similar(left in "[a-d0-2 ]{0,30}", right in "[a-d0-2 ]{0,30}") {
            prop_assert_eq!(both(&left, &right), both(&right, &left));
            let (similar, same) = both(&left, &right);
            prop_assert!(similar || !same);
        }
    }
}
