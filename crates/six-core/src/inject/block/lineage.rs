//! The story of a thread, short: what was decided, what was tried, what replaced what, and what holds today.

use chrono::FixedOffset;

use super::item::{ID_UNITS, bare};
use crate::curate::{Prose, Telling};
use crate::inject::ThreadStory;
use crate::text::utf16_len;

/// UTF-16 units of one story. The oldest steps give way, the newest is always told: the parts of a step are short enough
/// for that.
const STORY_UNITS: usize = 640;
/// Of the name of a model.
const MODEL_UNITS: usize = 40;
/// The longest form of the line that counts the steps that are left out.
const OLDER_MAX: &str = "   (9999 older steps left out)\n";

pub(super) fn lines(thread: &ThreadStory, offset: FixedOffset) -> Vec<String> {
    let short = Telling::BLOCK;
    let mut lines = vec![format!("thread: {}", short.quote(&thread.name, short.name))];
    let end = [format!("   {}", short.today(thread)), format!("   record: {}", bare(thread.item().as_str(), ID_UNITS))];
    let left = STORY_UNITS.saturating_sub(lines.iter().chain(&end).map(|line| units(line)).sum());
    if let Some(told) = thread.prose.as_ref().and_then(|prose| told(prose, left)) {
        lines.push(told);
    } else {
        let (steps, older) = short.newest_steps(thread, offset, left.saturating_sub(utf16_len(OLDER_MAX)));
        if older > 0 {
            lines.push(format!("   ({older} older steps left out)"));
        }
        lines.extend(steps);
    }
    lines.extend(end);
    lines
}

/// What a model told, whole: a story that is cut ends before its end. Nothing where it does not fit.
fn told(prose: &Prose, max_units: usize) -> Option<String> {
    let text = Telling::BLOCK.quote(prose.text.as_str(), STORY_UNITS);
    let line = format!("   told by {}: {text}", bare(prose.model.as_str(), MODEL_UNITS));
    (units(&line) <= max_units).then_some(line)
}

/// With the end of the line.
fn units(line: &str) -> usize {
    utf16_len(line) + 1
}
