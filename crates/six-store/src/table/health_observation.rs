//! `health_observation`: what the gate said, so that how long a fault lasted is a query.

use rusqlite::{Connection, Result, params};
use six_core::health::{CheckName, Fault, Judged};
use six_core::record::UnixMs;
use six_core::telemetry::TelemetryRow;

use super::column;

/// Stores what a check said; green rows have no fault.
pub(crate) fn insert(conn: &Connection, at: UnixMs, judged: &Judged) -> Result<()> {
    conn.prepare_cached("INSERT INTO health_observation (at_unix_ms, name, fault, detail) VALUES (?1, ?2, ?3, ?4)")?
        .execute(params![at.0, judged.check.as_str(), judged.fault.map(Fault::name), judged.detail.as_str()])?;
    Ok(())
}

/// Whether a check found a fault from `from` to `until`, both included.
pub(crate) fn has_found(
    conn: &Connection,
    check: CheckName,
    fault: Fault,
    from: UnixMs,
    until: UnixMs,
) -> Result<bool> {
    conn.prepare_cached(
        "SELECT EXISTS (SELECT 1 FROM health_observation \
         WHERE name = ?1 AND fault = ?2 AND at_unix_ms BETWEEN ?3 AND ?4)",
    )?
    .query_row(params![check.as_str(), fault.name(), from.0, until.0], |row| row.get(0))
}

/// Rows that are older than `before`, from the one after `after` on, in the order in which they were written.
pub(crate) fn old(
    conn: &Connection,
    before: UnixMs,
    after: Option<i64>,
    limit: usize,
) -> Result<Vec<(i64, TelemetryRow)>> {
    conn.prepare_cached(
        "SELECT id, at_unix_ms, name, fault FROM health_observation \
         WHERE id > ?1 AND at_unix_ms < ?2 ORDER BY id LIMIT ?3",
    )?
    .query_map(params![after.unwrap_or(i64::MIN), before.0, column::int(limit)], |row| {
        let said = TelemetryRow::Health { at: column::time(row, 1)?, check: row.get(2)?, fault: row.get(3)? };
        Ok((row.get(0)?, said))
    })?
    .collect()
}

pub(crate) fn delete(conn: &Connection, id: i64) -> Result<usize> {
    conn.prepare_cached("DELETE FROM health_observation WHERE id = ?1")?.execute([id])
}
