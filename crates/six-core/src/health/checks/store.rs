//! Protects: everything. A store that can't be used, is damaged, open to others or about to run out of room.
//!
//! Evidence: whether the file opened; counts of chunks, of index rows and of the running counter; one chunk looked for
//! through the index; the last full check; permission bits; free disk, size, quota, journal; the spool.
//! Threshold: counts are equal, the file and its folder are the owner's alone; the others are in [`HealthLimits`].
//! To do: every red names it. Records live only in the store, so a damaged file is kept, never deleted; `six repair` makes
//! the store anew from what can be read of it.

use crate::health::fix::{install, mebibytes, shell_word};
use crate::health::missing::because;
use crate::health::{Fault, HealthEvidence, HealthLimits, StoreEvidence, Verdict};
use crate::record::{Evidence, Why};

/// Judges the store. Where several things are wrong, the one that the others may follow from is told.
pub(in crate::health) fn judge(evidence: &HealthEvidence, limits: &HealthLimits) -> Verdict {
    let store = match &evidence.store {
        Evidence::Seen(store) => store,
        Evidence::Missing(why) => return judge_unusable(evidence, *why),
    };
    judge_whole(store)
        .or_else(|| judge_private(evidence, store))
        .or_else(|| judge_room(evidence, store, limits))
        .or_else(|| judge_configuration(store))
        .or_else(|| judge_flow(store, limits))
        .unwrap_or_else(|| match (store.bodies, evidence.first_run, store.slow_journal_on) {
            (0, true, _) => Verdict::noted("first run: nothing is indexed yet"),
            (0, false, _) => Verdict::noted("nothing is indexed"),
            (_, _, Some(system)) => Verdict::noted(format!("on {system}: readers wait while one writes")),
            _ => Verdict::green(),
        })
}

fn judge_unusable(evidence: &HealthEvidence, why: Why) -> Verdict {
    let install = install(&evidence.project);
    let file = shell_word(&evidence.store_file);
    let (fault, fix) = match why {
        Why::NoStore => (Fault::StoreUnusable, put_back(evidence).unwrap_or(install)),
        Why::Busy => (Fault::StoreUnusable, "let the other process end, then `six health`".to_owned()),
        Why::ReadOnly | Why::Unreadable => {
            (Fault::StoreUnusable, format!("give yourself {file} and its folder to read and write, then `six health`"))
        }
        Why::Full => (Fault::StoreUnusable, format!("free disk space where {file} is, then `six health`")),
        Why::Corrupt => (Fault::StoreUnusable, REPAIR.to_owned()),
        Why::NotOurs => (Fault::StoreUnusable, put_back(evidence).unwrap_or_else(|| restore(evidence))),
        Why::OlderSchema => (Fault::StoreSchema, "six ingest".to_owned()),
        Why::NewerSchema => (Fault::StoreSchema, format!("install the newer six again, then `{install}`")),
        Why::OutOfTime | Why::Failed => (Fault::CheckFailed, "six health".to_owned()),
    };
    Verdict::red(fault, because(why), fix)
}

/// Makes the store anew from what can be read of it, and keeps the old file.
const REPAIR: &str = "six repair";

/// Puts the newest old state in the place of a store that is gone; what stands there instead is kept.
fn put_back(evidence: &HealthEvidence) -> Option<String> {
    evidence.newest_backup.as_deref().map(|backup| format!("six backup restore {}", shell_word(backup)))
}

/// Of what is no store of ours nothing can be read.
fn restore(evidence: &HealthEvidence) -> String {
    let file = shell_word(&evidence.store_file);
    let install = install(&evidence.project);
    format!(
        "put a good copy of {file} in its place, or move it aside (keep it) and rebuild from the sources: `{install}`"
    )
}

fn judge_whole(store: &StoreEvidence) -> Option<Verdict> {
    let StoreEvidence { bodies, index_rows, counted, .. } = *store;
    let damaged = store.full_check.as_ref().filter(|check| !check.clean);
    if let Some(check) = damaged {
        let detail = format!("the full check of {} found damage", check.at);
        return Some(Verdict::red(Fault::StoreDamaged, detail, REPAIR));
    }
    if bodies != index_rows || bodies != counted {
        let detail = format!("{bodies} chunks, {index_rows} index rows, {counted} counted: they must be equal");
        return Some(Verdict::red(Fault::StoreParity, detail, REPAIR));
    }
    (store.sample_found == Some(false)).then(|| {
        let detail = format!("a chunk picked at random is not found through the index ({bodies} chunks)");
        Verdict::red(Fault::StoreParity, detail, REPAIR)
    })
}

fn judge_private(evidence: &HealthEvidence, store: &StoreEvidence) -> Option<Verdict> {
    const OTHERS: u32 = 0o077;
    let (file, folder) = store.modes?;
    ((file | folder) & OTHERS != 0).then(|| {
        let detail = format!("others can reach the store: file {:04o}, folder {:04o}", file & 0o7777, folder & 0o7777);
        let path = &evidence.store_file;
        let parent = path.rfind(['/', '\\']).and_then(|at| path.get(..at)).filter(|folder| !folder.is_empty());
        let fix = format!("`chmod -R go= {}`, then `six health`", shell_word(parent.unwrap_or(path)));
        Verdict::red(Fault::StoreMode, detail, fix)
    })
}

fn judge_room(evidence: &HealthEvidence, store: &StoreEvidence, limits: &HealthLimits) -> Option<Verdict> {
    let file = shell_word(&evidence.store_file);
    if store.free_bytes < limits.min_free_bytes {
        let detail =
            format!("{} of disk free, {} wanted", mebibytes(store.free_bytes), mebibytes(limits.min_free_bytes));
        return Some(Verdict::red(
            Fault::DiskFull,
            detail,
            format!("free disk space where {file} is, then `six health`"),
        ));
    }
    let used = u128::from(store.size_bytes) * 100;
    (used > u128::from(store.quota_bytes) * u128::from(limits.max_quota_percent)).then(|| {
        let (size, quota) = (mebibytes(store.size_bytes), mebibytes(store.quota_bytes));
        let detail = format!("{size} of a quota of {quota} used, more than {} %", limits.max_quota_percent);
        Verdict::red(
            Fault::Quota,
            detail,
            format!(
                "see with `six status` which source is large, or give it more: `six config set store.quota_mib {}`",
                (store.quota_bytes / (1024 * 1024)).saturating_mul(2).max(1)
            ),
        )
    })
}

fn judge_configuration(store: &StoreEvidence) -> Option<Verdict> {
    let fault = store.config_fault.as_ref()?;
    let detail = format!("a file of configuration is not used: {fault}");
    Some(Verdict::red(Fault::Configuration, detail, "correct or remove that file, then `six config list`"))
}

fn judge_flow(store: &StoreEvidence, limits: &HealthLimits) -> Option<Verdict> {
    if store.spool_stale > limits.max_spool_stale {
        let detail = format!("{} events wait in the spool for longer than one boundary", store.spool_stale);
        return Some(Verdict::red(Fault::SpoolStuck, detail, "six ingest"));
    }
    if store.wal_bytes > limits.max_wal_bytes {
        let detail = format!("the journal has {} and is not written back", mebibytes(store.wal_bytes));
        return Some(Verdict::red(
            Fault::JournalLarge,
            detail,
            "end other programs that read the store, then `six worker`",
        ));
    }
    let (age, what) = match &store.full_check {
        Some(check) => (check.active_days_ago.count(), "the last full check is"),
        None => (store.active_days.count(), "no full check was made, the store is"),
    };
    (age > limits.max_full_check_days)
        .then(|| Verdict::red(Fault::StoreUnchecked, format!("{what} {age} active days old"), "six worker"))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::health::sample::{NOW, WHYS, fresh, sound, without_store};
    use crate::health::{ActiveDays, FullCheck};

    fn judged(spoil: impl FnOnce(&mut StoreEvidence)) -> Verdict {
        let mut evidence = sound();
        if let Evidence::Seen(store) = &mut evidence.store {
            spoil(store);
        }
        judge(&evidence, &HealthLimits::default())
    }

    fn fault(spoil: impl FnOnce(&mut StoreEvidence)) -> Option<Fault> {
        judged(spoil).fault()
    }

    #[test]
    fn a_sound_store_is_green_and_a_fresh_one_too() {
        assert_eq!(judged(|_| ()), Verdict::green());
        assert_eq!(
            judge(&fresh(), &HealthLimits::default()),
            Verdict::noted("first run: nothing is indexed yet"),
            "no full check, no sample, nothing indexed: nothing of that is wrong yet"
        );
    }

    #[test]
    fn counts_that_differ_by_one_are_red() {
        assert_eq!(fault(|s| s.index_rows -= 1), Some(Fault::StoreParity));
        assert_eq!(fault(|s| s.counted += 1), Some(Fault::StoreParity));
        assert_eq!(fault(|s| s.bodies = 0), Some(Fault::StoreParity));
    }

    #[test]
    fn a_sample_that_is_not_found_is_red_and_none_to_pick_is_not() {
        assert_eq!(fault(|s| s.sample_found = Some(false)), Some(Fault::StoreParity));
        assert_eq!(fault(|s| s.sample_found = None), None);
    }

    #[test]
    fn settings_that_are_not_used_are_red() {
        let verdict = judged(|s| s.config_fault = Some("config.json: line 3: not JSON".to_owned()));
        let Verdict::Red { fault, detail, .. } = verdict else { panic!("{verdict:?}") };
        assert_eq!(fault, Fault::Configuration);
        assert_eq!(detail, "a file of configuration is not used: config.json: line 3: not JSON");
    }

    #[test]
    fn damage_is_red_and_is_repaired() {
        let verdict = judged(|s| {
            s.full_check = Some(FullCheck { at: NOW, clean: false, active_days_ago: ActiveDays::default() });
        });
        let Verdict::Red { fault, fix, .. } = verdict else { panic!("{verdict:?}") };
        assert_eq!(fault, Fault::StoreDamaged);
        assert_eq!(fix, "six repair");
    }

    #[test]
    fn a_full_check_may_be_three_active_days_old() {
        let aged = |days| {
            move |s: &mut StoreEvidence| {
                let active_days_ago = ActiveDays::until_today(days);
                s.full_check = Some(FullCheck { at: NOW, clean: true, active_days_ago });
            }
        };
        assert_eq!(fault(aged(3)), None);
        assert_eq!(fault(aged(4)), Some(Fault::StoreUnchecked));
    }

    #[test]
    fn a_store_that_was_never_checked_is_red_after_as_many_days() {
        let unchecked =
            |days| move |s: &mut StoreEvidence| (s.full_check, s.active_days) = (None, ActiveDays::until_today(days));
        assert_eq!(fault(unchecked(3)), None);
        let Verdict::Red { fault, detail, .. } = judged(unchecked(4)) else { panic!("nobody ever looked") };
        assert_eq!(
            (fault, detail.as_str()),
            (Fault::StoreUnchecked, "no full check was made, the store is 4 active days old")
        );
    }

    #[test]
    fn a_file_system_that_is_not_safe_for_the_fast_journal_is_a_note() {
        let note = "on nfs: readers wait while one writes";
        assert_eq!(judged(|s| s.slow_journal_on = Some("nfs")), Verdict::noted(note));
    }

    #[test]
    fn what_others_can_reach_is_red() {
        assert_eq!(fault(|s| s.modes = Some((0o600, 0o700))), None);
        assert_eq!(fault(|s| s.modes = None), None);
        assert_eq!(fault(|s| s.modes = Some((0o600, 0o750))), Some(Fault::StoreMode));
        let verdict = judged(|s| s.modes = Some((0o100_644, 0o040_700)));
        let Verdict::Red { detail, fix, .. } = verdict else { panic!("{verdict:?}") };
        assert_eq!(detail, "others can reach the store: file 0644, folder 0700");
        assert_eq!(fix, "`chmod -R go= /home/sam/.six/app`, then `six health`");
    }

    #[test]
    fn disk_quota_and_journal_are_green_exactly_at_their_limits() {
        let limits = HealthLimits::default();
        assert_eq!(fault(|s| s.free_bytes = limits.min_free_bytes), None);
        assert_eq!(fault(|s| s.free_bytes = limits.min_free_bytes - 1), Some(Fault::DiskFull));
        assert_eq!(fault(|s| (s.size_bytes, s.quota_bytes) = (900, 1000)), None);
        assert_eq!(fault(|s| (s.size_bytes, s.quota_bytes) = (901, 1000)), Some(Fault::Quota));
        assert_eq!(fault(|s| s.size_bytes = u64::MAX), Some(Fault::Quota));
        assert_eq!(fault(|s| s.wal_bytes = limits.max_wal_bytes), None);
        assert_eq!(fault(|s| s.wal_bytes = limits.max_wal_bytes + 1), Some(Fault::JournalLarge));
    }

    #[test]
    fn a_full_spool_is_normal_until_a_boundary_has_passed_over_it() {
        assert_eq!(fault(|s| s.spool = 50), None);
        assert_eq!(fault(|s| (s.spool, s.spool_stale) = (50, 1)), Some(Fault::SpoolStuck));
    }

    #[test]
    fn a_store_that_is_gone_and_was_backed_up_is_put_back() {
        for why in [Why::NoStore, Why::NotOurs] {
            let evidence = HealthEvidence { newest_backup: Some("memory-by-hand-6-9.db".into()), ..without_store(why) };
            let Verdict::Red { fix, .. } = judge(&evidence, &HealthLimits::default()) else { panic!("it is gone") };
            assert_eq!(fix, "six backup restore memory-by-hand-6-9.db");
        }
    }

    #[test]
    fn a_store_that_cannot_be_used_says_why_and_what_to_do() {
        let told: Vec<String> = WHYS
            .into_iter()
            .map(|why| match judge(&without_store(why), &HealthLimits::default()) {
                Verdict::Red { fault, detail, fix } => format!("{fault:?}: {detail}\n  {fix}"),
                other => panic!("{other:?}"),
            })
            .collect();
        insta::assert_snapshot!(told.join("\n"), @r"
        StoreUnusable: there is no store file
          six install /home/sam/app
        StoreUnusable: another process holds the store's lock
          let the other process end, then `six health`
        StoreUnusable: the store can't be written
          give yourself /home/sam/.six/app/store.db and its folder to read and write, then `six health`
        StoreUnusable: the disk is full
          free disk space where /home/sam/.six/app/store.db is, then `six health`
        StoreUnusable: the store file is damaged
          six repair
        StoreUnusable: the store file is not one of six's
          put a good copy of /home/sam/.six/app/store.db in its place, or move it aside (keep it) and rebuild from the sources: `six install /home/sam/app`
        StoreSchema: the store has an older schema than this six; the worker brings it up to date
          six ingest
        StoreSchema: the store was written by a newer six
          install the newer six again, then `six install /home/sam/app`
        CheckFailed: the time for it was used up
          six health
        StoreUnusable: the file or its folder can't be read
          give yourself /home/sam/.six/app/store.db and its folder to read and write, then `six health`
        CheckFailed: the look at it broke off
          six health
        ");
    }
}
