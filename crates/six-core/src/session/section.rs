//! The sections of a session start. Each has a budget of its own in UTF-16 units, so that a long one can't push out
//! another; what finds no room is counted.

use chrono::FixedOffset;

use super::rotation::Turn;
use super::view::{CitedStates, InvariantView, RecordView, StartView, ThreadView};
use crate::health::{HealthReport, MAX_NOTES_IN_HOOKS};
use crate::inject::{anchor_label, quote};
use crate::record::EntryKind;
use crate::text::{cut_utf16, utf16_len};

/// Records of one section that a session start shows.
pub const MAX_RECORDS: usize = 5;
/// Open threads that a session start names.
pub const MAX_THREADS: usize = 3;

/// A section, told by what it is made of.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Section {
    Health,
    Invariants,
    Corrections,
    Recent,
    Rest,
}

impl Section {
    /// UTF-16 units that it may have.
    pub(super) const fn budget(self) -> usize {
        match self {
            Self::Health | Self::Invariants | Self::Rest => 600,
            Self::Corrections => 900,
            Self::Recent => 700,
        }
    }

    /// The word that names it.
    pub(super) const fn as_str(self) -> &'static str {
        match self {
            Self::Health => "health",
            Self::Invariants => "invariants",
            Self::Corrections => "corrections",
            Self::Recent => "decisions",
            Self::Rest => "rest",
        }
    }
}

/// Kept free in a section for the line that counts what was left out.
const LEFT_OUT_UNITS: usize = 60;
/// UTF-16 units of a title and of a file name in the list of invariants: a line each.
const INVARIANT_NAME_UNITS: usize = 80;
/// UTF-16 units of where a correction holds.
const SCOPE_UNITS: usize = 40;
/// UTF-16 units that a title gets however much comes behind it.
const MIN_TITLE_UNITS: usize = 24;
/// What would get less than this says nothing.
const MIN_BODY_UNITS: usize = 24;
/// UTF-16 units of what became of the places that a record cites, and of when a dead end is worth another try.
const FATE_UNITS: usize = 70;
const REVIVE_UNITS: usize = 60;
/// UTF-16 units of a thread's name, and of each of the decisions that are named for it.
const THREAD_UNITS: usize = 40;
const DECIDED_UNITS: usize = 50;
/// Decisions that are named for a thread.
const MAX_DECIDED: usize = 2;
/// Characters of an id that are shown: ids are random, so these tell a project's records apart.
const SHORT_ID_CHARS: usize = 8;

/// The health line, its reds and notes. The line itself and the first red, with its fix, always fit.
pub(super) fn health(report: &HealthReport) -> String {
    let room = room_below(&report.line(), Section::Health.budget());
    let mut lines = report.render_lines(MAX_NOTES_IN_HOOKS, room.saturating_sub(1), quote).into_iter();
    let line = lines.next().unwrap_or_default();
    within(line, lines, Section::Health.budget(), 0, |left_out| format!("  {left_out} more: six health"))
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
    Some(within(heading, lines, Section::Invariants.budget(), 0, more))
}

/// The corrections whose turn it is. All of them are in force.
pub(super) fn corrections(turn: &Turn<'_>, dress: Dress<'_>) -> Option<String> {
    let total = u64::try_from(turn.total).unwrap_or(u64::MAX);
    records("Standing corrections:", "six correction list", &turn.shown, total, Section::Corrections.budget(), dress)
}

/// The newest decisions and dead ends.
pub(super) fn recent(view: &StartView, dress: Dress<'_>) -> Option<String> {
    let shown: Vec<&RecordView> = newest(view).iter().collect();
    let (heading, list) = ("Recent decisions and dead ends:", "six decision list, six dead-end list");
    records(heading, list, &shown, view.recent_total, Section::Recent.budget(), dress)
}

/// Those of them that are shown.
pub(super) fn newest(view: &StartView) -> &[RecordView] {
    view.recent.get(..MAX_RECORDS).unwrap_or(&view.recent)
}

/// Open threads, what waits for triage, and what can be searched.
pub(super) fn rest(view: &StartView) -> String {
    let mut lines = Vec::new();
    if view.pending > 0 {
        let candidates = if view.pending == 1 { "candidate" } else { "candidates" };
        lines.push(format!("Waiting for triage: {} {candidates} (six triage).", view.pending));
    }
    if view.edited > 0 {
        lines.push(format!("{} (six triage).", out_of_force(view.edited, "a person looks")));
    }
    if let Some(looks) = unseen(view) {
        lines.push(format!("{looks} (six triage --review)."));
    }
    lines.push(match view.chunks {
        0 => "Nothing is indexed yet (six ingest).".to_owned(),
        chunks => format!("Chunks that can be searched (six search QUERY): {chunks}"),
    });
    let taken: usize = lines.iter().map(|line| utf16_len(line) + 1).sum();
    if !view.threads.is_empty() {
        lines.insert(0, threads(view, Section::Rest.budget().saturating_sub(taken)));
    }
    lines.join("\n")
}

/// What became of rules whose memory files were edited, until who reads it has looked.
pub(super) fn out_of_force(edited: u64, looked: &str) -> String {
    if edited == 1 {
        return format!("1 rule is out of force until {looked} at it: its memory file was edited");
    }
    format!("{edited} rules are out of force until {looked} at them: their memory files were edited")
}

/// What a person has yet to look through, if anything.
pub(super) fn unseen(view: &StartView) -> Option<String> {
    let verdicts = if view.unseen == 1 { "verdict of an agent waits" } else { "verdicts of an agent wait" };
    (view.unseen > 0).then(|| format!("{} {verdicts} for the operator's look", view.unseen))
}

fn threads(view: &StartView, budget: usize) -> String {
    let heading = "Open threads, and what is in force (six lineage THREAD):".to_owned();
    let named = open(view);
    let unnamed = usize::try_from(view.threads_total).unwrap_or(usize::MAX).saturating_sub(named.len());
    let more = |left_out| format!("- {left_out} more: six thread list");
    within(heading, named.iter().map(thread_line), budget, unnamed, more)
}

/// Those of the open threads that are named.
pub(super) fn open(view: &StartView) -> &[ThreadView] {
    view.threads.get(..MAX_THREADS).unwrap_or(&view.threads)
}

/// `- "Retry policy": decided Back off with jitter; Cap at 30 s; 1 more; dead ends: 2`
fn thread_line(thread: &ThreadView) -> String {
    let mut parts: Vec<String> =
        thread.decided.iter().take(MAX_DECIDED).map(|title| quote(title, DECIDED_UNITS)).collect();
    match thread.decided.len().saturating_sub(MAX_DECIDED) {
        0 => {}
        more => parts.push(format!("{more} more")),
    }
    match parts.first_mut() {
        Some(first) => first.insert_str(0, "decided "),
        None => parts.push("nothing decided".to_owned()),
    }
    if thread.dead_ends > 0 {
        parts.push(format!("dead ends: {}", thread.dead_ends));
    }
    format!("- \"{}\": {}", quote(&thread.name, THREAD_UNITS), parts.join("; "))
}

/// What lines of records are told with.
#[derive(Debug, Clone, Copy)]
pub(super) struct Dress<'a> {
    /// What became of what they cite.
    pub(super) cited: &'a CitedStates,
    /// Where the reader is, for dates.
    pub(super) offset: FixedOffset,
}

/// Every record gets an even share of the room that those before it have left, so that all are shown.
fn records(
    heading: &str,
    list: &str,
    shown: &[&RecordView],
    total: u64,
    budget: usize,
    dress: Dress<'_>,
) -> Option<String> {
    if shown.is_empty() {
        return None;
    }
    let mut lines = vec![heading.to_owned()];
    let mut room = budget.saturating_sub(utf16_len(heading) + LEFT_OUT_UNITS);
    for (index, record) in shown.iter().enumerate() {
        let share = room / (shown.len() - index);
        let line = record_line(record, share.saturating_sub(1), dress);
        room = room.saturating_sub(utf16_len(&line) + 1);
        lines.push(line);
    }
    let left_out = total.saturating_sub(u64::try_from(shown.len()).unwrap_or(u64::MAX));
    if left_out > 0 {
        lines.push(format!("- {left_out} more: {list}"));
    }
    Some(lines.join("\n"))
}

/// `- [k3f9a2c1 operator 2026-03-14] dead end: title (in scope) {what became of what it cites}: body (worth another try if …)`,
/// of at most `max_units`. The title is never left out, however little room what comes after it gets.
fn record_line(record: &RecordView, max_units: usize, dress: Dress<'_>) -> String {
    let id: String = record.id.as_str().chars().take(SHORT_ID_CHARS).collect();
    let id = quote(&id, SHORT_ID_CHARS);
    let what = match record.kind {
        EntryKind::Decision => "decided: ",
        EntryKind::DeadEnd => "dead end: ",
        _ => "",
    };
    let worded = match record.written_by.as_str() {
        "" => String::new(),
        by => format!(", worded by {}", quote(by, SCOPE_UNITS)),
    };
    let (origin, date) = (record.origin.as_str(), record.created.date(dress.offset));
    let mut line = format!("- [{id} {origin} {date}{worded}] {what}");
    let scope =
        if record.scope.is_empty() { String::new() } else { format!(" (in {})", quote(&record.scope, SCOPE_UNITS)) };
    let fate = fate(record, dress).map_or_else(String::new, |fate| format!(" {{{}}}", quote(&fate, FATE_UNITS)));
    let behind = scope + &fate;
    let title_units = max_units.saturating_sub(utf16_len(&line) + utf16_len(&behind)).max(MIN_TITLE_UNITS);
    line.push_str(&quote(&record.title, title_units));
    line.push_str(&behind);
    if utf16_len(&line) > max_units {
        let (head, _) = cut_utf16(&line, max_units.saturating_sub(1));
        return format!("{head}…");
    }
    let mut room = max_units.saturating_sub(utf16_len(&line));
    let mut revive = said(&record.revive_if, " (worth another try if ", room.min(REVIVE_UNITS).saturating_sub(1));
    if !revive.is_empty() {
        revive.push(')');
    }
    room = room.saturating_sub(utf16_len(&revive));
    line.push_str(&said(&record.body, ": ", room));
    line.push_str(&revive);
    line
}

/// A text behind its lead, or nothing where there is no text or no room for it.
fn said(text: &str, lead: &str, room: usize) -> String {
    let room = room.saturating_sub(utf16_len(lead));
    if room < MIN_BODY_UNITS || text.trim().is_empty() { String::new() } else { format!("{lead}{}", quote(text, room)) }
}

/// What became of what a record cites, where that is no longer as it was.
fn fate(record: &RecordView, dress: Dress<'_>) -> Option<String> {
    let stale = dress.cited.get(&record.id)?.iter().filter(|(_, state)| state.is_stale()).cloned();
    let (anchors, states): (Vec<_>, Vec<_>) = stale.unzip();
    anchor_label(&anchors, &states, dress.offset)
}

/// A section of as many lines as its budget holds, in order, and a last one that counts the others, with those that are
/// `unlisted` anyway.
fn within(
    heading: String,
    lines: impl Iterator<Item = String>,
    budget: usize,
    unlisted: usize,
    count: impl Fn(usize) -> String,
) -> String {
    let mut room = room_below(&heading, budget);
    let mut section = vec![heading];
    let mut left_out = 0_usize;
    for line in lines {
        let units = utf16_len(&line) + 1;
        if left_out > 0 || units > room {
            left_out += 1;
        } else {
            room -= units;
            section.push(line);
        }
    }
    if left_out > 0 || unlisted > 0 {
        section.push(count(left_out.saturating_add(unlisted)));
    }
    section.join("\n")
}

/// UTF-16 units that the lines of a section have, each with its line end.
fn room_below(heading: &str, budget: usize) -> usize {
    budget.saturating_sub(utf16_len(heading) + LEFT_OUT_UNITS)
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;
    use crate::health::{CheckName, CheckReport, Fault, Verdict};

    #[test]
    fn many_long_reds_stay_in_budget_and_the_first_is_whole() {
        let verdict = Verdict::red(Fault::CheckFailed, "<d> ".repeat(500), format!("{}`six health`", "f".repeat(300)));
        let checks = CheckName::ALL.map(|name| CheckReport { name, verdict: verdict.clone() }).to_vec();
        let section = health(&HealthReport { checks });
        let lines: Vec<&str> = section.lines().collect();
        let [line, red, more] = lines.as_slice() else { panic!("{section}") };
        assert_eq!(*line, "MEMORY-HEALTH: 0/11 GREEN (11 RED)");
        assert!(red.starts_with("  RED store: &lt;d> ") && red.ends_with("`six health`"), "{red}");
        assert_eq!(*more, "  10 more: six health");
        assert!(utf16_len(&section) <= Section::Health.budget());
    }

    /// A red with as many checks blocked by it as there are others.
    fn one_red(name: CheckName, detail: &str, fix: &str) -> HealthReport {
        let verdict = |of| match of {
            of if of == name => Verdict::red(Fault::CheckFailed, detail, fix),
            _ => Verdict::Blocked { by: name },
        };
        HealthReport { checks: CheckName::ALL.map(|of| CheckReport { name: of, verdict: verdict(of) }).to_vec() }
    }

    #[test]
    fn a_fix_that_is_too_long_for_the_section_is_told_by_the_command_that_shows_it() {
        let section =
            health(&one_red(CheckName::MemoryFiles, &"d".repeat(900), &format!("six install /{}", "p".repeat(900))));
        let red = section.lines().nth(1).unwrap();
        assert!(
            red.starts_with("  RED memory_files: ddd") && red.ends_with("FIX: six health --check memory_files"),
            "{red}"
        );
    }

    proptest! {
        #[test]
        fn the_first_red_always_fits_with_its_fix_whole(
            name in prop::sample::select(CheckName::ALL.to_vec()),
            detail in "(<|漢|🦀|\\PC|a b){0,400}",
            fix in "(<|漢|🦀|\\PC|`six x`|/a b){0,200}",
        ) {
            let section = health(&one_red(name, &detail, &fix));
            prop_assert!(utf16_len(&section) <= Section::Health.budget(), "{section}");
            let red = section.lines().nth(1).unwrap();
            prop_assert!(red.starts_with(&format!("  RED {}: ", name.as_str())), "{red}");
            let (whole, by_command) = (quote(&fix, usize::MAX), format!("six health --check {}", name.as_str()));
            let told = if utf16_len(&whole) > 280 { vec![&whole, &by_command] } else { vec![&whole] };
            prop_assert!(told.iter().any(|fix| red.ends_with(&format!("  FIX: {fix}"))), "{red}");
        }
    }

    #[test]
    fn long_threads_stay_in_budget_and_all_that_are_not_named_are_counted() {
        let long = "a thread of many words ".repeat(9);
        let thread = ThreadView { name: long.clone(), decided: vec![long; 7], dead_ends: 12_000 };
        let view = StartView {
            threads: vec![thread; MAX_THREADS],
            threads_total: 90,
            pending: 12_345,
            unseen: 0,
            chunks: 1_234_567,
            ..StartView::default()
        };
        let section = rest(&view);
        assert!(utf16_len(&section) <= Section::Rest.budget(), "{section}");
        let lines: Vec<&str> = section.lines().collect();
        let [_, named @ .., more, pending, chunks] = lines.as_slice() else { panic!("{section}") };
        assert!(!named.is_empty() && named.iter().all(|line| line.contains("5 more; dead ends: 12000")), "{section}");
        assert_eq!(*more, format!("- {} more: six thread list", 90 - named.len()));
        assert_eq!(
            (*pending, chunks.starts_with("Chunks")),
            ("Waiting for triage: 12345 candidates (six triage).", true)
        );
    }

    #[test]
    fn what_agents_judged_is_told_until_somebody_has_looked() {
        let of = |unseen| rest(&StartView { unseen, ..StartView::default() });
        assert_eq!(of(0), "Nothing is indexed yet (six ingest).");
        assert_eq!(
            of(1).lines().next(),
            Some("1 verdict of an agent waits for the operator's look (six triage --review).")
        );
        assert!(of(3).starts_with("3 verdicts of an agent wait for the operator's look"));
    }
}
