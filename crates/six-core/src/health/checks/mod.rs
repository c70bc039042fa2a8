//! The checks, one file each, and the list of them.

mod heartbeats;
mod ingest;
mod lineage;
mod list;
mod queue;
mod store;
mod vectors;

pub(super) use list::{CHECKS, Check};
