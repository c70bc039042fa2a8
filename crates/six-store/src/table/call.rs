//! Calls of hooks that `entry` shows: prompts of a person, and tools that ran. A call counts when its session was seen to start
//! before it: what was before six was, what a fork repeats, and a session that runs no hooks at all owe nothing.

use rusqlite::{Connection, Result, params};
use six_core::record::{HookName, UnixMs};

use super::column;

/// Entries that are looked at, newest first: those of the sessions that are judged, at a bounded cost.
const MOST: usize = 200;

/// In a LIMIT.
const NO_LIMIT: i64 = -1;

/// A person's prompts after `?1` and up to `?2`, newest first. The client's own commands are none. A reason for a refusal
/// stands here too, and what is typed during a turn may get here late, so single ones prove nothing.
const PROMPTS: &str = "SELECT session_id, at_unix_ms FROM entry \
     WHERE kind = 'prompt' AND origin = 'operator' AND at_unix_ms > ?1 AND at_unix_ms <= ?2 \
     ORDER BY at_unix_ms DESC LIMIT ?4";

/// Calls of the tools in `?5` (a JSON list) that went well, and so had passed their hook. One that was refused, interrupted
/// or had wrong arguments may have come to its end before any hook was called.
const TOOLS: &str = "SELECT session_id, at_unix_ms FROM (\
         SELECT session_id, at_unix_ms, title, text FROM entry \
         WHERE kind = 'tool' AND origin = 'agent' AND at_unix_ms > ?1 AND at_unix_ms <= ?2 \
         ORDER BY at_unix_ms DESC LIMIT ?4) \
     WHERE title IN (SELECT value FROM json_each(?5)) AND text LIKE '%→ ok'";

/// When the session `s` was first seen to start.
const STARTED: &str =
    "(SELECT min(b.started_unix_ms) FROM heartbeat b WHERE b.session = s.name AND b.hook = 'session-start')";

/// The same of the version in `?6`: an older one may have been wired to fewer tools, and owes nothing.
const STARTED_BY: &str = "(SELECT min(b.started_unix_ms) FROM heartbeat b WHERE b.session = s.name \
     AND b.hook = 'session-start' AND b.version = ?6)";

/// Who is asked about: calls after the one time and up to the other, of these tools (a list in JSON), in sessions that this
/// version saw start.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Asked<'a> {
    pub(crate) since: UnixMs,
    pub(crate) now: UnixMs,
    pub(crate) tools: &'a str,
    pub(crate) version: &'a str,
}

/// The hook's calls as SQL; `None` for a hook of which transcripts show none.
const fn calls(hook: HookName) -> Option<&'static str> {
    match hook {
        HookName::UserPromptSubmit => Some(PROMPTS),
        HookName::PreToolUse => Some(TOOLS),
        _ => None,
    }
}

/// Of the sessions with calls of `hook`: how many there are, and how many left a row of it, whenever.
pub(crate) fn sessions(conn: &Connection, hook: HookName, asked: Asked<'_>) -> Result<(u64, u64)> {
    let Some(calls) = calls(hook) else { return Ok((0, 0)) };
    conn.prepare_cached(&format!(
        "SELECT count(*), coalesce(sum(EXISTS (SELECT 1 FROM heartbeat h WHERE h.session = s.name AND h.hook = ?3)), 0) \
         FROM (SELECT session_id, max(at_unix_ms) AS newest FROM ({calls}) GROUP BY session_id) \
         JOIN session s ON s.id = session_id WHERE newest > {STARTED_BY} AND ?5 = ?5"
    ))?
    .query_row(
        params![asked.since.0, asked.now.0, hook.as_str(), column::int(MOST), asked.tools, asked.version],
        |row| Ok((column::count(row, 0)?, column::count(row, 1)?)),
    )
}

/// How many calls of `hook` there were at `from` or later and before `until`; `None` for a hook of which transcripts show none.
pub(crate) fn count_between(
    conn: &Connection,
    hook: HookName,
    (from, until): (UnixMs, UnixMs),
    tools: &str,
) -> Result<Option<u64>> {
    let Some(calls) = calls(hook) else { return Ok(None) };
    conn.prepare_cached(&format!(
        "SELECT count(*) FROM ({calls}) JOIN session s ON s.id = session_id \
         WHERE at_unix_ms > {STARTED} AND ?3 = ?3 AND ?5 = ?5"
    ))?
    .query_row(params![from.0.saturating_sub(1), until.0.saturating_sub(1), NO_LIMIT, NO_LIMIT, tools], |row| {
        column::count(row, 0).map(Some)
    })
}

/// How many calls of `hook` there were, up to `limit`.
pub(crate) fn count(conn: &Connection, hook: HookName, asked: Asked<'_>, limit: u64) -> Result<u64> {
    let Some(calls) = calls(hook) else { return Ok(0) };
    conn.prepare_cached(&format!(
        "SELECT count(*) FROM (SELECT 1 FROM ({calls}) JOIN session s ON s.id = session_id \
         WHERE at_unix_ms > {STARTED_BY} AND ?5 = ?5 LIMIT ?3)"
    ))?
    .query_row(
        params![asked.since.0, asked.now.0, column::int(limit), column::int(MOST), asked.tools, asked.version],
        |row| column::count(row, 0),
    )
}
