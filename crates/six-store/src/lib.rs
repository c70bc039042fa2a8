//! What six remembers: the one `SQLite` file of a project.
//!
//! The only crate that names rusqlite and knows SQL. It decides nothing: callers hand it typed rows and typed questions.
//! Every write is one `BEGIN IMMEDIATE` transaction over work that was prepared before it, so that a hook never waits for
//! more than the writing itself.

mod apply;
mod check;
mod error;
mod evidence;
mod facts;
mod index;
mod ingest;
mod leg;
mod merge;
mod migrate;
mod open;
mod records;
mod repair;
mod retrieve;
mod roll_up;
mod status;
mod table;
#[cfg(test)]
mod testkit;

pub use check::FullCheck;
pub use error::{Result, StoreError};
pub use facts::{IngestFacts, StoreFacts};
pub use merge::{Merged, Rename, Taken};
pub use migrate::{Migrated, SCHEMA_VERSION, migrate};
pub use open::{Access, Checkpoint, Store};
pub use status::{HookStatus, SourceStatus, StoreStatus};
