//! What one invocation has recorded, shared between the thread that works and the one that watches the deadline.
//!
//! No row, no injection: text goes out only after its rows are in the store or in the spool. After the first refusal of
//! the store everything that follows goes to the spool, so that lock waits are paid once.

use std::cell::Cell;
use std::io::Write;
use std::path::{Path, PathBuf};
use std::sync::{Mutex, MutexGuard, PoisonError};
use std::time::{Duration, Instant};

use six_core::effect::Effect;
use six_core::record::{DEGRADED, Heartbeat, IDLE, Outcome, OutcomeKind, Why};
use six_core::text::Redacted;
use six_store::{Access, Applied, KillPoint, Store, StoreError};

use super::claim;
use crate::clock;
use crate::lock::FileLock;
use crate::spool::Spool;

/// Longest error text of a heartbeat, in bytes.
const ERROR_MAX_BYTES: usize = 500;

/// How an invocation ended, before the clock and the counts are added.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Ended {
    /// How.
    pub kind: OutcomeKind,
    /// Short stable name of the error, or why it was skipped.
    pub class: String,
    /// What it said; redacted and cut before it is stored.
    pub text: String,
}

impl Ended {
    /// All was well.
    pub fn ok() -> Self {
        Self { kind: OutcomeKind::Ok, class: String::new(), text: String::new() }
    }

    /// All was well, and there was nothing to look up.
    pub fn idle() -> Self {
        Self { kind: OutcomeKind::Ok, class: IDLE.to_owned(), text: String::new() }
    }

    /// It was answered, with less than was asked for: without `what`.
    pub fn degraded(what: &str) -> Self {
        Self { kind: OutcomeKind::Ok, class: DEGRADED.to_owned(), text: what.to_owned() }
    }

    /// There was nothing to do.
    pub fn skipped(class: &str) -> Self {
        Self { kind: OutcomeKind::Skipped, class: class.to_owned(), text: String::new() }
    }

    /// Something went wrong.
    pub fn failed(class: &str, text: impl Into<String>) -> Self {
        Self { kind: OutcomeKind::Failed, class: class.to_owned(), text: text.into() }
    }
}

/// Where the rows of a plan are.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Recorded {
    /// In the store or in the spool.
    Here,
    /// Nowhere: a call with the same payload answers, the hook being wired twice.
    ByTwin,
    /// Nowhere.
    Nowhere,
}

/// See the module.
#[derive(Debug)]
pub struct Ledger {
    began: Instant,
    state: Mutex<State>,
}

impl Default for Ledger {
    fn default() -> Self {
        Self { began: Instant::now(), state: Mutex::default() }
    }
}

#[derive(Debug, Default)]
struct State {
    spool: Option<Spool>,
    heartbeat: Option<Heartbeat>,
    in_store: bool,
    effects: Vec<Effect>,
    recorded: bool,
    rows_written: u32,
    output: Option<String>,
    last_word: Option<LastWord>,
    printed_bytes: u32,
    closed: bool,
}

/// See [`Ledger::keep_last_word`].
#[derive(Debug, Clone)]
struct LastWord {
    claim: Vec<Effect>,
    text: String,
}

impl Ledger {
    fn state(&self) -> MutexGuard<'_, State> {
        self.state.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// Writes the heartbeat, before any work: into the store, or else into the spool. Answers the store where it can be
    /// read, else why not: while another process writes, what it holds can still be shown. Nothing is created where there
    /// is no store folder.
    ///
    /// `None` when the other thread has written one already: an invocation leaves one row, and who comes second stops.
    pub fn open(&self, store_dir: &Path, heartbeat: &Heartbeat, busy: Duration) -> Option<Result<Store, Why>> {
        if !self.claim(store_dir, heartbeat) {
            return None;
        }
        let opened = Store::open(&store_dir.join("memory.db"), Access::Hook, busy).map_err(|fault| fault.why());
        let (opened, in_store) = match opened.map(|store| (store.open_heartbeat(heartbeat), store)) {
            Ok((Ok(()), store)) => (Ok(store), true),
            Ok((Err(StoreError::Busy), store)) => (Ok(store), false),
            Ok((Err(fault), _)) => (Err(fault.why()), false),
            Err(why) => (Err(why), false),
        };
        let mut state = self.state();
        state.in_store = in_store;
        if !in_store && !state.closed {
            state.write_spool();
        }
        KillPoint::HookOpened.reach();
        Some(opened)
    }

    /// Keeps what is said where the work comes to no answer of its own in time. It is said even if it can't be recorded.
    pub(super) fn keep_last_word(&self, claim: Option<&Effect>, text: String) {
        self.state().last_word = Some(LastWord { claim: claim.cloned().into_iter().collect(), text });
    }

    /// Nobody wants to hear it.
    pub(super) fn drop_last_word(&self) {
        self.state().last_word = None;
    }

    /// Before the store is opened, which may have to wait: the thread that watches closes what it finds here.
    fn claim(&self, store_dir: &Path, heartbeat: &Heartbeat) -> bool {
        let mut state = self.state();
        if state.heartbeat.is_some() || state.closed {
            return false;
        }
        state.spool = store_dir.is_dir().then(|| Spool::new(store_dir));
        state.heartbeat = Some(heartbeat.clone());
        true
    }

    /// Writes the rows of a plan: into the store, or else into the spool. Answers whether they are recorded at all, or that
    /// they are not because a twin of this call answers. The answer waits until it is [printed](Self::print).
    pub fn record(&self, store: &mut Result<Store, Why>, effects: &[Effect], answer: String) -> Recorded {
        let (event, in_store) = {
            let mut state = self.state();
            state.prepare(effects, answer);
            (state.heartbeat.as_ref().map(|heartbeat| heartbeat.id.clone()), state.in_store)
        };
        let turn = Cell::new(None);
        let is_answered = || {
            turn.set(self.turn());
            self.state().is_taken_by_file()
        };
        let applied = match (store.as_ref(), event) {
            // Waited for once already.
            (Ok(_), _) if !in_store => Err(Why::Busy),
            (Ok(open), Some(id)) => match open.apply_unless(&id, effects, clock::now(), is_answered) {
                Ok(Applied::ByTwin) => {
                    self.state().leave_to_twin();
                    return Recorded::ByTwin;
                }
                Ok(Applied::Rows(rows)) => Ok(rows),
                Err(fault) => Err(fault.why()),
            },
            (Err(why), _) => Err(*why),
            (_, None) => Err(Why::NoStore),
        };
        drop(turn);
        let _turn = applied.is_err().then(|| self.turn());
        // What can't be written can often be read.
        let has_twin = applied.is_err() && store.as_ref().is_ok_and(|open| open.has_twin(effects).unwrap_or(false));
        let mut state = self.state();
        if state.closed {
            return Recorded::Nowhere;
        }
        match applied {
            Ok(rows) => {
                state.rows_written = rows;
                state.recorded = true;
                state.effects.clear();
            }
            Err(why) => {
                *store = Err(why);
                state.in_store = false;
                if has_twin || !state.answers_by_file() {
                    state.leave_to_twin();
                    return Recorded::ByTwin;
                }
                state.recorded = state.write_spool();
            }
        }
        if state.recorded {
            KillPoint::HookRecorded.reach();
            Recorded::Here
        } else {
            Recorded::Nowhere
        }
    }

    /// Prints the answer that was recorded, once. A closed stdout is no error: the host may be gone.
    pub fn print(&self) {
        self.state().print();
        KillPoint::HookPrinted.reach();
    }

    /// Prints an answer that could not be recorded anywhere.
    pub(super) fn print_unrecorded(&self) {
        let mut state = self.state();
        if state.closed {
            return;
        }
        state.recorded = true;
        state.print();
    }

    /// Completes the heartbeat.
    pub fn close(&self, store: &mut Result<Store, Why>, ended: &Ended) {
        let mut state = self.state();
        let Some(outcome) = state.end(ended, self.began) else { return };
        let stored = match (store.as_ref(), &state.heartbeat) {
            (Ok(open), Some(heartbeat)) if state.in_store => open.close_heartbeat(&heartbeat.id, &outcome).is_ok(),
            _ => false,
        };
        if !stored {
            state.write_spool();
        }
    }

    /// Ends an invocation whose work does not end by itself: from the thread that watches, or after a panic. What was recorded
    /// and not yet printed is printed; what is ready, or else the last word, and the heartbeat go to the spool, since the store
    /// may be what is being waited for. Does nothing when the work has ended.
    pub fn abandon(&self, ended: &Ended) {
        let _turn = (ended.kind != OutcomeKind::Cancelled).then(|| self.turn());
        let mut state = self.state();
        if state.closed {
            return;
        }
        if ended.kind != OutcomeKind::Cancelled {
            state.fall_back_to_last_word();
            if state.is_recording() {
                // The twin may have got the store for which this call waited in vain.
                if !state.is_taken_in_store() && state.answers_by_file() {
                    state.recorded = state.write_spool() || state.last_word.is_some();
                } else {
                    state.leave_to_twin();
                }
            }
            state.print();
        }
        if state.end(ended, self.began).is_some() {
            state.write_spool();
        }
    }

    /// The turn of this call at its claim. Taken before the state, which nobody waits for who has it.
    fn turn(&self) -> Option<FileLock> {
        let store_dir = self.state().claimed_in()?;
        claim::turn(&store_dir)
    }

    /// Whether the store took the heartbeat, and so takes the rows that follow as far as anybody can tell.
    pub(super) fn is_in_store(&self) -> bool {
        self.state().in_store
    }

    /// Whether a heartbeat was opened, or is being.
    pub fn is_open(&self) -> bool {
        self.state().heartbeat.is_some()
    }
}

impl State {
    /// Kept until the rows are stored: whoever watches spools and answers when the store takes too long. Stored and spooled,
    /// they are applied once.
    fn prepare(&mut self, effects: &[Effect], answer: String) {
        self.effects = effects.to_vec();
        self.output = Some(answer);
    }

    /// The last word becomes the answer where there is none.
    fn fall_back_to_last_word(&mut self) {
        if self.output.is_none()
            && let Some(LastWord { claim, text }) = self.last_word.clone()
        {
            self.prepare(&claim, text);
        }
    }

    /// Where the claim of this call is made; `None` for one that can't be told from its twin.
    fn claimed_in(&self) -> Option<PathBuf> {
        let last = self.last_word.iter().flat_map(|last| &last.claim);
        let is_wired = self.effects.iter().take(1).chain(last).any(|effect| matches!(effect, Effect::Claim { .. }));
        self.spool.as_ref().filter(|_| is_wired).map(|spool| spool.store_dir().to_owned())
    }

    /// An answer is ready and its rows are nowhere yet.
    fn is_recording(&self) -> bool {
        self.output.is_some() && !self.recorded
    }

    /// Claims the answer by a file; `false` when the twin of this call has it.
    fn answers_by_file(&self) -> bool {
        self.spool.as_ref().is_none_or(|spool| claim::take_by_file(spool.store_dir(), &self.effects))
    }

    /// Whether the twin of this call answers, as far as files tell.
    fn is_taken_by_file(&self) -> bool {
        self.spool.as_ref().is_some_and(|spool| claim::is_taken_by_file(spool.store_dir(), &self.effects))
    }

    /// Whether the twin of this call answers, as far as a look into the store tells that waits for nobody.
    fn is_taken_in_store(&self) -> bool {
        let is_wired = matches!(self.effects.first(), Some(Effect::Claim { .. }));
        let Some(spool) = self.spool.as_ref().filter(|_| is_wired) else { return false };
        let store = Store::open(&spool.store_dir().join("memory.db"), Access::Read, Duration::ZERO);
        store.is_ok_and(|store| store.has_twin(&self.effects).unwrap_or(false))
    }

    /// Nothing of this call is kept but its heartbeat.
    fn leave_to_twin(&mut self) {
        self.effects.clear();
        self.output = None;
        self.last_word = None;
    }

    fn print(&mut self) {
        if !self.recorded || self.printed_bytes > 0 {
            return;
        }
        let Some(output) = self.output.as_deref().filter(|text| !text.is_empty()) else { return };
        let mut out = std::io::stdout().lock();
        if out.write_all(output.as_bytes()).and_then(|()| out.flush()).is_ok() {
            self.printed_bytes = u32::try_from(output.len()).unwrap_or(u32::MAX);
        }
    }

    fn end(&mut self, ended: &Ended, began: Instant) -> Option<Outcome> {
        if self.closed {
            return None;
        }
        self.closed = true;
        let outcome = Outcome {
            kind: ended.kind,
            class: ended.class.clone(),
            text: redact(&ended.text).cut(ERROR_MAX_BYTES),
            ended: clock::now(),
            took_us: Some(clock::micros_since(began)),
            rows_written: self.rows_written,
            bytes_emitted: self.printed_bytes,
        };
        self.heartbeat.as_mut()?.outcome = Some(outcome.clone());
        Some(outcome)
    }

    fn write_spool(&mut self) -> bool {
        match (&self.spool, &self.heartbeat) {
            (Some(spool), Some(heartbeat)) => spool.write(heartbeat, &self.effects).is_ok(),
            _ => false,
        }
    }
}

/// Redacts a short text of our own making.
pub(super) fn redact(text: &str) -> Redacted {
    six_core::text::Redactor::new().redact(text)
}

#[cfg(test)]
mod tests {
    use super::*;
    use six_core::record::{EventId, HookName, SessionId, UnixMs};

    fn heartbeat(id: &str) -> Heartbeat {
        Heartbeat {
            id: EventId::new(id),
            hook: HookName::UserPromptSubmit,
            event: Redacted::literal("UserPromptSubmit"),
            session: Some(SessionId::new("s-1")),
            via: Redacted::literal("settings"),
            pid: 1,
            version: String::from("0.1.0"),
            started: UnixMs(5),
            deadline_ms: 150,
            synthetic: false,
            outcome: None,
        }
    }

    fn forget() -> Vec<Effect> {
        vec![Effect::ForgetDeliveries { session: SessionId::new("s-1") }]
    }

    fn installed() -> (tempfile::TempDir, Store) {
        let dir = tempfile::tempdir().unwrap();
        let store = Store::create(&dir.path().join("memory.db"), UnixMs(0)).unwrap();
        (dir, store)
    }

    fn hook_status(store: &Store) -> (u64, bool, bool) {
        let status = store.status().unwrap();
        let hook = &status.hooks[1];
        (hook.rows, hook.newest_ok.is_some(), hook.newest_failed.is_some())
    }

    #[test]
    fn a_good_invocation_is_one_row_in_the_store_and_nothing_in_the_spool() {
        let (dir, store) = installed();
        let ledger = Ledger::default();
        let mut opened = ledger.open(dir.path(), &heartbeat("a"), Duration::ZERO).unwrap();
        assert_eq!(ledger.record(&mut opened, &forget(), String::new()), Recorded::Here);
        ledger.close(&mut opened, &Ended::ok());
        assert_eq!(hook_status(&store), (1, true, false));
        assert_eq!(Spool::new(dir.path()).waiting().unwrap(), []);
    }

    #[test]
    fn what_the_store_refuses_waits_in_the_spool_and_is_taken_once() {
        let dir = tempfile::tempdir().unwrap();
        let path = dir.path().join("memory.db");
        std::fs::write(&path, "no database").unwrap();
        let ledger = Ledger::default();
        let mut opened = ledger.open(dir.path(), &heartbeat("a"), Duration::ZERO).unwrap();
        assert_eq!(opened.as_ref().err(), Some(&Why::NotOurs));
        assert_eq!(ledger.record(&mut opened, &forget(), String::new()), Recorded::Here, "in the spool");
        ledger.close(&mut opened, &Ended::ok());
        std::fs::remove_file(&path).unwrap();
        let store = Store::create(&path, UnixMs(0)).unwrap();
        let soon = std::time::Instant::now() + Duration::from_secs(60);
        assert_eq!(Spool::new(dir.path()).drain(&store, soon).unwrap().replayed, 1);
        assert_eq!(hook_status(&store), (1, true, false));
    }

    fn abandoned(kind: OutcomeKind, before: impl FnOnce(&Ledger, &Path)) -> u32 {
        let (dir, _store) = installed();
        let ledger = Ledger::default();
        before(&ledger, dir.path());
        ledger.abandon(&Ended { kind, class: String::new(), text: String::new() });
        ledger.state().printed_bytes
    }

    fn keep(ledger: &Ledger) {
        let claim = claim::of_call("settings", b"{}", clock::now());
        ledger.keep_last_word(claim.as_ref(), String::from("4567"));
    }

    #[test]
    fn work_that_comes_to_no_answer_says_its_last_word_and_one_that_was_called_off_says_nothing() {
        for (kind, said) in [(OutcomeKind::TimedOut, 4), (OutcomeKind::Failed, 4), (OutcomeKind::Cancelled, 0)] {
            let printed = abandoned(kind, |ledger, dir| {
                keep(ledger);
                drop(ledger.open(dir, &heartbeat("a"), Duration::ZERO));
            });
            assert_eq!(printed, said, "{kind:?}");
        }
        let before_the_store_was_there = abandoned(OutcomeKind::TimedOut, |ledger, _| keep(ledger));
        assert_eq!(before_the_store_was_there, 4, "it is said although nothing can be recorded");
    }

    #[test]
    fn a_last_word_that_nobody_wants_or_that_another_answer_replaced_is_not_said() {
        let dropped = abandoned(OutcomeKind::TimedOut, |ledger, _| {
            keep(ledger);
            ledger.drop_last_word();
        });
        assert_eq!(dropped, 0);
        let answered = abandoned(OutcomeKind::TimedOut, |ledger, dir| {
            keep(ledger);
            let mut opened = ledger.open(dir, &heartbeat("a"), Duration::ZERO).unwrap();
            assert_eq!(ledger.record(&mut opened, &forget(), String::new()), Recorded::Here);
        });
        assert_eq!(answered, 0, "an answer that says nothing is one");
    }

    #[test]
    fn of_two_ways_of_being_wired_one_says_the_last_word() {
        let (dir, _store) = installed();
        let said = ["settings", "plugin"].map(|via| {
            let ledger = Ledger::default();
            ledger.keep_last_word(claim::of_call(via, b"{}", clock::now()).as_ref(), String::from("4567"));
            drop(ledger.open(dir.path(), &heartbeat(via), Duration::ZERO));
            ledger.abandon(&Ended { kind: OutcomeKind::TimedOut, class: String::new(), text: String::new() });
            ledger.state().printed_bytes
        });
        assert_eq!(said, [4, 0]);
    }

    #[test]
    fn an_abandoned_invocation_has_one_end() {
        let (dir, store) = installed();
        let ledger = Ledger::default();
        let mut opened = ledger.open(dir.path(), &heartbeat("a"), Duration::ZERO).unwrap();
        ledger.abandon(&Ended { kind: OutcomeKind::TimedOut, class: String::from("deadline"), text: String::new() });
        ledger.close(&mut opened, &Ended::ok());
        let soon = std::time::Instant::now() + Duration::from_secs(60);
        Spool::new(dir.path()).drain(&store, soon).unwrap();
        assert_eq!(hook_status(&store), (1, false, true), "timed out, and not ok as well");
    }

    #[test]
    fn an_answer_that_is_ready_at_the_deadline_is_said_once_its_rows_are_in_the_spool() {
        let timed_out = Ended { kind: OutcomeKind::TimedOut, class: String::from("deadline"), text: String::new() };
        for (effects, spool_is_writable, said) in [(forget(), true, 8), (forget(), false, 0)] {
            let (dir, store) = installed();
            let ledger = Ledger::default();
            let opened = ledger.open(dir.path(), &heartbeat("a"), Duration::ZERO).unwrap();
            assert!(opened.is_ok());
            if !spool_is_writable {
                std::fs::write(dir.path().join("spool"), "no folder").unwrap();
            }
            ledger.state().prepare(&effects, String::from("answered"));
            ledger.abandon(&timed_out);
            assert_eq!(ledger.state().printed_bytes, said);
            assert_eq!(Spool::new(dir.path()).waiting().map_or(0, |files| files.len()), usize::from(spool_is_writable));
            drop(store);
        }
    }

    #[test]
    fn what_a_twin_answers_is_not_said_at_the_deadline_wherever_the_twin_claimed_it() {
        for by_file in [true, false] {
            let (dir, store) = installed();
            let claim = |via| Effect::Claim { call: "c".into(), via: Redacted::literal(via), at: clock::now() };
            if by_file {
                assert!(claim::take_by_file(dir.path(), &[claim("plugin")]));
            } else {
                let twin = heartbeat("twin");
                store.open_heartbeat(&twin).unwrap();
                store.apply(&twin.id, &[claim("plugin")], clock::now()).unwrap();
            }
            let ledger = Ledger::default();
            assert!(ledger.open(dir.path(), &heartbeat("a"), Duration::ZERO).unwrap().is_ok());
            ledger.state().prepare(&[claim("settings")], String::from("answered"));
            let ended = Ended { kind: OutcomeKind::TimedOut, class: String::from("deadline"), text: String::new() };
            ledger.abandon(&ended);
            assert_eq!(ledger.state().printed_bytes, 0, "by file: {by_file}");
        }
    }

    #[test]
    fn nothing_is_created_where_there_is_no_store_folder() {
        let dir = tempfile::tempdir().unwrap();
        let gone = dir.path().join("gone");
        let ledger = Ledger::default();
        let mut opened = ledger.open(&gone, &heartbeat("a"), Duration::ZERO).unwrap();
        assert_eq!(opened.as_ref().err(), Some(&Why::NoStore));
        assert_eq!(
            ledger.record(&mut opened, &forget(), String::new()),
            Recorded::Nowhere,
            "so nothing may be printed"
        );
        assert!(!gone.exists());
    }

    #[test]
    fn an_invocation_leaves_one_row_whoever_comes_second() {
        let folder = tempfile::tempdir().unwrap();
        let ledger = Ledger::default();
        assert!(ledger.open(folder.path(), &heartbeat("first"), Duration::ZERO).is_some());
        assert!(ledger.is_open());
        assert!(ledger.open(folder.path(), &heartbeat("second"), Duration::ZERO).is_none());
        ledger.abandon(&Ended::failed("deadline", ""));
        let waiting = Spool::new(folder.path()).waiting().unwrap();
        assert_eq!(waiting.len(), 1, "{waiting:?}");
    }

    #[test]
    fn what_was_ended_records_and_opens_nothing_more() {
        let folder = tempfile::tempdir().unwrap();
        let ledger = Ledger::default();
        ledger.abandon(&Ended::failed("deadline", ""));
        assert!(ledger.open(folder.path(), &heartbeat("late"), Duration::ZERO).is_none());
        assert_eq!(ledger.record(&mut Err(Why::NoStore), &[], String::new()), Recorded::Nowhere);
        assert!(Spool::new(folder.path()).waiting().unwrap().is_empty());
    }
}
