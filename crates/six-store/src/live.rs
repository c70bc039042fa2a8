//! Which branches of a transcript were left behind. Pure: the tree and its leaf decide.
//!
//! A rewind leaves the old branch in the file, and the next prompt hangs beside it. But much else hangs beside the way
//! from the leaf to the root: results of parallel tool calls, progress records, a second root after a compaction. So being
//! off the way is not enough. A branch counts as left behind only where it parts from the way (or is a tree of its own that
//! begins with a prompt, as the live one does) **and** holds a prompt of a person. A chain that ends at a record that is
//! not in the file proves nothing and stays live.

use std::collections::{HashMap, HashSet};

use crate::table::transcript_link::{Name, Node};

/// The records that were left behind.
pub(crate) fn abandoned<'n>(nodes: &'n HashMap<Name, Node>, leaf: &Name) -> HashSet<&'n Name> {
    let (way, root) = way_to_root(nodes, leaf);
    let live_root_is_prompt = root.and_then(|r| nodes.get(r)).is_some_and(|n| n.parent.is_none() && n.prompt);
    let mut top_of: HashMap<&Name, Option<&Name>> = HashMap::new();
    let mut with_prompt: HashSet<&Name> = HashSet::new();
    for (name, node) in nodes.iter().filter(|(name, node)| !node.sidechain && !way.contains(name)) {
        let top = top(nodes, &way, live_root_is_prompt, name, &mut top_of);
        if node.prompt {
            with_prompt.extend(top);
        }
    }
    top_of.into_iter().filter(|(_, top)| top.is_some_and(|t| with_prompt.contains(t))).map(|(name, _)| name).collect()
}

fn way_to_root<'n>(nodes: &'n HashMap<Name, Node>, leaf: &Name) -> (HashSet<&'n Name>, Option<&'n Name>) {
    let mut way = HashSet::new();
    let mut last = None;
    let mut at = nodes.get_key_value(leaf);
    while let Some((name, node)) = at {
        if !way.insert(name) {
            break;
        }
        last = Some(name);
        at = node.parent.as_ref().and_then(|p| nodes.get_key_value(p));
    }
    (way, last)
}

/// The topmost record of the branch that `name` is on, when that branch can have been left behind.
fn top<'n>(
    nodes: &'n HashMap<Name, Node>,
    way: &HashSet<&'n Name>,
    live_root_is_prompt: bool,
    name: &'n Name,
    known: &mut HashMap<&'n Name, Option<&'n Name>>,
) -> Option<&'n Name> {
    let mut chain = Vec::new();
    let mut met = HashSet::new();
    let mut at = name;
    let found = loop {
        if let Some(top) = known.get(at) {
            break *top;
        }
        let Some(node) = nodes.get(at) else { break None };
        if !met.insert(at) {
            break None;
        }
        chain.push(at);
        match &node.parent {
            None => break (live_root_is_prompt && node.prompt).then_some(at),
            Some(parent) => match nodes.get_key_value(parent) {
                None => break None,
                Some((parent, _)) if way.contains(parent) => break Some(at),
                Some((parent, _)) => at = parent,
            },
        }
    };
    known.extend(chain.into_iter().map(|n| (n, found)));
    found
}
