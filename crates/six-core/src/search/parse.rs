use std::collections::BTreeSet;

use super::{Filter, Fusion, Legs, MAX_TERMS, NoVector, Query, QueryTerm};
use crate::record::UnixMs;
use crate::text::{TokenKind, cut_bytes, is_stop, tokens};

/// Bytes of a query that are read. A question fits many times; a pasted log costs no more than this.
pub const MAX_QUERY_BYTES: usize = 16 * 1024;

/// Turns any text into a query. Operators of other query languages (`AND`, `NEAR`, quotes, `*`, `-x`, `title:`) mean
/// nothing here: what the tokenizer makes of them is searched for literally. A text without a word gives a query
/// without terms, which finds nothing. Both legs are asked; the caller adds the vector.
pub fn parse_query(text: &str, filter: Filter, limit: usize, now: UnixMs) -> Query {
    let all = distinct(cut_bytes(text, MAX_QUERY_BYTES));
    let rare: Vec<_> = all.iter().filter(|term| !is_stop(&term.text)).cloned().collect();
    let mut terms = if rare.is_empty() { all } else { rare };
    if terms.len() > MAX_TERMS {
        terms.sort_by_key(|term| (term.guess, term.place));
        terms.truncate(MAX_TERMS);
        terms.sort_by_key(|term| term.place);
    }
    Query {
        terms: terms.into_iter().map(|term| QueryTerm(term.text)).collect(),
        vector: Err(NoVector::NotEmbedded),
        filter,
        limit,
        legs: Legs::default(),
        fusion: Fusion::default(),
        now,
    }
}

#[derive(Debug, Clone)]
struct Term {
    text: String,
    place: usize,
    guess: (u8, usize),
}

fn distinct(text: &str) -> Vec<Term> {
    let mut seen = BTreeSet::new();
    tokens(text)
        .into_iter()
        .filter(|token| seen.insert(token.term.clone()))
        .enumerate()
        .map(|(place, token)| Term { guess: guess_rarity(token.kind, &token.term), text: token.term, place })
        .collect()
}

/// Orders terms by how rare they probably are, for when no frequency is known yet: identifiers before words, long ones
/// before short ones, numbers last. Smaller is rarer.
pub(crate) fn guess_rarity(kind: TokenKind, term: &str) -> (u8, usize) {
    let class = match kind {
        TokenKind::Identifier => 0,
        TokenKind::Word | TokenKind::Bigram => 1,
        TokenKind::Part => 2,
        TokenKind::Number => 3,
    };
    (class, usize::MAX - term.len())
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    fn terms(text: &str) -> Vec<String> {
        parse_query(text, Filter::default(), 10, UnixMs(0)).terms.into_iter().map(|term| term.0).collect()
    }

    #[test]
    fn operators_are_words_like_any_other() {
        for text in ["foo AND (bar", "\"foo bar", "foo*bar", "foo:bar", "-foo bar", "^foo {bar}"] {
            let found = terms(text);
            assert!(found.iter().any(|t| t == "foo") && found.iter().any(|t| t == "bar"), "{text}: {found:?}");
        }
    }

    #[test]
    fn text_without_a_word_is_an_empty_query() {
        for text in ["", "   ", "*", "(((", "\u{0}", "?!"] {
            assert_eq!(terms(text), Vec::<String>::new(), "{text:?}");
        }
    }

    #[test]
    fn stop_words_are_dropped_unless_nothing_else_is_there() {
        assert!(!terms("the ledger of the bank").iter().any(|t| t == "the"));
        assert!(!terms("to the").is_empty());
    }

    #[test]
    fn a_term_is_asked_for_once_and_in_the_order_of_the_text() {
        assert_eq!(terms("zebra apple zebra"), terms("zebra apple"));
        assert_eq!(terms("zebra apple").len(), 2);
        assert!(terms("zebra apple")[0].starts_with("zebra"));
    }

    #[test]
    fn a_megabyte_is_no_more_than_a_line() {
        let words: String = (0..200_000).flat_map(|n: u32| [n.to_string(), "x ".to_owned()]).collect();
        assert_eq!(terms(&words).len(), MAX_TERMS);
        assert!(terms(&"a".repeat(1 << 20)).concat().len() <= MAX_QUERY_BYTES);
    }

    proptest! {
        #[test]
        fn any_text_is_a_query(text in "\\PC{0,200}|[\\x00-\\x7f]{0,200}") {
            let found = terms(&text);
            prop_assert!(found.len() <= MAX_TERMS);
            let distinct: BTreeSet<_> = found.iter().collect();
            prop_assert_eq!(distinct.len(), found.len());
        }
    }
}
