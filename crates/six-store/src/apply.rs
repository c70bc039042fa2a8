//! Rows of events: heartbeats, effects, the spool's replay. One event's effects are applied once, however often they come.

use rusqlite::Connection;
use six_core::effect::Effect;
use six_core::health::{CheckName, Verdict};
use six_core::record::{EventId, Heartbeat, Outcome, UnixMs};

use crate::error::{Result, StoreError};
use crate::open::Store;
use crate::records;
use crate::table::{boundary, delivery, health_observation, heartbeat, receipt, record, render, work};

impl Store {
    /// Writes the row that comes before all work. A second row for the same event changes nothing.
    pub fn open_heartbeat(&self, beat: &Heartbeat) -> Result<()> {
        self.write(|conn| heartbeat::open(conn, beat).map(drop).map_err(Into::into))
    }

    /// Applies the effects of an event whose heartbeat was opened; answers the rows written, 0 when they were applied
    /// before.
    pub fn apply(&self, event: &EventId, effects: &[Effect], now: UnixMs) -> Result<u32> {
        self.write(|conn| match heartbeat::claim_effects(conn, event)? {
            None => Err(StoreError::NoHeartbeat),
            Some(false) => Ok(0),
            Some(true) => apply_all(conn, event, effects, now),
        })
    }

    /// Completes a heartbeat. The first end stays.
    pub fn close_heartbeat(&self, event: &EventId, outcome: &Outcome) -> Result<()> {
        self.write(|conn| heartbeat::close(conn, event, outcome).map(drop).map_err(Into::into))
    }

    /// Takes an event out of the spool: heartbeat, end and effects in one transaction, whichever of them the store has
    /// already. `false` when it had them all.
    pub fn replay(&self, beat: &Heartbeat, effects: &[Effect]) -> Result<bool> {
        self.write(|conn| {
            let opened = heartbeat::open(conn, beat)?;
            let closed = match &beat.outcome {
                Some(outcome) => heartbeat::close(conn, &beat.id, outcome)?,
                None => false,
            };
            let claimed = heartbeat::claim_effects(conn, &beat.id)? == Some(true);
            if claimed {
                apply_all(conn, &beat.id, effects, beat.started)?;
            }
            Ok(opened || closed || (claimed && !effects.is_empty()))
        })
    }

    /// Keeps what the gate said.
    pub fn note_health(&self, at: UnixMs, verdicts: &[(CheckName, Verdict)]) -> Result<()> {
        self.write(|conn| {
            for (check, verdict) in verdicts {
                health_observation::insert(conn, at, *check, verdict)?;
            }
            Ok(())
        })
    }
}

fn apply_all(conn: &Connection, event: &EventId, effects: &[Effect], now: UnixMs) -> Result<u32> {
    let mut rows = 0;
    for effect in effects {
        rows += apply_one(conn, event, effect, now)?;
    }
    Ok(rows)
}

fn apply_one(conn: &Connection, event: &EventId, effect: &Effect, now: UnixMs) -> Result<u32> {
    match effect {
        Effect::Receipt(new) => receipt::insert(conn, event, new, &serde_json::to_string(new)?)?,
        Effect::Boundary(new) => boundary::insert(conn, new)?,
        Effect::Deliver { session, items, at } => {
            for item in items {
                delivery::add(conn, session, item, *at)?;
            }
            return Ok(rows(items.len()));
        }
        Effect::ForgetDeliveries { session } => return Ok(rows(delivery::forget(conn, session)?)),
        Effect::Served { records, at } => {
            let mut served = 0;
            for id in records {
                served += record::set_served(conn, id, *at)?;
            }
            return Ok(rows(served));
        }
        Effect::Render { session, at, hash, units, line } => render::insert(conn, session, *at, hash, *units, line)?,
        Effect::Propose(new) => return Ok(u32::from(records::insert(conn, new, new.origin.as_str())?)),
        Effect::Queue(new) => return Ok(u32::from(work::insert(conn, new, &serde_json::to_string(new)?, now)?)),
    }
    Ok(1)
}

fn rows(n: usize) -> u32 {
    u32::try_from(n).unwrap_or(u32::MAX)
}
