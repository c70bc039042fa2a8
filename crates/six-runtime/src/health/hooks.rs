//! The evidence of the check `heartbeats`.

use std::fs;
use std::path::{Path, PathBuf};

use six_core::event::settings::{HooksRead, read_hooks};
use six_core::health::{HookSeen, Wiring};
use six_core::record::{HookName, UnixMs};
use six_store::{Store, StoreError, Watch};

use crate::home::Environment;
use crate::ingest::Place;
use crate::install::{HOOKS, Hook, Scope, claude_dir};
use crate::process;
use crate::read_file;

/// Largest settings file that is looked into.
const SETTINGS_CAP_BYTES: u64 = 4 << 20;

/// Looks at the rows of every program that leaves them; how the host starts it is [looked at](gather_wiring) elsewhere.
pub(super) fn gather(store: &Store, now: UnixMs) -> Result<Vec<HookSeen>, StoreError> {
    watching(now, |watch| store.gather_hooks(watch))
}

/// How the host's settings start each of its hooks.
pub(super) fn gather_wiring(place: &Place, env: &Environment) -> Vec<(HookName, Wiring)> {
    let settings = Settings::read(place, env);
    let home = settings.home();
    let wired = HookName::ALL.into_iter().filter_map(|name| Some((name, program_of(name)?)));
    wired.map(|(name, hook)| (name, settings.wiring(hook, home.as_deref()))).collect()
}

/// Asks as this binary, on this machine.
pub(crate) fn watching<T>(now: UnixMs, ask: impl FnOnce(&Watch<'_>) -> T) -> T {
    let tools: Vec<&str> = HOOKS.iter().filter_map(|hook| hook.matcher).flat_map(|all| all.split('|')).collect();
    ask(&Watch { now, version: env!("CARGO_PKG_VERSION"), tools: &tools, process: &process::look_up })
}

/// The program that the host starts for a hook; `None` for what the host does not start.
fn program_of(hook: HookName) -> Option<&'static Hook> {
    HOOKS.iter().find(|wired| hook.is_started_by_host() && wired.binary.strip_prefix("six-") == Some(hook.as_str()))
}

/// The settings that a session of this project reads.
#[derive(Debug, Default)]
struct Settings {
    /// The file that switches all hooks off.
    off: Option<PathBuf>,
    /// Every program of ours: the event and its path.
    wired: Vec<(String, PathBuf)>,
}

impl Settings {
    /// Those of the folder, of the main checkout (which a session in a worktree reads too) and of the user.
    fn read(place: &Place, env: &Environment) -> Self {
        let claude = claude_dir(env);
        let mut settings = Self::default();
        let mut switch = None;
        let mut looked: Vec<PathBuf> = Vec::new();
        // The nearest file that says anything of the switch decides.
        for scope in [Scope::Local, Scope::Project, Scope::User] {
            for root in [&place.root, &place.main] {
                let Some(path) = scope.settings_path(root, claude.as_deref()).filter(|path| !looked.contains(path))
                else {
                    continue;
                };
                let HooksRead { wired, disabled } = read(&path);
                settings.wired.extend(wired.into_iter().map(|wired| (wired.event, PathBuf::from(wired.command))));
                if *root == place.root && switch.is_none() {
                    switch = disabled;
                    settings.off = disabled.filter(|off| *off).map(|_| path.clone());
                }
                looked.push(path);
            }
        }
        settings
    }

    /// The folder of the program that starts with every session: the others belong beside it.
    fn home(&self) -> Option<PathBuf> {
        let start = program_of(HookName::SessionStart)?;
        self.programs(start).find_map(folder_of)
    }

    fn programs<'a>(&'a self, hook: &'a Hook) -> impl Iterator<Item = &'a Path> {
        let is_of = move |(event, program): &&(String, PathBuf)| {
            event == hook.event && program.file_stem().is_some_and(|stem| stem == hook.binary)
        };
        self.wired.iter().filter(is_of).map(|(_, program)| program.as_path())
    }

    /// How a hook is started. It may be wired twice, of which one answers: what one of them can't do is told all the same.
    fn wiring(&self, hook: &Hook, home: Option<&Path>) -> Wiring {
        if let Some(file) = &self.off {
            return Wiring::Off { file: file.display().to_string() };
        }
        let all: Vec<Wiring> = self.programs(hook).map(|program| look(program, home)).collect();
        let first_fault = all.iter().find(|wiring| **wiring != Wiring::Sound);
        first_fault.or(all.first()).cloned().unwrap_or(Wiring::Absent)
    }
}

fn read(path: &Path) -> HooksRead {
    match read_file::read_file(path, SETTINGS_CAP_BYTES) {
        Ok(bytes) => read_hooks(&String::from_utf8_lossy(&bytes)),
        Err(_) => HooksRead::default(),
    }
}

fn look(path: &Path, home: Option<&Path>) -> Wiring {
    let program = path.display().to_string();
    match fs::metadata(path) {
        Ok(file) if !file.is_file() => Wiring::Gone { program },
        Err(_) => Wiring::Gone { program },
        Ok(file) if !is_executable(&file) => Wiring::NotExecutable { program },
        Ok(_) if home.is_some_and(|home| folder_of(path).is_some_and(|folder| folder != home)) => {
            Wiring::Elsewhere { program }
        }
        Ok(_) => Wiring::Sound,
    }
}

#[cfg(unix)]
fn is_executable(file: &fs::Metadata) -> bool {
    use std::os::unix::fs::PermissionsExt as _;
    file.permissions().mode() & 0o111 != 0
}

/// The ending of a name says it here.
#[cfg(not(unix))]
fn is_executable(_: &fs::Metadata) -> bool {
    true
}

/// The folder that a program really lies in.
fn folder_of(program: &Path) -> Option<PathBuf> {
    Some(fs::canonicalize(program).ok()?.parent()?.to_owned())
}
