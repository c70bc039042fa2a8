use six_core::curate::{self, RulingFault, Similar, TriageItem, TriageVerdict};
use six_core::record::ThreadId;

use super::super::inbox::Wanted;
use super::super::keys::Key;
use super::super::sample::{AT, items, threads, waiting};
use super::*;

/// An inbox in memory.
struct Fake {
    items: Vec<TriageItem>,
    ruled: Vec<Ruling>,
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
        let judged = |item: &TriageItem| self.ruled.iter().any(|ruling| ruling.id == item.record.id.as_str());
        Ok(waiting(self.items.iter().filter(|item| !judged(item)).cloned().collect()))
    }

    fn apply(&mut self, rulings: &[Ruling]) -> Result<String, Refused> {
        if let Some(refuses) = self.refuses {
            return Err(refuses());
        }
        self.ruled.extend_from_slice(rulings);
        Ok(format!("b{}", self.ruled.len()))
    }

    fn undo(&mut self, batch: &str) -> Result<(), Failure> {
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
    let state = played(&mut inbox, "cru");
    let verdicts: Vec<_> = inbox.ruled.iter().map(|ruling| ruling.verdict).collect();
    assert_eq!(verdicts, [TriageVerdict::Confirm, TriageVerdict::Reject]);
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
