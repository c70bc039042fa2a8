//! Numbers that look like chance and are the same for the same seed.

use std::time::Duration;

/// `SplitMix64`: one word of state is enough for a plan, and nothing here is a secret.
#[derive(Debug, Clone)]
pub(super) struct Chance(u64);

impl Chance {
    /// The numbers of one lane of a plan.
    pub(super) fn new(seed: u64, lane: usize) -> Self {
        Self(seed.wrapping_mul(0x9E37_79B9_7F4A_7C15) ^ (lane as u64).wrapping_mul(0xD1B5_4A32_D192_ED03))
    }

    fn next(&mut self) -> u64 {
        self.0 = self.0.wrapping_add(0x9E37_79B9_7F4A_7C15);
        let mut mixed = self.0;
        mixed = (mixed ^ (mixed >> 30)).wrapping_mul(0xBF58_476D_1CE4_E5B9);
        mixed = (mixed ^ (mixed >> 27)).wrapping_mul(0x94D0_49BB_1331_11EB);
        mixed ^ (mixed >> 31)
    }

    /// A number below `end`.
    pub(super) fn below(&mut self, end: usize) -> usize {
        usize::try_from(self.next() % end as u64).expect("below a usize")
    }

    /// True in `permille` of a thousand.
    pub(super) fn permille(&mut self, permille: usize) -> bool {
        self.below(1_000) < permille
    }

    /// Between 100 microseconds and 100 milliseconds, every scale as often as any other: what is killed takes a few
    /// milliseconds optimised and unburdened, and many times that otherwise.
    pub(super) fn delay(&mut self) -> Duration {
        let scale = [100, 300, 1_000, 3_000, 10_000, 30_000][self.below(6)];
        Duration::from_micros((scale + self.below(scale * 2)) as u64)
    }

    /// One of these.
    pub(super) fn pick<T: Copy>(&mut self, of: &[T]) -> T {
        of[self.below(of.len())]
    }
}
