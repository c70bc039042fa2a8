//! The nouns: what six stores, cites and counts.

mod anchor;
mod boundary;
mod citation;
mod curated;
mod entry;
mod evidence;
mod heartbeat;
mod history;
mod id;
mod judgement;
mod mute;
mod origin;
mod place;
mod source;
mod span;
mod subsystem;
mod thread;
mod time;

pub use anchor::{Anchor, AnchorState};
pub use boundary::{Boundary, Edge};
pub use citation::{Citations, parse_citations};
pub use curated::{Record, RecordKind, RecordState};
pub use entry::{Chunk, Entry, EntryKind};
pub use evidence::{Evidence, Why};
pub use heartbeat::{Heartbeat, HookName, Outcome, OutcomeKind};
pub use history::{Before, Change, FieldChange, field_changes};
pub use id::{EventId, IdFault, ItemId, ProjectId, PromptId, RecordId, SessionId, SubsystemId, ThreadId};
pub use judgement::{Judgement, Worth};
pub use mute::Mute;
pub use origin::Origin;
pub use place::{Place, parse_place};
pub use source::Source;
pub use span::{count_lines, find_span, has_word, span_hash};
pub use subsystem::{Subsystem, SubsystemState};
pub use thread::Thread;
pub use time::UnixMs;
