//! One file per hook event: `step(state, evidence) -> Ask(query) | Done(Plan)`, total, never fails.

pub mod pre_compact;
pub mod pre_tool_use;
pub mod session_end;
pub mod session_start;
pub mod stop;
pub mod user_prompt_submit;

mod choice;
mod remember;
mod step;
mod take_in;

pub use choice::Known;
pub use step::{Plan, Step};
