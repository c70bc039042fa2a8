//! Commits since the last one that was taken.

use std::collections::{BTreeMap, HashSet};
use std::ops::ControlFlow;

use six_core::ingest::{Batch, CommitSeen, FileState, Mode, parse_commit};
use six_core::record::{Entry, Source, UnixMs};
use six_core::text::{Redacted, Redactor, sha256_hex};

use crate::git::{Git, GitError, RawCommit};

/// Commits in one batch.
const BATCH: usize = 200;

/// The one "file" of this source.
const HEAD: &str = "HEAD";

const MS_PER_S: i64 = 1000;

/// What identifies it in the store.
pub(super) fn head_hash() -> String {
    sha256_hex(HEAD.as_bytes())
}

/// What the reader hands on.
pub(super) enum FromGit {
    /// Commits.
    Batch(Box<Batch>),
    /// History was rewritten, and these are all commits that are left of it and of every branch.
    Left(HashSet<String>),
}

/// Hands on all commits that HEAD reaches and the last run did not take, until `emit` breaks.
///
/// A tip that HEAD does not reach was rewritten (amend, rebase, force) or belongs to another branch. What no branch
/// reaches any more is the old form of something; what one does reach stays. A history that is cut tells neither.
pub(super) fn read_commits(
    git: &Git,
    known: Option<&FileState>,
    now: UnixMs,
    redactor: Redactor,
    emit: &mut dyn FnMut(FromGit) -> ControlFlow<()>,
) -> Result<ControlFlow<()>, GitError> {
    let tip = known.map(|state| state.content_hash.as_str()).filter(|tip| !tip.is_empty());
    let head = git.head()?;
    if head.as_deref() == tip {
        return Ok(ControlFlow::Continue(()));
    }
    let mut taking = Taking { state: state_of(known, now), entries: Vec::new() };
    let mut going = ControlFlow::Continue(());
    if let (Some(tip), Some(_)) = (tip, &head)
        && !git.reaches(tip)?
        && !git.is_shallow()?
    {
        going = emit(FromGit::Left(git.all_commits()?));
    }
    if going.is_break() {
        return Ok(going);
    }
    git.log_since(tip, |commit| {
        taking.take(&commit, redactor);
        if taking.entries.len() >= BATCH {
            going = emit(FromGit::Batch(Box::new(taking.batch())));
        }
        going
    })?;
    // HEAD moved back: nothing is new, and the tip is where it stands.
    if let Some(head) = head.filter(|_| going.is_continue()) {
        taking.state.content_hash = head;
        going = emit(FromGit::Batch(Box::new(taking.batch())));
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
            inventory: None,
            rules: None,
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
