//! The one bounded process that works after a hook has answered.
//!
//! A hook commits a row of work, then starts the worker, which leaves the host's session and closes what it inherited.
//! One per store, by lock. Before it ends it releases the lock and looks for work again: work that was queued while it
//! was ending is done by it or by the worker that was started for it, never by neither.

use std::io;
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};
use std::time::{Duration, Instant};

use six_core::effect::Work;
use six_core::record::{EventId, Heartbeat, HookName, Outcome, OutcomeKind, UnixMs};
use six_core::text::{Redacted, Redactor};
use six_store::{Access, Checkpoint, Store, StoreError};

use crate::anchor;
use crate::clock;
use crate::config::Configuration;
use crate::curate::{self, Synthesized};
use crate::embed::{self, BackfillError, Embedding, Ended, Patience};
use crate::home::Environment;
use crate::ids;
use crate::ingest::{self, IngestError, NoProgress, Options, Place, WhenHeld};
use crate::lock::{FileLock, LockError};
use crate::project::identity::Project;
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
    /// Candidates that were found in what sessions said.
    pub candidates: u64,
    /// Candidates that say what another record says, or that nobody said again for too long.
    pub settled: u64,
    /// Texts that got a vector.
    pub embedded: u64,
    /// Why nothing more could be embedded; empty when nothing was in the way.
    pub unembedded: String,
    /// What a local model wrote.
    pub synthesized: Synthesized,
    /// Events replayed from the spool.
    pub replayed: u64,
    /// Its time was used up, or another process was ingesting: the rest stays queued.
    pub cut_short: bool,
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

/// The file that keeps a second ingest out.
pub fn ingest_lock(project: &Project) -> PathBuf {
    project.store_dir.join("ingest.lock")
}

/// The file that keeps a second worker out.
pub(crate) fn worker_lock(project: &Project) -> PathBuf {
    project.store_dir.join("worker.lock")
}

/// The body of `six worker`: works until nothing is queued, then looks once more after giving up the lock.
pub fn run(project: &Project, env: &Environment) -> Result<Worked, WorkerError> {
    let until = Instant::now() + LIMIT;
    let mut worked = Worked::default();
    loop {
        let lock = match FileLock::acquire(&worker_lock(project), Duration::ZERO) {
            Ok(lock) => lock,
            Err(LockError::Busy { .. }) => {
                worked.left_to_another = true;
                return Ok(worked);
            }
            Err(fault) => return Err(WorkerError::Lock(fault)),
        };
        let path = project.store_dir.join("memory.db");
        six_store::migrate(&path, &project.store_dir.join("backup"), clock::now())?;
        let store = Store::open(&path, Access::Write, BUSY)?;
        let heartbeat = open_heartbeat(&store, env)?;
        let result = work(project, env, &store, until, &mut worked);
        store.close_heartbeat(&heartbeat, &outcome(&result, &worked))?;
        store.checkpoint(Checkpoint::Truncate)?;
        result?;
        drop(lock);
        if worked.cut_short || store.next_work()?.is_none() {
            return Ok(worked);
        }
    }
}

/// Why a worker ended early. What it had done stays done.
#[derive(Debug, thiserror::Error)]
pub enum WorkerError {
    /// The store refused.
    #[error("the worker could not use the store: {0}")]
    Store(#[from] StoreError),
    /// The spool could not be read.
    #[error("the worker could not read the spool: {0}")]
    Spool(#[source] io::Error),
    /// Ingest ended early.
    #[error("the worker could not ingest: {0}")]
    Ingest(#[from] IngestError),
    /// The vectors could not be stored.
    #[error("the worker could not embed: {0}")]
    Embed(#[from] BackfillError),
    /// The lock could not be taken.
    #[error("the worker could not take its lock: {0}")]
    Lock(#[source] LockError),
    /// The system gave no random bytes.
    #[error(transparent)]
    NoRandomness(#[from] ids::NoRandomness),
}

fn work(
    project: &Project,
    env: &Environment,
    store: &Store,
    until: Instant,
    worked: &mut Worked,
) -> Result<(), WorkerError> {
    worked.replayed += Spool::new(&project.store_dir).drain(store, until).map_err(WorkerError::Spool)?.replayed;
    if !store.index_is_current()? {
        store.rebuild_index()?;
    }
    if !store.rescan(&|| Instant::now() >= until)?.finished {
        worked.cut_short = true;
        return Ok(());
    }
    let mut ingested = false;
    while let Some((id, Work::Ingest { transcript })) = store.next_work()? {
        let transcripts: Vec<PathBuf> = transcript.into_iter().collect();
        let outcome = ingest_all(project, env, store, &transcripts, until)?;
        worked.entries += outcome.committed.entries;
        ingested = true;
        if outcome.outcome != ingest::Outcome::Finished {
            worked.cut_short = true;
            return Ok(());
        }
        store.finish_work(id, clock::now())?;
        worked.work += 1;
    }
    if !ingested {
        worked.entries += ingest_all(project, env, store, &[], until)?.committed.entries;
    }
    let now = clock::now();
    let due = store.last_full_check()?.is_none_or(|check| {
        // One that a clock dated later than now proves nothing about the days between.
        !(0..FULL_CHECK_EVERY_MS).contains(&now.0.saturating_sub(check.at.0))
    });
    if due && Instant::now() < until {
        store.full_check(now)?;
    }
    let is_over = || Instant::now() >= until;
    let limits = curate::Limits { pending: Some(curate::PENDING_OF_SESSION), is_over: &is_over, now };
    worked.candidates += curate::extract_followed(project, store, limits)?.candidates;
    worked.settled += curate::expire_stale(store, now)?;
    store.roll_up(now, &is_over)?;
    anchor::look(project, store, until)?;
    embed_the_rest(project, env, store, until, worked)?;
    synthesize(project, env, store, until, worked)
}

/// After everything that people wait for, and only while nothing else is queued: a model that writes takes seconds for each
/// text. One that fails is no fault of the worker.
fn synthesize(
    project: &Project,
    env: &Environment,
    store: &Store,
    until: Instant,
    worked: &mut Worked,
) -> Result<(), WorkerError> {
    let config = Configuration::read(env, Some(&project.store_dir)).config;
    let is_over = || Instant::now() >= until || store.next_work().is_ok_and(|work| work.is_some());
    let written = curate::synthesize(store, &config, &is_over)?;
    worked.synthesized.worded += written.worded;
    worked.synthesized.told += written.told;
    worked.synthesized.failure = written.failure;
    Ok(())
}

/// Late, since it can take all the time there is: what was read can be found by its words already. Candidates, which
/// are few, are compared first. A provider that
/// fails is no fault of the worker: the check `vectors` tells it, and the next worker tries again.
fn embed_the_rest(
    project: &Project,
    env: &Environment,
    store: &Store,
    until: Instant,
    worked: &mut Worked,
) -> Result<(), WorkerError> {
    let config = Configuration::read(env, Some(&project.store_dir)).config;
    let embedding = Embedding::of(store, &config.embed, Patience::Person)?;
    let provider = match &embedding.provider {
        Ok(provider) => provider,
        Err(why) => {
            worked.unembedded = why.to_string();
            return Ok(());
        }
    };
    let kept = curate::merge_near(store, provider, &|| Instant::now() >= until, clock::now())?;
    worked.settled += kept.merged + kept.rejected;
    let options = embed::Options {
        transcripts: embedding.transcripts,
        limit: None,
        threads: embed::half_the_cores(),
        is_over: &|| Instant::now() >= until,
        when_held: WhenHeld::Skip,
    };
    let report = embed::backfill(&project.store_dir, store, provider, &options, &mut embed::NoProgress)?;
    worked.embedded += report.embedded;
    match report.ended {
        Ended::Failing(why) => worked.unembedded = why.to_string(),
        Ended::Stopped => worked.cut_short = true,
        Ended::Finished | Ended::Limit | Ended::Held => {}
    }
    Ok(())
}

fn ingest_all(
    project: &Project,
    env: &Environment,
    store: &Store,
    transcripts: &[PathBuf],
    until: Instant,
) -> Result<ingest::Report, IngestError> {
    let is_over = || Instant::now() >= until;
    let options = Options {
        transcripts,
        accept_vanished: false,
        is_over: &is_over,
        when_held: WhenHeld::Wait(BUSY),
        now: clock::now(),
    };
    ingest::run(&Place::gather(project, env), &ingest_lock(project), store, &options, &mut NoProgress)
}

fn open_heartbeat(store: &Store, env: &Environment) -> Result<EventId, WorkerError> {
    let id = EventId::new(ids::random_record_id()?);
    store.open_heartbeat(&Heartbeat {
        id: id.clone(),
        hook: HookName::Worker,
        event: Redacted::literal(""),
        session: None,
        via: Redacted::literal(""),
        pid: std::process::id(),
        version: env!("CARGO_PKG_VERSION").to_owned(),
        started: clock::now(),
        deadline_ms: u32::try_from(LIMIT.as_millis()).unwrap_or(u32::MAX),
        synthetic: env.six_synthetic,
        outcome: None,
    })?;
    Ok(id)
}

/// How a worker ended. What could not be embedded or written is said in a row that is otherwise good.
fn outcome(result: &Result<(), WorkerError>, worked: &Worked) -> Outcome {
    let (unembedded, unwritten) = (worked.unembedded.as_str(), worked.synthesized.failure.as_str());
    let (kind, class, text) = match result {
        Ok(()) => match (unembedded, unwritten) {
            ("", "") => (OutcomeKind::Ok, "", String::new()),
            (why, "") => (OutcomeKind::Ok, "unembedded", why.to_owned()),
            ("", why) => (OutcomeKind::Ok, "unwritten", why.to_owned()),
            (vectors, words) => (OutcomeKind::Ok, "unembedded", format!("{vectors}; nothing written: {words}")),
        },
        Err(fault) => (OutcomeKind::Failed, "worker", fault.to_string()),
    };
    Outcome {
        kind,
        class: class.to_owned(),
        text: Redactor::new().redact(&text),
        ended: clock::now(),
        rows_written: 0,
        bytes_emitted: 0,
    }
}
