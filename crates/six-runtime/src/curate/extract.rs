//! Reads a session for candidates, from where it was read before.
//!
//! The place up to which it was read moves in the transaction that writes what was found, and only from where this process
//! began: whoever else reads the same session meanwhile, and wherever a process is killed, every message is read once.

use std::collections::{BTreeMap, BTreeSet};

use six_core::curate::{DropReason, EXTRACTION_VERSION, Extracted, KnownRecord, Message, Proposed, admit, propose};
use six_core::record::{Record, SessionId, UnixMs};
use six_core::text::Redactor;
use six_store::{Reading, Store, StoreError, Unread};

use crate::anchor::take_cited;
use crate::project::identity::Project;

/// Candidates of one session that may wait for triage at a time. A person judges about a dozen in one sitting; in a
/// published record of half a year one in three was confirmed, and what nobody got round to was never looked at. What is
/// over it is not lost: it is read when there is room.
pub const PENDING_OF_SESSION: usize = 12;

/// Bytes of text that are read in one piece: some milliseconds, between which the time is looked at.
const PIECE_BYTES: usize = 64 * 1024;

/// What a reading keeps to.
#[derive(Clone, Copy)]
pub struct Limits<'a> {
    /// Candidates of the session that may wait for triage at a time; `None` for as many as there are.
    pub pending: Option<usize>,
    /// The time is used up. Asked between pieces.
    pub is_over: &'a dyn Fn() -> bool,
    /// The time of the reading.
    pub now: UnixMs,
}

/// How a reading ended.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Default)]
pub enum Ended {
    /// There is nothing more to read.
    #[default]
    Finished,
    /// There are as many candidates as may wait; the rest of the session waits, too.
    Full,
    /// The time was used up; the rest is read by the next one.
    OutOfTime,
}

/// What a reading did.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct Extraction {
    /// Messages that were read.
    pub messages: u64,
    /// Candidates that were made.
    pub candidates: u64,
    /// Evidence that was added to records.
    pub sightings: u64,
    /// Candidates that ended because their turn was taken back.
    pub taken_back: u64,
    /// Sentences that looked like a candidate and are none, by reason.
    pub dropped: BTreeMap<DropReason, u64>,
    /// See [`Ended`].
    pub ended: Ended,
}

impl Extraction {
    /// Whether nothing came of it.
    pub fn is_empty(&self) -> bool {
        self.candidates == 0 && self.sightings == 0
    }

    /// Adds what was read of another session.
    pub fn add(&mut self, other: Self) {
        self.messages += other.messages;
        self.candidates += other.candidates;
        self.sightings += other.sightings;
        self.taken_back += other.taken_back;
        for (reason, count) in other.dropped {
            *self.dropped.entry(reason).or_default() += count;
        }
        self.ended = self.ended.max(other.ended);
    }
}

/// Reads what of a session was not read yet.
pub fn extract(
    project: &Project,
    store: &Store,
    session: &SessionId,
    limits: Limits<'_>,
) -> Result<Extraction, StoreError> {
    let mut done = Extraction { taken_back: store.expire_abandoned(session, limits.now)?, ..Extraction::default() };
    loop {
        if (limits.is_over)() {
            done.ended = Ended::OutOfTime;
            return Ok(done);
        }
        let Some(unread) = store.gather_unread(session, PIECE_BYTES)? else { return Ok(done) };
        let Some(found) = find(store, session, &unread, limits)? else {
            done.ended = Ended::Full;
            return Ok(done);
        };
        let Found { mut extracted, reading, messages } = found;
        for candidate in &mut extracted.candidates {
            take_anchors(project, candidate);
        }
        let applied = store.apply_extraction(session, reading, &extracted, EXTRACTION_VERSION, limits.now)?;
        // Another process has read on meanwhile: what is left begins where it ended.
        let Some(attached) = applied else { continue };
        done.messages += messages;
        done.candidates += attached.candidates;
        done.sightings += attached.sightings;
        for (reason, count) in extracted.dropped {
            *done.dropped.entry(reason).or_default() += count;
        }
    }
}

/// Reads what of the followed sessions was not read yet.
pub fn extract_followed(project: &Project, store: &Store, limits: Limits<'_>) -> Result<Extraction, StoreError> {
    let mut all = Extraction::default();
    for session in store.sessions_to_extract()? {
        all.add(extract(project, store, &session, limits)?);
        if all.ended == Ended::OutOfTime {
            break;
        }
    }
    Ok(all)
}

/// What a piece gives, and how far it was read for it.
struct Found {
    extracted: Extracted,
    reading: Reading,
    messages: u64,
}

/// As much of a piece as there is room for; `None` when there is none for its first message that proposes something.
fn find(store: &Store, session: &SessionId, unread: &Unread, limits: Limits<'_>) -> Result<Option<Found>, StoreError> {
    let known = store.gather_known()?;
    let mut count = unread.messages.len();
    loop {
        let said: Vec<&Message> = unread.messages.iter().take(count).map(|(_, said)| said).collect();
        let extracted = read(store, session, unread.before.as_ref(), &said, &known, limits.now)?;
        let Some(over) = first_over(&extracted.candidates, &said, unread.pending, limits.pending) else {
            let last = unread.messages.get(count).map(|(number, _)| number.saturating_sub(1));
            let reading = Reading { through: last.unwrap_or(unread.reading.through), ..unread.reading };
            return Ok(Some(Found { extracted, reading, messages: said.len() as u64 }));
        };
        if over == 0 {
            return Ok(None);
        }
        count = over;
    }
}

/// What messages give. The answer before them was read already; it is there for what a person says to it.
fn read(
    store: &Store,
    session: &SessionId,
    before: Option<&Message>,
    said: &[&Message],
    known: &[KnownRecord],
    now: UnixMs,
) -> Result<Extracted, StoreError> {
    let messages: Vec<Message> = before.into_iter().chain(said.iter().copied()).cloned().collect();
    let mut proposed = propose(&messages);
    if let Some(before) = before {
        leave_out(&mut proposed, before);
    }
    let terms: BTreeSet<&str> = proposed.proposals.iter().flat_map(|one| &one.terms).map(String::as_str).collect();
    let frequencies = store.gather_frequencies(&terms)?;
    Ok(admit(proposed, &frequencies, known, Some(session), now))
}

/// Takes out what a message proposes by itself: it was counted when that was read.
fn leave_out(proposed: &mut Proposed, before: &Message) {
    proposed.proposals.retain(|one| one.turn != before.turn);
    for (reason, count) in propose(std::slice::from_ref(before)).dropped {
        if let Some(counted) = proposed.dropped.get_mut(&reason) {
            *counted = counted.saturating_sub(count);
        }
    }
    proposed.dropped.retain(|_, count| *count > 0);
}

/// The first message whose candidates there is no room for. A message is read whole or not at all: the candidates of one
/// that alone has more than may wait come in when nothing else waits.
fn first_over(candidates: &[Record], said: &[&Message], pending: usize, most: Option<usize>) -> Option<usize> {
    let room = most?.saturating_sub(pending);
    let turn = candidates.get(room)?.turn.as_deref();
    let at = said.iter().position(|said| Some(said.turn.as_str()) == turn)?;
    let is_alone = pending == 0 && candidates.iter().take(room).all(|one| one.turn.as_deref() == turn);
    if !is_alone {
        return Some(at);
    }
    let next = candidates.iter().skip(room).find_map(|one| one.turn.as_deref().filter(|other| Some(*other) != turn))?;
    said.iter().position(|said| said.turn == next)
}

/// What a candidate's own words cite, so that it can be checked when it is judged and shown.
fn take_anchors(project: &Project, candidate: &mut Record) {
    let texts = [&candidate.title, &candidate.body, &candidate.quote];
    candidate.anchors = take_cited(project, &texts, &[], Redactor::new());
}

#[cfg(test)]
mod tests;
