//! Where a file went that is no longer there, and what was changed with it.

use std::collections::BTreeMap;
use std::ops::ControlFlow;
use std::path::PathBuf;

use super::commits::Fields;
use super::{Git, GitError};
use crate::project::stored_path::path_of_bytes;

/// Renames of one file that are followed.
const MAX_HOPS: usize = 8;

/// Commits whose other files are listed.
const MAX_CHANGES: usize = 8;
/// Files that are listed: a commit that touches more (a vendored tree) says nothing more with the rest.
const MAX_FILES: usize = 256;
/// Content that is read for a comparison.
const BLOB_CAP_BYTES: usize = 16 << 20;

/// How much alike two files have to be to be one, and how many pairs are compared in one commit at most.
const DETECTION: [&str; 2] = ["-M50%", "-l400"];

/// What every comparison is asked.
const COMPARE: [&str; 7] =
    ["-r", "-z", "--name-status", "--diff-filter=R", "--no-ext-diff", "--no-textconv", "--ignore-submodules=all"];

/// From the old names of files to the new ones.
pub type Renames = BTreeMap<PathBuf, PathBuf>;

impl Git {
    /// The names of a file after it had `path`, oldest first, as the history of HEAD tells: the commit that took the name
    /// away is asked where the content went, and so on from there. Empty if the file was deleted, is still there or never
    /// was. Content that was changed a lot in the same commit is not recognised.
    pub fn later_names(&self, path: &str) -> Result<Vec<PathBuf>, GitError> {
        let mut names: Vec<PathBuf> = Vec::new();
        let mut at = path.to_owned();
        for _ in 0..MAX_HOPS {
            let Some(commit) = self.last_change(&at)? else { break };
            let Some(to) = self.renamed_in(&commit)?.remove(&PathBuf::from(&at)) else { break };
            let Some(next) = to.to_str().map(str::to_owned) else { break };
            if names.contains(&to) {
                break;
            }
            names.push(to);
            at = next;
        }
        Ok(names)
    }

    /// What the index has under another name than HEAD: moves that are not committed yet.
    pub fn staged_renames(&self) -> Result<Renames, GitError> {
        self.renames(&[&["diff-index", "--cached"][..], &DETECTION, &COMPARE, &["HEAD", "--"]].concat())
    }

    /// The files that were added or changed in the newest commits that touched a path, those of the newest commit first;
    /// only commits that `since` does not reach, if it is there.
    pub fn changed_with(&self, path: &str, since: Option<&str>) -> Result<Vec<PathBuf>, GitError> {
        let since = since.map(|commit| self.resolve(commit)).transpose()?.flatten();
        let (literal, most) = (format!(":(literal){path}"), format!("--max-count={MAX_CHANGES}"));
        let except = since.map(|commit| format!("^{commit}"));
        let mut args = vec!["rev-list", &most, "HEAD"];
        args.extend(except.as_deref());
        args.extend(["--", &literal]);
        let commits = self.text(&args)?;
        let mut files = Vec::new();
        let show = [
            "diff-tree",
            "--stdin",
            "--no-commit-id",
            "-r",
            "-z",
            "--name-only",
            "--diff-filter=AM",
            "--no-renames",
            "--no-ext-diff",
            "--no-textconv",
            "--ignore-submodules=all",
        ];
        let mut fields = Fields::default();
        self.run(&show, Some(commits.into_bytes()), &mut |bytes| {
            fields.feed(bytes, &mut |field| {
                let file = path_of_bytes(field);
                if !files.contains(&file) {
                    files.push(file);
                }
                if files.len() < MAX_FILES { ControlFlow::Continue(()) } else { ControlFlow::Break(()) }
            })
        })?;
        Ok(files)
    }

    /// The content of a file in a commit; `None` if either is not there, or it is larger than any source text.
    pub fn blob(&self, commit: &str, path: &str) -> Result<Option<Vec<u8>>, GitError> {
        let mut content = Vec::new();
        let small = Git { cap_bytes: BLOB_CAP_BYTES, ..self.clone() };
        let read = small.run(&["cat-file", "blob", &format!("{commit}:{path}")], None, &mut |bytes| {
            content.extend_from_slice(bytes);
            ControlFlow::Continue(())
        });
        match read {
            Ok(()) => Ok(Some(content)),
            Err(GitError::Failed { code: Some(128), .. } | GitError::TooMuch { .. }) => Ok(None),
            Err(fault) => Err(fault),
        }
    }

    /// The newest commit of a local branch; `None` if there is no such branch.
    pub fn branch_tip(&self, branch: &str) -> Result<Option<String>, GitError> {
        self.resolve(&format!("refs/heads/{branch}"))
    }

    /// The newest commit that HEAD reaches and that touched a path.
    fn last_change(&self, path: &str) -> Result<Option<String>, GitError> {
        let literal = format!(":(literal){path}");
        let commit = self.line(&["rev-list", "--max-count=1", "HEAD", "--", &literal])?;
        Ok(Some(commit).filter(|commit| !commit.is_empty()))
    }

    fn renamed_in(&self, commit: &str) -> Result<Renames, GitError> {
        let parent = format!("{commit}^1");
        if self.resolve(&parent)?.is_none() {
            return Ok(Renames::new());
        }
        self.renames(&[&["diff-tree"][..], &DETECTION, &COMPARE, &[&parent, commit, "--"]].concat())
    }

    fn renames(&self, args: &[&str]) -> Result<Renames, GitError> {
        let (mut renames, mut three) = (Renames::new(), Vec::new());
        let mut fields = Fields::default();
        self.run(args, None, &mut |bytes| {
            fields.feed(bytes, &mut |field| {
                three.push(path_of_bytes(field));
                if let [_, _, _] = three.as_slice()
                    && let (Some(new), Some(old)) = (three.pop(), three.pop())
                {
                    renames.insert(old, new);
                    three.clear();
                }
                ControlFlow::Continue(())
            })
        })?;
        Ok(renames)
    }
}
