//! The scratch machine: a home, a project, settings, a store, and nothing of the user's but a copy of theirs.

use std::fs;
use std::path::{Path, PathBuf};
use std::time::{Duration, SystemTime};

use six_core::config::EmbedConfig;
use six_core::effect::Effect;
use six_core::health::{HealthLimits, judge_health};
use six_core::record::{Boundary, Edge, EventId, Heartbeat, HookName, Outcome, OutcomeKind, SessionId, UnixMs};
use six_core::text::Redacted;
use six_store::{Access, Checkpoint, Spoil, Store, StoreError, spoil};
use tempfile::TempDir;

use super::injection::{Eyes, Unproven};
use super::reds::Reds;
use super::runner::Runner;
use super::server::Server;
use super::tree;
use crate::clock;
use crate::config::Configuration;
use crate::embed::{Embedding, Patience};
use crate::health::{Look, gather, store_file};
use crate::home::{Environment, SixHome};
use crate::ingest::{Place, find_unread};
use crate::lock::FileLock;
use crate::project::identity::{Located, Project, locate_at};

/// How the folders of scratch machines begin.
const PREFIX: &str = "proof-";

/// How long the scratch store is waited for: only its own commands are at it.
const BUSY: Duration = Duration::from_secs(30);

/// From which age on a scratch machine that nobody holds was left by a process that was killed.
const LEFT_AFTER: Duration = Duration::from_secs(60);

/// Whose store a fault is put into.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub enum Ground {
    /// A copy of the project's own.
    Copy,
    /// A small one that was made for this.
    MadeUp,
}

impl Ground {
    /// The name in JSON.
    pub const fn as_str(self) -> &'static str {
        match self {
            Self::Copy => "copy",
            Self::MadeUp => "made_up",
        }
    }
}

/// See the module.
pub(super) struct Machine {
    /// Where green ends. Some faults can't be had for real, and are proved by moving the limit instead.
    pub(super) limits: HealthLimits,
    /// What plays a server of vectors, while a fault needs one.
    pub(super) server: Option<Server>,
    runner: Runner,
    env: Environment,
    project: Project,
    _lock: FileLock,
    _folder: TempDir,
}

impl Machine {
    /// Makes one in our own folder, installs into its project with `exe`, the command `six`, and remembers it as it is.
    pub(super) fn new(env: &Environment, exe: &Path) -> Result<Self, Unproven> {
        let home = SixHome::resolve(env)?;
        remove_left_over(home.root());
        let folder = tempfile::Builder::new().prefix(PREFIX).tempdir_in(home.root())?;
        let root = folder.path().canonicalize()?;
        let lock = FileLock::acquire(&root.join("lock"), Duration::ZERO).map_err(std::io::Error::other)?;
        let live = root.join("live");
        // The home is the folder above the project, so that nobody looks for a repository above it.
        let env = Environment {
            six_home: Some(live.join("six")),
            home: Some(live.clone()),
            claude_config_dir: Some(live.join(".claude")),
            ..Environment::default()
        };
        let app = live.join("app");
        write_sources(&app)?;
        let runner = Runner { root, exe: exe.to_owned() };
        runner.six(&["install".into(), app.display().to_string()])?;
        let Located::Installed(project) = locate_at(&env, &app) else { return Err(Unproven::NotInstalled) };
        let limits = HealthLimits::default();
        let machine = Self { limits, server: None, runner, env, project, _lock: lock, _folder: folder };
        machine.keep_made_up()?;
        Ok(machine)
    }

    /// Takes a copy of the project's own store as it is.
    pub(super) fn keep_copy(&self, store: &Store) -> Result<(), Unproven> {
        store.copy_for_proof(&self.stored(Ground::Copy))?;
        self.touch_copy(|copy| Ok(copy.full_check(clock::now()).map(drop)?))
    }

    /// Texts of the copy that have no vector of the model inside six, which the scratch machine takes.
    pub(super) fn waiting_in_copy(&self) -> Result<u64, Unproven> {
        let copy = Store::open(&self.stored(Ground::Copy), Access::Read, BUSY)?;
        let embedding = Embedding::of(&copy, &EmbedConfig::default(), Patience::Person)?;
        let coverage = embedding.coverage(&copy, clock::now())?;
        Ok(coverage.eligible.saturating_sub(coverage.embedded))
    }

    /// The folders of the project and of the host are as they were before the fault; the store is left alone.
    pub(super) fn put_back_files(&mut self) -> Result<bool, Unproven> {
        for folder in ["app", ".claude"] {
            tree::put_back(&self.runner.root.join("kept").join(folder), &self.runner.home().join(folder))?;
        }
        Ok(true)
    }

    /// Bytes that are free where the scratch machine is; `None` where that can't be known.
    pub(super) fn free_bytes(&self) -> Option<u64> {
        fs2::available_space(&self.runner.root).ok()
    }

    /// Lets a session have ended in the copy if need be: on the first run nothing can be missing.
    pub(super) fn end_first_session(&self) -> Result<(), Unproven> {
        self.touch_copy(|copy| {
            let is_first_run = copy.is_first_run(clock::now())?;
            if is_first_run { hold_session(copy, "held-before", a_while_ago()) } else { Ok(()) }
        })
    }

    fn touch_copy(&self, touch: impl FnOnce(&Store) -> Result<(), Unproven>) -> Result<(), Unproven> {
        let copy = Store::open(&self.stored(Ground::Copy), Access::Write, BUSY)?;
        touch(&copy)?;
        copy.checkpoint(Checkpoint::Truncate)?;
        Ok(())
    }

    fn keep_made_up(&self) -> Result<(), Unproven> {
        let path = self.stored(Ground::MadeUp);
        let store = self.store()?;
        hold_session(&store, "held-before", a_while_ago())?;
        store.copy_for_proof(&path)?;
        drop(store);
        let copy = Store::open(&path, Access::Write, BUSY)?;
        copy.full_check(clock::now())?;
        copy.checkpoint(Checkpoint::Truncate)?;
        drop(copy);
        tree::put_back(&self.runner.home(), &self.runner.root.join("kept"))?;
        Ok(())
    }

    /// Everything as it was before the first fault, with that store.
    pub(super) fn restore(&mut self, ground: Ground) -> Result<(), Unproven> {
        self.limits = HealthLimits::default();
        self.server = None;
        tree::put_back(&self.runner.root.join("kept"), &self.runner.home())?;
        for suffix in ["-wal", "-shm"] {
            let mut name = self.store_file().into_os_string();
            name.push(suffix);
            let _ = fs::remove_file(name);
        }
        fs::copy(self.stored(ground), self.store_file())?;
        Ok(())
    }

    /// What the checks say now.
    pub(super) fn judge(&self, eyes: Eyes) -> Result<Reds, Unproven> {
        match eyes {
            Eyes::Command => Reds::of_json(&self.runner.six(&["health".into(), "--json".into()])?),
            Eyes::Start => {
                let store = Store::open(&self.store_file(), Access::Write, Duration::from_secs(1));
                let look = Look { now: clock::now(), until: None, find_unread, patience: Patience::Person };
                let configuration = Configuration::read(&self.env, Some(&self.project.store_dir));
                let store = store.as_ref().map_err(StoreError::why);
                let evidence = gather(&self.project, &self.env, &configuration, store, look);
                Ok(Reds::of_report(judge_health(&evidence, &self.limits)))
            }
        }
    }

    /// The folder that everything of the machine is in.
    pub(super) fn root(&self) -> &Path {
        &self.runner.root
    }

    /// The folder of the project.
    pub(super) fn app(&self) -> &Path {
        &self.project.root
    }

    /// The environment of its processes.
    pub(super) fn env(&self) -> &Environment {
        &self.env
    }

    /// The host's memory folder.
    pub(super) fn memory_dir(&self) -> Result<PathBuf, Unproven> {
        Place::gather(&self.project, &self.env).memory.ok_or(Unproven::NotInstalled)
    }

    /// The folder of the store.
    pub(super) fn store_dir(&self) -> &Path {
        &self.project.store_dir
    }

    /// The project's own configuration.
    pub(super) fn configuration(&self) -> PathBuf {
        self.project.store_dir.join("config.json")
    }

    /// The store.
    pub(super) fn store_file(&self) -> PathBuf {
        store_file(&self.project)
    }

    /// The store, open.
    pub(super) fn store(&self) -> Result<Store, Unproven> {
        Ok(Store::open(&self.store_file(), Access::Write, BUSY)?)
    }

    /// Spoils the store.
    pub(super) fn spoil(&self, how: Spoil) -> Result<bool, Unproven> {
        Ok(spoil(&self.store_file(), how)?)
    }

    /// Two sessions are started and ended, and every hook does what it should: what happened before the start before the
    /// last is no news.
    pub(super) fn hold_sessions(&self) -> Result<(), Unproven> {
        let (store, now) = (self.store()?, clock::now());
        hold_session(&store, "held-next", now)?;
        hold_session(&store, "held-last", UnixMs(now.0 + 1))
    }

    /// Of a session these hooks run; nothing else has happened in it yet. Answers when.
    pub(super) fn start_session(&self, session: &str, hooks: &[HookName]) -> Result<UnixMs, Unproven> {
        let (store, at) = (self.store()?, clock::now());
        hooks.iter().try_for_each(|hook| run_hook(&store, session, *hook, at))?;
        Ok(at)
    }

    /// What runs its programs.
    pub(super) fn runner(&self) -> &Runner {
        &self.runner
    }

    fn stored(&self, ground: Ground) -> PathBuf {
        self.runner.root.join(format!("{}.db", ground.as_str()))
    }
}

/// A few texts to be found, by words and by meaning.
fn write_sources(app: &Path) -> Result<(), Unproven> {
    let docs = app.join("docs");
    fs::create_dir_all(&docs)?;
    for (name, text) in SOURCES {
        fs::write(docs.join(name), text)?;
    }
    Ok(())
}

const SOURCES: [(&str, &str); 4] = [
    ("berths.md", "# Berths\n\nA ship is given a berth by its draught, never by its length.\n"),
    ("pilots.md", "# Pilots\n\nThe pilot boat leaves an hour before high water.\n"),
    ("cranes.md", "# Cranes\n\nA crane stands still above a wind of twenty metres a second.\n"),
    ("customs.md", "# Customs\n\nManifests are handed over in Parquet, one file a ship.\n"),
];

/// The rows of a session in which every hook was started and ended well.
fn hold_session(store: &Store, session: &str, at: UnixMs) -> Result<(), Unproven> {
    HookName::ALL.into_iter().try_for_each(|hook| run_hook(store, session, hook, at))
}

/// The row of a hook that ended well, and the boundary that it marks.
fn run_hook(store: &Store, session: &str, hook: HookName, at: UnixMs) -> Result<(), Unproven> {
    // What a start does besides has its row under the start's own name.
    let id = match hook {
        HookName::Gate | HookName::Render => format!("{session}-session-start.{}", hook.as_str()),
        _ => format!("{session}-{}", hook.as_str()),
    };
    let id = EventId::new(id);
    let session = SessionId::new(session);
    store.open_heartbeat(&heartbeat(id.clone(), hook, &session, at))?;
    let edge = match hook {
        HookName::SessionStart => Some((Edge::Start, "startup")),
        HookName::SessionEnd => Some((Edge::End, "other")),
        _ => None,
    };
    if let Some((edge, detail)) = edge {
        let boundary = Boundary { session, edge, detail: Redacted::literal(detail), at };
        store.apply(&id, &[Effect::Boundary(boundary)], at)?;
    }
    // A turn that was answered would have to have its account.
    let kind = if hook == HookName::UserPromptSubmit { OutcomeKind::Skipped } else { OutcomeKind::Ok };
    store.close_heartbeat(&id, &outcome(kind, at))?;
    Ok(())
}

/// Some minutes ago: what happens now happens after it.
fn a_while_ago() -> UnixMs {
    UnixMs(clock::now().0 - 5 * 60_000)
}

/// A row that says that a hook began.
pub(super) fn heartbeat(id: EventId, hook: HookName, session: &SessionId, started: UnixMs) -> Heartbeat {
    Heartbeat {
        id,
        hook,
        event: Redacted::default(),
        session: Some(session.clone()),
        via: Redacted::literal("settings"),
        pid: std::process::id(),
        version: env!("CARGO_PKG_VERSION").to_owned(),
        started,
        deadline_ms: 1_000,
        // Rows of benchmarks and probes are no evidence, and these have to be: they go with the scratch store.
        synthetic: false,
        outcome: None,
    }
}

/// An end.
pub(super) fn outcome(kind: OutcomeKind, ended: UnixMs) -> Outcome {
    Outcome {
        kind,
        class: String::new(),
        text: Redacted::default(),
        ended,
        took_us: None,
        rows_written: 1,
        bytes_emitted: 0,
    }
}

/// Removes what processes left that were killed, copies of a memory among it. What can't be removed is tried again next time.
pub(crate) fn remove_left_over(home: &Path) {
    let Ok(entries) = fs::read_dir(home) else { return };
    for entry in entries.flatten() {
        let path = entry.path();
        let is_ours = entry.file_name().to_string_lossy().starts_with(PREFIX) && path.is_dir();
        let age = entry.metadata().and_then(|metadata| metadata.modified()).ok();
        let is_old =
            age.and_then(|made| SystemTime::now().duration_since(made).ok()).is_some_and(|age| age > LEFT_AFTER);
        if is_ours && is_old && FileLock::acquire(&path.join("lock"), Duration::ZERO).is_ok() {
            let _ = fs::remove_dir_all(&path);
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_a_killed_proof_left_is_removed_and_what_is_held_or_new_or_not_ours_stays() {
        let dir = tempfile::tempdir().unwrap();
        let make = |name: &str, is_old: bool| {
            let path = dir.path().join(name);
            fs::create_dir(&path).unwrap();
            let made = SystemTime::now() - if is_old { LEFT_AFTER * 2 } else { Duration::ZERO };
            let lock = FileLock::acquire(&path.join("lock"), Duration::ZERO).unwrap();
            fs::File::open(&path).unwrap().set_modified(made).unwrap();
            (path, lock)
        };
        let (left, lock) = make("proof-left", true);
        drop(lock);
        let (new, lock) = make("proof-new", false);
        drop(lock);
        let (other, lock) = make("projects", true);
        drop(lock);
        let (held, _lock) = make("proof-held", true);
        remove_left_over(dir.path());
        assert_eq!([&left, &new, &other, &held].map(|path| path.exists()), [false, true, true, true]);
    }
}
