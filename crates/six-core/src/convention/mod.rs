//! The files that an agent's host reads by convention, and what they refer to: the index of its memory folder and a
//! project's standing rules.

mod conflict;
mod link;
mod markdown;
mod memory_index;

pub use conflict::conflict_line;
pub use link::spellings;
pub use memory_index::{IndexAnchor, IndexLink, MemoryIndex, Naming, parse_memory_index};
