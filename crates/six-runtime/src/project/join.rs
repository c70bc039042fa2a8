//! Two projects become one: the places of the one lead to the other from then on, and so does its identity.

use super::config_file::write_id;
use super::enrol::{CONFIG_WAIT, REGISTRY_WAIT};
use super::registry::{Damaged, Entry, HeldIn, LockedRegistry, RegistryError, root_of_common_dir};
use crate::home::SixHome;
use six_core::record::ProjectId;
use std::path::{Path, PathBuf};

/// The places that a project got, as manifests name them: common directories, and roots without git.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Joined(pub Vec<PathBuf>);

/// Gives all places of `other` to `id`, and lets its identity stand for `id`: a folder that still holds it (a config that
/// can't be written, a disk that is not mounted) belongs to `id` as well. Doing it twice changes nothing.
///
/// The registry is written first. From then on every place is found; the git configs follow, so that it holds without the
/// registry too.
pub fn join(home: &SixHome, id: &ProjectId, other: &ProjectId, now_unix_ms: i64) -> Result<Joined, RegistryError> {
    let mut locked = LockedRegistry::lock(home, REGISTRY_WAIT, Damaged::Refuse)?;
    let theirs = locked.registry.projects.remove(other).unwrap_or_default();
    let entry = locked.registry.projects.entry(id.clone()).or_insert_with(|| Entry::new(now_unix_ms));
    let with_git = take_places(entry, &theirs);
    for former in theirs.merged.iter().chain([other]) {
        if !entry.merged.contains(former) {
            entry.merged.push(former.clone());
        }
    }
    entry.root_commit = entry.root_commit.take().or(theirs.root_commit);
    entry.remote = entry.remote.take().or(theirs.remote);
    locked.save()?;
    if let Some(entry) = locked.registry.projects.get_mut(id) {
        for common_dir in &with_git {
            if write_id(common_dir, id, CONFIG_WAIT).is_ok() {
                entry.list(common_dir, HeldIn::GitConfig);
            }
        }
    }
    locked.save()?;
    Ok(Joined(theirs.roots.into_iter().map(|root| root.0).chain(with_git).collect()))
}

/// Answers the common directories that are there.
fn take_places(entry: &mut Entry, theirs: &Entry) -> Vec<PathBuf> {
    let is_there = |path: &Path| path.is_dir();
    let (here, gone): (Vec<_>, Vec<_>) =
        theirs.common_dirs.iter().map(|listed| listed.path.0.clone()).partition(|path| is_there(path));
    for root in &theirs.roots {
        if !entry.roots.contains(root) {
            entry.roots.push(root.clone());
        }
        entry.aliases.retain(|alias| alias != root);
    }
    for common_dir in &here {
        entry.list(common_dir, HeldIn::Registry);
    }
    let former = theirs.aliases.iter().map(AsRef::as_ref);
    for alias in gone.iter().map(|path| root_of_common_dir(path)).chain(former) {
        let is_root = entry.roots.iter().any(|root| root.as_ref() == alias)
            || entry.common_dirs.iter().any(|listed| root_of_common_dir(listed.path.as_ref()) == alias);
        if !is_root {
            entry.alias(alias);
        }
    }
    here
}

#[cfg(unix)]
#[cfg(test)]
mod tests {
    use super::*;
    use crate::project::adopt::RootFacts;
    use crate::project::enrol::{Wish, enrol};
    use crate::project::identity::{Located, Project, Standing, locate_at};
    use crate::project::registry::Registry;
    use crate::project::scratch::Scratch;
    use crate::project::settle::{Settled, settle};
    use std::fs;

    fn install(scratch: &Scratch, root: &Path) -> Project {
        enrol(&scratch.env(), root, &RootFacts::default(), &Wish::Judge, 1).unwrap().project
    }

    fn located(scratch: &Scratch, root: &Path) -> Project {
        match locate_at(&scratch.env(), root) {
            Located::Installed(project) => project,
            other => panic!("{other:?}"),
        }
    }

    fn entry(scratch: &Scratch, id: &ProjectId) -> Entry {
        Registry::read(&scratch.six_home().registry_path()).unwrap().projects[id].clone()
    }

    #[test]
    fn every_place_of_the_other_project_leads_to_this_one() {
        let scratch = Scratch::new();
        let (one, two, plain) = (scratch.repository("one"), scratch.repository("two"), scratch.folder("plain"));
        let (here, other, third) = (install(&scratch, &one), install(&scratch, &two), install(&scratch, &plain));
        join(&scratch.six_home(), &here.id, &other.id, 2).unwrap();
        let joined = join(&scratch.six_home(), &here.id, &third.id, 2).unwrap();
        assert_eq!(joined.0, std::slice::from_ref(&plain));
        for root in [&one, &two, &plain] {
            let project = located(&scratch, root);
            assert_eq!((&project.id, &project.store_dir), (&here.id, &here.store_dir));
            assert_eq!(project.standing, Standing::Listed);
        }
        assert_eq!(scratch.git(&two, &["config", "six.id"]), here.id.as_str());
        assert_eq!(entry(&scratch, &here.id).merged, [other.id.clone(), third.id.clone()]);
        let before = fs::read(scratch.six_home().registry_path()).unwrap();
        join(&scratch.six_home(), &here.id, &other.id, 3).unwrap();
        assert_eq!(fs::read(scratch.six_home().registry_path()).unwrap(), before, "twice is once");
    }

    #[test]
    fn a_folder_that_comes_back_later_belongs_to_it_too() {
        let scratch = Scratch::new();
        let (one, two) = (scratch.repository("one"), scratch.repository("two"));
        let (here, other) = (install(&scratch, &one), install(&scratch, &two));
        let away = scratch.base().join("away");
        fs::rename(&two, &away).unwrap();
        join(&scratch.six_home(), &here.id, &other.id, 2).unwrap();
        assert_eq!(entry(&scratch, &here.id).aliases[0].as_ref(), two);
        fs::rename(&away, &two).unwrap();
        let back = located(&scratch, &two);
        assert_eq!((&back.id, &back.standing), (&here.id, &Standing::Unlisted));
        assert_eq!(settle(&scratch.six_home(), &back, 3).unwrap(), Settled::Changed);
        assert_eq!(located(&scratch, &two).standing, Standing::Listed);
        assert_eq!(located(&scratch, &one).standing, Standing::Listed);
        assert!(entry(&scratch, &here.id).aliases.is_empty());
    }

    #[test]
    fn a_config_that_can_not_be_written_leaves_the_answer_to_the_registry() {
        let scratch = Scratch::new();
        let (one, two) = (scratch.repository("one"), scratch.repository("two"));
        let (here, other) = (install(&scratch, &one), install(&scratch, &two));
        let config = two.join(".git/config");
        let mut permissions = fs::metadata(&config).unwrap().permissions();
        permissions.set_readonly(true);
        fs::set_permissions(&config, permissions).unwrap();
        join(&scratch.six_home(), &here.id, &other.id, 2).unwrap();
        assert_eq!(scratch.git(&two, &["config", "six.id"]), other.id.as_str());
        let project = located(&scratch, &two);
        assert_eq!((project.id, project.standing), (here.id, Standing::Listed));
    }

    #[test]
    fn what_was_merged_into_the_other_one_comes_along() {
        let scratch = Scratch::new();
        let [a, b, c] = ["a", "b", "c"].map(|name| install(&scratch, &scratch.repository(name)).id);
        join(&scratch.six_home(), &b, &a, 2).unwrap();
        join(&scratch.six_home(), &c, &b, 3).unwrap();
        let registry = Registry::read(&scratch.six_home().registry_path()).unwrap();
        assert_eq!([&a, &b, &c].map(|id| registry.current(id)), [&c, &c, &c]);
        assert_eq!(registry.projects.len(), 1);
    }
}
