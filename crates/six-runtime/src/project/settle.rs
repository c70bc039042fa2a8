//! Makes the registry agree with where a project is found now: a move is accepted and the former root becomes an alias.

use super::enrol::REGISTRY_WAIT;
use super::identity::{Project, Standing, id_held_by, is_live, judge_standing};
use super::registry::{Damaged, Entry, HeldIn, LockedRegistry, RegistryError};
use crate::home::SixHome;
use std::path::PathBuf;

/// What [`settle`] found.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Settled {
    /// The registry agrees.
    Listed,
    /// It did not know this place, or lists it anew after a move.
    Changed,
    /// Meanwhile another live directory has been listed: this one is a copy of it.
    Copied {
        /// The directory listed.
        listed: PathBuf,
    },
}

/// Lists a project's common directory, under the registry's lock. Two copies of a project that is gone may both look
/// like the move, so the question is asked again under the lock, and the second is told that it is a copy.
///
/// Costs nothing for a project that is [listed](Standing::Listed). To be called where writing is welcome: session
/// start, worker, commands.
pub fn settle(home: &SixHome, project: &Project, now_unix_ms: i64) -> Result<Settled, RegistryError> {
    let (Some(common_dir), Standing::Unlisted | Standing::Moved { .. }) = (&project.common_dir, &project.standing)
    else {
        return Ok(Settled::Listed);
    };
    let mut locked = LockedRegistry::lock(home, REGISTRY_WAIT, Damaged::Refuse)?;
    let known = locked.registry.projects.get(&project.id);
    let is_merged = matches!(id_held_by(common_dir), Ok(Some(held)) if held != project.id);
    let standing = match judge_standing(known, common_dir, is_live(&project.id)) {
        Ok(standing) => standing,
        Err(_) if is_merged => Standing::Unlisted,
        Err(listed) => return Ok(Settled::Copied { listed }),
    };
    if standing == Standing::Listed {
        return Ok(Settled::Listed);
    }
    let entry = locked.registry.projects.entry(project.id.clone()).or_insert_with(|| Entry::new(now_unix_ms));
    if let Standing::Moved { from } = standing {
        for gone in from {
            entry.unlist(&gone);
        }
    }
    entry.list(common_dir, if is_merged { HeldIn::Registry } else { HeldIn::GitConfig });
    locked.save()?;
    Ok(Settled::Changed)
}
