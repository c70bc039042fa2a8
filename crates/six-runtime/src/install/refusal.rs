//! Why an install or an uninstall does not begin. Nothing has been changed.

use crate::home::HomeError;
use crate::lock::LockError;
use crate::project::identity::NotInstalled;
use crate::project::registry::RegistryError;
use crate::read_file::ReadError;
use six_core::event::settings::SettingsFault;
use std::path::PathBuf;

/// See the module.
#[derive(Debug, thiserror::Error)]
pub enum Refusal {
    /// There is no place for stores.
    #[error(transparent)]
    NoSixHome(#[from] HomeError),
    /// The scope `user` needs the host's own folder.
    #[error("no folder of the host: neither HOME nor CLAUDE_CONFIG_DIR is set")]
    NoHostFolder,
    /// The folder asked for is not there.
    #[error("there is no folder {}", .0.display())]
    NoFolder(PathBuf),
    /// Home, `/`, or a repository that can't be read.
    #[error("{} can't have a memory: {why}", folder.display())]
    NotPossible {
        /// The folder asked for.
        folder: PathBuf,
        /// Why not.
        why: NotInstalled,
    },
    /// The folder has no memory that could be taken away.
    #[error("six is not installed in {}", .0.display())]
    NotInstalled(PathBuf),
    /// The folder is a copy of a live project.
    #[error("{} is a copy of {}, and both would write into one memory", found.display(), listed.display())]
    Copied {
        /// The one that the registry lists.
        listed: PathBuf,
        /// The one asked for.
        found: PathBuf,
    },
    /// A hook binary is missing.
    #[error("the hook {} is missing", .0.display())]
    NoBinary(PathBuf),
    /// A path that JSON can't hold.
    #[error("the path {} is not UTF-8, which a settings file can't hold", .0.display())]
    NotUtf8Path(PathBuf),
    /// The settings file can't be edited without guessing.
    #[error("{}, {fault}", path.display())]
    Settings {
        /// The settings file.
        path: PathBuf,
        /// Where and why.
        fault: SettingsFault,
    },
    /// The settings file is no UTF-8 text.
    #[error("{} is not UTF-8 text (byte {at})", path.display())]
    NotUtf8 {
        /// The settings file.
        path: PathBuf,
        /// The first byte that does not fit, counted from 0.
        at: usize,
    },
    /// A link that leads nowhere.
    #[error("{} is a link whose target does not exist", .0.display())]
    BrokenLink(PathBuf),
    /// A folder or a device stands where a file belongs.
    #[error("{} is not a regular file", .0.display())]
    NotRegular(PathBuf),
    /// A file stands where a folder belongs.
    #[error("{} is not a folder", .0.display())]
    NotFolder(PathBuf),
    /// The file or folder may not be written.
    #[error("{} is read-only", .0.display())]
    ReadOnly(PathBuf),
    /// A file can't be read.
    #[error(transparent)]
    Unreadable(#[from] ReadError),
    /// A manifest can't be understood, so that what was written is not known.
    #[error("the manifest {} is damaged: {why}", path.display())]
    Manifest {
        /// The manifest.
        path: PathBuf,
        /// What the parser said.
        why: String,
    },
    /// The registry of projects can't be read.
    #[error(transparent)]
    Registry(#[from] RegistryError),
    /// Another install or uninstall is running.
    #[error(transparent)]
    Locked(#[from] LockError),
}
