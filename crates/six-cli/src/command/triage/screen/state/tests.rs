use super::super::sample::{AT, items, similar, threads, waiting};
use super::*;
use six_core::record::{RecordKind, RecordState};

fn opened() -> State {
    let mut state = State::new(waiting(items()), threads(), AT);
    state.see(Extent { list_rows: 3, text_rows: 5, scroll_max: 7 });
    state
}

fn key(state: &mut State, key: Key) -> Ask {
    state.step(Input::Key(key))
}

/// Types each character as a key.
fn typed(state: &mut State, text: &str) -> Ask {
    text.chars().map(|c| state.step(Input::Key(Key::Char(c)))).last().unwrap_or(Ask::Nothing)
}

fn ruling(ask: Ask) -> Ruling {
    match ask {
        Ask::Apply(ruling) => ruling,
        other => panic!("{other:?}"),
    }
}

/// Presses a key that gives a verdict, and lets it be applied.
fn judged(state: &mut State, c: char) -> Ruling {
    let ruling = ruling(typed(state, &c.to_string()));
    state.applied(&ruling, format!("b{}", state.done.len()), AT);
    ruling
}

fn marked(state: &State) -> &str {
    state.marked().map_or("", |entry| entry.id().as_str().get(..2).unwrap())
}

#[test]
fn a_single_key_gives_a_verdict_on_the_marked_candidate() {
    for (c, verdict) in [
        ('c', TriageVerdict::Confirm),
        ('y', TriageVerdict::Confirm),
        ('r', TriageVerdict::Reject),
        ('n', TriageVerdict::Reject),
    ] {
        let mut state = opened();
        key(&mut state, Key::Down);
        let given = judged(&mut state, c);
        assert_eq!((given.id.get(..2), given.verdict), (Some("d2"), verdict));
        assert_eq!((marked(&state), state.left()), ("d3", 2));
    }
}

#[test]
fn every_verdict_is_taken_back_in_turn_and_its_candidate_stands_where_it_stood() {
    let mut state = opened();
    judged(&mut state, 'c');
    key(&mut state, Key::Down);
    judged(&mut state, 'r');
    assert_eq!(state.counts(), BTreeMap::from([("confirm", 1), ("reject", 1)]));
    assert_eq!(typed(&mut state, "u"), Ask::Undo("b1".into()));
    state.undone();
    assert_eq!((marked(&state), state.at()), ("d3", 1));
    assert_eq!(typed(&mut state, "u"), Ask::Undo("b0".into()));
    state.undone();
    assert_eq!((marked(&state), state.at(), state.left()), ("d1", 0, 3));
    assert_eq!(state.counts(), BTreeMap::new());
    assert_eq!(typed(&mut state, "u"), Ask::Nothing);
    assert!(matches!(state.notice, Notice::Hint(_)));
}

#[test]
fn the_last_candidate_can_be_taken_back_too() {
    let mut state = opened();
    for _ in 0..3 {
        judged(&mut state, 'c');
    }
    assert_eq!((state.left(), typed(&mut state, "c")), (0, Ask::Nothing));
    for c in ['e', 't', 'm', 's', 'a'] {
        assert_eq!(typed(&mut state, &c.to_string()), Ask::Nothing);
        assert_eq!(state.mode, Mode::List, "{c}");
    }
    assert_eq!(typed(&mut state, "u"), Ask::Undo("b2".into()));
}

#[test]
fn a_refused_verdict_changes_nothing_and_says_why() {
    let mut state = opened();
    ruling(typed(&mut state, "c"));
    state.refused("it is\nrejected already");
    assert_eq!((state.left(), state.counts().len()), (3, 0));
    assert_eq!(state.notice, Notice::Refused("it is rejected already".into()));
}

#[test]
fn an_edited_title_goes_with_the_verdict_that_keeps_it() {
    let mut state = opened();
    typed(&mut state, "e");
    key(&mut state, Key::DeleteBefore);
    typed(&mut state, "泊位从港口数起");
    assert_eq!(key(&mut state, Key::Enter), Ask::Nothing);
    let confirmed = ruling(typed(&mut state, "c"));
    assert_eq!(confirmed.title.as_ref().map(Redacted::as_str), Some("泊位从港口数起"));
    assert_eq!(ruling(typed(&mut state, "r")).title, None, "what is refused keeps its own words");
}

#[test]
fn an_edit_that_is_dropped_or_changes_nothing_is_none() {
    let mut state = opened();
    typed(&mut state, "ex");
    key(&mut state, Key::Esc);
    assert!(state.marked().unwrap().draft.is_empty());
    typed(&mut state, "e");
    key(&mut state, Key::Enter);
    assert!(state.marked().unwrap().draft.is_empty());
}

#[test]
fn a_title_is_neither_empty_nor_longer_than_a_title_may_be() {
    let mut state = opened();
    typed(&mut state, "e");
    key(&mut state, Key::DeleteBefore);
    key(&mut state, Key::Enter);
    assert!(matches!(state.mode, Mode::Title(_)), "an empty one is not taken");
    state.step(Input::Paste("数".repeat(121)));
    key(&mut state, Key::Enter);
    assert!(matches!(state.mode, Mode::Title(_)), "a long one is not taken");
    key(&mut state, Key::Backspace);
    key(&mut state, Key::Enter);
    assert_eq!(state.mode, Mode::List);
}

#[test]
fn a_secret_that_is_typed_into_a_title_is_not_kept() {
    let mut state = opened();
    typed(&mut state, "e");
    state.step(Input::Paste(format!(" {}{}", "gh", "p_a1B2c3D4e5F6g7H8i9J0k1L2m3N4o5P6q7R8")));
    key(&mut state, Key::Enter);
    assert!(state.marked().unwrap().title().as_str().contains("[redacted:"));
}

#[test]
fn a_paste_into_the_list_gives_no_verdict() {
    let mut state = opened();
    assert_eq!(state.step(Input::Paste("ccrru".into())), Ask::Nothing);
    assert_eq!(state.left(), 3);
}

#[test]
fn a_thread_is_picked_by_typing_or_opened() {
    let mut state = opened();
    assert_eq!(typed(&mut state, "t"), Ask::Threads);
    state.know_threads(threads());
    typed(&mut state, "潮");
    key(&mut state, Key::Enter);
    assert_eq!(ruling(typed(&mut state, "c")).thread.as_deref(), Some("t2"));
    typed(&mut state, "t");
    typed(&mut state, "Pilots");
    key(&mut state, Key::Enter);
    assert_eq!(ruling(typed(&mut state, "c")).thread.as_deref(), Some("new:Pilots"));
}

#[test]
fn a_new_thread_is_opened_once() {
    let mut state = opened();
    for _ in 0..2 {
        typed(&mut state, "tPilots");
        key(&mut state, Key::Enter);
        key(&mut state, Key::Down);
    }
    typed(&mut state, "g");
    let first = ruling(typed(&mut state, "c"));
    assert_eq!(first.thread.as_deref(), Some("new:Pilots"));
    state.applied(&first, "b0".into(), AT);
    state.know_threads(vec![(ThreadId::new("t9"), "Pilots".to_owned())]);
    assert_eq!(ruling(typed(&mut state, "c")).thread.as_deref(), Some("t9"));
}

#[test]
fn merging_takes_one_of_the_similar_records() {
    let mut state = opened();
    typed(&mut state, "m");
    let merged = ruling(key(&mut state, Key::Enter));
    assert_eq!((merged.verdict, merged.into.as_deref()), (TriageVerdict::Merge, Some("a7000000000000000000000000")));
    assert_eq!(merged.by, None);
}

#[test]
fn superseding_searches_for_the_other_record() {
    let mut state = opened();
    key(&mut state, Key::Down);
    typed(&mut state, "s");
    assert_eq!(key(&mut state, Key::Enter), Ask::Nothing, "nothing is similar, so nothing is chosen");
    let wanted = Wanted { words: "ti".into(), kind: Some(RecordKind::DeadEnd), states: &[RecordState::Confirmed] };
    assert_eq!(typed(&mut state, "ti"), Ask::Find(wanted));
    state.found(vec![similar("d2000000000000000000000000", "itself"), similar("a1", "one"), similar("a2", "two")]);
    key(&mut state, Key::Down);
    let superseded = ruling(key(&mut state, Key::Enter));
    assert_eq!((superseded.verdict, superseded.by.as_deref()), (TriageVerdict::Supersede, Some("a2")));
    assert_eq!((superseded.into, state.mode), (None, Mode::List));
}

#[test]
fn a_candidate_is_merged_into_its_own_kind() {
    let mut state = opened();
    let states: &[RecordState] = &[RecordState::Confirmed, RecordState::Pending];
    let wanted = Wanted { words: "x".into(), kind: Some(RecordKind::Decision), states };
    assert_eq!(typed(&mut state, "mx"), Ask::Find(wanted));
    state.found(Vec::new());
    assert_eq!(key(&mut state, Key::Backspace), Ask::Nothing);
    assert!(ruling(key(&mut state, Key::Enter)).into.is_some(), "the similar records are offered again");
}

#[test]
fn a_rejected_record_is_never_offered() {
    let mut refused = items();
    refused[0].similar[0].state = RecordState::Rejected;
    for open in ["m", "s"] {
        let mut state = State::new(waiting(refused.clone()), threads(), AT);
        typed(&mut state, open);
        assert_eq!(key(&mut state, Key::Enter), Ask::Nothing);
    }
}

#[test]
fn a_picker_that_is_left_rules_nothing() {
    let mut state = opened();
    for c in ["m", "s", "t"] {
        typed(&mut state, c);
        assert_eq!(key(&mut state, Key::Esc), Ask::Nothing);
        assert_eq!((&state.mode, state.left()), (&Mode::List, 3));
    }
}

#[test]
fn the_mark_moves_and_stays_inside() {
    let mut state = opened();
    for (keys, at) in [
        (vec![Key::Up], 0),
        (vec![Key::Char(' ')], 1),
        (vec![Key::Tab, Key::Tab, Key::Tab], 2),
        (vec![Key::BackTab], 1),
        (vec![Key::Char('g')], 0),
        (vec![Key::Char('G')], 2),
        (vec![Key::PageUp], 0),
        (vec![Key::PageDown], 2),
        (vec![Key::Char('k'), Key::Char('k'), Key::Char('j')], 1),
    ] {
        for each in &keys {
            assert_eq!(key(&mut state, *each), Ask::Nothing);
        }
        assert_eq!(state.at(), at, "{keys:?}");
    }
    assert_eq!(state.left(), 3, "moving is no verdict");
}

#[test]
fn a_filter_narrows_the_list_until_it_is_dropped() {
    let mut state = opened();
    typed(&mut state, "/TIDE");
    assert_eq!((state.shown().len(), marked(&state)), (1, "d3"));
    key(&mut state, Key::Enter);
    judged(&mut state, 'c');
    assert_eq!((state.shown().len(), state.left()), (0, 2));
    typed(&mut state, "u");
    state.undone();
    assert_eq!(marked(&state), "d3");
    assert_eq!(key(&mut state, Key::Esc), Ask::Nothing, "the first Esc drops the filter");
    assert_eq!((state.shown().len(), marked(&state)), (3, "d3"));
    assert_eq!(key(&mut state, Key::Esc), Ask::Leave);
}

#[test]
fn long_texts_scroll_as_far_as_there_is_text() {
    let mut state = opened();
    typed(&mut state, "a");
    for (pressed, scroll) in [
        (Key::Down, 1),
        (Key::Char(' '), 5),
        (Key::PageDown, 7),
        (Key::Up, 6),
        (Key::Char('g'), 0),
        (Key::Char('G'), 7),
    ] {
        key(&mut state, pressed);
        assert_eq!(state.scroll, scroll, "{pressed:?}");
    }
    state.see(Extent { scroll_max: 2, ..Extent::default() });
    assert_eq!(state.scroll, 2, "a larger window shows more");
    assert_eq!(typed(&mut state, "q"), Ask::Nothing);
    assert_eq!(state.mode, Mode::List);
    typed(&mut state, "JJK");
    assert_eq!(state.scroll, 1);
}

#[test]
fn edits_are_not_lost_without_a_word() {
    let mut state = opened();
    assert_eq!(typed(&mut state.clone(), "q"), Ask::Leave);
    typed(&mut state, "ex");
    key(&mut state, Key::Enter);
    assert_eq!(typed(&mut state, "q"), Ask::Nothing);
    assert_eq!(typed(&mut state, "jq"), Ask::Nothing, "another key in between asks again");
    assert_eq!(typed(&mut state, "q"), Ask::Leave);
}

#[test]
fn ctrl_c_leaves_from_everywhere() {
    for open in ["", "e", "t", "m", "s", "/", "a", "?"] {
        let mut state = opened();
        typed(&mut state, open);
        assert_eq!(key(&mut state, Key::Interrupt), Ask::Leave, "{open}");
        assert_eq!(key(&mut state, Key::Suspend), Ask::Suspend, "{open}");
    }
}

#[test]
fn letters_that_are_typed_are_no_verdicts() {
    for open in ["e", "t", "m", "s", "/", "?"] {
        let mut state = opened();
        typed(&mut state, open);
        for c in "cyrnu".chars() {
            let ask = typed(&mut state, &c.to_string());
            assert!(matches!(ask, Ask::Nothing | Ask::Find(_)), "{open}{c}: {ask:?}");
        }
    }
}

#[test]
fn an_inbox_that_is_read_again_keeps_edits_and_mark() {
    let mut state = opened();
    typed(&mut state, "jex");
    key(&mut state, Key::Enter);
    let mut fresh = items();
    fresh.remove(0);
    state.reload(waiting(fresh));
    assert_eq!((marked(&state), state.at(), state.left()), ("d2", 0, 2));
    assert!(!state.marked().unwrap().draft.is_empty());
}

#[test]
fn what_was_not_read_yet_is_counted_too() {
    let mut state = State::new(curate::Inbox { pending: 40, ..waiting(items()) }, threads(), AT);
    judged(&mut state, 'c');
    assert_eq!((state.left(), state.shown().len()), (39, 2));
}
