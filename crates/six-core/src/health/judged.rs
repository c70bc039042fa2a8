//! What the gate said, as it is kept: how long a fault lasted, and how long nobody saw it, are queries.

use serde::{Deserialize, Serialize};

use super::{CheckName, CheckReport, Fault, HealthEvidence, HealthReport, Verdict};
use crate::record::{DEGRADED, OutcomeKind, UnixMs};
use crate::text::{Redacted, Redactor};

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
    /// When the first thing happened that shows the fault, as far as that is known; else when it was found.
    pub since: UnixMs,
}

impl HealthReport {
    /// All that was said of this evidence.
    pub fn judged(&self, evidence: &HealthEvidence) -> Vec<Judged> {
        let redactor = Redactor::new();
        self.checks.iter().map(|check| Judged::of(check, &redactor, first_evidence(&check.verdict, evidence))).collect()
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
    pub fn of(check: &CheckReport, redactor: &Redactor, since: UnixMs) -> Self {
        let (detail, fix) = match &check.verdict {
            green @ (Verdict::Green { .. } | Verdict::NotWired) => (green.note().unwrap_or_default(), ""),
            Verdict::Red { detail, fix, .. } => (detail.as_str(), fix.as_str()),
            Verdict::Blocked { by } => (by.as_str(), ""),
        };
        let kept = |text: &str| if text.is_empty() { Redacted::literal("") } else { redactor.redact(text) };
        Self { check: check.name, fault: check.verdict.fault(), detail: kept(detail), fix: kept(fix), since }
    }

    /// Whether this says that an earlier fault of the check is gone. One that could not look knows nothing of it.
    pub const fn is_well(&self) -> bool {
        self.fault.is_none()
    }
}

/// When what a red is about began. A fault without a time of its own began when it was found.
fn first_evidence(verdict: &Verdict, evidence: &HealthEvidence) -> UnixMs {
    let began = match verdict.fault() {
        Some(Fault::StoreDamaged | Fault::StoreUnchecked) => {
            evidence.store.seen().and_then(|store| store.full_check).map(|check| check.at)
        }
        Some(Fault::IngestLag) => {
            evidence.ingest.seen().and_then(|ingest| ingest.lags.first()).map(|oldest| oldest.changed)
        }
        Some(Fault::HookFailed) => evidence.hooks.seen().and_then(|hooks| {
            let failing = hooks.iter().filter_map(|hook| hook.newest.filter(|row| row.is_failure()));
            failing.map(|row| row.started).min()
        }),
        Some(Fault::RenderUndelivered) => {
            evidence.render.seen().and_then(|render| render.arrival.as_ref()).map(|arrival| arrival.at)
        }
        Some(Fault::QueueLong) => evidence.queue.seen().and_then(|queue| queue.oldest),
        _ => None,
    };
    began.map_or(evidence.now, |began| began.min(evidence.now))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::health::sample::{NOW, days_ago, sound, without_store};
    use crate::health::{HealthLimits, QueueEvidence, judge_health};
    use crate::record::{Evidence, Family, Why};

    fn said(evidence: &HealthEvidence, check: CheckName) -> Judged {
        let judged = judge_health(evidence, &HealthLimits::default()).judged(evidence);
        assert_eq!(judged.len(), CheckName::ALL.len());
        judged.into_iter().find(|judged| judged.check == check).unwrap()
    }

    #[test]
    fn a_fault_is_as_old_as_what_shows_it_and_no_older_than_the_clock() {
        let queue = |oldest| HealthEvidence {
            queue: Evidence::Seen(QueueEvidence { pending: 47, oldest: Some(oldest) }),
            ..sound()
        };
        let judged = said(&queue(days_ago(12)), CheckName::Queue);
        assert_eq!((judged.fault, judged.since, judged.is_well()), (Some(Fault::QueueLong), days_ago(12), false));
        assert_eq!(said(&queue(days_ago(-3)), CheckName::Queue).since, NOW, "a clock that went back");
        assert_eq!(said(&sound(), CheckName::Queue).since, NOW);
    }

    #[test]
    fn what_could_not_look_does_not_say_that_all_is_well() {
        let blocked = said(&without_store(Why::Corrupt), CheckName::Queue);
        assert_eq!((blocked.fault, blocked.detail.as_str(), blocked.is_well()), (Some(Fault::Blocked), "store", false));
        assert!(said(&sound(), CheckName::Queue).is_well());
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
    fn a_secret_in_an_error_is_not_kept() {
        let secret = concat!("gh", "p_", "A1b2C3d4E5f6G7h8I9j0K1l2M3n4O5p6Q7r8");
        let verdict = Verdict::red(Fault::CheckFailed, format!("refused {secret}"), "six health");
        let judged = Judged::of(&CheckReport { name: CheckName::Ingest, verdict }, &Redactor::new(), NOW);
        assert!(!judged.detail.as_str().contains(secret), "{}", judged.detail.as_str());
    }
}
