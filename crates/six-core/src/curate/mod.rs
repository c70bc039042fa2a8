//! Records: what extraction proposes, what triage decides, what a thread's story is.

mod admit;
mod claim;
mod cue;
#[cfg(test)]
mod english;
mod extract;
mod extracted;
#[cfg(test)]
mod languages;
mod likely_use;
mod likeness;
mod lineage;
mod meant;
mod message;
mod neighbours;
mod one_of_kinds;
mod option;
mod order;
mod proposal;
mod reading;
mod ruled_thread;
mod rulings;
#[cfg(test)]
mod sample;
mod sign;
mod spoken;
mod stop;
mod suggest;
mod synthesis;
mod talk;
mod title;
#[cfg(test)]
mod titles;
mod tongue;
mod triage;
mod trust;
mod unlabelled;
mod weights;
mod wording;

pub use admit::admit;
pub use claim::Claim;
pub use extract::propose;
pub use extracted::{DropReason, Extracted, Frequencies, KnownRecord, Sighting};
pub use likely_use::{LikelyUse, PastPrompt, judge_use};
pub use likeness::{Likeness, SAME_SENSE};
pub(crate) use lineage::Telling;
pub use lineage::{Prose, compose, compose_step, compose_today, story_key, story_of};
pub use message::{Message, Speaker};
pub use neighbours::neighbours;
pub use order::{by_expected_use, measured_ms};
pub use proposal::{EXTRACTION_VERSION, Proposal, Proposed};
pub use rulings::{Batch, Judge, Judged, JudgedBatch, Named, judge_rulings};
pub use suggest::{Alike, Grounds, content_terms, suggest};
pub use synthesis::{Ask, Unfit, Wording, accept_prose, accept_wording, ask_prose, ask_wording, wording_terms};
pub use triage::{Fired, Inbox, Ruling, RulingFault, Similar, Suggestion, TriageItem, TriageVerdict, version_of};
