//! The story of a thread: what was decided, what was tried, and what holds today.

use chrono::FixedOffset;

use super::item::{ID_UNITS, THREAD_UNITS, TITLE_UNITS, bare, quoted};
use crate::inject::{ItemKind, StoryRecord, ThreadStory};
use crate::record::RecordState;

pub(super) fn lines(thread: &ThreadStory, offset: FixedOffset) -> Vec<String> {
    let state = if thread.open { "open" } else { "closed" };
    let mut lines = vec![format!("thread, {state}: {}", quoted(&thread.name, THREAD_UNITS))];
    lines.extend(thread.records.iter().map(|record| step(record, offset)));
    lines.push(format!("   thread: {}", bare(thread.item().as_str(), ID_UNITS)));
    lines
}

fn step(record: &StoryRecord, offset: FixedOffset) -> String {
    let what = if record.kind == ItemKind::DeadEnd { "dead end" } else { "decided" };
    let until = match (&record.superseded_by, record.state) {
        (Some(title), _) => format!(", until replaced by {}", quoted(title, TITLE_UNITS)),
        (None, RecordState::Confirmed) => String::new(),
        (None, state) => format!(", {}", state.as_str()),
    };
    format!("   {} {what}: {}{until}", record.at.date(offset), quoted(&record.title, TITLE_UNITS))
}
