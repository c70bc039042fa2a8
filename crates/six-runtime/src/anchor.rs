//! Takes an anchor: what a record cites, so that it can be checked again when it is shown.

use crate::project::identity::Project;
use crate::read_file::{ReadError, read_file};
use sha2::{Digest, Sha256};
use six_core::record::Anchor;
use six_core::text::{Redactor, hex};
use std::path::{Path, PathBuf};

/// A larger file is no source text that anybody cites lines of.
const CAP_BYTES: u64 = 16 << 20;
/// `HEAD`, a ref or a `.git` file is one short line; the packed refs of a large repository are some megabytes.
const REF_CAP_BYTES: u64 = 64 << 20;

/// Why a place can't be cited.
#[derive(Debug, thiserror::Error)]
pub enum AnchorError {
    /// The path leads out of the project.
    #[error("{path} is outside the project {}", root.display())]
    Outside {
        /// As given.
        path: String,
        /// The project.
        root: PathBuf,
    },
    /// It is not there, no file, too large, or not to be read.
    #[error(transparent)]
    Unreadable(#[from] ReadError),
    /// The file has fewer lines, or the range is none.
    #[error("{path} has {has} lines, there is no line range {first}-{last}")]
    NoSuchLines {
        /// As given.
        path: String,
        /// Lines of the file.
        has: usize,
        /// First line asked for.
        first: u32,
        /// Last line asked for.
        last: u32,
    },
}

/// Takes an anchor at a file of the project: `path` counts from its root, `lines` from 1.
///
/// Links are followed, and where they lead has to be inside the project too. Branch and commit are read from git's files;
/// `None` without git, before the first commit, or in a format of refs that is not known.
pub fn take(
    project: &Project,
    path: &str,
    lines: Option<(u32, u32)>,
    redactor: Redactor,
) -> Result<Anchor, AnchorError> {
    let file = project.root.join(path);
    let outside = || AnchorError::Outside { path: path.to_owned(), root: project.root.clone() };
    let real = file.canonicalize().map_err(|_| ReadError::Missing { path: file })?;
    let relative = real.strip_prefix(&project.root).map_err(|_| outside())?;
    let bytes = read_file(&real, CAP_BYTES)?;
    let hash = span_hash(&bytes, lines).ok_or_else(|| {
        let (first, last) = lines.unwrap_or_default();
        AnchorError::NoSuchLines { path: path.to_owned(), has: lines_of(&bytes).count(), first, last }
    })?;
    let head = gather_head(&project.root, project.common_dir.as_deref());
    let names: Vec<_> = relative.components().map(|part| part.as_os_str().to_string_lossy()).collect();
    Ok(Anchor {
        path: redactor.redact(&names.join("/")),
        lines,
        hash: Some(hash),
        commit: head.commit,
        branch: head.branch.map(|branch| redactor.redact(&branch)),
        symbol: None,
        moved_to: None,
        merged: None,
    })
}

/// SHA-256 (hex) of a file, or of some of its lines (from 1, both ends included) without their line ends, so that a
/// checkout with other line ends is not a change. `None` if there are no such lines.
pub fn span_hash(bytes: &[u8], lines: Option<(u32, u32)>) -> Option<String> {
    let mut hasher = Sha256::new();
    match lines {
        None => hasher.update(bytes),
        Some((first, last)) => {
            let wanted = usize::try_from(last.checked_sub(first)?).ok()?.checked_add(1)?;
            let cited: Vec<&[u8]> =
                lines_of(bytes).skip(usize::try_from(first.checked_sub(1)?).ok()?).take(wanted).collect();
            if cited.len() < wanted {
                return None;
            }
            for line in cited {
                hasher.update(line);
                hasher.update(b"\n");
            }
        }
    }
    Some(hex(&hasher.finalize()))
}

fn lines_of(bytes: &[u8]) -> impl Iterator<Item = &[u8]> {
    bytes.split_inclusive(|byte| *byte == b'\n').map(|line| {
        let line = line.strip_suffix(b"\n").unwrap_or(line);
        line.strip_suffix(b"\r").unwrap_or(line)
    })
}

/// What is checked out.
#[derive(Debug, Default, PartialEq, Eq)]
struct Head {
    branch: Option<String>,
    commit: Option<String>,
}

fn gather_head(root: &Path, common_dir: Option<&Path>) -> Head {
    let Some(common_dir) = common_dir else { return Head::default() };
    let git = root.join(".git");
    let git_dir = match one_line(&git).as_deref().and_then(|line| line.strip_prefix("gitdir:")) {
        Some(linked) => root.join(linked.trim()),
        None => git,
    };
    let Some(head) = one_line(&git_dir.join("HEAD")) else { return Head::default() };
    let Some(name) = head.strip_prefix("ref:").map(str::trim) else {
        return Head { branch: None, commit: commit_of(&head) };
    };
    // A name with `..` is none that git would have made.
    let loose = (!name.contains("..")).then(|| one_line(&common_dir.join(name))).flatten();
    let commit = loose.as_deref().and_then(commit_of).or_else(|| packed(common_dir, name));
    // With reftable, HEAD is a stub that names an impossible branch.
    let branch = name.strip_prefix("refs/heads/").filter(|branch| *branch != ".invalid");
    Head { branch: branch.map(str::to_owned), commit }
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

/// A hash of git: 40 (SHA-1) or 64 (SHA-256) hex digits.
fn commit_of(text: &str) -> Option<String> {
    let is_hash = matches!(text.len(), 40 | 64) && text.bytes().all(|byte| byte.is_ascii_hexdigit());
    is_hash.then(|| text.to_owned())
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::project::adopt::RootFacts;
    use crate::project::enrol::{Wish, enrol};
    use crate::project::identity::{Located, locate_at};
    use crate::project::scratch::Scratch;
    use std::fs;

    fn project(scratch: &Scratch, root: &Path) -> Project {
        enrol(&scratch.env(), root, &RootFacts::default(), &Wish::Judge, 0).unwrap().project
    }

    fn anchor(project: &Project, path: &str, lines: Option<(u32, u32)>) -> Result<Anchor, AnchorError> {
        take(project, path, lines, Redactor::new())
    }

    #[test]
    fn lines_are_hashed_without_their_ends() {
        let hash = |text: &str, lines| span_hash(text.as_bytes(), Some(lines));
        assert_eq!(hash("a\nb\nc", (2, 3)), hash("x\r\nb\r\nc\r\n", (2, 3)));
        assert_ne!(hash("a\nb", (1, 2)), hash("ab", (1, 1)));
        assert_eq!((hash("a\n", (2, 2)), hash("a\n", (0, 1)), hash("a\nb", (2, 1))), (None, None, None));
        assert_eq!(span_hash(b"", None).unwrap(), "e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855");
    }

    #[test]
    fn an_anchor_names_place_hash_branch_and_commit() {
        let scratch = Scratch::new();
        let root = scratch.repository("api");
        scratch.commit(&root, "src/gate.rs", "one\ntwo\nthree\n");
        let project = project(&scratch, &root);
        let taken = anchor(&project, "src/../src/gate.rs", Some((2, 3))).unwrap();
        assert_eq!((taken.path.as_str(), taken.lines), ("src/gate.rs", Some((2, 3))));
        assert_eq!(taken.hash, span_hash(b"two\nthree", Some((1, 2))));
        assert_eq!(taken.branch.unwrap().as_str(), "main");
        assert_eq!(taken.commit, Some(scratch.git(&root, &["rev-parse", "HEAD"])));
    }

    #[test]
    fn packed_refs_worktrees_and_a_detached_head_are_read() {
        let scratch = Scratch::new();
        let root = scratch.repository("api");
        let project = project(&scratch, &root);
        let commit = Some(scratch.git(&root, &["rev-parse", "HEAD"]));
        scratch.git(&root, &["pack-refs", "--all"]);
        assert_eq!(anchor(&project, "README.md", None).unwrap().commit, commit);
        let linked = scratch.at("fix");
        scratch.git(&root, &["worktree", "add", "-q", "-b", "fix/deep", linked.to_str().unwrap()]);
        let Located::Installed(worktree) = locate_at(&scratch.env(), &linked) else { panic!() };
        let taken = anchor(&worktree, "README.md", None).unwrap();
        assert_eq!((taken.branch.unwrap().as_str(), &taken.commit), ("fix/deep", &commit));
        scratch.git(&root, &["checkout", "-q", "--detach"]);
        let taken = anchor(&project, "README.md", None).unwrap();
        assert_eq!((taken.branch, taken.commit), (None, commit));
    }

    #[test]
    fn before_the_first_commit_and_without_git_there_is_no_commit() {
        let scratch = Scratch::new();
        let unborn = scratch.folder("unborn");
        scratch.git(&unborn, &["init", "-q", "-b", "main", "."]);
        for root in [unborn, scratch.folder("plain")] {
            fs::write(root.join("a.txt"), "a").unwrap();
            assert_eq!(anchor(&project(&scratch, &root), "a.txt", None).unwrap().commit, None);
        }
    }

    #[cfg(unix)]
    #[test]
    fn no_way_leads_out_of_the_project() {
        let scratch = Scratch::new();
        let root = scratch.folder("plain");
        fs::write(scratch.at("secret"), "s").unwrap();
        std::os::unix::fs::symlink(scratch.at("secret"), root.join("link")).unwrap();
        let project = project(&scratch, &root);
        let absolute = scratch.at("secret");
        for path in ["../secret", "link", absolute.to_str().unwrap()] {
            assert!(matches!(anchor(&project, path, None), Err(AnchorError::Outside { .. })), "{path}");
        }
        assert!(matches!(anchor(&project, "none", None), Err(AnchorError::Unreadable(_))));
        assert!(matches!(anchor(&project, ".", None), Err(AnchorError::Unreadable(_))));
        fs::write(root.join("a.txt"), "a\nb\n").unwrap();
        let refused = anchor(&project, "a.txt", Some((2, 3))).unwrap_err();
        assert_eq!(refused.to_string(), "a.txt has 2 lines, there is no line range 2-3");
    }
}
