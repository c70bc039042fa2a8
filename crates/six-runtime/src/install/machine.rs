//! What the projects of a machine share: the user's settings file, the binaries, and one lock.

use super::manifest::{HandOverError, Manifest};
use super::refusal::Refusal;
use crate::atomic::create_private_dir;
use crate::home::SixHome;
use crate::lock::{FileLock, LockError};
use crate::project::registry::{Entry, Registry};
use crate::read_file::read_file;
use six_core::record::ProjectId;
use std::path::{Path, PathBuf};
use std::time::Duration;

/// An install holds the lock for as long as it writes; ingest comes after it.
const WAIT: Duration = Duration::from_secs(30);
/// A few lines with paths.
const RECEIPT_CAP_BYTES: u64 = 64 << 10;

/// Waits for another install or uninstall of this machine to end.
pub(super) fn lock(home: &SixHome) -> Result<FileLock, LockError> {
    let path = lock_path(home);
    create_private_dir(home.root()).map_err(|source| LockError::Io { path: path.clone(), source })?;
    FileLock::acquire(&path, WAIT)
}

pub(super) fn lock_path(home: &SixHome) -> PathBuf {
    home.root().join("install.lock")
}

/// The manifest of what all projects share.
pub(super) fn manifest_path(home: &SixHome) -> PathBuf {
    home.root().join("machine.json")
}

/// Of two projects that became one, the one that is left relies on whatever the other one did.
pub fn hand_over_reliance(home: &SixHome, from: &ProjectId, to: &ProjectId) -> Result<(), HandOverError> {
    let path = manifest_path(home);
    let mut manifest = Manifest::read(&path)?;
    if !manifest.projects.remove(from) {
        return Ok(());
    }
    manifest.projects.insert(to.clone());
    Ok(manifest.write(&path)?)
}

/// Whether some folder of a project is still there.
pub(super) fn is_live(entry: &Entry) -> bool {
    entry.roots.iter().any(|root| root.0.is_dir()) || entry.common_dirs.iter().any(|dir| dir.path.0.is_dir())
}

/// Whether a project has a folder other than this place.
pub(super) fn lives_elsewhere(entry: &Entry, place: &Path) -> bool {
    entry.roots.iter().any(|root| root.0 != place && root.0.is_dir())
        || entry.common_dirs.iter().any(|dir| dir.path.0 != place && dir.path.0.is_dir())
}

/// The registry as it is.
pub(super) fn registry(home: &SixHome) -> Result<Registry, Refusal> {
    Ok(Registry::read(&home.registry_path())?)
}

/// The list that `install.sh` left in a folder, and the binaries that it put there. Those that came another way (a
/// package, a build folder) are not in the list and are never removed.
pub(super) fn installed_binaries(folder: &Path) -> Option<(PathBuf, Vec<PathBuf>)> {
    let receipt = folder.join(".six-programs");
    let text = String::from_utf8(read_file(&receipt, RECEIPT_CAP_BYTES).ok()?).ok()?;
    let listed = text.lines().map(PathBuf::from);
    let ours = listed.filter(|path| path.parent() == Some(folder) && is_regular(path)).collect();
    Some((receipt, ours))
}

fn is_regular(path: &Path) -> bool {
    path.symlink_metadata().is_ok_and(|metadata| metadata.is_file())
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::fs;

    #[test]
    fn only_listed_binaries_of_that_folder_are_ours_to_remove() {
        let dir = tempfile::tempdir().unwrap();
        let bin = dir.path().join("bin");
        fs::create_dir_all(&bin).unwrap();
        assert_eq!(installed_binaries(&bin), None);
        for name in ["six", "six-own"] {
            fs::write(bin.join(name), "").unwrap();
        }
        let listed = format!("{0}/six\n{0}/six-gone\n/etc/passwd\n", bin.display());
        fs::write(bin.join(".six-programs"), listed).unwrap();
        assert_eq!(installed_binaries(&bin), Some((bin.join(".six-programs"), vec![bin.join("six")])));
    }
}
