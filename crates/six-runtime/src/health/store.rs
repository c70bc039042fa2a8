//! The evidence of the check `store`.

use std::fs;
use std::path::Path;

use six_core::health::StoreEvidence;
use six_core::record::UnixMs;
use six_store::{Journal, Store, StoreError};

use super::store_file;
use crate::config::Configuration;
use crate::project::identity::Project;
use crate::spool::Spool;

/// Looks at the store's file, its folder and its spool.
pub(super) fn gather(
    project: &Project,
    configuration: &Configuration,
    store: &Store,
    now: UnixMs,
) -> Result<StoreEvidence, StoreError> {
    let facts = store.gather_store_facts()?;
    let path = store_file(project);
    let size = |suffix: &str| {
        let mut name = path.clone().into_os_string();
        name.push(suffix);
        fs::metadata(name).map_or(0, |metadata| metadata.len())
    };
    let waiting = Spool::new(&project.store_dir).waiting().unwrap_or_default();
    let boundary = store.last_boundary(now)?.map_or(i64::MIN, |at| at.0);
    Ok(StoreEvidence {
        bodies: facts.bodies,
        index_rows: facts.index_rows,
        counted: facts.counted,
        sample_found: facts.sample_found,
        full_check: facts.full_check,
        active_days: facts.active_days,
        slow_journal_on: match facts.journal {
            Journal::Wal => None,
            Journal::Rollback(system) => Some(system),
        },
        modes: modes(&path, &project.store_dir),
        // A file system that does not tell how much is free is no fault.
        free_bytes: fs2::available_space(&project.store_dir).unwrap_or(u64::MAX),
        size_bytes: size("") + size("-wal"),
        wal_bytes: size("-wal"),
        quota_bytes: configuration.config.store.quota_bytes(),
        spool_stale: count(waiting.iter().filter(|(_, written)| *written < boundary)),
        spool_oldest: waiting.iter().map(|(_, written)| UnixMs(*written)).min(),
        spool: count(waiting.iter()),
        config_fault: configuration.faults.first().map(ToString::to_string),
    })
}

fn count<T>(items: impl Iterator<Item = T>) -> u64 {
    u64::try_from(items.count()).unwrap_or(u64::MAX)
}

#[cfg(unix)]
fn modes(file: &Path, folder: &Path) -> Option<(u32, u32)> {
    use std::os::unix::fs::PermissionsExt;
    let mode = |path: &Path| fs::metadata(path).ok().map(|metadata| metadata.permissions().mode() & 0o777);
    mode(file).zip(mode(folder))
}

#[cfg(not(unix))]
fn modes(_: &Path, _: &Path) -> Option<(u32, u32)> {
    None
}
