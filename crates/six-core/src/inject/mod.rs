//! When to interrupt: a cascade of refusals, cheapest first, whose every verdict is stored.

mod block;
mod candidate;
mod intent;
mod limits;
mod quote;
mod receipt;

pub use block::BlockKind;
pub use candidate::{Candidate, CandidateQuery, Candidates};
pub use intent::Intent;
pub use limits::{Emission, Limits};
pub use quote::quote;
pub use receipt::{BlockReceipt, CandidateReceipt, Gate, Receipt, TermReceipt};
