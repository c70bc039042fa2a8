//! `six backup`: copies of the store that somebody asked for, and the way back to one.

use std::io;
use std::path::{Path, PathBuf};
use std::time::{Duration, Instant};

use six_core::record::UnixMs;
use six_store::{
    Access, Contents, KeptFor, KeptState, Prepared, RestoreError, Restored, SCHEMA_VERSION, Store, StoreError,
};

use crate::atomic::create_private_dir;
use crate::lock::{FileLock, LockError, Waiting, wait_for};
use crate::project::identity::Project;
use crate::replay::{NotReplayed, replay};
use crate::spool::{Drained, Spool};
use crate::worker::{ingest_lock, worker_lock};

/// How long another backup, a worker or an ingest that is at it is waited for.
const WAIT: Duration = Duration::from_secs(60);

/// How long the events that wait are taken in: thousands of them.
const REPLAY: Duration = Duration::from_secs(60);

/// What must be free beside the copy: the store's journal grows while it is read.
const ROOM_BYTES: u64 = 16 << 20;

/// A copy that was made.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Made {
    /// Where it is.
    pub path: PathBuf,
    /// Its size.
    pub bytes: u64,
    /// What it holds.
    pub contents: Contents,
    /// Older ones that had to go for it.
    pub removed: Vec<PathBuf>,
    /// The events that were taken in before.
    pub drained: Drained,
}

/// Why no copy was made, or none could take the store's place. The store is as it was.
#[derive(Debug, thiserror::Error)]
pub enum BackupError {
    /// The store refused.
    #[error(transparent)]
    Store(#[from] StoreError),
    /// A file or a link of that name is there.
    #[error("{} is there already", .0.display())]
    Taken(PathBuf),
    /// The folder for it is not there.
    #[error("there is no folder {}", .0.display())]
    NoFolder(PathBuf),
    /// The disk has not enough room.
    #[error("a copy needs {needed} bytes in {}, which has {free}", folder.display())]
    NoRoom {
        /// Where.
        folder: PathBuf,
        /// Bytes that it may take.
        needed: u64,
        /// Bytes that are there.
        free: u64,
    },
    /// The copy can't be written.
    #[error("{} can't be written: {why}", path.display())]
    Write {
        /// The copy.
        path: PathBuf,
        /// Why.
        why: StoreError,
    },
    /// The spool can't be read, so that not all would be in the copy.
    #[error("the spool can't be read: {0}")]
    Spool(#[source] io::Error),
    /// Another six did not end.
    #[error(transparent)]
    Held(#[from] LockError),
    /// The file can't take the store's place.
    #[error("{} can't take the store's place: {why}", path.display())]
    Backup {
        /// The file.
        path: PathBuf,
        /// Why.
        why: StoreError,
    },
}

/// The folder in which old states of a project's store are kept.
pub fn folder(project: &Project) -> PathBuf {
    project.store_dir.join("backup")
}

/// The same, which is there then and no link.
pub(crate) fn make_folder(project: &Project) -> Result<PathBuf, StoreError> {
    let own = folder(project);
    six_store::check_backup_folder(&own)?;
    create_private_dir(&own)?;
    Ok(own)
}

fn store_file(project: &Project) -> PathBuf {
    project.store_dir.join("memory.db")
}

/// Old states of a project's store, newest first.
pub fn list(project: &Project) -> Result<Vec<KeptState>, StoreError> {
    six_store::kept_states(&folder(project))
}

/// Copies the store as it is now, with all that waits in the spool, while hooks go on. `to` is a file, a folder, or nothing
/// for the store's own folder of backups, in which a bounded number stays.
pub fn make(project: &Project, to: Option<&Path>, now: UnixMs, waiting: Waiting<'_>) -> Result<Made, BackupError> {
    let own = make_folder(project)?;
    let path = match to {
        None => six_store::by_hand(&own, now),
        Some(dir) if dir.is_dir() => six_store::by_hand(dir, now),
        Some(file) => file.to_owned(),
    };
    if path.symlink_metadata().is_ok() {
        return Err(BackupError::Taken(path));
    }
    let into = path.parent().filter(|dir| !dir.as_os_str().is_empty()).unwrap_or(Path::new("."));
    let Ok(folder) = into.canonicalize() else { return Err(BackupError::NoFolder(into.to_owned())) };
    let path = path.file_name().map_or_else(|| path.clone(), |name| folder.join(name));
    let _lock = wait_for("another backup", &project.store_dir.join("backup.lock"), WAIT, waiting)?;
    six_store::remove_unfinished_by_hand(&own)?;
    let file = store_file(project);
    let store = Store::open(&file, Access::Write, WAIT)?;
    let drained = Spool::new(&project.store_dir).drain(&store, Instant::now() + REPLAY).map_err(BackupError::Spool)?;
    let needed = size(&file) + store.journal_bytes() + ROOM_BYTES;
    // What can't tell how much room it has is tried.
    if let Some(free) = fs2::available_space(&folder).ok().filter(|free| *free < needed) {
        return Err(BackupError::NoRoom { folder, needed, free });
    }
    let contents = store.back_up(&path, &project.id).map_err(|why| match why {
        StoreError::Io(fault) if fault.kind() == io::ErrorKind::AlreadyExists => BackupError::Taken(path.clone()),
        why @ (StoreError::Full | StoreError::ReadOnly | StoreError::NoStore | StoreError::CannotOpen) => {
            BackupError::Write { path: path.clone(), why }
        }
        why => BackupError::Store(why),
    })?;
    let removed = if to.is_none() { six_store::keep_newest_by_hand(&own, &path) } else { Vec::new() };
    Ok(Made { bytes: size(&path), path, contents, removed, drained })
}

fn size(path: &Path) -> u64 {
    path.metadata().map_or(0, |file| file.len())
}

/// A file that can take the store's place.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Plan {
    /// The file.
    pub path: PathBuf,
    /// What it holds.
    pub prepared: Prepared,
    /// Whether it is known to be this project's: it says so, or it lies where this project's old states are kept.
    pub is_own: bool,
}

/// Looks at a file that is to take the store's place. Reads only.
pub fn plan_restore(project: &Project, file: &Path) -> Result<Plan, BackupError> {
    let prepared = six_store::prepare_restore(file).map_err(|fault| refused(file, fault))?;
    let is_own = match &prepared.project {
        Some(id) => id == project.id.as_str(),
        None => six_store::check_backup_folder(&folder(project)).is_ok() && is_in(file, &folder(project)),
    };
    Ok(Plan { path: file.to_owned(), prepared, is_own })
}

fn is_in(file: &Path, folder: &Path) -> bool {
    file.canonicalize().ok().zip(folder.canonicalize().ok()).is_some_and(|(file, folder)| file.starts_with(folder))
}

/// The newest old state that could take the store's place, by its first bytes.
pub fn newest(project: &Project) -> Option<KeptState> {
    let is_usable = |state: &KeptState| {
        state.kept_for != KeptFor::Damage && state.schema.is_some_and(|schema| schema <= SCHEMA_VERSION)
    };
    list(project).ok()?.into_iter().find(is_usable)
}

/// Puts it in the place of the store, which is kept, and takes in what hooks left meanwhile: what is in the way of that
/// undoes no restore. Nobody ingests or works in the store as long as it takes.
pub fn apply_restore(
    project: &Project,
    plan: &Plan,
    now: UnixMs,
    waiting: Waiting<'_>,
) -> Result<(Restored, Result<Drained, NotReplayed>), BackupError> {
    let own = make_folder(project)?;
    let _locks = have_alone(project, waiting)?;
    let file = store_file(project);
    let restored = six_store::restore(&plan.path, &file, &own, now).map_err(|fault| refused(&plan.path, fault))?;
    Ok((restored, replay(project)))
}

/// Nobody ingests or works in the store as long as these are held.
pub(crate) fn have_alone(project: &Project, waiting: Waiting<'_>) -> Result<[FileLock; 2], LockError> {
    Ok([
        wait_for("a worker", &worker_lock(project), WAIT, waiting)?,
        wait_for("an ingest", &ingest_lock(project), WAIT, waiting)?,
    ])
}

fn refused(path: &Path, fault: RestoreError) -> BackupError {
    match fault {
        RestoreError::Backup(why) => BackupError::Backup { path: path.to_owned(), why },
        RestoreError::Store(fault) => BackupError::Store(fault),
    }
}
