//! What waits in the spool, taken into a store that has just been put in its place.

use std::io;
use std::time::{Duration, Instant};

use six_store::{Access, Store, StoreError};

use crate::project::identity::Project;
use crate::spool::{Drained, Spool};

/// How long the new store is waited for.
const WAIT: Duration = Duration::from_secs(60);

/// How long the events that wait are taken in: thousands of them.
const REPLAY: Duration = Duration::from_secs(60);

/// Why what waits was not taken in. It waits on, and the store is in its place.
#[derive(Debug, thiserror::Error)]
pub enum NotReplayed {
    /// The new store refused.
    #[error(transparent)]
    Store(#[from] StoreError),
    /// The spool can't be read.
    #[error("the spool can't be read: {0}")]
    Spool(#[source] io::Error),
}

/// Takes it in.
pub(crate) fn replay(project: &Project) -> Result<Drained, NotReplayed> {
    let store = Store::open(&project.store_dir.join("memory.db"), Access::Write, WAIT)?;
    Spool::new(&project.store_dir).drain(&store, Instant::now() + REPLAY).map_err(NotReplayed::Spool)
}
