//! Where the sources of a project are.

use std::fs;
use std::path::{Path, PathBuf};

use crate::home::Environment;
use crate::project::identity::Project;

/// The folders that a project's sources are looked for in. All paths are canonical where they exist.
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
    /// The memory folder when the user moved it (`autoMemoryDirectory`).
    pub memory: Option<PathBuf>,
}

impl Place {
    /// Looks a project's folders up. Worktrees are read from the common directory; `git` is not started.
    pub fn gather(project: &Project, env: &Environment) -> Self {
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
            host: env.claude_config_dir.clone().or_else(|| env.home.as_ref().map(|home| home.join(".claude"))),
            memory: None,
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
    let git_files = entries.flatten().filter_map(|entry| fs::read_to_string(entry.path().join("gitdir")).ok());
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
        let place = Place::gather(&project, &env);
        assert_eq!((place.main, place.root), (base.join("main"), base.join("wt")));
        assert_eq!(place.checkouts, [base.join("main"), base.join("wt")]);
        assert_eq!(place.host, Some(base.join("home/.claude")));
        let moved = Environment { claude_config_dir: Some(base.join("cfg")), ..env };
        assert_eq!(Place::gather(&project, &moved).host, Some(base.join("cfg")));
        let plain = Project { root: base.join("plain"), common_dir: None, worktree: false, ..project };
        assert_eq!(Place::gather(&plain, &moved).checkouts, [base.join("plain")]);
    }
}
