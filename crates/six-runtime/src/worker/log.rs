//! `worker.log`: what the process that nobody watches did, in a line for its start and one for its end.
//!
//! Two files of at most 64 KiB, for the owner alone: some hundred runs. Numbers and redacted error texts, nothing of what is
//! remembered.

use std::fs::{self, OpenOptions};
use std::io::Write as _;
use std::path::Path;

use six_core::record::UnixMs;
use six_core::text::Redactor;

/// From this size on the file is renamed to `worker.log.1`, in the place of the last one.
const MAX_BYTES: u64 = 64 << 10;

/// Longest line, in characters.
const LINE_MAX: usize = 500;

/// Adds a line. A log that can't be written is no reason not to work, and one that is no file none to wait.
pub(super) fn write(store_dir: &Path, at: UnixMs, what: &str) {
    let path = store_dir.join("worker.log");
    if path.symlink_metadata().is_ok_and(|file| file.len() >= MAX_BYTES) {
        let _ = fs::rename(&path, store_dir.join("worker.log.1"));
    }
    let mut options = OpenOptions::new();
    options.append(true).create(true);
    #[cfg(unix)]
    {
        use std::os::unix::fs::OpenOptionsExt as _;
        let flags = rustix::fs::OFlags::NOFOLLOW | rustix::fs::OFlags::NONBLOCK;
        options.mode(0o600).custom_flags(flags.bits().cast_signed());
    }
    let redacted = Redactor::new().redact(what);
    let line: String =
        redacted.as_str().split_whitespace().collect::<Vec<_>>().join(" ").chars().take(LINE_MAX).collect();
    if let Ok(mut file) = options.open(path)
        && file.metadata().is_ok_and(|found| found.is_file())
    {
        let _ = writeln!(file, "{} pid {} {line}", at.rfc3339(), std::process::id());
    }
}

#[cfg(all(test, unix))]
mod tests {
    use std::io::Read as _;
    use std::os::unix::fs::{PermissionsExt as _, symlink};

    use super::*;

    const NOW: UnixMs = UnixMs(1_767_225_600_000);

    #[test]
    fn the_log_is_private_has_no_secret_and_stays_small() {
        let dir = tempfile::tempdir().unwrap();
        let key = format!("ghp_{}", "0123456789abcdefghijABCDEFGHIJ012345");
        write(dir.path(), NOW, &format!("failed:\nno such key {key}"));
        let log = dir.path().join("worker.log");
        let text = fs::read_to_string(&log).unwrap();
        assert!(text.starts_with("2026-01-01T00:00:00") && !text.contains(&key), "{text}");
        assert_eq!(text.lines().count(), 1);
        assert_eq!(fs::metadata(&log).unwrap().permissions().mode() & 0o777, 0o600);
        for _ in 0..800 {
            write(dir.path(), NOW, &"x".repeat(900));
        }
        let sizes = ["worker.log", "worker.log.1"].map(|name| fs::metadata(dir.path().join(name)).unwrap().len());
        assert!(sizes.iter().all(|size| *size <= MAX_BYTES + 600), "{sizes:?}");
        assert_eq!(fs::read_dir(dir.path()).unwrap().count(), 2);
    }

    #[test]
    fn a_fifo_in_its_place_holds_nobody_up_whether_it_is_read_or_not() {
        let dir = tempfile::tempdir().unwrap();
        let fifo = dir.path().join("worker.log");
        assert!(std::process::Command::new("mkfifo").arg(&fifo).status().unwrap().success());
        write(dir.path(), NOW, "started");
        let mut reader = OpenOptions::new().read(true).write(true).open(&fifo).unwrap();
        write(dir.path(), NOW, "started");
        // Had the log been written to, that would come first.
        reader.write_all(b"mine").unwrap();
        let mut read = [0; 4];
        reader.read_exact(&mut read).unwrap();
        assert_eq!(&read, b"mine");
    }

    #[test]
    fn a_link_in_its_place_is_not_written_through() {
        let dir = tempfile::tempdir().unwrap();
        let victim = dir.path().join("victim");
        fs::write(&victim, "mine").unwrap();
        symlink(&victim, dir.path().join("worker.log")).unwrap();
        write(dir.path(), NOW, "started");
        assert_eq!(fs::read_to_string(&victim).unwrap(), "mine");
    }
}
