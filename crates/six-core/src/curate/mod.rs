//! Records: what extraction proposes, what triage decides, what a thread's story is.

mod admit;
mod cue;
#[cfg(test)]
mod english;
mod extract;
mod extracted;
mod message;
mod proposal;
mod reading;
#[cfg(test)]
mod samples;
mod sign;
mod spoken;
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
