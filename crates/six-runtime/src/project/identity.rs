//! The one answer to "which project is this", for every binary: no `git` started, nothing written, some thirty system
//! calls.

use super::git_config;
use super::registry::{CommonDir, Entry, HeldIn, Registry, RegistryError};
use super::stored_path::path_of_bytes;
use crate::home::{Environment, HomeError, SixHome};
use crate::read_file::{ReadError, read_file};
use six_core::record::ProjectId;
use std::path::{Path, PathBuf};

/// A longer path exists nowhere, and a payload may hold megabytes.
const MAX_PATH_BYTES: usize = 4096;
/// A `.git` or `commondir` file is one line with a path.
const LINK_CAP_BYTES: u64 = 2 * MAX_PATH_BYTES as u64;
const CONFIG_CAP_BYTES: u64 = 4 << 20;

/// A project that six is installed in.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Project {
    /// Its identity.
    pub id: ProjectId,
    /// The canonical folder of the work tree that we are in (of a worktree: that one's), or the registered root.
    pub root: PathBuf,
    /// The canonical common directory; `None` without git.
    pub common_dir: Option<PathBuf>,
    /// This is a linked worktree.
    pub worktree: bool,
    /// Where its store is, whether or not it exists yet.
    pub store_dir: PathBuf,
    /// What the registry says about this place.
    pub standing: Standing,
}

/// What the registry says about the place that an identity was found at.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Standing {
    /// It is listed.
    Listed,
    /// The identity is not known, or known without any place: to be listed by the next process that may write.
    Unlisted,
    /// The places listed are gone: the project was moved here, to be settled by the next process that may write.
    Moved {
        /// The common directories that were listed.
        from: Vec<PathBuf>,
    },
    /// The registry cannot be read, so nobody can tell.
    Unknown,
}

/// Which project a process is in.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Located {
    /// This one.
    Installed(Project),
    /// None. Hooks say nothing, exit 0 and create nothing.
    NotInstalled {
        /// Why not.
        why: NotInstalled,
        /// The canonical work tree, if there is one.
        root: Option<PathBuf>,
    },
    /// A second live common directory with the identity of another: hooks are silent, `six project adopt` or
    /// `six project split` resolves it.
    Copied {
        /// The identity that both hold.
        id: ProjectId,
        /// The one that the registry lists.
        listed: PathBuf,
        /// The one that we are in.
        found: PathBuf,
        /// The canonical work tree that we are in.
        root: PathBuf,
    },
}

/// Why a place is in no installed project.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
pub enum NotInstalled {
    /// There is no place for stores.
    #[error(transparent)]
    NoSixHome(HomeError),
    /// No folder was given, or it is no absolute path.
    #[error("there is no folder to start from")]
    NoFolder,
    /// The home folder or `/`, which can never be projects.
    #[error("the home folder and / can never be projects")]
    HomeOrRoot,
    /// No `.git` up to home or `/`, and no registered root.
    #[error("neither in a git repository nor below a registered folder")]
    NoGitNoRegistry,
    /// A repository without an identity.
    #[error("{} holds no six.id", git_dir.display())]
    NoId {
        /// Its common directory.
        git_dir: PathBuf,
    },
    /// `six.id` is there and is none of ours.
    #[error("six.id in {} is no project id: {value:?}", config.display())]
    BadId {
        /// The value, cut to 60 characters.
        value: String,
        /// The file it stands in.
        config: PathBuf,
    },
    /// A `.git` file that leads nowhere (a worktree whose repository was moved or removed).
    #[error("{} does not lead to a repository", git_file.display())]
    BrokenGitFile {
        /// That file.
        git_file: PathBuf,
    },
    /// The repository's config cannot be read.
    #[error("{why}")]
    UnreadableConfig {
        /// That file and what the system said.
        why: String,
    },
    /// The registry, which could have the answer, cannot be read.
    #[error("{why}")]
    UnreadableRegistry {
        /// That file and what is wrong with it.
        why: String,
    },
}

/// The project that a process of the host belongs to: `CLAUDE_PROJECT_DIR` if that folder exists, else the payload's
/// `cwd`, else the process's own. A folder that was deleted stands for its nearest ancestor that is left.
pub fn locate(env: &Environment, payload_cwd: Option<&Path>, process_cwd: Option<&Path>) -> Located {
    let session = env.claude_project_dir.as_deref().filter(|dir| usable(dir)).filter(|dir| dir.is_dir());
    let start = session.or(payload_cwd.filter(|dir| usable(dir))).or(process_cwd.filter(|dir| usable(dir)));
    match start {
        Some(start) => locate_at(env, start),
        None => not_installed(NotInstalled::NoFolder, None),
    }
}

/// The project that a given folder belongs to, whatever the session's own is.
pub fn locate_at(env: &Environment, start: &Path) -> Located {
    let home = match SixHome::resolve(env) {
        Ok(home) => home,
        Err(error) => return not_installed(NotInstalled::NoSixHome(error), None),
    };
    let Some(start) = nearest_existing(start) else { return not_installed(NotInstalled::NoFolder, None) };
    let user_home = env.home.as_ref().and_then(|home| home.canonicalize().ok());
    let candidates: Vec<&Path> =
        start.ancestors().take_while(|dir| dir.parent().is_some() && Some(*dir) != user_home.as_deref()).collect();
    if candidates.is_empty() {
        return not_installed(NotInstalled::HomeOrRoot, None);
    }
    for root in &candidates {
        match find_repository(root) {
            Ok(None) => {}
            Ok(Some(repository)) => return in_repository(&home, root, repository),
            Err(why) => return not_installed(why, Some(root)),
        }
    }
    without_git(&home, &candidates)
}

fn not_installed(why: NotInstalled, root: Option<&Path>) -> Located {
    Located::NotInstalled { why, root: root.map(Path::to_owned) }
}

fn usable(dir: &Path) -> bool {
    dir.is_absolute() && dir.as_os_str().len() <= MAX_PATH_BYTES
}

/// The canonical path of the nearest ancestor that exists and that we may see.
fn nearest_existing(start: &Path) -> Option<PathBuf> {
    start.ancestors().filter(|dir| usable(dir)).find_map(|dir| dir.canonicalize().ok())
}

/// What a `.git` leads to.
struct Repository {
    common_dir: PathBuf,
    worktree: bool,
}

fn find_repository(root: &Path) -> Result<Option<Repository>, NotInstalled> {
    let git = root.join(".git");
    let Ok(metadata) = git.symlink_metadata() else { return Ok(None) };
    let broken = || NotInstalled::BrokenGitFile { git_file: git.clone() };
    let is_dir = if metadata.is_symlink() { git.is_dir() } else { metadata.is_dir() };
    if is_dir {
        let common_dir = if metadata.is_symlink() { git.canonicalize().map_err(|_| broken())? } else { git };
        return Ok(Some(Repository { common_dir, worktree: false }));
    }
    let link = read_file(&git, LINK_CAP_BYTES).map_err(|_| broken())?;
    let git_dir = root.join(path_of_bytes(link.strip_prefix(b"gitdir:").ok_or_else(broken)?.trim_ascii()));
    match read_file(&git_dir.join("commondir"), LINK_CAP_BYTES) {
        Ok(link) => {
            let common_dir = git_dir.join(path_of_bytes(link.trim_ascii())).canonicalize().map_err(|_| broken())?;
            Ok(Some(Repository { common_dir, worktree: true }))
        }
        Err(ReadError::Missing { .. }) => {
            let common_dir = git_dir.canonicalize().map_err(|_| broken())?;
            Ok(Some(Repository { common_dir, worktree: false }))
        }
        Err(_) => Err(broken()),
    }
}

fn in_repository(home: &SixHome, root: &Path, repository: Repository) -> Located {
    let Repository { common_dir, worktree } = repository;
    let held = match id_held_by(&common_dir) {
        Ok(held) => held,
        Err(why) => return not_installed(why, Some(root)),
    };
    let registry = Registry::read(&home.registry_path());
    let (id, standing) = match (held, registry) {
        (Some(held), Ok(registry)) => {
            let id = registry.current(&held).clone();
            match judge_standing(registry.projects.get(&id), &common_dir, is_live(&id)) {
                Ok(standing) => (id, standing),
                // No copy: it was a place of a project that was merged into this one.
                Err(_) if id != held => (id, Standing::Unlisted),
                Err(listed) => return Located::Copied { id, listed, found: common_dir, root: root.to_owned() },
            }
        }
        (Some(id), Err(_)) => (id, Standing::Unknown),
        (None, Ok(registry)) => {
            // A folder that was registered before `git init` keeps its memory.
            let known = registry.project_at_common_dir(&common_dir).or_else(|| registry.project_at_root(root));
            match known {
                Some(id) => (id.clone(), Standing::Listed),
                None => return not_installed(NotInstalled::NoId { git_dir: common_dir }, Some(root)),
            }
        }
        (None, Err(error)) => return not_installed(unreadable(&error), Some(root)),
    };
    let (root, store_dir) = (root.to_owned(), home.projects_dir(&id));
    Located::Installed(Project { id, root, common_dir: Some(common_dir), worktree, store_dir, standing })
}

fn without_git(home: &SixHome, candidates: &[&Path]) -> Located {
    let registry = match Registry::read(&home.registry_path()) {
        Ok(registry) => registry,
        Err(error) => return not_installed(unreadable(&error), None),
    };
    let nearest = candidates.iter().find_map(|root| registry.project_at_root(root).map(|id| (root, id)));
    let Some((root, id)) = nearest else { return not_installed(NotInstalled::NoGitNoRegistry, None) };
    Located::Installed(Project {
        id: id.clone(),
        root: root.to_path_buf(),
        common_dir: None,
        worktree: false,
        store_dir: home.projects_dir(id),
        standing: Standing::Listed,
    })
}

fn unreadable(error: &RegistryError) -> NotInstalled {
    NotInstalled::UnreadableRegistry { why: error.to_string() }
}

/// Whether a work tree is linked to a repository elsewhere.
pub(crate) fn is_worktree(root: &Path) -> bool {
    matches!(find_repository(root), Ok(Some(Repository { worktree: true, .. })))
}

/// The common directory that a folder leads to when git is asked to clone it: a work tree, or a bare repository.
pub(crate) fn common_dir_of(folder: &Path) -> Option<PathBuf> {
    let repository = find_repository(folder).ok()?;
    repository.map(|repository| repository.common_dir).or_else(|| folder.canonicalize().ok())
}

/// The identity in a common directory's config.
pub(crate) fn id_held_by(common_dir: &Path) -> Result<Option<ProjectId>, NotInstalled> {
    let config = common_dir.join("config");
    let text = match read_file(&config, CONFIG_CAP_BYTES) {
        Ok(text) => text,
        Err(ReadError::Missing { .. }) => return Ok(None),
        Err(error) => return Err(NotInstalled::UnreadableConfig { why: error.to_string() }),
    };
    let Some(value) = git_config::parse_id(&text) else { return Ok(None) };
    let value = String::from_utf8_lossy(&value);
    ProjectId::parse(&value).map(Some).map_err(|bad| NotInstalled::BadId { value: bad.0, config })
}

/// Whether a listed common directory is still there with this identity. A config that cannot be read right now is no
/// proof of absence.
pub(crate) fn is_live(id: &ProjectId) -> impl Fn(&CommonDir) -> bool + '_ {
    |listed| {
        let path = listed.path.as_ref();
        path.is_dir()
            && (listed.held_in == HeldIn::Registry
                || match id_held_by(path) {
                    Ok(held) => held.as_ref() == Some(id),
                    Err(why) => matches!(why, NotInstalled::UnreadableConfig { .. }),
                })
    }
}

/// Whether an identity found at a common directory is known there, new there, moved there, or, as the error, copied
/// from the live directory that is named.
pub(crate) fn judge_standing(
    entry: Option<&Entry>,
    found: &Path,
    is_live: impl Fn(&CommonDir) -> bool,
) -> Result<Standing, PathBuf> {
    let listed = entry.map(|entry| entry.common_dirs.as_slice()).unwrap_or_default();
    if listed.is_empty() {
        return Ok(Standing::Unlisted);
    }
    if listed.iter().any(|listed| listed.path.as_ref() == found) {
        return Ok(Standing::Listed);
    }
    match listed.iter().find(|listed| is_live(listed)) {
        Some(live) => Err(live.path.0.clone()),
        None => Ok(Standing::Moved { from: listed.iter().map(|listed| listed.path.0.clone()).collect() }),
    }
}

#[cfg(test)]
mod tests {
    use super::super::scratch::Scratch;
    use super::*;
    use std::fs;

    fn id(letter: char) -> ProjectId {
        ProjectId::parse(&letter.to_string().repeat(26)).unwrap()
    }

    fn hold(common_dir: &Path, letter: char) {
        let config = common_dir.join("config");
        let text = fs::read_to_string(&config).unwrap_or_default();
        fs::write(&config, format!("{text}[six]\n\tid = {}\n", id(letter))).unwrap();
    }

    fn installed(scratch: &Scratch, start: &Path) -> Project {
        match locate_at(&scratch.env(), start) {
            Located::Installed(project) => project,
            other => panic!("{}: {other:?}", start.display()),
        }
    }

    fn why(scratch: &Scratch, start: &Path) -> NotInstalled {
        match locate_at(&scratch.env(), start) {
            Located::NotInstalled { why, .. } => why,
            other => panic!("{}: {other:?}", start.display()),
        }
    }

    #[test]
    fn twins_and_look_alikes_never_meet() {
        let scratch = Scratch::new();
        let names = ["a/api", "b/api", "my-app", "my app", "my/app", "überblick", "u\u{308}berblick", "東京", "𝔘"];
        for (name, letter) in names.iter().zip('a'..) {
            hold(&scratch.repository(name).join(".git"), letter);
        }
        for (name, letter) in names.iter().zip('a'..) {
            let project = installed(&scratch, &scratch.at(name));
            assert_eq!((project.id, project.root), (id(letter), scratch.at(name)));
        }
    }

    #[test]
    fn a_sub_folder_belongs_to_the_project_and_a_submodule_is_its_own() {
        let scratch = Scratch::new();
        let (main, library) = (scratch.repository("main"), scratch.repository("library"));
        scratch.git(&main, &["submodule", "add", "-q", library.to_str().unwrap(), "vendor/library"]);
        hold(&main.join(".git"), 'a');
        let deep = scratch.folder("main/src/deep");
        assert_eq!(installed(&scratch, &deep).root, main);
        let submodule = main.join("vendor/library");
        let git_dir = main.join(".git/modules/vendor/library");
        assert_eq!(why(&scratch, &submodule), NotInstalled::NoId { git_dir: git_dir.clone() });
        hold(&git_dir, 'b');
        let project = installed(&scratch, &submodule);
        assert_eq!((project.id, project.root, project.worktree), (id('b'), submodule, false));
    }

    #[test]
    fn a_worktree_shares_the_identity_and_its_removal_takes_nothing() {
        let scratch = Scratch::new();
        let main = scratch.repository("main");
        hold(&main.join(".git"), 'a');
        scratch.git(&main, &["worktree", "add", "-q", "../wt", "-b", "feature"]);
        let tree = scratch.at("wt");
        let project = installed(&scratch, &tree);
        assert_eq!((&project.id, &project.root, project.worktree), (&id('a'), &tree, true));
        assert_eq!(project.common_dir, Some(main.join(".git")));
        scratch.git(&main, &["worktree", "remove", "../wt"]);
        assert_eq!(installed(&scratch, &main).id, id('a'));
        assert_eq!(why(&scratch, &tree), NotInstalled::HomeOrRoot);
    }

    #[test]
    fn the_first_git_decides() {
        let scratch = Scratch::new();
        let outer = scratch.repository("outer");
        hold(&outer.join(".git"), 'a');
        let inner = scratch.repository("outer/inner");
        assert_eq!(why(&scratch, &inner), NotInstalled::NoId { git_dir: inner.join(".git") });
    }

    #[test]
    fn home_and_the_root_are_never_projects() {
        let scratch = Scratch::new();
        let home = scratch.repository(".");
        hold(&scratch.at(".git"), 'a');
        for start in [home.as_path(), Path::new("/")] {
            assert_eq!(why(&scratch, start), NotInstalled::HomeOrRoot, "{}", start.display());
        }
        assert_eq!(why(&scratch, &scratch.folder("notes")), NotInstalled::NoGitNoRegistry);
    }

    #[test]
    fn the_session_folder_wins_over_the_payload_and_that_over_the_process() {
        let scratch = Scratch::new();
        for (name, letter) in [("a", 'a'), ("b", 'b'), ("c", 'c')] {
            hold(&scratch.repository(name).join(".git"), letter);
        }
        let (a, b, c) = (scratch.at("a"), scratch.at("b"), scratch.at("c"));
        let found = |session: Option<PathBuf>, payload: Option<&Path>| {
            let env = Environment { claude_project_dir: session, ..scratch.env() };
            match locate(&env, payload, Some(&c)) {
                Located::Installed(project) => project.id,
                other => panic!("{other:?}"),
            }
        };
        assert_eq!(found(Some(a), Some(&b)), id('a'));
        assert_eq!(found(Some(scratch.at("gone")), Some(&b)), id('b'));
        assert_eq!(found(None, None), id('c'));
        assert_eq!(found(Some("relative".into()), Some(Path::new("a"))), id('c'));
    }

    #[test]
    fn a_deleted_folder_stands_for_the_nearest_that_is_left() {
        let scratch = Scratch::new();
        let main = scratch.repository("main");
        hold(&main.join(".git"), 'a');
        assert_eq!(installed(&scratch, &main.join("was/here/once")).root, main);
        assert_eq!(installed(&scratch, &main.join("README.md/x")).root, main);
        assert_eq!(installed(&scratch, &main.join("nul\0byte")).root, main);
    }

    #[test]
    fn a_path_of_megabytes_is_no_path() {
        let scratch = Scratch::new();
        let long = PathBuf::from(format!("/{}", "a/".repeat(1 << 20)));
        let nowhere = Located::NotInstalled { why: NotInstalled::NoFolder, root: None };
        assert_eq!(locate(&scratch.env(), Some(&long), None), nowhere);
        assert_eq!(locate(&scratch.env(), None, None), nowhere);
    }

    #[cfg(unix)]
    #[test]
    fn through_a_symbolic_link_it_is_the_same_project() {
        let scratch = Scratch::new();
        let main = scratch.repository("main");
        hold(&main.join(".git"), 'a');
        std::os::unix::fs::symlink(&main, scratch.at("link")).unwrap();
        assert_eq!(installed(&scratch, &scratch.at("link")), installed(&scratch, &main));
    }

    #[test]
    fn without_a_place_for_stores_nothing_is_installed() {
        let scratch = Scratch::new();
        let main = scratch.repository("main");
        hold(&main.join(".git"), 'a');
        let bare = locate_at(&Environment::default(), &main);
        assert_eq!(bare, not_installed(NotInstalled::NoSixHome(HomeError::Nowhere), None));
    }

    #[test]
    fn a_bad_id_and_a_broken_link_say_so() {
        let scratch = Scratch::new();
        let main = scratch.repository("main");
        let config = main.join(".git/config");
        fs::write(&config, "[six]\n\tid = ../../etc\n").unwrap();
        assert_eq!(why(&scratch, &main), NotInstalled::BadId { value: "../../etc".into(), config });
        let stray = scratch.folder("stray");
        for text in ["gitdir: ../gone/.git/worktrees/x\n", "", "what"] {
            fs::write(stray.join(".git"), text).unwrap();
            assert_eq!(why(&scratch, &stray), NotInstalled::BrokenGitFile { git_file: stray.join(".git") });
        }
    }

    #[test]
    fn the_environment_of_git_changes_nothing() {
        let scratch = Scratch::new();
        let main = scratch.repository("main");
        hold(&main.join(".git"), 'a');
        scratch.git(&main, &["config", "extensions.worktreeConfig", "true"]);
        scratch.git(&main, &["config", "--worktree", "six.id", id('b').as_str()]);
        fs::write(main.join("more"), format!("[six]\n\tid = {}\n", id('c'))).unwrap();
        scratch.git(&main, &["config", "include.path", "../more"]);
        assert_eq!(installed(&scratch, &main).id, id('a'));
    }

    #[cfg(unix)]
    #[test]
    fn a_fifo_where_the_config_or_the_registry_should_be_does_not_hang() {
        let scratch = Scratch::new();
        let main = scratch.repository("main");
        let fifo = |path: PathBuf| {
            let _ = fs::remove_file(&path);
            assert!(std::process::Command::new("mkfifo").arg(path).status().unwrap().success());
        };
        fs::create_dir(scratch.six_home().root()).unwrap();
        fifo(scratch.six_home().registry_path());
        assert!(matches!(why(&scratch, &main), NotInstalled::UnreadableRegistry { .. }));
        hold(&main.join(".git"), 'a');
        assert_eq!(installed(&scratch, &main).standing, Standing::Unknown, "the identity does not depend on it");
        fifo(main.join(".git/config"));
        assert!(matches!(why(&scratch, &main), NotInstalled::UnreadableConfig { .. }));
    }

    #[test]
    fn one_look_costs_less_than_a_millisecond() {
        let scratch = Scratch::new();
        let main = scratch.repository("main");
        hold(&main.join(".git"), 'a');
        let deep = scratch.folder("main/a/b/c/d/e/f");
        let best = (0..50)
            .map(|_| {
                let began = std::time::Instant::now();
                assert_eq!(installed(&scratch, &deep).id, id('a'));
                began.elapsed()
            })
            .min();
        assert!(best < Some(std::time::Duration::from_millis(1)), "{best:?}");
    }
}
