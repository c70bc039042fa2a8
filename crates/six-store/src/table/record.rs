//! `record`: curated records of every kind and state.

use rusqlite::{Connection, OptionalExtension as _, Result, Row, params};
use six_core::curate::KnownRecord;
use six_core::inject::{ItemKind, StoryRecord};
use six_core::record::{
    EntryKind, ItemId, Origin, Record, RecordId, RecordKind, RecordState, SessionId, ThreadId, UnixMs,
};
use six_core::session::{CorrectionView, RecordView};
use six_core::text::Redacted;

use super::{anchor, column};

/// All of a record but its id, its anchors and how often it was shown, in the order of [`write`].
const FIELDS: &str = "kind, state, origin, title, body, quote, rejected_json, revive_if, scope, thread_id, \
                      superseded_by, session, turn, created_unix_ms, validated_unix_ms, \
                      evidence, commits_json, source_path, written_by";

/// Values of [`FIELDS`], after the id.
const VALUES: &str = "?2, ?3, ?4, ?5, ?6, ?7, ?8, ?9, ?10, ?11, ?12, ?13, ?14, ?15, ?16, ?17, ?18, ?19, ?20";

/// Adds a record with its anchors; `false` when its id is there already.
pub(crate) fn insert(conn: &Connection, new: &Record, rejected_json: &str, commits_json: &str) -> Result<bool> {
    let sql = format!("INSERT OR IGNORE INTO record (id, {FIELDS}) VALUES (?1, {VALUES})");
    let added = write(conn, &sql, new, rejected_json, commits_json)?;
    if added > 0 {
        anchor::insert_all(conn, &new.id, &new.anchors)?;
    }
    Ok(added > 0)
}

/// Writes a record anew, all but its id and its anchors.
pub(crate) fn update(conn: &Connection, new: &Record, rejected_json: &str, commits_json: &str) -> Result<()> {
    let sql = format!("UPDATE record SET ({FIELDS}) = ({VALUES}) WHERE id = ?1");
    write(conn, &sql, new, rejected_json, commits_json).map(drop)
}

fn write(conn: &Connection, sql: &str, new: &Record, rejected_json: &str, commits_json: &str) -> Result<usize> {
    conn.prepare_cached(sql)?.execute(params![
        new.id.as_str(),
        new.kind.as_str(),
        new.state.as_str(),
        new.origin.as_str(),
        new.title.as_str(),
        new.body.as_str(),
        new.quote.as_str(),
        rejected_json,
        new.revive_if.as_str(),
        new.scope.as_str(),
        new.thread.as_ref().map(ThreadId::as_str),
        new.superseded_by.as_ref().map(RecordId::as_str),
        new.session.as_ref().map(SessionId::as_str),
        new.turn,
        new.created.0,
        new.validated.0,
        new.evidence.as_str(),
        commits_json,
        new.source_path.as_ref().map(Redacted::as_str),
        new.written_by.as_str()
    ])
}

pub(crate) fn one(conn: &Connection, id: &RecordId) -> Result<Option<Record>> {
    let found = conn
        .prepare_cached(&format!("SELECT id, {FIELDS} FROM record WHERE id = ?1"))?
        .query_row([id.as_str()], record)
        .optional()?;
    found.map(|r| with_anchors(conn, r)).transpose()
}

/// State and validation of the record that a chunk is of; `None` when there is none.
pub(crate) fn of_chunk(conn: &Connection, chunk: i64) -> Result<Option<(RecordState, UnixMs)>> {
    conn.prepare_cached(
        "SELECT r.state, r.validated_unix_ms FROM chunk c JOIN entry e ON e.id = c.entry_id \
         JOIN record r ON r.id = e.key WHERE c.id = ?1",
    )?
    .query_row([chunk], |row| Ok((column::named(row, 0, RecordState::parse)?, UnixMs(row.get(1)?))))
    .optional()
}

/// Ids that begin with `prefix`, at most `limit`.
pub(crate) fn ids(conn: &Connection, prefix: &str, limit: usize) -> Result<Vec<RecordId>> {
    conn.prepare_cached("SELECT id FROM record WHERE substr(id, 1, length(?1)) = ?1 ORDER BY id LIMIT ?2")?
        .query_map(params![prefix, column::int(limit)], |row| row.get::<_, String>(0).map(RecordId::new))?
        .collect()
}

/// Records in a state, newest first.
pub(crate) fn in_state(conn: &Connection, kind: Option<RecordKind>, state: RecordState) -> Result<Vec<Record>> {
    let mut stmt = conn.prepare_cached(&format!(
        "SELECT id, {FIELDS} FROM record WHERE state = ?1 AND (?2 IS NULL OR kind = ?2) ORDER BY created_unix_ms DESC, id"
    ))?;
    let found: Vec<Record> =
        stmt.query_map(params![state.as_str(), kind.map(RecordKind::as_str)], record)?.collect::<Result<_>>()?;
    found.into_iter().map(|r| with_anchors(conn, r)).collect()
}

/// Records of a thread in every state, oldest first.
pub(crate) fn of_thread(conn: &Connection, id: &ThreadId) -> Result<Vec<Record>> {
    all_where(conn, "thread_id = ?1 ORDER BY created_unix_ms, id", id.as_str())
}

/// Records that this one replaced, oldest first.
pub(crate) fn superseded_by(conn: &Connection, id: &RecordId) -> Result<Vec<Record>> {
    all_where(conn, "superseded_by = ?1 ORDER BY created_unix_ms, id", id.as_str())
}

fn all_where(conn: &Connection, sql: &str, value: &str) -> Result<Vec<Record>> {
    let mut stmt = conn.prepare_cached(&format!("SELECT id, {FIELDS} FROM record WHERE {sql}"))?;
    let found: Vec<Record> = stmt.query_map([value], record)?.collect::<Result<_>>()?;
    found.into_iter().map(|r| with_anchors(conn, r)).collect()
}

/// Of a record `r`: an agent refused it, and nobody has looked through that.
const REFUSED_UNSEEN: &str = "r.state = 'rejected' AND EXISTS (SELECT 1 FROM batch b WHERE b.author = 'agent' \
     AND b.seen_unix_ms IS NULL AND b.id = (SELECT h.batch_id FROM record_history h \
         WHERE h.record_id = r.id AND h.state_to IS NOT h.state_from ORDER BY h.id DESC LIMIT 1))";

/// Whether an agent refused it and nobody has looked through that.
pub(crate) fn is_refused_unseen(conn: &Connection, id: &RecordId) -> Result<bool> {
    conn.prepare_cached(&format!("SELECT EXISTS (SELECT 1 FROM record r WHERE r.id = ?1 AND {REFUSED_UNSEEN})"))?
        .query_row([id.as_str()], |row| row.get(0))
}

/// Title and quote of the records of a kind and state, without those whose refusal binds nobody yet.
pub(crate) fn known(conn: &Connection, kind: RecordKind, state: RecordState) -> Result<Vec<KnownRecord>> {
    conn.prepare_cached(&format!(
        "SELECT id, title, quote FROM record r WHERE state = ?1 AND kind = ?2 AND NOT ({REFUSED_UNSEEN}) \
         ORDER BY created_unix_ms, id"
    ))?
    .query_map([state.as_str(), kind.as_str()], |row| {
        let id = RecordId::new(row.get::<_, String>(0)?);
        Ok(KnownRecord { id, kind, state, title: row.get(1)?, quote: row.get(2)? })
    })?
    .collect()
}

/// What waits for triage of a session.
pub(crate) fn pending_ids_of_session(conn: &Connection, session: &SessionId) -> Result<Vec<RecordId>> {
    conn.prepare_cached("SELECT id FROM record WHERE state = 'pending' AND session = ?1 ORDER BY id")?
        .query_map([session.as_str()], |row| row.get::<_, String>(0).map(RecordId::new))?
        .collect()
}

/// What waits for triage since before `oldest`: nobody changed it after that, and no evidence is younger.
pub(crate) fn pending_unseen_since(conn: &Connection, oldest: UnixMs) -> Result<Vec<RecordId>> {
    conn.prepare_cached(
        "SELECT id FROM record r WHERE state = 'pending' AND created_unix_ms < ?1 \
         AND NOT EXISTS (SELECT 1 FROM record_history h WHERE h.record_id = r.id AND h.at_unix_ms >= ?1) \
         AND NOT EXISTS (SELECT 1 FROM sighting s WHERE s.record_id = r.id AND s.at_unix_ms >= ?1) ORDER BY id",
    )?
    .query_map([oldest.0], |row| row.get::<_, String>(0).map(RecordId::new))?
    .collect()
}

/// Notes that a record was shown once more. An event that comes late out of the spool turns no clock back.
pub(crate) fn set_served(conn: &Connection, id: &RecordId, at: UnixMs) -> Result<usize> {
    conn.prepare_cached(
        "UPDATE record SET served_unix_ms = max(?2, ifnull(served_unix_ms, ?2)), served_count = served_count + 1 \
         WHERE id = ?1",
    )?
    .execute(params![id.as_str(), at.0])
}

/// How often a record was shown at a session's start, and when last.
pub(crate) fn served(conn: &Connection, id: &RecordId) -> Result<(u64, Option<UnixMs>)> {
    conn.prepare_cached("SELECT served_count, served_unix_ms FROM record WHERE id = ?1")?
        .query_row([id.as_str()], |row| Ok((column::count(row, 0)?, column::time_opt(row, 1)?)))
}

const VIEW: &str = "SELECT id, kind, title, body, origin, scope, created_unix_ms, revive_if, written_by";

/// All corrections in force, in a stable order.
pub(crate) fn standing(conn: &Connection) -> Result<Vec<CorrectionView>> {
    conn.prepare_cached(&format!(
        "{VIEW}, served_unix_ms, served_count, \
             (SELECT max(at_unix_ms) FROM sighting WHERE record_id = record.id AND origin = 'operator') \
         FROM record WHERE state = 'confirmed' AND kind = 'correction' ORDER BY created_unix_ms, id"
    ))?
    .query_map([], |row| {
        Ok(CorrectionView {
            record: view(row)?,
            served: column::time_opt(row, 9)?,
            times: column::count(row, 10)?,
            said_again: column::time_opt(row, 11)?,
        })
    })?
    .collect()
}

/// How many wait that stand in a file and were in force until something changed for that reason.
pub(crate) fn reopened(conn: &Connection, reason: &str) -> Result<u64> {
    conn.prepare_cached(
        "SELECT count(*) FROM record r WHERE r.state = 'pending' AND r.source_path IS NOT NULL AND EXISTS \
             (SELECT 1 FROM record_history h WHERE h.record_id = r.id AND h.state_from = 'confirmed' AND h.reason = ?1)",
    )?
    .query_row([reason], |row| column::count(row, 0))
}

/// Confirmed records, newest first.
pub(crate) fn newest(conn: &Connection, kind: RecordKind, limit: usize) -> Result<Vec<RecordView>> {
    conn.prepare_cached(&format!(
        "{VIEW} FROM record WHERE state = 'confirmed' AND kind = ?1 ORDER BY created_unix_ms DESC, id LIMIT ?2"
    ))?
    .query_map(params![kind.as_str(), column::int(limit)], view)?
    .collect()
}

/// The newest decisions and dead ends in force, newest first, and how many there are.
pub(crate) fn recent(conn: &Connection, limit: usize) -> Result<(Vec<RecordView>, u64)> {
    let from = "FROM record WHERE state = 'confirmed' AND kind IN ('decision', 'dead_end')";
    let order = "ORDER BY created_unix_ms DESC, id";
    // The index alone tells which they are: a sort of the rows would read the texts of all.
    let found = conn
        .prepare_cached(&format!("{VIEW} FROM record WHERE id IN (SELECT id {from} {order} LIMIT ?1) {order}"))?
        .query_map([column::int(limit)], view)?
        .collect::<Result<_>>()?;
    // Apart, since the index counts: a window would read the texts of all.
    let total = conn.prepare_cached(&format!("SELECT count(*) {from}"))?.query_row([], |row| column::count(row, 0))?;
    Ok((found, total))
}

/// Titles of the decisions in force in a thread, newest first, and how many dead ends are. Asked of both kinds at once, which
/// makes the plan go by the thread: for one kind it reads all that is in force, since the index has those in order.
pub(crate) fn in_force(conn: &Connection, thread: &ThreadId) -> Result<(Vec<String>, u64)> {
    let mut stmt = conn.prepare_cached(
        "SELECT kind, title FROM record WHERE thread_id = ?1 AND state = 'confirmed' \
         AND kind IN ('decision', 'dead_end') ORDER BY created_unix_ms DESC, id",
    )?;
    let (mut decided, mut dead_ends) = (Vec::new(), 0);
    let mut rows = stmt.query([thread.as_str()])?;
    while let Some(row) = rows.next()? {
        match column::named(row, 0, RecordKind::parse)? {
            RecordKind::DeadEnd => dead_ends += 1,
            _ => decided.push(row.get(1)?),
        }
    }
    Ok((decided, dead_ends))
}

/// The records that a memory file gave, whatever became of them.
pub(crate) fn of_source(conn: &Connection, source_path: &Redacted) -> Result<Vec<Record>> {
    conn.prepare_cached(&format!("SELECT id, {FIELDS} FROM record WHERE source_path = ?1 ORDER BY id"))?
        .query_map([source_path.as_str()], record)?
        .collect()
}

/// States of what was in force at some time. What never was is no part of a story.
const TOLD: &str = "('confirmed', 'superseded', 'retired')";

/// Characters of a text that a story or a match needs; a longer one is a document, whose beginning says what it is about.
const STORY_CHARS: usize = 600;

/// The newest decisions and dead ends of a thread that are or were in force, oldest first, and how many more there are.
/// What replaced one is named only if it was in force itself.
pub(crate) fn story(conn: &Connection, thread: &ThreadId, limit: usize) -> Result<(Vec<StoryRecord>, u64)> {
    let mut total = 0;
    let mut found: Vec<StoryRecord> = conn
        .prepare_cached(&format!(
            "SELECT r.id, r.kind, r.state, r.origin, r.title, substr(r.body, 1, ?3), r.rejected_json, \
             substr(r.revive_if, 1, ?3), s.title, r.created_unix_ms, count(*) OVER () \
             FROM record r LEFT JOIN record s ON s.id = r.superseded_by AND s.state IN {TOLD} \
             WHERE r.thread_id = ?1 AND r.kind IN ('decision', 'dead_end') AND r.state IN {TOLD} \
             ORDER BY r.created_unix_ms DESC, r.id DESC LIMIT ?2"
        ))?
        .query_map(params![thread.as_str(), column::int(limit), column::int(STORY_CHARS)], |row| {
            total = column::count(row, 10)?;
            story_record(row)
        })?
        .collect::<Result<_>>()?;
    found.reverse();
    let older = total.saturating_sub(found.len() as u64);
    Ok((found, older))
}

fn story_record(row: &Row<'_>) -> Result<StoryRecord> {
    let kind: EntryKind = column::named(row, 1, EntryKind::parse)?;
    Ok(StoryRecord {
        item: ItemId::new(format!("{}:{}", kind.as_str(), row.get::<_, String>(0)?)),
        kind: if kind == EntryKind::DeadEnd { ItemKind::DeadEnd } else { ItemKind::Decision },
        state: column::named(row, 2, RecordState::parse)?,
        origin: column::named(row, 3, Origin::parse)?,
        title: row.get(4)?,
        body: row.get(5)?,
        rejected: column::json(row, 6)?,
        revive_if: row.get(7)?,
        superseded_by: row.get(8)?,
        at: column::time(row, 9)?,
    })
}

/// Every record of a thread in whatever state, and every one that replaced one of them; without their anchors, which are no
/// part of a story.
pub(crate) fn of_story(conn: &Connection, thread: &ThreadId) -> Result<Vec<Record>> {
    conn.prepare_cached(&format!(
        "SELECT id, {FIELDS} FROM record WHERE thread_id = ?1 \
         OR id IN (SELECT superseded_by FROM record WHERE thread_id = ?1 AND superseded_by IS NOT NULL)"
    ))?
    .query_map([thread.as_str()], record)?
    .collect()
}

/// Threads of at least so many steps, those first in which something was made last.
pub(crate) fn told_threads(conn: &Connection, steps: u64) -> Result<Vec<ThreadId>> {
    conn.prepare_cached(&format!(
        "SELECT thread_id FROM record WHERE thread_id IS NOT NULL AND kind IN ('decision', 'dead_end') \
         AND state IN {TOLD} GROUP BY thread_id HAVING count(*) >= ?1 ORDER BY max(created_unix_ms) DESC, thread_id"
    ))?
    .query_map([column::int(steps)], |row| row.get::<_, String>(0).map(ThreadId::new))?
    .collect()
}

/// Candidates with a quote, in no file, that have no history but their making; the newest first, without their anchors.
pub(crate) fn unworded(conn: &Connection, limit: usize) -> Result<Vec<Record>> {
    conn.prepare_cached(&format!(
        "SELECT id, {FIELDS} FROM record WHERE state = 'pending' AND quote <> '' AND written_by = '' \
         AND source_path IS NULL AND NOT EXISTS (SELECT 1 FROM record_history h \
             WHERE h.record_id = record.id AND h.state_from IS NOT NULL) \
         ORDER BY created_unix_ms DESC, id LIMIT ?1"
    ))?
    .query_map([column::int(limit)], record)?
    .collect()
}

/// Hands the texts of the newest records of a kind and state that have a thread to `visit`, with its id; a record more than
/// once, part by part.
pub(crate) fn each_text_with_thread(
    conn: &Connection,
    kind: RecordKind,
    state: RecordState,
    limit: usize,
    mut visit: impl FnMut(&str, &str),
) -> Result<()> {
    let mut stmt = conn.prepare_cached(
        "SELECT thread_id, title, substr(body, 1, ?4), rejected_json, substr(revive_if, 1, ?4) FROM record \
         WHERE state = ?1 AND kind = ?2 AND thread_id IS NOT NULL ORDER BY created_unix_ms DESC LIMIT ?3",
    )?;
    let mut rows = stmt.query(params![state.as_str(), kind.as_str(), column::int(limit), column::int(STORY_CHARS)])?;
    while let Some(row) = rows.next()? {
        let thread = row.get_ref(0)?.as_str()?;
        for part in 1..=4 {
            visit(thread, row.get_ref(part)?.as_str()?);
        }
    }
    Ok(())
}

/// The thread of a record.
pub(crate) fn thread_of(conn: &Connection, id: &str) -> Result<Option<String>> {
    conn.prepare_cached("SELECT thread_id FROM record WHERE id = ?1")?
        .query_row([id], |row| row.get(0))
        .optional()
        .map(Option::flatten)
}

/// Ids of the confirmed records of a thread, the newest first.
pub(crate) fn confirmed_of_thread(conn: &Connection, thread: &str, limit: usize) -> Result<Vec<String>> {
    conn.prepare_cached(
        "SELECT id FROM record WHERE thread_id = ?1 AND state = 'confirmed' ORDER BY created_unix_ms DESC LIMIT ?2",
    )?
    .query_map(params![thread, column::int(limit)], |row| row.get(0))?
    .collect()
}

pub(crate) fn count(conn: &Connection, state: RecordState) -> Result<u64> {
    conn.prepare_cached("SELECT count(*) FROM record WHERE state = ?1")?
        .query_row([state.as_str()], |row| column::count(row, 0))
}

/// How many wait of one kind, or of all.
pub(crate) fn pending(conn: &Connection, kind: Option<RecordKind>) -> Result<u64> {
    conn.prepare_cached("SELECT count(*) FROM record WHERE state = 'pending' AND (?1 IS NULL OR kind = ?1)")?
        .query_row([kind.map(RecordKind::as_str)], |row| column::count(row, 0))
}

/// How many records there are of each kind and state.
pub(crate) fn counts(conn: &Connection) -> Result<Vec<(RecordKind, RecordState, u64)>> {
    conn.prepare_cached("SELECT kind, state, count(*) FROM record GROUP BY kind, state ORDER BY kind, state")?
        .query_map([], |row| {
            Ok((
                column::named(row, 0, RecordKind::parse)?,
                column::named(row, 1, RecordState::parse)?,
                column::count(row, 2)?,
            ))
        })?
        .collect()
}

/// Since when the record is in a state than which so many `older` ones are in it for longer, if there are so many. What was
/// said long ago may have been found today.
pub(crate) fn since(conn: &Connection, state: RecordState, older: u64) -> Result<Option<UnixMs>> {
    conn.prepare_cached(
        "SELECT max(created_unix_ms, ifnull((SELECT max(at_unix_ms) FROM record_history h \
             WHERE h.record_id = r.id AND h.state_to = r.state AND h.state_from IS NOT h.state_to), created_unix_ms)) AS since \
         FROM record r WHERE state = ?1 ORDER BY since LIMIT 1 OFFSET ?2",
    )?
    .query_row(params![state.as_str(), column::int(older)], |row| column::time(row, 0))
    .optional()
}

fn with_anchors(conn: &Connection, record: Record) -> Result<Record> {
    let anchors = anchor::of_record(conn, &record.id)?;
    Ok(Record { anchors, ..record })
}

fn record(row: &Row<'_>) -> Result<Record> {
    Ok(Record {
        id: RecordId::new(row.get::<_, String>(0)?),
        kind: column::named(row, 1, RecordKind::parse)?,
        state: column::named(row, 2, RecordState::parse)?,
        origin: column::named(row, 3, Origin::parse)?,
        title: column::redacted(row, 4)?,
        body: column::redacted(row, 5)?,
        quote: column::redacted(row, 6)?,
        rejected: column::json(row, 7)?,
        revive_if: column::redacted(row, 8)?,
        scope: column::redacted(row, 9)?,
        thread: row.get::<_, Option<String>>(10)?.map(ThreadId::new),
        superseded_by: row.get::<_, Option<String>>(11)?.map(RecordId::new),
        session: column::session_opt(row, 12)?,
        turn: row.get(13)?,
        anchors: Vec::new(),
        created: column::time(row, 14)?,
        validated: column::time(row, 15)?,
        evidence: column::redacted(row, 16)?,
        commits: column::json(row, 17)?,
        source_path: column::redacted_opt(row, 18)?,
        written_by: column::redacted(row, 19)?,
    })
}

fn view(row: &Row<'_>) -> Result<RecordView> {
    Ok(RecordView {
        id: RecordId::new(row.get::<_, String>(0)?),
        kind: column::named(row, 1, RecordKind::parse)?.entry_kind(),
        title: row.get(2)?,
        body: row.get(3)?,
        origin: column::named(row, 4, Origin::parse)?,
        written_by: row.get(8)?,
        scope: row.get(5)?,
        created: column::time(row, 6)?,
        revive_if: row.get(7)?,
    })
}
