//! Records out of what was said: reading sessions for candidates, and keeping house among those that wait.

mod extract;
mod keep;

pub use extract::{Ended, Extraction, Limits, PENDING_OF_SESSION, extract, extract_followed};
pub use keep::{Kept, expire_stale, merge_near};
