//! What a session start shows.

mod view;

pub use view::{InvariantView, RecordView, StartEvidence, StartView};
