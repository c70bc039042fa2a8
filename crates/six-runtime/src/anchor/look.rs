//! The worker's look: where cited text went that is not at its place, and whether another branch's is part of this one.
//!
//! A hook has no time for git. What is found here is a hint that it checks again ([`super::verify()`]).

use std::collections::BTreeMap;
use std::iter;
use std::path::{Path, PathBuf};
use std::time::{Duration, Instant};

use six_core::inject::judge_place;
use six_core::record::{Anchor, AnchorState, Place, has_word, parse_place, span_hash};
use six_core::text::{Redacted, Redactor, sha256_hex};
use six_store::{Cited, Store, StoreError};

use super::eyes::Eyes;
use super::head::{Head, gather_head, is_commit};
use super::verify::still_there;
use crate::clock;
use crate::git::{Git, Renames};
use crate::project::identity::Project;

/// Nobody waits: any file that can be cited is read.
const CAP_BYTES: u64 = 16 << 20;
/// What one look may take. What is not reached is looked at by the next worker, the newest records first.
const LIMIT: Duration = Duration::from_secs(20);
/// What one call of git may take.
const GIT_LIMIT: Duration = Duration::from_secs(5);
/// Files that are searched for lines which left theirs.
const MAX_SIBLINGS: usize = 64;

/// Looks at what confirmed records cite, and stores what it finds. Does nothing if neither what is checked out nor a cited
/// file nor the anchors have changed since the last look. Returns how many anchors have news.
pub fn look(project: &Project, store: &Store, until: Instant) -> Result<u64, StoreError> {
    let mut cited = store.cited_anchors()?;
    if cited.is_empty() {
        return Ok(0);
    }
    let head = gather_head(&project.root, project.common_dir.as_deref());
    if store.anchors_looked()? == Some(stands_on(&project.root, &head, &cited)) {
        return Ok(0);
    }
    let until = until.min(Instant::now() + LIMIT);
    let is_over = || Instant::now() >= until;
    let mut search = Search::new(project, &head);
    let mut news = Vec::new();
    for one in &mut cited {
        let anchor = search.follow(&one.anchor);
        if is_over() {
            break;
        }
        if anchor != one.anchor {
            one.anchor = anchor;
            news.push(one.clone());
        }
    }
    let stood_on = (!is_over()).then(|| stands_on(&project.root, &head, &cited));
    store.note_anchors(&news, stood_on.as_deref())?;
    Ok(u64::try_from(news.len()).unwrap_or(u64::MAX))
}

/// A hash of all that a look depends on: what is checked out, the anchors, and the state of every file that they name.
fn stands_on(root: &Path, head: &Head, cited: &[Cited]) -> String {
    let lines = cited.iter().map(|Cited { record, ordinal, anchor }| {
        let hint = anchor.moved_to.as_ref().map(|hint| parse_place(hint.as_str()).path);
        let files: Vec<_> =
            [Some(anchor.path.as_str()), hint].into_iter().flatten().map(|path| state(root, path)).collect();
        format!("{record} {ordinal} {anchor:?} {files:?}")
    });
    sha256_hex(iter::once(format!("{head:?}")).chain(lines).collect::<Vec<_>>().join("\n"))
}

fn state(root: &Path, path: &str) -> Option<(u64, i64)> {
    let metadata = root.join(path).metadata().ok()?;
    Some((metadata.len(), clock::modified_unix_ms(&metadata)))
}

struct Search<'a> {
    eyes: Eyes<'a>,
    git: Option<Git>,
    branch: Option<Redacted>,
    redactor: Redactor,
    staged: Option<Renames>,
    /// Of paths that are gone, since one file is cited by many.
    names: BTreeMap<String, Vec<PathBuf>>,
    reached: BTreeMap<String, Option<bool>>,
}

impl<'a> Search<'a> {
    fn new(project: &'a Project, head: &Head) -> Search<'a> {
        let redactor = Redactor::new();
        Search {
            eyes: Eyes::new(&project.root, CAP_BYTES),
            git: project.common_dir.as_ref().map(|_| Git::new(&project.root).with_limit(GIT_LIMIT)),
            branch: head.branch.as_deref().map(|branch| redactor.redact(branch)),
            redactor,
            staged: None,
            names: BTreeMap::new(),
            reached: BTreeMap::new(),
        }
    }

    /// The anchor with what is known of it now.
    fn follow(&mut self, anchor: &Anchor) -> Anchor {
        let here = judge_place(anchor, &self.eyes.look(anchor));
        let moved_to = match &here {
            // Within its own file the hook finds it by itself.
            AnchorState::Holds | AnchorState::Shifted { .. } | AnchorState::Moved { .. } => None,
            AnchorState::Unverifiable => anchor.moved_to.clone(),
            _ => self.elsewhere(anchor, here == AnchorState::Gone),
        };
        Anchor { moved_to, merged: self.merged(anchor, &here), ..anchor.clone() }
    }

    /// Where what is cited stands now: where it was found last, where its file was moved to, or in a file that was changed
    /// together with its own.
    fn elsewhere(&mut self, anchor: &Anchor, is_gone: bool) -> Option<Redacted> {
        if let Some((path, lines)) = still_there(&mut self.eyes, anchor, is_gone) {
            return self.hint(path.as_str(), lines);
        }
        let places = if is_gone { self.later_names(anchor.path.as_str()) } else { self.siblings(anchor) };
        places.into_iter().find_map(|path| {
            let moved_to = Some(self.hint(path.to_str()?, anchor.lines)?);
            let (path, lines) = still_there(&mut self.eyes, &Anchor { moved_to, ..anchor.clone() }, is_gone)?;
            self.hint(path.as_str(), lines)
        })
    }

    /// Newest first.
    fn later_names(&mut self, path: &str) -> Vec<PathBuf> {
        let Some(git) = &self.git else { return Vec::new() };
        if let Some(known) = self.names.get(path) {
            return known.clone();
        }
        let mut names = git.later_names(path).unwrap_or_default();
        // Without an index, or before the first commit, nothing is staged.
        let staged = self.staged.get_or_insert_with(|| git.staged_renames().unwrap_or_default());
        names.extend(staged.get(names.last().map_or(Path::new(path), PathBuf::as_path)).cloned());
        names.reverse();
        self.names.insert(path.to_owned(), names.clone());
        names
    }

    fn siblings(&self, anchor: &Anchor) -> Vec<PathBuf> {
        let (Some(git), Some(_)) = (&self.git, anchor.lines) else { return Vec::new() };
        let since = anchor.commit.as_deref().filter(|commit| is_commit(commit));
        let mut files = git.changed_with(anchor.path.as_str(), since).unwrap_or_default();
        files.retain(|file| file.to_str() != Some(anchor.path.as_str()));
        files.truncate(MAX_SIBLINGS);
        files
    }

    /// `None` for a path that can't be written without a loss.
    fn hint(&self, path: &str, lines: Option<(u32, u32)>) -> Option<Redacted> {
        let text = Place { path, lines, symbol: None }.to_string();
        Some(self.redactor.redact(&text)).filter(|hint| hint.as_str() == text && parse_place(&text).path == path)
    }

    /// Whether what was cited on another branch is part of what is checked out. Once it was, it stays so: that it has been
    /// changed since then is a change of this branch.
    fn merged(&mut self, anchor: &Anchor, here: &AnchorState) -> Option<bool> {
        let (Some(branch), Some(commit)) = (&anchor.branch, &anchor.commit) else { return anchor.merged };
        if Some(branch) == self.branch.as_ref() || anchor.merged == Some(true) || !is_commit(commit) {
            return anchor.merged;
        }
        if matches!(here, AnchorState::Holds | AnchorState::Shifted { .. } | AnchorState::Moved { .. }) {
            return Some(true);
        }
        let git = self.git.as_ref()?;
        // A record is often made before its work is committed: then the branch has it, and the commit has not.
        let committed = git.blob(commit, anchor.path.as_str()).ok().flatten().is_some_and(|bytes| has(&bytes, anchor));
        let tip = if committed { commit.clone() } else { git.branch_tip(branch.as_str()).ok()?? };
        let reaches = |commit: &String| git.reaches(commit).ok();
        *self.reached.entry(tip.clone()).or_insert_with_key(reaches)
    }
}

fn has(bytes: &[u8], anchor: &Anchor) -> bool {
    let hash = anchor.hash.as_deref();
    (hash.is_none() || span_hash(bytes, anchor.lines).as_deref() == hash)
        && anchor.symbol.as_ref().is_none_or(|name| has_word(bytes, name.as_str()))
}

#[cfg(test)]
mod tests {
    use std::fs;

    use six_core::record::{Origin, Record, RecordId, RecordKind, RecordState, UnixMs};

    use super::*;
    use crate::anchor::take;
    use crate::anchor::take::tests::project;
    use crate::project::scratch::Scratch;

    const GATE: &str = "fn open() {}\nfn settle(votes: u32) {}\nfn close_the_gate() {}\n";

    /// A project with a confirmed decision on one place.
    struct Citing {
        scratch: Scratch,
        root: PathBuf,
        project: Project,
        store: Store,
    }

    impl Citing {
        fn new(place: &str, prepare: impl FnOnce(&Scratch, &Path)) -> Self {
            let scratch = Scratch::new();
            let root = scratch.repository("api");
            scratch.commit(&root, "src/gate.rs", GATE);
            let project = project(&scratch, &root);
            prepare(&scratch, &root);
            fs::create_dir_all(&project.store_dir).unwrap();
            let store = Store::create(&project.store_dir.join("memory.db"), UnixMs(0)).unwrap();
            let none = || Redacted::literal("");
            let record = Record {
                id: RecordId::new("r1"),
                kind: RecordKind::Decision,
                state: RecordState::Confirmed,
                origin: Origin::Operator,
                title: Redacted::literal("Gates settle votes"),
                body: none(),
                quote: none(),
                rejected: Vec::new(),
                revive_if: none(),
                scope: none(),
                thread: None,
                superseded_by: None,
                session: None,
                turn: None,
                anchors: vec![take(&project, parse_place(place), Redactor::new()).unwrap()],
                created: UnixMs(0),
                validated: UnixMs(0),
                evidence: Redacted::default(),
                commits: Vec::new(),
                source_path: None,
                written_by: Redacted::default(),
            };
            store.add_record(&record, "operator").unwrap();
            Citing { scratch, root, project, store }
        }

        fn on_gate(place: &str) -> Self {
            Self::new(place, |_, _| {})
        }

        fn git(&self, args: &[&str]) {
            self.scratch.git(&self.root, args);
        }

        fn write(&self, file: &str, text: &str) {
            fs::write(self.root.join(file), text).unwrap();
        }

        /// Where it went and whether it is merged, after a look.
        fn looked(&self) -> (Option<String>, Option<bool>) {
            look(&self.project, &self.store, Instant::now() + Duration::from_secs(60)).unwrap();
            let anchor = self.store.record("r1").unwrap().anchors.remove(0);
            (anchor.moved_to.map(|hint| hint.to_string()), anchor.merged)
        }

        fn moved_to(&self) -> Option<String> {
            self.looked().0
        }
    }

    #[test]
    fn a_file_is_followed_through_commits_and_a_move_that_is_only_staged() {
        let citing = Citing::on_gate("src/gate.rs:2");
        assert_eq!(citing.moved_to(), None);
        citing.git(&["mv", "src/gate.rs", "src/lock.rs"]);
        assert_eq!(citing.moved_to().as_deref(), Some("src/lock.rs:2"));
        citing.write("src/lock.rs", &format!("// Locks.\n{GATE}"));
        citing.git(&["add", "-A"]);
        citing.git(&["commit", "-q", "-m", "to lock"]);
        assert_eq!(citing.moved_to().as_deref(), Some("src/lock.rs:3"));
        citing.git(&["mv", "src/lock.rs", "src/bolt [1].rs"]);
        citing.git(&["commit", "-q", "-m", "to bolt"]);
        citing.git(&["mv", "src/bolt [1].rs", "src/latch.rs"]);
        assert_eq!(citing.moved_to().as_deref(), Some("src/latch.rs:3"));
        citing.git(&["rm", "-q", "-f", "src/latch.rs"]);
        assert_eq!(citing.moved_to(), None);
    }

    #[test]
    fn lines_are_found_in_a_file_that_was_changed_with_theirs() {
        let citing = Citing::on_gate("src/gate.rs:2");
        citing.write("src/gate.rs", "fn open() {}\n");
        citing.write("src/votes.rs", "\n\nfn settle(votes: u32) {}\n");
        citing.write("src/other.rs", "nothing\n");
        citing.git(&["add", "-A"]);
        citing.git(&["commit", "-q", "-m", "votes apart"]);
        assert_eq!(citing.moved_to().as_deref(), Some("src/votes.rs:3"));
        citing.write("src/votes.rs", "");
        assert_eq!(citing.moved_to(), None);
    }

    #[test]
    fn what_is_only_on_another_branch_is_known_not_to_be_here_until_it_is_merged() {
        for commit_first in [true, false] {
            let citing = Citing::new("src/pier.rs:1", |scratch, root| {
                scratch.git(root, &["checkout", "-q", "-b", "pier"]);
                fs::write(root.join("src/pier.rs"), "fn moor_the_ship() {}\n").unwrap();
                if commit_first {
                    scratch.git(root, &["add", "-A"]);
                    scratch.git(root, &["commit", "-q", "-m", "pier"]);
                }
            });
            if !commit_first {
                citing.git(&["add", "-A"]);
                citing.git(&["commit", "-q", "-m", "pier"]);
            }
            assert_eq!(citing.looked(), (None, None));
            citing.git(&["checkout", "-q", "main"]);
            assert_eq!(citing.looked(), (None, Some(false)));
            citing.git(&["merge", "-q", "pier"]);
            citing.write("src/pier.rs", "fn chain_the_ship() {}\n");
            assert_eq!(citing.looked(), (None, Some(true)));
        }
    }

    #[test]
    fn a_squashed_branch_is_part_of_this_one_once_its_text_was_seen_here() {
        let citing = Citing::new("src/pier.rs:1", |scratch, root| {
            scratch.git(root, &["checkout", "-q", "-b", "pier"]);
            scratch.commit(root, "src/pier.rs", "fn moor_the_ship() {}\n");
        });
        citing.git(&["checkout", "-q", "main"]);
        assert_eq!(citing.looked().1, Some(false));
        citing.git(&["merge", "-q", "--squash", "pier"]);
        citing.git(&["commit", "-q", "-m", "squashed"]);
        assert_eq!(citing.looked().1, Some(true));
        citing.write("src/pier.rs", "fn chain_the_ship() {}\n");
        assert_eq!(citing.looked().1, Some(true));
    }

    #[test]
    fn nothing_is_done_until_something_has_changed() {
        let citing = Citing::on_gate("src/gate.rs:2");
        citing.write("src/gate.rs", "fn open() {}\n");
        citing.looked();
        let stood_on = citing.store.anchors_looked().unwrap().unwrap();
        citing.store.note_anchors(&[], Some("another")).unwrap();
        citing.looked();
        assert_eq!(citing.store.anchors_looked().unwrap().unwrap(), stood_on);
        for change in ["fn open() { }\n", "fn open() {  }\n"] {
            let before = citing.store.anchors_looked().unwrap();
            citing.write("src/gate.rs", change);
            citing.looked();
            assert_ne!(citing.store.anchors_looked().unwrap(), before);
        }
        look(&citing.project, &citing.store, Instant::now()).unwrap();
        citing.write("src/gate.rs", "");
        let before = citing.store.anchors_looked().unwrap();
        look(&citing.project, &citing.store, Instant::now()).unwrap();
        assert_eq!(citing.store.anchors_looked().unwrap(), before, "a look that had no time is not one");
    }
}
