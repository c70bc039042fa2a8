//! `six repair`: the store made anew while nobody reads sources into it, then the spool replayed.

use std::io;
use std::time::{Duration, Instant};

use six_core::record::UnixMs;
use six_store::{Access, RepairMode, Repaired, Store, StoreError};

use crate::atomic::create_private_dir;
use crate::lock::{FileLock, LockError};
use crate::project::identity::Project;
use crate::spool::{Drained, Spool};
use crate::worker::{ingest_lock, worker_lock};

/// How long a worker or an ingest that is at it is waited for.
const WAIT: Duration = Duration::from_secs(60);

/// How long the events that wait are replayed: thousands of them.
const REPLAY: Duration = Duration::from_secs(60);

/// What a repair did, or would do.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Report {
    /// The store.
    pub repaired: Repaired,
    /// The spool; nothing of it is taken by a try.
    pub drained: Drained,
}

/// Why nothing was repaired. The store is as it was, unless only the spool could not be read.
#[derive(Debug, thiserror::Error)]
pub enum RepairError {
    /// The store refused.
    #[error(transparent)]
    Store(#[from] StoreError),
    /// A worker or an ingest did not end.
    #[error(transparent)]
    Held(#[from] LockError),
    /// The store is repaired, and its spool can't be read.
    #[error("the spool can't be read: {0}")]
    Spool(#[source] io::Error),
}

/// Repairs the store of a project, or tries what a repair would do.
pub fn run(project: &Project, mode: RepairMode, now: UnixMs) -> Result<Report, RepairError> {
    let path = project.store_dir.join("memory.db");
    let backups = project.store_dir.join("backup");
    if mode == RepairMode::Try {
        let repaired = six_store::repair(&path, &backups, now, mode)?;
        return Ok(Report { repaired, drained: Drained::default() });
    }
    if !path.try_exists().map_err(StoreError::from)? {
        return Err(StoreError::NoStore.into());
    }
    let _worker = FileLock::acquire(&worker_lock(project), WAIT)?;
    let _ingest = FileLock::acquire(&ingest_lock(project), WAIT)?;
    create_private_dir(&backups).map_err(StoreError::from)?;
    let repaired = six_store::repair(&path, &backups, now, mode)?;
    let store = Store::open(&path, Access::Write, WAIT)?;
    let spool = Spool::new(&project.store_dir);
    let drained = spool.drain(&store, Instant::now() + REPLAY).map_err(RepairError::Spool)?;
    Ok(Report { repaired, drained })
}
