//! What is checked out, read from git's files: no `git` is started.

use std::path::Path;

use crate::read_file::read_file;

/// `HEAD`, a ref or a `.git` file is one short line; the packed refs of a large repository are some megabytes.
const REF_CAP_BYTES: u64 = 64 << 20;

/// What is checked out; nothing without git, before the first commit, or in a format of refs that is not known.
#[derive(Debug, Default, PartialEq, Eq)]
pub(super) struct Head {
    /// The branch; `None` when no branch is checked out.
    pub(super) branch: Option<String>,
    /// The commit, in hex.
    pub(super) commit: Option<String>,
}

/// Branch and commit.
pub(super) fn gather_head(root: &Path, common_dir: Option<&Path>) -> Head {
    let (Some(common_dir), Some(head)) = (common_dir, head_line(root)) else { return Head::default() };
    let Some(name) = ref_of(&head) else { return Head { branch: None, commit: commit_of(&head) } };
    // A name with `..` is none that git would have made.
    let loose = (!name.contains("..")).then(|| one_line(&common_dir.join(name))).flatten();
    let commit = loose.as_deref().and_then(commit_of).or_else(|| packed(common_dir, name));
    Head { branch: branch_of(name), commit }
}

/// The branch alone: two short files.
pub(super) fn gather_branch(root: &Path) -> Option<String> {
    branch_of(ref_of(&head_line(root)?)?)
}

/// A hash of git: 40 (SHA-1) or 64 (SHA-256) hex digits.
pub(super) fn is_commit(text: &str) -> bool {
    matches!(text.len(), 40 | 64) && text.bytes().all(|byte| byte.is_ascii_hexdigit())
}

fn head_line(root: &Path) -> Option<String> {
    let git = root.join(".git");
    let git_dir = match one_line(&git).as_deref().and_then(|line| line.strip_prefix("gitdir:")) {
        Some(linked) => root.join(linked.trim()),
        None => git,
    };
    one_line(&git_dir.join("HEAD"))
}

fn ref_of(head: &str) -> Option<&str> {
    head.strip_prefix("ref:").map(str::trim)
}

fn branch_of(name: &str) -> Option<String> {
    // With reftable, HEAD is a stub that names an impossible branch.
    name.strip_prefix("refs/heads/").filter(|branch| *branch != ".invalid").map(str::to_owned)
}

fn packed(common_dir: &Path, name: &str) -> Option<String> {
    let text = read_file(&common_dir.join("packed-refs"), REF_CAP_BYTES).ok()?;
    let line = text.split(|byte| *byte == b'\n').find(|line| {
        line.strip_suffix(name.as_bytes()).is_some_and(|hash| hash.last() == Some(&b' ') && !hash.starts_with(b"#"))
    })?;
    commit_of(std::str::from_utf8(line).ok()?.split(' ').next()?)
}

fn one_line(path: &Path) -> Option<String> {
    let text = String::from_utf8(read_file(path, REF_CAP_BYTES).ok()?).ok()?;
    text.lines().next().map(|line| line.trim().to_owned())
}

fn commit_of(text: &str) -> Option<String> {
    is_commit(text).then(|| text.to_owned())
}
