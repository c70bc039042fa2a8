//! What a session start shows.

mod render;
mod section;
mod view;

pub use render::{Rendered, render_start};
pub use section::MAX_RECORDS;
pub use view::{InvariantView, RecordView, StartEvidence, StartView};
