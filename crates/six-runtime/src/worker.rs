//! The one bounded process that works after a hook has answered.
//!
//! A hook commits a row of work, then starts the worker, which leaves the host's session and closes what it inherited.
//! One per store, by lock. Before it ends it releases the lock and looks for work again: work that was queued while it
//! was ending is done by it or by the worker that was started for it, never by neither.

use std::io;
use std::path::Path;
use std::process::{Command, Stdio};
use std::time::{Duration, Instant};

use six_core::effect::Work;
use six_core::record::{EventId, Heartbeat, HookName, Outcome, OutcomeKind, UnixMs};
use six_core::text::Redacted;
use six_store::{Access, Checkpoint, Store};

use crate::clock;
use crate::home::Environment;
use crate::ids;
use crate::ingest::{self, NoProgress, Options};
use crate::lock::{FileLock, LockError};
use crate::project::Project;
use crate::spool::Spool;

/// Longest life of a worker.
pub const LIMIT: Duration = Duration::from_secs(10 * 60);

/// How long a worker waits for the store; nobody waits for the worker.
const BUSY: Duration = Duration::from_secs(30);

/// The full check of the file runs at most this often.
const FULL_CHECK_EVERY_MS: i64 = UnixMs::DAY_MS;

/// What a worker did.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct Worked {
    /// Pieces of work that were finished.
    pub work: u64,
    /// Entries that ingest added.
    pub entries: u64,
    /// Events replayed from the spool.
    pub replayed: u64,
    /// Another worker holds the lock and will see what is queued.
    pub left_to_another: bool,
}

/// Starts `six worker` for a project, detached: it outlives this process, holds none of its streams, and is marked so
/// that no hook of ours answers what it does.
pub fn start(project: &Project, six: &Path) -> io::Result<()> {
    Command::new(six)
        .arg("worker")
        .arg("--project")
        .arg(&project.root)
        .env("SIX_CHILD", "1")
        .current_dir("/")
        .stdin(Stdio::null())
        .stdout(Stdio::null())
        .stderr(Stdio::null())
        .spawn()
        .map(drop)
}
