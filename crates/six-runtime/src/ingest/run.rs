//! One run of ingest: find, read what is new, commit it.

use std::collections::{BTreeMap, BTreeSet, HashSet};
use std::ops::ControlFlow;
use std::path::{Path, PathBuf};
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::mpsc::{Receiver, SyncSender, sync_channel};
use std::time::Duration;

use six_core::ingest::{Batch, FileState};
use six_core::record::{Source, UnixMs};
use six_core::text::{Redacted, Redactor};
use six_store::{Store, StoreError};

use super::commits::{FromGit, head_hash, read_commits};
use super::document::read_document;
use super::expiry::is_expiring;
use super::file::Found;
use super::ledger::read_ledger;
use super::place::Place;
use super::progress::Progress;
use super::report::{Failure, HeldBack, Kept, Outcome, Report};
use super::scan::{Scan, find_documents};
use super::sessions::find_sessions;
use super::transcript::read_transcript;
use crate::git::Git;
use crate::lock::{FileLock, LockError};
use crate::read_file::ReadError;

/// So few files may vanish at once without a question, however few there are.
const FEW: usize = 3;

/// Batches that wait for the store, beside the one that the reader holds until it is taken: memory is bounded by it.
const WAITING: usize = 0;

/// What to do while another process ingests.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum WhenHeld {
    /// Leave it to that one.
    Skip,
    /// Wait for it so long.
    Wait(Duration),
}

/// What a run is to do.
#[derive(Clone, Copy)]
pub struct Options<'a> {
    /// Session files that hooks named. They belong to the project whatever they say.
    pub transcripts: &'a [PathBuf],
    /// More than half of a source's files are gone, and that is right.
    pub accept_vanished: bool,
    /// The budget is used up. Asked between batches; from two threads.
    pub is_over: &'a (dyn Fn() -> bool + Sync),
    /// See [`WhenHeld`].
    pub when_held: WhenHeld,
    /// The time of the run.
    pub now: UnixMs,
}

/// Why a run ended early. What had been committed stays.
#[derive(Debug, thiserror::Error)]
pub enum IngestError {
    /// The store refused.
    #[error("ingest could not write to the store")]
    Store(#[from] StoreError),
    /// The lock can't be had or waited for.
    #[error("ingest could not take its lock")]
    Lock(#[source] LockError),
    /// The reading thread ended with a panic.
    #[error("ingest's reader stopped on a fault in six itself")]
    Reader,
}

/// Brings the store up to date with all sources of the project, in the order of [`Source::ALL`]. `lock` is the file that
/// keeps a second run out.
pub fn run(
    place: &Place,
    lock: &Path,
    store: &Store,
    options: &Options<'_>,
    progress: &mut dyn Progress,
) -> Result<Report, IngestError> {
    consume(place, lock, store, options, progress, |planning| planning.plan_all(find_documents(place)))
}

/// Brings the store up to date with the [named](Options::transcripts) session files and looks for nothing else: for a
/// hook, whose time is short and whose binary is small without the search for documents.
pub fn run_named(
    place: &Place,
    lock: &Path,
    store: &Store,
    options: &Options<'_>,
    progress: &mut dyn Progress,
) -> Result<Report, IngestError> {
    consume(place, lock, store, options, progress, |planning| planning.plan_sessions(None))
}

fn consume(
    place: &Place,
    lock: &Path,
    store: &Store,
    options: &Options<'_>,
    progress: &mut dyn Progress,
    plan: impl FnOnce(&mut Planning<'_, '_>) -> Result<Vec<Job>, IngestError>,
) -> Result<Report, IngestError> {
    let wait = match options.when_held {
        WhenHeld::Skip => Duration::ZERO,
        WhenHeld::Wait(time) => time,
    };
    let _lock = match FileLock::acquire(lock, wait) {
        Ok(lock) => lock,
        Err(LockError::Busy { .. }) => return Ok(Report { outcome: Outcome::Held, ..Report::default() }),
        Err(error) => return Err(IngestError::Lock(error)),
    };
    let redactor = Redactor::new();
    let mut report = Report::default();
    let jobs = plan(&mut Planning { place, store, options, redactor, report: &mut report, progress })?;
    let (sender, receiver) = sync_channel(WAITING);
    let is_full = AtomicBool::new(false);
    std::thread::scope(|threads| {
        let reader = Reader { place, options, redactor, sender, is_full: &is_full };
        let reading = threads.spawn(move || reader.read(jobs));
        let writer = Writer { place, store, options, is_full: &is_full };
        let mut refused = BTreeSet::new();
        let written = writer.write(&receiver, &mut refused, &mut report, progress);
        // The reader must not wait for a receiver that has given up.
        drop(receiver);
        let (going, not_begun) = reading.join().map_err(|_| IngestError::Reader)?;
        if is_full.load(Ordering::Relaxed) {
            let (files, quota_bytes) = (not_begun + refused.len() as u64, place.quota_bytes);
            report.held_back = Some(HeldBack { files, used_bytes: store.used_bytes()?, quota_bytes });
        }
        if written?.is_break() || going.is_break() {
            report.outcome = Outcome::Stopped;
        }
        Ok(report)
    })
}

/// Something to read.
enum Job {
    Transcript(Found, Option<FileState>),
    Ledger(Found, Option<FileState>),
    Document(Source, Found, Option<FileState>),
    Commits(Option<FileState>),
}

/// What the reader hands to the writer.
enum Message {
    Batch(Box<Batch>, u64),
    /// The commits that are left of a history that was rewritten.
    Left(HashSet<String>),
    Failed(Box<FileState>),
    /// A failure that no file stands for.
    Trouble(Failure),
}

struct Planning<'a, 'p> {
    place: &'a Place,
    store: &'a Store,
    options: &'a Options<'a>,
    redactor: Redactor,
    report: &'a mut Report,
    progress: &'p mut dyn Progress,
}

impl Planning<'_, '_> {
    /// Beside the documents that were found, finds the files of all other sources, and says what is to be read.
    fn plan_all(&mut self, documents: [Scan; 3]) -> Result<Vec<Job>, IngestError> {
        let mut documents: BTreeMap<Source, Scan> = documents.into_iter().map(|scan| (scan.source, scan)).collect();
        let mut jobs = Vec::new();
        for source in Source::ALL {
            match source {
                Source::Transcript => jobs.extend(self.plan_sessions(Some(self.place))?),
                Source::Memory | Source::Ledger | Source::Doc => {
                    let Some(scan) = documents.remove(&source) else { continue };
                    let mut known = self.known(source)?;
                    self.remove_vanished(&scan, &known)?;
                    jobs.extend(self.take_scan(&scan, &mut known, |file, state| match source {
                        Source::Ledger => Job::Ledger(file, state),
                        _ => Job::Document(source, file, state),
                    }));
                }
                Source::Git if self.place.has_git => {
                    jobs.push(Job::Commits(self.known(source)?.remove(&head_hash())));
                }
                Source::Git | Source::Record => {}
            }
        }
        Ok(jobs)
    }

    /// The session files that hooks named, and those that are found where they are searched for.
    fn plan_sessions(&mut self, search: Option<&Place>) -> Result<Vec<Job>, IngestError> {
        let mut known = self.known(Source::Transcript)?;
        let mut scan = find_sessions(search, self.options.transcripts, &|hash| known.contains_key(hash));
        // Newest first, but before them what the host is about to delete, the most urgent first: it is read now or never.
        let (keep_days, now) = (self.place.keep_days, self.options.now);
        scan.files.sort_by_key(|file| {
            let is_urgent = is_expiring(file, keep_days, now);
            (!is_urgent, if is_urgent { file.mtime_ns } else { file.mtime_ns.saturating_neg() })
        });
        Ok(self.take_scan(&scan, &mut known, Job::Transcript))
    }

    /// What was consumed of a source, by the hash of the path.
    fn known(&self, source: Source) -> Result<BTreeMap<String, FileState>, IngestError> {
        Ok(self.store.file_states(source)?.into_iter().map(|state| (state.path_hash.clone(), state)).collect())
    }

    fn take_scan(
        &mut self,
        scan: &Scan,
        known: &mut BTreeMap<String, FileState>,
        job: impl Fn(Found, Option<FileState>) -> Job,
    ) -> Vec<Job> {
        let mut jobs = Vec::new();
        let mut bytes = 0;
        for file in &scan.files {
            let state = known.remove(&file.path_hash);
            if file.must_read(state.as_ref(), self.options.now) {
                bytes += file.size_bytes.saturating_sub(state.as_ref().map_or(0, |state| state.consumed_bytes));
                jobs.push(job(file.clone(), state));
                continue;
            }
            self.report.unchanged += 1;
            if let Some(state) = state.filter(|state| state.fails > 0) {
                self.report.failures.push(failure_of(&state));
            }
        }
        self.report.found += scan.files.len() as u64;
        self.progress.total(scan.source, jobs.len() as u64, bytes);
        for trouble in &scan.troubles {
            self.report.failures.push(Failure {
                source: scan.source,
                path: self.redactor.redact(&trouble.path),
                error: self.redactor.redact(&trouble.error),
                fails: 0,
            });
        }
        jobs
    }

    /// Removes what is proven to be gone: not found by a scan that saw everything. When more than half is gone the scan
    /// is not believed (a folder that is not mounted, a branch without its documents).
    fn remove_vanished(&mut self, scan: &Scan, known: &BTreeMap<String, FileState>) -> Result<(), IngestError> {
        if !scan.proves_absence {
            return Ok(());
        }
        let here: BTreeSet<&str> = scan.files.iter().map(|file| file.path_hash.as_str()).collect();
        let gone: Vec<String> = known.keys().filter(|hash| !here.contains(hash.as_str())).cloned().collect();
        if gone.is_empty() {
            return Ok(());
        }
        if is_too_many(gone.len(), known.len()) && !self.options.accept_vanished {
            let (vanished, known) = (gone.len() as u64, known.len() as u64);
            self.report.kept.push(Kept { source: scan.source, vanished, known });
            return Ok(());
        }
        self.report.committed.removed += self.store.remove_files(scan.source, &gone, self.options.now)?;
        Ok(())
    }
}

/// Whether so many of so many can't be believed to be gone.
fn is_too_many(gone: usize, known: usize) -> bool {
    gone > FEW && gone * 2 > known
}

fn failure_of(state: &FileState) -> Failure {
    Failure { source: state.source, path: state.path.clone(), error: state.last_error.clone(), fails: state.fails }
}

/// Reads on a thread of its own, so that reading and the store's work overlap.
struct Reader<'a> {
    place: &'a Place,
    options: &'a Options<'a>,
    redactor: Redactor,
    sender: SyncSender<Message>,
    /// See [`Writer`].
    is_full: &'a AtomicBool,
}

impl Reader<'_> {
    /// Answers also how many files were not begun because the store is full.
    fn read(self, jobs: Vec<Job>) -> (ControlFlow<()>, u64) {
        let mut not_begun = 0;
        for job in jobs {
            if (self.options.is_over)() {
                return (ControlFlow::Break(()), not_begun);
            }
            let is_bounded = matches!(job, Job::Transcript(..) | Job::Commits(_));
            if is_bounded && self.is_full() {
                not_begun += 1;
                continue;
            }
            let going = match job {
                Job::Transcript(found, known) => self.transcript(&found, known.as_ref()),
                Job::Ledger(found, known) => self.ledger(&found, known.as_ref()),
                Job::Document(source, found, known) => self.document(source, &found, known.as_ref()),
                Job::Commits(known) => self.commits(known.as_ref()),
            };
            // A file that is left because the store is full is no reason to leave the others.
            if going.is_break() && !(is_bounded && self.is_full()) {
                return (going, not_begun);
            }
        }
        (ControlFlow::Continue(()), not_begun)
    }

    fn is_full(&self) -> bool {
        self.is_full.load(Ordering::Relaxed)
    }

    fn transcript(&self, found: &Found, known: Option<&FileState>) -> ControlFlow<()> {
        let now = self.options.now;
        let mut emit = |batch, bytes| self.send_batch(batch, bytes);
        match read_transcript(found, known, now, self.redactor, &mut emit) {
            Ok(going) => going,
            Err(error) => self.send_failure(Source::Transcript, found, known, &error),
        }
    }

    fn document(&self, source: Source, found: &Found, known: Option<&FileState>) -> ControlFlow<()> {
        let now = self.options.now;
        match read_document(found, source, known, now, self.redactor) {
            Ok(batch) => self.send_batch(batch, found.size_bytes),
            Err(error) => self.send_failure(source, found, known, &error),
        }
    }

    fn ledger(&self, found: &Found, known: Option<&FileState>) -> ControlFlow<()> {
        match read_ledger(found, known, self.options.now, self.redactor) {
            Ok(batch) => self.send_batch(batch, found.size_bytes),
            Err(error) => self.send_failure(Source::Ledger, found, known, &error),
        }
    }

    fn commits(&self, known: Option<&FileState>) -> ControlFlow<()> {
        let mut emit = |given| match given {
            FromGit::Batch(batch) => self.send_batch(*batch, 0),
            FromGit::Left(hashes) => self.send(Message::Left(hashes)),
        };
        match read_commits(&Git::new(&self.place.root), known, self.options.now, self.redactor, &mut emit) {
            Ok(going) => going,
            Err(error) => self.send(Message::Trouble(Failure {
                source: Source::Git,
                path: Redacted::literal("HEAD"),
                error: self.redactor.redact(&error.to_string()),
                fails: 0,
            })),
        }
    }

    fn send_batch(&self, batch: Batch, bytes: u64) -> ControlFlow<()> {
        let is_bounded = is_bounded(batch.file.source);
        self.send(Message::Batch(Box::new(batch), bytes))?;
        let is_over = (self.options.is_over)() || (is_bounded && self.is_full());
        if is_over { ControlFlow::Break(()) } else { ControlFlow::Continue(()) }
    }

    fn send_failure(
        &self,
        source: Source,
        found: &Found,
        known: Option<&FileState>,
        error: &ReadError,
    ) -> ControlFlow<()> {
        // Removed since it was found: the next scan proves it.
        if matches!(error, ReadError::Missing { .. }) {
            return ControlFlow::Continue(());
        }
        let state = found.failed_state(known, source, self.options.now, &error.to_string(), self.redactor);
        self.send(Message::Failed(Box::new(state)))
    }

    fn send(&self, message: Message) -> ControlFlow<()> {
        match self.sender.send(message) {
            Ok(()) => ControlFlow::Continue(()),
            Err(_) => ControlFlow::Break(()),
        }
    }
}

/// Whether the quota holds for a source.
const fn is_bounded(source: Source) -> bool {
    matches!(source, Source::Transcript | Source::Git)
}

struct Writer<'a> {
    place: &'a Place,
    store: &'a Store,
    options: &'a Options<'a>,
    /// The store has reached its quota: from then on the run takes no transcript and no commit, however much room others
    /// make, since a file's batches come in order or not at all.
    is_full: &'a AtomicBool,
}

impl Writer<'_> {
    /// Commits what the reader hands over, until it ends or the budget is used up. `refused` gets the files for which
    /// there was no room.
    fn write(
        &self,
        receiver: &Receiver<Message>,
        refused: &mut BTreeSet<String>,
        report: &mut Report,
        progress: &mut dyn Progress,
    ) -> Result<ControlFlow<()>, IngestError> {
        for message in receiver {
            match message {
                Message::Batch(batch, _) if !self.has_room_for(&batch)? => drop(refused.insert(batch.file.path_hash)),
                Message::Batch(batch, bytes) => {
                    report.add(self.store.commit(&batch)?);
                    report.bytes += bytes;
                    progress.step(batch.file.source, bytes);
                }
                Message::Left(hashes) => self.remove_rewritten(&hashes, report)?,
                Message::Failed(state) => {
                    self.store.note_failure(&state)?;
                    report.failures.push(failure_of(&state));
                }
                Message::Trouble(failure) => report.failures.push(failure),
            }
            if (self.options.is_over)() {
                return Ok(ControlFlow::Break(()));
            }
        }
        Ok(ControlFlow::Continue(()))
    }

    fn has_room_for(&self, batch: &Batch) -> Result<bool, IngestError> {
        if !is_bounded(batch.file.source) {
            return Ok(true);
        }
        let was_full = self.is_full.load(Ordering::Relaxed);
        let is_full = was_full || (!batch.entries.is_empty() && self.store.used_bytes()? >= self.place.quota_bytes);
        self.is_full.store(is_full, Ordering::Relaxed);
        Ok(!is_full)
    }

    /// Removes commits that a rewritten history has no more, unless they are too many to be believed.
    fn remove_rewritten(&self, left: &HashSet<String>, report: &mut Report) -> Result<(), IngestError> {
        let known = self.store.entry_keys(Source::Git)?;
        let gone: Vec<String> = known.iter().filter(|hash| !left.contains(*hash)).cloned().collect();
        if is_too_many(gone.len(), known.len()) && !self.options.accept_vanished {
            let (vanished, known) = (gone.len() as u64, known.len() as u64);
            report.kept.push(Kept { source: Source::Git, vanished, known });
        } else if !gone.is_empty() {
            report.committed.removed += self.store.remove_entries(Source::Git, &gone)?;
        }
        Ok(())
    }
}

#[cfg(test)]
mod tests;
