//! A transcript is a tree: a rewind or an early Esc leaves the old branch in the file.

use std::collections::HashMap;
use std::hash::Hash;

use super::author::Author;
use super::transcript::{Body, Record};

/// One record's place in the tree. `Id` is what the caller names records by.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Link<Id> {
    /// The record.
    pub uuid: Id,
    /// The record before it; over the boundary of a compaction, the last one before the boundary. `None` at a root.
    pub parent: Option<Id>,
    /// It is a person's prompt ([`Author::is_prompt`]).
    pub is_prompt: bool,
}

impl Record {
    /// The record's place in the tree, if it has one: records of the client's state have no uuid.
    pub fn link(&self) -> Option<Link<&str>> {
        let head = &self.head;
        Some(Link {
            uuid: head.uuid.as_deref()?,
            parent: head.parent_uuid.as_deref().or(head.logical_parent_uuid.as_deref()),
            is_prompt: match &self.body {
                Body::User(user) => Author::of_user(head, user).is_prompt(),
                _ => false,
            },
        })
    }

    /// The last such record of a file is the leaf. Progress and system records of an earlier turn may be written late, and
    /// sub-agents are no part of the main conversation.
    pub fn can_be_leaf(&self) -> bool {
        !self.head.is_sidechain && matches!(self.body, Body::User(_) | Body::Assistant(_))
    }
}

#[derive(Clone, Copy, PartialEq, Eq)]
enum Place {
    /// On the way from the leaf to the root.
    Live,
    /// Hangs off that way without a prompt of its own: a parallel tool's result, a progress record.
    Beside,
    /// A prompt off the way, or below one.
    Abandoned,
    /// Not connected to the way.
    Detached,
}

/// The records that were taken back, as ascending positions in `links`; a repeated record counts where it stands first.
///
/// Being off the way from the leaf to the root does not prove it. Parallel tools hang their results beside the way, and in
/// old transcripts most of the records are there. Only a prompt where the way went on otherwise was taken back, with all
/// that followed it; at the start of the conversation, a root that is a prompt, when the live one is a prompt too. What is
/// not connected otherwise (its parent is missing, or it has a root of its own) counts as history, since nothing says more.
///
/// The order of `links` means nothing. Takes time linear in them, whatever they say.
pub fn judge_abandoned<Id: Eq + Hash>(links: &[Link<Id>], leaf: &Id) -> Vec<usize> {
    let tree = Tree::of(links);
    let mut places: Vec<Option<Place>> = vec![None; links.len()];
    let mut root = None;
    let mut next = tree.first.get(leaf).copied();
    while let Some(at) = next {
        match places.get_mut(at) {
            Some(place @ None) => *place = Some(Place::Live),
            _ => break,
        }
        root = Some(at);
        next = tree.parent_of(at);
    }
    let starts_with_prompt = root.is_some_and(|at| tree.is_first_prompt(at));
    for at in tree.first.values() {
        place_branch(*at, &tree, starts_with_prompt, &mut places);
    }
    let was_taken_back = |at: &usize| places.get(*at) == Some(&Some(Place::Abandoned));
    (0..links.len()).filter(was_taken_back).collect()
}

/// Gives a place to the record and to all above it that have none yet.
fn place_branch<Id: Eq + Hash>(at: usize, tree: &Tree<'_, Id>, starts_with_prompt: bool, places: &mut [Option<Place>]) {
    let mut branch = Vec::new();
    let mut above = Place::Detached;
    let mut next = Some(at);
    while let Some(at) = next {
        match places.get_mut(at) {
            Some(place @ None) => *place = Some(Place::Detached),
            Some(Some(place)) => {
                above = *place;
                break;
            }
            None => break,
        }
        branch.push(at);
        next = tree.parent_of(at);
        if next.is_none() && starts_with_prompt && tree.is_first_prompt(at) {
            above = Place::Live;
        }
    }
    for at in branch.into_iter().rev() {
        above = match above {
            Place::Live | Place::Beside if tree.is_prompt(at) => Place::Abandoned,
            Place::Live => Place::Beside,
            other => other,
        };
        if let Some(place) = places.get_mut(at) {
            *place = Some(above);
        }
    }
}

struct Tree<'l, Id> {
    links: &'l [Link<Id>],
    /// Where each record stands first.
    first: HashMap<&'l Id, usize>,
}

impl<'l, Id: Eq + Hash> Tree<'l, Id> {
    fn of(links: &'l [Link<Id>]) -> Self {
        let mut first = HashMap::with_capacity(links.len());
        for (at, link) in links.iter().enumerate() {
            first.entry(&link.uuid).or_insert(at);
        }
        Self { links, first }
    }

    fn parent_of(&self, at: usize) -> Option<usize> {
        let parent = self.links.get(at)?.parent.as_ref()?;
        self.first.get(parent).copied()
    }

    fn is_prompt(&self, at: usize) -> bool {
        self.links.get(at).is_some_and(|link| link.is_prompt)
    }

    /// A conversation begins with it: there is no record before it, not even one that is missing.
    fn is_first_prompt(&self, at: usize) -> bool {
        self.links.get(at).is_some_and(|link| link.is_prompt && link.parent.is_none())
    }
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    /// `a<b` is record a with parent b; `!` is a prompt.
    fn links(text: &str) -> Vec<Link<&str>> {
        text.split_whitespace()
            .map(|word| {
                let (uuid, parent) = match word.trim_start_matches('!').split_once('<') {
                    Some((uuid, parent)) => (uuid, Some(parent)),
                    None => (word.trim_start_matches('!'), None),
                };
                Link { uuid, parent, is_prompt: word.starts_with('!') }
            })
            .collect()
    }

    fn expect(text: &str, leaf: &str, abandoned: &str) {
        let mut links = links(text);
        let judged = |links: &[Link<&str>]| {
            let mut names: Vec<&str> = judge_abandoned(links, &leaf).into_iter().map(|at| links[at].uuid).collect();
            names.sort_unstable();
            names.concat()
        };
        assert_eq!(judged(&links), abandoned, "{text}");
        links.reverse();
        assert_eq!(judged(&links), abandoned, "{text}, backwards");
    }

    #[test]
    fn a_turn_that_was_taken_back_is_abandoned() {
        expect("!a b<a !c<b d<c !e<b f<e", "f", "cd");
        expect("!a b<a !c<b !e<b f<e", "f", "c");
    }

    #[test]
    fn parallel_results_beside_the_way_are_not() {
        expect("!a b<a c<b r<b s<c d<s", "d", "");
        expect("!a b<a c<b r<b s<r !x<s y<x t<c d<t", "d", "xy");
    }

    #[test]
    fn a_boundary_joins_what_was_before() {
        expect("!a !x<a !b<a s<b t<s", "t", "x");
    }

    #[test]
    fn a_rewind_to_the_very_start_takes_all_back() {
        expect("!a b<a !c d<c", "d", "ab");
    }

    #[test]
    fn what_is_not_connected_is_history() {
        expect("!a b<a !c<missing d<c", "d", "");
        expect("!a b<a s<gone !c<s", "c", "");
        expect("!a b<a s !c<s", "c", "");
        expect("s !a<s !c d<c", "d", "");
        expect("!a b<a", "gone", "");
    }

    #[test]
    fn a_repeated_record_counts_once() {
        let links = links("!a b<a !c<b !a b<a !c<b !d<b");
        assert_eq!(judge_abandoned(&links, &"d"), [2]);
    }

    #[test]
    fn circles_end() {
        expect("a<a", "a", "");
        expect("a<b b<c c<a", "c", "");
        expect("x<y y<x !a b<a", "b", "");
        expect("!x<y y<x !a<a", "a", "");
        assert_eq!(judge_abandoned(&[], &"a"), [0; 0]);
    }

    proptest! {
        #[test]
        fn any_links_are_answered(
            ends in prop::collection::vec((0_usize..12, prop::option::of(0_usize..12), any::<bool>()), 1..40),
            leaf in 0_usize..40,
        ) {
            let links: Vec<Link<usize>> =
                ends.iter().map(|(uuid, parent, is_prompt)| Link { uuid: *uuid, parent: *parent, is_prompt: *is_prompt }).collect();
            let leaf = links[leaf % links.len()].uuid;
            let abandoned = judge_abandoned(&links, &leaf);
            prop_assert!(abandoned.iter().all(|at| links[*at].uuid != leaf));
            prop_assert!(abandoned.is_sorted());
        }
    }
}
