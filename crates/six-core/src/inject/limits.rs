//! The thresholds of injection. Configuration may change them; a receipt stores those that were in force.

use serde::{Deserialize, Serialize};

/// What happens with a block that was decided.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Default, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum Emission {
    /// Print it.
    #[default]
    On,
    /// Decide and record it, print nothing.
    Shadow,
    /// Decide nothing, record the turn.
    Off,
}

impl Emission {
    /// The words of `inject.emission`.
    pub(crate) const WORDS: &[&str] = &["on", "shadow", "off"];

    /// The word in rows, receipts and configuration.
    pub const fn as_str(self) -> &'static str {
        match self {
            Self::On => "on",
            Self::Shadow => "shadow",
            Self::Off => "off",
        }
    }
}

/// Thresholds of relevance, damping and budget. A receipt of an older version has what was in force then; what that version
/// did not know has today's value.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[serde(default)]
pub struct Limits {
    /// Version of the rules in this module; a replay under another version reports the difference.
    pub rules: u32,
    /// Distinct terms that must match.
    pub min_matches: u32,
    /// Inverse document frequency from which a term counts as rare. `ln` scale: 3.0 = one chunk in twenty.
    pub rare_idf: f64,
    /// Rare terms among them.
    pub min_rare: u32,
    /// What the matching terms have to weigh, in weights of a word that occurs nowhere (`ln(N + 1)`). Chosen on made-up
    /// prompts: of those about other projects 99 % stay silent, of those about a record that use its words 77 % find it.
    pub min_weight: f64,
    /// Cosine from which an item passes by meaning alone.
    pub min_cosine: f64,
    /// Below this many chunks frequencies mean nothing: `min_matches` alone decides, and the receipt says so.
    pub small_corpus: u64,
    /// Terms of a prompt that are looked at, rarest first.
    pub max_terms: usize,
    /// Candidates that a receipt keeps.
    pub max_candidates: usize,
    /// Times that one subsystem, decision or dead end is shown in one session.
    pub max_deliveries: u32,
    /// Times that one thread is.
    pub max_thread_deliveries: u32,
    /// Times that one correction or cheatsheet is.
    pub max_rule_deliveries: u32,
    /// Times that one item is told to be stale.
    pub max_stale_deliveries: u32,
    /// Items in one block of items.
    pub max_items: usize,
    /// Threads in the lineage block.
    pub max_threads: usize,
    /// UTF-16 units of all blocks of one prompt.
    pub budget_units: usize,
}

impl Default for Limits {
    fn default() -> Self {
        Self {
            rules: 2,
            min_matches: 2,
            rare_idf: 3.0,
            min_rare: 1,
            min_weight: 1.05,
            min_cosine: 0.62,
            small_corpus: 50,
            max_terms: 32,
            max_candidates: 20,
            max_deliveries: 3,
            max_thread_deliveries: 2,
            max_rule_deliveries: 1,
            max_stale_deliveries: 3,
            max_items: 5,
            max_threads: 2,
            budget_units: 1_600,
        }
    }
}
