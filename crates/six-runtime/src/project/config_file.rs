//! `six.id` in a repository's config: written and taken away the way git itself edits the file, under `config.lock`.

use super::git_config::{self, BadLine, Splice};
use super::stored_path::StoredPath;
use crate::atomic::sync_folder;
use crate::read_file::{ReadError, read_file};
use serde::{Deserialize, Serialize};
use six_core::record::ProjectId;
use six_core::text::sha256_hex;
use std::fs::{self, File, OpenOptions};
use std::io::{self, ErrorKind, Write as _};
use std::path::{Path, PathBuf};
use std::time::{Duration, Instant};

const CAP_BYTES: u64 = 4 << 20;
const POLL: Duration = Duration::from_millis(2);

/// Why the config was not changed. It is as it was before.
#[derive(Debug, thiserror::Error)]
pub enum ConfigFileError {
    /// It cannot be read.
    #[error(transparent)]
    Unreadable(#[from] ReadError),
    /// Git would refuse it, so where a value belongs is a guess.
    #[error("{}: {bad}", path.display())]
    Broken {
        /// The config.
        path: PathBuf,
        /// The first such line.
        bad: BadLine,
    },
    /// The file is marked read-only.
    #[error("{} is read-only", path.display())]
    ReadOnly {
        /// The config.
        path: PathBuf,
    },
    /// Git is changing it, or left its lock behind.
    #[error("{} exists: git is changing the configuration, or was interrupted while it did", lock.display())]
    Locked {
        /// The lock file.
        lock: PathBuf,
    },
    /// Anything else that the system said.
    #[error("cannot write {}: {source}", path.display())]
    Io {
        /// The config.
        path: PathBuf,
        /// What the system said.
        source: io::Error,
    },
}

/// What was written into a config, for the manifest: enough to take exactly that away again.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct ConfigEdit {
    /// The file that was replaced (a link's target).
    pub path: StoredPath,
    /// Where, in bytes from the start.
    pub at: usize,
    /// The text that stands there now.
    pub inserted: String,
    /// The text that stood there before.
    pub replaced: String,
    /// Of the whole file.
    pub before_sha256: String,
    /// Of the whole file.
    pub after_sha256: String,
}

/// How an identity left a config.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Removed {
    /// The file has its earlier bytes again.
    Restored,
    /// The file was changed since: our value was cut out, and the rest is the user's.
    Cut,
    /// There was nothing of ours.
    Absent,
}

/// Makes `id` the `six.id` of a common directory; `None` if it is already.
pub fn write_id(common_dir: &Path, id: &ProjectId, wait: Duration) -> Result<Option<ConfigEdit>, ConfigFileError> {
    let config = LockedConfig::lock(common_dir, wait)?;
    let before = config.text()?;
    let plan = git_config::plan_set_id(&before, id);
    let Some(splice) = plan.map_err(|bad| ConfigFileError::Broken { path: config.path.clone(), bad })? else {
        return Ok(None);
    };
    let after = splice.apply(&before);
    let edit = ConfigEdit {
        path: StoredPath(config.path.clone()),
        at: splice.at,
        inserted: String::from_utf8_lossy(&splice.inserted).into_owned(),
        replaced: String::from_utf8_lossy(&splice.removed).into_owned(),
        before_sha256: sha256_hex(&before),
        after_sha256: sha256_hex(&after),
    };
    config.replace(&after)?;
    Ok(Some(edit))
}

/// Takes `id` out of a common directory's config: with the edit that wrote it to the earlier bytes, if nobody changed
/// the file since; else our value alone.
pub fn remove_id(
    common_dir: &Path,
    id: &ProjectId,
    edit: Option<&ConfigEdit>,
    wait: Duration,
) -> Result<Removed, ConfigFileError> {
    let config = LockedConfig::lock(common_dir, wait)?;
    let now = config.text()?;
    let earlier = edit.filter(|edit| edit.after_sha256 == sha256_hex(&now)).map(|edit| {
        let (removed, inserted) = (edit.replaced.clone().into_bytes(), edit.inserted.clone().into_bytes());
        let before = Splice { at: edit.at, removed, inserted }.undo(&now);
        (edit.before_sha256 == sha256_hex(&before)).then_some(before)
    });
    let (after, how) = match earlier.flatten() {
        Some(before) => (before, Removed::Restored),
        None => (git_config::cut_id(&now, id), Removed::Cut),
    };
    if after == now {
        return Ok(Removed::Absent);
    }
    config.replace(&after)?;
    Ok(how)
}

/// A config that git cannot change until this is dropped. The lock file becomes the new config, as git does it.
struct LockedConfig {
    /// With links followed: git locks the target too.
    path: PathBuf,
    lock: PathBuf,
    file: File,
    /// The lock file has become the config.
    renamed: bool,
}

impl LockedConfig {
    fn lock(common_dir: &Path, wait: Duration) -> Result<LockedConfig, ConfigFileError> {
        let config = common_dir.join("config");
        let path = config.canonicalize().unwrap_or(config);
        let mut lock = path.clone().into_os_string();
        lock.push(".lock");
        let lock = PathBuf::from(lock);
        let read_only = fs::metadata(&path).is_ok_and(|metadata| metadata.permissions().readonly());
        if read_only {
            return Err(ConfigFileError::ReadOnly { path });
        }
        let began = Instant::now();
        loop {
            match OpenOptions::new().write(true).create_new(true).open(&lock) {
                Ok(file) => return Ok(LockedConfig { path, lock, file, renamed: false }),
                Err(error) if error.kind() != ErrorKind::AlreadyExists => {
                    return Err(ConfigFileError::Io { path, source: error });
                }
                Err(_) if began.elapsed() >= wait => return Err(ConfigFileError::Locked { lock }),
                Err(_) => std::thread::sleep(POLL),
            }
        }
    }

    fn text(&self) -> Result<Vec<u8>, ReadError> {
        match read_file(&self.path, CAP_BYTES) {
            Err(ReadError::Missing { .. }) => Ok(Vec::new()),
            read => read,
        }
    }

    fn replace(mut self, text: &[u8]) -> Result<(), ConfigFileError> {
        self.write(text).map_err(|source| ConfigFileError::Io { path: self.path.clone(), source })
    }

    fn write(&mut self, text: &[u8]) -> io::Result<()> {
        if let Ok(metadata) = fs::metadata(&self.path) {
            self.file.set_permissions(metadata.permissions())?;
        }
        self.file.write_all(text)?;
        self.file.sync_all()?;
        fs::rename(&self.lock, &self.path)?;
        self.renamed = true;
        if let Some(folder) = self.path.parent() {
            sync_folder(folder);
        }
        Ok(())
    }
}

impl Drop for LockedConfig {
    fn drop(&mut self) {
        // After the rename, a file of that name is another process's lock.
        if !self.renamed {
            let _ = fs::remove_file(&self.lock);
        }
    }
}

#[cfg(unix)]
#[cfg(test)]
mod tests {
    use super::super::scratch::Scratch;
    use super::*;
    use std::os::unix::fs::{PermissionsExt, symlink};

    fn id() -> ProjectId {
        ProjectId::parse("abcdefghijklmnopqrstuvwxyz").unwrap()
    }

    fn mode(path: &Path) -> u32 {
        fs::metadata(path).unwrap().permissions().mode() & 0o777
    }

    #[test]
    fn git_reads_what_we_wrote_and_the_way_back_is_exact() {
        let scratch = Scratch::new();
        let root = scratch.repository("api");
        let (common_dir, config) = (root.join(".git"), root.join(".git/config"));
        fs::set_permissions(&config, fs::Permissions::from_mode(0o640)).unwrap();
        let before = fs::read(&config).unwrap();
        let edit = write_id(&common_dir, &id(), Duration::ZERO).unwrap().unwrap();
        assert_eq!(scratch.git(&root, &["config", "six.id"]), id().as_str());
        assert_eq!(mode(&config), 0o640);
        assert_eq!(write_id(&common_dir, &id(), Duration::ZERO).unwrap(), None, "the second time changes nothing");
        let edit: ConfigEdit = serde_json::from_str(&serde_json::to_string(&edit).unwrap()).unwrap();
        assert_eq!(remove_id(&common_dir, &id(), Some(&edit), Duration::ZERO).unwrap(), Removed::Restored);
        assert_eq!(fs::read(&config).unwrap(), before);
        assert_eq!(remove_id(&common_dir, &id(), Some(&edit), Duration::ZERO).unwrap(), Removed::Absent);
        assert!(!root.join(".git/config.lock").exists());
    }

    #[test]
    fn what_the_user_changed_since_stays() {
        let scratch = Scratch::new();
        let root = scratch.repository("api");
        let common_dir = root.join(".git");
        let edit = write_id(&common_dir, &id(), Duration::ZERO).unwrap();
        scratch.git(&root, &["config", "user.name", "Grace Example"]);
        let removed = remove_id(&common_dir, &id(), edit.as_ref(), Duration::ZERO).unwrap();
        assert_eq!(removed, Removed::Cut);
        let text = fs::read_to_string(root.join(".git/config")).unwrap();
        assert!(text.contains("Grace Example") && !text.contains("six"), "{text}");
    }

    #[test]
    fn a_link_stays_and_its_target_is_locked_and_replaced() {
        let scratch = Scratch::new();
        let root = scratch.repository("api");
        let (config, real) = (root.join(".git/config"), scratch.at("my-config"));
        fs::rename(&config, &real).unwrap();
        symlink(&real, &config).unwrap();
        write_id(&root.join(".git"), &id(), Duration::ZERO).unwrap();
        assert!(fs::symlink_metadata(&config).unwrap().is_symlink());
        assert!(fs::read_to_string(&real).unwrap().contains(id().as_str()));
    }

    #[test]
    fn gits_lock_and_a_read_only_file_are_respected() {
        let scratch = Scratch::new();
        let root = scratch.repository("api");
        let (config, lock) = (root.join(".git/config"), root.join(".git/config.lock"));
        let before = fs::read(&config).unwrap();
        fs::write(&lock, b"git's").unwrap();
        let locked = write_id(&root.join(".git"), &id(), Duration::from_millis(5));
        assert!(matches!(locked, Err(ConfigFileError::Locked { .. })));
        assert_eq!(fs::read(&lock).unwrap(), b"git's", "another's lock is not ours to remove");
        fs::remove_file(&lock).unwrap();
        fs::set_permissions(&config, fs::Permissions::from_mode(0o444)).unwrap();
        let fixed = write_id(&root.join(".git"), &id(), Duration::ZERO);
        assert!(matches!(fixed, Err(ConfigFileError::ReadOnly { .. })));
        assert_eq!(fs::read(&config).unwrap(), before);
    }

    #[test]
    fn a_config_that_git_refuses_is_not_edited() {
        let scratch = Scratch::new();
        let root = scratch.repository("api");
        fs::write(root.join(".git/config"), "[core]\n\tbare = false\n%\n").unwrap();
        let broken = write_id(&root.join(".git"), &id(), Duration::ZERO).unwrap_err();
        assert!(matches!(&broken, ConfigFileError::Broken { bad: BadLine { line: 3 }, .. }), "{broken}");
        assert!(!root.join(".git/config.lock").exists());
    }
}
