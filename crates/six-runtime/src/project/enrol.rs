//! Gives a folder an identity, and takes it away again: what `six install`, `six uninstall` and `six project` do.

use super::adopt::{Adoption, RootFacts, judge_adoption};
use super::config_file::{self, ConfigEdit, ConfigFileError, Removed};
use super::identity::{self, Located, NotInstalled, Project, Standing};
use super::registry::{Damaged, Entry, HeldIn, LockedRegistry, RegistryError};
use crate::home::{Environment, HomeError, SixHome};
use crate::ids::{NoRandomness, random_project_id};
use six_core::record::ProjectId;
use std::path::{Path, PathBuf};
use std::time::Duration;

/// A writer of the registry holds it for a few milliseconds; this long only when the disk is stuck.
pub(crate) const REGISTRY_WAIT: Duration = Duration::from_secs(5);
/// As long as a person waits for `git config` in another window.
pub(crate) const CONFIG_WAIT: Duration = Duration::from_secs(1);

/// Which identity is wanted.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Wish {
    /// The one that is there; else that of a known project with the same origin; else a new one.
    Judge,
    /// This one: the folder joins a known project.
    Adopt(ProjectId),
    /// A new one, whatever is there: a copy parts from its original.
    Split,
}

/// Where the identity came from.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Origin {
    /// It was there.
    Kept,
    /// As judged; [`Adoption::Name`] is a new identity that may be an old project.
    Judged(Adoption),
    /// As wished.
    Wished,
}

/// What [`enrol`] did.
#[derive(Debug)]
pub struct Enrolled {
    /// The project, listed.
    pub project: Project,
    /// Where its identity came from.
    pub origin: Origin,
    /// What was written into the git config; `None` if it was there, without git, or if it could not be.
    pub edit: Option<ConfigEdit>,
    /// Why the identity is in the registry alone although there is a git config.
    pub unwritten: Option<ConfigFileError>,
    /// A damaged registry was moved here: folders without git that it listed are not known any more.
    pub set_aside: Option<PathBuf>,
}

/// Why a folder has not been given an identity. Nothing was changed.
#[derive(Debug, thiserror::Error)]
pub enum EnrolError {
    /// There is no place for stores.
    #[error(transparent)]
    NoSixHome(#[from] HomeError),
    /// Home, `/`, a repository that cannot be read, or a `six.id` that is none of ours.
    #[error(transparent)]
    NotPossible(#[from] NotInstalled),
    /// The folder is a copy of a live project, and only a person can say which it shall be.
    #[error("{} has the identity of {}", found.display(), listed.display())]
    Copied {
        /// The identity that both hold.
        id: ProjectId,
        /// The common directory that the registry lists.
        listed: PathBuf,
        /// The one asked for.
        found: PathBuf,
    },
    /// Nothing is known of the project to be adopted.
    #[error("no project {0} on this machine")]
    UnknownProject(ProjectId),
    /// Only a git repository can be a copy.
    #[error("{} has no identity of its own to part with", .0.display())]
    NothingToSplit(PathBuf),
    /// The registry cannot be read or written.
    #[error(transparent)]
    Registry(#[from] RegistryError),
    /// The identity stands in a git config that cannot be changed.
    #[error(transparent)]
    Config(#[from] ConfigFileError),
    /// No new identity.
    #[error(transparent)]
    NoRandomness(#[from] NoRandomness),
}

/// A place that can have an identity.
struct Place {
    root: PathBuf,
    common_dir: Option<PathBuf>,
    /// The identity that it has.
    id: Option<ProjectId>,
}

/// Gives the project round `start` an identity and lists it. Doing it twice changes nothing.
///
/// Everything happens under the registry's lock, so that two installs at once agree on one identity. `facts` are
/// those of [`gather_root_facts`](super::facts::gather_root_facts), or the default where git has none.
pub fn enrol(
    env: &Environment,
    start: &Path,
    facts: &RootFacts,
    wish: &Wish,
    now_unix_ms: i64,
) -> Result<Enrolled, EnrolError> {
    let home = SixHome::resolve(env)?;
    possible(identity::locate_at(env, start), start, wish)?;
    let mut locked = LockedRegistry::lock(&home, REGISTRY_WAIT, Damaged::SetAside)?;
    let place = possible(identity::locate_at(env, start), start, wish)?;
    let (id, origin) = choose(&locked, &home, &place, facts, wish)?;
    let (edit, unwritten) = write_config(&place, &id)?;
    if *wish != Wish::Judge {
        part(&mut locked, &place, &id);
    }
    let entry = locked.registry.projects.entry(id.clone()).or_insert_with(|| Entry::new(now_unix_ms));
    list(entry, &place, unwritten.is_some());
    entry.learn(facts);
    if let Err(error) = locked.save() {
        if let (Some(common_dir), Some(_)) = (&place.common_dir, &edit) {
            let _ = config_file::remove_id(common_dir, &id, edit.as_ref(), CONFIG_WAIT);
        }
        return Err(error.into());
    }
    let Place { root, common_dir, .. } = place;
    let (store_dir, worktree) = (home.projects_dir(&id), identity::is_worktree(&root));
    let project = Project { id, root, common_dir, worktree, store_dir, standing: Standing::Listed };
    Ok(Enrolled { project, origin, edit, unwritten, set_aside: locked.set_aside.take() })
}

fn possible(located: Located, start: &Path, wish: &Wish) -> Result<Place, EnrolError> {
    match located {
        Located::Installed(Project { root, common_dir, id, .. }) => Ok(Place { root, common_dir, id: Some(id) }),
        Located::Copied { id, listed, found, root } => match wish {
            Wish::Judge => Err(EnrolError::Copied { id, listed, found }),
            _ => Ok(Place { root, common_dir: Some(found), id: Some(id) }),
        },
        Located::NotInstalled { why: NotInstalled::NoId { git_dir }, root: Some(root) } => {
            Ok(Place { root, common_dir: Some(git_dir), id: None })
        }
        Located::NotInstalled { why: NotInstalled::NoGitNoRegistry, .. } => {
            let root = start.canonicalize().ok().filter(|root| root.is_dir()).ok_or(NotInstalled::NoFolder)?;
            Ok(Place { root, common_dir: None, id: None })
        }
        Located::NotInstalled { why, .. } => Err(why.into()),
    }
}

fn choose(
    locked: &LockedRegistry,
    home: &SixHome,
    place: &Place,
    facts: &RootFacts,
    wish: &Wish,
) -> Result<(ProjectId, Origin), EnrolError> {
    match (wish, &place.id) {
        (Wish::Judge, Some(id)) => Ok((id.clone(), Origin::Kept)),
        (Wish::Judge, None) => {
            let adoption = judge_adoption(&place.root, facts, &locked.registry.known());
            let id = match &adoption {
                Adoption::Adopt(id) => id.clone(),
                Adoption::Fresh | Adoption::Name { .. } => random_project_id()?,
            };
            Ok((id, Origin::Judged(adoption)))
        }
        (Wish::Adopt(id), _) if locked.registry.projects.contains_key(id) || home.projects_dir(id).is_dir() => {
            Ok((id.clone(), Origin::Wished))
        }
        (Wish::Adopt(id), _) => Err(EnrolError::UnknownProject(id.clone())),
        (Wish::Split, Some(_)) => Ok((random_project_id()?, Origin::Wished)),
        (Wish::Split, None) => Err(EnrolError::NothingToSplit(place.root.clone())),
    }
}

/// Writes the identity where it belongs, or says why the registry has to hold it. It cannot when the config goes on
/// holding another one, which would win.
fn write_config(
    place: &Place,
    id: &ProjectId,
) -> Result<(Option<ConfigEdit>, Option<ConfigFileError>), ConfigFileError> {
    let Some(common_dir) = &place.common_dir else { return Ok((None, None)) };
    match config_file::write_id(common_dir, id, CONFIG_WAIT) {
        Ok(edit) => Ok((edit, None)),
        Err(error) => match identity::id_held_by(common_dir) {
            Ok(None) => Ok((None, Some(error))),
            _ => Err(error),
        },
    }
}

/// The place leaves the project that it was listed under.
fn part(locked: &mut LockedRegistry, place: &Place, id: &ProjectId) {
    let former = place.id.as_ref().filter(|former| *former != id);
    let Some(entry) = former.and_then(|former| locked.registry.projects.get_mut(former)) else { return };
    if let Some(common_dir) = &place.common_dir {
        entry.common_dirs.retain(|listed| listed.path.as_ref() != common_dir);
    }
    entry.roots.retain(|root| root.as_ref() != place.root);
}

fn list(entry: &mut Entry, place: &Place, in_registry: bool) {
    match &place.common_dir {
        Some(common_dir) => {
            let held_in = if in_registry { HeldIn::Registry } else { HeldIn::GitConfig };
            let gone: Vec<PathBuf> = entry
                .common_dirs
                .iter()
                .map(|listed| listed.path.0.clone())
                .filter(|listed| listed != common_dir && !listed.is_dir())
                .collect();
            for gone in gone {
                entry.unlist(&gone);
            }
            entry.list(common_dir, held_in);
            // The folder has become a repository: from now on the config tells.
            entry.roots.retain(|root| root.as_ref() != place.root);
        }
        None if !entry.roots.iter().any(|root| root.as_ref() == place.root) => {
            entry.roots.push(place.root.as_path().into());
            entry.aliases.retain(|alias| alias.as_ref() != place.root);
        }
        None => {}
    }
}

/// What becomes of the store of a project that is taken away.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum StoreFate {
    /// It stays, and installing here again finds it.
    Kept,
    /// The caller removes it: the registry forgets the project.
    Purged,
}

/// What [`retire`] did.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Retired {
    /// How the identity left the git config.
    pub config: Removed,
    /// No other folder of this machine has this identity.
    pub last: bool,
}

/// Takes a project's identity away from its folder: out of the config (exactly what `edit` from the manifest says was
/// written, if the file is still as it was left), and out of the registry's list.
pub fn retire(
    home: &SixHome,
    project: &Project,
    edit: Option<&ConfigEdit>,
    fate: StoreFate,
) -> Result<Retired, EnrolError> {
    let mut locked = LockedRegistry::lock(home, REGISTRY_WAIT, Damaged::Refuse)?;
    let config = match &project.common_dir {
        Some(common_dir) if identity::id_held_by(common_dir)?.is_some() => {
            config_file::remove_id(common_dir, &project.id, edit, CONFIG_WAIT)?
        }
        _ => Removed::Absent,
    };
    let mut last = true;
    if let Some(entry) = locked.registry.projects.get_mut(&project.id) {
        if let Some(common_dir) = &project.common_dir {
            entry.unlist(common_dir);
        }
        if entry.roots.iter().any(|root| root.as_ref() == project.root) {
            entry.roots.retain(|root| root.as_ref() != project.root);
            entry.alias(&project.root);
        }
        last = entry.is_orphan();
    }
    if last && fate == StoreFate::Purged {
        locked.registry.projects.remove(&project.id);
    }
    locked.save()?;
    Ok(Retired { config, last })
}

#[cfg(unix)]
#[cfg(test)]
mod tests {
    use super::super::adopt::Doubt;
    use super::super::facts::gather_root_facts;
    use super::super::registry::Registry;
    use super::super::scratch::Scratch;
    use super::super::settle::{Settled, settle};
    use super::*;
    use crate::git::Git;
    use std::fs;

    fn try_enrol(scratch: &Scratch, root: &Path, wish: &Wish) -> Result<Enrolled, EnrolError> {
        let repository = root.ancestors().find(|root| root.join(".git").exists());
        let facts = repository.map(|root| gather_root_facts(&Git::new(root), root).unwrap()).unwrap_or_default();
        enrol(&scratch.env(), root, &facts, wish, 1)
    }

    fn install(scratch: &Scratch, root: &Path) -> Enrolled {
        try_enrol(scratch, root, &Wish::Judge).unwrap()
    }

    fn located(scratch: &Scratch, start: &Path) -> Project {
        match identity::locate_at(&scratch.env(), start) {
            Located::Installed(project) => project,
            other => panic!("{}: {other:?}", start.display()),
        }
    }

    fn entry(scratch: &Scratch, id: &ProjectId) -> Entry {
        Registry::read(&scratch.six_home().registry_path()).unwrap().projects.remove(id).unwrap()
    }

    fn aliases(scratch: &Scratch, id: &ProjectId) -> Vec<PathBuf> {
        entry(scratch, id).aliases.into_iter().map(|alias| alias.0).collect()
    }

    #[test]
    fn installing_twice_keeps_the_identity_and_changes_no_byte() {
        let scratch = Scratch::new();
        let root = scratch.repository("api");
        let first = install(&scratch, &scratch.folder("api/src/deep"));
        assert_eq!(first.origin, Origin::Judged(Adoption::Fresh));
        let files = [root.join(".git/config"), scratch.six_home().registry_path()];
        let before = files.each_ref().map(|file| fs::read(file).unwrap());
        let second = install(&scratch, &root);
        assert_eq!((&second.project, second.origin, second.edit), (&first.project, Origin::Kept, None));
        assert_eq!(files.each_ref().map(|file| fs::read(file).unwrap()), before);
        assert_eq!(located(&scratch, &root), first.project);
    }

    #[test]
    fn twins_get_two_identities_and_a_worktree_none_of_its_own() {
        let scratch = Scratch::new();
        let (a, b) = (scratch.repository("a/api"), scratch.repository("b/api"));
        let (first, second) = (install(&scratch, &a), install(&scratch, &b));
        assert_ne!(first.project.id, second.project.id);
        scratch.git(&a, &["worktree", "add", "-q", "../wt", "-b", "side"]);
        let tree = install(&scratch, &scratch.at("a/wt"));
        assert_eq!((tree.project.id, tree.project.worktree, tree.origin), (first.project.id, true, Origin::Kept));
    }

    #[test]
    fn installing_from_a_worktree_gives_the_repository_its_identity() {
        let scratch = Scratch::new();
        let main = scratch.repository("api");
        scratch.git(&main, &["worktree", "add", "-q", "../wt", "-b", "side"]);
        let tree = install(&scratch, &scratch.at("wt")).project;
        assert!(tree.worktree);
        scratch.git(&main, &["worktree", "remove", "../wt"]);
        assert_eq!(located(&scratch, &main).id, tree.id);
    }

    #[test]
    fn a_renamed_folder_keeps_its_identity_and_its_old_name_is_an_alias() {
        let scratch = Scratch::new();
        let id = install(&scratch, &scratch.repository("old")).project.id;
        fs::rename(scratch.at("old"), scratch.at("new")).unwrap();
        let project = located(&scratch, &scratch.at("new"));
        assert_eq!(project.id, id);
        assert_eq!(project.standing, Standing::Moved { from: vec![scratch.at("old/.git")] });
        assert_eq!(settle(&scratch.six_home(), &project, 2).unwrap(), Settled::Changed);
        assert_eq!(located(&scratch, &scratch.at("new")).standing, Standing::Listed);
        assert_eq!(aliases(&scratch, &id), [scratch.at("old")]);
    }

    #[test]
    fn a_copied_folder_is_named_and_can_part_or_join() {
        let scratch = Scratch::new();
        let main = install(&scratch, &scratch.repository("main")).project;
        for name in ["parts", "joins"] {
            let copy = std::process::Command::new("cp").arg("-R").arg(&main.root).arg(scratch.at(name)).status();
            assert!(copy.unwrap().success());
            let found = identity::locate_at(&scratch.env(), &scratch.at(name));
            let expected = Located::Copied {
                id: main.id.clone(),
                listed: main.root.join(".git"),
                found: scratch.at(name).join(".git"),
                root: scratch.at(name),
            };
            assert_eq!(found, expected);
            let refused = try_enrol(&scratch, &scratch.at(name), &Wish::Judge);
            assert!(matches!(refused, Err(EnrolError::Copied { .. })));
        }
        let parted = try_enrol(&scratch, &scratch.at("parts"), &Wish::Split).unwrap().project;
        assert_ne!(parted.id, main.id);
        assert_eq!(located(&scratch, &scratch.at("parts")), parted);
        let joined = try_enrol(&scratch, &scratch.at("joins"), &Wish::Adopt(main.id.clone())).unwrap().project;
        assert_eq!(joined.id, main.id);
        assert_eq!(located(&scratch, &scratch.at("joins")), joined);
        assert_eq!(located(&scratch, &main.root), main);
    }

    #[test]
    fn of_two_copies_of_a_project_that_is_gone_one_is_the_move() {
        let scratch = Scratch::new();
        let main = install(&scratch, &scratch.repository("main")).project;
        let copy = std::process::Command::new("cp").arg("-R").arg(&main.root).arg(scratch.at("one")).status();
        assert!(copy.unwrap().success());
        fs::rename(&main.root, scratch.at("two")).unwrap();
        let (one, two) = (located(&scratch, &scratch.at("one")), located(&scratch, &scratch.at("two")));
        assert_eq!(settle(&scratch.six_home(), &one, 2).unwrap(), Settled::Changed);
        let listed = scratch.at("one/.git");
        assert_eq!(settle(&scratch.six_home(), &two, 2).unwrap(), Settled::Copied { listed });
    }

    #[test]
    fn a_lost_registry_is_rebuilt_from_the_identity_in_the_repository() {
        let scratch = Scratch::new();
        let first = install(&scratch, &scratch.repository("main")).project;
        fs::remove_file(scratch.six_home().registry_path()).unwrap();
        let project = located(&scratch, &first.root);
        assert_eq!((&project.id, &project.standing), (&first.id, &Standing::Unlisted));
        settle(&scratch.six_home(), &project, 2).unwrap();
        assert_eq!(located(&scratch, &first.root), first);
    }

    #[test]
    fn a_second_clone_of_the_same_remote_adopts_the_store_and_a_fork_does_not() {
        let scratch = Scratch::new();
        let main = scratch.repository("main");
        scratch.git(&main, &["remote", "add", "origin", "git@example.invalid:team/api.git"]);
        let first = install(&scratch, &main).project;
        for (name, url) in
            [("again", "https://ada:pass-word@EXAMPLE.invalid/team/api"), ("fork", "https://example.invalid/x/api")]
        {
            scratch.git(&main, &["clone", "-q", ".", scratch.at(name).to_str().unwrap()]);
            scratch.git(&scratch.at(name), &["remote", "set-url", "origin", url]);
        }
        let again = install(&scratch, &scratch.at("again"));
        assert_eq!(again.origin, Origin::Judged(Adoption::Adopt(first.id.clone())));
        assert_eq!(located(&scratch, &scratch.at("again")).id, first.id);
        assert_eq!(located(&scratch, &main), first, "both are listed");
        assert_ne!(install(&scratch, &scratch.at("fork")).project.id, first.id);
        let registry = fs::read_to_string(scratch.six_home().registry_path()).unwrap();
        assert!(!registry.contains("pass-word"), "no credentials: {registry}");
    }

    #[test]
    fn a_clone_of_the_folder_itself_adopts_a_shallow_or_remoteless_one_is_named() {
        let scratch = Scratch::new();
        let main = scratch.repository("main");
        scratch.commit(&main, "b", "two");
        let id = install(&scratch, &main).project.id;
        let clone = |name: &str, from: &str, depth: &[&str]| {
            let to = scratch.at(name);
            scratch.git(&main, &[&["clone", "-q"], depth, &[from, to.to_str().unwrap()]].concat());
            to
        };
        let (path, url) = (main.to_str().unwrap(), format!("file://{}", main.display()));
        let again = install(&scratch, &clone("again", path, &[]));
        assert_eq!(again.origin, Origin::Judged(Adoption::Adopt(id.clone())));
        let shallow = install(&scratch, &clone("shallow", &url, &["--depth=1"]));
        assert_eq!(shallow.origin, Origin::Judged(Adoption::Name { id: id.clone(), why: Doubt::Shallow }));
        assert_ne!(shallow.project.id, id);
        let alone = clone("alone", path, &[]);
        scratch.git(&alone, &["remote", "remove", "origin"]);
        let alone = install(&scratch, &alone);
        assert_eq!(alone.origin, Origin::Judged(Adoption::Name { id, why: Doubt::NoRemote }));
    }

    #[test]
    fn a_folder_without_git_is_in_the_registry_and_stays_itself_when_git_comes() {
        let scratch = Scratch::new();
        let root = scratch.folder("plain");
        let first = install(&scratch, &root);
        assert_eq!((&first.project.common_dir, &first.edit), (&None, &None));
        assert_eq!(located(&scratch, &scratch.folder("plain/sub/folder")), first.project);
        let inner = install(&scratch, &scratch.folder("plain/sub")).project;
        assert_eq!(inner.id, first.project.id, "a sub folder is in the project already");
        scratch.git(&root, &["init", "-q", "."]);
        assert_eq!(located(&scratch, &root).id, first.project.id);
        assert!(install(&scratch, &root).edit.is_some());
        assert_eq!(scratch.git(&root, &["config", "six.id"]), first.project.id.as_str());
        assert_eq!(located(&scratch, &root).id, first.project.id);
    }

    #[test]
    fn a_config_that_cannot_be_written_leaves_the_identity_to_the_registry() {
        let scratch = Scratch::new();
        let root = scratch.repository("api");
        let config = root.join(".git/config");
        let mut permissions = fs::metadata(&config).unwrap().permissions();
        permissions.set_readonly(true);
        fs::set_permissions(&config, permissions).unwrap();
        let before = fs::read(&config).unwrap();
        let enrolled = install(&scratch, &root);
        assert!(matches!(enrolled.unwritten, Some(ConfigFileError::ReadOnly { .. })));
        assert_eq!(fs::read(&config).unwrap(), before);
        assert_eq!(located(&scratch, &root), enrolled.project);
        let retired = retire(&scratch.six_home(), &enrolled.project, None, StoreFate::Kept).unwrap();
        assert_eq!(retired, Retired { config: Removed::Absent, last: true });
    }

    #[test]
    fn uninstall_restores_the_config_and_a_later_install_finds_the_store_again() {
        let scratch = Scratch::new();
        for root in [scratch.repository("api"), scratch.folder("plain")] {
            let config = root.join(".git/config");
            let before = fs::read(&config).ok();
            let first = install(&scratch, &root);
            let retired = retire(&scratch.six_home(), &first.project, first.edit.as_ref(), StoreFate::Kept).unwrap();
            assert!(retired.last);
            assert_eq!(fs::read(&config).ok(), before);
            assert!(matches!(identity::locate_at(&scratch.env(), &root), Located::NotInstalled { .. }));
            assert_eq!(install(&scratch, &root).project, first.project);
        }
    }

    #[test]
    fn installs_at_the_same_time_agree_on_one_identity() {
        let scratch = Scratch::new();
        let root = scratch.repository("api");
        let ids: Vec<ProjectId> = std::thread::scope(|scope| {
            let threads: Vec<_> = (0..8).map(|_| scope.spawn(|| install(&scratch, &root).project.id)).collect();
            threads.into_iter().map(|thread| thread.join().unwrap()).collect()
        });
        assert!(ids.iter().all(|id| *id == located(&scratch, &root).id), "{ids:?}");
    }

    #[test]
    fn a_registry_that_cannot_be_written_leaves_the_config_as_it_was() {
        let scratch = Scratch::new();
        install(&scratch, &scratch.repository("first"));
        let registry = scratch.six_home().registry_path();
        let mut permissions = fs::metadata(&registry).unwrap().permissions();
        permissions.set_readonly(true);
        fs::set_permissions(&registry, permissions).unwrap();
        let root = scratch.repository("second");
        let before = fs::read(root.join(".git/config")).unwrap();
        let refused = try_enrol(&scratch, &root, &Wish::Judge);
        assert!(matches!(refused, Err(EnrolError::Registry(RegistryError::Unwritable(_)))));
        assert_eq!(fs::read(root.join(".git/config")).unwrap(), before);
    }

    #[test]
    fn a_purged_project_is_forgotten() {
        let scratch = Scratch::new();
        let root = scratch.repository("api");
        let first = install(&scratch, &root);
        retire(&scratch.six_home(), &first.project, first.edit.as_ref(), StoreFate::Purged).unwrap();
        assert!(Registry::read(&scratch.six_home().registry_path()).unwrap().projects.is_empty());
        assert_ne!(install(&scratch, &root).project.id, first.project.id);
    }

    #[test]
    fn what_can_be_no_project_is_refused_and_nothing_is_created() {
        let scratch = Scratch::new();
        let foreign = scratch.repository("foreign");
        scratch.git(&foreign, &["config", "six.id", "something else"]);
        for root in [scratch.at(""), PathBuf::from("/"), foreign] {
            let refused = try_enrol(&scratch, &root, &Wish::Judge);
            assert!(matches!(refused, Err(EnrolError::NotPossible(_))), "{}", root.display());
        }
        let missing = try_enrol(&scratch, &scratch.at("missing"), &Wish::Judge);
        assert!(missing.is_err());
        let unknown = random_project_id().unwrap();
        let repository = scratch.repository("api");
        assert!(!scratch.six_home().root().exists());
        let adopt = try_enrol(&scratch, &repository, &Wish::Adopt(unknown));
        assert!(matches!(adopt, Err(EnrolError::UnknownProject(_))));
        let split = try_enrol(&scratch, &repository, &Wish::Split);
        assert!(matches!(split, Err(EnrolError::NothingToSplit(_))));
    }

    #[test]
    fn a_damaged_registry_is_kept_aside_by_the_next_install() {
        let scratch = Scratch::new();
        let first = install(&scratch, &scratch.repository("api")).project;
        fs::write(scratch.six_home().registry_path(), b"{").unwrap();
        assert_eq!(located(&scratch, &first.root).standing, Standing::Unknown);
        let again = install(&scratch, &first.root);
        assert_eq!(again.project, first);
        assert_eq!(fs::read(again.set_aside.unwrap()).unwrap(), b"{");
    }
}
