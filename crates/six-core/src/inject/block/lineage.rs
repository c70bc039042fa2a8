//! The story of a thread: what was decided, what was tried, what replaced what, and what holds today.

use chrono::FixedOffset;

use super::item::{ID_UNITS, bare, options, quoted};
use crate::inject::{ItemKind, StoryRecord, ThreadStory};
use crate::record::RecordState;
use crate::text::utf16_len;

/// UTF-16 units of one story. The oldest steps give way, the newest is always told: the parts of a step are short enough
/// for that.
const STORY_UNITS: usize = 640;
const NAME_UNITS: usize = 50;
const STEP_UNITS: usize = 70;
const WHY_UNITS: usize = 80;
const OPTION_UNITS: usize = 30;
const REVIVE_UNITS: usize = 50;
const STATE_UNITS: usize = 40;
/// The longest form of the line that counts the steps that are left out.
const OLDER_MAX: &str = "   (9999 older steps left out)\n";

pub(super) fn lines(thread: &ThreadStory, offset: FixedOffset) -> Vec<String> {
    let told: Vec<&StoryRecord> = thread.records.iter().filter(|record| was_in_force(record.state)).collect();
    let mut lines = vec![format!("thread: {}", quoted(&thread.name, NAME_UNITS))];
    let end = [today(thread, &told), format!("   record: {}", bare(thread.item().as_str(), ID_UNITS))];
    let mut left = STORY_UNITS.saturating_sub(lines.iter().chain(&end).map(|line| units(line)).sum());
    left = left.saturating_sub(utf16_len(OLDER_MAX));
    let mut steps = Vec::new();
    for record in told.iter().rev() {
        let step = step(record, offset);
        let needs = units(&step);
        if needs > left {
            break;
        }
        left -= needs;
        steps.push(step);
    }
    let older = (told.len() - steps.len()) as u64 + u64::from(thread.older);
    if older > 0 {
        lines.push(format!("   ({older} older steps left out)"));
    }
    lines.extend(steps.into_iter().rev());
    lines.extend(end);
    lines
}

/// With the end of the line.
fn units(line: &str) -> usize {
    utf16_len(line) + 1
}

/// What nobody ever confirmed is nobody's story.
const fn was_in_force(state: RecordState) -> bool {
    matches!(state, RecordState::Confirmed | RecordState::Superseded | RecordState::Retired)
}

fn step(record: &StoryRecord, offset: FixedOffset) -> String {
    let what = if record.kind == ItemKind::DeadEnd { "dead end" } else { "decided" };
    let mut step = format!("   {} {what}: {}", record.at.date(offset), quoted(&record.title, STEP_UNITS));
    if !record.body.trim().is_empty() {
        step.extend(["; why ", quoted(&record.body, WHY_UNITS).as_str()]);
    }
    if record.kind == ItemKind::DeadEnd {
        if !record.revive_if.trim().is_empty() {
            step.extend(["; worth another try if ", quoted(&record.revive_if, REVIVE_UNITS).as_str()]);
        }
    } else if !record.rejected.is_empty() {
        step.extend(["; rejected ", options(&record.rejected, OPTION_UNITS).as_str()]);
    }
    match (record.state, &record.superseded_by) {
        (RecordState::Confirmed, _) => {}
        (_, Some(by)) => step.extend(["; replaced by ", quoted(by, STATE_UNITS).as_str()]),
        (_, None) => step.push_str("; no longer in force"),
    }
    step
}

/// The state today: whether the matter is open, which decisions are in force, the newest first, and how many dead ends.
fn today(thread: &ThreadStory, told: &[&StoryRecord]) -> String {
    let in_force = |kind| told.iter().rev().filter(move |r| r.state == RecordState::Confirmed && r.kind == kind);
    let decided: Vec<String> = in_force(ItemKind::Decision).map(|record| record.title.clone()).collect();
    let decided =
        if decided.is_empty() { "none of these decisions".to_owned() } else { options(&decided, STATE_UNITS) };
    let dead_ends = match in_force(ItemKind::DeadEnd).count() {
        0 => String::new(),
        1 => "; 1 dead end".to_owned(),
        count => format!("; {count} dead ends"),
    };
    let open = if thread.open { "open" } else { "closed" };
    format!("   today: {open}; in force: {decided}{dead_ends}")
}
