//! A file on disk against what is known of it.

use std::fs::Metadata;
use std::path::{Path, PathBuf};
use std::time::UNIX_EPOCH;

use six_core::ingest::FileState;
use six_core::record::{Source, UnixMs};
use six_core::text::{Redactor, sha256_hex};

/// Tries after which an unreadable file that has not changed is left alone, to be tried once a day.
const TRIES: u32 = 5;

/// A file changed this shortly before it was read may change again within the resolution of its time.
const SETTLED_MS: i64 = 2000;

const NS_PER_MS: i64 = 1_000_000;

/// A file that a scan found.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) struct Found {
    /// Where to read it.
    pub(super) path: PathBuf,
    /// The name it goes by: relative to the root with `/`, or absolute.
    pub(super) name: String,
    /// What identifies it in the store.
    pub(super) path_hash: String,
    pub(super) size_bytes: u64,
    pub(super) mtime_ns: i64,
}

impl Found {
    pub(super) fn new(path: PathBuf, name: &Path, metadata: &Metadata) -> Self {
        Self {
            path_hash: sha256_hex(name.as_os_str().as_encoded_bytes()),
            name: name.to_string_lossy().replace('\\', "/"),
            path,
            size_bytes: metadata.len(),
            mtime_ns: mtime_ns(metadata),
        }
    }

    /// When it was last changed.
    pub(super) fn at(&self) -> UnixMs {
        UnixMs(self.mtime_ns.div_euclid(NS_PER_MS))
    }

    /// Whether it must be opened, given what is known of it.
    pub(super) fn must_read(&self, known: Option<&FileState>, now: UnixMs) -> bool {
        let Some(known) = known else { return true };
        if (known.size_bytes, known.mtime_ns) != (self.size_bytes, self.mtime_ns) {
            return true;
        }
        match known.fails {
            0 => self.at().0 + SETTLED_MS > known.tried.0 && known.tried < now,
            1..TRIES => true,
            _ => now.days_since(known.tried) >= 1,
        }
    }

    /// Its state before anything has been consumed.
    pub(super) fn fresh_state(&self, source: Source, now: UnixMs, redactor: Redactor) -> FileState {
        FileState {
            source,
            path_hash: self.path_hash.clone(),
            path: redactor.redact(&self.name),
            size_bytes: self.size_bytes,
            mtime_ns: self.mtime_ns,
            content_hash: String::new(),
            consumed_bytes: 0,
            consumed_lines: 0,
            fails: 0,
            last_error: redactor.redact(""),
            tried: now,
            skipped: std::collections::BTreeMap::new(),
        }
    }

    /// Its state after a try that failed: what was consumed before stays consumed.
    pub(super) fn failed_state(
        &self,
        known: Option<&FileState>,
        source: Source,
        now: UnixMs,
        error: &str,
        redactor: Redactor,
    ) -> FileState {
        let before = known.cloned().unwrap_or_else(|| self.fresh_state(source, now, redactor));
        FileState {
            size_bytes: self.size_bytes,
            mtime_ns: self.mtime_ns,
            fails: before.fails.saturating_add(1),
            last_error: redactor.redact(error),
            tried: now,
            ..before
        }
    }
}

/// Nanoseconds since 1970; 0 where the system knows no time.
fn mtime_ns(metadata: &Metadata) -> i64 {
    let since = metadata.modified().ok().and_then(|at| at.duration_since(UNIX_EPOCH).ok());
    since.and_then(|since| i64::try_from(since.as_nanos()).ok()).unwrap_or(0)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn found() -> Found {
        let mtime_ns = 1_000_000 * NS_PER_MS;
        Found { path: "/w/a.md".into(), name: "a.md".into(), path_hash: "0f".into(), size_bytes: 5, mtime_ns }
    }

    fn state(fails: u32, tried: i64) -> FileState {
        FileState { fails, tried: UnixMs(tried), ..found().fresh_state(Source::Doc, UnixMs(tried), Redactor::new()) }
    }

    #[test]
    fn only_what_has_changed_is_opened() {
        let later = UnixMs(9_000_000);
        assert!(found().must_read(None, later));
        assert!(!found().must_read(Some(&state(0, 1_002_000)), later));
        assert!(found().must_read(Some(&FileState { size_bytes: 6, ..state(0, 1_002_000) }), later));
        assert!(found().must_read(Some(&FileState { mtime_ns: 7, ..state(0, 1_002_000) }), later));
    }

    #[test]
    fn a_file_read_right_after_it_was_written_is_read_again() {
        assert!(found().must_read(Some(&state(0, 1_001_999)), UnixMs(9_000_000)));
    }

    #[test]
    fn an_unreadable_file_is_tried_a_few_times_and_then_once_a_day() {
        let now = UnixMs(2_000_000);
        assert!(found().must_read(Some(&state(TRIES - 1, 1_999_999)), now));
        assert!(!found().must_read(Some(&state(TRIES, 1_999_999)), now));
        assert!(found().must_read(Some(&state(TRIES, now.0 - UnixMs::DAY_MS)), now));
    }
}
