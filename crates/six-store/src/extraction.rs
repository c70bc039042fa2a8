//! Candidates out of what was said: what of a session was not read yet, what is known already, and what extraction makes of
//! both, in one transaction with the place up to which it read.

use std::collections::{BTreeMap, BTreeSet};

use rusqlite::{Connection, params};
use six_core::curate::{Extracted, Frequencies, KnownRecord, Message, Sighting, Speaker};
use six_core::record::{Author, Origin, Record, RecordId, RecordKind, RecordState, SessionId, Source, UnixMs};
use six_core::text::Redactor;

use crate::error::Result;
use crate::open::Store;
use crate::records::{change_state, insert_at};
use crate::table::{column, entry, entry_key, extraction, meta, record, record_history, session, sighting, term};

/// What extraction proposes; nothing else of these kinds repeats it.
const KINDS: [RecordKind; 3] = [RecordKind::Decision, RecordKind::DeadEnd, RecordKind::Correction];

/// States whose records a proposal may repeat.
const KNOWN: [RecordState; 4] =
    [RecordState::Pending, RecordState::Confirmed, RecordState::Rejected, RecordState::Retired];

/// A piece of a session that was not read for candidates.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Unread {
    /// What was read before it, and where it ends.
    pub reading: Reading,
    /// The agent's answer right before it, which was read already: what a person objects to.
    pub before: Option<Message>,
    /// Its messages on live branches in reading order, each with the number of its entry. May be empty where a whole
    /// piece was left behind.
    pub messages: Vec<(i64, Message)>,
    /// Candidates of the session that wait for triage.
    pub pending: usize,
}

/// From where to where a session is read. The numbers are those of entries, the first one exclusive.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Reading {
    /// The last entry that was read before.
    pub after: i64,
    /// The last entry that is read.
    pub through: i64,
}

/// What was written.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub struct Attached {
    /// New records.
    pub candidates: u64,
    /// New evidence of records.
    pub sightings: u64,
}

impl Store {
    /// What of a session was not read yet, up to about `max_bytes` of text; `None` when there is nothing.
    pub fn gather_unread(&self, session: &SessionId, max_bytes: usize) -> Result<Option<Unread>> {
        self.read(|conn| match session::find(conn, session)? {
            Some(number) => unread(conn, session, number, max_bytes),
            None => Ok(None),
        })
    }

    /// How common terms are, counted over distinct chunks.
    pub fn gather_frequencies(&self, terms: &BTreeSet<&str>) -> Result<Frequencies> {
        self.read(|conn| {
            let mut df = BTreeMap::new();
            for one in terms {
                df.insert((*one).to_owned(), term::df(conn, one)?);
            }
            Ok(Frequencies { corpus: meta::counter(conn, meta::BODIES)?, df })
        })
    }

    /// Records that a proposal may repeat. What only an agent refused is none of them until a person has looked through that.
    pub fn gather_known(&self) -> Result<Vec<KnownRecord>> {
        self.read(|conn| {
            let mut known = Vec::new();
            for (state, kind) in KNOWN.into_iter().flat_map(|state| KINDS.map(|kind| (state, kind))) {
                known.extend(record::known(conn, kind, state)?);
            }
            Ok(known)
        })
    }

    /// Writes what was extracted and up to where, all of it or nothing. `None` when another process has read on
    /// meanwhile: nothing was written. A record that is there already is not touched, whatever became of it.
    pub fn apply_extraction(
        &self,
        session: &SessionId,
        reading: Reading,
        extracted: &Extracted,
        version: u32,
        now: UnixMs,
    ) -> Result<Option<Attached>> {
        self.write(|conn| {
            let number = session::number(conn, session)?;
            if extraction::through(conn, number)? != reading.after {
                return Ok(None);
            }
            let mut attached = Attached::default();
            for new in &extracted.candidates {
                attached.candidates += u64::from(propose(conn, new, now)?);
            }
            for new in &extracted.sightings {
                attached.sightings += u64::from(sighting::insert(conn, new, None)?);
            }
            extraction::count_drops(conn, number, &extracted.dropped)?;
            extraction::set(conn, number, reading.through, version, now)?;
            Ok(Some(attached))
        })
    }

    /// Sessions that are followed and have something that was not read, those first that were read longest ago.
    pub fn sessions_to_extract(&self) -> Result<Vec<SessionId>> {
        self.read(|conn| Ok(extraction::unread_sessions(conn)?))
    }

    /// Whether a followed session has something that was not read, and fewer than `pending` candidates that wait.
    pub fn is_extraction_left(&self, pending: usize) -> Result<bool> {
        self.read(|conn| Ok(extraction::is_left(conn, pending)?))
    }

    /// All sessions with messages, the newest first.
    pub fn sessions_with_messages(&self) -> Result<Vec<SessionId>> {
        self.read(|conn| Ok(extraction::sessions_with_messages(conn)?))
    }

    /// Messages that were not read: of a session, or of all that are followed.
    pub fn unread_messages(&self, session: Option<&SessionId>) -> Result<u64> {
        self.read(|conn| match session.map(|name| session::find(conn, name)).transpose()? {
            Some(None) => Ok(0),
            number => Ok(extraction::count_unread(conn, number.flatten())?),
        })
    }

    /// Ends the candidates of a session whose turn was taken back, unless a turn that stands says the same. Answers how
    /// many.
    pub fn expire_abandoned(&self, session: &SessionId, now: UnixMs) -> Result<u64> {
        let gone = |conn: &Connection| abandoned_candidates(conn, session);
        self.expire_all(gone, "the turn that it came from was taken back", now)
    }

    /// Ends what has waited since before `oldest` and was not said again after it. Answers how much.
    pub fn expire_unseen(&self, oldest: UnixMs, reason: &str, now: UnixMs) -> Result<u64> {
        let stale = |conn: &Connection| Ok(record::pending_unseen_since(conn, oldest)?);
        self.expire_all(stale, reason, now)
    }

    /// Candidates of extraction that nobody has had a hand in, the newest `limit`.
    pub fn untouched_candidates(&self, limit: usize) -> Result<Vec<Record>> {
        self.read(|conn| {
            let mut found = Vec::new();
            for record in record::in_state(conn, None, RecordState::Pending)? {
                if found.len() == limit {
                    break;
                }
                if is_untouched(conn, &record)? {
                    found.push(record);
                }
            }
            Ok(found)
        })
    }

    /// Makes a candidate evidence of a record that says the same. `false` when it is no candidate any more, or somebody
    /// has had a hand in it meanwhile, or the other record is no longer what it was.
    pub fn merge_candidate(&self, id: &RecordId, into: &RecordId, reason: &str, now: UnixMs) -> Result<bool> {
        self.write(|conn| {
            let (Some(candidate), Some(other)) = (still_a_candidate(conn, id)?, record::one(conn, into)?) else {
                return Ok(false);
            };
            if !matches!(other.state, RecordState::Pending | RecordState::Confirmed) {
                return Ok(false);
            }
            end(conn, &candidate, RecordState::Expired, reason, now)?;
            sighting::hand_over(conn, id, into)?;
            if let Some(turn) = candidate.turn {
                let (record, session) = (into.clone(), candidate.session);
                let (origin, quote, at) = (candidate.origin, candidate.quote, candidate.created);
                sighting::insert(conn, &Sighting { record, turn, session, origin, quote, at }, None)?;
            }
            Ok(true)
        })
    }

    /// Whether an agent refused a record and no person has looked through that: such a word binds nobody.
    pub fn is_refused_unseen(&self, id: &RecordId) -> Result<bool> {
        self.read(|conn| Ok(record::is_refused_unseen(conn, id)?))
    }

    /// Refuses a candidate that says what `refused` says, which a person has refused before; `false` as above.
    pub fn reject_candidate(&self, id: &RecordId, refused: &RecordId, reason: &str, now: UnixMs) -> Result<bool> {
        self.write(|conn| {
            let (Some(candidate), Some(other)) = (still_a_candidate(conn, id)?, record::one(conn, refused)?) else {
                return Ok(false);
            };
            if other.state != RecordState::Rejected || record::is_refused_unseen(conn, refused)? {
                return Ok(false);
            }
            end(conn, &candidate, RecordState::Rejected, reason, now)?;
            Ok(true)
        })
    }

    /// Looks twice, since what is to be expired may get a verdict or evidence meanwhile, and mostly there is nothing to write.
    fn expire_all(
        &self,
        find: impl Fn(&Connection) -> Result<Vec<RecordId>>,
        reason: &str,
        now: UnixMs,
    ) -> Result<u64> {
        if self.read(&find)?.is_empty() {
            return Ok(0);
        }
        self.write(|conn| {
            let mut expired = 0;
            for id in find(conn)? {
                let Some(record) = record::one(conn, &id)? else { continue };
                end(conn, &record, RecordState::Expired, reason, now)?;
                expired += 1;
            }
            Ok(expired)
        })
    }
}

/// What was said long ago waits from now on. A clock that ran ahead dates nothing later than now.
fn propose(conn: &Connection, new: &Record, now: UnixMs) -> Result<bool> {
    let new = Record { created: new.created.min(now), validated: new.validated.min(now), ..new.clone() };
    insert_at(conn, &new, &Author::Extraction, now)
}

fn unread(conn: &Connection, name: &SessionId, number: i64, max_bytes: usize) -> Result<Option<Unread>> {
    let after = extraction::through(conn, number)?;
    let mut through = after;
    let mut messages = Vec::new();
    let mut bytes = 0;
    let mut stmt = conn.prepare_cached(
        "SELECT id, key, origin, text, at_unix_ms, abandoned FROM entry \
         WHERE session_id = ?1 AND kind IN ('prompt', 'answer') AND id > ?2 ORDER BY id",
    )?;
    let mut rows = stmt.query(params![number, after])?;
    while let Some(row) = rows.next()? {
        let (id, is_abandoned): (i64, bool) = (row.get(0)?, row.get(5)?);
        let said = if is_abandoned { None } else { message(row)? };
        if let Some(said) = said {
            bytes += said.text.as_str().len();
            if bytes > max_bytes && !messages.is_empty() {
                break;
            }
            messages.push((id, said));
        }
        through = id;
    }
    if through == after {
        return Ok(None);
    }
    let before = answer_before(conn, number, after)?;
    let pending = record::pending_ids_of_session(conn, name)?.len();
    Ok(Some(Unread { reading: Reading { after, through }, before, messages, pending }))
}

/// The message right before, if it is an answer.
fn answer_before(conn: &Connection, session: i64, at_most: i64) -> Result<Option<Message>> {
    let mut stmt = conn.prepare_cached(
        "SELECT id, key, origin, text, at_unix_ms FROM entry \
         WHERE session_id = ?1 AND kind IN ('prompt', 'answer') AND id <= ?2 AND abandoned = 0 ORDER BY id DESC LIMIT 1",
    )?;
    let mut rows = stmt.query([session, at_most])?;
    let said = rows.next()?.map(message).transpose()?.flatten();
    Ok(said.filter(|said| said.speaker == Speaker::Agent))
}

/// `None` for what neither the operator nor the agent said, in whatever place it stands.
fn message(row: &rusqlite::Row<'_>) -> rusqlite::Result<Option<Message>> {
    let speaker = match column::named(row, 2, Origin::parse)? {
        Origin::Operator => Speaker::Operator,
        Origin::Agent => Speaker::Agent,
        Origin::Tool | Origin::Import => return Ok(None),
    };
    let (turn, text) = (entry_key::get(row, 1)?, column::redacted(row, 3)?);
    Ok(Some(Message { turn, speaker, text, at: column::time_opt(row, 4)? }))
}

/// Candidates of a session whose every turn was left behind, and of which neither a person nor an agent has said anything since.
fn abandoned_candidates(conn: &Connection, session: &SessionId) -> Result<Vec<RecordId>> {
    let mut gone = Vec::new();
    for id in record::pending_ids_of_session(conn, session)? {
        let Some(candidate) = record::one(conn, &id)? else { continue };
        if record_history::is_touched(conn, &id)? {
            continue;
        }
        let seen = sighting::of_record(conn, &id)?.into_iter().map(|seen| seen.turn);
        let turns: Vec<String> = seen.chain(candidate.turn).collect();
        let mut stands = false;
        for turn in &turns {
            stands |= !entry::is_abandoned(conn, Source::Transcript, turn)?;
        }
        if !stands {
            gone.push(id);
        }
    }
    Ok(gone)
}

fn still_a_candidate(conn: &Connection, id: &RecordId) -> Result<Option<Record>> {
    let Some(record) = record::one(conn, id)? else { return Ok(None) };
    let is_one = record.state == RecordState::Pending && is_untouched(conn, &record)?;
    Ok(is_one.then_some(record))
}

fn is_untouched(conn: &Connection, record: &Record) -> Result<bool> {
    Ok(record_history::is_only_by(conn, &record.id, &Author::Extraction)?)
}

fn end(conn: &Connection, record: &Record, state: RecordState, reason: &str, now: UnixMs) -> Result<()> {
    change_state(conn, record, state, &Author::Rule, &Redactor::new().redact(reason), None, now)
}

#[cfg(test)]
mod tests;
