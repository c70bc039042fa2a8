//! When to interrupt: a cascade of refusals, cheapest first, whose every verdict is stored.

mod anchors;
mod block;
mod budget;
mod candidate;
mod clause;
mod consider;
mod damping;
mod decide;
mod intent;
mod label;
mod lexicon;
mod limits;
mod prose;
mod quote;
mod receipt;
mod relevance;
mod scope;
mod topic;
mod turn;

pub use anchors::{AnchorQuery, AnchorStates, CitedText, Sight, judge_lost, judge_place};
pub use block::{Block, BlockKind, Section, Shown, render_block, render_item};
pub use budget::{CEILING_UNITS, estimate_tokens};
pub use candidate::{Candidate, CandidateQuery, Candidates, SentPrompt, StoryRecord, ThreadStory};
pub use consider::{Considered, consider};
pub use damping::{is_damped, max_deliveries};
pub use decide::{
    BlockPlan, Difference, Setting, admit, decide, may_pass_by_meaning, most_items, needed_weight, replay, weight,
};
pub use intent::{Intent, Intents, judge_intents, judge_intents_with};
pub use label::{Today, age, anchor_label, place};
pub use lexicon::ExtraWords;
pub use limits::{Emission, Limits};
pub use quote::quote;
pub use receipt::{BlockReceipt, CandidateReceipt, Gate, ItemKind, Receipt, TermReceipt, stale_key};
pub use relevance::{idf, prompt_terms};
pub use scope::scope_holds;
pub use topic::{Topic, topics_of};
pub use turn::{MAX_OWN_BYTES, Turn, judge_turn, judge_words};
