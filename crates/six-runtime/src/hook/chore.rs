//! What a hook does after its answer. Whatever is not done here is done by the worker: the work is queued already.

use std::path::Path;
use std::time::{Duration, Instant};

use six_core::effect::Chore;
use six_core::record::SessionId;

use super::answer::{Hook, Work};
use crate::curate::{self, PENDING_OF_SESSION};
use crate::ingest::{self, NoProgress, Options, Place, WhenHeld};
use crate::worker;

/// What is kept of a hook's time when it reads for candidates: the last piece may take that long, and then the worker is
/// started and the row closed.
const KEPT: Duration = Duration::from_millis(200);

/// Does one chore.
pub(super) fn carry_out<H: Hook>(work: &Work<'_>, chore: &Chore) {
    match chore {
        Chore::Ingest { transcript, within_ms } => {
            ingest(work, transcript, Duration::from_millis(u64::from(*within_ms)));
        }
        Chore::Extract { session } => extract(work, session, work.left::<H>().saturating_sub(KEPT)),
        Chore::StartWorker => start_worker(work),
    }
}

/// Leaves what is queued to a detached worker.
pub(super) fn start_worker(work: &Work<'_>) {
    if let Some(six) = six_beside_this_binary() {
        // Without a worker the work stays queued; the next boundary starts one.
        let _ = worker::start(work.project, &six);
    }
}

/// Consumes a transcript for at most so long.
fn ingest(work: &Work<'_>, transcript: &Path, within: Duration) {
    let Ok(store) = &work.store else { return };
    let until = Instant::now() + within;
    let is_over = || Instant::now() >= until;
    let options = Options {
        transcripts: &[transcript.to_owned()],
        accept_vanished: false,
        is_over: &is_over,
        when_held: WhenHeld::Skip,
        now: work.call.started.1,
    };
    let place = Place::gather(work.project, work.call.env);
    // What failed stays queued and is tried, counted and named by the worker.
    let _ = ingest::run_named(&place, &worker::ingest_lock(work.project), store, &options, &mut NoProgress);
}

/// Reads what was said in a session for candidates, for at most so long.
fn extract(work: &Work<'_>, session: &SessionId, within: Duration) {
    let Ok(store) = &work.store else { return };
    let until = Instant::now() + within;
    let limits = curate::Limits {
        pending: Some(PENDING_OF_SESSION),
        is_over: &|| Instant::now() >= until,
        now: work.call.started.1,
    };
    // What could not be read stays unread, and is read by whoever comes next.
    let _ = curate::extract(work.project, store, session, limits);
}

fn six_beside_this_binary() -> Option<std::path::PathBuf> {
    let six = std::env::current_exe().ok()?.parent()?.join(format!("six{}", std::env::consts::EXE_SUFFIX));
    six.is_file().then_some(six)
}
