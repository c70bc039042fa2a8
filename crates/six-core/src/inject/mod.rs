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
mod meaning;
mod prose;
mod quote;
mod receipt;
mod relevance;
mod scope;
mod turn;

pub use anchors::{AnchorQuery, AnchorStates};
pub use block::{Block, BlockKind, Section, Shown, render_block, render_item};
pub use budget::{CEILING_UNITS, estimate_tokens};
pub use candidate::{Candidate, CandidateQuery, Candidates, MeaningQuery, StoryRecord, ThreadStory};
pub use consider::{Considered, consider};
pub use damping::{is_damped, max_deliveries};
pub use decide::{BlockPlan, Difference, Setting, admit, decide, replay};
pub use intent::{Intent, Intents, judge_intents};
pub use label::{anchor_label, place};
pub use lexicon::is_english;
pub use limits::{Emission, Limits};
pub use meaning::meaning_text;
pub use quote::quote;
pub use receipt::{BlockReceipt, CandidateReceipt, Gate, ItemKind, Receipt, TermReceipt, stale_key};
pub use relevance::{idf, prompt_terms};
pub use scope::scope_holds;
pub use turn::{MAX_OWN_BYTES, Turn, judge_turn};
