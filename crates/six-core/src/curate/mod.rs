//! Records: what extraction proposes, what triage decides, what a thread's story is.

mod admit;
mod cue;
mod extract;
mod extracted;
mod message;
mod proposal;
mod reading;
mod sign;
mod spoken;
#[cfg(test)]
mod samples;
mod tongue;
mod triage;
mod unlabelled;
mod weights;
mod wording;

pub use admit::admit;
pub use extract::propose;
pub use extracted::{DropReason, Extracted, Frequencies, KnownRecord, Sighting};
pub use message::{Message, Speaker};
pub use proposal::{EXTRACTION_VERSION, Proposal, Proposed, extracted_id};
pub use triage::{Fired, Ruling, RulingFault, Similar, Suggestion, TriageItem, TriageVerdict};
