//! All that helps to judge a candidate, as rows of text.

use chrono::FixedOffset;
use six_core::curate::{Similar, TriageItem};
use six_core::record::{Anchor, RecordKind, ThreadId, UnixMs};
use six_core::text::Redacted;

use super::look::Role;
use super::mode::ThreadChoice;
use super::state::Entry;
use super::width::{fold, one_line, pad};

/// Narrower than this, similar records stand below each other instead of beside the candidate.
const SIDE_BY_SIDE_COLUMNS: usize = 56;

/// Between what stands side by side.
const BETWEEN: &str = " │ ";

/// Characters of an id that tell records of one project apart for a reader.
const ID_CHARS: usize = 8;

/// A row on the screen.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) struct Row {
    pub(super) role: Role,
    pub(super) text: String,
}

/// The name of a kind.
pub(super) const fn kind_words(kind: RecordKind) -> &'static str {
    match kind {
        RecordKind::Decision => "decision",
        RecordKind::DeadEnd => "dead end",
        RecordKind::Correction => "correction",
        RecordKind::Cheatsheet => "cheatsheet",
    }
}

/// A record as one line.
pub(super) fn similar_line(similar: &Similar) -> String {
    let kind = kind_words(similar.kind);
    format!("{} {kind} {}: {}", similar.state.as_str(), short(similar.id.as_str()), one_line(&similar.title))
}

fn short(id: &str) -> &str {
    id.get(..ID_CHARS).unwrap_or(id)
}

/// The evidence of a candidate in rows of at most `columns` columns.
pub(super) fn rows(entry: &Entry, threads: &[(ThreadId, String)], offset: FixedOffset, columns: usize) -> Vec<Row> {
    let mut page = Page { rows: Vec::new(), columns };
    page.head(entry, threads, offset);
    page.quote(&entry.item);
    page.similar(entry);
    page.fired(&entry.item, offset);
    page.said_again(&entry.item, offset);
    page.content(&entry.item);
    page.rows
}

struct Page {
    rows: Vec<Row>,
    columns: usize,
}

impl Page {
    /// Adds a text behind `lead`, every line of it.
    fn add(&mut self, role: Role, lead: &str, text: &str) {
        let folded = fold(text, self.columns.saturating_sub(lead.len()));
        self.rows.extend(folded.into_iter().map(|line| Row { role, text: format!("{lead}{line}") }));
    }

    fn label(&mut self, text: &str) {
        self.add(Role::Label, "", text);
    }

    fn head(&mut self, entry: &Entry, threads: &[(ThreadId, String)], offset: FixedOffset) {
        let record = &entry.item.record;
        self.add(Role::Title, "", &one_line(entry.title().as_str()));
        if entry.draft.title.is_some() {
            self.add(Role::Faint, "", &format!("* edited; it was: {}", one_line(record.title.as_str())));
        }
        if let Some(thread) = thread_words(entry, threads) {
            self.add(Role::Text, "", &thread);
        }
        if let Some(suggestion) = &entry.item.suggestion {
            let text = format!("suggested: {}, {}", suggestion.verdict.as_str(), one_line(&suggestion.reason));
            self.add(Role::Suggestion, "", &text);
        }
        let said = format!(
            "{} by {}, {}",
            kind_words(entry.kind()),
            record.origin.as_str(),
            UnixMs::minute(record.created, offset)
        );
        self.label(&said);
    }

    /// The sentence with what stands round it; for a direct entry there is none.
    fn quote(&mut self, item: &TriageItem) {
        let (before, after) = &item.neighbours;
        self.add(Role::Faint, "  ", before);
        self.add(Role::Quote, "> ", item.record.quote.as_str());
        self.add(Role::Faint, "  ", after);
    }

    fn similar(&mut self, entry: &Entry) {
        let similar = &entry.item.similar;
        if similar.is_empty() {
            return;
        }
        self.label("similar records");
        if self.columns < SIDE_BY_SIDE_COLUMNS {
            for other in similar {
                self.add(Role::Text, "  ", &similar_line(other));
            }
            return;
        }
        let half = (self.columns - 2 - BETWEEN.chars().count()) / 2;
        let this = fold(&format!("this: {}", one_line(entry.title().as_str())), half);
        let others: Vec<String> = similar.iter().flat_map(|other| fold(&similar_line(other), half)).collect();
        let line = |lines: &[String], at: usize| lines.get(at).cloned().unwrap_or_default();
        self.rows.extend((0..this.len().max(others.len())).map(|at| Row {
            role: Role::Text,
            text: format!("  {}{BETWEEN}{}", pad(&line(&this, at), half), line(&others, at)),
        }));
    }

    fn fired(&mut self, item: &TriageItem, offset: FixedOffset) {
        if item.fired.is_empty() {
            self.label("would have been shown on no prompt lately");
            return;
        }
        self.label("would have been shown on");
        for fired in &item.fired {
            self.add(Role::Text, "  ", &format!("{} {}", fired.at.date(offset), one_line(&fired.head)));
        }
    }

    fn said_again(&mut self, item: &TriageItem, offset: FixedOffset) {
        if item.sightings.is_empty() {
            return;
        }
        self.label("said again");
        for sighting in &item.sightings {
            let quote = one_line(sighting.quote.as_str());
            self.add(Role::Text, "  ", &format!("{} {}: {quote}", sighting.at.date(offset), sighting.origin.as_str()));
        }
    }

    fn content(&mut self, item: &TriageItem) {
        let record = &item.record;
        if record.body != record.quote {
            self.part("why", &record.body);
        }
        self.parts("rejected", record.rejected.iter().map(|option| one_line(option.as_str())));
        self.part("worth another try if", &record.revive_if);
        self.part("holds for", &record.scope);
        self.part("shown by", &record.evidence);
        self.parts("stands on", record.anchors.iter().map(anchor_words));
        self.parts("commits", record.commits.iter().map(|commit| one_line(commit)));
        self.parts("memory file", record.source_path.iter().map(|path| one_line(path.as_str())));
        self.part("title and why were worded by the model", &record.written_by);
        let session = record.session.iter().map(|session| format!("session {}", one_line(session.as_str())));
        let turn = record.turn.iter().map(|turn| format!("turn {}", one_line(turn)));
        self.parts("said in", session.chain(turn));
    }

    fn part(&mut self, label: &str, text: &Redacted) {
        if !text.is_empty() {
            self.label(label);
            self.add(Role::Text, "  ", text.as_str());
        }
    }

    fn parts(&mut self, label: &str, texts: impl Iterator<Item = String>) {
        for (at, text) in texts.enumerate() {
            if at == 0 {
                self.label(label);
            }
            self.add(Role::Text, "  ", &text);
        }
    }
}

fn thread_words(entry: &Entry, threads: &[(ThreadId, String)]) -> Option<String> {
    match (&entry.draft.thread, &entry.item.record.thread) {
        (Some(ThreadChoice::New(name)), _) => Some(format!("* thread: {} (new)", one_line(name))),
        (Some(thread), _) => Some(format!("* thread: {}", one_line(thread.name()))),
        (None, Some(id)) => {
            let known = threads.iter().find(|(known, _)| known == id);
            Some(format!("thread: {}", one_line(known.map_or(id.as_str(), |(_, name)| name))))
        }
        (None, None) => None,
    }
}

fn anchor_words(anchor: &Anchor) -> String {
    let lines = anchor.lines.map_or(String::new(), |(first, last)| format!(":{first}-{last}"));
    let symbol = anchor.symbol.as_ref().map_or(String::new(), |symbol| format!("#{symbol}"));
    one_line(&format!("{}{lines}{symbol}", anchor.path))
}
