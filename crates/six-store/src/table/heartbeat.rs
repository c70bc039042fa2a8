//! `heartbeat`: one row per invocation of a hook or of the worker.

use std::collections::HashSet;

use rusqlite::{Connection, OptionalExtension as _, Result, Row, params};
use six_core::health::ActiveDays;
use six_core::record::{EventId, Heartbeat, HookName, Outcome, OutcomeKind, SessionId, UnixMs};
use six_core::telemetry::{Invocation, TelemetryRow};

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
                 emitted_bytes = ?7, took_us = ?8 WHERE event_id = ?1 AND outcome IS NULL",
        )?
        .execute(params![
            event.as_str(),
            outcome.ended.0,
            outcome.kind.as_str(),
            outcome.class,
            outcome.text.as_str(),
            outcome.rows_written,
            outcome.bytes_emitted,
            outcome.took_us.map(column::int)
        ])?;
    Ok(closed > 0)
}

/// Adds the completed row of a part of an event: it belongs to the session and process of the event, and began with it.
pub(crate) fn insert_part(conn: &Connection, event: &EventId, part: HookName, outcome: &Outcome) -> Result<bool> {
    let added = conn
        .prepare_cached(
            "INSERT OR IGNORE INTO heartbeat (event_id, hook, event, session, via, pid, version, started_unix_ms, \
                 deadline_ms, synthetic, ended_unix_ms, outcome, class, text, rows_written, emitted_bytes, took_us, applied) \
             SELECT event_id || '.' || ?2, ?2, event, session, via, pid, version, started_unix_ms, \
                 deadline_ms, synthetic, ?3, ?4, ?5, ?6, ?7, ?8, ?9, 1 FROM heartbeat WHERE event_id = ?1",
        )?
        .execute(params![
            event.as_str(),
            part.as_str(),
            outcome.ended.0,
            outcome.kind.as_str(),
            outcome.class,
            outcome.text.as_str(),
            outcome.rows_written,
            outcome.bytes_emitted,
            outcome.took_us.map(column::int)
        ])?;
    Ok(added > 0)
}

/// Ends every row that has no end, as cancelled: how what they stand for ended is not in this file.
pub(crate) fn end_open(conn: &Connection, now: UnixMs) -> Result<usize> {
    conn.execute(
        "UPDATE heartbeat SET ended_unix_ms = max(started_unix_ms, ?1), outcome = ?2, class = 'restored', text = '', \
             rows_written = 0, emitted_bytes = 0 WHERE outcome IS NULL",
        params![now.0, OutcomeKind::Cancelled.as_str()],
    )
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
    pub(crate) session: Option<SessionId>,
    pub(crate) started: UnixMs,
    pub(crate) deadline_ms: u32,
    pub(crate) pid: u32,
    pub(crate) outcome: Option<OutcomeKind>,
    pub(crate) class: String,
}

/// Rows of a hook, newest first, without synthetic ones and those that a clock dated later than `now`.
pub(crate) fn newest(conn: &Connection, hook: HookName, now: UnixMs, limit: usize) -> Result<Vec<Seen>> {
    conn.prepare_cached(
        "SELECT session, started_unix_ms, deadline_ms, pid, outcome, ifnull(class, '') FROM heartbeat \
         WHERE hook = ?1 AND synthetic = 0 AND started_unix_ms <= ?3 ORDER BY started_unix_ms DESC, id DESC LIMIT ?2",
    )?
    .query_map(params![hook.as_str(), column::int(limit), now.0], seen)?
    .collect()
}

/// From the first six columns of [`newest`].
fn seen(row: &Row<'_>) -> Result<Seen> {
    Ok(Seen {
        session: column::session_opt(row, 0)?,
        started: column::time(row, 1)?,
        deadline_ms: column::small(row, 2)?,
        pid: column::small(row, 3)?,
        outcome: outcome(row, 4)?,
        class: row.get(5)?,
    })
}

/// When a session last started at or before `by`.
pub(crate) fn session_started(conn: &Connection, session: &SessionId, by: UnixMs) -> Result<Option<UnixMs>> {
    conn.prepare_cached(
        "SELECT max(started_unix_ms) FROM heartbeat WHERE session = ?1 AND hook = 'session-start' AND started_unix_ms <= ?2",
    )?
    .query_row(params![session.as_str(), by.0], |row| column::time_opt(row, 0))
}

/// An ended row with what its turn's account says.
#[derive(Debug)]
pub(crate) struct Ended {
    pub(crate) outcome: OutcomeKind,
    pub(crate) class: String,
    pub(crate) text: String,
    pub(crate) version: String,
    pub(crate) deadline_ms: u32,
    pub(crate) has_receipt: bool,
    pub(crate) silenced: Option<String>,
}

/// Ended rows of a hook from `since` on, newest first.
pub(crate) fn ended_since(
    conn: &Connection,
    hook: HookName,
    since: UnixMs,
    now: UnixMs,
    limit: usize,
) -> Result<Vec<Ended>> {
    conn.prepare_cached(
        "SELECT h.outcome, ifnull(h.class, ''), ifnull(h.text, ''), h.version, h.deadline_ms, r.id IS NOT NULL, r.silenced \
         FROM heartbeat h LEFT JOIN receipt r ON r.event_id = h.event_id \
         WHERE h.hook = ?1 AND h.synthetic = 0 AND h.started_unix_ms >= ?2 AND h.started_unix_ms <= ?3 \
         AND h.outcome IS NOT NULL ORDER BY h.started_unix_ms DESC LIMIT ?4",
    )?
    .query_map(params![hook.as_str(), since.0, now.0, column::int(limit)], |row| {
        Ok(Ended {
            outcome: column::named(row, 0, OutcomeKind::parse)?,
            class: row.get(1)?,
            text: row.get(2)?,
            version: row.get(3)?,
            deadline_ms: column::small(row, 4)?,
            has_receipt: row.get(5)?,
            silenced: row.get(6)?,
        })
    })?
    .collect()
}

/// Of the starts of sessions from `since` on that ended well, were this version's, and came after a first row of `part`: how
/// many there are, and how many have theirs.
pub(crate) fn starts_with(
    conn: &Connection,
    part: HookName,
    since: UnixMs,
    now: UnixMs,
    version: &str,
) -> Result<(u64, u64)> {
    conn.prepare_cached(
        "SELECT count(*), \
             coalesce(sum(EXISTS (SELECT 1 FROM heartbeat g WHERE g.event_id = h.event_id || '.' || ?4)), 0) \
         FROM heartbeat h WHERE h.hook = 'session-start' AND h.synthetic = 0 \
         AND h.started_unix_ms >= ?1 AND h.started_unix_ms <= ?2 AND h.outcome = 'ok' AND h.version = ?3 \
         AND h.started_unix_ms > \
             (SELECT min(g.started_unix_ms) FROM heartbeat g WHERE g.hook = ?4 AND g.synthetic = 0)",
    )?
    .query_row(params![since.0, now.0, version, part.as_str()], |row| {
        Ok((column::count(row, 0)?, column::count(row, 1)?))
    })
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

/// Days (UTC) with a row that started at or after `since`. Leaps from the first row of one day to that of the next.
pub(crate) fn active_days(conn: &Connection, since: UnixMs) -> Result<ActiveDays> {
    let began = conn
        .prepare_cached(
            "WITH RECURSIVE day (began) AS (\
                 SELECT min(started_unix_ms) FROM heartbeat WHERE started_unix_ms >= ?1 AND synthetic = 0 \
                 UNION ALL \
                 SELECT (SELECT min(started_unix_ms) FROM heartbeat \
                         WHERE started_unix_ms >= (began / ?2 + 1) * ?2 AND synthetic = 0) \
                 FROM day WHERE began IS NOT NULL) \
             SELECT began FROM day WHERE began IS NOT NULL",
        )?
        .query_map(params![since.0, UnixMs::DAY_MS], |row| column::time(row, 0))?
        .collect::<Result<_>>()?;
    Ok(ActiveDays { began })
}

fn outcome(row: &Row<'_>, column: usize) -> Result<Option<OutcomeKind>> {
    match row.get_ref(column)?.as_str_or_null()? {
        None => Ok(None),
        Some(_) => column::named(row, column, OutcomeKind::parse).map(Some),
    }
}

/// Rows of a hook that began at `from` or later and before `until`, without synthetic ones: when, what came of it, and what it
/// said.
pub(crate) fn each_between(
    conn: &Connection,
    hook: HookName,
    (from, until): (UnixMs, UnixMs),
    unended: &dyn Fn(&Seen) -> Invocation<'static>,
    mut each: impl FnMut(UnixMs, Invocation<'_>, &str),
) -> Result<()> {
    let mut stmt = conn.prepare_cached(
        "SELECT session, started_unix_ms, deadline_ms, pid, outcome, ifnull(class, ''), ended_unix_ms, took_us, \
             ifnull(rows_written, 0), ifnull(emitted_bytes, 0), ifnull(text, '') FROM heartbeat \
         WHERE hook = ?1 AND synthetic = 0 AND started_unix_ms >= ?2 AND started_unix_ms < ?3",
    )?;
    let mut rows = stmt.query(params![hook.as_str(), from.0, until.0])?;
    while let Some(row) = rows.next()? {
        let started = column::time(row, 1)?;
        let invocation = match outcome(row, 4)? {
            None => unended(&seen(row)?),
            Some(kind) => Invocation::Ended {
                kind,
                class: row.get_ref(5)?.as_str()?,
                took_us: took_us(row, started)?,
                rows_written: column::count(row, 8)?,
                bytes_emitted: column::count(row, 9)?,
            },
        };
        each(started, invocation, row.get_ref(10)?.as_str()?);
    }
    Ok(())
}

/// As measured; where it was not, by the times, which tell nothing when the clock was set back meanwhile.
fn took_us(row: &Row<'_>, started: UnixMs) -> Result<Option<u64>> {
    if let Some(took) = row.get::<_, Option<i64>>(7)? {
        return Ok(u64::try_from(took).ok());
    }
    let ms = column::time_opt(row, 6)?.and_then(|ended| u64::try_from(ended.0.saturating_sub(started.0)).ok());
    Ok(ms.map(|ms| ms.saturating_mul(1000)))
}

/// Synthetic rows of a hook that began at `from` or later and before `until`.
pub(crate) fn synthetic_between(conn: &Connection, hook: HookName, from: UnixMs, until: UnixMs) -> Result<u64> {
    conn.prepare_cached(
        "SELECT count(*) FROM heartbeat \
         WHERE hook = ?1 AND synthetic = 1 AND started_unix_ms >= ?2 AND started_unix_ms < ?3",
    )?
    .query_row(params![hook.as_str(), from.0, until.0], |row| column::count(row, 0))
}

/// Rows that began before `before`, from the one after `after` on, in the order in which they were written.
pub(crate) fn old(
    conn: &Connection,
    before: UnixMs,
    after: Option<i64>,
    limit: usize,
) -> Result<Vec<(i64, TelemetryRow)>> {
    conn.prepare_cached(
        "SELECT id, hook, started_unix_ms, ifnull(started_unix_ms + took_us / 1000, ended_unix_ms), outcome, \
             ifnull(class, ''), ifnull(rows_written, 0), synthetic \
         FROM heartbeat WHERE id > ?1 AND started_unix_ms < ?2 ORDER BY id LIMIT ?3",
    )?
    .query_map(params![after.unwrap_or(i64::MIN), before.0, column::int(limit)], |row| {
        let ended = match (column::time_opt(row, 3)?, row.get::<_, Option<String>>(4)?) {
            (Some(ended), Some(outcome)) => Some((ended, outcome, row.get(5)?)),
            _ => None,
        };
        let beat = TelemetryRow::Heartbeat {
            hook: row.get(1)?,
            started: column::time(row, 2)?,
            ended,
            rows_written: column::count(row, 6)?,
            synthetic: row.get(7)?,
        };
        Ok((row.get(0)?, beat))
    })?
    .collect()
}

/// Of the rows that began before `before`, those that are asked for for ever: of each hook the newest that ended in each
/// way, the last one of each day ([`active_days`]), and all of sessions that went on later, which must count as seen.
pub(crate) fn needed(conn: &Connection, before: UnixMs) -> Result<HashSet<i64>> {
    conn.prepare_cached(
        "SELECT id FROM (SELECT id, \
             row_number() OVER (PARTITION BY hook, outcome ORDER BY started_unix_ms DESC, id DESC) AS of_end, \
             row_number() OVER (PARTITION BY started_unix_ms / ?2 ORDER BY started_unix_ms DESC, id DESC) AS of_day \
             FROM heartbeat WHERE synthetic = 0 AND started_unix_ms < ?1) WHERE of_end = 1 OR of_day = 1 \
         UNION SELECT h.id FROM session s JOIN heartbeat h ON h.session = s.name \
             WHERE h.started_unix_ms < ?1 AND (s.last_unix_ms IS NULL OR s.last_unix_ms >= ?1)",
    )?
    .query_map([before.0, UnixMs::DAY_MS], |row| row.get(0))?
    .collect()
}

pub(crate) fn delete(conn: &Connection, id: i64) -> Result<usize> {
    conn.prepare_cached("DELETE FROM heartbeat WHERE id = ?1")?.execute([id])
}

#[cfg(test)]
mod tests {
    use std::collections::BTreeSet;
    use std::sync::{Arc, Mutex};

    use rusqlite::trace::{TraceEvent, TraceEventCodes};
    use six_core::effect::Effect;
    use six_core::health::{CheckName, Fault, Judged};
    use six_core::ingest::{Mode, SessionSeen, StartTrace};
    use six_core::inject::{CandidateQuery, TouchedQuery};
    use six_core::record::{Boundary, Edge, Entry, EntryKind, RecordId, Source};

    use super::*;
    use crate::testkit::{self, NOW, Scratch, answer, batch, prompt, text};
    use crate::{Access, Process, Store};

    /// What a start leaves besides its boundary: a check that is red, one that is green, a block that may be compared.
    fn shown_at_a_start() -> Vec<Effect> {
        let session = SessionId::new("s1");
        let judged = |check, fault| Judged { check, fault, detail: text("d"), fix: text("f"), since: Some(NOW) };
        let said = vec![judged(CheckName::Queue, Some(Fault::QueueLong)), judged(CheckName::Store, None)];
        let shown = Effect::Render {
            session: session.clone(),
            at: NOW,
            hash: "h".into(),
            corpus: "1:c".into(),
            over: String::new(),
            units: 9,
            line: String::new(),
        };
        vec![
            Effect::ForgetDeliveries { session },
            Effect::Judged { at: NOW, said },
            shown,
            Effect::Served { records: vec![RecordId::new("c1")], at: NOW },
        ]
    }

    /// All that hooks ask and write, at every kind of event.
    fn run_hooks(store: &Store) {
        let start = Boundary { session: SessionId::new("s1"), edge: Edge::Start, detail: text("startup"), at: NOW };
        for (n, hook) in HookName::ALL.into_iter().enumerate() {
            let beat = Heartbeat {
                outcome: Some(testkit::outcome(OutcomeKind::Failed)),
                ..testkit::heartbeat(&n.to_string(), hook)
            };
            store.replay(&beat, &[Effect::Boundary(start.clone())]).unwrap();
            let beat = testkit::heartbeat(&format!("a{n}"), hook);
            store.open_heartbeat(&beat).unwrap();
            store.apply(&beat.id, &shown_at_a_start(), NOW).unwrap();
            store.close_heartbeat(&beat.id, &testkit::outcome(OutcomeKind::Ok)).unwrap();
        }
        store.gather_hooks(&testkit::watch(NOW, &|_| Process::Gone)).unwrap();
        store.gather_unseen_sessions(NOW).unwrap();
        store.gather_stayed(NOW).unwrap();
        store.gather_store_facts().unwrap();
        store.gather_ingest().unwrap();
        store.gather_queue().unwrap();
        store.gather_lineage().unwrap();
        store.gather_render(NOW).unwrap();
        store.active_days(NOW).unwrap();
        store.last_boundary(NOW).unwrap();
        store.is_first_run(NOW).unwrap();
        store.is_extraction_left(3).unwrap();
        store.file_states(Source::Transcript).unwrap();
        store.boundaries_since_embedding(NOW).unwrap();
        store.gather_start(&SessionId::new("s1"), 5, 3).unwrap();
        let terms = vec!["outbox".to_owned()];
        let query = CandidateQuery {
            terms,
            kinds: vec![EntryKind::Decision],
            limit: 5,
            topics: Vec::new(),
            threads: 5,
            rare_idf: 3.0,
            small_corpus: 50,
            sent: six_core::inject::SentPrompt::default(),
            meaning: None,
        };
        store.gather_candidates(&query, &SessionId::new("s1"), |_, _| Err("not asked")).unwrap();
        store.is_muted(&SessionId::new("s1"), NOW).unwrap();
        let query = TouchedQuery {
            terms: vec!["outbox".to_owned()],
            programs: vec!["npm".to_owned()],
            path: Some(text("src/a.rs")),
            kinds: vec![EntryKind::DeadEnd],
            limit: 5,
            rare_idf: 3.0,
            small_corpus: 50,
        };
        store.gather_touched(&query, &SessionId::new("s1")).unwrap();
    }

    /// Tables that a hook may read from one end to the other: which, words of the question that does it, and why it may.
    const BOUNDED: &[(&str, &str, &str)] = &[
        ("body", "count(*) FROM body", "parity is of counts, and a count reads the smallest index"),
        ("body_fts_docsize", "count(*)", "the other side of the parity"),
        ("body_fts", "MATCH", "a search is what the index is for"),
        ("source_file", "WHERE fails > 0", "all files are looked at on the disk at that start anyway"),
        ("entry", "kind = 'memory'", "memory files are few, and have an index of their own"),
        ("render", "ORDER BY id DESC LIMIT", "it ends at the limit"),
        ("thread", "ORDER BY created_unix_ms DESC LIMIT", "people name threads one by one"),
        ("lineage", "", "one row of a thread"),
        ("batch", "author = ?1", "people triage in batches"),
        ("session", "LEFT JOIN extraction", "two look-ups of a session: 5 ms with ten thousand of them"),
        ("boundary", "LEFT JOIN extraction", "the names of these sessions"),
    ];

    /// The tables of the store, those of the full-text index included.
    fn tables(s: &Scratch) -> BTreeSet<String> {
        let mut stmt = s.store.conn.prepare("SELECT name FROM sqlite_master WHERE type = 'table'").unwrap();
        stmt.query_map([], |row| row.get(0)).unwrap().collect::<Result<_>>().unwrap()
    }

    /// The table that goes by that name in a statement.
    fn table_of<'a>(alias: &'a str, sql: &'a str) -> &'a str {
        let words: Vec<_> = sql.split([' ', '(', ')', ',']).filter(|word| !word.is_empty()).collect();
        let named = words.windows(3).find(|three| matches!(three[0], "FROM" | "JOIN") && three[2] == alias);
        named.map_or(alias, |three| three[1])
    }

    #[test]
    fn nothing_that_a_hook_asks_gets_slower_with_every_prompt() {
        let s = Scratch::new();
        let answer =
            Entry { session: Some(SessionId::new("s1")), at: Some(UnixMs(NOW.0 + 2)), ..answer("a1", "Done.") };
        let mut told = batch(Source::Transcript, "t", Mode::Append, vec![prompt("u1", "build the outbox"), answer]);
        told.sessions = vec![SessionSeen {
            id: SessionId::new("s1"),
            first: Some(UnixMs(NOW.0 + 1)),
            last: None,
            client: String::new(),
            entrypoint: String::new(),
            prompts: 1,
            start: StartTrace::Nothing,
        }];
        s.store.commit(&told).unwrap();
        s.store.full_check(NOW).unwrap();
        let tables = tables(&s);
        let mut hook = s.open(Access::Hook);
        let asked = Arc::new(Mutex::new(BTreeSet::new()));
        let heard = Arc::clone(&asked);
        let note = move |event: TraceEvent<'_>| {
            if let TraceEvent::Stmt(_, sql) = event {
                heard.lock().unwrap().insert(sql.to_owned());
            }
        };
        hook.conn.trace_v2(TraceEventCodes::SQLITE_TRACE_STMT, Some(note)).unwrap();
        run_hooks(&hook);
        drop(hook);
        let mut looked_up = 0;
        for sql in asked.lock().unwrap().iter() {
            // Parameters stay unbound: the plan does not depend on them. What the full-text index asks itself has no plan here.
            let Ok(mut stmt) = s.store.conn.prepare(&format!("EXPLAIN QUERY PLAN {sql}")) else { continue };
            let plan: Vec<String> = stmt.raw_query().mapped(|row| row.get("detail")).collect::<Result<_>>().unwrap();
            let scanned = plan.iter().filter_map(|step| step.strip_prefix("SCAN ")?.split(' ').next());
            for table in scanned.map(|alias| table_of(alias, sql)) {
                let is_bounded = BOUNDED.iter().any(|(bounded, asked, _)| *bounded == table && sql.contains(asked));
                assert!(is_bounded || !tables.contains(table), "{table}: {sql}\n{plan:#?}");
            }
            let sorted = plan.iter().any(|step| step.contains("FOR ORDER BY"));
            assert!(!sorted || !sql.contains("FROM heartbeat WHERE"), "{sql}\n{plan:#?}");
            looked_up += plan.iter().filter(|step| step.starts_with("SEARCH ")).count();
        }
        assert!(looked_up >= 60, "the questions were seen at all: {looked_up}");
    }
}
