//! The evidence of the check `heartbeats`.

use std::path::{Path, PathBuf};

use six_core::event::settings::{is_our_program, plan_uninstall};
use six_core::health::HookSeen;
use six_core::record::{HookName, UnixMs};
use six_store::{Store, StoreError};

use crate::home::Environment;
use crate::ingest::Place;
use crate::install::{Scope, claude_dir};
use crate::process;
use crate::read_file;

/// Largest settings file that is looked into.
const SETTINGS_CAP_BYTES: u64 = 4 << 20;

/// Looks at the rows of every program that leaves them, and at what the host's settings start.
pub(super) fn gather(
    place: &Place,
    env: &Environment,
    store: &Store,
    now: UnixMs,
) -> Result<Vec<HookSeen>, StoreError> {
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
        HookName::Worker | HookName::Gate | HookName::Render => None,
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
