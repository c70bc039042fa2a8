//! When to interrupt: a cascade of refusals, cheapest first, whose every verdict is stored.

mod block;
mod candidate;
mod clause;
mod intent;
mod lexicon;
mod limits;
mod prose;
mod receipt;
mod turn;

pub use block::BlockKind;
pub use candidate::{Candidate, CandidateQuery, Candidates};
pub use intent::{Intent, Intents, judge_intents};
pub use limits::{Emission, Limits};
pub use receipt::{BlockReceipt, CandidateReceipt, Gate, Receipt, TermReceipt};
pub use turn::{MAX_OWN_BYTES, Turn, judge_turn};
