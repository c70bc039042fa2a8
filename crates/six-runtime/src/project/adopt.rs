//! Is a repository that has no identity yet one that six already knows?

use super::remote::Remote;
use six_core::record::ProjectId;
use std::path::PathBuf;

/// What a repository says about where it came from.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct RootFacts {
    /// Hash of the first commit on the first-parent line of HEAD; `None` without commits or without git.
    pub root_commit: Option<String>,
    /// The history is cut, so that `root_commit` is only where the cut is.
    pub shallow: bool,
    /// The remote `origin`, else the only one.
    pub remote: Option<Remote>,
    /// The identity held by the common directory that the remote leads to, when it is a folder on this machine.
    pub remote_id: Option<ProjectId>,
}

/// What the registry knows of one project.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Known {
    /// Its identity.
    pub id: ProjectId,
    /// Its first commit, if it had one when it was last looked at.
    pub root_commit: Option<String>,
    /// Its remote, if it had one.
    pub remote: Option<Remote>,
    /// The folders that it had, for a project that has none now: it was uninstalled and its store kept.
    pub orphaned_from: Vec<PathBuf>,
}

/// The answer.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Adoption {
    /// The same project: it gets that store.
    Adopt(ProjectId),
    /// Nothing known fits: it gets a store of its own.
    Fresh,
    /// It may be this one, and only a person can tell: it gets a store of its own and the command is named.
    Name {
        /// The project that it may be.
        id: ProjectId,
        /// What is missing for certainty.
        why: Doubt,
    },
}

/// Why a likely match is not adopted.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Doubt {
    /// A shallow clone does not have its first commit.
    Shallow,
    /// Same first commit, but no remote: a fork could say the same.
    NoRemote,
    /// Several known projects fit equally well.
    Several,
}

/// Compares the first commit and the remote; a project that once was at `root` and lives nowhere now comes back.
pub fn judge_adoption(root: &std::path::Path, fresh: &RootFacts, known: &[Known]) -> Adoption {
    let same_remote = |known: &&Known| {
        let equal = fresh.remote.is_some() && fresh.remote == known.remote;
        equal || fresh.remote_id.as_ref() == Some(&known.id)
    };
    let same_commit = |known: &&Known| fresh.root_commit.is_some() && fresh.root_commit == known.root_commit;
    let may_be = |known: &&Known| fresh.root_commit.is_none() || known.root_commit.is_none() || same_commit(known);

    let back = known.iter().find(|known| known.orphaned_from.iter().any(|former| former == root) && may_be(known));
    if let Some(back) = back {
        return Adoption::Adopt(back.id.clone());
    }
    if fresh.shallow {
        let likely = known.iter().find(same_remote);
        return likely.map_or(Adoption::Fresh, |known| named(known, Doubt::Shallow));
    }
    let mut matches = known.iter().filter(same_commit).filter(same_remote);
    match (matches.next(), matches.next()) {
        (Some(only), None) => Adoption::Adopt(only.id.clone()),
        (Some(first), Some(_)) => named(first, Doubt::Several),
        (None, _) if fresh.remote.is_none() => {
            known.iter().find(same_commit).map_or(Adoption::Fresh, |known| named(known, Doubt::NoRemote))
        }
        (None, _) => Adoption::Fresh,
    }
}

fn named(known: &Known, why: Doubt) -> Adoption {
    Adoption::Name { id: known.id.clone(), why }
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::path::Path;

    fn id(letter: char) -> ProjectId {
        ProjectId::parse(&letter.to_string().repeat(26)).unwrap()
    }

    fn at(name: &str) -> Remote {
        Remote::Hosted(format!("example.invalid/{name}"))
    }

    fn known(letter: char, commit: Option<&str>, remote: Option<Remote>) -> Known {
        Known { id: id(letter), root_commit: commit.map(str::to_owned), remote, orphaned_from: Vec::new() }
    }

    fn facts(commit: Option<&str>, remote: Option<Remote>) -> RootFacts {
        RootFacts { root_commit: commit.map(str::to_owned), remote, ..RootFacts::default() }
    }

    fn judge(fresh: &RootFacts, known: &[Known]) -> Adoption {
        judge_adoption(Path::new("/w/new"), fresh, known)
    }

    #[test]
    fn the_same_first_commit_and_remote_is_the_same_project() {
        let all = [known('a', Some("c1"), Some(at("a/api"))), known('b', Some("c2"), Some(at("b/api")))];
        assert_eq!(judge(&facts(Some("c2"), Some(at("b/api"))), &all), Adoption::Adopt(id('b')));
    }

    #[test]
    fn a_fork_gets_its_own_store() {
        let all = [known('a', Some("c1"), Some(at("a/api")))];
        assert_eq!(judge(&facts(Some("c1"), Some(at("fork/api"))), &all), Adoption::Fresh);
    }

    #[test]
    fn the_same_remote_with_another_history_is_another_project() {
        let all = [known('a', Some("c1"), Some(at("a/api")))];
        assert_eq!(judge(&facts(Some("c9"), Some(at("a/api"))), &all), Adoption::Fresh);
    }

    #[test]
    fn an_empty_repository_matches_nothing() {
        let all = [known('a', None, None), known('b', None, Some(at("b/api")))];
        assert_eq!(judge(&facts(None, None), &all), Adoption::Fresh);
        assert_eq!(judge(&facts(None, Some(at("b/api"))), &all), Adoption::Fresh);
    }

    #[test]
    fn a_clone_from_the_projects_own_folder_is_the_same_project() {
        let all = [known('a', Some("c1"), Some(at("a/api")))];
        let clone = RootFacts { remote_id: Some(id('a')), ..facts(Some("c1"), Some(Remote::Local("/w/api".into()))) };
        assert_eq!(judge(&clone, &all), Adoption::Adopt(id('a')));
    }

    #[test]
    fn shallow_and_remoteless_clones_are_named_and_not_adopted() {
        let all = [known('a', Some("c1"), Some(at("a/api")))];
        let shallow = RootFacts { shallow: true, ..facts(Some("cut"), Some(at("a/api"))) };
        assert_eq!(judge(&shallow, &all), Adoption::Name { id: id('a'), why: Doubt::Shallow });
        let elsewhere = RootFacts { shallow: true, ..facts(Some("cut"), Some(at("x/y"))) };
        assert_eq!(judge(&elsewhere, &all), Adoption::Fresh);
        assert_eq!(judge(&facts(Some("c1"), None), &all), Adoption::Name { id: id('a'), why: Doubt::NoRemote });
    }

    #[test]
    fn two_that_fit_are_not_guessed_between() {
        let all = [known('a', Some("c1"), Some(at("a/api"))), known('b', Some("c1"), Some(at("a/api")))];
        let answer = judge(&facts(Some("c1"), Some(at("a/api"))), &all);
        assert_eq!(answer, Adoption::Name { id: id('a'), why: Doubt::Several });
    }

    #[test]
    fn a_project_that_was_uninstalled_comes_back_at_its_old_place_and_nowhere_else() {
        let gone = Known { orphaned_from: vec!["/w/new".into()], ..known('a', Some("c1"), None) };
        let all = [gone];
        assert_eq!(judge(&facts(Some("c1"), None), &all), Adoption::Adopt(id('a')));
        assert_eq!(judge(&facts(None, None), &all), Adoption::Adopt(id('a')));
        assert_eq!(judge(&facts(Some("c2"), None), &all), Adoption::Fresh, "another history at the same place");
        assert_eq!(judge_adoption(Path::new("/w/other"), &facts(None, None), &all), Adoption::Fresh);
    }
}
