//! What the check of the hooks needs from the store.

use rusqlite::Connection;
use six_core::health::{CheckName, Fault, HealthEvidence, HookSeen, NewestRow, Runs};
use six_core::record::{Family, HookName, IDLE, OutcomeKind, SessionId, UnixMs};

use crate::error::Result;
use crate::open::Store;
use crate::roll_up::KEPT_MS;
use crate::table::call::Asked;
use crate::table::{boundary, call, episode, heartbeat, session};

/// What is known of a process by its number.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Process {
    /// There is none.
    Gone,
    /// There is one, and whose it is nobody can tell: numbers are given again.
    Some,
    /// It is one of six's.
    Ours,
}

/// Who asks, and what only the outside knows.
#[derive(Clone, Copy)]
pub struct Watch<'a> {
    /// When.
    pub now: UnixMs,
    /// The version of this binary: what an older one left owes nothing that came later.
    pub version: &'a str,
    /// Names of the tools that the host calls the hook before.
    pub tools: &'a [&'a str],
    /// Looks a process up.
    pub process: &'a dyn Fn(u32) -> Process,
}

impl std::fmt::Debug for Watch<'_> {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_struct("Watch").field("now", &self.now).field("version", &self.version).finish_non_exhaustive()
    }
}

/// Rows of a hook that are looked at for one that has ended; more than this never run at once.
const NEWEST: usize = 32;

/// Starts that are looked at: the last one and the one before it.
const STARTS: usize = 2;

/// Milliseconds after its deadline from which a row without an end is a crash, where nobody can tell whose process has its
/// number now.
const OVERDUE_MS: i64 = 60_000;

/// Runs of a hook that are counted, the newest ones.
const RUNS: usize = 200;

/// The host writes what a person said beside starting the hook; a hook of another program may hold it up. What came so soon
/// after a row may be what the row answered.
const BESIDE_MS: i64 = 60_000;

/// Accounts of turns in which something was looked up: those that say nothing of why it was not, and this one.
const LOOKED: &str = "nothing-known";

impl Store {
    /// What was seen of every hook; `wired` is for the caller to fill.
    pub fn gather_hooks(&self, watch: &Watch<'_>) -> Result<Vec<HookSeen>> {
        self.read(|conn| {
            let windows = Windows::of(conn, watch.now)?;
            HookName::ALL.into_iter().map(|hook| hook_seen(conn, hook, &windows, watch)).collect()
        })
    }

    /// Sessions that began after the start before the last and left no heartbeat, newest first and up to
    /// [`HealthEvidence::UNSEEN_MAX`]. Before the first start there
    /// is none: what was there before six was is nobody's fault.
    pub fn gather_unseen_sessions(&self, now: UnixMs) -> Result<Vec<SessionId>> {
        self.read(|conn| match boundary::newest_starts(conn, now, 2)?.pop() {
            Some(since) => Ok(session::without_heartbeat(conn, since, now, HealthEvidence::UNSEEN_MAX)?),
            None => Ok(Vec::new()),
        })
    }

    /// Faults of the hooks that stayed although a session has started since they were first told.
    pub fn gather_stayed(&self, now: UnixMs) -> Result<Vec<Fault>> {
        self.read(|conn| Ok(episode::stayed(conn, CheckName::Heartbeats, now)?))
    }
}

/// Since when the rows are asked about that the checks of sessions need: the start before the last, or the only one; where
/// none has started, the last end. One start earlier than the last, because what a session without hooks left is read only
/// after the next has started.
pub(crate) fn judged_since(conn: &Connection, now: UnixMs) -> rusqlite::Result<Option<UnixMs>> {
    match boundary::newest_starts(conn, now, 2)?.pop() {
        Some(start) => Ok(Some(start)),
        None => boundary::last(conn, now),
    }
}

/// Since when hooks are judged; `None` before the first start.
struct Windows {
    /// The last starts, newest first.
    starts: Vec<UnixMs>,
    /// By what transcripts show.
    transcripts: Option<UnixMs>,
    /// The first moment of which their own rows are judged. A start that asks judges the last one with its gate, whose rows
    /// have the start's own time; who asks later judges what came after the start before the last, as the last one did.
    rows: Option<UnixMs>,
}

impl Windows {
    fn of(conn: &Connection, now: UnixMs) -> Result<Self> {
        let starts = boundary::newest_starts(conn, now, STARTS)?;
        let transcripts = starts.last().copied();
        let running = heartbeat::newest(conn, HookName::SessionStart, now, 1)?.pop();
        let is_this_start = running.is_some_and(|row| starts.first().is_some_and(|last| row.started > *last));
        let rows = if is_this_start {
            starts.first().copied()
        } else {
            transcripts.map(|start| UnixMs(start.0.saturating_add(1)))
        };
        Ok(Self { starts, transcripts, rows })
    }

    fn starts_after(&self, at: UnixMs) -> u64 {
        self.starts.iter().filter(|start| **start > at).fold(0, |count, _| count + 1)
    }
}

fn hook_seen(conn: &Connection, hook: HookName, windows: &Windows, watch: &Watch<'_>) -> Result<HookSeen> {
    let rows = heartbeat::newest(conn, hook, watch.now, NEWEST)?;
    let heard = rows.first();
    let (due, called) = due(conn, hook, windows, heard, watch)?;
    let newest = rows.iter().find(|row| has_ended(hook, row, watch));
    let runs = match windows.rows {
        Some(since) => count_runs(hook, &heartbeat::ended_since(conn, hook, since, watch.now, RUNS)?, watch.version),
        None => Runs::default(),
    };
    Ok(HookSeen {
        newest: newest.map(|row| NewestRow { started: row.started, family: Family::of(row.outcome, &row.class) }),
        starts_since: newest.map_or(0, |row| windows.starts_after(row.started)),
        error: heartbeat::newest_ended(conn, hook, false)?.map(|(_, said)| said).unwrap_or_default(),
        due,
        called,
        unanswered: unanswered(conn, hook, windows, heard, watch)?,
        runs,
        overran_in_a_row: overran_in_a_row(&rows),
        ..HookSeen::unseen(hook)
    })
}

/// Whether a row is one to judge: it has an end, or never will.
fn has_ended(hook: HookName, row: &heartbeat::Seen, watch: &Watch<'_>) -> bool {
    if row.outcome.is_some() {
        return true;
    }
    // That of a start comes with its end; one without is that of a person who did not wait.
    if hook == HookName::Gate {
        return false;
    }
    !is_running(row, watch)
}

/// Whether the process of a row without an end still works.
pub(crate) fn is_running(row: &heartbeat::Seen, watch: &Watch<'_>) -> bool {
    let until = row.started.0.saturating_add(i64::from(row.deadline_ms)).saturating_add(OVERDUE_MS);
    match (watch.process)(row.pid) {
        Process::Gone => false,
        Process::Some => watch.now.0 <= until,
        Process::Ours => true,
    }
}

/// What had to call the hook, and how much of it did. An end leaves no record in a transcript, a turn that was interrupted has
/// none, and a session without calls of tools is none that lacks them.
fn due(
    conn: &Connection,
    hook: HookName,
    windows: &Windows,
    heard: Option<&heartbeat::Seen>,
    watch: &Watch<'_>,
) -> Result<(u64, u64)> {
    let now = watch.now;
    Ok(match (hook, windows.rows, windows.transcripts) {
        (HookName::Gate | HookName::Render, Some(since), _) => {
            heartbeat::starts_with(conn, hook, since, now, watch.version)?
        }
        (HookName::SessionStart, _, Some(since)) => session::begun_after(conn, hook, since, now)?,
        (HookName::UserPromptSubmit | HookName::PreToolUse, _, Some(since)) => {
            let since = unheard_since(conn, since, heard, now)?;
            call::sessions(conn, hook, Asked { since, now, tools: &tools(watch), version: watch.version })?
        }
        _ => (0, 0),
    })
}

/// Since when a hook's silence is news. A row of a session that began later clears what was before it; without any row since
/// then, the silence is as old as the newest one.
fn unheard_since(conn: &Connection, since: UnixMs, heard: Option<&heartbeat::Seen>, now: UnixMs) -> Result<UnixMs> {
    let Some(heard) = heard else { return Ok(since) };
    if heard.started < since {
        return Ok(beside(heard).min(since).max(oldest_asked(since, now)));
    }
    let began = match &heard.session {
        Some(session) => heartbeat::session_started(conn, session, heard.started)?,
        None => None,
    };
    Ok(began.map_or(since, |began| began.max(since)))
}

/// Up to when what transcripts show may be what a row answered.
const fn beside(heard: &heartbeat::Seen) -> UnixMs {
    UnixMs(heard.started.0.saturating_add(BESIDE_MS))
}

/// Rows of sessions from there on are never rolled up.
fn oldest_asked(since: UnixMs, now: UnixMs) -> UnixMs {
    since.min(UnixMs(now.0.saturating_sub(KEPT_MS)))
}

fn unanswered(
    conn: &Connection,
    hook: HookName,
    windows: &Windows,
    heard: Option<&heartbeat::Seen>,
    watch: &Watch<'_>,
) -> Result<u64> {
    let (Some(heard), Some(since)) = (heard, windows.transcripts) else { return Ok(0) };
    let since = beside(heard).max(oldest_asked(since, watch.now));
    let asked = Asked { since, now: watch.now, tools: &tools(watch), version: watch.version };
    Ok(call::count(conn, hook, asked, HookSeen::UNANSWERED_MAX)?)
}

/// The names as a list in JSON.
pub(crate) fn tools(watch: &Watch<'_>) -> String {
    serde_json::json!(watch.tools).to_string()
}

/// Of the rows, newest first, those that used their time up before one came to another end. What was cancelled or goes on
/// says nothing either way.
fn overran_in_a_row(rows: &[heartbeat::Seen]) -> u64 {
    let ends = rows.iter().filter_map(|row| row.outcome).filter(|kind| *kind != OutcomeKind::Cancelled);
    ends.take_while(|kind| *kind == OutcomeKind::TimedOut).fold(0, |count, _| count + 1)
}

fn count_runs(hook: HookName, rows: &[heartbeat::Ended], version: &str) -> Runs {
    let mut runs = Runs::default();
    for row in rows {
        let family = Family::of(Some(row.outcome), &row.class);
        if family == Family::Cancelled {
            continue;
        }
        runs.ended += 1;
        runs.deadline_ms = runs.deadline_ms.max(row.deadline_ms);
        runs.overran += u64::from(family == Family::Deadline);
        if !matches!(family, Family::Ok | Family::Degraded) {
            continue;
        }
        let looked = match hook {
            HookName::UserPromptSubmit => row.silenced.as_deref().is_none_or(|why| why == LOOKED) && row.has_receipt,
            HookName::PreToolUse => row.class != IDLE,
            _ => false,
        };
        runs.looked += u64::from(looked);
        if looked && family == Family::Degraded {
            runs.degraded += 1;
            if runs.degraded_by.is_empty() {
                runs.degraded_by.clone_from(&row.text);
            }
        }
        if hook == HookName::UserPromptSubmit && row.version == version {
            runs.answered += 1;
            runs.unaccounted += u64::from(!row.has_receipt);
        }
    }
    runs
}

#[cfg(test)]
mod tests;
