//! Gathers what the health checks judge.

use std::fs;
use std::path::{Path, PathBuf};

use six_core::event::settings::{is_our_program, plan_uninstall};
use six_core::health::{FileFailing, FileLag, HealthEvidence, HookSeen, IngestEvidence, StoreEvidence};
use six_core::record::{Evidence, HookName, UnixMs, Why};
use six_store::{Store, StoreError};

use crate::config::Configuration;
use crate::embed::{Embedding, Patience, gather_vectors};
use crate::home::Environment;
use crate::ingest::Place;
use crate::install::{Scope, claude_dir};
use crate::process;
use crate::project::identity::Project;
use crate::read_file;
use crate::spool::Spool;

/// Largest settings file that is looked into.
const SETTINGS_CAP_BYTES: u64 = 4 << 20;

/// Looks for what ingest has not read: [`crate::ingest::find_unread`] or a part of it.
pub type FindUnread = fn(&Place, &Store) -> Result<Vec<FileLag>, StoreError>;

/// Looks at everything once. What can't be seen is missing with its reason.
pub fn gather(
    project: &Project,
    env: &Environment,
    store: Result<&Store, Why>,
    now: UnixMs,
    find_unread: FindUnread,
    patience: Patience,
) -> HealthEvidence {
    let place = Place::gather(project, env);
    let configuration = Configuration::read(env, Some(&project.store_dir));
    HealthEvidence {
        now,
        project: project.root.display().to_string(),
        store_file: store_file(project).display().to_string(),
        first_run: seen(store, Store::has_ended_session).seen().is_none_or(|ended| !ended),
        store: seen(store, |store| {
            let config_fault = configuration.faults.first().map(ToString::to_string);
            Ok(StoreEvidence { config_fault, ..gather_store(project, &place, store, now)? })
        }),
        ingest: seen(store, |store| gather_ingest(&place, store, find_unread)),
        vectors: seen(store, |store| {
            gather_vectors(store, &Embedding::of(store, &configuration.config.embed, patience)?, now)
        }),
        hooks: seen(store, |store| gather_hooks(&place, env, store, now)),
        unseen_sessions: seen(store, |store| store.gather_unseen_sessions(now)),
        queue: seen(store, Store::gather_queue),
        lineage: seen(store, Store::gather_lineage),
    }
}

/// The store of a project.
pub fn store_file(project: &Project) -> PathBuf {
    project.store_dir.join("memory.db")
}

fn seen<T>(store: Result<&Store, Why>, look: impl FnOnce(&Store) -> Result<T, StoreError>) -> Evidence<T> {
    match store.and_then(|store| look(store).map_err(|fault| fault.why())) {
        Ok(value) => Evidence::Seen(value),
        Err(why) => Evidence::Missing(why),
    }
}

fn gather_store(project: &Project, place: &Place, store: &Store, now: UnixMs) -> Result<StoreEvidence, StoreError> {
    let facts = store.gather_store_facts()?;
    let path = store_file(project);
    let size = |suffix: &str| {
        let mut name = path.clone().into_os_string();
        name.push(suffix);
        fs::metadata(name).map_or(0, |metadata| metadata.len())
    };
    let waiting = Spool::new(&project.store_dir).waiting().unwrap_or_default();
    let boundary = store.last_boundary(now)?.map_or(i64::MIN, |at| at.0);
    Ok(StoreEvidence {
        bodies: facts.bodies,
        index_rows: facts.index_rows,
        counted: facts.counted,
        sample_found: facts.sample_found,
        full_check: facts.full_check,
        modes: modes(&path, &project.store_dir),
        // A file system that does not tell how much is free is no fault.
        free_bytes: fs2::available_space(&project.store_dir).unwrap_or(u64::MAX),
        size_bytes: size("") + size("-wal"),
        wal_bytes: size("-wal"),
        quota_bytes: place.quota_bytes,
        spool_stale: count(waiting.iter().filter(|(_, written)| *written < boundary)),
        spool: count(waiting.iter()),
        config_fault: None,
    })
}

fn count<T>(items: impl Iterator<Item = T>) -> u64 {
    u64::try_from(items.count()).unwrap_or(u64::MAX)
}

#[cfg(unix)]
fn modes(file: &Path, folder: &Path) -> Option<(u32, u32)> {
    use std::os::unix::fs::PermissionsExt;
    let mode = |path: &Path| fs::metadata(path).ok().map(|metadata| metadata.permissions().mode() & 0o777);
    mode(file).zip(mode(folder))
}

#[cfg(not(unix))]
fn modes(_: &Path, _: &Path) -> Option<(u32, u32)> {
    None
}

fn gather_ingest(place: &Place, store: &Store, find_unread: FindUnread) -> Result<IngestEvidence, StoreError> {
    let facts = store.gather_ingest()?;
    let mut lags = find_unread(place, store)?;
    lags.sort_by_key(|lag| lag.changed);
    Ok(IngestEvidence {
        active_days_behind: lags.first().map_or(Ok(0), |oldest| store.active_days(oldest.changed))?,
        lags,
        failing: facts.failing.into_iter().map(|(path, error, fails)| FileFailing { path, fails, error }).collect(),
        last_run: facts.last_run,
    })
}

fn gather_hooks(place: &Place, env: &Environment, store: &Store, now: UnixMs) -> Result<Vec<HookSeen>, StoreError> {
    let wired = wired_programs(place, env);
    let mut hooks = store.gather_hooks(now, &process::is_alive)?;
    for hook in &mut hooks {
        hook.wired = program_of(hook.hook).map(|name| wired.iter().any(|program| is_program(program, name)));
    }
    Ok(hooks)
}

/// The program that the host starts for a hook; `None` for what the host does not start.
const fn program_of(hook: HookName) -> Option<&'static str> {
    match hook {
        HookName::SessionStart => Some("six-session-start"),
        HookName::UserPromptSubmit => Some("six-user-prompt-submit"),
        HookName::PreToolUse => Some("six-pre-tool-use"),
        HookName::Stop => Some("six-stop"),
        HookName::PreCompact => Some("six-pre-compact"),
        HookName::SessionEnd => Some("six-session-end"),
        HookName::Worker => None,
    }
}

/// Whether this wired program has that name and is there.
fn is_program(program: &Path, name: &str) -> bool {
    program.file_stem().is_some_and(|stem| stem == name) && program.is_file()
}

/// Every program of ours in the settings that a session of this project reads: those of the folder, of the main checkout
/// (which a session in a worktree reads too) and of the user.
fn wired_programs(place: &Place, env: &Environment) -> Vec<PathBuf> {
    let claude = claude_dir(env);
    let mut paths: Vec<PathBuf> = [&place.root, &place.main]
        .into_iter()
        .flat_map(|root| {
            let claude = claude.as_deref();
            [Scope::Local, Scope::Project, Scope::User]
                .into_iter()
                .filter_map(move |scope| scope.settings_path(root, claude))
        })
        .collect();
    paths.sort();
    paths.dedup();
    paths.iter().flat_map(|path| wired_in(path)).collect()
}

fn wired_in(settings: &Path) -> Vec<PathBuf> {
    let Ok(bytes) = read_file::read_file(settings, SETTINGS_CAP_BYTES) else { return Vec::new() };
    let text = String::from_utf8_lossy(&bytes);
    let ours = plan_uninstall(&text, is_our_program).map(|edit| edit.removed).unwrap_or_default();
    ours.into_iter().map(|wired| PathBuf::from(wired.command)).collect()
}
