//! Looks again at what is about to be shown, while a person waits.

use std::cell::OnceCell;
use std::path::Path;
use std::time::{Duration, Instant};

use six_core::inject::{AnchorQuery, AnchorStates, CitedText, Sight, judge_lost, judge_place};
use six_core::record::{Anchor, AnchorState, parse_place};
use six_core::text::{Redacted, Redactor};

use super::eyes::{Eyes, Reach};
use super::head::gather_branch;

/// One file of a megabyte is read and hashed in some two milliseconds: the most that one anchor may overrun the time.
const REACH: Reach = Reach { file_bytes: 1 << 20, search_bytes: 256 << 10 };

/// What became of the anchors of a query, as far as its time goes; the rest can't be verified. No process is started.
pub fn verify(root: &Path, query: &AnchorQuery) -> AnchorStates {
    let until = Instant::now() + Duration::from_micros(query.within_us);
    let is_over = || Instant::now() >= until;
    let mut eyes = Eyes::new(root, REACH, &is_over);
    let branch = OnceCell::new();
    let mut state = |anchor| {
        if is_over() { AnchorState::Unverifiable } else { state_of(&mut eyes, anchor, || checked_out(root, &branch)) }
    };
    query.items.iter().map(|(item, anchors)| (item.clone(), anchors.iter().map(&mut state).collect())).collect()
}

fn checked_out<'c>(root: &Path, known: &'c OnceCell<Option<Redacted>>) -> Option<&'c Redacted> {
    known.get_or_init(|| Some(Redactor::new().redact(&gather_branch(root)?))).as_ref()
}

fn state_of<'c>(eyes: &mut Eyes<'_>, anchor: &Anchor, branch: impl FnOnce() -> Option<&'c Redacted>) -> AnchorState {
    let here = judge_place(anchor, &eyes.look(anchor));
    if !here.is_stale() || matches!(here, AnchorState::Moved { .. }) {
        return here;
    }
    let elsewhere = still_there(eyes, anchor);
    // Only what is known not to be merged needs the branch.
    let branch = if anchor.merged == Some(false) { branch() } else { None };
    judge_lost(anchor, here, elsewhere, branch)
}

/// Where the worker found what is cited, with its lines as they are now, if it is still there.
pub(super) fn still_there(eyes: &mut Eyes<'_>, anchor: &Anchor) -> Option<(Redacted, Option<(u32, u32)>)> {
    let hint = anchor.moved_to.as_ref()?;
    let place = parse_place(hint.as_str());
    let path = hint.slice(0..place.path.len())?;
    match eyes.look_at(place, anchor) {
        Sight::File { text: CitedText::InPlace, .. } => Some((path, place.lines)),
        Sight::File { text: CitedText::At(first, last), .. } => Some((path, Some((first, last)))),
        // The file went there, and what was cited is no longer in it; a place in the same file says nothing then.
        Sight::File { text: CitedText::Nowhere, .. } if path != anchor.path => Some((path, None)),
        Sight::File { text: CitedText::None, has_symbol: true, .. } => Some((path, None)),
        _ => None,
    }
}
