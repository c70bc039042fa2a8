//! Takes a memory away again: plans it from the manifests and from what the settings hold, and carries it out.

use super::apply::InstallError;
use super::change::{FileKind, judge_writable, read_target};
use super::host::{Scope, claude_dir};
use super::machine;
use super::manifest::{FileEntry, Manifest};
use super::place::{Place, find_place};
use super::plan::user_settings;
use super::refusal::Refusal;
use super::take_back::{Kept, Outcome, Verdict, judge_take_back};
use crate::atomic::write_atomic_shared;
use crate::home::{Environment, SixHome};
use crate::project::config_file::Removed;
use crate::project::enrol::{StoreFate, retire};
use crate::project::identity::{Located, Project, locate_at};
use crate::prove::remove_left_over;
use six_core::event::settings::HOOK_BINARIES;
use std::fs;
use std::path::{Path, PathBuf};

/// What is asked for.
#[derive(Debug, Clone, Copy)]
pub struct UninstallRequest<'a> {
    /// The environment.
    pub env: &'a Environment,
    /// An absolute path of the project, or of a folder in it.
    pub start: &'a Path,
    /// The folder that the running `six` is in.
    pub binaries: &'a Path,
    /// Whether the store goes too.
    pub purge: bool,
}

/// What an uninstall would do.
#[derive(Debug)]
pub struct UninstallPlan {
    /// The root of the project.
    pub root: PathBuf,
    /// The project; `None` if there is none and only entries in settings are left.
    pub project: Option<Project>,
    /// Files that change.
    pub files: Vec<(PathBuf, Outcome)>,
    /// Files of ours that stay, since the user changed them.
    pub kept: Vec<Kept>,
    /// The user's settings hold entries of ours that other projects rely on: so many.
    pub relied_on_by: usize,
    /// Folders that we made, inner ones first; each goes if it is empty.
    pub folders: Vec<PathBuf>,
    /// Binaries that go, since this is the last project; with the list that names them.
    pub binaries: Vec<PathBuf>,
    /// The store goes: it was asked for, and no other folder shares it.
    pub purge: bool,
    /// Another folder of this machine has the same memory.
    pub is_shared: bool,
    /// No other folder of this machine has a memory.
    pub is_last: bool,
}

/// What an uninstall did.
#[derive(Debug)]
pub struct Uninstalled {
    /// What was planned, all of which is done.
    pub plan: UninstallPlan,
    /// How the identity left the git config.
    pub config: Option<Removed>,
}

/// Plans an uninstall. Reads only.
pub fn plan_uninstall(request: &UninstallRequest<'_>) -> Result<UninstallPlan, Refusal> {
    let home = SixHome::resolve(request.env)?;
    let place = find_place(request.env, request.start)?;
    let project = match locate_at(request.env, request.start) {
        Located::Installed(project) => Some(project),
        _ => None,
    };
    let others = Others::count(&home, &place)?;
    let mut plan = UninstallPlan {
        root: place.root.clone(),
        files: Vec::new(),
        kept: Vec::new(),
        relied_on_by: 0,
        folders: Vec::new(),
        binaries: Vec::new(),
        purge: request.purge && project.is_some() && !others.share_this,
        is_shared: others.share_this,
        is_last: others.installed == 0,
        project,
    };
    let ours = match &plan.project {
        Some(project) => Manifest::read_for(&project.store_dir, place.key())?.split_off(place.key()),
        None => Manifest::default(),
    };
    let claude_dir = claude_dir(request.env);
    for entry in &ours.files {
        plan.add(entry.kind, &entry.path.0, Some(entry))?;
    }
    for scope in [Scope::Local, Scope::Project] {
        let path = scope.settings_path(&place.root, claude_dir.as_deref());
        if let Some(path) = path.filter(|path| ours.file(path).is_none()) {
            plan.add(FileKind::Settings, &path, None)?;
        }
    }
    plan.add_folders(&ours);
    plan.add_machine(request, &home, &others)?;
    if plan.project.is_none() && plan.files.is_empty() {
        return Err(Refusal::NotInstalled(place.root));
    }
    Ok(plan)
}

/// Who else has a memory on this machine.
struct Others {
    /// Live projects besides this one, or this one at another place.
    installed: usize,
    /// Of these, the ones that rely on the user's settings.
    rely_on_user_settings: usize,
    /// This project has another place.
    share_this: bool,
}

impl Others {
    fn count(home: &SixHome, place: &Place) -> Result<Self, Refusal> {
        let registry = machine::registry(home)?;
        let wired = Manifest::read(&machine::manifest_path(home))?;
        let others: Vec<_> = registry
            .projects
            .iter()
            .filter(|(id, entry)| match &place.id {
                Some(own) if own == *id => machine::lives_elsewhere(entry, place.key()),
                _ => machine::is_live(entry),
            })
            .map(|(id, _)| id)
            .collect();
        // Without a manifest nobody knows who relies on the user's settings, so everybody may.
        let is_known = !wired.projects.is_empty();
        Ok(Self {
            installed: others.len(),
            rely_on_user_settings: others.iter().filter(|id| !is_known || wired.projects.contains(**id)).count(),
            share_this: others.iter().any(|id| place.id.as_ref() == Some(*id)),
        })
    }
}

impl UninstallPlan {
    fn add(&mut self, kind: FileKind, path: &Path, entry: Option<&FileEntry>) -> Result<(), Refusal> {
        let now = match read_target(path) {
            Ok(Some(now)) => now,
            Ok(None) => return Ok(()),
            // What the host can't read either starts no hook.
            Err(_) if entry.is_none() => return Ok(()),
            Err(refusal) => return Err(refusal),
        };
        match judge_take_back(kind, entry, &now) {
            Ok(Verdict::Nothing) => {}
            Ok(Verdict::Keep) => self.kept.push(Kept(path.to_owned())),
            Ok(Verdict::Change(outcome)) => {
                judge_writable(path)?;
                self.files.push((path.to_owned(), outcome));
            }
            Err(_) if !names_a_hook(&now) => {}
            Err(fault) => return Err(Refusal::Settings { path: path.to_owned(), fault }),
        }
        Ok(())
    }

    fn add_folders(&mut self, manifest: &Manifest) {
        self.folders.extend(manifest.folders.iter().rev().map(|entry| entry.path.0.clone()));
    }

    fn add_machine(&mut self, request: &UninstallRequest<'_>, home: &SixHome, others: &Others) -> Result<(), Refusal> {
        let manifest = Manifest::read(&machine::manifest_path(home))?;
        let settings = user_settings(request.env);
        if others.rely_on_user_settings > 0 {
            let is_wired = settings.is_some_and(|path| !super::settings::entries_in(&path).is_empty());
            self.relied_on_by = if is_wired { others.rely_on_user_settings } else { 0 };
        } else {
            for entry in &manifest.files {
                self.add(entry.kind, &entry.path.0, Some(entry))?;
            }
            if let Some(path) = settings.filter(|path| manifest.file(path).is_none()) {
                self.add(FileKind::Settings, &path, None)?;
            }
        }
        self.add_folders(&manifest);
        if others.installed == 0
            && let Some((receipt, binaries)) = machine::installed_binaries(request.binaries)
        {
            self.binaries.extend(binaries);
            self.binaries.push(receipt);
        }
        Ok(())
    }
}

/// Whether a text that can't be parsed may start a hook of ours once it is put right.
fn names_a_hook(text: &[u8]) -> bool {
    let text = String::from_utf8_lossy(text);
    HOOK_BINARIES.iter().any(|(_, binary)| text.contains(binary))
}

/// Takes the memory away. The hooks go first; the identity and the manifest go last, so that an uninstall that was cut
/// short can be run again.
pub fn apply_uninstall(request: &UninstallRequest<'_>) -> Result<Uninstalled, InstallError> {
    plan_uninstall(request)?;
    let home = SixHome::resolve(request.env).map_err(Refusal::from)?;
    let lock = machine::lock(&home).map_err(Refusal::from)?;
    let plan = plan_uninstall(request)?;
    for (path, outcome) in &plan.files {
        match outcome {
            Outcome::Restored(bytes) | Outcome::Cut(bytes) => write_atomic_shared(path, bytes)?,
            Outcome::Removed => remove(path)?,
        }
    }
    for folder in &plan.folders {
        // One that holds something is the user's by now.
        let _ = fs::remove_dir(folder);
    }
    forget_on_machine(&home, &plan)?;
    let config = match &plan.project {
        Some(project) => Some(take_away(&home, project, plan.purge)?),
        None => None,
    };
    for binary in &plan.binaries {
        remove(binary)?;
    }
    drop(lock);
    if plan.purge {
        remove_left_over(home.root());
        remove_empty_home(&home);
    }
    Ok(Uninstalled { plan, config })
}

fn forget_on_machine(home: &SixHome, plan: &UninstallPlan) -> Result<(), InstallError> {
    let path = machine::manifest_path(home);
    let before = Manifest::read(&path)?;
    let mut manifest = before.clone();
    if let Some(project) = plan.project.as_ref().filter(|_| !plan.is_shared) {
        manifest.projects.remove(&project.id);
    }
    if plan.relied_on_by == 0 {
        manifest.files.clear();
    }
    manifest.folders.retain(|folder| folder.path.0.is_dir());
    if plan.is_last {
        // What is left in them is not ours.
        manifest.folders.clear();
    }
    if manifest.is_empty() {
        remove(&path)?;
        let backup = home.root().join("backup");
        remove_backups(&backup, &before);
        let _ = fs::remove_dir(backup);
    } else if manifest != before {
        manifest.write(&path)?;
    }
    Ok(())
}

fn take_away(home: &SixHome, project: &Project, purge: bool) -> Result<Removed, InstallError> {
    let path = Manifest::path_in(&project.store_dir);
    let place = Place::of(project);
    let mut manifest = Manifest::read_for(&project.store_dir, place.key())?;
    let edit = place.common_dir.as_deref().and_then(|dir| manifest.config_edit(dir)).cloned();
    let ours = manifest.split_off(place.key());
    let fate = if purge { StoreFate::Purged } else { StoreFate::Kept };
    let retired = retire(home, project, edit.as_ref(), fate)?;
    if manifest.is_empty() {
        remove(&path)?;
    } else {
        manifest.write(&path)?;
    }
    remove_backups(&project.store_dir.join("backup"), &ours);
    if purge && project.store_dir.is_dir() {
        let failed = |source| InstallError::Io { path: project.store_dir.clone(), source };
        fs::remove_dir_all(&project.store_dir).map_err(failed)?;
    }
    Ok(retired.config)
}

/// The copies of files that have been put back: they may hold what the user keeps in his settings, and serve no more.
fn remove_backups(folder: &Path, of: &Manifest) {
    let names: Vec<_> = of.files.iter().filter_map(|entry| entry.path.0.file_name()?.to_str()).collect();
    for copy in fs::read_dir(folder).into_iter().flatten().flatten() {
        let name = copy.file_name();
        let original = name.to_str().and_then(|name| name.rsplit_once('-')).map(|(original, _)| original);
        if original.is_some_and(|original| names.contains(&original)) {
            let _ = fs::remove_file(copy.path());
        }
    }
}

/// After the last purge nothing of ours is left on the machine. A folder that holds more stays.
fn remove_empty_home(home: &SixHome) {
    let is_unused = machine::registry(home).is_ok_and(|registry| registry.projects.is_empty());
    let projects = home.root().join("projects");
    if !is_unused || (projects.exists() && fs::remove_dir(&projects).is_err()) {
        return;
    }
    for file in [home.registry_path(), home.registry_path().with_extension("lock"), machine::lock_path(home)] {
        let _ = fs::remove_file(file);
    }
    let _ = fs::remove_dir(home.root());
}

fn remove(path: &Path) -> Result<(), InstallError> {
    match fs::remove_file(path) {
        Err(error) if error.kind() != std::io::ErrorKind::NotFound => {
            Err(InstallError::Io { path: path.to_owned(), source: error })
        }
        _ => Ok(()),
    }
}
