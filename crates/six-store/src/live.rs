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

#[cfg(test)]
mod tests {
    use proptest::prelude::*;
    use six_core::ingest::{Batch, Mode};
    use six_core::record::Source;

    use crate::Store;
    use crate::table::column;
    use crate::testkit::*;

    /// A record of a made-up transcript: `p` a prompt, `a` an answer, `x` something without text.
    type Line = (char, &'static str, Option<&'static str>);

    fn transcript(path: &str, lines: &[Line]) -> Batch {
        let entries = lines.iter().filter_map(|(kind, uuid, _)| match kind {
            'p' => Some(prompt(uuid, &format!("prompt {uuid}"))),
            'a' => Some(answer(uuid, &format!("answer {uuid}"))),
            _ => None,
        });
        let mut batch = batch(Source::Transcript, path, Mode::Append, entries.collect());
        batch.links = lines.iter().map(|(_, uuid, parent)| link(uuid, *parent)).collect();
        batch
    }

    fn abandoned(store: &Store) -> Vec<String> {
        let mut stmt = store.conn.prepare("SELECT key FROM entry WHERE abandoned = 1 ORDER BY key").unwrap();
        stmt.query_map([], |r| r.get(0)).unwrap().map(Result::unwrap).collect()
    }

    const TALK: [Line; 4] = [('p', "1", None), ('a', "2", Some("1")), ('p', "3", Some("2")), ('a', "4", Some("3"))];

    #[test]
    fn a_rewind_leaves_its_branch_behind() {
        let s = Scratch::new();
        s.store.commit(&transcript("t", &TALK)).unwrap();
        assert!(abandoned(&s.store).is_empty());
        s.store.commit(&transcript("t", &[('p', "5", Some("2")), ('a', "6", Some("5"))])).unwrap();
        assert_eq!(abandoned(&s.store), ["3", "4"]);
        let hits = s.store.search(&query("4")).unwrap();
        assert_eq!(hits[0].label, "abandoned branch");
    }

    #[test]
    fn going_back_to_a_branch_makes_it_live_again() {
        let s = Scratch::new();
        s.store.commit(&transcript("t", &TALK)).unwrap();
        s.store.commit(&transcript("t", &[('p', "5", Some("2"))])).unwrap();
        s.store.commit(&transcript("t", &[('p', "6", Some("4"))])).unwrap();
        assert_eq!(abandoned(&s.store), ["5"]);
    }

    #[test]
    fn a_rewind_to_the_very_start_leaves_all_behind() {
        let s = Scratch::new();
        s.store.commit(&transcript("t", &TALK)).unwrap();
        s.store.commit(&transcript("t", &[('p', "5", None)])).unwrap();
        assert_eq!(abandoned(&s.store), ["1", "2", "3", "4"]);
    }

    #[test]
    fn parallel_calls_progress_a_new_root_and_a_missing_parent_leave_nothing_behind() {
        for more in [
            [('a', "5", Some("2")), ('x', "6", Some("4"))],
            [('x', "5", Some("1")), ('x', "6", Some("5"))],
            [('x', "5", None), ('p', "6", Some("5"))],
            [('p', "5", Some("not in the file")), ('a', "6", Some("5"))],
        ] {
            let s = Scratch::new();
            s.store.commit(&transcript("t", &TALK)).unwrap();
            s.store.commit(&transcript("t", &more)).unwrap();
            assert_eq!(abandoned(&s.store).iter().filter(|k| *k != "3" && *k != "4").count(), 0, "{more:?}");
        }
    }

    #[test]
    fn what_one_fork_left_behind_is_live_where_another_goes_on_with_it() {
        let s = Scratch::new();
        s.store.commit(&transcript("t", &TALK)).unwrap();
        s.store.commit(&transcript("t", &[('p', "5", Some("2"))])).unwrap();
        assert_eq!(abandoned(&s.store), ["3", "4"]);
        s.store.commit(&transcript("fork", &TALK)).unwrap();
        assert!(abandoned(&s.store).is_empty());
        s.store.commit(&transcript("fork", &[('p', "6", Some("2"))])).unwrap();
        assert_eq!(abandoned(&s.store), ["3", "4"]);
    }

    #[test]
    fn a_tree_that_bites_its_tail_ends() {
        let s = Scratch::new();
        s.store
            .commit(&transcript("t", &[('p', "1", Some("2")), ('a', "2", Some("1")), ('p', "3", Some("3"))]))
            .unwrap();
        assert!(abandoned(&s.store).is_empty());
    }

    const NAMES: [&str; 12] = ["a", "b", "c", "d", "e", "f", "g", "h", "i", "j", "k", "l"];

    fn lines() -> impl Strategy<Value = Vec<Line>> {
        let line = (prop::sample::select(vec!['p', 'a', 'x']), prop::option::weighted(0.9, 0..NAMES.len()));
        prop::collection::vec(line, 1..NAMES.len()).prop_map(|raw| {
            let at = |n: usize, back: usize| n.checked_sub(1 + back / 3).map(|p| NAMES[p]);
            raw.into_iter().enumerate().map(|(n, (kind, p))| (kind, NAMES[n], p.and_then(|p| at(n, p)))).collect()
        })
    }

    proptest! {
        #![proptest_config(ProptestConfig { cases: 96, failure_persistence: None, ..ProptestConfig::default() })]

        #[test]
        fn in_pieces_is_the_same_as_at_once(lines in lines(), cut in prop::collection::vec(1..5_usize, 0..6)) {
            let (pieces, once) = (Scratch::new(), Scratch::new());
            once.store.commit(&transcript("t", &lines)).unwrap();
            let mut rest = lines.as_slice();
            for size in cut {
                let (head, tail) = rest.split_at(size.min(rest.len()));
                pieces.store.commit(&transcript("t", head)).unwrap();
                rest = tail;
            }
            pieces.store.commit(&transcript("t", rest)).unwrap();
            prop_assert_eq!(abandoned(&pieces.store), abandoned(&once.store));
        }
    }

    #[test]
    fn uuids_and_other_names_come_back_as_they_were() {
        use crate::table::transcript_link::Name;
        let names = [
            "11111111-1111-4111-8111-11111111abcd",
            "11111111-1111-4111-8111-11111111ABCD",
            "u1",
            "",
            "sixteen letters.",
            "11111111x1111-4111-8111-11111111abcd",
        ];
        for name in names {
            assert_eq!(Name::of(name).text(), name);
        }
        assert_eq!(column::int(u64::MAX), i64::MAX);
    }
}
