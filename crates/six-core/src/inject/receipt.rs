//! The stored account of one injection decision, fired or not, enough to replay it.

use serde::{Deserialize, Serialize};

use super::{BlockKind, Emission, Intent, Limits, Touched, tool_key};
use crate::record::{AnchorState, EntryKind, ItemId, PromptId, RecordId, SessionId, UnixMs};
use crate::text::Redacted;

/// One turn, or one call of a tool. Written before the answer is printed. All that [`super::replay`] needs is here.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct Receipt {
    /// Its session.
    pub session: SessionId,
    /// The host's id of the prompt.
    pub prompt_id: Option<PromptId>,
    /// When.
    pub at: UnixMs,
    /// The tool that was about to run; `None` for a prompt.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub tool: Option<String>,
    /// SHA-256 (hex) of the redacted prompt, or of what the call touches.
    pub prompt_hash: String,
    /// The first 200 characters of the redacted prompt, or of what the call touches.
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
    /// Items that the prompt was compared with by meaning; the thresholds of the cosine grow with them.
    #[serde(default)]
    pub compared: u64,
    /// Items that were considered, with their arithmetic, best first.
    pub candidates: Vec<CandidateReceipt>,
    /// What was said, or in shadow would have been.
    pub blocks: Vec<BlockReceipt>,
    /// Why evidence was missing; empty when all was there.
    pub degraded: Vec<String>,
    /// Thresholds in force.
    pub limits: Limits,
    /// Microseconds from process start to the end of each stage, in order (`intent`, `candidates`, `anchors`).
    #[serde(default)]
    pub stages_us: Vec<(String, u64)>,
    /// Microseconds from process start to this row.
    pub took_us: u64,
}

impl Receipt {
    /// What could not be had although it was asked for; nothing of what is merely worth knowing (a small corpus, a language
    /// that the model does not read, a file of settings).
    pub fn lacked(&self) -> Option<&str> {
        self.degraded.iter().map(String::as_str).find(|said| {
            let (what, why) = said.split_once(':').unwrap_or((said, ""));
            matches!((what, why), ("candidates" | "anchors", _) | ("meaning", "failed" | "late" | "no-store"))
        })
    }
}

/// What an item is, as far as blocks are concerned.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum ItemKind {
    /// Something that exists.
    Subsystem,
    /// A choice of the project.
    Decision,
    /// An approach that was tried or ruled out.
    DeadEnd,
    /// A standing rule of the operator.
    Correction,
    /// A short piece of know-how.
    Cheatsheet,
    /// A line of decisions and dead ends.
    Thread,
}

impl ItemKind {
    /// That of an entry of the index; `None` for what never is in a block.
    pub const fn of_entry(kind: EntryKind) -> Option<Self> {
        match kind {
            EntryKind::Subsystem => Some(Self::Subsystem),
            EntryKind::Decision => Some(Self::Decision),
            EntryKind::DeadEnd => Some(Self::DeadEnd),
            EntryKind::Correction => Some(Self::Correction),
            EntryKind::Cheatsheet => Some(Self::Cheatsheet),
            _ => None,
        }
    }
}

/// The facts of one item and the verdict on it.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct CandidateReceipt {
    /// Which item.
    pub item: ItemId,
    /// What it is.
    pub kind: ItemKind,
    /// Its matching terms, rarest first.
    pub tokens: Vec<TermReceipt>,
    /// Sum of their idf.
    pub sum: f64,
    /// Cosine of its text and the prompt.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub cosine: Option<f64>,
    /// The family of tools that a correction names and the prompt calls for.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub topic: Option<String>,
    /// Whether a person stands behind it.
    #[serde(default = "yes")]
    pub confirmed: bool,
    /// Whether the prompt is where a correction holds; other items hold everywhere.
    #[serde(default = "yes")]
    pub in_scope: bool,
    /// What became of what it cites; empty if it cites nothing or was not looked at.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub anchors: Vec<AnchorState>,
    /// What it says of the call of a tool; `None` for a prompt.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub touched: Option<Touched>,
    /// How often this session had been shown it; before a tool, how often it had been told before one.
    pub delivered: u32,
    /// How often this session had been told that it is stale.
    #[serde(default)]
    pub delivered_stale: u32,
    /// The block that it belongs to.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub block: Option<BlockKind>,
    /// UTF-16 units of its text in that block; 0 if it was not rendered.
    #[serde(default)]
    pub units: u32,
    /// At which gate it fell, or that it passed.
    pub verdict: Gate,
}

const fn yes() -> bool {
    true
}

impl CandidateReceipt {
    /// Whether something that it cites is known to be no longer as it was cited.
    pub fn is_stale(&self) -> bool {
        self.anchors.iter().any(AnchorState::is_stale)
    }
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
    /// Whether it stands in what the item is called (title, thread, paths, symbols), and not only in what is told of it.
    #[serde(default = "yes")]
    pub names: bool,
}

/// Where an item's way ended.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum Gate {
    /// Shown.
    Passed,
    /// A program entered it, and no person stands behind it.
    Unconfirmed,
    /// The correction holds elsewhere.
    OutOfScope,
    /// Too few distinct terms match.
    TooFewMatches,
    /// Enough terms match, but they are common ones.
    NotRare,
    /// Rare terms match, but all matches together weigh too little.
    TooWeak,
    /// Its words match, but it means something else.
    OtherMeaning,
    /// No block for this intent shows such an item.
    NoBlock,
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
    /// Bytes of its text, without the outer element.
    pub bytes: u32,
    /// Estimated tokens.
    pub tokens: u32,
    /// Items that passed but had no room.
    pub left_out: u32,
}

impl BlockReceipt {
    /// The keys under which damping counts what the block showed: that an item is stale is counted by itself.
    pub fn delivered(&self) -> impl Iterator<Item = ItemId> + '_ {
        self.items.iter().map(|item| match self.kind {
            BlockKind::StaleClaim => stale_key(item),
            BlockKind::BeforeYouAct => tool_key(item),
            _ => item.clone(),
        })
    }
}

/// The correction that was shown, if it was one, by the key under which that is counted.
pub fn shown_correction(key: &ItemId) -> Option<RecordId> {
    let item = ["tool:", "stale:"].iter().find_map(|how| key.as_str().strip_prefix(how)).unwrap_or(key.as_str());
    item.strip_prefix("correction:").map(RecordId::new)
}

/// The key under which it is counted that an item was told to be stale.
pub fn stale_key(item: &ItemId) -> ItemId {
    ItemId::new(format!("stale:{item}"))
}
