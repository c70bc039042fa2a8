//! The state of the screen: a pure machine. A key goes in, what is asked of the inbox comes out, and what became of that
//! goes in again.

use std::collections::BTreeMap;

use six_core::curate::{self, Ruling, Similar, TriageItem, TriageVerdict, version_of};
use six_core::record::{RecordId, ThreadId, UnixMs};
use six_core::text::{Redacted, fold};

use super::inbox::Wanted;
use super::keys::Key;
use super::line::Line;
use super::mode::{Mode, ThreadChoice, thread_named};
use super::pace::Pace;
use super::width::one_line;

mod typing;

pub(super) use typing::title_fault;

/// What comes in.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) enum Input {
    /// A press of a key.
    Key(Key),
    /// A text that the terminal says was pasted.
    Paste(String),
}

/// What is asked of the outside.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) enum Ask {
    /// Only a new picture.
    Nothing,
    /// A verdict is to be applied; then [`State::applied`] or [`State::refused`].
    Apply(Ruling),
    /// A batch is to be taken back; then [`State::undone`] or [`State::refused`].
    Undo(String),
    /// The names of the threads; then [`State::know_threads`].
    Threads,
    /// Records with words; then [`State::found`].
    Find(Wanted),
    /// The process is to stop until it is resumed.
    Suspend,
    /// The screen is to be left.
    Leave,
}

/// What the operator has changed of a candidate; it goes with the verdict.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub(super) struct Draft {
    pub(super) title: Option<Redacted>,
    pub(super) thread: Option<ThreadChoice>,
}

impl Draft {
    /// Whether nothing was changed.
    pub(super) const fn is_empty(&self) -> bool {
        self.title.is_none() && self.thread.is_none()
    }
}

/// A candidate on the screen.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) struct Entry {
    pub(super) item: TriageItem,
    pub(super) draft: Draft,
}

impl Entry {
    /// Its title as it would be confirmed.
    pub(super) fn title(&self) -> &Redacted {
        self.draft.title.as_ref().unwrap_or(&self.item.record.title)
    }

    const fn id(&self) -> &RecordId {
        &self.item.record.id
    }
}

/// A verdict of this session.
#[derive(Debug, Clone, PartialEq, Eq)]
struct Done {
    entry: Entry,
    at: usize,
    verdict: TriageVerdict,
    batch: String,
}

/// What the last key came to.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub(super) enum Notice {
    #[default]
    None,
    /// A hint.
    Hint(String),
    /// A verdict was applied.
    Applied(TriageVerdict, Redacted),
    /// A verdict was taken back.
    TakenBack(Redacted),
    /// Something was not done.
    Refused(String),
}

/// How much of a text fits, as the last picture showed it.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub(super) struct Extent {
    /// Rows of the list.
    pub(super) list_rows: usize,
    /// Rows of the text that scrolls.
    pub(super) text_rows: usize,
    /// The furthest that it can be scrolled.
    pub(super) scroll_max: usize,
}

/// See the module.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) struct State {
    pub(super) mode: Mode,
    pub(super) notice: Notice,
    /// Rows that the text is scrolled by.
    pub(super) scroll: usize,
    pub(super) threads: Vec<(ThreadId, String)>,
    pub(super) pace: Pace,
    /// What the list is narrowed to; empty = all.
    pub(super) filter: String,
    entries: Vec<Entry>,
    /// How many more wait than were read.
    unread: usize,
    /// Index among the shown.
    at: usize,
    done: Vec<Done>,
    extent: Extent,
    leaving: bool,
}

impl State {
    /// The screen of these candidates, opened now.
    pub(super) fn new(waiting: curate::Inbox, threads: Vec<(ThreadId, String)>, now: UnixMs) -> Self {
        Self {
            mode: Mode::List,
            notice: Notice::None,
            scroll: 0,
            threads,
            pace: Pace::new(now, &waiting),
            unread: unread(&waiting),
            filter: String::new(),
            entries: waiting.items.into_iter().map(|item| Entry { item, draft: Draft::default() }).collect(),
            at: 0,
            done: Vec::new(),
            extent: Extent::default(),
            leaving: false,
        }
    }

    /// The candidates that the list shows.
    pub(super) fn shown(&self) -> Vec<&Entry> {
        let wanted = fold(&self.filter);
        let holds = |text: &Redacted| fold(text.as_str()).contains(wanted.as_ref());
        let is_wanted = |entry: &&Entry| {
            let record = &entry.item.record;
            wanted.is_empty() || holds(entry.title()) || holds(&record.quote) || holds(&record.body)
        };
        self.entries.iter().filter(is_wanted).collect()
    }

    /// Index of the marked candidate among the shown.
    pub(super) const fn at(&self) -> usize {
        self.at
    }

    /// The marked candidate.
    pub(super) fn marked(&self) -> Option<&Entry> {
        self.shown().get(self.at).copied()
    }

    /// Candidates left, read or not.
    pub(super) const fn left(&self) -> usize {
        self.entries.len() + self.unread
    }

    /// Whether all that were read are judged.
    pub(super) const fn is_empty(&self) -> bool {
        self.entries.is_empty()
    }

    /// The verdicts of this session that stand, by word.
    pub(super) fn counts(&self) -> BTreeMap<&'static str, usize> {
        let mut counts = BTreeMap::new();
        for done in &self.done {
            *counts.entry(done.verdict.as_str()).or_default() += 1;
        }
        counts
    }

    /// The batch that [`Ask::Undo`] would name.
    pub(super) fn last_batch(&self) -> Option<&str> {
        self.done.last().map(|done| done.batch.as_str())
    }

    /// Takes note of what the last picture could show.
    pub(super) fn see(&mut self, extent: Extent) {
        self.extent = extent;
        self.scroll = self.scroll.min(extent.scroll_max);
    }

    /// Does what was typed.
    pub(super) fn step(&mut self, input: Input) -> Ask {
        match input {
            Input::Key(Key::Interrupt) => Ask::Leave,
            Input::Key(Key::Suspend) => Ask::Suspend,
            Input::Key(key) => self.press(key),
            Input::Paste(text) => self.paste(&text),
        }
    }

    fn press(&mut self, key: Key) -> Ask {
        match self.mode.clone() {
            Mode::List => self.press_in_list(key),
            Mode::Whole | Mode::Help => self.press_in_text(key),
            Mode::Title(line) => self.press_in_title(line, key),
            Mode::Filter(line) => self.press_in_filter(line, key),
            Mode::Thread(picker) => self.press_in_threads(picker, key),
            Mode::Record(verdict, picker) => self.press_in_records(verdict, picker, key),
        }
    }

    /// A paste is text: where no line is typed it means nothing, whatever letters it has.
    fn paste(&mut self, text: &str) -> Ask {
        match &mut self.mode {
            Mode::List | Mode::Whole | Mode::Help => Ask::Nothing,
            Mode::Title(line) => {
                line.insert(text);
                Ask::Nothing
            }
            Mode::Filter(line) => {
                line.insert(text);
                self.narrow()
            }
            Mode::Thread(picker) => {
                picker.line.insert(text);
                self.narrow()
            }
            Mode::Record(_, picker) => {
                picker.line.insert(text);
                self.narrow()
            }
        }
    }

    fn press_in_list(&mut self, key: Key) -> Ask {
        let was_leaving = std::mem::take(&mut self.leaving);
        self.notice = Notice::None;
        match key {
            Key::Char('c' | 'y') => return self.judge(TriageVerdict::Confirm, None),
            Key::Char('n' | 'r') => return self.judge(TriageVerdict::Reject, None),
            Key::Char('u') => return self.take_back(),
            Key::Char('t') if self.marked().is_some() => return self.open_threads(),
            Key::Char('m') => self.open_records(TriageVerdict::Merge),
            Key::Char('s') => self.open_records(TriageVerdict::Supersede),
            Key::Char('e') => self.open_title(),
            Key::Char('a') | Key::Enter if self.marked().is_some() => self.open_text(Mode::Whole),
            Key::Char('?') => self.open_text(Mode::Help),
            Key::Char('/') => self.mode = Mode::Filter(Line::of(&self.filter)),
            Key::Char('J') => self.scroll_by(1),
            Key::Char('K') => self.scroll_by(-1),
            Key::Esc if !self.filter.is_empty() => self.clear_filter(),
            Key::Char('q') | Key::Esc => return self.leave(was_leaving),
            key => self.travel(key),
        }
        Ask::Nothing
    }

    fn travel(&mut self, key: Key) {
        let page = self.extent.list_rows.saturating_sub(1).max(1);
        let to = match key {
            Key::Char('j' | ' ') | Key::Down | Key::Tab => self.at.saturating_add(1),
            Key::Char('k') | Key::Up | Key::BackTab => self.at.saturating_sub(1),
            Key::PageDown => self.at.saturating_add(page),
            Key::PageUp => self.at.saturating_sub(page),
            Key::Char('g') | Key::Home => 0,
            Key::Char('G') | Key::End => usize::MAX,
            _ => return,
        };
        self.mark(to);
    }

    fn mark(&mut self, at: usize) {
        self.at = at.min(self.shown().len().saturating_sub(1));
        self.scroll = 0;
    }

    fn scroll_by(&mut self, rows: isize) {
        self.scroll = self.scroll.saturating_add_signed(rows).min(self.extent.scroll_max);
    }

    fn open_text(&mut self, mode: Mode) {
        self.mode = mode;
        self.scroll = 0;
    }

    fn press_in_text(&mut self, key: Key) -> Ask {
        let page = isize::try_from(self.extent.text_rows.saturating_sub(1)).unwrap_or(isize::MAX).max(1);
        match key {
            Key::Char('j') | Key::Down => self.scroll_by(1),
            Key::Char('k') | Key::Up => self.scroll_by(-1),
            Key::Char(' ') | Key::PageDown => self.scroll_by(page),
            Key::PageUp => self.scroll_by(-page),
            Key::Char('g') | Key::Home => self.scroll = 0,
            Key::Char('G') | Key::End => self.scroll = self.extent.scroll_max,
            Key::Char('q' | 'a' | '?') | Key::Esc | Key::Enter => self.open_text(Mode::List),
            _ => {}
        }
        Ask::Nothing
    }

    /// Edits are lost with the screen: that has to be asked for twice.
    fn leave(&mut self, was_leaving: bool) -> Ask {
        let drafts = self.entries.iter().filter(|entry| !entry.draft.is_empty()).count();
        if drafts == 0 || was_leaving {
            return Ask::Leave;
        }
        self.leaving = true;
        let edits = if drafts == 1 { "1 edit waits".to_owned() } else { format!("{drafts} edits wait") };
        self.notice = Notice::Hint(format!("{edits} for a verdict and would be lost; q again leaves"));
        Ask::Nothing
    }

    fn judge(&mut self, verdict: TriageVerdict, other: Option<&Similar>) -> Ask {
        let Some(entry) = self.marked() else { return self.nothing_marked() };
        let other = other.map(|similar| similar.id.to_string());
        let (into, by) = if verdict == TriageVerdict::Supersede { (None, other) } else { (other, None) };
        // What is refused or becomes evidence of another record needs neither.
        let keeps = matches!(verdict, TriageVerdict::Confirm | TriageVerdict::Supersede);
        let draft = if keeps { entry.draft.clone() } else { Draft::default() };
        Ask::Apply(Ruling {
            id: entry.id().to_string(),
            verdict,
            version: Some(version_of(&entry.item.record)),
            thread: draft.thread.map(|thread| self.ruled(&thread)),
            title: draft.title,
            into,
            by,
            reason: None,
        })
    }

    /// A new thread that an earlier verdict has opened is known by now.
    fn ruled(&self, thread: &ThreadChoice) -> String {
        match thread {
            ThreadChoice::Known(id, _) => id.to_string(),
            ThreadChoice::New(name) => {
                thread_named(&self.threads, name).map_or_else(|| format!("new:{name}"), ToString::to_string)
            }
        }
    }

    fn nothing_marked(&mut self) -> Ask {
        self.notice = Notice::Hint("no candidate is marked".to_owned());
        Ask::Nothing
    }

    fn take_back(&mut self) -> Ask {
        if let Some(batch) = self.last_batch() {
            return Ask::Undo(batch.to_owned());
        }
        self.notice = Notice::Hint("no verdict of this session is left to take back".to_owned());
        Ask::Nothing
    }

    /// The verdict stands: the candidate leaves the list.
    pub(super) fn applied(&mut self, ruling: &Ruling, batch: String, now: UnixMs) {
        self.pace.note(now);
        let Some(at) = self.entries.iter().position(|entry| entry.id().as_str() == ruling.id) else { return };
        let entry = self.entries.remove(at);
        self.notice = Notice::Applied(ruling.verdict, entry.title().clone());
        self.done.push(Done { entry, at, verdict: ruling.verdict, batch });
        self.mark(self.at);
    }

    /// The last verdict is taken back: the candidate stands where it stood, with what was edited.
    pub(super) fn undone(&mut self) {
        let Some(done) = self.done.pop() else { return };
        self.notice = Notice::TakenBack(done.entry.title().clone());
        let id = done.entry.id().clone();
        self.entries.insert(done.at.min(self.entries.len()), done.entry);
        self.mark_record(&id);
    }

    fn mark_record(&mut self, id: &RecordId) {
        if !self.shown().iter().any(|entry| entry.id() == id) {
            self.filter.clear();
        }
        let at = self.shown().iter().position(|entry| entry.id() == id);
        self.mark(at.unwrap_or(self.at));
    }

    /// What was asked for was not done.
    pub(super) fn refused(&mut self, why: &str) {
        self.notice = Notice::Refused(one_line(why));
    }

    /// The inbox was read again: edits stay with their candidates, and the mark stays where it is if it can.
    pub(super) fn reload(&mut self, waiting: curate::Inbox) {
        self.unread = unread(&waiting);
        let marked = self.marked().map(|entry| entry.id().clone());
        let mut drafts: BTreeMap<RecordId, Draft> =
            self.entries.drain(..).map(|entry| (entry.item.record.id.clone(), entry.draft)).collect();
        let entry = |item: TriageItem| Entry { draft: drafts.remove(&item.record.id).unwrap_or_default(), item };
        self.entries = waiting.items.into_iter().map(entry).collect();
        let at = marked.and_then(|id| self.shown().iter().position(|entry| *entry.id() == id));
        self.mark(at.unwrap_or(self.at));
    }
}

fn unread(waiting: &curate::Inbox) -> usize {
    usize::try_from(waiting.pending).unwrap_or(usize::MAX).saturating_sub(waiting.items.len())
}

#[cfg(test)]
mod tests;
