//! Which texts say the same, so that a result is not one text five times. Documents of any length are compared, and all that
//! becomes of the second is that it is not listed; what becomes of records that say the same is another matter, with a measure
//! of its own ([`Likeness`](crate::curate::Likeness)).

use std::collections::BTreeSet;
use std::hash::{DefaultHasher, Hash, Hasher as _};

use crate::text::for_each_token;

/// Pairs of neighbouring terms that two texts share, of all that either has, from which on they say the same: one word
/// changed in eighteen. Pairs and not single terms, since `A before B` is not `B before A`.
const SAME_PAIRS: f64 = 0.8;

/// The same where the vectors of both point in one direction.
const SAME_PAIRS_AND_MEANING: f64 = 0.5;

/// Cosine from which on they do.
const SAME_MEANING: f64 = 0.97;

/// What is compared of a text: its terms in their order, without case, accents and punctuation, and its numbers.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct Gist {
    pairs: BTreeSet<u64>,
    numbers: BTreeSet<u64>,
}

impl Gist {
    /// Of a text.
    pub fn of(text: &str) -> Self {
        let mut gist = Self::default();
        let mut before = 0;
        for_each_token(text, |token| {
            let term = hash(&token.term);
            gist.pairs.insert(hash(&(before, term)));
            if token.term.bytes().any(|b| b.is_ascii_digit()) {
                gist.numbers.insert(term);
            }
            before = term;
        });
        gist
    }

    /// Whether the other text says the same; `cosine` is that of their vectors, where both have one. Texts with other
    /// numbers never do, however much else they share: `port 80` is not `port 443`. Neither do texts without a term.
    pub fn is_like(&self, other: &Self, cosine: Option<f64>) -> bool {
        let wanted =
            if cosine.is_some_and(|cosine| cosine >= SAME_MEANING) { SAME_PAIRS_AND_MEANING } else { SAME_PAIRS };
        self.numbers == other.numbers && self.shared(other) >= wanted
    }

    /// Jaccard's coefficient of the pairs.
    #[expect(clippy::cast_precision_loss, reason = "a text has far fewer than 2^52 terms")]
    fn shared(&self, other: &Self) -> f64 {
        let both = self.pairs.intersection(&other.pairs).count();
        let any = self.pairs.len() + other.pairs.len() - both;
        if any == 0 { 0.0 } else { both as f64 / any as f64 }
    }
}

fn hash(what: &impl Hash) -> u64 {
    let mut hasher = DefaultHasher::new();
    what.hash(&mut hasher);
    hasher.finish()
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    fn alike(left: &str, right: &str) -> bool {
        Gist::of(left).is_like(&Gist::of(right), None)
    }

    const LONG: &str = "The upload worker takes one file after the other from the queue, retries each with jitter, and \
                        writes a line for every failure into the log of the harbour.";

    #[test]
    fn case_blanks_accents_and_punctuation_make_no_other_text() {
        assert!(alike("Retry the upload, twice!", "retry the  upload\ntwice"));
        assert!(alike("Größe wählen", "GRÖSSE WAHLEN"));
        assert!(alike("部署方案决定用 SQLite。", "部署方案决定用SQLite"));
    }

    #[test]
    fn one_word_in_a_long_text_is_no_other_text_but_in_a_short_one_it_is() {
        assert!(alike(LONG, &LONG.replace("harbour", "port")));
        assert!(!alike(LONG, &LONG.replace("queue", "bucket").replace("jitter", "care").replace("file", "ship")));
        assert!(!alike("use the outbox for mails", "use the outbox for orders"));
    }

    #[test]
    fn another_number_or_another_order_is_another_text() {
        assert!(!alike(&format!("{LONG} 80"), &format!("{LONG} 443")));
        assert!(!alike(&format!("{LONG} v1.2"), &format!("{LONG} v1.3")));
        assert!(!alike("use pnpm not npm", "use npm not pnpm"));
    }

    #[test]
    fn one_meaning_helps_where_half_of_the_words_agree_and_never_against_a_number() {
        let like = |left: &str, right: &str| Gist::of(left).is_like(&Gist::of(right), Some(0.98));
        let (left, right) = ("send every mail through the outbox", "send each mail through the outbox");
        assert!(like(left, right) && !alike(left, right));
        assert!(!like("use pnpm not npm", "use npm not pnpm"));
        assert!(!like("listen on the port 80 of the host", "listen on the port 443 of the host"));
    }

    #[test]
    fn texts_without_a_word_are_not_compared() {
        assert!(!alike("", "") && !alike("?!", "?!"));
        assert!(alike("ok", "OK!"));
    }

    proptest! {
        #[test]
        fn likeness_has_no_direction(left in "[a-c0-1 ]{0,30}", right in "[a-c0-1 ]{0,30}") {
            prop_assert_eq!(alike(&left, &right), alike(&right, &left));
        }
    }
}
