//! Which entries of a transcript are labelled as left behind, over batches, runs and files.

use proptest::prelude::*;
use six_core::event::Link;
use six_core::ingest::{Batch, Mode, TreePart};
use six_core::record::Source;

use crate::Store;
use crate::testkit::*;

/// A record of a made-up transcript: `p` a prompt, `a` an answer, `x` something without text.
type Line = (char, &'static str, Option<&'static str>);

fn transcript(path: &str, lines: &[Line], is_last: bool) -> Batch {
    let entries = lines.iter().filter_map(|(kind, uuid, _)| match kind {
        'p' => Some(prompt(uuid, &format!("prompt {uuid}"))),
        'a' => Some(answer(uuid, &format!("answer {uuid}"))),
        _ => None,
    });
    let mut batch = batch(Source::Transcript, path, Mode::Append, entries.collect());
    let tree = lines.iter().map(|(kind, uuid, parent)| Link {
        uuid: (*uuid).to_owned(),
        parent: parent.map(str::to_owned),
        is_prompt: *kind == 'p',
    });
    let leaf = lines.iter().rfind(|(kind, ..)| *kind != 'x').map(|(_, uuid, _)| (*uuid).to_owned());
    batch.tree = Some(TreePart { links: tree.collect(), leaf, is_last });
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
    s.store.commit(&transcript("t", &TALK, true)).unwrap();
    assert!(abandoned(&s.store).is_empty());
    s.store.commit(&transcript("t", &[('p', "5", Some("2")), ('a', "6", Some("5"))], true)).unwrap();
    assert_eq!(abandoned(&s.store), ["3", "4"]);
    let hits = s.store.search(&query("4")).unwrap().hits;
    assert_eq!(hits[0].label, "abandoned branch");
}

#[test]
fn going_back_to_a_branch_makes_it_live_again() {
    let s = Scratch::new();
    s.store.commit(&transcript("t", &TALK, true)).unwrap();
    s.store.commit(&transcript("t", &[('p', "5", Some("2"))], true)).unwrap();
    s.store.commit(&transcript("t", &[('p', "6", Some("4"))], true)).unwrap();
    assert_eq!(abandoned(&s.store), ["5"]);
}

#[test]
fn a_rewind_to_the_very_start_leaves_all_behind() {
    let s = Scratch::new();
    s.store.commit(&transcript("t", &TALK, true)).unwrap();
    s.store.commit(&transcript("t", &[('p', "5", None)], true)).unwrap();
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
        s.store.commit(&transcript("t", &TALK, true)).unwrap();
        s.store.commit(&transcript("t", &more, true)).unwrap();
        assert_eq!(abandoned(&s.store).iter().filter(|k| *k != "3" && *k != "4").count(), 0, "{more:?}");
    }
}

#[test]
fn what_one_fork_left_behind_is_live_where_another_goes_on_with_it() {
    let s = Scratch::new();
    s.store.commit(&transcript("t", &TALK, true)).unwrap();
    s.store.commit(&transcript("t", &[('p', "5", Some("2"))], true)).unwrap();
    assert_eq!(abandoned(&s.store), ["3", "4"]);
    s.store.commit(&transcript("fork", &TALK, true)).unwrap();
    assert!(abandoned(&s.store).is_empty());
    s.store.commit(&transcript("fork", &[('p', "6", Some("2"))], true)).unwrap();
    assert_eq!(abandoned(&s.store), ["3", "4"]);
}

#[test]
fn a_tree_that_bites_its_tail_ends() {
    let s = Scratch::new();
    s.store
        .commit(&transcript("t", &[('p', "1", Some("2")), ('a', "2", Some("1")), ('p', "3", Some("3"))], true))
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
        once.store.commit(&transcript("t", &lines, true)).unwrap();
        let mut rest = lines.as_slice();
        for size in cut {
            let (head, tail) = rest.split_at(size.min(rest.len()));
            pieces.store.commit(&transcript("t", head, false)).unwrap();
            rest = tail;
        }
        pieces.store.commit(&transcript("t", rest, true)).unwrap();
        prop_assert_eq!(abandoned(&pieces.store), abandoned(&once.store));
    }
}
