//! Carries an install out.

use super::change::{FileChange, read_target};
use super::host::{Scope, claude_dir};
use super::machine;
use super::manifest::Manifest;
use super::plan::{InstallPlan, Request, plan};
use super::refusal::Refusal;
use super::store::{StoreState, ensure_store};
use crate::atomic::{AtomicError, create_private_dir, write_atomic, write_atomic_shared};
use crate::home::{Environment, SixHome};
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
    let place = plan.common_dir.as_deref().unwrap_or(&plan.root);
    let target = Target { env: request.env, home: &home, store_dir: &store_dir, place };
    record(&target, &plan.changes, |project, machine| {
        if let Some(edit) = &enrolled.edit {
            project.record_config(edit);
        }
        if plan.scope == Scope::User {
            machine.projects.insert(enrolled.project.id.clone());
        }
    })?;
    let (backups, secretive) = write_all(&target, &plan.changes, now)?;
    Ok(Installed { plan, enrolled, store, backups, secretive })
}

/// Where an install keeps its books.
pub(super) struct Target<'a> {
    pub env: &'a Environment,
    pub home: &'a SixHome,
    pub store_dir: &'a Path,
    /// What the project's manifest calls the folder.
    pub place: &'a Path,
}

/// Enters changes in the manifests, before they are made, with whatever `more` there is to enter.
pub(super) fn record(
    target: &Target<'_>,
    changes: &[FileChange],
    more: impl FnOnce(&mut Manifest, &mut Manifest),
) -> Result<(), InstallError> {
    let project_path = Manifest::path_in(target.store_dir);
    let machine_path = machine::manifest_path(target.home);
    let project_was = Manifest::read_for(target.store_dir, target.place)?;
    let machine_was = Manifest::read(&machine_path)?;
    let (mut project, mut machine) = (project_was.clone(), machine_was.clone());
    // A folder of the host serves all projects, whichever of them it was made for.
    let host_dir = claude_dir(target.env);
    for change in changes {
        if InstallPlan::is_of_machine(change, target.env) {
            machine.record(change, target.home.root());
        } else {
            project.record(change, target.place);
        }
        for folder in &change.folders {
            if host_dir.as_ref().is_some_and(|dir| folder.starts_with(dir)) {
                machine.record_folder(folder, target.home.root());
            } else {
                project.record_folder(folder, target.place);
            }
        }
    }
    more(&mut project, &mut machine);
    if project != project_was {
        project.write(&project_path)?;
    }
    if machine != machine_was {
        machine.write(&machine_path)?;
    }
    KillPoint::InstallRecorded.reach();
    Ok(())
}

/// Makes recorded changes; answers the copies of the files as they were before, and the files without one, which hold
/// secrets.
pub(super) fn write_all(
    target: &Target<'_>,
    changes: &[FileChange],
    now: UnixMs,
) -> Result<(Vec<PathBuf>, Vec<PathBuf>), InstallError> {
    let (mut backups, mut secretive) = (Vec::new(), Vec::new());
    for change in changes {
        let is_of_machine = InstallPlan::is_of_machine(change, target.env);
        let folder = if is_of_machine { target.home.root() } else { target.store_dir }.join("backup");
        if holds_secrets(change) {
            secretive.push(change.path.clone());
        } else {
            backups.extend(back_up(change, &folder, now)?);
        }
        write(change, is_of_machine)?;
        KillPoint::InstallWritten.reach();
    }
    Ok((backups, secretive))
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
