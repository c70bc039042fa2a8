//! A file as it is and as it shall be.

use super::refusal::Refusal;
use crate::read_file::read_file;
use serde::{Deserialize, Serialize};
use six_core::event::settings::Span;
use std::fs;
use std::io::ErrorKind;
use std::path::{Path, PathBuf};

use super::host::SETTINGS_CAP_BYTES;

/// What a file of the user's is to us, which says how our part of it is found again.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum FileKind {
    /// Settings of the host, with entries of ours.
    Settings,
    /// A file that is ours as a whole until the user changes it.
    Template,
    /// Git's list of files to leave out, with a line of ours.
    Exclude,
}

/// One file that is to be written.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct FileChange {
    /// What it is.
    pub kind: FileKind,
    /// Where; may be a link, which stays.
    pub path: PathBuf,
    /// Its content now; `None` if it does not exist.
    pub before: Option<Vec<u8>>,
    /// Its content after the change.
    pub after: Vec<u8>,
    /// What is changed in the text, in its order; none for a template.
    pub spans: Vec<Span>,
    /// Folders that have to be made for it, outermost first.
    pub folders: Vec<PathBuf>,
}

/// The content of a file that the user may have put there; `None` if there is none.
pub(super) fn read_target(path: &Path) -> Result<Option<Vec<u8>>, Refusal> {
    match fs::symlink_metadata(path) {
        Err(error) if matches!(error.kind(), ErrorKind::NotFound | ErrorKind::NotADirectory) => return Ok(None),
        Ok(metadata) if metadata.is_symlink() && !path.exists() => return Err(Refusal::BrokenLink(path.to_owned())),
        Ok(_) if !path.is_file() => return Err(Refusal::NotRegular(path.to_owned())),
        _ => {}
    }
    Ok(Some(read_file(path, SETTINGS_CAP_BYTES)?))
}

/// The same as text.
pub(super) fn text_of(path: &Path, bytes: Option<&[u8]>) -> Result<String, Refusal> {
    let bytes = bytes.unwrap_or_default().to_vec();
    String::from_utf8(bytes)
        .map_err(|error| Refusal::NotUtf8 { path: path.to_owned(), at: error.utf8_error().valid_up_to() })
}

/// Checks that a file can be replaced or made, and answers the folders that have to be made for it.
pub(super) fn judge_writable(path: &Path) -> Result<Vec<PathBuf>, Refusal> {
    if let Ok(real) = path.canonicalize() {
        let beside = real.parent().unwrap_or(Path::new("/"));
        return match [real.as_path(), beside].into_iter().find(|place| is_read_only(place)) {
            Some(place) => Err(Refusal::ReadOnly(place.to_owned())),
            None => Ok(Vec::new()),
        };
    }
    let mut missing = Vec::new();
    for folder in path.ancestors().skip(1) {
        match fs::symlink_metadata(folder) {
            Err(error) if matches!(error.kind(), ErrorKind::NotFound | ErrorKind::NotADirectory) => {
                missing.push(folder.to_owned());
            }
            Ok(metadata) if metadata.is_symlink() && !folder.exists() => {
                return Err(Refusal::BrokenLink(folder.to_owned()));
            }
            _ if !folder.is_dir() => return Err(Refusal::NotFolder(folder.to_owned())),
            _ if is_read_only(folder) => return Err(Refusal::ReadOnly(folder.to_owned())),
            _ => break,
        }
    }
    missing.reverse();
    Ok(missing)
}

/// The mark counts even for a user whom the system would let pass: it is the owner's word.
fn is_read_only(path: &Path) -> bool {
    fs::metadata(path).is_ok_and(|metadata| metadata.permissions().readonly()) || !may_write(path)
}

#[cfg(unix)]
fn may_write(path: &Path) -> bool {
    rustix::fs::access(path, rustix::fs::Access::WRITE_OK).is_ok()
}

#[cfg(not(unix))]
fn may_write(_: &Path) -> bool {
    true
}

#[cfg(test)]
#[cfg(unix)]
mod tests {
    use super::*;
    use std::os::unix::fs::{PermissionsExt, symlink};

    fn set_mode(path: &Path, mode: u32) {
        fs::set_permissions(path, fs::Permissions::from_mode(mode)).unwrap();
    }

    #[test]
    fn what_stands_in_the_way_is_named() {
        let dir = tempfile::tempdir().unwrap();
        let base = dir.path().canonicalize().unwrap();
        let at = |name: &str| base.join(name);
        fs::create_dir(at("folder")).unwrap();
        fs::write(at("file"), "x").unwrap();
        symlink("nowhere", at("link")).unwrap();
        fs::create_dir(at("locked")).unwrap();
        set_mode(&at("locked"), 0o555);
        fs::write(at("fixed"), "x").unwrap();
        set_mode(&at("fixed"), 0o444);

        assert!(matches!(read_target(&at("folder")), Err(Refusal::NotRegular(_))));
        assert!(matches!(read_target(&at("link")), Err(Refusal::BrokenLink(_))));
        assert!(matches!(read_target(&at("none/at/all")), Ok(None)));
        assert!(matches!(judge_writable(&at("fixed")), Err(Refusal::ReadOnly(path)) if path == at("fixed")));
        assert!(matches!(judge_writable(&at("locked/a/b")), Err(Refusal::ReadOnly(path)) if path == at("locked")));
        assert!(matches!(judge_writable(&at("file/a")), Err(Refusal::NotFolder(path)) if path == at("file")));
        assert!(matches!(judge_writable(&at("link/a")), Err(Refusal::BrokenLink(path)) if path == at("link")));
        assert_eq!(judge_writable(&at("folder/a/b/c")).unwrap(), [at("folder/a"), at("folder/a/b")]);
        assert_eq!(judge_writable(&at("file")).unwrap(), Vec::<PathBuf>::new());
    }
}
