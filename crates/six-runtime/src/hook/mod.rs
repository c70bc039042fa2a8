//! What a hook does between its input and its answer: the same short road for every event.
//!
//! input -> project -> heartbeat -> plan steps and the evidence they ask for -> rows -> answer -> chores -> heartbeat closed
//!
//! The road is [`answer`]; what an event adds to it is its [`Hook`], one file each. A binary names its own and links
//! nothing of the others.

mod answer;
mod chore;
mod claim;
mod ledger;
mod meaning;
mod pre_compact;
mod pre_tool_use;
mod session_end;
mod session_start;
mod stop;
mod user_prompt_submit;

pub use answer::{Call, Hook, answer, overrun};
pub use ledger::{Ended, Ledger};
pub use meaning::embed_meaning;
pub use pre_compact::PreCompact;
pub use pre_tool_use::PreToolUse;
pub use session_end::SessionEnd;
pub use session_start::SessionStart;
pub use stop::Stop;
pub use user_prompt_submit::{UserPromptSubmit, gather_candidates};
