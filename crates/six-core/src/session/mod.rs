//! What a session start shows.

mod render;
mod rotation;
mod section;
mod view;

pub use render::{Rendered, Scene, render_start, shown_records};
pub use section::{MAX_RECORDS, MAX_THREADS};
pub use view::{CitedStates, CorrectionView, InvariantView, RecordView, StartEvidence, StartView, ThreadView};
