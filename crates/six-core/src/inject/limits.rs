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
    /// Cosine from which an item passes by meaning alone, if it is the only one that the prompt was compared with. Measured
    /// on the embedded model, as the two below, and on the same prompts that they were chosen by: of 479 on other matters
    /// two in a thousand find anything among one or ten items, four to six among five hundred and more.
    pub min_cosine: f64,
    /// The same for an item that passes by its words: what means something else has its words by chance. Of 165 English
    /// prompts on other matters 95 shared two rare words with one of a thousand items, and none of them is let through; among
    /// 90 items of one project 73 did, and four are. Of those that mean one of ten items in its own words 94 in a hundred
    /// pass, of a thousand 81.
    pub word_cosine: f64,
    /// By how much both grow with every tenfold of items compared.
    pub cosine_per_tenfold: f64,
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
            min_cosine: 0.34,
            word_cosine: 0.20,
            cosine_per_tenfold: 0.08,
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

impl Limits {
    /// What `least`, a cosine for one item, becomes where a prompt was compared with `compared`: the largest of many chance
    /// cosines grows as their logarithm does.
    #[expect(clippy::cast_precision_loss, reason = "a store has far fewer than 2^52 items")]
    pub fn cosine_among(&self, least: f64, compared: u64) -> f64 {
        least + self.cosine_per_tenfold * (compared.max(1) as f64).log10()
    }

    /// The same limits where no cosine decides anything.
    #[must_use]
    pub fn without_meaning(self) -> Self {
        Self { min_cosine: 2.0, word_cosine: -2.0, cosine_per_tenfold: 0.0, ..self }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_more_is_compared_the_nearer_an_item_has_to_be() {
        let limits = Limits { cosine_per_tenfold: 0.1, ..Limits::default() };
        let near = |compared, expected: f64| (limits.cosine_among(0.3, compared) - expected).abs() < 1e-9;
        assert!(near(0, 0.3) && near(1, 0.3) && near(10, 0.4) && near(1_000, 0.6));
    }
}
