//! The files that an agent's host reads by convention, and what they refer to: the index of its memory folder and a
//! project's standing rules.

mod command;
mod conflict;
mod constitution;
mod context;
mod git_index;
mod link;
mod manifest;
mod markdown;
mod memory_index;
mod path;
mod slot;
mod term;

pub use conflict::conflict_line;
pub use constitution::{Constitution, Mention, Reference, parse_constitution};
pub use git_index::is_tracked_below;
pub use link::spellings;
pub use manifest::{parse_make_targets, parse_npm_scripts, parse_recipes};
pub use memory_index::{IndexAnchor, IndexLink, MemoryIndex, Naming, parse_memory_index};
