//! Session files of the host: lines to entries, links and sessions.

mod reader;
mod skip;
mod tool;
mod wrapper;

pub use reader::{Taken, TranscriptReader};
pub use skip::Skip;
