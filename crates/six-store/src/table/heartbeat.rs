//! `heartbeat`: one row per invocation of a hook or of the worker.

use rusqlite::{Connection, OptionalExtension as _, Result, Row, params};
use six_core::record::{EventId, Heartbeat, HookName, Outcome, OutcomeKind, SessionId, UnixMs};

use super::column;

/// Adds the row; `false` when the event has one already.
pub(crate) fn open(conn: &Connection, beat: &Heartbeat) -> Result<bool> {
    let added = conn
        .prepare_cached(
            "INSERT OR IGNORE INTO heartbeat (event_id, hook, event, session, via, pid, version, started_unix_ms, \
                 deadline_ms, synthetic) VALUES (?1, ?2, ?3, ?4, ?5, ?6, ?7, ?8, ?9, ?10)",
        )?
        .execute(params![
            beat.id.as_str(),
            beat.hook.as_str(),
            beat.event.as_str(),
            beat.session.as_ref().map(SessionId::as_str),
            beat.via.as_str(),
            beat.pid,
            beat.version,
            beat.started.0,
            beat.deadline_ms,
            beat.synthetic
        ])?;
    Ok(added > 0)
}

/// Completes the row; `false` when it has an end already, or is not there.
pub(crate) fn close(conn: &Connection, event: &EventId, outcome: &Outcome) -> Result<bool> {
    let closed = conn
        .prepare_cached(
            "UPDATE heartbeat SET ended_unix_ms = ?2, outcome = ?3, class = ?4, text = ?5, rows_written = ?6, \
                 emitted_bytes = ?7 WHERE event_id = ?1 AND outcome IS NULL",
        )?
        .execute(params![
            event.as_str(),
            outcome.ended.0,
            outcome.kind.as_str(),
            outcome.class,
            outcome.text.as_str(),
            outcome.rows_written,
            outcome.bytes_emitted
        ])?;
    Ok(closed > 0)
}

/// Claims an event's effects: `Some(true)` once, `Some(false)` ever after, `None` without a row.
pub(crate) fn claim_effects(conn: &Connection, event: &EventId) -> Result<Option<bool>> {
    let applied: Option<bool> = conn
        .prepare_cached("SELECT applied FROM heartbeat WHERE event_id = ?1")?
        .query_row([event.as_str()], |row| row.get(0))
        .optional()?;
    if applied == Some(false) {
        conn.prepare_cached("UPDATE heartbeat SET applied = 1 WHERE event_id = ?1")?.execute([event.as_str()])?;
    }
    Ok(applied.map(|done| !done))
}

/// A row as health looks at it.
#[derive(Debug)]
pub(crate) struct Seen {
    pub(crate) started: UnixMs,
    pub(crate) deadline_ms: u32,
    pub(crate) pid: u32,
    pub(crate) outcome: Option<OutcomeKind>,
}

/// Rows of a hook, newest first, without synthetic ones and those that a clock dated later than `now`.
pub(crate) fn newest(conn: &Connection, hook: HookName, now: UnixMs, limit: usize) -> Result<Vec<Seen>> {
    conn.prepare_cached(
        "SELECT started_unix_ms, deadline_ms, pid, outcome FROM heartbeat WHERE hook = ?1 AND synthetic = 0 \
         AND started_unix_ms <= ?3 ORDER BY started_unix_ms DESC, id DESC LIMIT ?2",
    )?
    .query_map(params![hook.as_str(), column::int(limit), now.0], |row| {
        Ok(Seen {
            started: column::time(row, 0)?,
            deadline_ms: column::small(row, 1)?,
            pid: column::small(row, 2)?,
            outcome: outcome(row, 3)?,
        })
    })?
    .collect()
}

/// When a hook last ended in one of these ways, and what it said.
pub(crate) fn newest_ended(conn: &Connection, hook: HookName, ok: bool) -> Result<Option<(UnixMs, String)>> {
    let ways = if ok { "'ok', 'skipped'" } else { "'failed', 'timed-out'" };
    conn.prepare_cached(&format!(
        "SELECT started_unix_ms, class, text FROM heartbeat \
         WHERE hook = ?1 AND synthetic = 0 AND outcome IN ({ways}) ORDER BY started_unix_ms DESC, id DESC LIMIT 1"
    ))?
    .query_row([hook.as_str()], |row| {
        let class = row.get_ref(1)?.as_str()?;
        let text = row.get_ref(2)?.as_str()?;
        let said = if text.is_empty() { class.to_owned() } else { format!("{class}: {text}") };
        Ok((column::time(row, 0)?, said))
    })
    .optional()
}

/// Rows of a hook that started after `since`.
pub(crate) fn count_after(conn: &Connection, hook: HookName, since: UnixMs) -> Result<u64> {
    conn.prepare_cached("SELECT count(*) FROM heartbeat WHERE hook = ?1 AND started_unix_ms > ?2 AND synthetic = 0")?
        .query_row(params![hook.as_str(), since.0], |row| column::count(row, 0))
}

/// Days (UTC) on or after that of `since` with a row.
pub(crate) fn active_days(conn: &Connection, since: UnixMs) -> Result<u32> {
    conn.prepare_cached(
        "SELECT count(DISTINCT started_unix_ms / ?2) FROM heartbeat WHERE started_unix_ms >= ?1 AND synthetic = 0",
    )?
    .query_row(params![since.0, UnixMs::DAY_MS], |row| column::small(row, 0))
}

fn outcome(row: &Row<'_>, column: usize) -> Result<Option<OutcomeKind>> {
    match row.get_ref(column)?.as_str_or_null()? {
        None => Ok(None),
        Some(_) => column::named(row, column, OutcomeKind::parse).map(Some),
    }
}
