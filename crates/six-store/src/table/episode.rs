//! `episode`: a fault of a check, from the first thing that shows it until it is gone or somebody acts on it.

use rusqlite::{Connection, Result, params};
use six_core::health::{CheckName, Fault, Judged, names_command};
use six_core::record::UnixMs;
use six_core::telemetry::{Episode, Remedy};

use super::column;

/// Begins an episode, unless this fault of this check is open already.
pub(crate) fn open(conn: &Connection, at: UnixMs, judged: &Judged, fault: Fault) -> Result<()> {
    conn.prepare_cached(
        "INSERT INTO episode (name, fault, detail, fix, evidence_unix_ms, shown_unix_ms) VALUES (?1, ?2, ?3, ?4, ?5, ?6) \
         ON CONFLICT (name, fault) WHERE remedied_unix_ms IS NULL DO NOTHING",
    )?
    .execute(params![
        judged.check.as_str(),
        fault.name(),
        judged.detail.as_str(),
        judged.fix.as_str(),
        judged.since.map(|since| since.0),
        at.0
    ])?;
    Ok(())
}

/// The check says `fault`: what it would have said before that is gone.
pub(crate) fn overtaken(conn: &Connection, at: UnixMs, check: CheckName, fault: Fault) -> Result<()> {
    let open: Vec<(i64, String)> = conn
        .prepare_cached("SELECT id, fault FROM episode WHERE name = ?1 AND remedied_unix_ms IS NULL")?
        .query_map([check.as_str()], |row| Ok((row.get(0)?, row.get(1)?)))?
        .collect::<Result<_>>()?;
    let mut end = conn.prepare_cached(
        "UPDATE episode SET remedied_unix_ms = max(?2, shown_unix_ms), remedy = 'gone' WHERE id = ?1",
    )?;
    for (id, _) in open.iter().filter(|(_, name)| Fault::parse(name).is_some_and(|open| fault.rules_out(open))) {
        end.execute([*id, at.0])?;
    }
    Ok(())
}

/// The check is green: whatever it said is gone.
pub(crate) fn gone(conn: &Connection, at: UnixMs, check: CheckName) -> Result<()> {
    conn.prepare_cached(
        "UPDATE episode SET remedied_unix_ms = max(?2, shown_unix_ms), remedy = 'gone' \
         WHERE name = ?1 AND remedied_unix_ms IS NULL",
    )?
    .execute(params![check.as_str(), at.0])?;
    Ok(())
}

/// A command was run, from `began` on: it ends those whose fix names it. What it looked at itself at its end and found gone
/// went by it.
pub(crate) fn fix_run(conn: &Connection, began: UnixMs, command: &[String]) -> Result<()> {
    let open: Vec<(i64, String)> = conn
        .prepare_cached(
            "SELECT id, fix FROM episode \
             WHERE remedied_unix_ms IS NULL OR remedied_unix_ms >= ?1 AND remedy = 'gone'",
        )?
        .query_map([began.0], |row| Ok((row.get(0)?, row.get(1)?)))?
        .collect::<Result<_>>()?;
    let mut end = conn
        .prepare_cached("UPDATE episode SET remedied_unix_ms = max(?2, shown_unix_ms), remedy = 'fix' WHERE id = ?1")?;
    for (id, _) in open.iter().filter(|(_, fix)| names_command(fix, command)) {
        end.execute([*id, began.0])?;
    }
    Ok(())
}

/// Faults of a check that were first told before a session started, and are not gone since. The row of a start comes before
/// what its gate says; that of a call which another one answered says nothing of a session.
pub(crate) fn stayed(conn: &Connection, check: CheckName, now: UnixMs) -> Result<Vec<Fault>> {
    let names: Vec<String> = conn
        .prepare_cached(
            "SELECT fault FROM episode e WHERE name = ?1 AND remedied_unix_ms IS NULL AND EXISTS ( \
                 SELECT 1 FROM heartbeat h WHERE h.hook = 'session-start' AND h.synthetic = 0 \
                 AND h.started_unix_ms > e.shown_unix_ms AND h.started_unix_ms <= ?2 AND h.outcome IS NOT 'skipped')",
        )?
        .query_map(params![check.as_str(), now.0], |row| row.get(0))?
        .collect::<Result<_>>()?;
    Ok(names.iter().filter_map(|name| Fault::parse(name)).collect())
}

/// Those that were known of at some time from `from` on and before `until`.
pub(crate) fn between(conn: &Connection, from: UnixMs, until: UnixMs) -> Result<Vec<Episode>> {
    conn.prepare_cached(
        "SELECT name, fault, detail, fix, evidence_unix_ms, shown_unix_ms, remedied_unix_ms, remedy FROM episode \
         WHERE shown_unix_ms < ?2 AND (remedied_unix_ms IS NULL OR remedied_unix_ms >= ?1) ORDER BY shown_unix_ms, id",
    )?
    .query_map([from.0, until.0], |row| {
        Ok(Episode {
            check: row.get(0)?,
            fault: row.get(1)?,
            detail: row.get(2)?,
            fix: row.get(3)?,
            evidence: column::time_opt(row, 4)?,
            shown: column::time(row, 5)?,
            remedied: column::time_opt(row, 6)?.zip(column::named_opt(row, 7, Remedy::parse)?),
        })
    })?
    .collect()
}
