//! The stored account of one injection decision, fired or not, enough to replay it.

use serde::{Deserialize, Serialize};

use super::{BlockKind, Emission, Intent, Limits};
use crate::record::{EntryKind, ItemId, PromptId, SessionId, UnixMs};
use crate::text::Redacted;

/// One turn. Written before the answer is printed.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct Receipt {
    /// Its session.
    pub session: SessionId,
    /// The host's id of the prompt.
    pub prompt_id: Option<PromptId>,
    /// When.
    pub at: UnixMs,
    /// SHA-256 (hex) of the redacted prompt.
    pub prompt_hash: String,
    /// The first 200 characters of the redacted prompt.
    pub head: Redacted,
    /// Emission in force.
    pub mode: Emission,
    /// Whether a person wrote it.
    pub human: bool,
    /// Why the turn was not looked at any further (`machine:task-notification`, `subagent`, `#skip`, `no-intent`, …).
    pub silenced: Option<String>,
    /// What was intended, with the words that showed it.
    pub intents: Vec<(Intent, Vec<String>)>,
    /// Terms that were looked up.
    pub terms: Vec<String>,
    /// Distinct chunks in the index at that time.
    pub corpus: u64,
    /// Items that were considered, with their arithmetic.
    pub candidates: Vec<CandidateReceipt>,
    /// What was said, or in shadow would have been.
    pub blocks: Vec<BlockReceipt>,
    /// Why evidence was missing; empty when all was there.
    pub degraded: Vec<String>,
    /// Thresholds in force.
    pub limits: Limits,
    /// Microseconds from process start to this row.
    pub took_us: u64,
}

/// The verdict on one item.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct CandidateReceipt {
    /// Which item.
    pub item: ItemId,
    /// What it is.
    pub kind: EntryKind,
    /// Its matching terms.
    pub tokens: Vec<TermReceipt>,
    /// Sum of their idf.
    pub sum: f64,
    /// How often this session had been shown it.
    pub delivered: u32,
    /// At which gate it fell, or that it passed.
    pub verdict: Gate,
}

/// A matching term with its weight.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct TermReceipt {
    /// The term.
    pub t: String,
    /// Distinct chunks that hold it.
    pub df: u64,
    /// `max(0, ln((N+1)/(df+1)))`.
    pub idf: f64,
}

/// Where an item's way ended.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum Gate {
    /// Shown.
    Passed,
    /// A program entered it, and no person stands behind it.
    Unconfirmed,
    /// Too few distinct terms match.
    TooFewMatches,
    /// Enough terms match, but they are common ones.
    NotRare,
    /// Shown often enough in this session.
    Damped,
    /// No room left.
    OverBudget,
}

/// One block.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct BlockReceipt {
    /// Which.
    pub kind: BlockKind,
    /// What it shows.
    pub items: Vec<ItemId>,
    /// Bytes of its text.
    pub bytes: u32,
    /// Estimated tokens.
    pub tokens: u32,
    /// Items that passed but had no room.
    pub left_out: u32,
}
