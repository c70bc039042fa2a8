//! Records: what extraction proposes, what triage decides, what a thread's story is.

mod extracted;
mod lineage;
mod message;
mod proposal;
mod synthesis;
mod triage;

pub use extracted::{DropReason, Extracted, Frequencies, KnownRecord, Sighting};
pub(crate) use lineage::Telling;
pub use lineage::{LINEAGE_VERSION, Prose, compose, compose_step, compose_today, story_key, story_of};
pub use message::{Message, Speaker};
pub use proposal::{EXTRACTION_VERSION, Proposal, Proposed, extracted_id};
pub use synthesis::{Ask, Unfit, Wording, accept_prose, accept_wording, ask_prose, ask_wording, wording_terms};
pub use triage::{Fired, Ruling, RulingFault, Similar, Suggestion, TriageItem, TriageVerdict};
