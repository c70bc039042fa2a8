//! The store folder of a project.

use crate::atomic::create_private_dir;
use six_core::record::UnixMs;
use six_store::{Store, StoreError, migrate};
use std::path::Path;

/// What became of the store.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum StoreState {
    /// It is new.
    Created,
    /// It was there, with this schema.
    Kept,
    /// It was there with an older schema and has been brought up to date.
    Migrated {
        /// The schema that it had.
        from: u32,
        /// The schema that it has.
        to: u32,
    },
}

/// Makes the store, or brings it up to date. Folder and file are for the owner alone.
pub fn ensure_store(store_dir: &Path, now: UnixMs) -> Result<StoreState, StoreError> {
    create_private_dir(store_dir)?;
    create_private_dir(&store_dir.join("backup"))?;
    let path = store_dir.join("memory.db");
    if !path.try_exists()? {
        Store::create(&path, now)?;
        return Ok(StoreState::Created);
    }
    let migrated = migrate(&path, &store_dir.join("backup"), now)?;
    Ok(if migrated.from == migrated.to {
        StoreState::Kept
    } else {
        StoreState::Migrated { from: migrated.from, to: migrated.to }
    })
}
