//! What a worker does about records when nobody waits for it.

mod synthesis;

pub(crate) use synthesis::synthesize;
pub use synthesis::{Synthesized, judge_writer, refresh};
