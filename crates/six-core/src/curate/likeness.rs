//! Which records say the same: the one measure of extraction, triage and the worker.
//!
//! * [`Likeness::is_same`], by words alone: extraction makes a proposal evidence of such a record, or drops it where the record
//!   was rejected; triage suggests it.
//! * [`Likeness::may_be_same`], by words that leave it open, where the vectors decide ([`SAME_SENSE`]): the worker, which has
//!   them. What is the same by words alone always may be.
//! * [`Likeness::is_similar`], about one matter: triage shows such records side by side.
//!
//! Search has another measure, [`Gist`](crate::search::Gist): there the second of two nearly equal texts is left out of a
//! list, and nothing becomes of it.

use std::collections::BTreeSet;

use crate::text::{cut_bytes, fold, for_each_token, is_stop};

/// Bytes of a text that are compared; titles and sentences are far shorter.
const MAX_BYTES: usize = 4 * 1024;

/// Terms of the shorter text that two records share from which on they are about one matter: half of them.
const SIMILAR: f64 = 0.5;

/// Terms that they share, of all that either has, from which on they say the same: seven of ten. `use pnpm, not npm` and
/// `we use pnpm and not npm here` share all.
const SAME: f64 = 0.7;

/// Fewer shared terms than this are chance.
const LEAST_SHARED: usize = 2;

/// Cosine of the vectors of two titles from which on they say the same, if nothing in their words speaks against it.
/// Of ten made-up pairs that say the same eight reach it (0.75 to 0.97), and without the tests of words so do six of
/// fifteen that don't (`enable` and `disable`: 0.90; `A instead of B` and `B instead of A`: 0.99); with them none does.
pub const SAME_SENSE: f64 = 0.85;

/// Words, folded, that turn a statement round or set one thing against another: what follows is what is not. Most are too
/// common to be terms.
const CONTRARY: [&str; 51] = [
    "against",
    "avoid",
    "cannot",
    "except",
    "instead",
    "neither",
    "never",
    "no",
    "none",
    "nor",
    "not",
    "over",
    "rather",
    "refuse",
    "stop",
    "than",
    "unless",
    "without",
    "anstatt",
    "gegen",
    "kein",
    "keine",
    "keinem",
    "keinen",
    "keiner",
    "nicht",
    "nie",
    "niemals",
    "ohne",
    "statt",
    "aucun",
    "aucune",
    "contre",
    "jamais",
    "pas",
    "plutot",
    "sans",
    "contra",
    "jamas",
    "ningun",
    "nunca",
    "sin",
    "tampoco",
    "nao",
    "nem",
    "sem",
    "без",
    "вместо",
    "не",
    "нет",
    "никогда",
];

/// The same in scripts that put no blanks between words.
const CONTRARY_PARTS: [&str; 13] =
    ["不", "没", "沒", "别", "別", "无", "無", "勿", "ない", "ません", "ずに", "않", "말고"];

/// What is compared of a text: its distinct terms that say something in their order, its numbers, and whether it denies
/// something.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct Likeness {
    terms: Vec<String>,
    numbers: BTreeSet<String>,
    is_contrary: bool,
}

impl Likeness {
    /// Of a record's title. The quote stands in where a title has no term that says something.
    pub fn of(title: &str, quote: &str) -> Self {
        let of_title = Self::of_text(title);
        if of_title.terms.is_empty() { Self::of_text(quote) } else { of_title }
    }

    /// Of a title or a sentence.
    pub fn of_text(text: &str) -> Self {
        let text = cut_bytes(text, MAX_BYTES);
        let mut likeness = Self { is_contrary: is_contrary(&fold(text)), ..Self::default() };
        for_each_token(text, |token| {
            if token.term.bytes().any(|byte| byte.is_ascii_digit()) {
                likeness.numbers.insert(token.term.to_owned());
            }
            if !is_stop(token.term) && !likeness.terms.iter().any(|known| known == token.term) {
                likeness.terms.push(token.term.to_owned());
            }
        });
        likeness
    }

    /// Distinct terms that say something.
    pub(super) const fn terms(&self) -> usize {
        self.terms.len()
    }

    /// Whether both are about one matter.
    pub fn is_similar(&self, other: &Self) -> bool {
        let shared = self.shared(other).len();
        shared >= LEAST_SHARED && share(shared, self.shorter(other)) >= SIMILAR || self.is_same(other)
    }

    /// Whether the words alone tell that both say the same: most terms are shared and stand in one order (`A over B` is not
    /// `B over A`), and nothing speaks against it.
    pub fn is_same(&self, other: &Self) -> bool {
        self.closeness(other) >= SAME && self.is_in_order(other) && !self.is_another_claim(other)
    }

    /// Whether the words leave it open that both say the same in other words: they share half of the terms of the shorter
    /// one, nothing speaks against it, and if both deny something, what they share stands in one order.
    pub fn may_be_same(&self, other: &Self) -> bool {
        let shorter = self.shorter(other);
        shorter > 0
            && self.shared(other).len() * 2 >= shorter
            && (!self.is_contrary || self.is_in_order(other))
            && !self.is_another_claim(other)
    }

    /// Shared terms among all that either has: 0.0 to 1.0, 0.0 where one has none.
    pub fn closeness(&self, other: &Self) -> f64 {
        let shared = self.shared(other).len();
        share(shared, self.terms.len() + other.terms.len() - shared)
    }

    /// Other numbers are another matter (`port 80`, `port 443`), so is one other word in the same place (`log at info`, `log at
    /// debug`), and what denies is the contrary of what doesn't.
    fn is_another_claim(&self, other: &Self) -> bool {
        self.numbers != other.numbers || self.is_contrary != other.is_contrary || self.differs_in_one_word(other)
    }

    fn differs_in_one_word(&self, other: &Self) -> bool {
        self.terms.len() == other.terms.len()
            && self.terms.iter().zip(&other.terms).filter(|(a, b)| a != b).count() == 1
    }

    fn is_in_order(&self, other: &Self) -> bool {
        self.shared(other) == other.shared(self)
    }

    /// In the order that they have here.
    fn shared(&self, other: &Self) -> Vec<&String> {
        self.terms.iter().filter(|term| other.terms.contains(term)).collect()
    }

    fn shorter(&self, other: &Self) -> usize {
        self.terms.len().min(other.terms.len())
    }
}

fn is_contrary(folded: &str) -> bool {
    folded.contains("n't")
        || folded.contains("n\u{2019}t")
        || CONTRARY_PARTS.iter().any(|part| folded.contains(part))
        || folded.split(|c: char| !c.is_alphanumeric()).any(|word| CONTRARY.contains(&word))
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

    fn say_the_same((a, b, cosine): &(&str, &str, f64)) -> bool {
        let (a, b) = (Likeness::of_text(a), Likeness::of_text(b));
        assert_eq!(a.may_be_same(&b), b.may_be_same(&a), "it is the same the other way round");
        a.may_be_same(&b) && *cosine >= SAME_SENSE
    }

    /// With the cosines of the model inside the binary.
    const ONE_SENSE: [(&str, &str, f64); 7] = [
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
        for pair in &ONE_SENSE {
            assert!(say_the_same(pair), "{pair:?}");
        }
    }

    #[test]
    fn the_contrary_another_value_and_another_order_are_not_the_same_however_near_they_are() {
        for pair in &OTHER {
            assert!(!say_the_same(pair), "{pair:?}");
        }
    }

    #[test]
    fn the_contrary_is_not_the_same_in_any_language_although_it_has_the_same_terms() {
        for (left, right) in [
            ("We decided to keep SQLite for the ledger", "We decided not to keep SQLite for the ledger"),
            ("Wir nehmen SQLite für das Hauptbuch", "Wir nehmen SQLite nicht für das Hauptbuch"),
            ("On garde SQLite pour le registre", "On ne garde pas SQLite pour le registre"),
            ("Usamos SQLite para o livro", "Não usamos SQLite para o livro"),
            ("Берём SQLite для журнала", "Не берём SQLite для журнала"),
            ("部署方案决定用 SQLite", "部署方案决定不用 SQLite"),
        ] {
            assert_eq!(both(left, right), (true, false), "{left}");
        }
    }

    proptest! {
        #[test]
        fn likeness_has_no_direction_and_what_is_the_same_is_similar(left in "[a-d0-2 ]{0,30}", right in "[a-d0-2 ]{0,30}") {
            prop_assert_eq!(both(&left, &right), both(&right, &left));
            let (similar, same) = both(&left, &right);
            prop_assert!(similar || !same);
            prop_assert!(!same || Likeness::of_text(&left).may_be_same(&Likeness::of_text(&right)));
        }
    }
}
