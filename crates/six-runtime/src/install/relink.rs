//! Wires hooks again whose program is gone: after a move of the binaries, an upgrade to another folder.
//!
//! Only entries of ours that are there and start nothing. What a person took out stays out and is named; so is a file that
//! this machine did not write, since a path in it may be right on another one.

use super::apply::{InstallError, Target, record, write_all};
use super::binaries::{HOOKS, hook_entries};
use super::change::FileChange;
use super::host::{Scope, claude_dir};
use super::machine;
use super::place::Place;
use super::plan::{Identity, Manifests, Wiring};
use super::refusal::Refusal;
use super::settings::{WiringPlan, entries_in, plan_wiring};
use crate::home::{Environment, SixHome};
use crate::ingest;
use crate::project::identity::Project;
use six_core::event::settings::Wired;
use six_core::record::UnixMs;
use std::path::{Path, PathBuf};

/// What becomes, or became, of the entries of a project's hooks.
#[derive(Debug, Default)]
pub struct Relink {
    /// Settings files with the entries that are wired to the programs that are there.
    pub wired: Vec<Wiring>,
    /// Settings files whose dead entries are left as they are.
    pub left: Vec<Left>,
    /// Events for which no settings file has an entry of ours.
    pub unwired: Vec<&'static str>,
    changes: Vec<FileChange>,
}

/// Dead entries that are left as they are.
#[derive(Debug)]
pub struct Left {
    /// Whose settings they are in.
    pub scope: Scope,
    /// The checkout whose settings they are; any of them for the user's own.
    pub root: PathBuf,
    /// The file.
    pub path: PathBuf,
    /// The entries.
    pub dead: Vec<Wired>,
    /// Why it can't be edited; `None` for a file that this machine did not write.
    pub why: Option<Refusal>,
}

/// Plans to wire entries whose program is gone to the one in the folder `binaries`. Reads only.
pub fn plan_relink(env: &Environment, project: &Project, binaries: &Path) -> Result<Relink, Refusal> {
    let home = SixHome::resolve(env)?;
    let place = Place::of(project);
    let manifests = Manifests::read(&home, &Identity::Kept(project.id.clone()), place.key())?;
    let entries = hook_entries(binaries)?;
    let claude = claude_dir(env);
    let main = ingest::Place::gather(project, env).main;
    let (mut relink, mut seen) = (Relink::default(), Vec::new());
    for (scope, root, path) in settings_of([&project.root, &main], claude.as_deref()) {
        let present = entries_in(&path);
        seen.extend(present.iter().map(|wired| wired.event.clone()));
        let dead: Vec<Wired> = present.into_iter().filter(is_dead).collect();
        let wanted: Vec<_> =
            entries.iter().filter(|entry| dead.iter().any(|wired| wired.event == entry.event)).cloned().collect();
        if wanted.is_empty() {
            continue;
        }
        let why = match plan_wiring(&path, &wanted) {
            _ if !manifests.lists(&path) => None,
            // The shell's quotes hide a program that is there.
            Ok(WiringPlan { change: None, .. }) => continue,
            Ok(WiringPlan { change: Some(change), repaired, .. }) => {
                relink.wired.push(Wiring { path, added: Vec::new(), repaired });
                relink.changes.push(change);
                continue;
            }
            Err(why) => Some(why),
        };
        relink.left.push(Left { scope, root, path, dead, why });
    }
    relink.unwired =
        HOOKS.iter().map(|hook| hook.event).filter(|event| !seen.iter().any(|seen| seen == event)).collect();
    Ok(relink)
}

/// Does it, under the lock of all installs; recorded in the manifest, with a copy of each file as it was.
pub fn apply_relink(
    env: &Environment,
    project: &Project,
    binaries: &Path,
    now: UnixMs,
) -> Result<Relink, InstallError> {
    let home = SixHome::resolve(env).map_err(Refusal::from)?;
    let _lock = machine::lock(&home).map_err(Refusal::from)?;
    let relink = plan_relink(env, project, binaries)?;
    if !relink.changes.is_empty() {
        let place = Place::of(project);
        let target = Target { env, home: &home, store_dir: &project.store_dir, place: place.key() };
        record(&target, &relink.changes, |_, _| {})?;
        write_all(&target, &relink.changes, now)?;
    }
    Ok(relink)
}

/// Every settings file that a session in the first folder reads, with the checkout that it is of: a session in a worktree
/// reads those of the main checkout, too.
fn settings_of(roots: [&Path; 2], claude: Option<&Path>) -> Vec<(Scope, PathBuf, PathBuf)> {
    let mut files: Vec<(Scope, PathBuf, PathBuf)> = Vec::new();
    for scope in [Scope::Local, Scope::Project, Scope::User] {
        for root in roots {
            let path = scope.settings_path(root, claude);
            let new = path.filter(|path| files.iter().all(|(.., known)| known != path));
            files.extend(new.map(|path| (scope, root.to_owned(), path)));
        }
    }
    files
}

/// The program may stand in quotes, where a shell is to start it.
fn is_dead(wired: &Wired) -> bool {
    !Path::new(wired.command.trim_matches(['"', '\''])).is_file()
}
