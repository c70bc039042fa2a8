//! What lies outside the store, looked at on one thread beside it.
//!
//! Each look is told as soon as it is done, so that one that hangs takes none with it that came before it. Of the host's
//! folder even the place is asked here: it may lie on a file system that does not answer.

use std::sync::mpsc::{self, Receiver, RecvTimeoutError, SyncSender};
use std::time::Instant;

use six_core::health::{ConstitutionEvidence, DerivedEvidence, FileLag, MemoryFilesEvidence, Wiring};
use six_core::record::{Evidence, HookName, UnixMs, Why};

use super::{constitution, derived, hooks, memory_files, unbroken};
use crate::config::Configuration;
use crate::home::Environment;
use crate::ingest::{Comparison, Place};
use crate::project::identity::Project;

/// What is being looked at.
pub(super) struct Outside {
    pub(super) wiring: Awaited<Vec<(HookName, Wiring)>>,
    pub(super) unread: Awaited<Vec<FileLag>>,
    pub(super) constitution: Awaited<ConstitutionEvidence>,
    pub(super) derived: Awaited<DerivedEvidence>,
    pub(super) memory_files: Awaited<MemoryFilesEvidence>,
}

/// One look that is under way.
pub(super) struct Awaited<T>(Receiver<Evidence<T>>);

impl<T> Awaited<T> {
    fn new() -> (Tell<T>, Self) {
        let (tell, found) = mpsc::sync_channel(1);
        (Tell(tell), Self(found))
    }

    /// What it has found, once it is done or the time is used up.
    pub(super) fn arrive(self, until: Instant) -> Evidence<T> {
        match self.0.recv_timeout(until.saturating_duration_since(Instant::now())) {
            Ok(found) => found,
            Err(RecvTimeoutError::Timeout) => Evidence::Missing(Why::OutOfTime),
            Err(RecvTimeoutError::Disconnected) => Evidence::Missing(Why::Failed),
        }
    }
}

struct Tell<T>(SyncSender<Evidence<T>>);

impl<T> Tell<T> {
    fn look(&self, look: impl FnOnce() -> Result<T, Why>) {
        // Nobody hears it whose time was used up.
        let _ = self.0.send(unbroken(look));
    }
}

impl Outside {
    /// Starts to look. `compare` tells what was not read, where the store knows of what was. Where no thread can be had it is
    /// looked at here and now.
    pub(super) fn look(
        project: &Project,
        env: &Environment,
        configuration: &Configuration,
        compare: Option<Comparison>,
        now: UnixMs,
    ) -> Self {
        let (tell_wiring, wiring) = Awaited::new();
        let (tell_unread, unread) = Awaited::new();
        let (tell_constitution, constitution) = Awaited::new();
        let (tell_derived, derived) = Awaited::new();
        let (tell_memory_files, memory_files) = Awaited::new();
        let (project, env, config) = (project.clone(), env.clone(), configuration.config.clone());
        let look = move || {
            let place = Place::of(&project, &env, &config);
            tell_wiring.look(|| Ok(hooks::gather_wiring(&place, &env)));
            if let Some(compare) = compare {
                tell_unread.look(|| Ok(compare(&place)));
            }
            tell_constitution.look(|| constitution::gather(&place, &config.health));
            tell_derived.look(|| Ok(derived::gather(&place, &config.derived)));
            tell_memory_files.look(|| memory_files::gather(&place, &project.store_dir, now));
        };
        aside(look);
        Self { wiring, unread, constitution, derived, memory_files }
    }
}

/// Does it on a thread of its own; here and now where none can be had.
pub(super) fn aside(work: impl FnOnce() + Send + 'static) {
    // Handed over only to a thread that is there.
    let (give, take) = mpsc::sync_channel(1);
    match std::thread::Builder::new().spawn(move || take.recv().map(|work: Box<dyn FnOnce() + Send>| work())) {
        Ok(_) => drop(give.send(Box::new(work))),
        Err(_) => work(),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_hangs_is_not_waited_for_and_what_broke_off_is_told_as_such() {
        let (tell, hangs) = Awaited::<u8>::new();
        assert_eq!(hangs.arrive(Instant::now()), Evidence::Missing(Why::OutOfTime));
        tell.look(|| Ok(7));
        let (tell, done) = Awaited::new();
        tell.look(|| Ok(7));
        assert_eq!(done.arrive(Instant::now()), Evidence::Seen(7));
        let (tell, broken) = Awaited::<u8>::new();
        drop(tell);
        assert_eq!(broken.arrive(Instant::now()), Evidence::Missing(Why::Failed));
    }
}
