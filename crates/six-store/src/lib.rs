//! What six remembers: the one `SQLite` file of a project.
//!
//! The only crate that names rusqlite and knows SQL. It decides nothing: callers hand it typed rows and typed questions.
//! Every write is one `BEGIN IMMEDIATE` transaction over work that was prepared before it, so that a hook never waits for
//! more than the writing itself.

mod anchors;
mod apply;
mod backup;
mod check;
mod copy;
mod corpus;
mod error;
mod evidence;
mod extension;
mod extraction;
mod facts;
#[cfg(test)]
mod fixture;
mod hooks;
mod in_use;
mod index;
mod ingest;
mod journal;
mod kill;
mod leg;
mod limit;
mod lineage;
mod mend;
mod merge;
mod migrate;
mod open;
mod rebuild;
mod records;
mod repair;
mod report;
mod rescan;
mod restore;
mod retrieve;
mod roll_up;
mod rules;
mod salvage;
mod spoil;
mod status;
mod swap;
mod table;
#[cfg(test)]
mod testkit;
mod threads;
mod touched;
mod triage;
mod turns;
mod upkeep;
mod vectors;
mod whole;

pub use anchors::Cited;
pub use apply::Applied;
pub use backup::{
    HAND_KEPT, KeptFor, KeptState, by_hand, check_backup_folder, keep_newest_by_hand, kept_states,
    remove_unfinished_by_hand,
};
pub use check::FullCheck;
pub use copy::Contents;
pub use error::{Result, StoreError};
pub use extraction::{Attached, Reading, Unread};
pub use facts::{IngestFacts, StoreFacts};
pub use hooks::{Process, Watch};
pub use journal::Journal;
pub use kill::KillPoint;
pub use lineage::Lineage;
pub use merge::{Merged, Rename, Taken};
pub use migrate::{Migrated, SCHEMA_VERSION, migrate};
pub use open::{Access, Checkpoint, Store};
pub use repair::{RepairMode, Repaired, repair};
pub use report::{HookDays, HookFailure};
pub use rescan::Rescanned;
pub use restore::{Prepared, RestoreError, Restored, prepare_restore, restore};
pub use salvage::TableRead;
pub use spoil::{Spoil, spoil};
pub use status::{HookStatus, SourceStatus, StoreStatus};
pub use triage::{NotUndone, Undone, UnseenBatch};
pub use turns::Turn;
pub use vectors::{Coverage, Unembedded};
pub use whole::WholeRecord;
