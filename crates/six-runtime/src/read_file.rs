//! Reading files whose path came from somewhere else: only regular files, never waiting, never more than a cap.

use std::fs::{File, Metadata, OpenOptions};
use std::io::{ErrorKind, Read};
use std::path::{Path, PathBuf};

/// Why a file was not read.
#[derive(Debug, thiserror::Error)]
pub enum ReadError {
    /// There is no such file (or a part of its path is no folder).
    #[error("{} does not exist", path.display())]
    Missing {
        /// The path asked for.
        path: PathBuf,
    },
    /// A folder, FIFO, socket or device.
    #[error("{} is not a regular file", path.display())]
    NotRegular {
        /// The path asked for.
        path: PathBuf,
    },
    /// Larger than the caller's cap.
    #[error("{} is larger than {cap_bytes} bytes", path.display())]
    TooLarge {
        /// The path asked for.
        path: PathBuf,
        /// The cap.
        cap_bytes: u64,
    },
    /// We may not read it.
    #[error("no permission to read {}", path.display())]
    Denied {
        /// The path asked for.
        path: PathBuf,
    },
    /// Anything else that the system said.
    #[error("cannot read {}: {source}", path.display())]
    Io {
        /// The path asked for.
        path: PathBuf,
        /// What the system said.
        source: std::io::Error,
    },
}

impl ReadError {
    fn of(path: &Path, source: std::io::Error) -> ReadError {
        let path = path.to_owned();
        match source.kind() {
            ErrorKind::NotFound | ErrorKind::NotADirectory => ReadError::Missing { path },
            ErrorKind::PermissionDenied => ReadError::Denied { path },
            _ if is_socket(&source) => ReadError::NotRegular { path },
            _ => ReadError::Io { path, source },
        }
    }
}

/// Opens a regular file (links are followed) for reading, with the metadata of what was opened.
///
/// The open itself does not wait, so a FIFO without a writer or a terminal cannot hold a hook.
pub fn open_regular(path: &Path) -> Result<(File, Metadata), ReadError> {
    let mut options = OpenOptions::new();
    options.read(true);
    never_wait(&mut options);
    let file = options.open(path).map_err(|source| ReadError::of(path, source))?;
    let metadata = file.metadata().map_err(|source| ReadError::of(path, source))?;
    if metadata.is_file() { Ok((file, metadata)) } else { Err(ReadError::NotRegular { path: path.to_owned() }) }
}

/// The whole content of a regular file of at most `cap_bytes` bytes.
pub fn read_file(path: &Path, cap_bytes: u64) -> Result<Vec<u8>, ReadError> {
    let too_large = || ReadError::TooLarge { path: path.to_owned(), cap_bytes };
    let (file, metadata) = open_regular(path)?;
    if metadata.len() > cap_bytes {
        return Err(too_large());
    }
    let mut bytes = Vec::with_capacity(usize::try_from(metadata.len()).unwrap_or_default() + 1);
    file.take(cap_bytes.saturating_add(1)).read_to_end(&mut bytes).map_err(|source| ReadError::of(path, source))?;
    // The file may have grown since, and files of a virtual file system say that they are empty.
    if bytes.len() as u64 > cap_bytes { Err(too_large()) } else { Ok(bytes) }
}

#[cfg(unix)]
fn never_wait(options: &mut OpenOptions) {
    use rustix::fs::OFlags;
    use std::os::unix::fs::OpenOptionsExt;
    let flags = OFlags::NONBLOCK | OFlags::NOCTTY;
    options.custom_flags(flags.bits().cast_signed());
}

#[cfg(not(unix))]
fn never_wait(_options: &mut OpenOptions) {}

#[cfg(unix)]
fn is_socket(error: &std::io::Error) -> bool {
    error.raw_os_error() == Some(rustix::io::Errno::NXIO.raw_os_error())
}

#[cfg(not(unix))]
fn is_socket(_error: &std::io::Error) -> bool {
    false
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::fs;

    #[test]
    fn reads_a_file_up_to_its_cap_and_not_a_byte_more() {
        let dir = tempfile::tempdir().unwrap();
        let path = dir.path().join("a.txt");
        fs::write(&path, b"12345").unwrap();
        assert_eq!(read_file(&path, 5).unwrap(), b"12345");
        assert!(matches!(read_file(&path, 4), Err(ReadError::TooLarge { cap_bytes: 4, .. })));
    }

    #[test]
    fn missing_and_below_a_file_are_both_missing() {
        let dir = tempfile::tempdir().unwrap();
        fs::write(dir.path().join("file"), b"").unwrap();
        for name in ["nothing", "file/below"] {
            assert!(matches!(read_file(&dir.path().join(name), 9), Err(ReadError::Missing { .. })), "{name}");
        }
    }

    #[test]
    fn a_folder_is_not_regular() {
        let dir = tempfile::tempdir().unwrap();
        assert!(matches!(read_file(dir.path(), 9), Err(ReadError::NotRegular { .. })));
    }

    #[cfg(unix)]
    #[test]
    fn a_fifo_a_socket_and_a_device_do_not_hang() {
        let dir = tempfile::tempdir().unwrap();
        let fifo = dir.path().join("fifo");
        assert!(std::process::Command::new("mkfifo").arg(&fifo).status().unwrap().success());
        let socket = dir.path().join("socket");
        let _listener = std::os::unix::net::UnixListener::bind(&socket).unwrap();
        for path in [fifo.as_path(), socket.as_path(), Path::new("/dev/zero")] {
            assert!(matches!(read_file(path, 9), Err(ReadError::NotRegular { .. })), "{}", path.display());
        }
    }

    #[cfg(target_os = "linux")]
    #[test]
    fn a_virtual_file_that_claims_to_be_empty_is_still_capped() {
        assert!(!read_file(Path::new("/proc/self/status"), 1 << 20).unwrap().is_empty());
        assert!(matches!(read_file(Path::new("/proc/self/status"), 3), Err(ReadError::TooLarge { .. })));
    }
}
