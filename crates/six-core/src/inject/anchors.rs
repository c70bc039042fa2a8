//! What is looked at again before it is shown, and what is made of what was seen.

use std::collections::BTreeMap;

use crate::record::{Anchor, AnchorState, ItemId, UnixMs};
use crate::text::Redacted;

/// The anchors of the items that are about to be shown.
#[derive(Debug, Clone, PartialEq)]
pub struct AnchorQuery {
    /// Items with what each cites, best first.
    pub items: Vec<(ItemId, Vec<Anchor>)>,
    /// Microseconds that the look may take; what is not reached is [`AnchorState::Unverifiable`].
    pub within_us: u64,
}

/// What became of the anchors, in the order of the query's.
pub type AnchorStates = BTreeMap<ItemId, Vec<AnchorState>>;

/// What was seen at the place that an anchor cites.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Sight {
    /// It could not be looked at: outside the project, no file, too large, not to be read, no time left.
    Unseen,
    /// Nothing is there.
    Nothing,
    /// A folder.
    Folder,
    /// A regular file.
    File {
        /// The text that was cited.
        text: CitedText,
        /// Whether the name that was cited occurs; `true` if none was.
        has_symbol: bool,
        /// When it was last written.
        written: Option<UnixMs>,
    },
}

/// Where the text is that an anchor has the hash of.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum CitedText {
    /// No text was cited, only the place.
    None,
    /// Where it was.
    InPlace,
    /// On other lines of the same file.
    At(u32, u32),
    /// Nowhere in the file, as far as was looked.
    Nowhere,
}

/// What became of an anchor, as far as its own place tells.
pub fn judge_place(anchor: &Anchor, sight: &Sight) -> AnchorState {
    match *sight {
        Sight::Unseen => AnchorState::Unverifiable,
        Sight::Folder if anchor.hash.is_none() && anchor.symbol.is_none() => AnchorState::Holds,
        Sight::Nothing | Sight::Folder => AnchorState::Gone,
        Sight::File { text, has_symbol, written } => match text {
            CitedText::InPlace => AnchorState::Holds,
            CitedText::At(first, last) => AnchorState::Shifted { lines: (first, last) },
            CitedText::None if has_symbol => AnchorState::Holds,
            CitedText::Nowhere if has_symbol => AnchorState::Changed { at: written },
            CitedText::None | CitedText::Nowhere => AnchorState::SymbolGone,
        },
    }
}

/// What became of an anchor that is not at its own place: `here` is what [`judge_place`] says of that, `elsewhere` where
/// the worker had found it if it is still there, `branch` what is checked out.
///
/// Only what is known not to be part of what is checked out is another branch's; before the worker has looked, what is
/// seen here is all that is known.
pub fn judge_lost(
    anchor: &Anchor,
    here: AnchorState,
    elsewhere: Option<(Redacted, Option<(u32, u32)>)>,
    branch: Option<&Redacted>,
) -> AnchorState {
    if let Some((path, lines)) = elsewhere {
        return AnchorState::Moved { path, lines };
    }
    match &anchor.branch {
        Some(cited) if anchor.merged == Some(false) && branch != Some(cited) => {
            AnchorState::OtherBranch { branch: cited.clone() }
        }
        _ => here,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn anchor() -> Anchor {
        Anchor::of_path(Redacted::literal("src/gate.rs"))
    }

    fn with_hash() -> Anchor {
        Anchor { lines: Some((3, 4)), hash: Some("h".into()), ..anchor() }
    }

    fn with_symbol() -> Anchor {
        Anchor { symbol: Some(Redacted::literal("settle")), ..anchor() }
    }

    const AT: Option<UnixMs> = Some(UnixMs(9));

    fn file(text: CitedText, has_symbol: bool) -> Sight {
        Sight::File { text, has_symbol, written: AT }
    }

    #[test]
    fn what_is_seen_at_the_place_decides_first() {
        let moved = AnchorState::Shifted { lines: (7, 8) };
        for (anchor, sight, state) in [
            (anchor(), Sight::Folder, AnchorState::Holds),
            (anchor(), file(CitedText::None, true), AnchorState::Holds),
            (anchor(), Sight::Nothing, AnchorState::Gone),
            (anchor(), Sight::Unseen, AnchorState::Unverifiable),
            (with_hash(), Sight::Folder, AnchorState::Gone),
            (with_hash(), file(CitedText::InPlace, true), AnchorState::Holds),
            (with_hash(), file(CitedText::InPlace, false), AnchorState::Holds),
            (with_hash(), file(CitedText::At(7, 8), true), moved),
            (with_hash(), file(CitedText::Nowhere, true), AnchorState::Changed { at: AT }),
            (with_hash(), file(CitedText::Nowhere, false), AnchorState::SymbolGone),
            (with_symbol(), file(CitedText::None, false), AnchorState::SymbolGone),
            (with_symbol(), Sight::Folder, AnchorState::Gone),
        ] {
            assert_eq!(judge_place(&anchor, &sight), state, "{anchor:?} {sight:?}");
        }
    }

    #[test]
    fn only_what_is_known_to_be_on_another_branch_is_said_to_be() {
        let on = |merged| Anchor { branch: Some(Redacted::literal("pier")), merged, ..with_hash() };
        let judged = |anchor: &Anchor, branch: &'static str| {
            judge_lost(anchor, AnchorState::Gone, None, Some(&Redacted::literal(branch)))
        };
        let other = AnchorState::OtherBranch { branch: Redacted::literal("pier") };
        assert_eq!(judged(&on(Some(false)), "main"), other);
        assert_eq!(judge_lost(&on(Some(false)), AnchorState::Gone, None, None), other);
        assert_eq!(judged(&on(Some(false)), "pier"), AnchorState::Gone);
        assert_eq!(judged(&on(Some(true)), "main"), AnchorState::Gone);
        assert_eq!(judged(&on(None), "main"), AnchorState::Gone);
        assert_eq!(judged(&with_hash(), "main"), AnchorState::Gone);
    }

    #[test]
    fn where_it_went_says_more_than_that_it_left() {
        let anchor = Anchor { branch: Some(Redacted::literal("pier")), merged: Some(false), ..with_hash() };
        let went = (Redacted::literal("src/lock.rs"), Some((1, 2)));
        let state = judge_lost(&anchor, AnchorState::Gone, Some(went.clone()), None);
        assert_eq!(state, AnchorState::Moved { path: went.0, lines: went.1 });
    }
}
