//! Folders that are put back as they were, times included: ingest tells by them what changed.

use std::fs::{self, File};
use std::io;
use std::path::Path;

/// Makes `to` the same as `from`, whatever was there.
pub(super) fn put_back(from: &Path, to: &Path) -> io::Result<()> {
    match fs::remove_dir_all(to) {
        Err(fault) if fault.kind() != io::ErrorKind::NotFound => Err(fault),
        _ => copy(from, to),
    }
}

fn copy(from: &Path, to: &Path) -> io::Result<()> {
    fs::create_dir(to)?;
    for entry in fs::read_dir(from)? {
        let entry = entry?;
        let (source, target) = (entry.path(), to.join(entry.file_name()));
        let metadata = entry.metadata()?;
        if metadata.is_dir() {
            copy(&source, &target)?;
        } else {
            fs::copy(&source, &target)?;
            File::options().write(true).open(&target)?.set_modified(metadata.modified()?)?;
        }
    }
    fs::set_permissions(to, fs::metadata(from)?.permissions())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_folder_is_put_back_with_its_times_and_without_what_came_since() {
        let dir = tempfile::tempdir().unwrap();
        let (kept, live) = (dir.path().join("kept"), dir.path().join("live"));
        fs::create_dir_all(kept.join("a/b")).unwrap();
        fs::write(kept.join("a/b/c.md"), "text").unwrap();
        let then = fs::metadata(kept.join("a/b/c.md")).unwrap().modified().unwrap();
        for _ in 0..2 {
            put_back(&kept, &live).unwrap();
            assert_eq!(fs::metadata(live.join("a/b/c.md")).unwrap().modified().unwrap(), then);
            assert!(!live.join("new").exists());
            fs::write(live.join("new"), "").unwrap();
            fs::write(live.join("a/b/c.md"), "other").unwrap();
        }
    }
}
