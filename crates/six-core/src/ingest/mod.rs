//! From files to entries.

mod batch;

pub use batch::{Batch, Committed, FileState, Link, Mode, SessionSeen};
