//! What a worker does about records when nobody waits for it.

mod synthesis;

pub use synthesis::{Synthesized, judge_writer, refresh};
pub(crate) use synthesis::{synthesize, unless_work_waits};
