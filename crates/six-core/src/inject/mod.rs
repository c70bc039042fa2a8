//! When to interrupt: a cascade of refusals, cheapest first, whose every verdict is stored.

mod block;
mod candidate;
mod intent;
mod limits;
mod prose;
mod receipt;
mod turn;

pub use block::BlockKind;
pub use candidate::{Candidate, CandidateQuery, Candidates};
pub use intent::Intent;
pub use limits::{Emission, Limits};
pub use receipt::{BlockReceipt, CandidateReceipt, Gate, Receipt, TermReceipt};
pub use turn::{MAX_OWN_BYTES, Turn, judge_turn};
