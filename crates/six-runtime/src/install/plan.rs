//! Plans an install: what would be written where, or why nothing is.

use super::binaries::hook_entries;
use super::change::FileChange;
use super::exclude::plan_exclude;
use super::host::{Scope, claude_dir, memory_folder};
use super::machine;
use super::manifest::Manifest;
use super::place::{Place, find_place};
use super::refusal::Refusal;
use super::seed::plan_seeds;
use super::settings::{entries_in, plan_repair, plan_wiring};
use crate::git::Git;
use crate::home::{Environment, SixHome};
use crate::project::adopt::{Adoption, RootFacts, judge_adoption};
use crate::project::facts::gather_root_facts;
use six_core::event::settings::{HookEntry, Wired};
use six_core::record::ProjectId;
use std::path::{Path, PathBuf};

/// What is asked for.
#[derive(Debug, Clone, Copy)]
pub struct Request<'a> {
    /// The environment.
    pub env: &'a Environment,
    /// An absolute path of the project, or of a folder in it.
    pub start: &'a Path,
    /// Where the hooks are wired.
    pub scope: Scope,
    /// The folder of the hook binaries, from [`find_binaries`](super::find_binaries).
    pub binaries: &'a Path,
    /// Whether conventions are seeded.
    pub templates: bool,
}

/// Which identity the project has or gets.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Identity {
    /// It has one.
    Kept(ProjectId),
    /// It gets one.
    Given(Adoption),
}

/// The hooks in one settings file.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Wiring {
    /// The settings file.
    pub path: PathBuf,
    /// Entries that are added.
    pub added: Vec<Wired>,
    /// Entries whose path or arguments are put right.
    pub repaired: Vec<Wired>,
}

/// What a person should know besides.
#[derive(Debug)]
pub enum Note {
    /// The project has a `CLAUDE.md` of its own, which stays as it is.
    OwnConstitution(PathBuf),
    /// A convention can't be seeded.
    NotSeeded(Refusal),
    /// The local settings can't be kept out of commits.
    NotExcluded(Refusal),
    /// Hooks of ours are wired in another settings file as well.
    AlsoWired(PathBuf),
    /// The shared settings hold paths of this machine.
    SharedPath(PathBuf),
}

/// What an install would do.
#[derive(Debug)]
pub struct InstallPlan {
    /// The root of the project.
    pub root: PathBuf,
    /// Its common directory; `None` without git.
    pub common_dir: Option<PathBuf>,
    /// Its identity.
    pub identity: Identity,
    /// Where the hooks are wired.
    pub scope: Scope,
    /// The settings file of the scope first; after it those of earlier installs with a stale path.
    pub wirings: Vec<Wiring>,
    /// Every file that is written outside our own folder, in the order of writing: settings last, so that no hook
    /// starts before all else is there.
    pub changes: Vec<FileChange>,
    /// What a person should know besides.
    pub notes: Vec<Note>,
    /// What git says about the origin of the project.
    pub(super) facts: RootFacts,
}

impl InstallPlan {
    /// The manifest that a change is recorded in: files in the user's own settings belong to all projects.
    pub(super) fn is_of_machine(change: &FileChange, env: &Environment) -> bool {
        user_settings(env).is_some_and(|path| path == change.path)
    }
}

pub(super) fn user_settings(env: &Environment) -> Option<PathBuf> {
    Scope::User.settings_path(Path::new("/"), claude_dir(env).as_deref())
}

/// Plans an install. Reads only.
pub fn plan(request: &Request<'_>) -> Result<InstallPlan, Refusal> {
    let home = SixHome::resolve(request.env)?;
    let place = find_place(request.env, request.start)?;
    let (identity, facts) = gather_identity(&home, &place)?;
    let manifests = Manifests::read(&home, &identity, place.key())?;
    let entries = hook_entries(request.binaries)?;
    let claude_dir = claude_dir(request.env);
    let settings = request.scope.settings_path(&place.root, claude_dir.as_deref()).ok_or(Refusal::NoHostFolder)?;
    let mut plan = InstallPlan {
        root: place.root.clone(),
        common_dir: place.common_dir.clone(),
        identity,
        scope: request.scope,
        wirings: Vec::new(),
        changes: Vec::new(),
        notes: Vec::new(),
        facts,
    };
    let wired = plan_wiring(&settings, &entries)?;
    if request.templates {
        let folder = claude_dir.as_deref().map(|dir| memory_folder(dir, &place.root, place.common_dir.as_deref()));
        let seeds = plan_seeds(&place.root, folder.as_deref(), &manifests.project);
        plan.changes.extend(seeds.changes);
        plan.notes.extend(seeds.constitution.map(Note::OwnConstitution));
        plan.notes.extend(seeds.impossible.into_iter().map(Note::NotSeeded));
    }
    let is_new = wired.change.as_ref().is_some_and(|change| change.before.is_none());
    if let (Scope::Local, Some(common_dir), true) = (request.scope, &place.common_dir, is_new) {
        match plan_exclude(&place.root, common_dir) {
            Ok(change) => plan.changes.extend(change),
            Err(refusal) => plan.notes.push(Note::NotExcluded(refusal)),
        }
    }
    if request.scope == Scope::Project {
        plan.notes.push(Note::SharedPath(settings.clone()));
    }
    plan.wirings.push(Wiring { path: settings.clone(), added: wired.added, repaired: wired.repaired });
    plan.changes.extend(wired.change);
    plan.add_others(&settings, &entries, &manifests, claude_dir.as_deref());
    drop_repeated_folders(&mut plan.changes);
    Ok(plan)
}

impl InstallPlan {
    /// The settings files of the other scopes. Only one that we wrote on this machine is put right: the path in a file
    /// that a team shares may be right on another one.
    fn add_others(&mut self, own: &Path, entries: &[HookEntry], manifests: &Manifests, claude_dir: Option<&Path>) {
        let scopes = [Scope::Local, Scope::Project, Scope::User];
        let paths = scopes.iter().filter_map(|scope| scope.settings_path(&self.root, claude_dir));
        for path in paths.filter(|path| path != own) {
            if entries_in(&path).is_empty() {
                continue;
            }
            if manifests.lists(&path)
                && let Some((change, repaired)) = plan_repair(&path, entries)
            {
                self.wirings.push(Wiring { path: path.clone(), added: Vec::new(), repaired });
                self.changes.push(change);
            }
            self.notes.push(Note::AlsoWired(path));
        }
    }
}

/// Each folder is made once, for the first file that needs it.
fn drop_repeated_folders(changes: &mut [FileChange]) {
    let mut seen: Vec<PathBuf> = Vec::new();
    for change in changes {
        change.folders.retain(|folder| !seen.contains(folder));
        seen.extend(change.folders.iter().cloned());
    }
}

pub(super) struct Manifests {
    project: Manifest,
    machine: Manifest,
}

impl Manifests {
    pub(super) fn read(home: &SixHome, identity: &Identity, place: &Path) -> Result<Self, Refusal> {
        let project = match identity {
            Identity::Kept(id) | Identity::Given(Adoption::Adopt(id)) => {
                Manifest::read_for(&home.projects_dir(id), place)?
            }
            Identity::Given(_) => Manifest::default(),
        };
        Ok(Self { project, machine: Manifest::read(&machine::manifest_path(home))? })
    }

    pub(super) fn lists(&self, path: &Path) -> bool {
        self.project.file(path).or_else(|| self.machine.file(path)).is_some()
    }
}

/// Judges the identity as [`enrol`](crate::project::enrol::enrol) will. Without git, or when git gives no answer,
/// nothing is known about the origin, and the project is a new one.
fn gather_identity(home: &SixHome, place: &Place) -> Result<(Identity, RootFacts), Refusal> {
    let facts = match &place.common_dir {
        Some(_) => gather_root_facts(&Git::new(&place.root), &place.root).unwrap_or_default(),
        None => RootFacts::default(),
    };
    let identity = match &place.id {
        Some(id) => Identity::Kept(id.clone()),
        None => Identity::Given(judge_adoption(&place.root, &facts, &machine::registry(home)?.known())),
    };
    Ok((identity, facts))
}
