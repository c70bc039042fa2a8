//! What a hook does between its input and its answer: the same short road for every event.
//!
//! input -> project -> heartbeat -> plan steps and the evidence they ask for -> rows -> answer -> chores -> heartbeat closed

mod answer;
mod chore;
mod ledger;
mod session_end;
mod session_start;
mod user_prompt_submit;

pub use answer::{Call, answer, deadline_ms, overrun};
pub use ledger::{Ended, Ledger};
