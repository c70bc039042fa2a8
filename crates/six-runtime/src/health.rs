//! Gathers what the health checks judge: one file for each kind of evidence.
//!
//! All looks share one deadline. What lies outside the store is looked at beside it, on a thread of its own, so that a file
//! system that does not answer costs the checks that need it, and no others. So is the provider of vectors: a server gets
//! the time to load its model on top of the deadline, and is waited for when everything else is known.

mod constitution;
mod derived;
mod embedding;
mod gate_row;
mod hooks;
mod ingest;
mod memory_files;
mod render;
mod store;

pub use embedding::server_time;

use std::panic::{AssertUnwindSafe, catch_unwind};
use std::path::PathBuf;
use std::sync::mpsc;
use std::time::Instant;

use six_core::config::Gate;
use six_core::health::{
    ConstitutionEvidence, DerivedEvidence, FileLag, HealthEvidence, IndexRead, IndexSeen, MemoryFilesEvidence,
};
use six_core::record::{Evidence, UnixMs, Why};
use six_store::{Store, StoreError};

use crate::backup;
use crate::config::Configuration;
use crate::embed::Patience;
use crate::home::Environment;
use crate::ingest::Place;
use crate::project::identity::Project;

pub use gate_row::GateRow;
pub(crate) use hooks::watching;

/// Looks for what ingest has not read: [`crate::ingest::find_unread`] or a part of it.
pub type FindUnread = fn(&Place, &Store) -> Result<Vec<FileLag>, StoreError>;

/// How the gate looks.
#[derive(Debug, Clone, Copy)]
pub struct Look {
    /// When it is.
    pub now: UnixMs,
    /// When all looks have to be done; `None` = a person waits as long as it takes.
    pub until: Option<Instant>,
    /// What is looked for that was not read.
    pub find_unread: FindUnread,
    /// How long a server may take.
    pub patience: Patience,
}

/// What lies outside the store.
struct Outside {
    memory_files: Evidence<MemoryFilesEvidence>,
    constitution: Evidence<ConstitutionEvidence>,
    derived: Evidence<DerivedEvidence>,
}

/// Whether the project wants the checks to run.
pub fn gate_of(project: &Project, env: &Environment) -> Gate {
    Configuration::read(env, Some(&project.store_dir)).config.health.gate
}

/// Looks at everything once. What can't be seen is missing with its reason.
pub fn gather(project: &Project, env: &Environment, store: Result<&Store, Why>, look: Look) -> HealthEvidence {
    let Look { now, until, find_unread, patience } = look;
    let place = Place::gather(project, env);
    let configuration = Configuration::read(env, Some(&project.store_dir));
    let outside = look_outside(&place, &configuration, now);
    let asked = seen(store, until, |store| embedding::ask(store, &configuration.config, patience));
    let first_run = seen(store, until, |store| store.is_first_run(now)).seen().copied().unwrap_or(false);
    let of_store = seen(store, until, |store| store::gather(project, &place, &configuration, store, now));
    let ingest = seen(store, until, |store| ingest::gather(&place, store, find_unread));
    let hooks = seen(store, until, |store| hooks::gather(&place, env, store, now));
    let unseen_sessions = seen(store, until, |store| store.gather_unseen_sessions(now));
    let stayed = seen(store, until, |store| store.gather_stayed(now));
    let queue = seen(store, until, Store::gather_queue);
    let lineage = seen(store, until, Store::gather_lineage);
    let render = seen(store, until, |store| render::gather(store, now));
    let Outside { memory_files, constitution, mut derived } = arrive(&outside, until);
    if let (Evidence::Seen(derived), Ok(store)) = (&mut derived, store) {
        derived::count_days(derived, store);
    }
    // Last, so that nothing waits for a server.
    let answer = match asked {
        Evidence::Seen(asked) => asked.arrive(until),
        Evidence::Missing(why) => Err(why),
    };
    let (vectors, embedding) = match &answer {
        // The time was the server's; the counts are the store's and are told all the same.
        Ok(answer) => {
            (seen(store, None, |store| answer.gather_vectors(store, now)), Evidence::Seen(answer.gather_embedding()))
        }
        Err(why) => (Evidence::Missing(*why), Evidence::Missing(*why)),
    };
    let memory_files = with_age(memory_files, store, until);
    HealthEvidence {
        now,
        project: project.root.display().to_string(),
        store_file: store_file(project).display().to_string(),
        newest_backup: store
            .is_err_and(|why| matches!(why, Why::NoStore | Why::NotOurs))
            .then(|| newest_backup(project))
            .flatten(),
        first_run,
        store: of_store,
        ingest,
        vectors,
        hooks,
        unseen_sessions,
        stayed: stayed.seen().cloned().unwrap_or_default(),
        queue,
        lineage,
        embedding,
        memory_files,
        constitution,
        render,
        derived,
    }
}

/// The store of a project.
pub fn store_file(project: &Project) -> PathBuf {
    project.store_dir.join("memory.db")
}

/// The name of the newest old state that could take the store's place.
fn newest_backup(project: &Project) -> Option<String> {
    let file = backup::newest(project)?.path;
    Some(file.file_name()?.to_string_lossy().into_owned())
}

/// Starts the look at what lies outside the store. Where no thread can be had it is looked at here and now.
fn look_outside(place: &Place, configuration: &Configuration, now: UnixMs) -> mpsc::Receiver<Outside> {
    let (tell, outside) = mpsc::sync_channel(1);
    let (place, config) = (place.clone(), configuration.config.clone());
    let look = move || Outside {
        memory_files: unbroken(|| memory_files::gather(&place, now)),
        constitution: unbroken(|| constitution::gather(&place, &config.health)),
        derived: unbroken(|| Ok(derived::gather(&place, &config.derived))),
    };
    let here = (tell.clone(), look.clone());
    let elsewhere = std::thread::Builder::new().spawn(move || {
        // Nobody hears it whose time was used up.
        let _ = tell.send(look());
    });
    if elsewhere.is_err() {
        let (tell, look) = here;
        let _ = tell.send(look());
    }
    outside
}

/// What the look outside has found, once it is done or the time is used up.
fn arrive(outside: &mpsc::Receiver<Outside>, until: Option<Instant>) -> Outside {
    let found = match until {
        None => outside.recv().ok(),
        Some(until) => outside.recv_timeout(until.saturating_duration_since(Instant::now())).ok(),
    };
    found.unwrap_or(Outside {
        memory_files: Evidence::Missing(Why::OutOfTime),
        constitution: Evidence::Missing(Why::OutOfTime),
        derived: Evidence::Missing(Why::OutOfTime),
    })
}

/// The memory folder with the age of its anchor, which the store knows: age is counted in days of activity.
fn with_age(
    mut memory_files: Evidence<MemoryFilesEvidence>,
    store: Result<&Store, Why>,
    until: Option<Instant>,
) -> Evidence<MemoryFilesEvidence> {
    if let Evidence::Seen(MemoryFilesEvidence::Seen(folder)) = &mut memory_files
        && let Some(IndexSeen::Read(IndexRead { anchor: Some(anchor), .. })) = &mut folder.index
    {
        anchor.active_days = seen(store, until, |store| store.active_days(anchor.changed)).seen().cloned();
    }
    memory_files
}

/// One look at the store, if there is time for it. One that panics is missing, and the others are told all the same.
fn seen<T>(
    store: Result<&Store, Why>,
    until: Option<Instant>,
    look: impl FnOnce(&Store) -> Result<T, StoreError>,
) -> Evidence<T> {
    if until.is_some_and(|until| Instant::now() >= until) {
        return Evidence::Missing(Why::OutOfTime);
    }
    unbroken(|| store.and_then(|store| look(store).map_err(|fault| fault.why())))
}

fn unbroken<T>(look: impl FnOnce() -> Result<T, Why>) -> Evidence<T> {
    match catch_unwind(AssertUnwindSafe(look)) {
        Ok(Ok(value)) => Evidence::Seen(value),
        Ok(Err(why)) => Evidence::Missing(why),
        Err(_) => Evidence::Missing(Why::Failed),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_look_that_breaks_off_is_missing_under_its_own_reason_and_takes_nothing_with_it() {
        assert_eq!(
            unbroken(|| -> Result<u8, Why> { std::panic::resume_unwind(Box::new(())) }),
            Evidence::Missing(Why::Failed)
        );
        assert_eq!(unbroken(|| Ok(7)), Evidence::Seen(7));
        assert_eq!(unbroken::<u8>(|| Err(Why::Unreadable)), Evidence::Missing(Why::Unreadable));
    }

    #[test]
    fn after_the_deadline_nothing_is_looked_at_and_what_hangs_is_not_waited_for() {
        let past = Some(Instant::now());
        assert_eq!(seen(Err(Why::NoStore), past, |_| Ok(7)), Evidence::Missing(Why::OutOfTime));
        let (_hangs, outside) = mpsc::sync_channel(1);
        let found = arrive(&outside, past);
        assert!(matches!(found.derived, Evidence::Missing(Why::OutOfTime)));
        assert!(matches!(found.memory_files, Evidence::Missing(Why::OutOfTime)));
    }
}
