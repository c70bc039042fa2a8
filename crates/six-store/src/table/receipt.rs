//! `receipt`: the account of a turn, with the columns that reports ask for beside the whole as JSON.

use rusqlite::{Connection, Result, params};
use six_core::inject::{Emission, Receipt};
use six_core::record::{EventId, HookName, PromptId, UnixMs};
use six_core::telemetry::TelemetryRow;

use super::column;

pub(crate) fn insert(conn: &Connection, event: &EventId, receipt: &Receipt, json: &str) -> Result<()> {
    conn.prepare_cached(
        "INSERT INTO receipt (event_id, session, prompt_id, at_unix_ms, mode, human, silenced, fired, took_us, receipt_json) \
         VALUES (?1, ?2, ?3, ?4, ?5, ?6, ?7, ?8, ?9, ?10)",
    )?
    .execute(params![
        event.as_str(),
        receipt.session.as_str(),
        receipt.prompt_id.as_ref().map(PromptId::as_str),
        receipt.at.0,
        mode(receipt.mode),
        receipt.human,
        receipt.silenced,
        !receipt.blocks.is_empty(),
        column::int(receipt.took_us),
        json
    ])?;
    Ok(())
}

fn mode(mode: Emission) -> &'static str {
    match mode {
        Emission::On => "on",
        Emission::Shadow => "shadow",
        Emission::Off => "off",
    }
}

/// Rows that are older than `before`, from the one after `after` on, in the order in which they were written. Their heartbeats
/// tell which are synthetic.
pub(crate) fn old(
    conn: &Connection,
    before: UnixMs,
    after: Option<i64>,
    limit: usize,
) -> Result<Vec<(i64, TelemetryRow)>> {
    conn.prepare_cached(
        "SELECT r.id, r.at_unix_ms, r.human, r.fired, r.silenced, ifnull(h.synthetic, 0), ifnull(h.hook = ?4, 0) \
         FROM receipt r LEFT JOIN heartbeat h ON h.event_id = r.event_id \
         WHERE r.id > ?1 AND r.at_unix_ms < ?2 ORDER BY r.id LIMIT ?3",
    )?
    .query_map(
        params![after.unwrap_or(i64::MIN), before.0, column::int(limit), HookName::PreToolUse.as_str()],
        |row| {
            let receipt = TelemetryRow::Receipt {
                at: column::time(row, 1)?,
                human: row.get(2)?,
                fired: row.get(3)?,
                silenced: row.get(4)?,
                synthetic: row.get(5)?,
                tool: row.get(6)?,
            };
            Ok((row.get(0)?, receipt))
        },
    )?
    .collect()
}

pub(crate) fn delete(conn: &Connection, id: i64) -> Result<usize> {
    conn.prepare_cached("DELETE FROM receipt WHERE id = ?1")?.execute([id])
}
