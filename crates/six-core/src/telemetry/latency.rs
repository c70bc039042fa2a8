//! Latencies as counts, so that two halves of a day add up to the day: percentiles of halves don't.

use std::collections::BTreeMap;

/// Steps of a doubling: what a bucket holds differs by at most an eighth.
const STEPS: u64 = 8;
/// log2 of [`STEPS`].
const STEP_BITS: u32 = STEPS.ilog2();

/// A range of latencies. Below 16 ms each millisecond has one of its own.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct LatencyBucket(u16);

impl LatencyBucket {
    /// The one that a latency in milliseconds falls into.
    pub fn of_ms(ms: u64) -> Self {
        let Some(doublings) = ms.checked_ilog2().and_then(|log| log.checked_sub(STEP_BITS)) else {
            return Self(u16::try_from(ms).unwrap_or(u16::MAX));
        };
        let step = (ms >> doublings) - STEPS;
        Self(u16::try_from(u64::from(doublings + 1) * STEPS + step).unwrap_or(u16::MAX))
    }

    /// The longest latency in it, in milliseconds.
    pub fn longest_ms(self) -> u64 {
        let number = u64::from(self.0);
        let Some(doublings) = (number / STEPS).checked_sub(1) else { return number };
        let beyond = u128::from(number % STEPS + STEPS + 1) << doublings.min(64);
        u64::try_from(beyond - 1).unwrap_or(u64::MAX)
    }

    /// As the store names it.
    pub fn name(self) -> String {
        self.0.to_string()
    }

    /// The one of that name.
    pub fn parse(name: &str) -> Option<Self> {
        name.parse().ok().map(Self)
    }
}

/// Latencies of one hook on one day, in milliseconds. From 16 ms on they may be told too long, by less than an eighth.
#[derive(Debug, Clone, Copy, PartialEq, Eq, serde::Serialize)]
pub struct Latency {
    /// Half of the invocations took no longer.
    pub p50_ms: u64,
    /// Nineteen of twenty took no longer.
    pub p95_ms: u64,
    /// None took longer.
    pub max_ms: u64,
}

/// Percentiles (nearest rank) of what was counted; `None` when nothing was.
pub fn summarise_latency(counted: &BTreeMap<LatencyBucket, u64>) -> Option<Latency> {
    let total: u64 = counted.values().sum();
    let rank = |percent: u64| {
        let wanted = total.saturating_mul(percent).div_ceil(100);
        let mut seen = 0;
        counted.iter().find(|(_, count)| {
            seen += **count;
            seen >= wanted && seen > 0
        })
    };
    let ms = |percent| rank(percent).map(|(bucket, _)| bucket.longest_ms());
    Some(Latency { p50_ms: ms(50)?, p95_ms: ms(95)?, max_ms: ms(100)? })
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    fn counted(latencies: &[u64]) -> BTreeMap<LatencyBucket, u64> {
        let mut counts = BTreeMap::new();
        for ms in latencies {
            *counts.entry(LatencyBucket::of_ms(*ms)).or_default() += 1;
        }
        counts
    }

    #[test]
    fn what_hooks_take_is_told_to_the_millisecond() {
        for ms in 0..16 {
            assert_eq!(LatencyBucket::of_ms(ms).longest_ms(), ms);
        }
        let summary = summarise_latency(&counted(&[3, 4, 5, 6, 15])).unwrap();
        assert_eq!(summary, Latency { p50_ms: 5, p95_ms: 15, max_ms: 15 });
    }

    #[test]
    fn nineteen_of_twenty_leave_the_one_that_hung_out_of_p95() {
        let mut latencies = vec![4; 19];
        latencies.push(500);
        let summary = summarise_latency(&counted(&latencies)).unwrap();
        assert_eq!((summary.p50_ms, summary.p95_ms), (4, 4));
        assert!((500..563).contains(&summary.max_ms), "{summary:?}");
    }

    #[test]
    fn without_an_invocation_there_is_no_latency() {
        assert_eq!(summarise_latency(&BTreeMap::new()), None);
    }

    proptest! {
        #[test]
        fn no_latency_is_told_shorter_or_by_an_eighth_longer_than_it_was(ms in prop_oneof![0_u64..5_000, any::<u64>()]) {
            let told = LatencyBucket::of_ms(ms).longest_ms();
            prop_assert!(told >= ms);
            prop_assert!(u128::from(told - ms) * 8 <= u128::from(ms));
            prop_assert_eq!(LatencyBucket::parse(&LatencyBucket::of_ms(ms).name()), Some(LatencyBucket::of_ms(ms)));
        }

        #[test]
        fn longer_is_never_in_a_lower_bucket(a in any::<u64>(), b in any::<u64>()) {
            let (short, long) = (a.min(b), a.max(b));
            prop_assert!(LatencyBucket::of_ms(short) <= LatencyBucket::of_ms(long));
        }
    }
}
