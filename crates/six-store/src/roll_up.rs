//! Telemetry that is old becomes counts of a day, and its rows go.

use std::collections::HashSet;

use rusqlite::Connection;
use six_core::record::UnixMs;
use six_core::telemetry::{Counts, TelemetryRow};

use crate::error::{Result, StoreError};
use crate::hooks;
use crate::open::Store;
use crate::table::{boundary, delivery, health_observation, heartbeat, meta, receipt, render, telemetry_day, work};

/// Rows are kept for this long: what is compared (a fortnight before and after a change, a season) is younger.
pub(crate) const KEPT_MS: i64 = 180 * UnixMs::DAY_MS;

/// A roll-up that came to its end is not begun again sooner.
const EVERY_MS: i64 = UnixMs::DAY_MS;

/// Rows of one transaction: a few milliseconds, far below what a hook waits for.
const BATCH: usize = 500;

/// Heartbeats go this much later than what else their event left, which asks them whether it is synthetic, and than the
/// boundary that they led to.
pub(crate) const HEARTBEAT_DELAY_MS: i64 = UnixMs::DAY_MS;

/// How the old rows of a table are found, from the one after a given one on, and how one is deleted.
type Old = fn(&Connection, UnixMs, Option<i64>, usize) -> rusqlite::Result<Vec<(i64, TelemetryRow)>>;
type Delete = fn(&Connection, i64) -> rusqlite::Result<usize>;

/// Tables of which nothing is needed for ever. Receipts come before the heartbeats that they ask.
const PLAIN: [(Old, Delete); 4] = [
    (receipt::old, receipt::delete),
    (health_observation::old, health_observation::delete),
    (render::old, render::delete),
    (work::old, work::delete),
];

impl Store {
    /// Turns rows older than 180 days into counts of their day, at most daily, in short transactions, until `is_over`;
    /// answers the rows that went. What was interrupted goes on the next time: a row is in the counts or it is there.
    ///
    /// Health says the same afterwards. It asks since the start before the last, so that nothing from there on goes, however old;
    /// what it asks of all time stays ([`heartbeat::needed`], [`boundary::needed`]).
    pub fn roll_up(&self, now: UnixMs, is_over: &dyn Fn() -> bool) -> Result<u64> {
        let (last, judged) =
            self.read(|conn| Ok((meta::counter(conn, meta::ROLLED_UP)?, hooks::judged_since(conn, now)?)))?;
        // One that a clock dated later than now proves nothing about the days between.
        if (0..EVERY_MS).contains(&now.0.saturating_sub(i64::try_from(last).unwrap_or(i64::MAX))) {
            return Ok(0);
        }
        let oldest_kept = UnixMs(now.0.saturating_sub(KEPT_MS));
        let before = judged.map_or(oldest_kept, |since| since.min(oldest_kept));
        let mut rows = 0;
        for (old, delete) in PLAIN {
            rows += self.roll(is_over, &HashSet::new(), |conn, after| old(conn, before, after, BATCH), delete)?;
        }
        rows += self.roll_deliveries(before, is_over)?;
        let needed = self.read(|conn| Ok(boundary::needed(conn)?))?;
        // What came after the last embedding is counted ([`Store::boundaries_since_embedding`]).
        let embedded = self.meta(meta::EMBEDDED)?.and_then(|at| at.parse().ok()).map_or(UnixMs(i64::MIN), UnixMs);
        let old = |conn: &_, after| boundary::old(conn, before.min(embedded), after, BATCH);
        rows += self.roll(is_over, &needed, old, boundary::delete)?;
        let before = UnixMs(before.0.saturating_sub(HEARTBEAT_DELAY_MS));
        let needed = self.read(|conn| Ok(heartbeat::needed(conn, before)?))?;
        let old = |conn: &_, after| heartbeat::old(conn, before, after, BATCH);
        rows += self.roll(is_over, &needed, old, heartbeat::delete)?;
        if !is_over() {
            self.set_meta(meta::ROLLED_UP, &now.0.to_string())?;
        }
        Ok(rows)
    }

    /// The counts of every day, of rows that are there and of those that are gone.
    pub fn telemetry(&self) -> Result<Counts> {
        self.read(|conn| {
            let mut counts = telemetry_day::all(conn)?;
            let tables = PLAIN.iter().map(|(old, _)| *old).chain([boundary::old as Old, heartbeat::old]);
            for old in tables {
                for (_, row) in old(conn, UnixMs(i64::MAX), None, usize::MAX)? {
                    counts.add(&row);
                }
            }
            for (_, row) in delivery::old(conn, UnixMs(i64::MAX), usize::MAX)? {
                counts.add(&row);
            }
            Ok(counts)
        })
    }

    fn roll(
        &self,
        is_over: &dyn Fn() -> bool,
        needed: &HashSet<i64>,
        old: impl Fn(&Connection, Option<i64>) -> rusqlite::Result<Vec<(i64, TelemetryRow)>>,
        delete: Delete,
    ) -> Result<u64> {
        let (mut after, mut gone) = (None, 0);
        while !is_over() {
            let mut batch = self.read(|conn| Ok(old(conn, after)?))?;
            let Some((last, _)) = batch.last() else { break };
            after = Some(*last);
            batch.retain(|(id, _)| !needed.contains(id));
            gone += self.replace_by_counts(&batch, |conn, id| delete(conn, *id))?;
        }
        Ok(gone)
    }

    fn roll_deliveries(&self, before: UnixMs, is_over: &dyn Fn() -> bool) -> Result<u64> {
        let mut gone = 0;
        while !is_over() {
            let batch = self.read(|conn| Ok(delivery::old(conn, before, BATCH)?))?;
            if batch.is_empty() {
                break;
            }
            gone += self.replace_by_counts(&batch, |conn, (session, item)| delivery::delete(conn, session, item))?;
        }
        Ok(gone)
    }

    /// The rows were found outside the transaction, so that searching for them holds nobody up. One that went meanwhile
    /// must not be counted: then nothing is, and the next roll-up finds what is left.
    fn replace_by_counts<Id>(
        &self,
        batch: &[(Id, TelemetryRow)],
        delete: impl Fn(&Connection, &Id) -> rusqlite::Result<usize>,
    ) -> Result<u64> {
        if batch.is_empty() {
            return Ok(0);
        }
        let mut counts = Counts::default();
        for (_, row) in batch {
            counts.add(row);
        }
        self.write(|conn| {
            let mut gone = 0;
            for (id, _) in batch {
                gone += delete(conn, id)?;
            }
            if gone != batch.len() {
                return Err(StoreError::Busy);
            }
            Ok(telemetry_day::add(conn, &counts)?)
        })?;
        Ok(u64::try_from(batch.len()).unwrap_or(u64::MAX))
    }
}

#[cfg(test)]
mod tests;
