//! The one bounded process that works after a hook has answered.
//!
//! A hook commits a row of work, then starts the worker, which leaves the host's session and closes what it inherited.
//! One per store, by lock. Before it ends it releases the lock and looks for work again: work that was queued while it
//! was ending is done by it or by the worker that was started for it, never by neither.
//!
//! Told to end, it stops at its next safe point; what it was about is queued still. Where it does not get there (a statement
//! over the whole store, an answer that does not come) a second thread ends the process: what was not committed never was.
//! When its own time is used up it may finish what it is at: nobody waits, and what a server was asked would be asked again.

mod log;

use std::io;
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};
use std::sync::mpsc::{self, RecvTimeoutError};
use std::sync::{Mutex, PoisonError};
use std::time::{Duration, Instant};

use six_core::effect::Work;
use six_core::record::{EventId, Heartbeat, HookName, Outcome, OutcomeKind, UnixMs};
use six_core::text::{Redacted, Redactor};
use six_store::{Access, Checkpoint, KillPoint, Store, StoreError};

use crate::anchor;
use crate::clock;
use crate::config::Configuration;
use crate::curate::{self, Synthesized};
use crate::embed::{self, BackfillError, Embedding, Ended, Patience};
use crate::end::EndSignal;
use crate::home::Environment;
use crate::ids;
use crate::ingest::{self, IngestError, NoProgress, Options, Place, WhenHeld};
use crate::lock::{FileLock, LockError};
use crate::project::identity::Project;
use crate::spool::Spool;

/// Longest life of a worker.
pub const LIMIT: Duration = Duration::from_secs(10 * 60);

/// How long a worker that was told to end has to get to a safe point.
const GRACE: Duration = Duration::from_millis(900);

/// How long one whose time is used up has: longer than the longest request, for which a server has a minute.
const LAST_PIECE: Duration = Duration::from_secs(90);

/// How often the watching thread looks; the end of the work wakes it at once.
const WATCH: Duration = Duration::from_millis(20);

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

/// How long a worker may work.
struct Budget<'a> {
    until: Instant,
    last_piece: Duration,
    grace: Duration,
    end: &'a EndSignal,
}

impl Budget<'_> {
    /// Nothing more is begun.
    fn is_over(&self) -> bool {
        self.end.came() || Instant::now() >= self.until
    }
}

/// The body of `six worker`: works until nothing is queued, then looks once more after giving up the lock. Ends the process
/// where it was told to end and can't get to a safe point.
pub fn run(project: &Project, env: &Environment, end: &EndSignal) -> Result<Worked, WorkerError> {
    let budget = Budget { until: Instant::now() + LIMIT, last_piece: LAST_PIECE, grace: GRACE, end };
    let row = &Mutex::new(None);
    let (done, wait) = mpsc::sync_channel::<()>(1);
    std::thread::scope(|threads| {
        let (budget, store_dir) = (&budget, &project.store_dir);
        // Where no thread can be had it stops at safe points all the same.
        let _ = std::thread::Builder::new().spawn_scoped(threads, move || {
            if overruns(&wait, budget) {
                let row = row.lock().unwrap_or_else(PoisonError::into_inner).take();
                std::process::exit(i32::from(abandon(store_dir, row, budget.end)));
            }
        });
        let worked = run_until(project, env, budget, row);
        drop(done);
        worked
    })
}

/// Waits for the work; whether it did not end in time after it should have.
fn overruns(done: &mpsc::Receiver<()>, budget: &Budget<'_>) -> bool {
    let ended = |within| !matches!(done.recv_timeout(within), Err(RecvTimeoutError::Timeout));
    let gone = budget.until + budget.last_piece;
    while !budget.end.came() && Instant::now() < gone {
        if ended(WATCH) {
            return false;
        }
    }
    !ended(if budget.end.came() { budget.grace } else { Duration::ZERO })
}

/// Leaves the end of a row in the spool, since the store may be what is being waited for; answers the exit code. That its time
/// was used up is no failure: it is what the limit is for, and the rest is queued.
fn abandon(store_dir: &Path, row: Option<Heartbeat>, end: &EndSignal) -> u8 {
    let (kind, class) = if end.came() { (OutcomeKind::Cancelled, "unsafe") } else { (OutcomeKind::Ok, "cut-short") };
    let outcome = ended(kind, class, "it was at work that can't be interrupted");
    if let Some(row) = row {
        // Without the row's end it counts as a crash, which is near enough.
        let _ = Spool::new(store_dir).write(&Heartbeat { outcome: Some(outcome.clone()), ..row }, &[]);
        log::write(store_dir, outcome.ended, &format!("ended {}: {}", kind.as_str(), outcome.text.as_str()));
    }
    end.exit_code().unwrap_or(0)
}

fn run_until(
    project: &Project,
    env: &Environment,
    budget: &Budget<'_>,
    row: &Mutex<Option<Heartbeat>>,
) -> Result<Worked, WorkerError> {
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
        let began = Instant::now();
        let heartbeat = open_heartbeat(&store, env)?;
        *row.lock().unwrap_or_else(PoisonError::into_inner) = Some(heartbeat.clone());
        log::write(&project.store_dir, heartbeat.started, &format!("started, six {}", heartbeat.version));
        KillPoint::WorkerOpened.reach();
        let result = work(project, env, &store, budget, &mut worked);
        KillPoint::WorkerDone.reach();
        let took_us = Some(clock::micros_since(began));
        let outcome = Outcome { took_us, ..outcome(&result, &worked, budget.end) };
        // Taken by whoever closes it: never both.
        if row.lock().unwrap_or_else(PoisonError::into_inner).take().is_some() {
            store.close_heartbeat(&heartbeat.id, &outcome)?;
            log::write(&project.store_dir, outcome.ended, &logged(&outcome, &heartbeat, &worked));
        }
        store.checkpoint(Checkpoint::Truncate)?;
        if budget.end.came() {
            return Ok(Worked { cut_short: true, ..worked });
        }
        result?;
        drop(lock);
        if worked.cut_short || store.next_work()?.is_none() {
            return Ok(worked);
        }
    }
}

/// How it ended, in a line.
fn logged(outcome: &Outcome, row: &Heartbeat, worked: &Worked) -> String {
    let took = outcome.ended.0.saturating_sub(row.started.0);
    let colon = if outcome.text.as_str().is_empty() { "" } else { ": " };
    format!(
        "ended {} after {took} ms; work done {}, new entries {}, new candidates {}, new vectors {}, events replayed {}{}{colon}{}",
        outcome.kind.as_str(),
        worked.work,
        worked.entries,
        worked.candidates,
        worked.embedded,
        worked.replayed,
        if worked.cut_short { ", cut short" } else { "" },
        outcome.text.as_str()
    )
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
    budget: &Budget<'_>,
    worked: &mut Worked,
) -> Result<(), WorkerError> {
    worked.replayed += Spool::new(&project.store_dir).drain(store, budget.until).map_err(WorkerError::Spool)?.replayed;
    if !store.index_is_current()? {
        store.rebuild_index()?;
    }
    if !store.rescan(&|| budget.is_over())?.finished {
        worked.cut_short = true;
        return Ok(());
    }
    let mut ingested = false;
    while let Some((id, Work::Ingest { transcript })) = store.next_work()? {
        let transcripts: Vec<PathBuf> = transcript.into_iter().collect();
        let outcome = ingest_all(project, env, store, &transcripts, budget)?;
        worked.entries += outcome.committed.entries;
        ingested = true;
        if outcome.outcome != ingest::Outcome::Finished {
            worked.cut_short = true;
            return Ok(());
        }
        KillPoint::WorkerIngested.reach();
        store.finish_work(id, clock::now())?;
        worked.work += 1;
    }
    if !ingested {
        worked.entries += ingest_all(project, env, store, &[], budget)?.committed.entries;
    }
    let now = clock::now();
    let due = store.last_full_check()?.is_none_or(|check| {
        // One that a clock dated later than now proves nothing about the days between.
        !(0..FULL_CHECK_EVERY_MS).contains(&now.0.saturating_sub(check.at.0))
    });
    if due && !budget.is_over() {
        store.full_check(now)?;
    }
    if budget.is_over() {
        worked.cut_short = true;
        return Ok(());
    }
    let is_over = || budget.is_over();
    let limits = curate::Limits { pending: Some(curate::PENDING_OF_SESSION), is_over: &is_over, now };
    worked.candidates += curate::extract_followed(project, store, limits)?.candidates;
    worked.settled += curate::expire_stale(store, now)?;
    store.roll_up(now, &is_over)?;
    anchor::look(project, store, budget.until)?;
    embed_the_rest(project, env, store, budget, worked)?;
    synthesize(project, env, store, budget, worked)
}

/// After everything that people wait for, and only while nothing else is queued: a model that writes takes seconds for each
/// text. One that fails is no fault of the worker.
fn synthesize(
    project: &Project,
    env: &Environment,
    store: &Store,
    budget: &Budget<'_>,
    worked: &mut Worked,
) -> Result<(), WorkerError> {
    let config = Configuration::read(env, Some(&project.store_dir)).config;
    let is_over = || budget.is_over() || store.next_work().is_ok_and(|work| work.is_some());
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
    budget: &Budget<'_>,
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
    let kept = curate::merge_near(store, provider, &|| budget.is_over(), clock::now())?;
    worked.settled += kept.merged + kept.rejected;
    let options = embed::Options {
        transcripts: embedding.transcripts,
        limit: None,
        threads: embed::half_the_cores(),
        is_over: &|| budget.is_over(),
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
    budget: &Budget<'_>,
) -> Result<ingest::Report, IngestError> {
    let is_over = || budget.is_over();
    let options = Options {
        transcripts,
        accept_vanished: false,
        is_over: &is_over,
        when_held: WhenHeld::Wait(BUSY),
        now: clock::now(),
    };
    ingest::run(&Place::gather(project, env), &ingest_lock(project), store, &options, &mut NoProgress)
}

fn open_heartbeat(store: &Store, env: &Environment) -> Result<Heartbeat, WorkerError> {
    let row = Heartbeat {
        id: EventId::new(ids::random_record_id()?),
        hook: HookName::Worker,
        event: Redacted::literal(""),
        session: None,
        via: Redacted::literal(""),
        pid: std::process::id(),
        version: env!("CARGO_PKG_VERSION").to_owned(),
        started: clock::now(),
        deadline_ms: u32::try_from((LIMIT + LAST_PIECE).as_millis()).unwrap_or(u32::MAX),
        synthetic: env.six_synthetic,
        outcome: None,
    };
    store.open_heartbeat(&row)?;
    Ok(row)
}

/// How a worker ended. What could not be embedded or written is said in a row that is otherwise good.
fn outcome(result: &Result<(), WorkerError>, worked: &Worked, end: &EndSignal) -> Outcome {
    let (unembedded, unwritten) = (worked.unembedded.as_str(), worked.synthesized.failure.as_str());
    match result {
        // A child that the same key ended is no fault.
        Err(fault) if end.came() => ended(OutcomeKind::Cancelled, "signal", &fault.to_string()),
        Ok(()) if end.came() => ended(OutcomeKind::Cancelled, "signal", ""),
        Err(fault) => ended(OutcomeKind::Failed, "worker", &fault.to_string()),
        Ok(()) => match (unembedded, unwritten) {
            ("", "") => ended(OutcomeKind::Ok, "", ""),
            (why, "") => ended(OutcomeKind::Ok, "unembedded", why),
            ("", why) => ended(OutcomeKind::Ok, "unwritten", why),
            (vectors, words) => ended(OutcomeKind::Ok, "unembedded", &format!("{vectors}; nothing written: {words}")),
        },
    }
}

fn ended(kind: OutcomeKind, class: &str, text: &str) -> Outcome {
    Outcome {
        kind,
        class: class.to_owned(),
        text: Redactor::new().redact(text),
        ended: clock::now(),
        took_us: None,
        rows_written: 0,
        bytes_emitted: 0,
    }
}

#[cfg(test)]
mod tests {
    use six_core::record::Family;

    use super::*;

    const LONG: Duration = Duration::from_secs(60);

    fn budget(end: &EndSignal, last_piece: Duration) -> Budget<'_> {
        Budget { until: Instant::now(), last_piece, grace: Duration::ZERO, end }
    }

    #[test]
    fn a_worker_whose_time_is_used_up_may_finish_what_it_is_at_and_one_that_was_told_to_end_may_not() {
        let (never, told) = (EndSignal::never(), EndSignal::of(15));
        let (at_work, wait) = mpsc::sync_channel::<()>(1);
        assert!(overruns(&wait, &budget(&told, LONG)));
        assert!(overruns(&wait, &budget(&never, Duration::ZERO)), "a last piece has an end, too");
        let finishes = std::thread::spawn(move || drop(at_work));
        assert!(!overruns(&wait, &budget(&never, LONG)));
        finishes.join().unwrap();
    }

    #[test]
    fn a_worker_that_its_own_limit_ended_did_not_fail_and_one_that_was_told_to_end_was_cancelled() {
        for (end, code, told) in [(EndSignal::never(), 0, Family::Ok), (EndSignal::of(15), 143, Family::Cancelled)] {
            let dir = tempfile::tempdir().unwrap();
            let store = Store::create(&dir.path().join("memory.db"), UnixMs(1)).unwrap();
            let row = open_heartbeat(&store, &Environment::default()).unwrap();
            assert_eq!(abandon(dir.path(), Some(row), &end), code);
            let replayed = Spool::new(dir.path()).drain(&store, Instant::now() + LONG).unwrap().replayed;
            assert_eq!(replayed, 1);
            let seen = crate::health::watching(clock::now(), |watch| store.gather_hooks(watch)).unwrap();
            let last = seen.into_iter().find(|seen| seen.hook == HookName::Worker).unwrap().newest.unwrap();
            assert_eq!(last.family, told);
        }
    }
}
