//! What a hook does after its answer. Whatever is not done here is done by the worker: the work is queued already.

use std::path::Path;
use std::time::{Duration, Instant};

use super::answer::Work;
use crate::ingest::{self, NoProgress, Options, Place, WhenHeld};
use crate::worker;

/// Leaves what is queued to a detached worker.
pub(super) fn start_worker(work: &Work<'_>) {
    if let Some(six) = six_beside_this_binary() {
        // Without a worker the work stays queued; the next boundary starts one.
        let _ = worker::start(work.project, &six);
    }
}

/// Consumes a transcript for at most so long.
pub(super) fn ingest(work: &Work<'_>, transcript: &Path, within: Duration) {
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

fn six_beside_this_binary() -> Option<std::path::PathBuf> {
    let six = std::env::current_exe().ok()?.parent()?.join(format!("six{}", std::env::consts::EXE_SUFFIX));
    six.is_file().then_some(six)
}
