//! Lists everything of ours on this machine.

use super::change::read_target;
use super::host::{Scope, claude_dir};
use super::machine;
use super::manifest::Manifest;
use super::plan::user_settings;
use super::refusal::Refusal;
use super::settings::entries_in;
use crate::home::{Environment, SixHome};
use crate::project::registry::{Entry, root_of_common_dir};
use six_core::event::settings::Wired;
use six_core::record::ProjectId;
use six_core::text::sha256_hex;
use std::collections::{BTreeMap, BTreeSet};
use std::fs;
use std::path::{Path, PathBuf};

/// One project of this machine.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct AuditedProject {
    /// Its identity.
    pub id: ProjectId,
    /// Its folders; none if it was uninstalled and its store kept.
    pub roots: Vec<PathBuf>,
    /// Folders that it had before.
    pub aliases: Vec<PathBuf>,
    /// Its store folder, and how many bytes are in it; `None` if it is gone.
    pub store: Option<(PathBuf, u64)>,
    /// Files outside our folder that were written for it, each with whether it is still as we left it.
    pub files: Vec<(PathBuf, bool)>,
}

/// Everything of ours.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Audit {
    /// Our folder.
    pub home: PathBuf,
    /// Projects, by identity.
    pub projects: Vec<AuditedProject>,
    /// Store folders that no project is known for.
    pub strays: Vec<PathBuf>,
    /// Settings files that start hooks of ours.
    pub settings: Vec<(PathBuf, Vec<Wired>)>,
    /// Binaries that `install.sh` put beside the running one.
    pub binaries: Vec<PathBuf>,
}

/// Looks at everything that the registry, the manifests and the settings of known projects name. Reads only.
pub fn audit(env: &Environment, binaries: &Path) -> Result<Audit, Refusal> {
    let home = SixHome::resolve(env)?;
    let registry = machine::registry(&home)?;
    let mut settings: BTreeSet<PathBuf> = user_settings(env).into_iter().collect();
    let mut projects = Vec::new();
    for (id, entry) in &registry.projects {
        let project = audit_project(id, entry, &home)?;
        let claude_dir = claude_dir(env);
        let scopes = [Scope::Local, Scope::Project];
        settings.extend(
            project
                .roots
                .iter()
                .flat_map(|root| scopes.map(|scope| scope.settings_path(root, claude_dir.as_deref())))
                .flatten(),
        );
        settings.extend(project.files.iter().map(|(path, _)| path.clone()));
        projects.push(project);
    }
    let wired = settings.into_iter().map(|path| (entries_in(&path), path)).filter(|(entries, _)| !entries.is_empty());
    Ok(Audit {
        home: home.root().to_owned(),
        strays: strays(&home, &registry.projects),
        projects,
        settings: wired.map(|(entries, path)| (path, entries)).collect(),
        binaries: machine::installed_binaries(binaries).map(|(_, binaries)| binaries).unwrap_or_default(),
    })
}

fn audit_project(id: &ProjectId, entry: &Entry, home: &SixHome) -> Result<AuditedProject, Refusal> {
    let store_dir = home.projects_dir(id);
    let manifest = Manifest::read(&Manifest::path_in(&store_dir))?;
    let with_git = entry.common_dirs.iter().map(|dir| root_of_common_dir(&dir.path.0).to_owned());
    let files = manifest.files.iter().filter_map(|file| {
        let bytes = read_target(&file.path.0).ok().flatten()?;
        Some((file.path.0.clone(), sha256_hex(&bytes) == file.after))
    });
    Ok(AuditedProject {
        id: id.clone(),
        roots: entry.roots.iter().map(|root| root.0.clone()).chain(with_git).collect(),
        aliases: entry.aliases.iter().map(|alias| alias.0.clone()).collect(),
        files: files.collect(),
        store: store_dir.is_dir().then(|| (store_dir.clone(), size_of(&store_dir))),
    })
}

fn strays(home: &SixHome, known: &BTreeMap<ProjectId, Entry>) -> Vec<PathBuf> {
    let folders = fs::read_dir(home.root().join("projects")).into_iter().flatten().flatten();
    let unknown = folders.filter(|folder| !known.keys().any(|id| folder.file_name() == id.as_str()));
    let mut paths: Vec<PathBuf> = unknown.map(|folder| folder.path()).collect();
    paths.sort();
    paths
}

/// Bytes of all files in a folder; links are not followed.
fn size_of(folder: &Path) -> u64 {
    let entries = fs::read_dir(folder).into_iter().flatten().flatten();
    entries
        .map(|entry| match entry.metadata() {
            Ok(metadata) if metadata.is_dir() => size_of(&entry.path()),
            Ok(metadata) => metadata.len(),
            Err(_) => 0,
        })
        .sum()
}
