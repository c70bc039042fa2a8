//! Looks again at what is about to be shown, while a person waits.

use std::cell::OnceCell;
use std::path::Path;
use std::time::{Duration, Instant};

use six_core::inject::{AnchorQuery, AnchorStates, CitedText, Sight, judge_lost, judge_place};
use six_core::record::{Anchor, AnchorState, parse_place};
use six_core::text::{Redacted, Redactor};

use super::eyes::Eyes;
use super::head::gather_branch;

/// Reading and hashing that much takes some three milliseconds: the most that one anchor may overrun the time.
const CAP_BYTES: u64 = 1 << 20;

/// What became of the anchors of a query, as far as its time goes: the first is always looked at, and what comes after the
/// time is over can't be verified. No process is started.
pub fn verify(root: &Path, query: &AnchorQuery) -> AnchorStates {
    let until = Instant::now() + Duration::from_micros(query.within_us);
    let mut eyes = Eyes::new(root, CAP_BYTES);
    let branch = OnceCell::new();
    let mut is_over = false;
    let mut state = |anchor| {
        if is_over {
            return AnchorState::Unverifiable;
        }
        let state = state_of(&mut eyes, anchor, || checked_out(root, &branch));
        is_over = Instant::now() >= until;
        state
    };
    query.items.iter().map(|(item, anchors)| (item.clone(), anchors.iter().map(&mut state).collect())).collect()
}

fn checked_out<'c>(root: &Path, known: &'c OnceCell<Option<Redacted>>) -> Option<&'c Redacted> {
    known.get_or_init(|| Some(Redactor::new().redact(&gather_branch(root)?))).as_ref()
}

fn state_of<'c>(eyes: &mut Eyes<'_>, anchor: &Anchor, branch: impl FnOnce() -> Option<&'c Redacted>) -> AnchorState {
    let here = judge_place(anchor, &eyes.look(anchor));
    if !here.is_stale() {
        return here;
    }
    let elsewhere = still_there(eyes, anchor, here == AnchorState::Gone);
    // Only what is known not to be merged needs the branch.
    let branch = if anchor.merged == Some(false) { branch() } else { None };
    judge_lost(anchor, here, elsewhere, branch)
}

/// Where the worker found what is cited, with its lines as they are now, if it is still there. A file that `is_gone` went
/// there even if what was cited has been changed since; a file that stands went nowhere.
pub(super) fn still_there(
    eyes: &mut Eyes<'_>,
    anchor: &Anchor,
    is_gone: bool,
) -> Option<(Redacted, Option<(u32, u32)>)> {
    let hint = anchor.moved_to.as_ref()?;
    let place = parse_place(hint.as_str());
    let path = hint.slice(0..place.path.len())?;
    match eyes.look_at(place, anchor) {
        Sight::File { text: CitedText::InPlace, .. } => Some((path, place.lines)),
        Sight::File { text: CitedText::At(first, last), .. } => Some((path, Some((first, last)))),
        Sight::File { text: CitedText::None, has_symbol: true, .. } => Some((path, None)),
        Sight::File { .. } if is_gone => Some((path, None)),
        _ => None,
    }
}

#[cfg(test)]
mod tests {
    use std::fs;

    use six_core::record::ItemId;

    use super::*;
    use crate::anchor::take;
    use crate::anchor::take::tests::project;
    use crate::project::identity::Project;
    use crate::project::scratch::Scratch;

    const GATE: &str = "fn open() {}\nfn settle(votes: u32) {}\nfn close_the_gate() {}\n";

    fn of(path: &str) -> Anchor {
        Anchor::of_path(Redactor::new().redact(path))
    }

    fn cited(project: &Project, place: &str) -> Anchor {
        take(project, parse_place(place), Redactor::new()).unwrap()
    }

    fn states(root: &Path, anchors: &[Anchor]) -> Vec<AnchorState> {
        within(root, anchors, 5_000_000)
    }

    fn within(root: &Path, anchors: &[Anchor], within_us: u64) -> Vec<AnchorState> {
        let item = ItemId::new("decision:1");
        let query = AnchorQuery { items: vec![(item.clone(), anchors.to_vec())], within_us };
        verify(root, &query).remove(&item).unwrap()
    }

    fn moved(path: &str, lines: Option<(u32, u32)>) -> AnchorState {
        AnchorState::Moved { path: Redactor::new().redact(path), lines }
    }

    #[test]
    fn every_anchor_of_every_item_has_its_state_in_order() {
        let scratch = Scratch::new();
        let root = scratch.repository("api");
        scratch.commit(&root, "src/gate.rs", GATE);
        let project = project(&scratch, &root);
        let places = ["src/gate.rs:2", "src/gate.rs", "src/gate.rs#settle", "src/gate.rs:3#open"];
        let mut anchors: Vec<Anchor> = places.iter().map(|place| cited(&project, place)).collect();
        anchors.extend([of("src"), of("src/gate.rs"), of("none.rs"), of("src/gate.rs/below")]);
        let before = [vec![AnchorState::Holds; 6], vec![AnchorState::Gone; 2]].concat();
        assert_eq!(states(&root, &anchors), before);
        fs::write(root.join("src/gate.rs"), format!("\n\n{}", GATE.replace("open", "lift"))).unwrap();
        let after = states(&root, &anchors);
        assert_eq!((&after[0], &after[2]), (&AnchorState::Shifted { lines: (4, 4) }, &AnchorState::Holds));
        assert!(matches!(after[1], AnchorState::Changed { at: Some(_) }));
        assert_eq!(after[3], AnchorState::Shifted { lines: (5, 5) });
        fs::write(root.join("src/gate.rs"), b"\xff\xfe").unwrap();
        let after = states(&root, &anchors);
        assert!(matches!(after[0], AnchorState::Changed { .. }));
        assert_eq!(after[2..4], [AnchorState::SymbolGone, AnchorState::SymbolGone]);
    }

    #[test]
    fn a_hint_is_believed_only_while_it_is_true() {
        let scratch = Scratch::new();
        let root = scratch.repository("api");
        scratch.commit(&root, "src/gate.rs", GATE);
        let project = project(&scratch, &root);
        let hinted =
            |place: &str, hint: &str| Anchor { moved_to: Some(Redactor::new().redact(hint)), ..cited(&project, place) };
        let anchors = [
            hinted("src/gate.rs:2", "lib/lock.rs:5"),
            hinted("src/gate.rs#settle", "lib/lock.rs"),
            hinted("src/gate.rs:2", "lib/none.rs:5"),
            hinted("src/gate.rs:2", "../lock.rs"),
        ];
        fs::remove_file(root.join("src/gate.rs")).unwrap();
        fs::create_dir(root.join("lib")).unwrap();
        fs::write(root.join("lib/lock.rs"), format!("\n{GATE}")).unwrap();
        let (here, gone) = (moved("lib/lock.rs", Some((3, 3))), AnchorState::Gone);
        assert_eq!(states(&root, &anchors), [here, moved("lib/lock.rs", None), gone.clone(), gone.clone()]);
        fs::write(root.join("lib/lock.rs"), "").unwrap();
        let went = moved("lib/lock.rs", None);
        assert_eq!(states(&root, &anchors), [went.clone(), went, gone.clone(), gone]);
        fs::write(root.join("src/gate.rs"), "fn open() {}\n").unwrap();
        let after = states(&root, &anchors);
        assert!(matches!(after[0], AnchorState::Changed { .. }), "a file that stands went nowhere");
        assert_eq!(after[1], AnchorState::SymbolGone);
    }

    #[test]
    fn another_branch_is_named_when_it_is_known_not_to_be_here() {
        let scratch = Scratch::new();
        let root = scratch.repository("api");
        let away = Anchor { branch: Some(Redacted::literal("pier")), merged: Some(false), ..of("src/pier.rs") };
        let anchors = [away.clone(), Anchor { path: Redacted::literal("README.md"), ..away }];
        let other = AnchorState::OtherBranch { branch: Redacted::literal("pier") };
        assert_eq!(states(&root, &anchors), [other, AnchorState::Holds]);
        scratch.git(&root, &["checkout", "-q", "-b", "pier"]);
        assert_eq!(states(&root, &anchors), [AnchorState::Gone, AnchorState::Holds]);
    }

    #[cfg(unix)]
    #[test]
    fn nothing_outside_and_nothing_but_files_is_read() {
        let scratch = Scratch::new();
        let root = scratch.folder("plain");
        fs::write(scratch.at("secret"), "s").unwrap();
        std::os::unix::fs::symlink(scratch.at("secret"), root.join("link")).unwrap();
        std::os::unix::fs::symlink("loop", root.join("loop")).unwrap();
        assert!(std::process::Command::new("mkfifo").arg(root.join("fifo")).status().unwrap().success());
        fs::File::create(root.join("large")).unwrap().set_len(2 << 20).unwrap();
        fs::write(root.join("key"), "k").unwrap();
        let hash = Some("h".to_owned());
        let outside = scratch.at("secret").to_string_lossy().into_owned();
        for path in ["../secret", "link", "loop", "fifo", "large", "", "a\u{fffd}", "[redacted:github-token]", &outside]
        {
            let anchor = Anchor { hash: hash.clone(), ..of(path) };
            assert_eq!(states(&root, &[anchor]), [AnchorState::Unverifiable], "{path}");
        }
    }

    #[test]
    fn what_there_is_no_time_for_is_not_judged() {
        let scratch = Scratch::new();
        let root = scratch.folder("plain");
        let states = within(&root, &[of("none.rs"), of("none.rs")], 0);
        assert_eq!(states, [AnchorState::Gone, AnchorState::Unverifiable]);
    }
}
