//! Anchors: taken when a record is made, looked at again by the hook that shows it, and followed by the worker.

mod eyes;
mod head;
mod look;
mod take;
mod verify;

pub use look::look;
pub use take::{AnchorError, take, take_cited};
pub use verify::verify;
