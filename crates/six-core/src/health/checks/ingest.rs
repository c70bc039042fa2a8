//! Protects: that what changed can be found. A source that is not consumed makes the memory old without a word.
//!
//! Evidence: files that changed after they were consumed, days of activity since, tries that failed.
//! Threshold: 3 days of activity and 3 failed tries, see [`HealthLimits`]. Activity, not the wall clock: nobody works
//! on an idle project, so nothing is missing there.
//! To do: `six ingest`; a file that fails again and again has to be repaired or made readable first.

use crate::health::missing::judge_missing;
use crate::health::{Fault, HealthEvidence, HealthLimits, IngestEvidence, Verdict};
use crate::record::{Evidence, UnixMs};

/// Judges the sources. A file that fails is told before those that wait, since it waits too.
pub(in crate::health) fn judge(evidence: &HealthEvidence, limits: &HealthLimits) -> Verdict {
    let ingest = match &evidence.ingest {
        Evidence::Seen(ingest) => ingest,
        Evidence::Missing(why) => return judge_missing(evidence, *why),
    };
    judge_failing(ingest, limits).or_else(|| judge_lag(evidence.now, ingest, limits)).unwrap_or_else(|| {
        match ingest.last_run {
            None => Verdict::noted("first run: nothing was consumed yet"),
            Some(_) => Verdict::green(),
        }
    })
}

fn judge_failing(ingest: &IngestEvidence, limits: &HealthLimits) -> Option<Verdict> {
    let mut failing = ingest.failing.iter().filter(|file| file.fails > limits.max_ingest_fails);
    let worst = failing.next()?;
    let others = match failing.count() {
        0 => String::new(),
        n => format!(" (others that fail: {n})"),
    };
    let detail = format!("{} failed {} times: {}{others}", worst.path, worst.fails, worst.error);
    Some(Verdict::red(Fault::IngestFailing, detail, "repair the file or make it readable, then `six ingest`"))
}

fn judge_lag(now: UnixMs, ingest: &IngestEvidence, limits: &HealthLimits) -> Option<Verdict> {
    let oldest = ingest.lags.first()?;
    let files = ingest.lags.len();
    let days = ingest.active_days_behind.count();
    if days > limits.max_ingest_lag_days {
        let bytes = ingest.lags.iter().fold(0_u64, |sum, lag| sum.saturating_add(lag.bytes_behind));
        let detail =
            format!("{days} active days behind, changed files: {files}, bytes: {bytes}, oldest: {}", oldest.path);
        return Some(Verdict::red(Fault::IngestLag, detail, "six ingest"));
    }
    let waiting = now.days_since(oldest.changed);
    (waiting > i64::from(limits.max_ingest_lag_days))
        .then(|| Verdict::noted(format!("idle: {waiting} d behind, {days} of them active, changed files: {files}")))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::health::sample::{days_ago, fresh, sound, without_store};
    use crate::health::{ActiveDays, CheckName, FileFailing, FileLag};
    use crate::record::Why;

    fn judged(spoil: impl FnOnce(&mut IngestEvidence)) -> Verdict {
        let mut evidence = sound();
        if let Evidence::Seen(ingest) = &mut evidence.ingest {
            spoil(ingest);
        }
        judge(&evidence, &HealthLimits::default())
    }

    fn lag(days: i64) -> FileLag {
        FileLag { path: "docs/plan.md".into(), changed: days_ago(days), bytes_behind: 2_048 }
    }

    fn failing(fails: u32) -> FileFailing {
        FileFailing { path: "docs/odd.md".into(), fails, error: "permission denied".into() }
    }

    #[test]
    fn sources_without_a_lag_are_green() {
        assert_eq!(judged(|_| ()), Verdict::green());
        assert_eq!(judge(&fresh(), &HealthLimits::default()), Verdict::noted("first run: nothing was consumed yet"));
    }

    #[test]
    fn three_active_days_are_no_fault_and_four_are() {
        let behind = |days| {
            move |i: &mut IngestEvidence| {
                (i.lags, i.active_days_behind) =
                    (vec![lag(days)], ActiveDays::until_today(u32::try_from(days).unwrap()));
            }
        };
        assert_eq!(judged(behind(3)), Verdict::green());
        let red = Verdict::red(
            Fault::IngestLag,
            "4 active days behind, changed files: 1, bytes: 2048, oldest: docs/plan.md",
            "six ingest",
        );
        assert_eq!(judged(behind(4)), red);
    }

    #[test]
    fn an_idle_project_is_not_stale() {
        let verdict = judged(|i| (i.lags, i.active_days_behind) = (vec![lag(90), lag(2)], ActiveDays::until_today(1)));
        assert_eq!(verdict, Verdict::noted("idle: 90 d behind, 1 of them active, changed files: 2"));
    }

    #[test]
    fn a_clock_that_ran_backwards_is_no_lag() {
        assert_eq!(
            judged(|i| (i.lags, i.active_days_behind) = (vec![lag(-400)], ActiveDays::default())),
            Verdict::green()
        );
    }

    #[test]
    fn three_failures_of_a_file_are_borne_and_four_are_red() {
        assert_eq!(judged(|i| i.failing = vec![failing(3)]), Verdict::green());
        let verdict = judged(|i| i.failing = vec![failing(4), failing(4), failing(1)]);
        let Verdict::Red { fault, detail, .. } = verdict else { panic!("{verdict:?}") };
        assert_eq!(fault, Fault::IngestFailing);
        assert_eq!(detail, "docs/odd.md failed 4 times: permission denied (others that fail: 1)");
    }

    #[test]
    fn without_the_store_the_check_is_blocked_and_else_red_by_itself() {
        let blocked = judge(&without_store(Why::Corrupt), &HealthLimits::default());
        assert_eq!(blocked, Verdict::Blocked { by: CheckName::Store });
        let evidence = HealthEvidence { ingest: Evidence::Missing(Why::Unreadable), ..sound() };
        assert_eq!(judge(&evidence, &HealthLimits::default()).fault(), Some(Fault::CheckFailed));
    }
}
