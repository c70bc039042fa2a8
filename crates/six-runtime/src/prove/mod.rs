//! Shows that the health checks can go red: faults are put into a scratch copy, one at a time, and the same checks that
//! guard the project are asked what they see.
//!
//! The scratch machine ([`machine`]) has a home, a project, settings and a store of its own in a folder of ours that goes
//! when it is dropped; nothing here opens the project's own store but to copy it. What is injected is listed as data
//! ([`catalogue`]), in one file a check.

mod catalogue;
mod constitution;
mod derived;
mod embedding;
mod fix;
mod heartbeats;
mod ingest;
mod injection;
mod lineage;
mod machine;
mod memory_files;
mod proof;
mod queue;
mod reds;
mod render;
mod runner;
mod server;
mod store;
mod tree;
mod vectors;

pub use catalogue::{NOT_INJECTED, injected};
pub use injection::Unproven;
pub use machine::Ground;
pub(crate) use machine::remove_left_over;
pub use proof::{Proof, Proven, Wish, prove};
