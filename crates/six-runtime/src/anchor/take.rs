//! Takes an anchor: what a record cites, so that it can be checked again when it is shown.

use std::path::{Path, PathBuf};

use six_core::record::{Anchor, Place, count_lines, has_word, parse_citations, span_hash};
use six_core::text::{Redacted, Redactor};

use super::eyes::{Resolved, resolve};
use super::head::gather_head;
use crate::project::identity::Project;
use crate::read_file::{ReadError, read_file};

/// A larger file is no source text that anybody cites lines of.
const CAP_BYTES: u64 = 16 << 20;
/// A larger file is not searched for names that a text mentions in passing.
const NAMES_CAP_BYTES: u64 = 1 << 20;
/// Files that a record stands on because its text mentions them; each is looked at whenever the record is shown.
const MAX_CITED: usize = 4;

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
    /// The name does not occur in the file.
    #[error("{symbol} does not occur in {path}")]
    NoSuchName {
        /// The file, as given.
        path: String,
        /// The name.
        symbol: String,
    },
}

/// Takes an anchor at a file of the project; `place` counts from its root.
///
/// Cited lines are hashed, and so is a file that is cited whole; of a place with a name and no lines only the name counts,
/// whatever else changes in the file. Links are followed, and where they lead has to be inside the project too. Branch and
/// commit are read from git's files; `None` without git, before the first commit, or in a format of refs that is not known.
pub fn take(project: &Project, place: Place<'_>, redactor: Redactor) -> Result<Anchor, AnchorError> {
    let path = || place.path.to_owned();
    let file = project.root.join(place.path);
    let real = file.canonicalize().map_err(|_| ReadError::Missing { path: file })?;
    let relative = real
        .strip_prefix(&project.root)
        .map_err(|_| AnchorError::Outside { path: path(), root: project.root.clone() })?;
    let bytes = read_file(&real, CAP_BYTES)?;
    if let Some(symbol) = place.symbol.filter(|symbol| !has_word(&bytes, symbol)) {
        return Err(AnchorError::NoSuchName { path: path(), symbol: symbol.to_owned() });
    }
    let hash = match (place.lines, place.symbol) {
        (None, Some(_)) => None,
        (lines, _) => Some(span_hash(&bytes, lines).ok_or_else(|| {
            let (first, last) = lines.unwrap_or_default();
            AnchorError::NoSuchLines { path: path(), has: count_lines(&bytes), first, last }
        })?),
    };
    let symbol = place.symbol.map(|symbol| redactor.redact(symbol));
    Ok(Anchor { lines: place.lines, hash, symbol, ..here(project, relative, redactor) })
}

/// Takes an anchor at each file of the project that a record's own text mentions and `taken` does not cite, with the first
/// name of the text that occurs in it. Such a place holds as long as it exists and has that name: nobody said that the rest
/// of the file matters, and a warning at every edit would soon be read by nobody.
pub fn take_cited(project: &Project, texts: &[&Redacted], taken: &[Anchor], redactor: Redactor) -> Vec<Anchor> {
    let found: Vec<_> = texts.iter().map(|text| parse_citations(text.as_str())).collect();
    let names: Vec<&str> = found.iter().flat_map(|one| one.names.iter().copied()).collect();
    let mut anchors: Vec<Anchor> = Vec::new();
    for path in found.iter().flat_map(|one| &one.paths) {
        if anchors.len() == MAX_CITED {
            break;
        }
        let Resolved::File(real, _) = resolve(&project.root, path) else { continue };
        let Ok(relative) = real.strip_prefix(&project.root) else { continue };
        let anchor = here(project, relative, redactor);
        if !taken.iter().chain(&anchors).any(|known| known.path == anchor.path) {
            let symbol = first_name(&real, &names).map(|name| redactor.redact(name));
            anchors.push(Anchor { symbol, ..anchor });
        }
    }
    anchors
}

fn first_name<'t>(file: &Path, names: &[&'t str]) -> Option<&'t str> {
    if names.is_empty() {
        return None;
    }
    let bytes = read_file(file, NAMES_CAP_BYTES).ok()?;
    names.iter().copied().find(|name| has_word(&bytes, name))
}

/// A place of what is checked out.
fn here(project: &Project, relative: &Path, redactor: Redactor) -> Anchor {
    let head = gather_head(&project.root, project.common_dir.as_deref());
    let names: Vec<_> = relative.components().map(|part| part.as_os_str().to_string_lossy()).collect();
    Anchor {
        commit: head.commit,
        branch: head.branch.map(|branch| redactor.redact(&branch)),
        ..Anchor::of_path(redactor.redact(&names.join("/")))
    }
}

#[cfg(test)]
pub(super) mod tests {
    use super::*;
    use crate::project::adopt::RootFacts;
    use crate::project::enrol::{Wish, enrol};
    use crate::project::identity::{Located, locate_at};
    use crate::project::scratch::Scratch;
    use six_core::record::parse_place;
    use std::fs;

    pub(in crate::anchor) fn project(scratch: &Scratch, root: &Path) -> Project {
        enrol(&scratch.env(), root, &RootFacts::default(), &Wish::Judge, 0).unwrap().project
    }

    fn anchor(project: &Project, path: &str, lines: Option<(u32, u32)>) -> Result<Anchor, AnchorError> {
        take(project, Place { path, lines, symbol: None }, Redactor::new())
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

    #[test]
    fn a_name_is_cited_without_the_rest_of_its_file() {
        let scratch = Scratch::new();
        let root = scratch.repository("api");
        scratch.commit(&root, "src/gate.rs", "fn settle() {}\nfn open() {}\n");
        let project = project(&scratch, &root);
        let cited = |text: &str| take(&project, parse_place(text), Redactor::new());
        let named = cited("src/gate.rs#settle").unwrap();
        assert_eq!((named.symbol.as_ref().map(Redacted::as_str), named.hash), (Some("settle"), None));
        let lines = cited("src/gate.rs:2#open").unwrap();
        assert!(lines.hash.is_some() && lines.symbol.is_some());
        let refused = cited("src/gate.rs#sett").unwrap_err();
        assert_eq!(refused.to_string(), "sett does not occur in src/gate.rs");
    }

    #[test]
    fn what_a_text_mentions_is_cited_if_it_is_there() {
        let scratch = Scratch::new();
        let root = scratch.repository("api");
        scratch.commit(&root, "src/gate.rs", "fn settle_votes() {}\n");
        scratch.commit(&root, "docs/why.md", "because");
        let project = project(&scratch, &root);
        let redact = |text: &str| Redactor::new().redact(text);
        let title = redact("`settle_votes` of src/gate.rs:40 counts, not lost_name of src/none.rs or ../secret");
        let body = redact("See docs/why.md, README.md and src/gate.rs; never target/ or /etc/passwd.");
        let taken = [Anchor::of_path(redact("README.md"))];
        let cited = take_cited(&project, &[&title, &body], &taken, Redactor::new());
        let seen: Vec<_> = cited
            .iter()
            .map(|a| (a.path.as_str(), a.symbol.as_ref().map(Redacted::as_str), a.hash.is_some()))
            .collect();
        assert_eq!(seen, [("src/gate.rs", Some("settle_votes"), false), ("docs/why.md", None, false)]);
        assert_eq!(cited[0].branch.as_ref().map(Redacted::as_str), Some("main"));
    }
}
