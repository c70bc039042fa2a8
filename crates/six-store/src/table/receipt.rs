//! `receipt`: the account of a turn, with the columns that reports ask for beside the whole as JSON.

use rusqlite::{Connection, OptionalExtension as _, Result, params};
use six_core::inject::Receipt;
use six_core::record::{EventId, HookName, OutcomeKind, PromptId, SessionId, UnixMs};
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
        receipt.mode.as_str(),
        receipt.human,
        receipt.silenced,
        !receipt.blocks.is_empty(),
        column::int(receipt.took_us),
        json
    ])?;
    Ok(())
}

/// The newest account of a session, as it was written.
pub(crate) fn newest_of_session(conn: &Connection, session: &SessionId) -> Result<Option<String>> {
    conn.prepare_cached(
        "SELECT receipt_json FROM receipt WHERE session = ?1 ORDER BY at_unix_ms DESC, id DESC LIMIT 1",
    )?
    .query_row([session.as_str()], |row| row.get(0))
    .optional()
}

/// The accounts of the prompts that people sent last, as they were written, newest first. What a tool was asked is none.
pub(crate) fn newest_prompts(conn: &Connection, limit: usize) -> Result<Vec<String>> {
    conn.prepare_cached(
        "SELECT receipt_json FROM receipt WHERE human = 1 AND json_extract(receipt_json, '$.tool') IS NULL \
         ORDER BY id DESC LIMIT ?1",
    )?
    .query_map([column::int(limit)], |row| row.get(0))?
    .collect()
}

/// Why nothing was said on a person's prompt, by the newest account of it.
pub(crate) fn silenced(conn: &Connection, session: &SessionId, prompt: &PromptId) -> Result<Option<String>> {
    conn.prepare_cached(
        "SELECT silenced FROM receipt WHERE session = ?1 AND prompt_id = ?2 AND human = 1 \
         ORDER BY at_unix_ms DESC LIMIT 1",
    )?
    .query_row([session.as_str(), prompt.as_str()], |row| row.get(0))
    .optional()
    .map(Option::flatten)
}

/// A row as it is read back: its number, its event, the account, and what became of the event: how it ended and the bytes
/// that were printed.
pub(crate) type Row = (i64, EventId, Receipt, Option<(OutcomeKind, u32)>);

const ROW: &str = "SELECT r.id, r.event_id, r.receipt_json, h.outcome, h.emitted_bytes \
                   FROM receipt r LEFT JOIN heartbeat h ON h.event_id = r.event_id";

fn row(row: &rusqlite::Row<'_>) -> Result<Row> {
    let ended = match row.get_ref(3)?.as_str_or_null()? {
        None => None,
        Some(_) => Some((column::named(row, 3, OutcomeKind::parse)?, column::small(row, 4)?)),
    };
    Ok((row.get(0)?, EventId::new(row.get::<_, String>(1)?), column::json(row, 2)?, ended))
}

/// The newest rows, of one session or of all.
pub(crate) fn newest(conn: &Connection, session: Option<&SessionId>, limit: usize) -> Result<Vec<Row>> {
    conn.prepare_cached(&format!(
        "{ROW} WHERE ?1 IS NULL OR r.session = ?1 ORDER BY r.at_unix_ms DESC, r.id DESC LIMIT ?2"
    ))?
    .query_map(params![session.map(SessionId::as_str), column::int(limit)], row)?
    .collect()
}

/// The row of that number.
pub(crate) fn numbered(conn: &Connection, id: i64) -> Result<Option<Row>> {
    conn.prepare_cached(&format!("{ROW} WHERE r.id = ?1"))?.query_row([id], row).optional()
}

/// Rows whose event id begins so.
pub(crate) fn of_event(conn: &Connection, prefix: &str, limit: usize) -> Result<Vec<Row>> {
    conn.prepare_cached(&format!("{ROW} WHERE substr(r.event_id, 1, length(?1)) = ?1 ORDER BY r.id LIMIT ?2"))?
        .query_map(params![prefix, column::int(limit)], row)?
        .collect()
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
