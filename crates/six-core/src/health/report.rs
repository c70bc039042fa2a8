//! The fold of the checks: the line, the text, the JSON.

use std::borrow::Cow;
use std::panic::{AssertUnwindSafe, catch_unwind};

use serde_json::{Value, json};

use super::checks::{CHECKS, Check};
use super::fix::ask_for;
use super::{CheckName, Fault, HealthEvidence, HealthLimits, Verdict};
use crate::text::{cut_utf16, printable_line, utf16_len};

/// Notes that a hook prints; `six health --verbose` prints all.
pub const MAX_NOTES_IN_HOOKS: usize = 3;

/// All notes, also of what is optional and not set up.
pub const ALL_NOTES: usize = usize::MAX;

/// UTF-16 units of a detail or note. Errors of the outside may be long, and the fix has to stay in sight.
const DETAIL_MAX_UNITS: usize = 160;
/// UTF-16 units that a detail has at least beside its fix: what is wrong, and a name.
const DETAIL_MIN_UNITS: usize = 80;

/// What all checks said.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct HealthReport {
    /// One for each check that ran, in their order; none where the gate is off.
    pub checks: Vec<CheckReport>,
}

/// What one check said.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct CheckReport {
    /// Which.
    pub name: CheckName,
    /// What it said.
    pub verdict: Verdict,
}

/// Runs every check. One that panics is red under its own name, and the others are told all the same.
pub fn judge_health(evidence: &HealthEvidence, limits: &HealthLimits) -> HealthReport {
    judge_with(&CHECKS, evidence, limits)
}

fn judge_with(checks: &[Check], evidence: &HealthEvidence, limits: &HealthLimits) -> HealthReport {
    let judged = checks.iter().map(|check| {
        let verdict = catch_unwind(AssertUnwindSafe(|| (check.judge)(evidence, limits))).unwrap_or_else(|_| {
            Verdict::red(
                Fault::CheckFailed,
                "the check failed on what it saw",
                "see with `six health` whether it stays",
            )
        });
        CheckReport { name: check.name, verdict }
    });
    HealthReport { checks: judged.collect() }
}

impl HealthReport {
    /// The report of a gate that is off (`health.gate`): no check ran.
    pub const fn off() -> Self {
        Self { checks: Vec::new() }
    }

    /// The report of checks that did not come to an end: the rest of what is known is that nothing is.
    pub fn overrun() -> Self {
        let check = |name| {
            let verdict = match name {
                CheckName::Store => Verdict::red(Fault::CheckFailed, "no check came to an end in time", "six health"),
                _ => Verdict::Blocked { by: CheckName::Store },
            };
            CheckReport { name, verdict }
        };
        Self { checks: CheckName::ALL.map(check).to_vec() }
    }

    /// Checks that are green.
    pub fn green(&self) -> usize {
        self.checks.iter().filter(|check| check.verdict.is_green()).count()
    }

    /// Checks that are not.
    pub fn red(&self) -> usize {
        self.checks.len() - self.green()
    }

    /// `MEMORY-HEALTH: 11/11 GREEN`, or `MEMORY-HEALTH: 10/11 GREEN (1 RED)`; `MEMORY-HEALTH: off (ablation)` where no check
    /// ran. Others search for these exact words.
    pub fn line(&self) -> String {
        if self.checks.is_empty() {
            return "MEMORY-HEALTH: off (ablation)".to_owned();
        }
        let (green, total) = (self.green(), self.checks.len());
        match self.red() {
            0 => format!("MEMORY-HEALTH: {green}/{total} GREEN"),
            red => format!("MEMORY-HEALTH: {green}/{total} GREEN ({red} RED)"),
        }
    }

    /// The line, a line for each red, at most `max_notes` notes of green checks. For a terminal.
    pub fn render_text(&self, max_notes: usize) -> String {
        self.render_lines(max_notes, usize::MAX, short_line).join("\n")
    }

    /// The lines of [`Self::render_text`], none of a red longer than `max_units` UTF-16 units, with `clean` as the guard of the
    /// reader: details carry paths and errors of the outside. It gets a text and the units that it may keep.
    ///
    /// A fix is whole or not there: what is too long for its line is told by the command that shows it whole. 280 units are
    /// room for one that names two paths.
    pub fn render_lines(&self, max_notes: usize, max_units: usize, clean: fn(&str, usize) -> String) -> Vec<String> {
        let mut lines = vec![self.line()];
        lines.extend(self.checks.iter().filter_map(|check| self.render_red(check, max_units, clean)));
        let asks_for_all = max_notes == ALL_NOTES;
        let told = self.checks.iter().filter(|check| asks_for_all || check.verdict != Verdict::NotWired);
        let notes: Vec<String> = told.filter_map(|check| render_note(check, clean)).collect();
        let left_out = notes.len().saturating_sub(max_notes);
        lines.extend(notes.into_iter().take(max_notes));
        if left_out > 0 {
            let notes = if left_out == 1 { "note" } else { "notes" };
            lines.push(format!("  {left_out} more {notes}: six health --verbose"));
        }
        lines
    }

    fn render_red(&self, check: &CheckReport, max_units: usize, clean: fn(&str, usize) -> String) -> Option<String> {
        if self.is_told_with_its_cause(check) {
            return None;
        }
        let (detail, fix) = check.complaint()?;
        let blocked: Vec<&str> = self
            .checks
            .iter()
            .filter(|other| matches!(other.verdict, Verdict::Blocked { by } if by == check.name))
            .map(|other| other.name.as_str())
            .collect();
        let blocked = if blocked.is_empty() { String::new() } else { format!(" (blocks {})", blocked.join(", ")) };
        let name = check.name.as_str();
        let (head, behind) = (format!("  RED {name}: "), format!("{blocked}  FIX: "));
        let room = max_units.saturating_sub(utf16_len(&head) + utf16_len(&behind));
        let mut fix = clean(&fix, usize::MAX);
        if utf16_len(&fix) > room.saturating_sub(DETAIL_MIN_UNITS) {
            fix = ask_for(check.name);
        }
        let detail = clean(&detail, room.saturating_sub(utf16_len(&fix)).min(DETAIL_MAX_UNITS));
        Some(format!("{head}{detail}{behind}{fix}"))
    }

    fn is_told_with_its_cause(&self, check: &CheckReport) -> bool {
        let Verdict::Blocked { by } = check.verdict else { return false };
        self.checks.iter().any(|other| other.name == by && matches!(other.verdict, Verdict::Red { .. }))
    }

    /// Schema `six.health/1`: `line`, `green`, `total` and per check `check`, `verdict` (`green`, `red`), `note`, `fault`,
    /// `detail`, `fix`, `blocked_by`; what a verdict has not is null.
    pub fn to_json(&self) -> Value {
        json!({
            "schema": "six.health/1",
            "line": self.line(),
            "green": self.green(),
            "total": self.checks.len(),
            "checks": self.checks.iter().map(CheckReport::to_json).collect::<Vec<_>>(),
        })
    }
}

impl CheckReport {
    /// What is wrong, and what a person can do now.
    fn complaint(&self) -> Option<(Cow<'_, str>, Cow<'_, str>)> {
        match &self.verdict {
            Verdict::Green { .. } | Verdict::NotWired => None,
            Verdict::Red { detail, fix, .. } => Some((detail.as_str().into(), fix.as_str().into())),
            Verdict::Blocked { by } => Some((format!("blocked by {}", by.as_str()).into(), ask_for(*by).into())),
        }
    }

    fn to_json(&self) -> Value {
        let (detail, fix) = self.complaint().unzip();
        let blocked_by = match self.verdict {
            Verdict::Blocked { by } => Some(by.as_str()),
            _ => None,
        };
        json!({
            "check": self.name.as_str(),
            "verdict": if self.verdict.is_green() { "green" } else { "red" },
            "note": self.verdict.note(),
            "fault": self.verdict.fault(),
            "detail": detail,
            "fix": fix,
            "blocked_by": blocked_by,
        })
    }
}

fn render_note(check: &CheckReport, clean: fn(&str, usize) -> String) -> Option<String> {
    let note = check.verdict.note()?;
    Some(format!("  note {}: {}", check.name.as_str(), clean(note, DETAIL_MAX_UNITS)))
}

/// One printable line, cut with an ellipsis.
fn short_line(text: &str, max_units: usize) -> String {
    let line = printable_line(text);
    if utf16_len(&line) <= max_units {
        return line;
    }
    let (head, _) = cut_utf16(&line, max_units.saturating_sub(1));
    format!("{head}…")
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::health::sample::{days_ago, fresh, sound, without_store};
    use crate::health::{FileFailing, QueueEvidence};
    use crate::record::{Evidence, Why};

    fn judged(evidence: &HealthEvidence) -> HealthReport {
        judge_health(evidence, &HealthLimits::default())
    }

    fn queue_too_long() -> HealthEvidence {
        HealthEvidence {
            queue: Evidence::Seen(QueueEvidence { pending: 47, oldest: Some(days_ago(12)), crowded: None }),
            ..sound()
        }
    }

    #[test]
    fn all_green_is_one_line() {
        assert_eq!(judged(&sound()).render_text(MAX_NOTES_IN_HOOKS), "MEMORY-HEALTH: 11/11 GREEN");
    }

    #[test]
    fn one_red_says_what_and_which_command() {
        insta::assert_snapshot!(judged(&queue_too_long()).render_text(MAX_NOTES_IN_HOOKS), @r"
        MEMORY-HEALTH: 10/11 GREEN (1 RED)
          RED queue: 47 candidates pending, oldest 12 d  FIX: `six triage`
        ");
    }

    #[test]
    fn a_fresh_install_is_green_with_notes() {
        insta::assert_snapshot!(judged(&fresh()).render_text(MAX_NOTES_IN_HOOKS), @r"
        MEMORY-HEALTH: 11/11 GREEN
          note store: first run: nothing is indexed yet
          note ingest: first run: nothing was consumed yet
          note vectors: first run: nothing is to be embedded yet
          1 more note: six health --verbose
        ");
    }

    #[test]
    fn notes_beyond_the_limit_are_counted() {
        insta::assert_snapshot!(judged(&fresh()).render_text(1), @r"
        MEMORY-HEALTH: 11/11 GREEN
          note store: first run: nothing is indexed yet
          3 more notes: six health --verbose
        ");
    }

    #[test]
    fn what_a_broken_store_blocks_is_told_on_its_line() {
        insta::assert_snapshot!(judged(&without_store(Why::Corrupt)).render_text(MAX_NOTES_IN_HOOKS), @r#"
        MEMORY-HEALTH: 4/11 GREEN (7 RED)
          RED store: the store file is damaged (blocks ingest, vectors, heartbeats, queue, lineage, render)  FIX: six repair
        "#);
    }

    #[test]
    fn what_is_blocked_by_a_check_that_is_not_told_has_a_line_of_its_own() {
        let mut report = judged(&without_store(Why::Corrupt));
        report.checks.retain(|check| check.name == CheckName::Queue);
        insta::assert_snapshot!(report.render_text(MAX_NOTES_IN_HOOKS), @r"
        MEMORY-HEALTH: 0/1 GREEN (1 RED)
          RED queue: blocked by store  FIX: six health --check store
        ");
    }

    #[test]
    fn what_is_optional_and_not_set_up_is_told_only_to_who_wants_all_notes() {
        let report = judged(&sound());
        assert_eq!(report.render_text(MAX_NOTES_IN_HOOKS).lines().count(), 1);
        assert_eq!(report.render_text(ALL_NOTES), "MEMORY-HEALTH: 11/11 GREEN\n  note derived: not wired");
    }

    #[test]
    fn a_gate_that_is_off_says_so_and_nothing_else() {
        let off = HealthReport::off();
        assert_eq!(off.render_text(ALL_NOTES), "MEMORY-HEALTH: off (ablation)");
        assert_eq!((off.red(), off.judged(&sound(), &HealthLimits::default())), (0, Vec::new()));
        insta::assert_snapshot!(off.to_json(), @r#"{"checks":[],"green":0,"line":"MEMORY-HEALTH: off (ablation)","schema":"six.health/1","total":0}"#);
    }

    #[test]
    fn checks_that_did_not_come_to_an_end_are_all_red_and_say_what_to_do() {
        insta::assert_snapshot!(HealthReport::overrun().render_text(MAX_NOTES_IN_HOOKS), @r"
        MEMORY-HEALTH: 0/11 GREEN (11 RED)
          RED store: no check came to an end in time (blocks ingest, vectors, embedding, heartbeats, queue, lineage, memory_files, constitution, render, derived)  FIX: six health
        ");
    }

    #[test]
    fn a_check_that_panics_is_red_under_its_own_name_and_the_others_are_told() {
        fn broken(_: &HealthEvidence, _: &HealthLimits) -> Verdict {
            std::panic::resume_unwind(Box::new(()))
        }
        fn good(_: &HealthEvidence, _: &HealthLimits) -> Verdict {
            Verdict::green()
        }
        let checks = [Check { name: CheckName::Ingest, judge: broken }, Check { name: CheckName::Queue, judge: good }];
        let report = judge_with(&checks, &sound(), &HealthLimits::default());
        insta::assert_snapshot!(report.render_text(MAX_NOTES_IN_HOOKS), @r"
        MEMORY-HEALTH: 1/2 GREEN (1 RED)
          RED ingest: the check failed on what it saw  FIX: see with `six health` whether it stays
        ");
        assert_eq!(report.checks[0].verdict.fault(), Some(Fault::CheckFailed));
    }

    #[test]
    fn an_error_of_many_lines_stays_on_its_line_and_leaves_the_fix_in_sight() {
        let mut evidence = sound();
        if let Evidence::Seen(ingest) = &mut evidence.ingest {
            let error = format!("\u{1b}[31mbad\nMEMORY-HEALTH: 11/11 GREEN\n{}", "漢".repeat(5_000));
            ingest.failing = vec![FileFailing { path: "docs/odd.md".into(), fails: 9, error }];
        }
        let text = judged(&evidence).render_text(MAX_NOTES_IN_HOOKS);
        assert_eq!(text.lines().count(), 2, "{text}");
        assert!(text.chars().all(|c| c == '\n' || !c.is_control()));
        assert!(text.ends_with("FIX: repair the file or make it readable, then `six ingest`"), "{text}");
    }

    #[test]
    fn json_has_the_documented_fields() {
        let mut evidence = queue_too_long();
        evidence.first_run = true;
        if let Evidence::Seen(ingest) = &mut evidence.ingest {
            ingest.last_run = None;
        }
        evidence.hooks = Evidence::Missing(Why::OutOfTime);
        let mut told = judged(&evidence).to_json();
        let checks = told["checks"].take();
        let lines: Vec<String> = checks.as_array().unwrap().iter().map(Value::to_string).collect();
        insta::assert_snapshot!(format!("{told}\n{}", lines.join("\n")), @r#"
        {"checks":null,"green":9,"line":"MEMORY-HEALTH: 9/11 GREEN (2 RED)","schema":"six.health/1","total":11}
        {"blocked_by":null,"check":"store","detail":null,"fault":null,"fix":null,"note":null,"verdict":"green"}
        {"blocked_by":null,"check":"ingest","detail":null,"fault":null,"fix":null,"note":"first run: nothing was consumed yet","verdict":"green"}
        {"blocked_by":null,"check":"vectors","detail":null,"fault":null,"fix":null,"note":null,"verdict":"green"}
        {"blocked_by":null,"check":"embedding","detail":null,"fault":null,"fix":null,"note":null,"verdict":"green"}
        {"blocked_by":null,"check":"heartbeats","detail":"the check could not look: the time for it was used up","fault":"check-failed","fix":"six health","note":null,"verdict":"red"}
        {"blocked_by":null,"check":"queue","detail":"47 candidates pending, oldest 12 d","fault":"queue-long","fix":"`six triage`","note":null,"verdict":"red"}
        {"blocked_by":null,"check":"lineage","detail":null,"fault":null,"fix":null,"note":null,"verdict":"green"}
        {"blocked_by":null,"check":"memory_files","detail":null,"fault":null,"fix":null,"note":null,"verdict":"green"}
        {"blocked_by":null,"check":"constitution","detail":null,"fault":null,"fix":null,"note":null,"verdict":"green"}
        {"blocked_by":null,"check":"render","detail":null,"fault":null,"fix":null,"note":null,"verdict":"green"}
        {"blocked_by":null,"check":"derived","detail":null,"fault":null,"fix":null,"note":"not wired","verdict":"green"}
        "#);
        let blocked = judged(&without_store(Why::NoStore)).to_json();
        assert_eq!(blocked["checks"][1]["verdict"], "red");
        assert_eq!(blocked["checks"][1]["fault"], "blocked");
        assert_eq!(blocked["checks"][1]["blocked_by"], "store");
        assert_eq!(blocked["checks"][1]["detail"], "blocked by store");
        assert_eq!(blocked["checks"][1]["fix"], "six health --check store");
    }
}
