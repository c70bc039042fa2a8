//! Records: what extraction proposes, what triage decides, what a thread's story is.

mod extract;
mod extracted;
mod message;
mod proposal;
mod statement;
mod triage;

pub use extract::{admit, propose};
pub use extracted::{DropReason, Extracted, Frequencies, KnownRecord, Sighting};
pub use message::{Message, Speaker};
pub use proposal::{EXTRACTION_VERSION, Proposal, Proposed, extracted_id};
pub use statement::{SAME_SENSE, Statement};
pub use triage::{Fired, Ruling, RulingFault, Similar, Suggestion, TriageItem, TriageVerdict};
