//! Where the sources of a project are.

use std::fs;
use std::path::{Path, PathBuf};

use six_core::config::Config;

use crate::config::Configuration;
use crate::home::Environment;
use crate::install::{claude_dir, cleanup_days, memory_folder};
use crate::project::identity::Project;
use crate::read_file::read_file;

/// Largest file in which git notes where a worktree is.
const LINK_CAP_BYTES: u64 = 4 << 10;

/// The folders that a project's sources are looked for in, and what is wanted of them. All paths are canonical where they
/// exist.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Place {
    /// The work tree that documents are read from.
    pub root: PathBuf,
    /// Every work tree of the project, `root` among them: sessions are started in any of them.
    pub checkouts: Vec<PathBuf>,
    /// The main checkout: the host names the memory folder after it.
    pub main: PathBuf,
    /// The work tree is git's.
    pub has_git: bool,
    /// The host's folder: `CLAUDE_CONFIG_DIR` or `~/.claude`.
    pub host: Option<PathBuf>,
    /// The host's memory folder.
    pub memory: Option<PathBuf>,
    /// Days for which the host keeps session files.
    pub keep_days: u64,
    /// Patterns of ledgers (`ingest.ledgers`).
    pub ledgers: Vec<String>,
    /// Bytes of the store from which on no more transcripts and commits are taken in (`store.quota_mib`).
    pub quota_bytes: u64,
}

impl Place {
    /// A checkout with nothing else, of the repository at `main`.
    #[cfg(test)]
    pub(crate) fn bare(root: &Path, main: &Path) -> Self {
        Self {
            root: root.to_owned(),
            checkouts: Vec::new(),
            main: main.to_owned(),
            has_git: true,
            host: None,
            memory: None,
            keep_days: 30,
            ledgers: Vec::new(),
            quota_bytes: 0,
        }
    }

    /// Looks a project's folders up, and what its configuration and the host's settings say on them. Worktrees are read
    /// from the common directory; `git` is not started. A configuration that can't be read counts as none.
    pub fn gather(project: &Project, env: &Environment) -> Self {
        Self::of(project, env, &Configuration::read(env, Some(&project.store_dir)).config)
    }

    /// The same, with a configuration that was read.
    pub(crate) fn of(project: &Project, env: &Environment, config: &Config) -> Self {
        let host = claude_dir(env);
        let common_dir = project.common_dir.as_deref();
        let main = project.common_dir.as_deref().and_then(main_checkout).unwrap_or_else(|| project.root.clone());
        let mut checkouts = vec![project.root.clone(), main.clone()];
        checkouts.extend(project.common_dir.as_deref().map(worktrees).unwrap_or_default());
        checkouts.sort();
        checkouts.dedup();
        Self {
            root: project.root.clone(),
            checkouts,
            main,
            has_git: project.common_dir.is_some(),
            memory: host.as_deref().map(|host| memory_folder(host, &project.root, common_dir)),
            keep_days: host.as_deref().map_or(u64::MAX, |host| cleanup_days(host, &project.root)),
            host,
            ledgers: config.ingest.ledgers.clone(),
            quota_bytes: config.store.quota_bytes(),
        }
    }
}

/// The checkout that a common directory lies in; `None` for a bare repository or a submodule, which have none of theirs.
fn main_checkout(common_dir: &Path) -> Option<PathBuf> {
    let is_plain = common_dir.file_name().is_some_and(|name| name == ".git");
    is_plain.then(|| common_dir.parent().map(Path::to_owned)).flatten()
}

/// The linked worktrees that the common directory lists and that exist.
fn worktrees(common_dir: &Path) -> Vec<PathBuf> {
    let Ok(entries) = fs::read_dir(common_dir.join("worktrees")) else { return Vec::new() };
    let git_files = entries.flatten().filter_map(|entry| read_file(&entry.path().join("gitdir"), LINK_CAP_BYTES).ok());
    let git_files = git_files.filter_map(|file| String::from_utf8(file).ok());
    git_files.filter_map(|file| fs::canonicalize(Path::new(file.trim()).parent()?).ok()).collect()
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::project::identity::Standing;
    use six_core::record::ProjectId;

    #[test]
    fn a_worktree_shares_the_memory_of_the_main_checkout_and_has_sessions_of_its_own() {
        let dir = tempfile::tempdir().unwrap();
        let base = fs::canonicalize(dir.path()).unwrap();
        let common_dir = base.join("main/.git");
        fs::create_dir_all(base.join("wt")).unwrap();
        for (name, git_file) in [("wt", base.join("wt/.git")), ("gone", base.join("gone/.git"))] {
            let listed = common_dir.join("worktrees").join(name);
            fs::create_dir_all(&listed).unwrap();
            fs::write(listed.join("gitdir"), format!("{}\n", git_file.display())).unwrap();
        }
        let project = Project {
            id: ProjectId::parse(&"a".repeat(26)).unwrap(),
            root: base.join("wt"),
            common_dir: Some(common_dir),
            worktree: true,
            store_dir: base.join("store"),
            standing: Standing::Listed,
        };
        let env = Environment { home: Some(base.join("home")), ..Environment::default() };
        fs::create_dir_all(base.join("home/.claude")).unwrap();
        fs::create_dir_all(base.join("wt/.claude")).unwrap();
        let place = Place::gather(&project, &env);
        assert_eq!(
            (place.memory.clone(), place.keep_days),
            (
                Some(
                    base.join("home/.claude/projects")
                        .join(six_core::event::slug(&base.join("main").to_string_lossy()))
                        .join("memory")
                ),
                30,
            )
        );
        fs::write(
            base.join("home/.claude/settings.json"),
            r#"{"autoMemoryDirectory": "/notes", "cleanupPeriodDays": 9}"#,
        )
        .unwrap();
        fs::write(base.join("wt/.claude/settings.local.json"), r#"{"autoMemoryDirectory": "/my/notes"}"#).unwrap();
        let told = Place::gather(&project, &env);
        assert_eq!((told.memory, told.keep_days), (Some("/my/notes".into()), 9));
        assert_eq!((place.main, place.root), (base.join("main"), base.join("wt")));
        assert_eq!(place.checkouts, [base.join("main"), base.join("wt")]);
        assert_eq!(place.host, Some(base.join("home/.claude")));
        let moved = Environment { claude_config_dir: Some(base.join("cfg")), ..env };
        assert_eq!(Place::gather(&project, &moved).host, Some(base.join("cfg")));
        let plain = Project { root: base.join("plain"), common_dir: None, worktree: false, ..project };
        assert_eq!(Place::gather(&plain, &moved).checkouts, [base.join("plain")]);
    }
}
