//! The sections of a session start. Each has a budget of its own in UTF-16 units, so that a long one can't push out
//! another; what finds no room is counted.

use chrono::FixedOffset;

use super::view::{InvariantView, RecordView, StartView};
use crate::health::{HealthReport, MAX_NOTES_IN_HOOKS};
use crate::inject::quote;
use crate::text::utf16_len;

/// Records of one kind that a session start shows.
pub const MAX_RECORDS: usize = 5;

const HEALTH_UNITS: usize = 600;
const INVARIANT_UNITS: usize = 600;
const CORRECTION_UNITS: usize = 900;
const DECISION_UNITS: usize = 700;

/// Kept free in a section for the line that counts what was left out.
const LEFT_OUT_UNITS: usize = 60;
/// UTF-16 units of a title and of a file name in the list of invariants: a line each.
const INVARIANT_NAME_UNITS: usize = 80;
/// UTF-16 units of where a correction holds.
const SCOPE_UNITS: usize = 40;
/// A body that would get less than this says nothing.
const MIN_BODY_UNITS: usize = 24;
/// Characters of an id that are shown: ids are random, so these tell a project's records apart.
const SHORT_ID_CHARS: usize = 8;

/// The health line, its reds and notes. The line itself and the first red always fit.
pub(super) fn health(report: &HealthReport) -> String {
    let mut lines = report.render_lines(MAX_NOTES_IN_HOOKS, quote).into_iter();
    let line = lines.next().unwrap_or_default();
    within(line, lines, HEALTH_UNITS, |left_out| format!("  {left_out} more: six health"))
}

/// The titles of the invariants; their text is to be read from the files.
pub(super) fn invariants(invariants: &[InvariantView]) -> Option<String> {
    if invariants.is_empty() {
        return None;
    }
    let heading = "Invariants (read the file again before work that touches it):".to_owned();
    let lines = invariants.iter().map(|invariant| {
        let (title, file) =
            (quote(&invariant.title, INVARIANT_NAME_UNITS), quote(&invariant.file, INVARIANT_NAME_UNITS));
        format!("- {file}: {title}")
    });
    let more = |left_out| format!("- {left_out} more: invariant_* in the memory folder");
    Some(within(heading, lines, INVARIANT_UNITS, more))
}

/// The corrections whose turn it is. All of them are in force.
pub(super) fn corrections(view: &StartView, offset: FixedOffset) -> Option<String> {
    let total = u64::try_from(view.corrections.len()).unwrap_or(u64::MAX);
    let shown = first(&view.corrections);
    records("Standing corrections:", "six correction list", shown, total, CORRECTION_UNITS, offset)
}

/// The newest decisions.
pub(super) fn decisions(view: &StartView, offset: FixedOffset) -> Option<String> {
    let shown = first(&view.decisions);
    records("Recent decisions:", "six decision list", shown, view.decisions_total, DECISION_UNITS, offset)
}

/// What waits for triage, and what can be searched.
pub(super) fn rest(view: &StartView) -> String {
    let mut lines = Vec::new();
    if view.pending > 0 {
        lines.push(format!(
            "Waiting for triage: {} (six decision list --state pending; likewise dead-end, correction).",
            match view.pending {
                1 => String::from("1 candidate"),
                n => format!("{n} candidates"),
            }
        ));
    }
    lines.push(match view.chunks {
        0 => "Nothing is indexed yet (six ingest).".to_owned(),
        chunks => format!("Chunks that can be searched (six search QUERY): {chunks}"),
    });
    lines.join("\n")
}

/// At most [`MAX_RECORDS`] of them.
pub(super) fn first(records: &[RecordView]) -> &[RecordView] {
    records.get(..MAX_RECORDS).unwrap_or(records)
}

/// Every record gets an even share of the room that those before it have left, so that all are shown.
fn records(
    heading: &str,
    list: &str,
    shown: &[RecordView],
    total: u64,
    budget: usize,
    offset: FixedOffset,
) -> Option<String> {
    if shown.is_empty() {
        return None;
    }
    let mut lines = vec![heading.to_owned()];
    let mut room = budget.saturating_sub(utf16_len(heading) + LEFT_OUT_UNITS);
    for (index, record) in shown.iter().enumerate() {
        let share = room / (shown.len() - index);
        let line = record_line(record, share.saturating_sub(1), offset);
        room = room.saturating_sub(utf16_len(&line) + 1);
        lines.push(line);
    }
    let left_out = total.saturating_sub(u64::try_from(shown.len()).unwrap_or(u64::MAX));
    if left_out > 0 {
        lines.push(format!("- {left_out} more: {list}"));
    }
    Some(lines.join("\n"))
}

/// `- [k3f9a2c1 operator 2026-03-14] title (in scope): body`, of at most `max_units`.
fn record_line(record: &RecordView, max_units: usize, offset: FixedOffset) -> String {
    let id: String = record.id.as_str().chars().take(SHORT_ID_CHARS).collect();
    let id = quote(&id, SHORT_ID_CHARS);
    let mut line = format!("- [{id} {} {}] ", record.origin.as_str(), record.validated.date(offset));
    let scope =
        if record.scope.is_empty() { String::new() } else { format!(" (in {})", quote(&record.scope, SCOPE_UNITS)) };
    line.push_str(&quote(&record.title, max_units.saturating_sub(utf16_len(&line) + utf16_len(&scope))));
    line.push_str(&scope);
    let room = max_units.saturating_sub(utf16_len(&line) + 2);
    if room >= MIN_BODY_UNITS && !record.body.trim().is_empty() {
        line.push_str(": ");
        line.push_str(&quote(&record.body, room));
    }
    line
}

/// A section of as many lines as its budget holds, in order, and a last one that counts the others.
fn within(
    heading: String,
    lines: impl Iterator<Item = String>,
    budget: usize,
    count: impl Fn(usize) -> String,
) -> String {
    let mut room = budget.saturating_sub(utf16_len(&heading) + LEFT_OUT_UNITS);
    let mut section = vec![heading];
    let mut left_out = 0;
    for line in lines {
        let units = utf16_len(&line) + 1;
        if left_out > 0 || units > room {
            left_out += 1;
        } else {
            room -= units;
            section.push(line);
        }
    }
    if left_out > 0 {
        section.push(count(left_out));
    }
    section.join("\n")
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::health::{CheckName, CheckReport, Fault, Verdict};

    #[test]
    fn many_long_reds_stay_in_budget_and_the_first_is_whole() {
        let verdict = Verdict::red(Fault::CheckFailed, "<d> ".repeat(500), format!("{}`six health`", "f".repeat(300)));
        let checks = CheckName::ALL.map(|name| CheckReport { name, verdict: verdict.clone() }).to_vec();
        let section = health(&HealthReport { checks });
        let lines: Vec<&str> = section.lines().collect();
        let [line, red, more] = lines.as_slice() else { panic!("{section}") };
        assert_eq!(*line, "MEMORY-HEALTH: 0/6 GREEN (6 RED)");
        assert!(red.starts_with("  RED store: &lt;d> ") && red.ends_with("`six health`"), "{red}");
        assert_eq!(*more, "  5 more: six health");
        assert!(utf16_len(&section) <= HEALTH_UNITS);
    }
}
