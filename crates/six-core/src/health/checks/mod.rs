//! The checks, one file each, and the list of them.

mod constitution;
mod derived;
mod embedding;
mod heartbeats;
mod ingest;
mod lineage;
mod list;
mod memory_files;
mod queue;
mod render;
mod store;
mod vectors;

pub(super) use list::{CHECKS, Check};
