//! When to interrupt: a cascade of refusals, cheapest first, whose every verdict is stored.

mod block;
mod budget;
mod candidate;
mod clause;
mod damping;
mod intent;
mod lexicon;
mod limits;
mod prose;
mod quote;
mod receipt;
mod relevance;
mod turn;

pub use block::{Block, BlockKind, render_do_not_rebuild};
pub use budget::{CEILING_UNITS, estimate_tokens};
pub use candidate::{Candidate, CandidateQuery, Candidates};
pub use damping::{is_damped, max_deliveries};
pub use intent::{Intent, Intents, judge_intents, judge_intents_with};
pub use lexicon::ExtraWords;
pub use limits::{Emission, Limits};
pub use quote::quote;
pub use receipt::{BlockReceipt, CandidateReceipt, Gate, Receipt, TermReceipt};
pub use relevance::{idf, judge_candidate, prompt_terms};
pub use turn::{MAX_OWN_BYTES, Turn, judge_turn};
