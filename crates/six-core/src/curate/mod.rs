//! Records: what extraction proposes, what triage decides, what a thread's story is.

mod extracted;
mod message;
mod proposal;
mod triage;

pub use extracted::{DropReason, Extracted, Frequencies, KnownRecord, Sighting};
pub use message::{Message, Speaker};
pub use proposal::{EXTRACTION_VERSION, Proposal, Proposed, extracted_id};
pub use triage::{Fired, Ruling, RulingFault, Similar, Suggestion, TriageItem, TriageVerdict};
