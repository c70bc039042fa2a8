//! What the keys mean at the moment.

use six_core::curate::{Similar, TriageVerdict};
use six_core::record::ThreadId;
use six_core::text::fold;

use super::keys::Key;
use super::line::Line;

/// See the module.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) enum Mode {
    /// Moving in the list and judging.
    List,
    /// Reading the whole text of a candidate.
    Whole,
    /// Reading what the keys do.
    Help,
    /// Typing a title.
    Title(Line),
    /// Typing what the list is narrowed to.
    Filter(Line),
    /// Choosing a thread.
    Thread(Picker<ThreadChoice>),
    /// Choosing the record that a candidate is merged into or superseded by.
    Record(TriageVerdict, Picker<Similar>),
}

impl Mode {
    /// The line that is being typed, with what it is for.
    pub(super) const fn typed(&self) -> Option<(&'static str, &Line)> {
        match self {
            Self::List | Self::Whole | Self::Help => None,
            Self::Title(line) => Some(("title", line)),
            Self::Filter(line) => Some(("filter", line)),
            Self::Thread(picker) => Some(("thread", &picker.line)),
            Self::Record(TriageVerdict::Supersede, picker) => Some(("superseded by", &picker.line)),
            Self::Record(_, picker) => Some(("merge into", &picker.line)),
        }
    }
}

/// A thread for a candidate.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) enum ThreadChoice {
    /// One that is there.
    Known(ThreadId, String),
    /// One of that name, opened by the verdict.
    New(String),
}

impl ThreadChoice {
    /// Its name.
    pub(super) fn name(&self) -> &str {
        match self {
            Self::Known(_, name) | Self::New(name) => name,
        }
    }
}

/// A list to choose from, with a line that narrows it.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) struct Picker<T> {
    pub(super) line: Line,
    pub(super) choices: Vec<T>,
    /// Index of the marked choice.
    pub(super) at: usize,
}

impl<T> Picker<T> {
    /// One with nothing typed.
    pub(super) fn of(choices: Vec<T>) -> Self {
        Self { line: Line::default(), choices, at: 0 }
    }

    /// Does what the key says; answers whether the line is another one now.
    pub(super) fn press(&mut self, key: Key) -> bool {
        match key {
            Key::Up | Key::BackTab => self.at = self.at.saturating_sub(1),
            Key::Down | Key::Tab => self.at = (self.at + 1).min(self.choices.len().saturating_sub(1)),
            key => return self.line.press(key),
        }
        false
    }

    /// Offers other choices.
    pub(super) fn offer(&mut self, choices: Vec<T>) {
        self.choices = choices;
        self.at = 0;
    }

    /// The marked choice.
    pub(super) fn chosen(&self) -> Option<&T> {
        self.choices.get(self.at)
    }
}

/// The thread of that name, as the store tells names apart.
pub(super) fn thread_named<'a>(threads: &'a [(ThreadId, String)], name: &str) -> Option<&'a ThreadId> {
    let wanted = fold(name);
    threads.iter().find(|(_, known)| fold(known) == wanted).map(|(id, _)| id)
}

const NEW: &str = "new:";

/// The threads whose names hold what was typed, and a new one where none is called so.
pub(super) fn thread_choices(threads: &[(ThreadId, String)], typed: &str) -> Vec<ThreadChoice> {
    // As verdicts in a file call a thread that is to be opened.
    let typed = typed.trim();
    let typed = typed
        .get(..NEW.len())
        .filter(|start| start.eq_ignore_ascii_case(NEW))
        .map_or(typed, |_| typed.get(NEW.len()..).unwrap_or_default().trim());
    let wanted = fold(typed);
    let known = threads.iter().filter(|(_, name)| fold(name).contains(wanted.as_ref()));
    let mut choices: Vec<_> = known.map(|(id, name)| ThreadChoice::Known(id.clone(), name.clone())).collect();
    if !typed.is_empty() && thread_named(threads, typed).is_none() {
        choices.push(ThreadChoice::New(typed.to_owned()));
    }
    choices
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_new_thread_is_offered_unless_one_is_called_so() {
        let threads = [(ThreadId::new("t1"), "Storage".to_owned()), (ThreadId::new("t2"), "数据库".to_owned())];
        let offered = |typed: &str| -> Vec<String> {
            thread_choices(&threads, typed).iter().map(|choice| format!("{choice:?}")).collect()
        };
        assert_eq!(offered("new: Berths"), offered("Berths"));
        assert_eq!(offered("New:Storage"), offered("storage"));
        insta::assert_debug_snapshot!([offered(""), offered("stor"), offered("storage"), offered(" 数据 ")]);
    }
}
