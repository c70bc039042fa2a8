//! Whether an item matters for a prompt: arithmetic over the words that they share.

use std::collections::BTreeSet;

use super::intent::Vocabulary;
use super::{Candidate, Candidates, Limits, TermReceipt, ThreadStory};
use crate::search::guess_rarity;
use crate::text::{Redacted, TokenKind, is_stop, tokens};

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
    terms(text, &Vocabulary::of(text), limits)
}

/// The same of what a tool is given, which is code and commands: of the words of intent only the English ones are left out,
/// and the hook that asks for it holds no other lists.
pub(super) fn code_terms(text: &str, limits: &Limits) -> Vec<String> {
    terms(text, &Vocabulary::english(), limits)
}

fn terms(text: &str, vocabulary: &Vocabulary, limits: &Limits) -> Vec<String> {
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

/// Redacted text without what the redactor put in: its words are nobody's matter.
pub fn without_marks(text: &str) -> String {
    let mut pieces = text.split("[redacted:");
    let first = pieces.next().unwrap_or_default().to_owned();
    pieces.fold(first, |kept, piece| kept + " " + piece.split_once(']').map_or("", |(_, rest)| rest))
}

/// The terms of a prompt that stand in an item, rarest first. A term whose frequency could not be looked up is no match:
/// the gate fails closed.
pub(super) fn matches(
    names: &BTreeSet<String>,
    words: &BTreeSet<String>,
    known: &Candidates,
    terms: &[String],
) -> Vec<TermReceipt> {
    let mut matches: Vec<TermReceipt> = terms
        .iter()
        .filter(|term| words.contains(*term))
        .filter_map(|term| {
            let df = *known.df.get(term)?;
            Some(TermReceipt { t: term.clone(), df, idf: idf(df, known.corpus), names: names.contains(term) })
        })
        .collect();
    matches.sort_by(|a, b| b.idf.total_cmp(&a.idf));
    matches
}

/// Bytes of an item that are matched; a longer body is a document, whose beginning says what it is about.
const MAX_ITEM_BYTES: usize = 8 * 1024;

/// The terms of some texts.
fn words<'a>(parts: impl IntoIterator<Item = &'a str>) -> BTreeSet<String> {
    parts
        .into_iter()
        .flat_map(|part| tokens(crate::text::cut_bytes(part, MAX_ITEM_BYTES)))
        .map(|token| token.term)
        .collect()
}

/// The terms that an item can be matched by.
pub(super) fn words_of_item(candidate: &Candidate) -> BTreeSet<String> {
    let texts = [&candidate.title, &candidate.body, &candidate.revive_if, &candidate.scope];
    let paths = candidate.anchors.iter().map(|anchor| anchor.path.as_str());
    let symbols = candidate.anchors.iter().filter_map(|anchor| anchor.symbol.as_ref().map(Redacted::as_str));
    let texts = texts.into_iter().chain(&candidate.rejected).chain(&candidate.thread).map(String::as_str);
    words(texts.chain(paths).chain(symbols))
}

/// The terms of what an item is called.
pub(super) fn names_of_item(candidate: &Candidate) -> BTreeSet<String> {
    let paths = candidate.anchors.iter().map(|anchor| anchor.path.as_str());
    let symbols = candidate.anchors.iter().filter_map(|anchor| anchor.symbol.as_ref().map(Redacted::as_str));
    let texts = [&candidate.title, &candidate.scope].into_iter().chain(&candidate.thread).map(String::as_str);
    words(texts.chain(paths).chain(symbols))
}

/// The terms of what a thread is called. Its steps have so many words that some are in every prompt.
pub(super) fn names_of_thread(thread: &ThreadStory) -> BTreeSet<String> {
    words([thread.name.as_str(), thread.summary.as_str()])
}

/// The terms that a thread can be matched by: its name, and what its steps are about. An option that was rejected is what
/// somebody proposes again.
pub(super) fn words_of_thread(thread: &ThreadStory) -> BTreeSet<String> {
    let steps = thread.records.iter().flat_map(|record| {
        [&record.title, &record.body, &record.revive_if].into_iter().chain(&record.rejected).map(String::as_str)
    });
    words([thread.name.as_str(), thread.summary.as_str()].into_iter().chain(steps))
}

#[cfg(test)]
pub(super) mod tests {
    use proptest::prelude::*;

    use super::*;
    use crate::record::{EntryKind, ItemId, Origin, UnixMs};

    pub(in crate::inject) fn item(title: &str) -> Candidate {
        Candidate {
            item: ItemId::new(format!("subsystem:{}", title.len())),
            kind: EntryKind::Subsystem,
            origin: Origin::Operator,
            written_by: String::new(),
            named_in: None,
            title: title.into(),
            body: String::new(),
            anchors: Vec::new(),
            state: "live".into(),
            rejected: Vec::new(),
            revive_if: String::new(),
            scope: String::new(),
            thread: None,
            validated: UnixMs(1_773_480_413_000),
            cosine: None,
            delivered: 0,
            delivered_stale: 0,
        }
    }

    #[test]
    fn frequency_becomes_weight() {
        assert!((idf(0, 999) - 1000_f64.ln()).abs() < 1e-12);
        assert!(idf(49, 999) < 3.0 && idf(48, 999) > 3.0);
        assert!(idf(10, 5).abs() < f64::EPSILON);
    }

    #[test]
    fn a_frequency_that_is_not_known_is_no_evidence() {
        let known = Candidates { corpus: 10, df: [("zeppelin".into(), 1)].into(), ..Candidates::default() };
        let terms = ["zeppelin".to_owned(), "quorum".to_owned()];
        let found = matches(&BTreeSet::new(), &words_of_item(&item("zeppelin quorum")), &known, &terms);
        assert_eq!(found.iter().map(|term| term.t.as_str()).collect::<Vec<_>>(), ["zeppelin"]);
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
