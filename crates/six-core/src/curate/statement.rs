//! Whether two statements of one kind say the same in other words.

use std::collections::BTreeSet;

use crate::text::{for_each_token, is_stop};

/// Cosine of the vectors of two statements from which on they say the same, if nothing in their words speaks against it.
/// Of ten made-up pairs that say the same eight reach it (0.75 to 0.97), and without the tests of words so do six of
/// fifteen that don't (`enable` and `disable`: 0.90; `A instead of B` and `B instead of A`: 0.99); with them none does.
pub const SAME_SENSE: f64 = 0.85;

/// Words that turn a statement round, or set one thing against another: what follows is what is not.
const CONTRARY: [&str; 18] = [
    "against", "avoid", "cannot", "except", "instead", "neither", "never", "no", "none", "nor", "not", "over",
    "rather", "refuse", "stop", "than", "unless", "without",
];

/// What is compared of a statement: its telling words in their order, its numbers, and whether it denies something.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Statement {
    words: Vec<String>,
    numbers: BTreeSet<String>,
    is_contrary: bool,
}

impl Statement {
    /// Of a title.
    pub fn of(text: &str) -> Self {
        let lower = text.to_lowercase();
        let is_contrary = lower.contains("n't")
            || lower.contains("n\u{2019}t")
            || lower.split(|c: char| !c.is_alphanumeric()).any(|word| CONTRARY.contains(&word));
        let mut found = Self { words: Vec::new(), numbers: BTreeSet::new(), is_contrary };
        for_each_token(text, |token| {
            let term = token.term.to_owned();
            if term.bytes().any(|b| b.is_ascii_digit()) {
                found.numbers.insert(term.clone());
            }
            if !is_stop(&term) && !found.words.contains(&term) {
                found.words.push(term);
            }
        });
        found
    }

    /// Whether the words allow that both say the same: they share half of the telling words of the shorter one and all
    /// numbers, they don't differ in one word alone (`log at info`, `log at debug`), and if one of them denies something
    /// both do, with what they share in the same order.
    pub fn may_say_what(&self, other: &Self) -> bool {
        let ours: Vec<&String> = self.words.iter().filter(|word| other.words.contains(word)).collect();
        let theirs: Vec<&String> = other.words.iter().filter(|word| self.words.contains(word)).collect();
        let shorter = self.words.len().min(other.words.len());
        let order_holds = !self.is_contrary || ours == theirs;
        shorter > 0
            && ours.len() * 2 >= shorter
            && self.numbers == other.numbers
            && self.is_contrary == other.is_contrary
            && order_holds
            && !self.differs_in_one_word(other)
    }

    fn differs_in_one_word(&self, other: &Self) -> bool {
        self.words.len() == other.words.len()
            && self.words.iter().zip(&other.words).filter(|(a, b)| a != b).count() == 1
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn say_the_same((a, b, cosine): &(&str, &str, f64)) -> bool {
        let (a, b) = (Statement::of(a), Statement::of(b));
        assert_eq!(a.may_say_what(&b), b.may_say_what(&a), "it is the same the other way round");
        a.may_say_what(&b) && *cosine >= SAME_SENSE
    }

    /// With the cosines of the model inside the binary.
    const SAME: [(&str, &str, f64); 7] = [
        ("Never force-push to the release branch", "Do not ever force push the release branch", 0.967),
        (
            "Polling the API was abandoned because of the rate limit",
            "We gave up polling the API: it hits the rate limit",
            0.918,
        ),
        ("Always run the linter before committing", "The linter has to run before every commit", 0.861),
        ("The cache is keyed by tenant and locale", "Cache keys consist of tenant and locale", 0.901),
        ("We are going with server-sent events for the live feed", "Live feed uses server-sent events", 0.905),
        (
            "Backed out the async parser, it deadlocked under load",
            "The async parser was reverted because it deadlocked under load",
            0.920,
        ),
        ("Dates are stored as UTC milliseconds", "We store all dates in UTC milliseconds", 0.874),
    ];

    const OTHER: [(&str, &str, f64); 12] = [
        ("Use SQLite for the ledger instead of Postgres", "Use Postgres for the ledger instead of SQLite", 0.992),
        ("We decided to keep SQLite for the ledger", "We decided against SQLite for the ledger", 0.928),
        ("Never force-push to the release branch", "Always force-push to the release branch", 0.974),
        ("Always run the linter before committing", "Never run the linter before committing", 0.972),
        ("Always run the linter before committing", "Don't run the linter before committing", 0.95),
        ("We decided to enable compression for uploads", "We decided to disable compression for uploads", 0.900),
        ("The API returns 404 for hidden repositories", "The API returns 403 for hidden repositories", 0.868),
        ("We decided to go with pnpm for the workspace", "We decided to go with yarn for the workspace", 0.497),
        ("Log at info level in the worker", "Log at debug level in the worker", 0.766),
        ("Dates are stored as UTC milliseconds", "Amounts are stored as integer cents", 0.155),
        ("", "", 1.0),
        ("It is so", "This is that", 1.0),
    ];

    #[test]
    fn other_words_for_the_same_are_the_same() {
        for pair in &SAME {
            assert!(say_the_same(pair), "{pair:?}");
        }
    }

    #[test]
    fn the_contrary_another_value_and_another_order_are_not_the_same_however_near_they_are() {
        for pair in &OTHER {
            assert!(!say_the_same(pair), "{pair:?}");
        }
    }
}
