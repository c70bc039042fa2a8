//! Whether an item matters for a prompt: arithmetic over the words that they share.

use std::collections::BTreeSet;

use super::intent::Vocabulary;
use super::{Candidate, CandidateReceipt, Candidates, Gate, Limits, TermReceipt};
use crate::record::{EntryKind, Origin};
use crate::search::guess_rarity;
use crate::text::{TokenKind, is_stop, tokens};

/// Inverse document frequency: `max(0, ln((n+1)/(df+1)))`, for a term in `df` of `n` chunks. 3.0 is one in twenty.
#[expect(clippy::cast_precision_loss, reason = "an index has far fewer than 2^52 chunks")]
pub fn idf(df: u64, n: u64) -> f64 {
    ((n as f64 + 1.0) / (df as f64 + 1.0)).ln().max(0.0)
}

/// Words that stand in paths and file names of every project, and the extensions. They are evidence of nothing.
const PATH_WORDS: [&str; 80] = [
    "app",
    "apps",
    "bin",
    "build",
    "c",
    "cc",
    "cfg",
    "cjs",
    "cmd",
    "conf",
    "cpp",
    "crate",
    "crates",
    "cs",
    "css",
    "csv",
    "dist",
    "doc",
    "docs",
    "etc",
    "file",
    "go",
    "gz",
    "h",
    "home",
    "hpp",
    "html",
    "http",
    "https",
    "index",
    "ini",
    "internal",
    "ipynb",
    "java",
    "js",
    "json",
    "jsonl",
    "jsx",
    "kt",
    "lib",
    "local",
    "lock",
    "log",
    "main",
    "md",
    "mjs",
    "mod",
    "node_modules",
    "opt",
    "out",
    "package",
    "packages",
    "php",
    "pkg",
    "png",
    "py",
    "rb",
    "readme",
    "rs",
    "scss",
    "sh",
    "sql",
    "src",
    "svg",
    "swift",
    "target",
    "test",
    "tests",
    "tmp",
    "toml",
    "ts",
    "tsx",
    "txt",
    "users",
    "usr",
    "var",
    "www",
    "xml",
    "yaml",
    "yml",
];

/// The distinct terms of a person's own words that could be evidence: stop words, the vocabulary of intent, file
/// extensions and common parts of paths are left out. At most `limits.max_terms`, those that are probably rarest first
/// (identifiers, then long words): frequencies are not known yet.
pub fn prompt_terms(text: &str, limits: &Limits) -> Vec<String> {
    let vocabulary = Vocabulary::of(text);
    let mut seen = BTreeSet::new();
    let mut terms: Vec<_> = tokens(text)
        .into_iter()
        .filter(|token| {
            let surface = text.get(token.start..token.end).unwrap_or_default().to_lowercase();
            let whole = token.kind == TokenKind::Identifier;
            let common =
                is_stop(&token.term) || PATH_WORDS.contains(&surface.as_str()) || (!whole && vocabulary.has(&surface));
            !common && token.term.chars().nth(1).is_some() && seen.insert(token.term.clone())
        })
        .map(|token| (guess_rarity(token.kind, &token.term), token.term))
        .collect();
    terms.sort_by_key(|(guess, _)| *guess);
    terms.truncate(limits.max_terms);
    terms.into_iter().map(|(_, term)| term).collect()
}

/// The do-not-rebuild gate: at least `min_matches` distinct terms of the prompt stand in the item, and at least
/// `min_rare` of them are rare. In an index of fewer than `small_corpus` chunks frequencies mean nothing, and the matches
/// alone decide. A term whose frequency could not be looked up is no match: the gate fails closed.
pub fn judge_candidate(
    candidate: &Candidate,
    known: &Candidates,
    terms: &[String],
    limits: &Limits,
) -> CandidateReceipt {
    let words = words(candidate);
    let mut matches: Vec<TermReceipt> = terms
        .iter()
        .filter(|term| words.contains(*term))
        .filter_map(|term| {
            let df = *known.df.get(term)?;
            Some(TermReceipt { t: term.clone(), df, idf: idf(df, known.corpus) })
        })
        .collect();
    matches.sort_by(|a, b| b.idf.total_cmp(&a.idf));
    let rare = matches.iter().filter(|term| term.idf >= limits.rare_idf).count();
    let verdict = if is_unconfirmed(candidate) {
        Gate::Unconfirmed
    } else if matches.len() < limits.min_matches as usize {
        Gate::TooFewMatches
    } else if known.corpus >= limits.small_corpus && rare < limits.min_rare as usize {
        Gate::NotRare
    } else {
        Gate::Passed
    };
    CandidateReceipt {
        item: candidate.item.clone(),
        kind: candidate.kind,
        sum: matches.iter().map(|term| term.idf).sum(),
        tokens: matches,
        delivered: candidate.delivered,
        verdict,
    }
}

/// The inventory has no states of confirmation, so its origin decides. A record of an agent is a candidate only after a
/// person has confirmed it.
fn is_unconfirmed(candidate: &Candidate) -> bool {
    candidate.kind == EntryKind::Subsystem && candidate.origin != Origin::Operator
}

/// Bytes of an item that are matched; a longer body is a document, whose beginning says what it is about.
const MAX_ITEM_BYTES: usize = 8 * 1024;

fn words(candidate: &Candidate) -> BTreeSet<String> {
    let parts = [&candidate.title, &candidate.body, &candidate.revive_if].into_iter().chain(&candidate.thread);
    parts
        .chain(&candidate.paths)
        .flat_map(|part| tokens(crate::text::cut_bytes(part, MAX_ITEM_BYTES)))
        .map(|token| token.term)
        .collect()
}

#[cfg(test)]
pub(super) mod tests {
    use proptest::prelude::*;

    use super::*;
    use crate::record::{ItemId, UnixMs};

    pub(in crate::inject) fn item(title: &str) -> Candidate {
        Candidate {
            item: ItemId::new(format!("subsystem:{}", title.len())),
            kind: EntryKind::Subsystem,
            origin: Origin::Operator,
            title: title.into(),
            body: String::new(),
            paths: Vec::new(),
            state: "live".into(),
            revive_if: String::new(),
            thread: None,
            validated: UnixMs(1_773_480_413_000),
            delivered: 0,
        }
    }

    fn judge(title: &str, corpus: u64, df: &[(&str, u64)]) -> Gate {
        let df: std::collections::BTreeMap<String, u64> = df.iter().map(|(t, n)| ((*t).to_owned(), *n)).collect();
        let terms: Vec<String> = df.keys().cloned().collect();
        let known = Candidates { corpus, df, items: Vec::new() };
        judge_candidate(&item(title), &known, &terms, &Limits::default()).verdict
    }

    #[test]
    fn frequency_becomes_weight() {
        assert!((idf(0, 999) - 1000_f64.ln()).abs() < 1e-12);
        assert!(idf(49, 999) < 3.0 && idf(48, 999) > 3.0);
        assert!(idf(10, 5).abs() < f64::EPSILON);
    }

    #[test]
    fn what_an_agent_put_into_the_inventory_is_not_shown_on_its_word_alone() {
        let known = Candidates { corpus: 10, df: [("zeppelin".into(), 1), ("quorum".into(), 1)].into(), items: vec![] };
        let terms = ["quorum".to_owned(), "zeppelin".to_owned()];
        let judge = |candidate: &Candidate| judge_candidate(candidate, &known, &terms, &Limits::default()).verdict;
        let entered = Candidate { origin: Origin::Agent, ..item("zeppelin quorum") };
        assert_eq!(judge(&entered), Gate::Unconfirmed);
        assert_eq!(judge(&Candidate { kind: EntryKind::Decision, ..entered }), Gate::Passed);
    }

    #[test]
    fn two_rare_words_pass_and_one_does_not() {
        assert_eq!(judge("zeppelin quorum", 1000, &[("zeppelin", 2), ("quorum", 3)]), Gate::Passed);
        assert_eq!(judge("zeppelin quorum", 1000, &[("zeppelin", 2), ("quorum", 400)]), Gate::NotRare);
        assert_eq!(judge("zeppelin", 1000, &[("zeppelin", 2), ("quorum", 3)]), Gate::TooFewMatches);
    }

    #[test]
    fn the_limit_itself_counts_as_rare() {
        let limits = Limits { rare_idf: idf(48, 999), ..Limits::default() };
        let df = [("zeppelin".to_owned(), 48), ("quorum".to_owned(), 48)].into();
        let known = Candidates { corpus: 999, df, items: Vec::new() };
        let terms = ["zeppelin".to_owned(), "quorum".to_owned()];
        assert_eq!(judge_candidate(&item("zeppelin quorum"), &known, &terms, &limits).verdict, Gate::Passed);
    }

    #[test]
    fn in_a_small_corpus_two_matches_decide() {
        assert_eq!(judge("zeppelin quorum", 49, &[("zeppelin", 20), ("quorum", 20)]), Gate::Passed);
        assert_eq!(judge("zeppelin quorum", 50, &[("zeppelin", 20), ("quorum", 20)]), Gate::NotRare);
    }

    #[test]
    fn a_frequency_that_is_not_known_is_no_evidence() {
        let known = Candidates { corpus: 10, ..Candidates::default() };
        let terms = ["zeppelin".to_owned(), "quorum".to_owned()];
        let receipt = judge_candidate(&item("zeppelin quorum"), &known, &terms, &Limits::default());
        assert_eq!(receipt.verdict, Gate::TooFewMatches);
    }

    #[test]
    fn orders_extensions_and_folders_are_no_terms() {
        let terms = prompt_terms("please add the zeppelin to src/quorum.rs and fix tests", &Limits::default());
        for word in ["add", "the", "src", "rs", "fix", "tests", "to"] {
            assert!(!terms.iter().any(|t| t == word), "{word}: {terms:?}");
        }
        assert!(terms.iter().any(|t| t.starts_with("zeppelin")) && terms.iter().any(|t| t.starts_with("quorum")));
    }

    proptest! {
        #[test]
        fn terms_are_distinct_and_bounded(text in "\\PC{0,400}", max in 0_usize..40) {
            let limits = Limits { max_terms: max, ..Limits::default() };
            let terms = prompt_terms(&text, &limits);
            let distinct: BTreeSet<_> = terms.iter().collect();
            prop_assert!(terms.len() <= max && distinct.len() == terms.len());
        }
    }
}
