//! What is looked at again before it is shown.

use std::collections::BTreeMap;

use crate::record::{Anchor, AnchorState, ItemId};

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
