//! A limit of time for questions: a statement that is at work when it is reached is broken off.

use std::sync::Arc;
use std::sync::atomic::{AtomicU64, Ordering};
use std::time::Instant;

use rusqlite::Connection;

use crate::error::{Result, StoreError};
use crate::open::Store;

/// Instructions of `SQLite`'s machine between two looks at the clock: far below a millisecond.
const EVERY: i32 = 1_000;

const NONE: u64 = u64::MAX;

/// When the statements of one connection have to be done. `SQLite` asks on its own, so both hold it.
#[derive(Debug)]
pub(crate) struct Limit {
    base: Instant,
    /// Microseconds after `base`.
    until: Arc<AtomicU64>,
}

impl Default for Limit {
    /// Of a connection that nobody limits.
    fn default() -> Self {
        Self { base: Instant::now(), until: Arc::new(AtomicU64::new(NONE)) }
    }
}

impl Limit {
    /// The limit of a connection; there is none until one is set.
    pub(crate) fn of(conn: &mut Connection) -> Result<Self> {
        let limit = Self::default();
        let (base, until) = (limit.base, Arc::clone(&limit.until));
        let is_over = move || match until.load(Ordering::Relaxed) {
            NONE => false,
            until => base.elapsed().as_micros() >= u128::from(until),
        };
        conn.progress_handler(EVERY, Some(is_over))?;
        Ok(limit)
    }

    fn set(&self, until: Instant) -> Lifted<'_> {
        let micros = until.saturating_duration_since(self.base).as_micros();
        self.until.store(u64::try_from(micros).unwrap_or(NONE), Ordering::Relaxed);
        Lifted(self)
    }
}

/// The limit ends with it, also where asking panics.
struct Lifted<'l>(&'l Limit);

impl Drop for Lifted<'_> {
    fn drop(&mut self) {
        self.0.until.store(NONE, Ordering::Relaxed);
    }
}

impl Store {
    /// Asks, with a limit: a statement that is at work at `until`, and each that would begin after it, fails as
    /// [`StoreError::OutOfTime`]. What waits for another process, or for the disk, is not broken off.
    pub fn ask_until<T>(&self, until: Option<Instant>, ask: impl FnOnce(&Self) -> Result<T>) -> Result<T> {
        let Some(until) = until else { return ask(self) };
        if Instant::now() >= until {
            return Err(StoreError::OutOfTime);
        }
        let _lifted = self.limit.set(until);
        ask(self)
    }
}

#[cfg(test)]
mod tests {
    use std::time::Duration;

    use six_core::record::Why;

    use super::*;
    use crate::open::Access;
    use crate::testkit::*;

    /// Counts for longer than any test is patient.
    fn ask_without_end(store: &Store) -> Result<i64> {
        let endless = "WITH RECURSIVE n(i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n) SELECT max(i) FROM n";
        Ok(store.conn.query_row(endless, [], |row| row.get(0))?)
    }

    #[test]
    fn a_question_without_end_is_broken_off_at_its_limit_and_the_next_one_is_answered() {
        let s = Scratch::new();
        for access in [Access::Read, Access::Hook, Access::Write] {
            let store = s.open(access);
            let soon = Some(Instant::now() + Duration::from_millis(20));
            assert_eq!(store.ask_until(soon, ask_without_end).unwrap_err().why(), Why::OutOfTime, "{access:?}");
            store.meta("a").unwrap();
            let past = Some(Instant::now());
            assert_eq!(store.ask_until(past, |store| store.meta("a")).unwrap_err().why(), Why::OutOfTime);
        }
    }

    #[test]
    fn a_limit_ends_with_its_question_even_if_that_panics() {
        let s = Scratch::new();
        let soon = Instant::now() + Duration::from_millis(20);
        let broke = std::panic::catch_unwind(std::panic::AssertUnwindSafe(|| {
            s.store.ask_until(Some(soon), |_| -> Result<()> { std::panic::resume_unwind(Box::new(())) })
        }));
        assert!(broke.is_err());
        while Instant::now() < soon {
            std::thread::yield_now();
        }
        s.store.commit(&doc_batch("a.md", &"retry with jitter\n".repeat(200))).unwrap();
        assert_eq!(s.store.ask_until(None, |store| store.search(&query("jitter"))).unwrap().hits.len(), 1);
    }
}
