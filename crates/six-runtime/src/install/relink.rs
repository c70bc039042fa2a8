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
use super::settings::{entries_in, plan_repair};
use crate::home::{Environment, SixHome};
use crate::project::identity::Project;
use six_core::event::settings::Wired;
use six_core::record::UnixMs;
use std::path::{Path, PathBuf};

/// What becomes, or became, of the entries of a project's hooks.
#[derive(Debug, Default)]
pub struct Relink {
    /// Settings files with the entries that are wired to the programs that are there.
    pub wired: Vec<Wiring>,
    /// Settings files whose dead entries are left as they are: this machine did not write them, or they can't be edited.
    pub left: Vec<(Scope, PathBuf, Vec<Wired>)>,
    /// Events for which no settings file has an entry of ours.
    pub unwired: Vec<&'static str>,
    changes: Vec<FileChange>,
}

/// Plans to wire entries whose program is gone to the one in the folder `binaries`. Reads only.
pub fn plan_relink(env: &Environment, project: &Project, binaries: &Path) -> Result<Relink, Refusal> {
    let home = SixHome::resolve(env)?;
    let place = Place::of(project);
    let manifests = Manifests::read(&home, &Identity::Kept(project.id.clone()), place.key())?;
    let entries = hook_entries(binaries)?;
    let claude = claude_dir(env);
    let scopes = [Scope::Local, Scope::Project, Scope::User];
    let paths =
        scopes.iter().filter_map(|scope| Some((*scope, scope.settings_path(&project.root, claude.as_deref())?)));
    let (mut relink, mut seen) = (Relink::default(), Vec::new());
    for (scope, path) in paths {
        let present = entries_in(&path);
        seen.extend(present.iter().map(|wired| wired.event.clone()));
        let dead: Vec<Wired> = present.into_iter().filter(is_dead).collect();
        let wanted: Vec<_> =
            entries.iter().filter(|entry| dead.iter().any(|wired| wired.event == entry.event)).cloned().collect();
        if wanted.is_empty() {
            continue;
        }
        match plan_repair(&path, &wanted).filter(|_| manifests.lists(&path)) {
            Some((change, repaired)) => {
                relink.wired.push(Wiring { path, added: Vec::new(), repaired });
                relink.changes.push(change);
            }
            None => relink.left.push((scope, path, dead)),
        }
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

/// The program may stand in quotes, where a shell is to start it.
fn is_dead(wired: &Wired) -> bool {
    !Path::new(wired.command.trim_matches(['"', '\''])).is_file()
}
