//! Carries an install out.

use super::change::{FileChange, read_target};
use super::host::{Scope, claude_dir};
use super::machine;
use super::manifest::Manifest;
use super::plan::{InstallPlan, Request, plan};
use super::refusal::Refusal;
use super::store::{StoreState, ensure_store};
use crate::atomic::{AtomicError, create_private_dir, write_atomic, write_atomic_shared};
use crate::home::SixHome;
use crate::project::enrol::{EnrolError, Enrolled, Wish, enrol};
use six_core::record::UnixMs;
use six_core::text::Redactor;
use six_store::{KillPoint, StoreError};
use std::path::{Path, PathBuf};

/// What an install did.
#[derive(Debug)]
pub struct Installed {
    /// What was planned, all of which is done.
    pub plan: InstallPlan,
    /// The identity.
    pub enrolled: Enrolled,
    /// The store.
    pub store: StoreState,
    /// Copies of the files that were changed, as they were before.
    pub backups: Vec<PathBuf>,
    /// Files that were changed without a copy: they hold secrets, and our folder holds none. The manifest says which bytes
    /// are ours, so that they can be taken out all the same.
    pub secretive: Vec<PathBuf>,
}

/// Why an install, or an uninstall, was not carried out to its end. Run again, it goes on.
#[derive(Debug, thiserror::Error)]
pub enum InstallError {
    /// Nothing was changed.
    #[error(transparent)]
    Refused(#[from] Refusal),
    /// No identity could be given or taken away.
    #[error(transparent)]
    Identity(#[from] EnrolError),
    /// The store can't be made or brought up to date.
    #[error("the store {} can't be used: {why}", path.display())]
    Store {
        /// The store.
        path: PathBuf,
        /// Why.
        why: StoreError,
    },
    /// A file can't be written.
    #[error(transparent)]
    Write(#[from] AtomicError),
    /// A folder can't be made, or a file can't be removed.
    #[error("{}: {source}", path.display())]
    Io {
        /// The folder or file.
        path: PathBuf,
        /// What the system said.
        source: std::io::Error,
    },
    /// Somebody changed a file between the look at it and the writing.
    #[error("{} was changed by another program just now", .0.display())]
    Changed(PathBuf),
}

/// Installs, or completes and repairs an install that is there. Doing it twice changes nothing.
///
/// It is planned first, so that a refusal comes before anything is made, and again under the lock, so that the second of
/// two installs sees what the first one did. What will be written is entered in the manifest before it is written.
pub fn apply(request: &Request<'_>, now: UnixMs) -> Result<Installed, InstallError> {
    plan(request)?;
    let home = SixHome::resolve(request.env).map_err(Refusal::from)?;
    let _lock = machine::lock(&home).map_err(Refusal::from)?;
    let plan = plan(request)?;
    let enrolled = enrol(request.env, request.start, &plan.facts, &Wish::Judge, now.0)?;
    KillPoint::InstallEnrolled.reach();
    let store_dir = enrolled.project.store_dir.clone();
    let store =
        ensure_store(&store_dir, now).map_err(|why| InstallError::Store { path: store_dir.join("memory.db"), why })?;
    record(&home, request, &plan, &enrolled)?;
    KillPoint::InstallRecorded.reach();
    let (mut backups, mut secretive) = (Vec::new(), Vec::new());
    for change in &plan.changes {
        let is_of_machine = InstallPlan::is_of_machine(change, request.env);
        let folder = if is_of_machine { home.root().join("backup") } else { store_dir.join("backup") };
        if holds_secrets(change) {
            secretive.push(change.path.clone());
        } else {
            backups.extend(back_up(change, &folder, now)?);
        }
        write(change, is_of_machine)?;
        KillPoint::InstallWritten.reach();
    }
    Ok(Installed { plan, enrolled, store, backups, secretive })
}

fn record(home: &SixHome, request: &Request<'_>, plan: &InstallPlan, enrolled: &Enrolled) -> Result<(), InstallError> {
    let project_path = Manifest::path_in(&enrolled.project.store_dir);
    let machine_path = machine::manifest_path(home);
    let place = plan.common_dir.as_deref().unwrap_or(&plan.root);
    let project_was = Manifest::read_for(&enrolled.project.store_dir, place)?;
    let machine_was = Manifest::read(&machine_path)?;
    let (mut project, mut machine) = (project_was.clone(), machine_was.clone());
    // A folder of the host serves all projects, whichever of them it was made for.
    let host_dir = claude_dir(request.env);
    for change in &plan.changes {
        if InstallPlan::is_of_machine(change, request.env) {
            machine.record(change, home.root());
        } else {
            project.record(change, place);
        }
        for folder in &change.folders {
            if host_dir.as_ref().is_some_and(|dir| folder.starts_with(dir)) {
                machine.record_folder(folder, home.root());
            } else {
                project.record_folder(folder, place);
            }
        }
    }
    if let Some(edit) = &enrolled.edit {
        project.record_config(edit);
    }
    if plan.scope == Scope::User {
        machine.projects.insert(enrolled.project.id.clone());
    }
    if project != project_was {
        project.write(&project_path)?;
    }
    if machine != machine_was {
        machine.write(&machine_path)?;
    }
    Ok(())
}

fn holds_secrets(change: &FileChange) -> bool {
    let before = change.before.as_deref().map(String::from_utf8_lossy);
    before.is_some_and(|before| Redactor::new().redact(&before).as_str() != before)
}

fn back_up(change: &FileChange, folder: &Path, now: UnixMs) -> Result<Option<PathBuf>, InstallError> {
    let Some(before) = &change.before else { return Ok(None) };
    create_private_dir(folder).map_err(|source| InstallError::Io { path: folder.to_owned(), source })?;
    let name = change.path.file_name().unwrap_or_default().to_string_lossy();
    let path = folder.join(format!("{name}-{}", now.0));
    write_atomic(&path, before)?;
    Ok(Some(path))
}

fn write(change: &FileChange, is_private: bool) -> Result<(), InstallError> {
    if read_target(&change.path)? != change.before {
        return Err(InstallError::Changed(change.path.clone()));
    }
    if let Some(folder) = change.path.parent() {
        std::fs::create_dir_all(folder).map_err(|source| InstallError::Io { path: folder.to_owned(), source })?;
    }
    let write = if is_private { write_atomic } else { write_atomic_shared };
    Ok(write(&change.path, &change.after)?)
}
