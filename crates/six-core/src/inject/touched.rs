//! Which records speak of what a call touches.
//!
//! The words that a call and an item share are weighed as those of a prompt. Two kinds of evidence are stronger than words
//! and never enough alone: the file that is changed is one that the item cites or holds for, and the command starts a
//! program that the item's title names. The one exception is a rule that rules that program out.

use serde::{Deserialize, Serialize};

use super::consider::{Considered, of_item};
use super::decide::judge_words;
use super::mention::{Mention, mention};
use super::relevance::{matches, names_of_item, words_of_item};
use super::{
    Candidate, CandidateReceipt, Candidates, Gate, ItemKind, Limits, Shown, TermReceipt, Touch, is_of_paths,
    scope_holds,
};
use crate::record::{EntryKind, ItemId};
use crate::text::Redacted;

/// Which records could matter for a call of a tool.
#[derive(Debug, Clone, PartialEq)]
pub struct TouchedQuery {
    /// Distinct terms that the call brings in.
    pub terms: Vec<String>,
    /// Programs that it starts, as terms: they bring items in however common they are.
    pub programs: Vec<String>,
    /// The file that it changes, relative to the project's root.
    pub path: Option<Redacted>,
    /// Kinds of the records.
    pub kinds: Vec<EntryKind>,
    /// At most this many.
    pub limit: usize,
    /// See [`CandidateQuery::rare_idf`](super::CandidateQuery::rare_idf).
    pub rare_idf: f64,
    /// See [`CandidateQuery::small_corpus`](super::CandidateQuery::small_corpus).
    pub small_corpus: u64,
}

/// What an item says of a call beside the words that they share.
#[derive(Debug, Clone, PartialEq, Eq, Default, Serialize, Deserialize)]
#[serde(default)]
pub struct Touched {
    /// The changed file, which the item cites or holds for.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub path: Option<Redacted>,
    /// The started program, which the item's title names; of a correction, which it rules out.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub program: Option<String>,
}

/// The key under which it is counted that a session was told an item before an action.
pub fn tool_key(item: &ItemId) -> ItemId {
    ItemId::new(format!("tool:{item}"))
}

/// The facts of all items that speak of a call, those with the strongest evidence first. What shares one word with it, or
/// only cites the file, is not among them.
pub fn consider_touched<'a>(known: &'a Candidates, touch: &Touch, limits: &Limits) -> Vec<Considered<'a>> {
    let mut all: Vec<Considered<'a>> = known
        .items
        .iter()
        .filter_map(|candidate| {
            let facts = facts_of(candidate, known, touch)?;
            let needs = match &facts.touched {
                Some(Touched { program: Some(_), .. }) => 0,
                Some(Touched { path: Some(_), .. }) => 1,
                _ => limits.min_matches as usize,
            };
            (facts.tokens.len() >= needs).then_some(Considered { shown: Shown::Item(candidate), facts })
        })
        .collect();
    let strength = |one: &Considered<'_>| {
        let touched = one.facts.touched.as_ref();
        (touched.is_some_and(|t| t.program.is_some()), touched.is_some_and(|t| t.path.is_some()))
    };
    all.sort_by(|a, b| strength(b).cmp(&strength(a)).then(b.facts.sum.total_cmp(&a.facts.sum)));
    all
}

/// `None` for what is no warning, and for a rule that the call obeys.
fn facts_of(candidate: &Candidate, known: &Candidates, touch: &Touch) -> Option<CandidateReceipt> {
    let kind = ItemKind::of_entry(candidate.kind).filter(|kind| is_warning(*kind))?;
    let program = match program_of(candidate, kind, touch) {
        Program::Obeyed => return None,
        Program::Named(program) => Some(program),
        Program::Silent => None,
    };
    let (path, in_scope) = place_of(candidate, kind, touch);
    let mut tokens: Vec<TermReceipt> =
        matches(&names_of_item(candidate), &words_of_item(candidate), known, &touch.terms);
    if path.is_some() {
        // That a file is the one that is cited is said already; its name, and what stood in it before, are in both for no
        // other reason.
        tokens.retain(|term| touch.brings_in(&term.t) && !touch.is_of_path(&term.t));
    }
    if !tokens.iter().any(|term| touch.brings_in(&term.t)) {
        tokens.clear();
    }
    let touched = Some(Touched { path, program });
    Some(CandidateReceipt { in_scope, touched, ..of_item(candidate, kind, tokens) })
}

const fn is_warning(kind: ItemKind) -> bool {
    matches!(kind, ItemKind::DeadEnd | ItemKind::Correction)
}

enum Program {
    Named(String),
    Obeyed,
    Silent,
}

/// A dead end is about a program that it names; a rule about one that it rules out, and one that it wants is obeyed.
fn program_of(candidate: &Candidate, kind: ItemKind, touch: &Touch) -> Program {
    let mut found = Program::Silent;
    for command in &touch.commands {
        match (mention(&candidate.title, command), kind) {
            (Mention::RuledOut(program), _) | (Mention::Named(program), ItemKind::DeadEnd) => {
                return Program::Named(program.to_owned());
            }
            (Mention::Named(_), _) => found = Program::Obeyed,
            (Mention::None, _) => {}
        }
    }
    found
}

/// The changed file if the item cites it or holds for it, and whether the call is where the item holds.
fn place_of(candidate: &Candidate, kind: ItemKind, touch: &Touch) -> (Option<Redacted>, bool) {
    let Some(path) = &touch.path else {
        return (None, kind != ItemKind::Correction || scope_holds(&candidate.scope, touch.text.as_str()));
    };
    let scope = candidate.scope.trim();
    if kind == ItemKind::Correction {
        let holds = scope_holds(scope, path.as_str());
        return ((holds && is_of_paths(scope)).then(|| path.clone()), holds);
    }
    (candidate.anchors.iter().any(|anchor| anchor.path == *path).then(|| path.clone()), true)
}

/// Whether what a call touches is enough to speak. A path needs a rare word, since a file is edited for many reasons. A
/// program that a rule rules out needs none; that a dead end names one needs a rare word, or two.
pub(super) fn judge_touched(
    facts: &CandidateReceipt,
    touched: &Touched,
    corpus: u64,
    limits: &Limits,
) -> Result<(), Gate> {
    let tells = |term: &TermReceipt| corpus < limits.small_corpus || term.idf >= limits.rare_idf;
    let rare = facts.tokens.iter().any(tells);
    let by_path = touched.path.is_some() && rare;
    let by_program = touched.program.is_some()
        && (facts.kind == ItemKind::Correction || rare || facts.tokens.len() >= limits.min_matches as usize);
    if by_path || by_program { Ok(()) } else { judge_words(facts, corpus, limits) }
}
