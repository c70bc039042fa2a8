//! What every command needs: the flags, the environment, the project, the store, and a place to print.

use std::path::{Path, PathBuf};
use std::time::{Duration, Instant};

use chrono::FixedOffset;
use six_core::config::Config;
use six_core::record::{Origin, UnixMs, Why};
use six_runtime::clock;
use six_runtime::config::Configuration;
use six_runtime::health::store_file;
use six_runtime::home::{Environment, SixHome};
use six_runtime::project::identity::{Located, NotInstalled, Project, locate_at};
use six_runtime::project::settle::settle;
use six_runtime::spool::Spool;
use six_store::{Access, Store};

use crate::cli::{Cli, FixRun};
use crate::command::config::config_failure;
use crate::failure::{Failure, store_failure};
use crate::output::{Screen, complain, print, quoted};

/// How long a command waits for another writer.
const BUSY: Duration = Duration::from_secs(30);

/// How long a reading command tries to take in what waits in the spool before it reads.
const DRAIN: Duration = Duration::from_millis(250);

/// How long a look at the store's health waits for another writer. A worker is done with what it writes in less; who holds
/// the store for longer keeps every hook out of it.
const WRITES: Duration = Duration::from_secs(5);

/// How long a writing command takes in what waits in the spool before it writes.
const REPLAY: Duration = Duration::from_secs(5);

/// See the module.
#[derive(Debug)]
pub(crate) struct Context {
    /// The environment, read once.
    pub(crate) env: Environment,
    /// `--json`
    pub(crate) json: bool,
    /// `--quiet`
    pub(crate) quiet: bool,
    /// When the command was given.
    pub(crate) now: UnixMs,
    /// Offset of local time.
    pub(crate) offset: FixedOffset,
    /// What stdout can show.
    pub(crate) screen: Screen,
    dir: PathBuf,
}

impl Context {
    /// The context of this process.
    pub(crate) fn from_process(cli: &Cli) -> Self {
        let cwd = std::env::current_dir().unwrap_or_default();
        Self {
            env: Environment::from_process(),
            json: cli.json,
            quiet: cli.quiet,
            now: clock::now(),
            offset: clock::local_offset(),
            screen: Screen::of_stdout(),
            dir: cli.project.as_ref().map_or_else(|| cwd.clone(), |dir| cwd.join(dir)),
        }
    }

    /// The folder that the command is about: `--project`, else an argument of the command, else the current one.
    pub(crate) fn dir(&self, argument: Option<&Path>) -> PathBuf {
        argument.map_or_else(|| self.dir.clone(), |dir| self.dir.join(dir))
    }

    /// Whose words the command has: an agent's where the host says that it runs one.
    pub(crate) const fn origin(&self) -> Origin {
        if self.env.claudecode { Origin::Agent } else { Origin::Operator }
    }

    /// The project that the folder belongs to.
    pub(crate) fn project(&self) -> Result<Project, Failure> {
        if !self.dir.is_dir() {
            return Err(Failure::misuse(
                format_args!("there is no folder {}", self.dir.display()),
                "name an existing one: six --project DIR ...",
            ));
        }
        match locate_at(&self.env, &self.dir) {
            Located::Installed(project) => Ok(self.settled(project)),
            Located::NotInstalled { why: why @ NotInstalled::HomeOrRoot, .. } => Err(Failure::misuse(
                format_args!("no memory here: {why}"),
                "change into the folder of a project, or name it: six --project DIR ... (six project list names all)",
            )),
            Located::NotInstalled { why, root } => Err(Failure::misuse(
                format_args!("no memory here: {why}"),
                format_args!("six install {}", quoted(root.as_deref().unwrap_or(&self.dir))),
            )),
            Located::Copied { listed, found, .. } => Err(Failure::misuse(
                format_args!(
                    "{} is a copy of {}, and both would write into one memory",
                    found.display(),
                    listed.display()
                ),
                "six project split (a memory of its own) or six project adopt (take the memory over)",
            )),
        }
    }

    /// Notes that a project was moved, so that its former folder becomes an alias.
    fn settled(&self, project: Project) -> Project {
        if let Ok(home) = SixHome::resolve(&self.env) {
            // A registry that can't be written is told by `six project list`; the store is found without it.
            let _ = settle(&home, &project, self.now.0);
        }
        project
    }

    /// The store for reading. What waits in the spool is taken in first, as far as that is quick.
    pub(crate) fn reader(project: &Project) -> Result<Store, Failure> {
        let path = store_file(project);
        if let Ok(store) = Store::open(&path, Access::Write, DRAIN) {
            // A spool that can't be read is reported by `six health`; reading goes on without it.
            let _ = Spool::new(&project.store_dir).drain(&store, Instant::now() + DRAIN);
        }
        Store::open(&path, Access::Read, BUSY).map_err(|fault| store_failure(project, &fault))
    }

    /// The store for looking at its health. One that can't be written is not well, however readable it is: hooks would
    /// leave nothing in it. The full check is made here, where somebody waits for it.
    pub(crate) fn health_reader(&self, project: &Project) -> Result<Store, Why> {
        let store = Store::open(&store_file(project), Access::Write, WRITES).map_err(|fault| fault.why())?;
        // First, since it waits for whoever writes: nothing else has to wait after it.
        store.full_check(self.now).map_err(|fault| fault.why())?;
        // The end of a hook that could not wait for the store is there: without it the hook would look like one that crashed.
        // What can't be taken in is what the check `store` tells.
        let _ = Spool::new(&project.store_dir).drain(&store, Instant::now() + DRAIN);
        Ok(store)
    }

    /// Notes that a command that is a way out of something red was run to its good end. It is done, so nothing of this can fail it.
    pub(crate) fn note_fix(&self, fix: &FixRun) {
        if !self.env.six_child
            && let Located::Installed(project) = locate_at(&self.env, &self.dir(fix.dir.as_deref()))
            && let Ok(store) = Store::open(&store_file(&project), Access::Write, DRAIN)
        {
            let _ = store.note_fix(self.now, &fix.words);
        }
    }

    /// The store for a note beside what the command is for; `None` where it can't be had as it is and at once.
    pub(crate) fn quick_writer(&self) -> Option<Store> {
        Store::open(&store_file(&self.project().ok()?), Access::Write, DRAIN).ok()
    }

    /// The store for writing, brought to the current schema and the current rules of redaction, with what waits in the spool.
    pub(crate) fn writer(&self, project: &Project) -> Result<Store, Failure> {
        let path = store_file(project);
        let failure = |fault| store_failure(project, &fault);
        if path.exists() {
            six_store::migrate(&path, &project.store_dir.join("backup"), self.now).map_err(failure)?;
        }
        let store = Store::open(&path, Access::Write, BUSY).map_err(failure)?;
        store.rescan(&|| false).map_err(failure)?;
        // What can't be taken in now waits on; `six health` tells when it waits for too long.
        let _ = Spool::new(&project.store_dir).drain(&store, Instant::now() + REPLAY);
        Ok(store)
    }

    /// The settings of a project. A broken file is refused: what it meant to set, nobody knows.
    pub(crate) fn config(&self, project: &Project) -> Result<Config, Failure> {
        let read = Configuration::read(&self.env, Some(&project.store_dir));
        read.whole().map_err(|fault| config_failure(&fault))
    }

    /// Prints a result: JSON as it is, text folded to the screen.
    pub(crate) fn print(&self, text: &str) {
        if self.json { print(text) } else { print(&self.screen.fold(text)) }
    }

    /// Prints what is not a result: to stderr, and not when quiet.
    pub(crate) fn say(&self, text: &str) {
        if !self.quiet {
            complain(text);
        }
    }

    /// Says that the command waits for another six.
    pub(crate) fn say_waiting(&self, holder: &str) {
        self.say(&format!("waiting for {holder} of this project to end"));
    }
}

#[cfg(test)]
impl Context {
    /// A person's, on a machine whose home is `/home/ada`, at a fixed time, before a screen that shows nothing but text.
    pub(crate) fn fixed() -> Self {
        Self {
            env: Environment { home: Some(PathBuf::from("/home/ada")), ..Environment::default() },
            json: false,
            quiet: false,
            now: UnixMs(1_767_225_600_000),
            offset: FixedOffset::east_opt(0).unwrap(),
            screen: Screen::default(),
            dir: PathBuf::from("/home/ada/api"),
        }
    }
}
