//! Words that say nothing about a text's matter.
//!
//! The lists in `data/stopwords/` are words as people write them; `stopword_table` holds the terms that the tokenizer
//! makes of them. All languages share one table, so words that mean something in another language (German `die`,
//! Spanish `sin`) are in no list.

use super::stopword_table::STOP_TERMS;

/// Whether `term`, as the tokenizer made it, is a stop word of any language that six knows.
pub fn is_stop(term: &str) -> bool {
    STOP_TERMS.binary_search(&term).is_ok()
}

#[cfg(test)]
mod tests {
    use std::collections::BTreeSet;
    use std::fmt::Write;

    use super::*;
    use crate::text::tokens;

    const LISTS: [&str; 9] = [
        include_str!("data/stopwords/en.txt"),
        include_str!("data/stopwords/de.txt"),
        include_str!("data/stopwords/fr.txt"),
        include_str!("data/stopwords/es.txt"),
        include_str!("data/stopwords/pt.txt"),
        include_str!("data/stopwords/ru.txt"),
        include_str!("data/stopwords/zh.txt"),
        include_str!("data/stopwords/ja.txt"),
        include_str!("data/stopwords/ko.txt"),
    ];

    #[test]
    fn the_table_is_what_the_tokenizer_makes_of_the_lists() {
        let mut terms = BTreeSet::new();
        for word in LISTS.iter().flat_map(|list| list.lines()) {
            let made = tokens(word);
            assert_eq!(made.len(), 1, "{word} must be one term");
            terms.insert(made[0].term.clone());
        }
        let mut table = String::new();
        let mut line = String::from("   ");
        for term in &terms {
            let item = format!(" {term:?},");
            if line.chars().count() + item.chars().count() > 100 {
                writeln!(table, "{line}").unwrap();
                line = String::from("   ");
            }
            line.push_str(&item);
        }
        assert!(
            terms.iter().eq(STOP_TERMS),
            "the lists or the tokenizer changed; STOP_TERMS in stopword_table.rs must read:\n{table}{line}\n"
        );
    }

    #[test]
    fn matter_is_no_stop_word() {
        for word in [
            "gate",
            "SQLite",
            "token",
            "die",
            "war",
            "sin",
            "os",
            "halt",
            "comment",
            "fair",
            "man",
            "bin",
            "par",
            "部署",
            "部",
            "решение",
            "2024",
            "foo-bar",
        ] {
            for token in tokens(word) {
                assert!(!is_stop(&token.term), "{} of {word}", token.term);
            }
        }
    }

    #[test]
    fn forms_and_accents_do_not_hide_a_stop_word() {
        for word in ["The", "doing", "für", "ÊTRE", "está", "Это", "我们", "です"] {
            assert!(tokens(word).iter().all(|token| is_stop(&token.term)), "{word}");
        }
    }
}
