//! What a report tells of the faults that checks found.

use std::collections::BTreeMap;

use crate::record::UnixMs;

/// One fault of one check, from what first showed it until it was gone.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Episode {
    /// Name of the check.
    pub check: String,
    /// Name of the fault.
    pub fault: String,
    /// What it said.
    pub detail: String,
    /// What it asked for.
    pub fix: String,
    /// The first thing that shows it; `None` where that is not known.
    pub evidence: Option<UnixMs>,
    /// When the gate first said it.
    pub shown: UnixMs,
    /// When and how it ended; `None` while it lasts.
    pub remedied: Option<(UnixMs, Remedy)>,
}

impl Episode {
    /// Since when it is known to last.
    pub fn began(&self) -> UnixMs {
        self.evidence.unwrap_or(self.shown)
    }
}

/// How a fault ended.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Remedy {
    /// A command of its fix was run.
    Fix,
    /// It was seen gone.
    Gone,
}

impl Remedy {
    /// The one of that name in the store.
    pub fn parse(name: &str) -> Option<Self> {
        match name {
            "fix" => Some(Self::Fix),
            "gone" => Some(Self::Gone),
            _ => None,
        }
    }
}

/// Half of some times, and the longest of them, in milliseconds.
#[derive(Debug, Clone, Copy, PartialEq, Eq, serde::Serialize)]
pub struct Spread {
    /// Half of them were no longer (nearest rank).
    pub p50: u64,
    /// None was longer.
    pub max: u64,
}

/// All episodes of one fault of one check.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct FaultReport {
    /// How many there are.
    pub count: u64,
    /// Of these, how many last.
    pub open: u64,
    /// Ended by a command of their fix.
    pub by_fix: u64,
    /// Seen gone.
    pub gone: u64,
    /// From the first evidence until the gate said it: what detection took. Of those of which the evidence is known; `None`
    /// where it is of none.
    pub shown_after_ms: Option<Spread>,
    /// From the first evidence, else from when the gate said it, to the end; `None` while none has ended.
    pub lasted_ms: Option<Spread>,
    /// The one that was shown last.
    pub newest: Episode,
}

/// Adds episodes up by check and fault.
pub fn summarise_episodes(episodes: Vec<Episode>) -> BTreeMap<(String, String), FaultReport> {
    let mut groups: BTreeMap<(String, String), Vec<Episode>> = BTreeMap::new();
    for episode in episodes {
        groups.entry((episode.check.clone(), episode.fault.clone())).or_default().push(episode);
    }
    groups.into_iter().filter_map(|(of, group)| Some((of, summarise(group)?))).collect()
}

fn summarise(group: Vec<Episode>) -> Option<FaultReport> {
    let number = |of: &dyn Fn(&Episode) -> bool| {
        u64::try_from(group.iter().filter(|episode| of(episode)).count()).unwrap_or(u64::MAX)
    };
    let ended_by = |remedy| number(&|episode| episode.remedied.is_some_and(|(_, how)| how == remedy));
    let shown_after = group.iter().filter_map(|one| Some(between(one.evidence?, one.shown))).collect();
    let lasted = group.iter().filter_map(|one| Some(between(one.began(), one.remedied?.0))).collect();
    Some(FaultReport {
        count: number(&|_| true),
        open: number(&|episode| episode.remedied.is_none()),
        by_fix: ended_by(Remedy::Fix),
        gone: ended_by(Remedy::Gone),
        shown_after_ms: spread(shown_after),
        lasted_ms: spread(lasted),
        newest: group.into_iter().max_by_key(|episode| episode.shown)?,
    })
}

fn between(first: UnixMs, then: UnixMs) -> u64 {
    u64::try_from(then.0.saturating_sub(first.0)).unwrap_or(0)
}

fn spread(mut times: Vec<u64>) -> Option<Spread> {
    times.sort_unstable();
    let half = times.len().div_ceil(2).checked_sub(1)?;
    Some(Spread { p50: *times.get(half)?, max: *times.last()? })
}

#[cfg(test)]
mod tests {
    use super::*;

    fn episode(check: &str, evidence: impl Into<Option<i64>>, shown: i64, remedied: Option<(i64, Remedy)>) -> Episode {
        Episode {
            check: check.into(),
            fault: "f".into(),
            detail: format!("said at {shown}"),
            fix: String::new(),
            evidence: evidence.into().map(UnixMs),
            shown: UnixMs(shown),
            remedied: remedied.map(|(at, how)| (UnixMs(at), how)),
        }
    }

    #[test]
    fn episodes_of_a_fault_are_told_with_what_detection_took_and_how_they_ended() {
        let told = summarise_episodes(vec![
            episode("queue", 0, 30, Some((100, Remedy::Fix))),
            episode("queue", 200, 210, Some((220, Remedy::Gone))),
            episode("queue", 400, 420, None),
            episode("store", 5, 5, None),
        ]);
        let [queue, store] = told.values().collect::<Vec<_>>()[..] else { panic!("two faults: {told:#?}") };
        assert_eq!((queue.count, queue.open, queue.by_fix, queue.gone), (3, 1, 1, 1));
        assert_eq!(queue.shown_after_ms, Some(Spread { p50: 20, max: 30 }));
        assert_eq!(queue.lasted_ms, Some(Spread { p50: 20, max: 100 }));
        assert_eq!(queue.newest.detail, "said at 420");
        assert_eq!((store.count, store.lasted_ms), (1, None));
    }

    #[test]
    fn what_began_at_a_time_that_nobody_knows_was_not_found_at_once() {
        let told = summarise_episodes(vec![
            episode("queue", None, 30, Some((100, Remedy::Fix))),
            episode("queue", 200, 210, None),
            episode("store", None, 5, Some((9, Remedy::Gone))),
        ]);
        let times: Vec<_> = told.values().map(|fault| (fault.shown_after_ms, fault.lasted_ms)).collect();
        let exactly = |ms| Some(Spread { p50: ms, max: ms });
        assert_eq!(times, [(exactly(10), exactly(70)), (None, exactly(4))]);
    }

    #[test]
    fn a_clock_that_was_set_back_gives_no_negative_time() {
        let told = summarise_episodes(vec![episode("queue", 50, 10, Some((20, Remedy::Gone)))]);
        let times: Vec<_> = told.values().map(|fault| (fault.shown_after_ms, fault.lasted_ms)).collect();
        assert_eq!(times, [(Some(Spread { p50: 0, max: 0 }), Some(Spread { p50: 0, max: 0 }))]);
    }
}
