//! Writing a file so that a reader, or a crash, sees the old content or the new one and nothing between.

use std::fs::{self, DirBuilder, File, Permissions};
use std::io::{self, ErrorKind, Write};
use std::path::{Path, PathBuf};

use std::time::Duration;

use six_store::KillPoint;

/// Names of temporary files.
const TEMPORARY: (&str, &str) = (".six-", ".tmp");

/// From this age on a temporary file is one of a writer that was killed: none takes a thousandth of it.
const ORPHANED: Duration = Duration::from_secs(10 * 60);

/// Why a file was not written. The file is as it was before.
#[derive(Debug, thiserror::Error)]
pub enum AtomicError {
    /// A folder, FIFO, socket or device has this name.
    #[error("{} is not a regular file", path.display())]
    NotRegular {
        /// The file to be replaced.
        path: PathBuf,
    },
    /// A symbolic link that leads nowhere: writing would decide where the user's file is.
    #[error("{} is a link whose target does not exist", path.display())]
    BrokenLink {
        /// The link.
        path: PathBuf,
    },
    /// The file is marked read-only. A rename would not notice; the mark is the user's word.
    #[error("{} is read-only", path.display())]
    ReadOnly {
        /// The file to be replaced.
        path: PathBuf,
    },
    /// Anything else that the system said (no permission, no space, no folder).
    #[error("cannot write {}: {source}", path.display())]
    Io {
        /// The file to be replaced.
        path: PathBuf,
        /// What the system said.
        source: io::Error,
    },
}

/// Replaces `path` with `bytes`, or creates it for the owner alone (0600). A file that exists keeps its mode.
///
/// A symbolic link stays, and its target is replaced. The temporary file lies beside the real target, is flushed to
/// the disk before the rename and is removed when anything fails.
pub fn write_atomic(path: &Path, bytes: &[u8]) -> Result<(), AtomicError> {
    write(path, bytes, 0o600)
}

/// Like [`write_atomic`], for a file that belongs to the user's project: a new one gets the user's usual mode
/// (0666 less the umask), so that it can be committed and shared.
pub fn write_atomic_shared(path: &Path, bytes: &[u8]) -> Result<(), AtomicError> {
    write(path, bytes, 0o666)
}

/// Creates the file `path` for the owner alone (0600), with all of `bytes` or not at all. Fails with
/// [`ErrorKind::AlreadyExists`] where it is there: of several that try at once one succeeds.
pub fn create_atomic(path: &Path, bytes: &[u8]) -> io::Result<()> {
    let folder = path.parent().unwrap_or(Path::new("."));
    let mut file = tempfile::Builder::new().prefix(TEMPORARY.0).suffix(TEMPORARY.1).tempfile_in(folder)?;
    file.write_all(bytes)?;
    file.persist_noclobber(path).map(drop).map_err(|error| error.error)
}

/// Creates `path` and its missing parents for the owner alone (0700). A folder that is there stays as it is.
pub fn create_private_dir(path: &Path) -> io::Result<()> {
    let mut builder = DirBuilder::new();
    builder.recursive(true);
    #[cfg(unix)]
    std::os::unix::fs::DirBuilderExt::mode(&mut builder, 0o700);
    builder.create(path)
}

/// Removes what writers that were killed left in `folder`. What can't be removed now can be the next time.
pub(crate) fn remove_orphans(folder: &Path) {
    for entry in fs::read_dir(folder).into_iter().flatten().flatten() {
        let name = entry.file_name();
        let is_temporary =
            name.to_str().is_some_and(|name| name.starts_with(TEMPORARY.0) && name.ends_with(TEMPORARY.1));
        let age = || entry.metadata().ok()?.modified().ok()?.elapsed().ok();
        if is_temporary && age().is_some_and(|age| age >= ORPHANED) {
            let _ = fs::remove_file(entry.path());
        }
    }
}

fn write(path: &Path, bytes: &[u8], new_mode: u32) -> Result<(), AtomicError> {
    let target = target_of(path)?;
    let failed = |source| AtomicError::Io { path: target.path.clone(), source };
    let folder = match target.path.parent() {
        Some(folder) if !folder.as_os_str().is_empty() => folder,
        _ => Path::new("."),
    };
    let mut builder = tempfile::Builder::new();
    builder.prefix(TEMPORARY.0).suffix(TEMPORARY.1);
    #[cfg(unix)]
    builder.permissions(std::os::unix::fs::PermissionsExt::from_mode(new_mode));
    #[cfg(not(unix))]
    let _ = new_mode;
    let mut file = builder.tempfile_in(folder).map_err(failed)?;
    file.write_all(bytes).map_err(failed)?;
    if let Some(permissions) = &target.permissions {
        file.as_file().set_permissions(permissions.clone()).map_err(failed)?;
    }
    file.as_file().sync_all().map_err(failed)?;
    KillPoint::FileUnnamed.reach();
    file.persist(&target.path).map_err(|error| failed(error.error))?;
    sync_folder(folder);
    Ok(())
}

struct Target {
    path: PathBuf,
    /// Of the file that is replaced.
    permissions: Option<Permissions>,
}

fn target_of(path: &Path) -> Result<Target, AtomicError> {
    let failed = |source| AtomicError::Io { path: path.to_owned(), source };
    let real = match fs::symlink_metadata(path) {
        Err(error) if error.kind() == ErrorKind::NotFound => {
            return Ok(Target { path: path.to_owned(), permissions: None });
        }
        Err(error) => return Err(failed(error)),
        Ok(metadata) if metadata.is_symlink() => fs::canonicalize(path).map_err(|error| match error.kind() {
            ErrorKind::NotFound => AtomicError::BrokenLink { path: path.to_owned() },
            _ => failed(error),
        })?,
        Ok(_) => path.to_owned(),
    };
    let metadata = fs::metadata(&real).map_err(failed)?;
    if !metadata.is_file() {
        return Err(AtomicError::NotRegular { path: real });
    }
    if metadata.permissions().readonly() {
        return Err(AtomicError::ReadOnly { path: real });
    }
    Ok(Target { path: real, permissions: Some(metadata.permissions()) })
}

/// Makes the rename itself durable where the platform can. The content is safe by now, so a failure is no error.
pub(crate) fn sync_folder(folder: &Path) {
    if cfg!(unix) {
        let _ = File::open(folder).and_then(|folder| folder.sync_all());
    }
}

#[cfg(unix)]
#[cfg(test)]
mod tests {
    use super::*;
    use std::os::unix::fs::{PermissionsExt, symlink};

    #[test]
    fn what_a_killed_writer_left_goes_and_what_one_is_writing_stays() {
        let dir = tempfile::tempdir().unwrap();
        let aged = |name: &str, age: Duration| {
            let file = File::create(dir.path().join(name)).unwrap();
            file.set_modified(std::time::SystemTime::now() - age).unwrap();
        };
        aged(".six-a.tmp", ORPHANED);
        aged(".six-b.tmp", ORPHANED / 2);
        aged("c.json", ORPHANED * 2);
        remove_orphans(dir.path());
        let mut left: Vec<_> = fs::read_dir(dir.path()).unwrap().map(|entry| entry.unwrap().file_name()).collect();
        left.sort();
        assert_eq!(left, [".six-b.tmp", "c.json"]);
        remove_orphans(&dir.path().join("absent"));
    }

    fn mode(path: &Path) -> u32 {
        fs::metadata(path).unwrap().permissions().mode() & 0o7777
    }

    fn names(dir: &Path) -> Vec<String> {
        let mut names: Vec<String> =
            fs::read_dir(dir).unwrap().map(|entry| entry.unwrap().file_name().into_string().unwrap()).collect();
        names.sort();
        names
    }

    #[test]
    fn a_new_file_is_ours_alone_and_nothing_else_is_left_behind() {
        let dir = tempfile::tempdir().unwrap();
        let path = dir.path().join("registry.json");
        write_atomic(&path, b"one").unwrap();
        assert_eq!(fs::read(&path).unwrap(), b"one");
        assert_eq!(mode(&path), 0o600);
        assert_eq!(names(dir.path()), ["registry.json"]);
    }

    #[test]
    fn a_new_file_of_the_project_gets_the_mode_that_the_user_would_get() {
        let dir = tempfile::tempdir().unwrap();
        File::create(dir.path().join("by-the-user")).unwrap();
        write_atomic_shared(&dir.path().join("by-six"), b"").unwrap();
        assert_eq!(mode(&dir.path().join("by-six")), mode(&dir.path().join("by-the-user")));
    }

    #[test]
    fn a_file_that_is_replaced_keeps_its_mode() {
        let dir = tempfile::tempdir().unwrap();
        let path = dir.path().join("config");
        fs::write(&path, b"old").unwrap();
        fs::set_permissions(&path, Permissions::from_mode(0o640)).unwrap();
        write_atomic(&path, b"new").unwrap();
        assert_eq!((fs::read(&path).unwrap().as_slice(), mode(&path)), (b"new".as_slice(), 0o640));
    }

    #[test]
    fn a_link_stays_and_its_target_is_replaced() {
        let dir = tempfile::tempdir().unwrap();
        let (links, real) = (dir.path().join("links"), dir.path().join("real"));
        fs::create_dir(&links).unwrap();
        fs::create_dir(&real).unwrap();
        fs::write(real.join("settings.json"), b"old").unwrap();
        symlink("../real/settings.json", links.join("settings.json")).unwrap();
        write_atomic(&links.join("settings.json"), b"new").unwrap();
        assert!(fs::symlink_metadata(links.join("settings.json")).unwrap().is_symlink());
        assert_eq!(fs::read(real.join("settings.json")).unwrap(), b"new");
        assert_eq!((names(&links).len(), names(&real).len()), (1, 1));
    }

    #[test]
    fn refuses_a_broken_link_a_folder_and_a_read_only_file() {
        let dir = tempfile::tempdir().unwrap();
        let at = |name: &str| dir.path().join(name);
        symlink("nowhere", at("link")).unwrap();
        fs::create_dir(at("folder")).unwrap();
        fs::write(at("fixed"), b"old").unwrap();
        fs::set_permissions(at("fixed"), Permissions::from_mode(0o444)).unwrap();
        assert!(matches!(write_atomic(&at("link"), b"x"), Err(AtomicError::BrokenLink { .. })));
        assert!(matches!(write_atomic(&at("folder"), b"x"), Err(AtomicError::NotRegular { .. })));
        assert!(matches!(write_atomic(&at("fixed"), b"x"), Err(AtomicError::ReadOnly { .. })));
        assert!(matches!(write_atomic(&at("no/file"), b"x"), Err(AtomicError::Io { .. })));
        assert_eq!(fs::read(at("fixed")).unwrap(), b"old");
        assert_eq!(names(dir.path()), ["fixed", "folder", "link"]);
    }

    #[test]
    fn private_folders_are_0700_and_making_them_twice_is_fine() {
        let dir = tempfile::tempdir().unwrap();
        let path = dir.path().join("six/projects");
        create_private_dir(&path).unwrap();
        create_private_dir(&path).unwrap();
        assert_eq!((mode(&path), mode(&dir.path().join("six"))), (0o700, 0o700));
        fs::write(dir.path().join("file"), b"").unwrap();
        assert!(create_private_dir(&dir.path().join("file")).is_err());
    }
}
