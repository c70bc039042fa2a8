use chrono::FixedOffset;
use proptest::prelude::*;
use ratatui::Terminal;
use ratatui::backend::TestBackend;
use six_core::curate::{self, RulingFault, Similar, TriageItem, TriageVerdict};
use six_core::record::ThreadId;

use super::super::inbox::Wanted;
use super::super::keys::Key;
use super::super::sample::{AT, items, threads, waiting};
use super::*;

/// An inbox in memory.
struct Fake {
    items: Vec<TriageItem>,
    /// Verdicts that stand, each with its batch.
    ruled: Vec<(String, Ruling)>,
    undone: Vec<String>,
    refuses: Option<fn() -> Refused>,
}

impl Fake {
    fn new() -> Self {
        Self { items: items(), ruled: Vec::new(), undone: Vec::new(), refuses: None }
    }
}

impl Inbox for Fake {
    fn waiting(&self) -> Result<curate::Inbox, Failure> {
        let judged = |item: &TriageItem| self.ruled.iter().any(|(_, ruling)| ruling.id == item.record.id.as_str());
        Ok(waiting(self.items.iter().filter(|item| !judged(item)).cloned().collect()))
    }

    fn apply(&mut self, rulings: &[Ruling]) -> Result<String, Refused> {
        if let Some(refuses) = self.refuses {
            return Err(refuses());
        }
        let batch = format!("b{}", self.ruled.len() + 1);
        self.ruled.extend(rulings.iter().map(|ruling| (batch.clone(), ruling.clone())));
        Ok(batch)
    }

    fn undo(&mut self, batch: &str) -> Result<(), Failure> {
        self.ruled.retain(|(of, _)| of != batch);
        self.undone.push(batch.to_owned());
        Ok(())
    }

    fn threads(&self) -> Result<Vec<(ThreadId, String)>, Failure> {
        Ok(threads())
    }

    fn find(&self, _: &Wanted) -> Result<Vec<Similar>, Failure> {
        Err(Failure::misuse("the store is in use", "wait"))
    }
}

fn played(inbox: &mut Fake, keys: &str) -> State {
    let mut state = State::new(inbox.waiting().unwrap(), threads(), AT);
    for c in keys.chars() {
        let ask = state.step(Input::Key(Key::Char(c)));
        answer(&mut state, inbox, ask, AT).unwrap();
    }
    state
}

#[test]
fn each_verdict_is_applied_at_once_and_undone_by_its_batch() {
    let mut inbox = Fake::new();
    let verdicts = |inbox: &Fake| inbox.ruled.iter().map(|(_, ruling)| ruling.verdict).collect::<Vec<_>>();
    played(&mut inbox, "cr");
    assert_eq!(verdicts(&inbox), [TriageVerdict::Confirm, TriageVerdict::Reject]);
    let mut inbox = Fake::new();
    let state = played(&mut inbox, "cru");
    assert_eq!(verdicts(&inbox), [TriageVerdict::Confirm]);
    assert_eq!(inbox.undone, ["b2"]);
    insta::assert_snapshot!(summary(&state), @"
    1 confirmed; 2 candidates left
      the last one is taken back by: six triage --undo b1
    ");
}

#[test]
fn when_the_list_is_done_what_came_meanwhile_is_shown() {
    let mut inbox = Fake::new();
    let late = inbox.items.pop().unwrap();
    let mut state = State::new(inbox.waiting().unwrap(), threads(), AT);
    inbox.items.push(late);
    for _ in 0..2 {
        let ask = state.step(Input::Key(Key::Char('c')));
        answer(&mut state, &mut inbox, ask, AT).unwrap();
    }
    assert_eq!(state.left(), 1);
}

#[test]
fn a_verdict_on_what_another_has_judged_is_refused_and_the_list_is_read_again() {
    let mut inbox = Fake::new();
    inbox.refuses =
        Some(|| Refused::Faults(vec![RulingFault { id: "d1".into(), why: "it is confirmed already".into() }]));
    let mut state = State::new(inbox.waiting().unwrap(), threads(), AT);
    inbox.items.remove(0);
    let ask = state.step(Input::Key(Key::Char('c')));
    answer(&mut state, &mut inbox, ask, AT).unwrap();
    assert_eq!((state.left(), state.counts().len()), (2, 0));
    assert_eq!(summary(&state), "no verdict; 2 candidates left");
}

#[test]
fn a_store_that_is_busy_ends_nothing() {
    let mut inbox = Fake::new();
    inbox.refuses = Some(|| Refused::Failed(Failure::misuse("the store is in use", "wait")));
    assert_eq!(played(&mut inbox, "ccmx").left(), 3);
}

fn pressed(state: &mut State, inbox: &mut Fake, key: Key) {
    let ask = state.step(Input::Key(key));
    answer(state, inbox, ask, AT).unwrap();
    for (columns, rows) in [(80, 24), (40, 10), (8, 2)] {
        let mut terminal = Terminal::new(TestBackend::new(columns, rows)).unwrap();
        let offset = FixedOffset::east_opt(0).unwrap();
        let mut extent = Extent::default();
        terminal.draw(|frame| extent = view::draw(frame, state, Look { colour: true }, offset)).unwrap();
        state.see(extent);
    }
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 48, ..ProptestConfig::default() })]

    #[test]
    fn whatever_was_pressed_can_be_taken_back_to_the_first_inbox(presses in prop::collection::vec(0_usize..26, 0..60)) {
        let letters = "cyrnuetmsaJKjkgG?/ 数q".chars().map(Key::Char);
        let keys: Vec<Key> = letters.chain([Key::Enter, Key::Esc, Key::Backspace, Key::Down, Key::PageUp]).collect();
        let mut inbox = Fake::new();
        let mut state = State::new(inbox.waiting().unwrap(), threads(), AT);
        let ids = |state: &State| state.shown().iter().map(|one| one.item.record.id.clone()).collect::<Vec<_>>();
        let first = ids(&state);
        for press in presses {
            pressed(&mut state, &mut inbox, keys[press]);
            prop_assert_eq!(state.left() + inbox.ruled.len(), first.len());
        }
        // Out of whatever is open, without a filter.
        for _ in 0..3 {
            pressed(&mut state, &mut inbox, Key::Esc);
        }
        while state.last_batch().is_some() {
            pressed(&mut state, &mut inbox, Key::Char('u'));
        }
        prop_assert_eq!(ids(&state), first);
    }
}

#[test]
fn the_screen_is_a_persons_and_needs_a_terminal_that_can_be_drawn_on() {
    let told = |agent, dumb| refuse(agent, dumb).map_err(|failure| failure.to_string());
    assert_eq!(told(false, false), Ok(()));
    insta::assert_snapshot!(told(true, false).unwrap_err(), @"
    six: the triage screen is a person's, and this command was given by an agent
      next: six triage --list --json
    ");
    insta::assert_snapshot!(told(false, true).unwrap_err(), @"
    six: this terminal can't show a full screen (TERM is dumb or not set)
      next: six triage --list
    ");
}
