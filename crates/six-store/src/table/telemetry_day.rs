//! `telemetry_day`: counts of a day, of rows that are gone.

use rusqlite::{Connection, Result, params};
use six_core::record::HookName;
use six_core::telemetry::{Counted, Counts, Measure, UnixDay};

use super::column;

/// Adds to what was counted before.
pub(crate) fn add(conn: &Connection, counts: &Counts) -> Result<()> {
    let mut stmt = conn.prepare_cached(
        "INSERT INTO telemetry_day (measure, name, at_unix_days, detail, count) VALUES (?1, ?2, ?3, ?4, ?5) \
         ON CONFLICT (measure, name, at_unix_days, detail) DO UPDATE SET count = count + excluded.count",
    )?;
    for (counted, by) in counts.iter() {
        let Counted { day, measure, name, detail } = counted;
        stmt.execute(params![measure.as_str(), name, day.0, detail, column::int(by)])?;
    }
    Ok(())
}

pub(crate) fn all(conn: &Connection) -> Result<Counts> {
    let mut stmt = conn.prepare_cached("SELECT measure, name, at_unix_days, detail, count FROM telemetry_day")?;
    let mut rows = stmt.query([])?;
    let mut counts = Counts::default();
    while let Some(row) = rows.next()? {
        let measure = column::named(row, 0, Measure::parse)?;
        let counted = Counted { measure, name: row.get(1)?, day: UnixDay(row.get(2)?), detail: row.get(3)? };
        counts.add_count(counted, column::count(row, 4)?);
    }
    Ok(counts)
}

/// Invocations of a hook whose rows are gone.
pub(crate) fn invocations(conn: &Connection, hook: HookName) -> Result<u64> {
    conn.prepare_cached("SELECT ifnull(sum(count), 0) FROM telemetry_day WHERE measure = ?1 AND name = ?2")?
        .query_row([Measure::Invocation.as_str(), hook.as_str()], |row| column::count(row, 0))
}
