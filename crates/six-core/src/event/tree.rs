//! A transcript is a tree: a rewind or an early Esc leaves the old branch in the file.

use super::author::Author;
use super::transcript::{Body, Record};
use std::collections::HashMap;

/// One record's place in the tree.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Link<'a> {
    /// The record.
    pub uuid: &'a str,
    /// The record before it.
    pub parent: Option<&'a str>,
    /// The record before a compaction's boundary, which has no parent.
    pub logical_parent: Option<&'a str>,
    /// It belongs to a sub-agent, which is no part of the main conversation.
    pub is_sidechain: bool,
    /// It is a user or assistant record. Only such a one can be the leaf: progress and system records of an earlier turn
    /// may be written late.
    pub is_message: bool,
    /// It opens a turn ([`Author::opens_turn`]).
    pub opens_turn: bool,
}

impl Record {
    /// The record's place in the tree, if it has one: records of the client's state have no uuid.
    pub fn link(&self) -> Option<Link<'_>> {
        Some(Link {
            uuid: self.head.uuid.as_deref()?,
            parent: self.head.parent_uuid.as_deref(),
            logical_parent: self.head.logical_parent_uuid.as_deref(),
            is_sidechain: self.head.is_sidechain,
            is_message: matches!(self.body, Body::User(_) | Body::Assistant(_)),
            opens_turn: match &self.body {
                Body::User(user) => Author::of_user(&self.head, user).opens_turn(),
                _ => false,
            },
        })
    }
}

/// What is in force in a transcript. Both lists hold positions in the links, ascending; a repeated record counts where
/// it stands first.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct LivePath {
    /// From the beginning to the last message, over the boundaries of compactions.
    pub path: Vec<usize>,
    /// What was taken back.
    pub abandoned: Vec<usize>,
}

#[derive(Clone, Copy, PartialEq, Eq)]
enum Place {
    /// On the path from the last leaf.
    Live,
    /// Hangs off the path without a turn of its own: a parallel tool's result, a progress record.
    Beside,
    /// In a branch that begins with a turn of its own.
    Abandoned,
    /// Not connected to the path.
    Detached,
}

/// Finds the live path of a transcript whose links are given in file order.
///
/// Off the path does not mean taken back. Parallel tools hang their results beside it, and in old transcripts most of
/// the records are there. Only a branch that opens a turn where the path went on otherwise was abandoned. What is not
/// connected at all (its parent is missing, or it has a root of its own) counts as history, since nothing says otherwise.
/// Takes time linear in the links, whatever they say.
pub fn judge_live_path(links: &[Link]) -> LivePath {
    let parents = resolve_parents(links);
    let mut places: Vec<Option<Place>> = vec![None; links.len()];
    let leaf = last_leaf(links);
    let mut path = Vec::new();
    let mut next = leaf.map(|leaf| parents.first_of(leaf));
    while let Some(at) = next {
        match places.get_mut(at) {
            Some(place @ None) => *place = Some(Place::Live),
            _ => break,
        }
        path.push(at);
        next = parents.of(at);
    }
    path.sort_unstable();
    for at in 0..links.len() {
        place_branch(at, links, &parents, &mut places);
    }
    let abandoned = (0..links.len())
        .filter(|at| parents.first_of(*at) == *at && places.get(*at) == Some(&Some(Place::Abandoned)))
        .collect();
    LivePath { path, abandoned }
}

/// The last message of the main conversation; in a sub-agent's own file, its last message.
fn last_leaf(links: &[Link]) -> Option<usize> {
    let main = links.iter().rposition(|link| link.is_message && !link.is_sidechain);
    main.or_else(|| links.iter().rposition(|link| link.is_message))
}

/// Gives a place to the record and to all above it that have none yet.
fn place_branch(at: usize, links: &[Link], parents: &Parents, places: &mut [Option<Place>]) {
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
        next = parents.of(at);
    }
    for at in branch.into_iter().rev() {
        above = match above {
            Place::Live | Place::Beside if links.get(at).is_some_and(|link| link.opens_turn) => Place::Abandoned,
            Place::Live => Place::Beside,
            other => other,
        };
        if let Some(place) = places.get_mut(at) {
            *place = Some(above);
        }
    }
}

struct Parents {
    first: Vec<usize>,
    parent: Vec<Option<usize>>,
}

impl Parents {
    /// Where the record at `at` stands first.
    fn first_of(&self, at: usize) -> usize {
        self.first.get(at).copied().unwrap_or(at)
    }

    fn of(&self, at: usize) -> Option<usize> {
        self.parent.get(at).copied().flatten()
    }
}

fn resolve_parents(links: &[Link]) -> Parents {
    let mut by_uuid: HashMap<&str, usize> = HashMap::with_capacity(links.len());
    let first = links.iter().enumerate().map(|(at, link)| *by_uuid.entry(link.uuid).or_insert(at)).collect();
    let find = |uuid: Option<&str>| uuid.and_then(|uuid| by_uuid.get(uuid).copied());
    let parent = links.iter().map(|link| find(link.parent).or_else(|| find(link.logical_parent))).collect();
    Parents { first, parent }
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    /// `a<b` is record a with parent b, `a<<b` one after a boundary; `!` opens a turn, `~` is a sidechain, `-` no message.
    fn links(text: &str) -> Vec<Link<'_>> {
        text.split_whitespace()
            .map(|word| {
                let (flags, rest) = word.split_at(word.find(|c: char| c.is_alphanumeric()).unwrap());
                let (uuid, parent, logical_parent) = match (rest.split_once("<<"), rest.split_once('<')) {
                    (Some((uuid, logical)), _) => (uuid, None, Some(logical)),
                    (None, Some((uuid, parent))) => (uuid, Some(parent), None),
                    (None, None) => (rest, None, None),
                };
                let [opens_turn, is_sidechain, no_message] = ['!', '~', '-'].map(|flag| flags.contains(flag));
                Link { uuid, parent, logical_parent, is_sidechain, is_message: !no_message, opens_turn }
            })
            .collect()
    }

    fn judged(text: &str) -> (String, String) {
        let links = links(text);
        let LivePath { path, abandoned } = judge_live_path(&links);
        let names = |at: Vec<usize>| at.into_iter().map(|at| links[at].uuid).collect::<String>();
        (names(path), names(abandoned))
    }

    fn expect(text: &str, path: &str, abandoned: &str) {
        assert_eq!(judged(text), (path.to_owned(), abandoned.to_owned()), "{text}");
    }

    #[test]
    fn a_turn_that_was_taken_back_is_abandoned() {
        expect("!a b<a !c<b d<c !e<b f<e", "abef", "cd");
        expect("!a b<a !c<b !e<b f<e", "abef", "c");
    }

    #[test]
    fn parallel_results_beside_the_path_are_not() {
        expect("!a b<a c<b r<b s<c d<s", "abcsd", "");
        expect("!a b<a c<b r<b s<r !x<s t<c d<t", "abctd", "x");
    }

    #[test]
    fn a_late_word_of_the_client_about_an_earlier_turn_is_not_the_leaf() {
        expect("!a b<a !c<b d<c -p<b", "abcd", "");
        expect("!a b<a -t<b", "ab", "");
    }

    #[test]
    fn a_boundary_joins_what_was_before() {
        expect("!a b<a s<<b t<s !c<t", "abstc", "");
        expect("!a !x<a !b<a s<<b t<s", "abst", "x");
    }

    #[test]
    fn what_is_not_connected_is_history() {
        expect("!a b<a !c d<c", "cd", "");
        expect("!a b<a !c<missing d<c", "cd", "");
        expect("!a b<a s<<gone !c<s", "sc", "");
    }

    #[test]
    fn sub_agents_are_no_part_of_the_path() {
        expect("!a b<a ~!x ~y<x", "ab", "");
        expect("~!x ~y<x", "xy", "");
    }

    #[test]
    fn a_repeated_record_counts_once() {
        expect("!a b<a !c<b !a b<a !d<b", "abd", "c");
    }

    #[test]
    fn circles_end() {
        expect("a<a", "a", "");
        expect("a<b b<c c<a", "abc", "");
        expect("x<y y<x !a b<a", "ab", "");
        assert_eq!(judge_live_path(&[]), LivePath::default());
    }

    proptest! {
        #[test]
        fn any_links_are_answered(ends in proptest::collection::vec((0_usize..12, proptest::option::of(0_usize..12), any::<bool>(), any::<bool>()), 0..40)) {
            let names: Vec<String> = (0..12).map(|n| n.to_string()).collect();
            let links: Vec<Link> = ends
                .iter()
                .map(|(uuid, parent, is_sidechain, opens_turn)| Link {
                    uuid: &names[*uuid],
                    parent: parent.map(|parent| names[parent].as_str()),
                    logical_parent: None,
                    is_sidechain: *is_sidechain,
                    is_message: true,
                    opens_turn: *opens_turn,
                })
                .collect();
            let LivePath { path, abandoned } = judge_live_path(&links);
            prop_assert!(abandoned.iter().all(|at| !path.contains(at)));
            prop_assert_eq!(path.is_empty(), links.is_empty());
        }
    }
}
