//! What is typed: titles, threads, other records, the filter.

use six_core::curate::{Similar, TriageVerdict};
use six_core::record::{Record, RecordKind, RecordState, ThreadId};
use six_core::text::Redactor;

use super::super::inbox::Wanted;
use super::super::keys::Key;
use super::super::line::Line;
use super::super::mode::{Mode, Picker, ThreadChoice, thread_choices};
use super::super::width::one_line;
use super::{Ask, Entry, Notice, State};

impl State {
    pub(super) fn open_title(&mut self) {
        if let Some(title) = self.marked().map(|entry| Line::of(entry.title().as_str())) {
            self.mode = Mode::Title(title);
        }
    }

    pub(super) fn press_in_title(&mut self, mut line: Line, key: Key) -> Ask {
        self.mode = match key {
            Key::Esc => Mode::List,
            Key::Enter if title_fault(&line).is_none() => {
                self.set_title(&line.text());
                Mode::List
            }
            key => {
                line.press(key);
                Mode::Title(line)
            }
        };
        Ask::Nothing
    }

    fn set_title(&mut self, title: &str) {
        let title = Redactor::new().redact(title.trim());
        let hint = "the new title goes with your verdict".to_owned();
        self.change(|entry| entry.draft.title = (title != entry.item.record.title).then_some(title), hint);
    }

    fn change(&mut self, change: impl FnOnce(&mut Entry), hint: String) {
        let Some(id) = self.marked().map(|entry| entry.id().clone()) else { return };
        if let Some(entry) = self.entries.iter_mut().find(|entry| *entry.id() == id) {
            change(entry);
            self.notice = Notice::Hint(hint);
        }
        self.mark_record(&id);
    }

    pub(super) fn open_threads(&mut self) -> Ask {
        self.mode = Mode::Thread(Picker::of(thread_choices(&self.threads, "")));
        Ask::Threads
    }

    /// The threads as they are now.
    pub(in super::super) fn know_threads(&mut self, threads: Vec<(ThreadId, String)>) {
        self.threads = threads;
        self.narrow();
    }

    pub(super) fn press_in_threads(&mut self, mut picker: Picker<ThreadChoice>, key: Key) -> Ask {
        match (key, picker.chosen().cloned()) {
            (Key::Esc, _) => self.mode = Mode::List,
            (Key::Enter, Some(thread)) => {
                self.mode = Mode::List;
                let hint = format!("thread {} goes with your verdict", one_line(thread.name()));
                self.change(|entry| entry.draft.thread = Some(thread), hint);
            }
            (key, _) => {
                let is_another = picker.press(key);
                self.mode = Mode::Thread(picker);
                return if is_another { self.narrow() } else { Ask::Nothing };
            }
        }
        Ask::Nothing
    }

    pub(super) fn open_records(&mut self, verdict: TriageVerdict) {
        if self.marked().is_some() {
            self.mode = Mode::Record(verdict, Picker::of(self.similar(verdict)));
        }
    }

    /// Similar records that the verdict can name.
    fn similar(&self, verdict: TriageVerdict) -> Vec<Similar> {
        let similar = self.marked().map(|entry| entry.item.similar.as_slice()).unwrap_or_default();
        similar.iter().filter(|other| states(verdict).contains(&other.state)).cloned().collect()
    }

    pub(super) fn press_in_records(&mut self, verdict: TriageVerdict, mut picker: Picker<Similar>, key: Key) -> Ask {
        match (key, picker.chosen().cloned()) {
            (Key::Esc, _) => self.mode = Mode::List,
            (Key::Enter, Some(other)) => {
                self.mode = Mode::List;
                return self.judge(verdict, Some(&other));
            }
            (key, _) => {
                let is_another = picker.press(key);
                self.mode = Mode::Record(verdict, picker);
                return if is_another { self.narrow() } else { Ask::Nothing };
            }
        }
        Ask::Nothing
    }

    /// Records with the words that were asked for, without the candidate itself.
    pub(in super::super) fn found(&mut self, mut similar: Vec<Similar>) {
        let Some(id) = self.marked().map(|entry| entry.id().clone()) else { return };
        similar.retain(|other| other.id != id);
        if let Mode::Record(_, picker) = &mut self.mode {
            picker.offer(similar);
        }
    }

    /// Another line was typed: what it narrows follows.
    pub(super) fn narrow(&mut self) -> Ask {
        if let Mode::Record(verdict, picker) = &self.mode {
            let (verdict, words) = (*verdict, picker.line.text());
            if !words.trim().is_empty() {
                let kind = self.marked().map(|entry| entry.item.record.kind);
                return Ask::Find(wanted(verdict, kind, words));
            }
            self.found(self.similar(verdict));
        }
        match &mut self.mode {
            Mode::Filter(line) => {
                line.text().trim().clone_into(&mut self.filter);
                self.mark(0);
            }
            Mode::Thread(picker) => picker.offer(thread_choices(&self.threads, &picker.line.text())),
            _ => {}
        }
        Ask::Nothing
    }

    pub(super) fn press_in_filter(&mut self, mut line: Line, key: Key) -> Ask {
        match key {
            Key::Esc => {
                self.mode = Mode::List;
                self.clear_filter();
            }
            Key::Enter => self.mode = Mode::List,
            key => {
                let is_another = line.press(key);
                self.mode = Mode::Filter(line);
                return if is_another { self.narrow() } else { Ask::Nothing };
            }
        }
        Ask::Nothing
    }

    pub(super) fn clear_filter(&mut self) {
        let marked = self.marked().map(|entry| entry.id().clone());
        self.filter.clear();
        match marked {
            Some(id) => self.mark_record(&id),
            None => self.mark(0),
        }
    }
}

/// What a candidate may be merged into, or superseded by.
const fn states(verdict: TriageVerdict) -> &'static [RecordState] {
    match verdict {
        TriageVerdict::Merge => &[RecordState::Confirmed, RecordState::Pending],
        _ => &[RecordState::Confirmed],
    }
}

/// A candidate is merged into its own kind, and superseded by its own kind.
fn wanted(verdict: TriageVerdict, kind: Option<RecordKind>, words: String) -> Wanted {
    Wanted { words, kind, states: states(verdict) }
}

/// Why a title can't be taken.
pub(in super::super) fn title_fault(line: &Line) -> Option<&'static str> {
    match line.text().trim().chars().count() {
        0 => Some("a title is needed"),
        1..=Record::TITLE_MAX_CHARS => None,
        _ => Some("too long for a title"),
    }
}
