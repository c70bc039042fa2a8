//! Gathers what the health checks judge: one file for each kind of evidence.
//!
//! All looks share one deadline. A question to the store that is at work then is broken off. What lies outside the store is
//! looked at beside it, on a thread of its own, so that a file system that does not answer costs the checks that need it,
//! and no others. So is the provider of vectors: a server gets the time to load its model on top of the deadline, and is
//! waited for when everything else is known.

mod constitution;
mod derived;
mod embedding;
mod gate_row;
mod hooks;
mod ingest;
mod memory_files;
mod outside;
mod render;
mod store;

pub use embedding::server_time;

use std::panic::{AssertUnwindSafe, catch_unwind};
use std::path::PathBuf;
use std::time::{Duration, Instant};

use six_core::health::{DerivedEvidence, HealthEvidence, HookSeen, IndexRead, IndexSeen, MemoryFilesEvidence, Wiring};
use six_core::record::{Evidence, HookName, UnixMs, Why};
use six_store::{Store, StoreError};

use crate::backup;
use crate::config::Configuration;
use crate::embed::Patience;
use crate::home::Environment;
use crate::ingest::Comparison;
use crate::project::identity::Project;

use outside::Outside;

pub use gate_row::GateRow;
pub(crate) use hooks::watching;

/// Asks the store what ingest has read, to be compared with what there is: [`crate::ingest::find_unread`] or a part of it.
pub type FindUnread = fn(&Store) -> Result<Comparison, StoreError>;

/// How long a person waits at most for what lies outside the store.
const LONGEST: Duration = Duration::from_secs(60);

/// What the counts of vectors get after a server was waited for until the time was used up: a part of what is left to a hook.
const AFTER_SERVER: Duration = Duration::from_millis(300);

/// How the gate looks.
#[derive(Debug, Clone, Copy)]
pub struct Look {
    /// When it is.
    pub now: UnixMs,
    /// When all looks have to be done; `None` = a person waits for the store as long as it takes.
    pub until: Option<Instant>,
    /// What is looked for that was not read.
    pub find_unread: FindUnread,
    /// How long a server may take.
    pub patience: Patience,
}

/// Looks at everything once. What can't be seen is missing with its reason.
pub fn gather(
    project: &Project,
    env: &Environment,
    configuration: &Configuration,
    store: Result<&Store, Why>,
    look: Look,
) -> HealthEvidence {
    let Look { now, until, find_unread, patience } = look;
    let outside_until = until.unwrap_or_else(|| Instant::now() + LONGEST);
    let (compare, unknown) = match seen(store, until, find_unread) {
        Evidence::Seen(compare) => (Some(compare), None),
        Evidence::Missing(why) => (None, Some(why)),
    };
    let outside = Outside::look(project, env, configuration, compare, now);
    let asked = seen(store, until, |store| embedding::ask(store, &configuration.config, patience));
    let first_run = seen(store, until, |store| store.is_first_run(now)).seen().copied().unwrap_or(false);
    let of_store = seen(store, until, |store| store::gather(project, configuration, store, now));
    let hooks = seen(store, until, |store| hooks::gather(store, now));
    let unseen_sessions = seen(store, until, |store| store.gather_unseen_sessions(now));
    let stayed = seen(store, until, |store| store.gather_stayed(now));
    let queue = seen(store, until, Store::gather_queue);
    let lineage = seen(store, until, Store::gather_lineage);
    let render = seen(store, until, |store| render::gather(store, now));
    let hooks = with_wiring(hooks, outside.wiring.arrive(outside_until));
    let unread = unknown.map_or_else(|| outside.unread.arrive(outside_until), Evidence::Missing);
    let ingest = match unread {
        Evidence::Seen(lags) => seen(store, until, |store| ingest::gather(store, lags)),
        Evidence::Missing(why) => Evidence::Missing(why),
    };
    let constitution = outside.constitution.arrive(outside_until);
    let derived = with_days(outside.derived.arrive(outside_until), store, until);
    let memory_files = with_age(outside.memory_files.arrive(outside_until), store, until);
    // Last, so that nothing waits for a server.
    let answer = match asked {
        Evidence::Seen(asked) => asked.arrive(until),
        Evidence::Missing(why) => Err(why),
    };
    let (vectors, embedding) = match &answer {
        Ok(answer) => {
            // The time was the server's; the counts are the store's and are told all the same.
            let after_server = || until.map(|until| until.max(Instant::now() + AFTER_SERVER));
            let until = if answer.is_of_server() { after_server() } else { until };
            (seen(store, until, |store| answer.gather_vectors(store, now)), Evidence::Seen(answer.gather_embedding()))
        }
        Err(why) => (Evidence::Missing(*why), Evidence::Missing(*why)),
    };
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

/// The hooks with how the host starts them.
fn with_wiring(hooks: Evidence<Vec<HookSeen>>, wiring: Evidence<Vec<(HookName, Wiring)>>) -> Evidence<Vec<HookSeen>> {
    let (mut hooks, wiring) = match (hooks, wiring) {
        (Evidence::Seen(hooks), Evidence::Seen(wiring)) => (hooks, wiring),
        (Evidence::Missing(why), _) | (_, Evidence::Missing(why)) => return Evidence::Missing(why),
    };
    for (name, wired) in wiring {
        if let Some(seen) = hooks.iter_mut().find(|seen| seen.hook == name) {
            seen.wired = Some(wired);
        }
    }
    Evidence::Seen(hooks)
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

/// What is derived, with the days of activity since it was written. What a store that can't be opened would have told is no
/// fault of this check; what one does not tell in time is missing.
fn with_days(
    derived: Evidence<DerivedEvidence>,
    store: Result<&Store, Why>,
    until: Option<Instant>,
) -> Evidence<DerivedEvidence> {
    match derived {
        Evidence::Seen(derived) if store.is_ok() && derived::is_dated(&derived) => {
            seen(store, until, |store| derived::count_days(derived, store))
        }
        derived => derived,
    }
}

/// One look at the store, as far as there is time for it. One that panics is missing, and the others are told all the same.
fn seen<T>(
    store: Result<&Store, Why>,
    until: Option<Instant>,
    look: impl FnOnce(&Store) -> Result<T, StoreError>,
) -> Evidence<T> {
    unbroken(|| store.and_then(|store| store.ask_until(until, look).map_err(|fault| fault.why())))
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

    const NOW: UnixMs = UnixMs(1_767_225_600_000);

    fn looked(find_unread: FindUnread, within: Duration) -> HealthEvidence {
        let dir = tempfile::tempdir().unwrap();
        let (root, store_dir) = (dir.path().join("api"), dir.path().join("store"));
        std::fs::create_dir_all(&root).unwrap();
        std::fs::create_dir_all(&store_dir).unwrap();
        let store = Store::create(&store_dir.join("memory.db"), NOW).unwrap();
        let project = Project {
            id: six_core::record::ProjectId::parse(&"a".repeat(26)).unwrap(),
            root,
            common_dir: None,
            worktree: false,
            store_dir,
            standing: crate::project::identity::Standing::Listed,
        };
        let env = Environment { home: Some(dir.path().join("home")), ..Environment::default() };
        let configuration = Configuration::read(&env, Some(&project.store_dir));
        let look = Look { now: NOW, until: Some(Instant::now() + within), find_unread, patience: Patience::Hook };
        gather(&project, &env, &configuration, Ok(&store), look)
    }

    #[test]
    fn a_folder_of_sessions_that_does_not_answer_costs_no_check_that_was_looked_at_before_or_needs_only_the_store() {
        let find_unread: FindUnread = |_| {
            Ok(Box::new(|_| {
                // Nobody ever says anything here.
                let (_silent, hears) = std::sync::mpsc::channel::<()>();
                let _ = hears.recv();
                Vec::new()
            }))
        };
        let evidence = looked(find_unread, Duration::from_millis(1_500));
        assert_eq!(evidence.ingest, Evidence::Missing(Why::OutOfTime));
        assert_eq!(evidence.memory_files, Evidence::Missing(Why::OutOfTime), "it waits its turn");
        assert!(matches!(evidence.store, Evidence::Seen(_)), "{:?}", evidence.store);
        assert!(matches!(evidence.hooks, Evidence::Seen(_)), "{:?}", evidence.hooks);
        assert!(matches!(evidence.queue, Evidence::Seen(_)), "{:?}", evidence.queue);
    }

    #[test]
    fn a_look_that_panics_on_the_other_thread_is_missing_alone() {
        let find_unread: FindUnread = |_| Ok(Box::new(|_| std::panic::resume_unwind(Box::new(()))));
        let evidence = looked(find_unread, Duration::from_secs(60));
        assert_eq!(evidence.ingest, Evidence::Missing(Why::Failed));
        assert!(matches!(evidence.memory_files, Evidence::Seen(_)));
    }

    #[test]
    fn after_the_deadline_nothing_is_looked_at() {
        let evidence = looked(|_| Ok(Box::new(|_| Vec::new())), Duration::ZERO);
        assert_eq!(evidence.store, Evidence::Missing(Why::OutOfTime));
        assert_eq!(evidence.vectors, Evidence::Missing(Why::OutOfTime));
        assert_eq!(evidence.ingest, Evidence::Missing(Why::OutOfTime));
    }
}
