//! Merges another project into this one: its store is taken in and kept, its folders lead here from then on.

use std::io;
use std::path::{Path, PathBuf};
use std::time::{Duration, Instant};

use six_core::record::{ProjectId, UnixMs};
use six_store::{Access, Merged, Store, StoreError};

use crate::home::{Environment, SixHome};
use crate::ids::derived_record_id;
use crate::install::{HandOverError, hand_over, hand_over_reliance};
use crate::lock::{FileLock, LockError};
use crate::project::identity::{Located, NotInstalled, Project, locate_at};
use crate::project::join::{Joined, join};
use crate::project::registry::{Registry, RegistryError};
use crate::spool::Spool;

/// How long either store may be in use by somebody else.
const BUSY: Duration = Duration::from_secs(5);

/// How long what waits in its spool may take to be taken in.
const DRAIN: Duration = Duration::from_secs(30);

/// A project that is to be merged into another one.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Other {
    /// Its identity.
    pub id: ProjectId,
    /// Its store folder, which stays.
    pub store_dir: PathBuf,
}

/// Why nothing was merged, or not all. Run again, it goes on.
#[derive(Debug, thiserror::Error)]
pub enum MergeError {
    /// Both are one project already.
    #[error("{named} is this project already ({id})")]
    Same {
        /// As it was named.
        named: String,
        /// The identity.
        id: ProjectId,
    },
    /// What was named is neither an identity nor a folder.
    #[error("there is no project and no folder {0}")]
    Unknown(String),
    /// The folder belongs to no project.
    #[error("{} has no memory: {why}", dir.display())]
    NotInstalled {
        /// The folder.
        dir: PathBuf,
        /// Why.
        why: NotInstalled,
    },
    /// The folder is a copy of a project, and nobody said which of the two it is.
    #[error("{} is a copy of {}", found.display(), listed.display())]
    Copied {
        /// The common directory of the folder.
        found: PathBuf,
        /// The one that it was copied from.
        listed: PathBuf,
    },
    /// The other store can't be used.
    #[error("the store {} can't be merged: {why}", path.display())]
    Store {
        /// The store.
        path: PathBuf,
        /// Why.
        why: StoreError,
    },
    /// A worker or an ingest is at work in one of the two.
    #[error("one of the two stores is in use: {0}")]
    InUse(#[from] LockError),
    /// Events wait in the other store's spool that can't be taken in.
    #[error("{left} events wait in {} and can't be taken in", spool.display())]
    Waiting {
        /// How many.
        left: u64,
        /// The folder.
        spool: PathBuf,
    },
    /// The other store's spool can't be read.
    #[error("the events that wait in {} can't be read: {why}", store_dir.display())]
    Spool {
        /// The store folder.
        store_dir: PathBuf,
        /// What the system said.
        why: io::Error,
    },
    /// The registry can't be read or written.
    #[error(transparent)]
    Registry(#[from] RegistryError),
    /// What was installed in the other folder could not be listed with this project.
    #[error(transparent)]
    HandOver(#[from] HandOverError),
}

/// What a merge did.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Done {
    /// What was taken in.
    pub merged: Merged,
    /// The places that lead here now.
    pub joined: Joined,
}

/// The project that is named by its identity or by a folder below `base`, and is not `here`.
pub fn find_other(
    env: &Environment,
    home: &SixHome,
    here: &Project,
    named: &str,
    base: &Path,
) -> Result<Other, MergeError> {
    let registry = Registry::read(&home.registry_path())?;
    let held = match ProjectId::parse(named) {
        Ok(id) if registry.projects.contains_key(registry.current(&id)) || home.projects_dir(&id).is_dir() => id,
        _ => id_of_folder(env, named, &base.join(named))?,
    };
    let id = registry.current(&held).clone();
    if id == here.id {
        return Err(MergeError::Same { named: named.to_owned(), id });
    }
    let store_dir = home.projects_dir(&id);
    Ok(Other { id, store_dir })
}

fn id_of_folder(env: &Environment, named: &str, dir: &Path) -> Result<ProjectId, MergeError> {
    if !dir.is_dir() {
        return Err(MergeError::Unknown(named.to_owned()));
    }
    match locate_at(env, dir) {
        Located::Installed(project) => Ok(project.id),
        Located::Copied { listed, found, .. } => Err(MergeError::Copied { found, listed }),
        Located::NotInstalled { why, .. } => Err(MergeError::NotInstalled { dir: dir.to_owned(), why }),
    }
}

/// What [`apply_merge`] would take in; changes nothing.
pub fn plan_merge(store: &Store, other: &Other) -> Result<Merged, MergeError> {
    let theirs = open(other, Access::Read)?;
    store.plan_merge(&theirs, &|id| new_id(other, id)).map_err(|why| unusable(other, why))
}

/// Takes the other project's store in, then lets its places and its identity lead to this one.
pub fn apply_merge(
    home: &SixHome,
    here: &Project,
    store: &Store,
    other: &Other,
    now: UnixMs,
) -> Result<Done, MergeError> {
    // Opened first: a store that is not there has no folder for locks either.
    let theirs = open(other, Access::Write)?;
    let _locks = [&here.store_dir, &other.store_dir].map(|dir| lock(dir)).into_iter().collect::<Result<Vec<_>, _>>()?;
    drain(other, &theirs)?;
    let merged = store.merge(&theirs, &|id| new_id(other, id), now).map_err(|why| match why {
        // Only this one is written.
        StoreError::Busy | StoreError::ReadOnly | StoreError::Full => {
            MergeError::Store { path: store.path().to_owned(), why }
        }
        why => unusable(other, why),
    })?;
    drop(theirs);
    let joined = join(home, &here.id, &other.id, now.0)?;
    for place in &joined.0 {
        hand_over(&other.store_dir, &here.store_dir, place)?;
    }
    hand_over_reliance(home, &other.id, &here.id)?;
    Ok(Done { merged, joined })
}

/// A newer schema can be read, as far as it is known; what is not known would be lost.
fn open(other: &Other, access: Access) -> Result<Store, MergeError> {
    let path = other.store_dir.join("memory.db");
    let failed = |why| MergeError::Store { path: path.clone(), why };
    if access == Access::Read {
        match Store::open(&path, Access::Hook, BUSY) {
            Err(why @ StoreError::NewerSchema { .. }) => return Err(failed(why)),
            other => drop(other),
        }
    }
    Store::open(&path, access, BUSY).map_err(failed)
}

fn unusable(other: &Other, why: StoreError) -> MergeError {
    MergeError::Store { path: other.store_dir.join("memory.db"), why }
}

/// Keeps workers and ingests out of a store.
fn lock(store_dir: &Path) -> Result<[FileLock; 2], LockError> {
    let lock = |name| FileLock::acquire(&store_dir.join(name), BUSY);
    Ok([lock("worker.lock")?, lock("ingest.lock")?])
}

/// What waits in the other spool belongs to its store, and nobody looks there any more.
fn drain(other: &Other, theirs: &Store) -> Result<(), MergeError> {
    let failed = |why| MergeError::Spool { store_dir: other.store_dir.clone(), why };
    let drained = Spool::new(&other.store_dir).drain(theirs, Instant::now() + DRAIN).map_err(failed)?;
    match drained.left {
        0 => Ok(()),
        left => Err(MergeError::Waiting { left, spool: other.store_dir.join("spool") }),
    }
}

fn new_id(other: &Other, id: &str) -> String {
    derived_record_id(&[other.id.as_str(), id])
}
