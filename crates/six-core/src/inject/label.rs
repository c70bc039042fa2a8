//! How far an item can be trusted today, in words beside its text.

use chrono::FixedOffset;

use super::block::quoted;
use crate::record::{Anchor, AnchorState};
use crate::text::Redacted;

/// UTF-16 units of a path; a longer one is cut.
const PATH_UNITS: usize = 120;

/// A place as it is written: `"src/gate.rs:40-52"`.
pub fn place(path: &Redacted, lines: Option<(u32, u32)>) -> String {
    let lines =
        lines.map_or_else(
            String::new,
            |(first, last)| {
                if first == last { format!(":{first}") } else { format!(":{first}-{last}") }
            },
        );
    quoted(&format!("{path}{lines}"), PATH_UNITS)
}

/// What became of the places that an item cites; `None` if none was looked at. `states` belong to the anchors of the same
/// position.
pub fn anchor_label(anchors: &[Anchor], states: &[AnchorState], offset: FixedOffset) -> Option<String> {
    let words: Vec<String> = anchors.iter().zip(states).map(|(anchor, state)| words(anchor, state, offset)).collect();
    if words.is_empty() { None } else { Some(words.join("; ")) }
}

fn words(anchor: &Anchor, state: &AnchorState, offset: FixedOffset) -> String {
    let cited = place(&anchor.path, anchor.lines);
    match state {
        AnchorState::Holds => format!("verified, {cited} unchanged"),
        AnchorState::Moved { path, lines } => format!("moved from {cited} to {}", place(path, *lines)),
        AnchorState::Changed { at: Some(at) } => format!("CHANGED since {}: {cited}", at.date(offset)),
        AnchorState::Changed { at: None } => format!("CHANGED: {cited}"),
        AnchorState::SymbolGone => format!("GONE from {cited}: the name that was cited"),
        AnchorState::Gone => format!("GONE: {cited}"),
        AnchorState::OtherBranch { branch } => {
            format!("{cited} is from branch {}, which is not part of this one", quoted(branch.as_str(), PATH_UNITS))
        }
        AnchorState::Unverifiable => format!("unverifiable: {cited}"),
    }
}
