//! What the gate said, as it is kept: how long a fault lasted, and how long nobody saw it, are queries.

use serde::{Deserialize, Serialize};

use super::fix::ask_for;
use super::{CheckName, CheckReport, Fault, HealthEvidence, HealthLimits, HealthReport, Verdict};
use crate::record::{DEGRADED, OutcomeKind, UnixMs};
use crate::text::{Redacted, Redactor};

/// Bytes of a detail, as of the error text of a heartbeat.
const DETAIL_MAX_BYTES: usize = 500;
/// Bytes of a fix: the longest names the program of each hook. One that is longer is told by the check itself, since a part of
/// a command is another command.
const FIX_MAX_BYTES: usize = 2_000;

/// What one check said.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct Judged {
    /// Which.
    pub check: CheckName,
    /// What is wrong; `None` when it was green.
    pub fault: Option<Fault>,
    /// The detail of a red, the note of a green, the cause of one that was blocked. Errors of the outside are in it.
    pub detail: Redacted,
    /// What a person can do; empty when it was green.
    pub fix: Redacted,
    /// When the first thing happened that shows the fault; `None` where that is not known.
    pub since: Option<UnixMs>,
}

impl HealthReport {
    /// All that was said of this evidence.
    pub fn judged(&self, evidence: &HealthEvidence, limits: &HealthLimits) -> Vec<Judged> {
        let redactor = Redactor::new();
        let judged = self.checks.iter().map(|check| {
            let since = check.verdict.fault().and_then(|fault| first_evidence(fault, evidence, limits));
            // A clock that was set back makes nothing older than it is.
            Judged::of(check, &redactor, since.map(|since| since.min(evidence.now)))
        });
        judged.collect()
    }

    /// How the gate's own row ends, with its class. A check that could not look is red under its own name: were the row a
    /// failure, the next gate would be red for it when all is well again. A gate that is off leaves its row all the same, so
    /// that it is not missed when it is on again.
    pub fn gate_end(&self) -> (OutcomeKind, &'static str) {
        let is_short = self.checks.iter().any(|check| check.verdict.fault() == Some(Fault::CheckFailed));
        match (self.checks.is_empty(), is_short) {
            (true, _) => (OutcomeKind::Skipped, "off"),
            (false, true) => (OutcomeKind::Ok, DEGRADED),
            (false, false) => (OutcomeKind::Ok, ""),
        }
    }
}

impl Judged {
    /// What `check` said.
    pub fn of(check: &CheckReport, redactor: &Redactor, since: Option<UnixMs>) -> Self {
        let (detail, fix) = match &check.verdict {
            green @ (Verdict::Green { .. } | Verdict::NotWired) => (green.note().unwrap_or_default(), ""),
            Verdict::Red { detail, fix, .. } => (detail.as_str(), fix.as_str()),
            Verdict::Blocked { by } => (by.as_str(), ""),
        };
        let kept = |text: &str| if text.is_empty() { Redacted::literal("") } else { redactor.redact(text) };
        let fix = match kept(fix) {
            fix if fix.as_str().len() > FIX_MAX_BYTES => redactor.redact(&ask_for(check.name)),
            fix => fix,
        };
        // Cut after secrets are gone: the half of one might not be known as such.
        let detail = kept(detail).cut(DETAIL_MAX_BYTES);
        Self { check: check.name, fault: check.verdict.fault(), detail, fix, since }
    }
}

/// When the first thing happened that shows a fault. Of most faults nothing tells: a server that does not answer now may have
/// been away for days. Where a limit was passed it is when that happened, not when what is measured began.
fn first_evidence(fault: Fault, evidence: &HealthEvidence, limits: &HealthLimits) -> Option<UnixMs> {
    match fault {
        Fault::StoreDamaged => Some(evidence.store.seen()?.full_check.as_ref()?.at),
        Fault::StoreUnchecked => {
            let store = evidence.store.seen()?;
            let days = store.full_check.as_ref().map_or(&store.active_days, |check| &check.active_days_ago);
            days.passed(limits.max_full_check_days)
        }
        Fault::SpoolStuck => evidence.store.seen()?.spool_oldest,
        Fault::IngestLag => evidence.ingest.seen()?.active_days_behind.passed(limits.max_ingest_lag_days),
        Fault::HookFailed => {
            let failing = evidence.hooks.seen()?.iter().filter_map(|hook| hook.newest.filter(|row| row.is_failure()));
            failing.map(|row| row.started).min()
        }
        Fault::QueueLong => {
            let queue = evidence.queue.seen()?;
            let overdue = queue.overdue(limits).filter(|at| *at < evidence.now);
            [overdue, queue.crowded].into_iter().flatten().min()
        }
        Fault::AnchorStale => {
            evidence.memory_files.seen()?.anchor()?.active_days.as_ref()?.passed(limits.max_anchor_days)
        }
        Fault::RenderFrozen => {
            let (oldest, newer) = evidence.render.seen()?.whole.split_last()?;
            newer.iter().rev().find(|block| block.corpus != oldest.corpus).map(|block| block.at)
        }
        Fault::RenderLarge => Some(evidence.render.seen()?.newest.as_ref()?.at),
        Fault::RenderUndelivered => Some(evidence.render.seen()?.arrival.as_ref()?.at),
        Fault::DerivedStale => evidence.derived.seen()?.outputs.iter().find_map(|output| output.stale_since(limits)),
        // The look that failed is the evidence.
        Fault::CheckFailed => Some(evidence.now),
        _ => None,
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::health::sample::{NOW, days_ago, sound, without_store};
    use crate::health::{
        ActiveDays, BlockSize, DerivedFound, DerivedKind, DerivedOutput, FileLag, FullCheck, IndexSeen,
        MemoryFilesEvidence, NewestRow, QueueEvidence, Wiring, judge_health,
    };
    use crate::record::{Evidence, Family, Why};

    fn said(evidence: &HealthEvidence, check: CheckName) -> Judged {
        let judged = judge_health(evidence, &HealthLimits::default()).judged(evidence, &HealthLimits::default());
        assert_eq!(judged.len(), CheckName::ALL.len());
        judged.into_iter().find(|judged| judged.check == check).unwrap()
    }

    fn since(change: impl FnOnce(&mut HealthEvidence), fault: Fault) -> Option<UnixMs> {
        let mut evidence = sound();
        change(&mut evidence);
        let limits = HealthLimits::default();
        let judged = judge_health(&evidence, &limits).judged(&evidence, &limits);
        let red: Vec<_> = judged.iter().filter(|judged| judged.fault.is_some()).collect();
        assert_eq!(red.iter().map(|judged| judged.fault).collect::<Vec<_>>(), [Some(fault)]);
        red[0].since
    }

    macro_rules! since_of {
        ($fault:ident, $part:ident, $seen:ident, $change:expr) => {
            since(
                |evidence| {
                    let Evidence::Seen($seen) = &mut evidence.$part else { panic!() };
                    $change;
                },
                Fault::$fault,
            )
        };
    }

    #[test]
    fn a_queue_is_too_long_since_its_limit_was_passed() {
        let queue = |pending, oldest, crowded| {
            let queue = QueueEvidence { pending, oldest: Some(oldest), crowded };
            since_of!(QueueLong, queue, q, *q = queue)
        };
        assert_eq!(queue(47, days_ago(12), Some(days_ago(3))), Some(days_ago(3)));
        assert_eq!(queue(9, days_ago(30), None), Some(days_ago(9)), "21 days after it came");
        assert_eq!(queue(47, days_ago(30), Some(days_ago(3))), Some(days_ago(9)));
        assert_eq!(queue(47, days_ago(30), Some(days_ago(11))), Some(days_ago(11)));
        assert_eq!(queue(47, days_ago(1), Some(days_ago(-3))), Some(NOW), "a clock that went back");
    }

    #[test]
    fn what_is_old_is_too_old_since_the_day_of_activity_that_passed_its_limit() {
        let nine = || ActiveDays::until_today(9);
        let day_after = |limit: i64| Some(days_ago(8 - limit));
        let check = FullCheck { at: days_ago(40), clean: true, active_days_ago: nine() };
        assert_eq!(since_of!(StoreUnchecked, store, s, s.full_check = Some(check)), day_after(3));
        let never = since_of!(StoreUnchecked, store, s, (s.full_check, s.active_days) = (None, nine()));
        assert_eq!(never, day_after(3));
        let lag = FileLag { path: "a.md".into(), changed: days_ago(40), bytes_behind: 1 };
        let lagging = since_of!(IngestLag, ingest, i, (i.lags, i.active_days_behind) = (vec![lag], nine()));
        assert_eq!(lagging, day_after(3));
        let aged = |memory: &mut MemoryFilesEvidence| {
            let MemoryFilesEvidence::Seen(folder) = memory else { panic!() };
            let Some(IndexSeen::Read(index)) = &mut folder.index else { panic!() };
            index.anchor.as_mut().unwrap().active_days = Some(nine());
        };
        assert_eq!(since_of!(AnchorStale, memory_files, m, aged(m)), day_after(7));
        let graph = |days| DerivedOutput {
            kind: DerivedKind::CodeGraph,
            path: "graph".into(),
            found: DerivedFound::Written { at: days_ago(90), active_days_ago: Some(ActiveDays::until_today(days)) },
        };
        assert_eq!(since_of!(DerivedStale, derived, d, d.outputs = vec![graph(21), graph(22)]), Some(NOW));
    }

    #[test]
    fn what_happened_at_a_time_is_as_old_as_that() {
        let damage = FullCheck { at: days_ago(2), clean: false, active_days_ago: ActiveDays::until_today(2) };
        assert_eq!(since_of!(StoreDamaged, store, s, s.full_check = Some(damage)), Some(days_ago(2)));
        let stuck = since_of!(SpoolStuck, store, s, (s.spool_stale, s.spool_oldest) = (1, Some(days_ago(4))));
        assert_eq!(stuck, Some(days_ago(4)));
        let crash = |days| Some(NewestRow { started: days_ago(days), family: Family::Crash });
        let failed = since_of!(HookFailed, hooks, h, (h[0].newest, h[1].newest) = (crash(1), crash(5)));
        assert_eq!(failed, Some(days_ago(5)), "the first of them");
        let lost = since_of!(RenderUndelivered, render, r, r.arrival.as_mut().unwrap().arrived = false);
        assert_eq!(lost, Some(days_ago(1)));
        let long = BlockSize { at: days_ago(6), units: 9_000, over: String::new() };
        assert_eq!(since_of!(RenderLarge, render, r, r.newest = Some(long)), Some(days_ago(6)));
        let frozen = since_of!(RenderFrozen, render, r, (0..2).for_each(|n| r.whole[n].corpus = "moved".into()));
        assert_eq!(frozen, Some(days_ago(2)), "the first block that ought to have been another one");
        assert_eq!(since(|evidence| evidence.queue = Evidence::Missing(Why::Busy), Fault::CheckFailed), Some(NOW));
    }

    #[test]
    fn what_nothing_tells_the_beginning_of_is_not_taken_for_found_at_once() {
        assert_eq!(since_of!(StoreMode, store, s, s.modes = Some((0o644, 0o755))), None);
        assert_eq!(since_of!(HookUnwired, hooks, h, h[0].wired = Some(Wiring::Absent)), None);
        assert_eq!(said(&sound(), CheckName::Queue).since, None);
    }

    #[test]
    fn what_could_not_look_does_not_say_that_all_is_well() {
        let blocked = said(&without_store(Why::Corrupt), CheckName::Queue);
        assert_eq!((blocked.fault, blocked.detail.as_str()), (Some(Fault::Blocked), "store"));
        assert_eq!(said(&sound(), CheckName::Queue).fault, None);
    }

    #[test]
    fn a_gate_of_which_a_check_could_not_look_is_no_failure_at_the_next_one() {
        let end = |evidence| judge_health(&evidence, &HealthLimits::default()).gate_end();
        let (kind, class) = end(HealthEvidence { queue: Evidence::Missing(Why::OutOfTime), ..sound() });
        assert_eq!(Family::of(Some(kind), class), Family::Degraded);
        assert_eq!(end(sound()), (OutcomeKind::Ok, ""));
        assert_eq!(HealthReport::off().gate_end(), (OutcomeKind::Skipped, "off"));
    }

    #[test]
    fn what_is_kept_of_a_long_error_is_bounded_and_a_fix_is_whole_or_asks_for_the_check() {
        let kept = |fix: &str| {
            let verdict = Verdict::red(Fault::IngestFailing, "漢".repeat(5_000), fix);
            Judged::of(&CheckReport { name: CheckName::Ingest, verdict }, &Redactor::new(), None)
        };
        assert_eq!(kept("six ingest").detail.as_str(), "漢".repeat(166));
        let long = format!("six install /{}", "p".repeat(1_900));
        assert_eq!(kept(&long).fix.as_str(), long);
        assert_eq!(kept(&long.repeat(2)).fix.as_str(), "six health --check ingest");
    }

    #[test]
    fn a_secret_in_an_error_is_not_kept() {
        let secret = concat!("gh", "p_", "A1b2C3d4E5f6G7h8I9j0K1l2M3n4O5p6Q7r8");
        let verdict = Verdict::red(Fault::CheckFailed, format!("refused {secret}"), "six health");
        let judged = Judged::of(&CheckReport { name: CheckName::Ingest, verdict }, &Redactor::new(), None);
        assert!(!judged.detail.as_str().contains(secret), "{}", judged.detail.as_str());
    }
}
