//! Commits since the last one that was taken.

use std::collections::BTreeMap;
use std::ops::ControlFlow;

use six_core::ingest::{Batch, CommitSeen, FileState, Mode, parse_commit};
use six_core::record::{Entry, Source, UnixMs};
use six_core::text::{Redacted, Redactor};

use super::file::hex_sha256;
use crate::git::{Git, GitError, RawCommit};

/// Commits in one batch.
const BATCH: usize = 200;

/// The one "file" of this source.
const HEAD: &str = "HEAD";

const MS_PER_S: i64 = 1000;

/// What identifies it in the store.
pub(super) fn head_hash() -> String {
    hex_sha256(HEAD.as_bytes())
}

/// Hands on all commits that HEAD reaches and the last run did not take, until `emit` breaks.
pub(super) fn read_commits(
    git: &Git,
    known: Option<&FileState>,
    now: UnixMs,
    redactor: Redactor,
    emit: &mut dyn FnMut(Batch, u64) -> ControlFlow<()>,
) -> Result<ControlFlow<()>, GitError> {
    let tip = known.map(|state| state.content_hash.as_str()).filter(|tip| !tip.is_empty());
    if git.head()?.as_deref() == tip {
        return Ok(ControlFlow::Continue(()));
    }
    let mut taking = Taking { state: state_of(known, now), entries: Vec::new() };
    let mut going = ControlFlow::Continue(());
    git.log_since(tip, |commit| {
        taking.take(&commit, redactor);
        if taking.entries.len() >= BATCH {
            going = emit(taking.batch(), 0);
        }
        going
    })?;
    if going.is_continue() && !taking.entries.is_empty() {
        going = emit(taking.batch(), 0);
    }
    Ok(going)
}

struct Taking {
    state: FileState,
    entries: Vec<Entry>,
}

impl Taking {
    fn take(&mut self, commit: &RawCommit, redactor: Redactor) {
        let seen = CommitSeen {
            hash: &commit.hash,
            at: commit.committed_at_unix_s.checked_mul(MS_PER_S).map(UnixMs),
            subject: &commit.subject,
            body: &commit.body,
            files: commit.files.iter().map(String::as_str).collect(),
        };
        self.entries.push(parse_commit(&seen, redactor));
        self.state.content_hash.clone_from(&commit.hash);
        self.state.consumed_lines += 1;
    }

    fn batch(&mut self) -> Batch {
        Batch {
            file: self.state.clone(),
            mode: Mode::Append,
            entries: std::mem::take(&mut self.entries),
            tree: None,
            sessions: Vec::new(),
        }
    }
}

fn state_of(known: Option<&FileState>, now: UnixMs) -> FileState {
    FileState {
        source: Source::Git,
        path_hash: head_hash(),
        path: Redacted::literal(HEAD),
        size_bytes: 0,
        mtime_ns: 0,
        content_hash: known.map(|state| state.content_hash.clone()).unwrap_or_default(),
        consumed_bytes: 0,
        consumed_lines: known.map_or(0, |state| state.consumed_lines),
        fails: 0,
        last_error: Redacted::literal(""),
        tried: now,
        skipped: BTreeMap::new(),
    }
}
