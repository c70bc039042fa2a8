//! Which words of a prompt become its vector: a hook has time for some thirty word pieces.

use std::collections::{BTreeMap, BTreeSet};
use std::ops::Range;

use super::idf;
use crate::text::{Redacted, tokens};

/// Rarest terms by which a clause is weighed: more would weigh its length.
const WEIGHED_TERMS: usize = 3;

/// Words after which no clause is added. English words have one piece and a third each, so these are enough for a vector of
/// 32 pieces; what is too much is cut off at the end, where the clause that weighs least is.
const ENOUGH_WORDS: usize = 24;

/// Clauses of a prompt that are weighed. What somebody asks for stands at the beginning or at the end of long ones.
const MAX_CLAUSES: usize = 400;

/// The clauses of `text` with the rarest terms, the rarest first; all of a short text. `df` holds in how many of `corpus`
/// chunks the terms of the prompt occur; a term that is not there, or that no chunk has, weighs nothing: what the store has
/// never heard of tells nothing about what it has.
pub fn meaning_text(text: &Redacted, df: &BTreeMap<String, u64>, corpus: u64) -> Redacted {
    let mut clauses = clauses(text.as_str());
    if clauses.len() > MAX_CLAUSES {
        clauses.drain(MAX_CLAUSES / 2..clauses.len() - MAX_CLAUSES / 2);
    }
    let mut weighed: Vec<(f64, usize, Redacted)> = clauses
        .into_iter()
        .filter_map(|range| text.slice(range))
        .map(|clause| {
            let own: BTreeSet<String> = tokens(clause.as_str()).into_iter().map(|token| token.term).collect();
            (weight(&own, df, corpus), own.len(), clause)
        })
        .collect();
    // Stable: of clauses that weigh the same the first comes first.
    weighed.sort_by(|a, b| b.0.total_cmp(&a.0));
    let mut words = 0;
    let chosen = weighed.into_iter().take_while(|(_, own, _)| {
        let goes_on = words < ENOUGH_WORDS;
        words += own;
        goes_on
    });
    Redacted::join(&chosen.map(|(_, _, clause)| clause).collect::<Vec<_>>(), " ")
}

fn weight(terms: &BTreeSet<String>, df: &BTreeMap<String, u64>, corpus: u64) -> f64 {
    let mut all: Vec<f64> =
        terms.iter().filter_map(|term| df.get(term)).filter(|df| **df > 0).map(|df| idf(*df, corpus)).collect();
    all.sort_by(|a, b| b.total_cmp(a));
    all.into_iter().take(WEIGHED_TERMS).sum()
}

/// The clauses of a text, with the marks at their ends.
fn clauses(text: &str) -> Vec<Range<usize>> {
    let mut found = Vec::new();
    let mut start = 0;
    let mut chars = text.char_indices().peekable();
    while let Some((at, c)) = chars.next() {
        let gap = chars.peek().is_none_or(|(_, next)| next.is_whitespace());
        let ends = matches!(c, '\n' | '。' | '！' | '？' | '；' | '，' | '、' | '：');
        if ends || (gap && matches!(c, '.' | '!' | '?' | ';' | ',' | ':' | ')')) {
            found.push(start..at + c.len_utf8());
            start = at + c.len_utf8();
        }
    }
    found.push(start..text.len());
    found.retain(|range| text.get(range.clone()).is_some_and(|clause| clause.contains(char::is_alphanumeric)));
    found.into_iter().map(|range| trimmed(text, range)).collect()
}

fn trimmed(text: &str, range: Range<usize>) -> Range<usize> {
    let clause = text.get(range.clone()).unwrap_or_default();
    let start = range.start + (clause.len() - clause.trim_start().len());
    start..start + clause.trim().len()
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;
    use crate::text::Redactor;

    fn chosen(text: &str, df: &[(&str, u64)]) -> String {
        let df = df.iter().map(|(term, df)| ((*term).to_owned(), *df)).collect();
        meaning_text(&Redactor::new().redact(text), &df, 1_000).to_string()
    }

    #[test]
    fn all_of_a_short_prompt_is_meant() {
        assert_eq!(chosen("cap the calls of each client", &[("call", 9)]), "cap the calls of each client");
    }

    #[test]
    fn of_a_long_prompt_the_clauses_with_the_rarest_words_are_meant() {
        let chat = "we talked about this at length on Monday with everybody who was there and some who were not. ";
        let text = format!("{chat}{chat}Build a zeppelin quorum, {chat}");
        assert!(
            chosen(&text, &[("monday", 90), ("zeppelin", 1), ("quorum", 2)]).starts_with("Build a zeppelin quorum, ")
        );
    }

    #[test]
    fn words_that_the_store_has_never_heard_of_do_not_push_out_the_request() {
        let text = format!("Build a parquet writer. {}", "quay crane rope lamp tide ".repeat(40));
        let df = [("parquet", 2), ("quay", 0), ("crane", 0), ("rope", 0), ("lamp", 0), ("tide", 0)];
        assert!(chosen(&text, &df).starts_with("Build a parquet writer. "));
    }

    #[test]
    fn nothing_gives_nothing() {
        assert_eq!(chosen(" ...\n\n?", &[]), "");
    }

    proptest! {
        #[test]
        fn what_is_meant_was_said(text in "(\\PC|zeppelin |\n|, |。){0,200}") {
            let said: BTreeSet<char> = Redactor::new().redact(&text).as_str().chars().collect();
            prop_assert!(chosen(&text, &[("zeppelin", 1)]).chars().all(|c| c == ' ' || said.contains(&c)));
        }
    }
}
