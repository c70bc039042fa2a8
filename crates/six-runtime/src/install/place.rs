//! The folder that an install is about.

use super::refusal::Refusal;
use crate::home::Environment;
use crate::project::identity::{Located, NotInstalled, Project, locate_at};
use six_core::record::ProjectId;
use std::path::{Path, PathBuf};

/// A folder that has a memory or can get one.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) struct Place {
    /// Its canonical root.
    pub root: PathBuf,
    /// Its canonical common directory; `None` without git.
    pub common_dir: Option<PathBuf>,
    /// The identity that it has.
    pub id: Option<ProjectId>,
}

impl Place {
    /// What manifests call it: worktrees of one repository are one place.
    pub(super) fn key(&self) -> &Path {
        self.common_dir.as_deref().unwrap_or(&self.root)
    }

    pub(super) fn of(project: &Project) -> Self {
        Self { root: project.root.clone(), common_dir: project.common_dir.clone(), id: Some(project.id.clone()) }
    }
}

/// The place that a folder belongs to.
pub(super) fn find_place(env: &Environment, start: &Path) -> Result<Place, Refusal> {
    if !start.is_dir() {
        return Err(Refusal::NoFolder(start.to_owned()));
    }
    match locate_at(env, start) {
        Located::Installed(project) => Ok(Place::of(&project)),
        Located::NotInstalled { why: NotInstalled::NoId { git_dir }, root: Some(root) } => {
            Ok(Place { root, common_dir: Some(git_dir), id: None })
        }
        Located::NotInstalled { why: NotInstalled::NoGitNoRegistry, .. } => {
            let root = start.canonicalize().map_err(|_| Refusal::NoFolder(start.to_owned()))?;
            Ok(Place { root, common_dir: None, id: None })
        }
        Located::NotInstalled { why: NotInstalled::NoSixHome(error), .. } => Err(error.into()),
        Located::NotInstalled { why, .. } => Err(Refusal::NotPossible { folder: start.to_owned(), why }),
        Located::Copied { listed, found, .. } => Err(Refusal::Copied { listed, found }),
    }
}
