//! `six repair`: the store made anew while nobody reads sources into it, then the spool replayed.

use six_core::record::UnixMs;
use six_store::{RepairMode, Repaired, StoreError};

use crate::backup::{folder, have_alone, make_folder};
use crate::lock::{LockError, Waiting};
use crate::project::identity::Project;
use crate::replay::{NotReplayed, replay};
use crate::spool::Drained;

/// What a repair did, or would do.
#[derive(Debug)]
pub struct Report {
    /// The store.
    pub repaired: Repaired,
    /// The spool; nothing of it is taken by a try. What is in the way of it undoes no repair.
    pub drained: Result<Drained, NotReplayed>,
}

/// Why nothing was repaired. The store is as it was.
#[derive(Debug, thiserror::Error)]
pub enum RepairError {
    /// The store refused.
    #[error(transparent)]
    Store(#[from] StoreError),
    /// A worker or an ingest did not end.
    #[error(transparent)]
    Held(#[from] LockError),
}

/// Repairs the store of a project, or tries what a repair would do.
pub fn run(project: &Project, mode: RepairMode, now: UnixMs, waiting: Waiting<'_>) -> Result<Report, RepairError> {
    let path = project.store_dir.join("memory.db");
    if mode == RepairMode::Try {
        let repaired = six_store::repair(&path, &folder(project), now, mode)?;
        return Ok(Report { repaired, drained: Ok(Drained::default()) });
    }
    if !path.try_exists().map_err(StoreError::from)? {
        return Err(StoreError::NoStore.into());
    }
    let _locks = have_alone(project, waiting)?;
    let repaired = six_store::repair(&path, &make_folder(project)?, now, mode)?;
    Ok(Report { repaired, drained: replay(project) })
}
