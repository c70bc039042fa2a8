//! Gathers what adoption compares: the one part of identity that asks git.

use super::adopt::RootFacts;
use super::identity::{common_dir_of, id_held_by};
use super::remote::{Remote, parse_remote};
use crate::git::{Git, GitError};
use std::path::Path;

/// The facts of the repository whose work tree is `root`.
pub fn gather_root_facts(git: &Git, root: &Path) -> Result<RootFacts, GitError> {
    let remote = git.remote_url()?.as_deref().and_then(parse_remote).map(|remote| absolute(remote, root));
    let remote_id = match &remote {
        Some(Remote::Local(folder)) => {
            let common_dir = common_dir_of(Path::new(folder));
            common_dir.and_then(|common_dir| id_held_by(&common_dir).ok().flatten())
        }
        _ => None,
    };
    Ok(RootFacts { root_commit: git.root_commit()?, shallow: git.is_shallow()?, remote, remote_id })
}

/// A folder's name as seen from anywhere: relative ones start at the work tree, and links are followed.
fn absolute(remote: Remote, root: &Path) -> Remote {
    match remote {
        Remote::Local(folder) => {
            let folder = root.join(folder);
            let folder = folder.canonicalize().unwrap_or(folder);
            Remote::Local(folder.to_string_lossy().into_owned())
        }
        hosted @ Remote::Hosted(_) => hosted,
    }
}
