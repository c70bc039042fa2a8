//! The fold of the checks: the line, the text, the JSON.

use std::panic::{AssertUnwindSafe, catch_unwind};

use serde_json::{Value, json};

use super::checks::{CHECKS, Check};
use super::{CheckName, Fault, HealthEvidence, HealthLimits, Verdict};
use crate::text::{cut_utf16, printable_line, utf16_len};

/// Notes that a hook prints; `six health --verbose` prints all.
pub const MAX_NOTES_IN_HOOKS: usize = 3;

/// All notes, also of what is optional and not set up.
pub const ALL_NOTES: usize = usize::MAX;

/// UTF-16 units of a detail or note. Errors of the outside may be long, and the fix has to stay in sight.
const DETAIL_MAX_UNITS: usize = 160;
/// UTF-16 units of a fix: a sentence and two paths.
const FIX_MAX_UNITS: usize = 320;

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
        self.render_lines(max_notes, short_line).join("\n")
    }

    /// The lines of [`Self::render_text`], with `clean` as the guard of the reader: details carry paths and errors of the
    /// outside. It gets a text and the UTF-16 units that it may keep.
    pub fn render_lines(&self, max_notes: usize, clean: fn(&str, usize) -> String) -> Vec<String> {
        let mut lines = vec![self.line()];
        lines.extend(self.checks.iter().filter_map(|check| self.render_red(check, clean)));
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

    fn render_red(&self, check: &CheckReport, clean: fn(&str, usize) -> String) -> Option<String> {
        let Verdict::Red { detail, fix, .. } = &check.verdict else { return None };
        let blocked: Vec<&str> = self
            .checks
            .iter()
            .filter(|other| matches!(other.verdict, Verdict::Blocked { by } if by == check.name))
            .map(|other| other.name.as_str())
            .collect();
        let blocked = if blocked.is_empty() { String::new() } else { format!(" (blocks {})", blocked.join(", ")) };
        let (detail, fix) = (clean(detail, DETAIL_MAX_UNITS), clean(fix, FIX_MAX_UNITS));
        Some(format!("  RED {}: {detail}{blocked}  FIX: {fix}", check.name.as_str()))
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
    fn to_json(&self) -> Value {
        let (mut detail, mut fix, mut blocked_by) = (None, None, None);
        match &self.verdict {
            Verdict::Green { .. } | Verdict::NotWired => {}
            Verdict::Red { detail: told, fix: command, .. } => {
                (detail, fix) = (Some(told.as_str()), Some(command.as_str()));
            }
            Verdict::Blocked { by } => blocked_by = Some(by.as_str()),
        }
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
    use crate::config::EmbedProvider;
    use crate::health::sample::{days_ago, fresh, sound, without_store};
    use crate::health::{Arrival, BlockSize, DerivedFound, DerivedKind, DerivedOutput};
    use crate::health::{EmbeddingEvidence, EmbeddingOutcome, NoEmbedding};
    use crate::health::{FileFailing, FullCheck, NewestRow, QueueEvidence, Runs, VectorProbe, Wiring};
    use crate::record::Family;
    use crate::record::{Evidence, SessionId, Why};

    fn judged(evidence: &HealthEvidence) -> HealthReport {
        judge_health(evidence, &HealthLimits::default())
    }

    fn queue_too_long() -> HealthEvidence {
        HealthEvidence { queue: Evidence::Seen(QueueEvidence { pending: 47, oldest: Some(days_ago(12)) }), ..sound() }
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
    fn what_is_optional_and_not_set_up_is_told_only_to_who_wants_all_notes() {
        let report = judged(&sound());
        assert_eq!(report.render_text(MAX_NOTES_IN_HOOKS).lines().count(), 1);
        assert_eq!(report.render_text(ALL_NOTES), "MEMORY-HEALTH: 11/11 GREEN\n  note derived: not wired");
    }

    #[test]
    fn a_gate_that_is_off_says_so_and_nothing_else() {
        let off = HealthReport::off();
        assert_eq!(off.render_text(ALL_NOTES), "MEMORY-HEALTH: off (ablation)");
        assert_eq!((off.red(), off.judged(&sound())), (0, Vec::new()));
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
    }

    /// The commands of a fix: the whole of it, or what stands between backticks.
    fn commands(fix: &str) -> Vec<&str> {
        if fix.contains('`') { fix.split('`').skip(1).step_by(2).collect() } else { vec![fix] }
    }

    /// How the commands of fixes begin.
    const STARTS: &[&str] = &[
        "six config unset",
        "six correction list",
        "six dead-end list",
        "six decision list",
        "six status",
        "six embed",
        "six config set embed.",
        "six config set store.",
        "six config unset embed.ollama.",
        "ollama ps",
        "ollama pull ",
        "six health",
        "six ingest",
        "six install /",
        "six repair",
        "six triage",
        "six worker",
        "chmod -R go= /",
        "chmod +x ",
    ];

    #[test]
    fn every_fix_names_a_command_that_exists() {
        let all_whys =
            [Why::NoStore, Why::Busy, Why::ReadOnly, Why::Full, Why::Corrupt, Why::NotOurs, Why::OlderSchema];
        let more_whys = [Why::NewerSchema, Why::OutOfTime, Why::Unreadable];
        let mut spoiled: Vec<HealthEvidence> = all_whys.into_iter().chain(more_whys).map(without_store).collect();
        spoiled.extend(all_whys.map(|why| HealthEvidence { ingest: Evidence::Missing(why), ..sound() }));
        spoiled.push(queue_too_long());
        spoiled.push(HealthEvidence { unseen_sessions: Evidence::Seen(vec![SessionId::new("s")]), ..sound() });
        let mut spoil = |change: fn(&mut HealthEvidence)| {
            let mut evidence = sound();
            change(&mut evidence);
            spoiled.push(evidence);
        };
        macro_rules! spoil_seen {
            ($part:ident, $seen:ident, $change:expr) => {
                spoil(|evidence| {
                    let Evidence::Seen($seen) = &mut evidence.$part else { panic!() };
                    $change;
                })
            };
        }
        spoil_seen!(store, s, s.full_check = Some(FullCheck { at: days_ago(1), clean: false, active_days_ago: 1 }));
        spoil_seen!(store, s, s.full_check = Some(FullCheck { at: days_ago(9), clean: true, active_days_ago: 9 }));
        spoil_seen!(store, s, s.counted = 1);
        spoil_seen!(store, s, s.modes = Some((0o644, 0o755)));
        spoil_seen!(store, s, s.free_bytes = 0);
        spoil_seen!(store, s, s.size_bytes = u64::MAX);
        spoil_seen!(store, s, s.wal_bytes = u64::MAX);
        spoil_seen!(store, s, s.spool_stale = 1);
        spoil_seen!(ingest, i, i.failing = vec![FileFailing { path: String::new(), fails: 9, error: String::new() }]);
        spoil_seen!(vectors, v, v.lost = 400);
        spoil_seen!(vectors, v, (v.embedded, v.idle_boundaries) = (0, 9));
        spoil_seen!(vectors, v, v.orphans = 1);
        spoil_seen!(vectors, v, v.probe = VectorProbe::NotFound);
        spoil_seen!(vectors, v, v.probe = VectorProbe::NoQuery);
        let failures = [
            NoEmbedding::Unreachable,
            NoEmbedding::NotOllama,
            NoEmbedding::ModelMissing("plain:latest".into()),
            NoEmbedding::Wedged,
            NoEmbedding::WrongWidth,
            NoEmbedding::ImpossibleFallback { to_pull: Some("other:latest".into()) },
            NoEmbedding::ImpossibleFallback { to_pull: None },
            NoEmbedding::NameRefused,
            NoEmbedding::BadAnswer,
            NoEmbedding::Broken,
        ];
        spoil_seen!(hooks, h, h[0].wired = Some(Wiring::Absent));
        spoil_seen!(hooks, h, h[0].wired = Some(Wiring::Off { file: "/home/sam/.claude/settings.json".into() }));
        spoil_seen!(hooks, h, h[0].wired = Some(Wiring::NotExecutable { program: "/opt/my six/six-stop".into() }));
        spoil_seen!(hooks, h, h[0].wired = Some(Wiring::Gone { program: "/opt/six/six-stop".into() }));
        spoil_seen!(hooks, h, h[0].wired = Some(Wiring::Elsewhere { program: "/opt/six/six-stop".into() }));
        spoil_seen!(hooks, h, h[0].newest = Some(NewestRow { started: days_ago(1), family: Family::Crash }));
        spoil_seen!(hooks, h, h[0].called = 0);
        spoil_seen!(hooks, h, h[7].called = 0);
        spoil_seen!(hooks, h, h[1].unanswered = 20);
        spoil_seen!(hooks, h, h[1].runs = Runs { answered: 9, unaccounted: 1, ..Runs::default() });
        spoil_seen!(hooks, h, h[1].runs = Runs { ended: 9, overran: 9, ..Runs::default() });
        spoil_seen!(hooks, h, h[1].runs = Runs { looked: 9, degraded: 9, ..Runs::default() });
        spoil_seen!(render, r, r.arrival = r.arrival.take().map(|it| Arrival { arrived: false, ..it }));
        spoil_seen!(render, r, r.newest = Some(BlockSize { units: 9_000, over: String::new() }));
        spoil_seen!(render, r, r.whole[0].corpus = "moved".into());
        spoil_seen!(
            derived,
            d,
            d.outputs = vec![DerivedOutput {
                kind: DerivedKind::CodeGraph,
                path: "graph".into(),
                found: DerivedFound::Missing,
            }]
        );

        spoiled.extend(failures.map(|why| {
            let outcome = EmbeddingOutcome::Failed { why, said: String::new() };
            let provider = EmbedProvider::Ollama;
            HealthEvidence { embedding: Evidence::Seen(EmbeddingEvidence { provider, outcome }), ..sound() }
        }));

        for evidence in spoiled {
            let report = judged(&evidence);
            assert!(report.red() > 0, "{evidence:?}");
            for check in &report.checks {
                let Verdict::Red { fix, .. } = &check.verdict else { continue };
                let commands = commands(fix);
                assert!(!commands.is_empty());
                for command in commands {
                    assert!(STARTS.iter().any(|start| command.starts_with(start)), "{fix}");
                }
            }
        }
    }
}
