//! Records when nobody waits for them: reading sessions for candidates, keeping house among those that wait, and what a model
//! may word.

mod extract;
mod keep;
mod synthesis;

pub use extract::{Ended, Extraction, Limits, PENDING_OF_SESSION, extract, extract_followed};
pub use keep::{Kept, expire_stale, merge_near};
pub(crate) use synthesis::synthesize;
pub use synthesis::{Synthesized, judge_writer, refresh};
