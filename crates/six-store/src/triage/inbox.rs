//! What waits for triage, in the order in which it is to be judged.

use std::collections::btree_map::Entry;
use std::collections::{BTreeMap, BTreeSet};

use chrono::FixedOffset;
use rusqlite::Connection;
use six_core::curate::{
    Alike, Claim, Frequencies, Grounds, Inbox, Judge, LikelyUse, PastPrompt, Similar, TriageItem, by_expected_use,
    content_terms, judge_use, measured_ms, neighbours, suggest,
};
use six_core::inject::Receipt;
use six_core::record::{Origin, Record, RecordKind, RecordState, Source, ThreadId};

use crate::error::Result;
use crate::open::Store;
use crate::table::{batch, entry, meta, receipt, record, record_history, sighting, term, thread};

/// Prompts that candidates are tried on, the newest: some days of work.
const PROMPTS: usize = 200;

/// Similar records that are shown with a candidate.
const MAX_SIMILAR: usize = 5;

/// Batches by whose pauses the time of a verdict is measured.
const MEASURED: usize = 60;

/// States of records that a candidate may repeat.
const KNOWN: [RecordState; 3] = [RecordState::Confirmed, RecordState::Pending, RecordState::Rejected];

impl Store {
    /// Candidates in the order of expected use, at most `limit`, of one kind or of all, and how many of these wait.
    /// `offset` is the reader's time zone: a reason may name a date.
    pub fn inbox(&self, kind: Option<RecordKind>, limit: usize, offset: FixedOffset) -> Result<Inbox> {
        self.read(|conn| {
            let pending = record::pending(conn, kind)?;
            let pace = batch::pace(conn, Judge::Operator.as_str(), MEASURED)?;
            let remaining_ms = measured_ms(&pace).saturating_mul(i64::try_from(pending).unwrap_or(i64::MAX));
            let items = if pending == 0 { Vec::new() } else { items(conn, kind, limit, offset)? };
            Ok(Inbox { items, pending, remaining_ms })
        })
    }
}

fn items(conn: &Connection, kind: Option<RecordKind>, limit: usize, offset: FixedOffset) -> Result<Vec<TriageItem>> {
    let prompts = prompts(conn)?;
    let terms: BTreeSet<String> = prompts.iter().flat_map(PastPrompt::terms).map(str::to_owned).collect();
    let mut known = Frequencies { corpus: meta::counter(conn, meta::BODIES)?, df: BTreeMap::new() };
    look_up(conn, terms, &mut known)?;
    let names: BTreeMap<ThreadId, String> =
        thread::all(conn)?.into_iter().map(|thread| (thread.id, thread.name.to_string())).collect();
    let mut waiting: Vec<(Record, LikelyUse)> = record::in_state(conn, kind, RecordState::Pending)?
        .into_iter()
        .map(|record| {
            let thread = record.thread.as_ref().and_then(|id| names.get(id)).map(String::as_str);
            let sightings = sighting::of_record(conn, &record.id)?;
            let likely = judge_use(&record, &sightings, thread, &prompts, &known);
            Ok((record, likely))
        })
        .collect::<Result<_>>()?;
    waiting.sort_by(|a, b| by_expected_use((&a.0, &a.1), (&b.0, &b.1)));
    waiting.truncate(limit);
    let terms: BTreeSet<String> = waiting.iter().flat_map(|(record, _)| content_terms(record)).collect();
    look_up(conn, terms, &mut known)?;
    let others = others(conn)?;
    waiting.into_iter().map(|(record, likely)| item(conn, record, likely, &others, &known, offset)).collect()
}

/// A receipt that can't be read tells of no prompt.
fn prompts(conn: &Connection) -> Result<Vec<PastPrompt>> {
    let receipts = receipt::newest_prompts(conn, PROMPTS)?;
    let receipts = receipts.iter().filter_map(|json| serde_json::from_str::<Receipt>(json).ok());
    Ok(receipts.filter_map(|receipt| PastPrompt::of(&receipt)).collect())
}

fn look_up(conn: &Connection, terms: BTreeSet<String>, known: &mut Frequencies) -> Result<()> {
    for term in terms {
        if let Entry::Vacant(unknown) = known.df.entry(term) {
            let df = term::df(conn, unknown.key())?;
            unknown.insert(df);
        }
    }
    Ok(())
}

/// Records of all kinds which may say the same as what is shown. A cheatsheet tells how to use a thing and claims nothing.
fn others(conn: &Connection) -> Result<Vec<(Record, Claim)>> {
    let kinds = RecordKind::ALL.into_iter().filter(|kind| *kind != RecordKind::Cheatsheet);
    let mut others = Vec::new();
    for (kind, state) in kinds.flat_map(|kind| KNOWN.map(|state| (kind, state))) {
        let found = record::in_state(conn, Some(kind), state)?;
        others.extend(found.into_iter().map(|record| {
            let claim = Claim::of(&record);
            (record, claim)
        }));
    }
    Ok(others)
}

fn item(
    conn: &Connection,
    record: Record,
    likely: LikelyUse,
    others: &[(Record, Claim)],
    known: &Frequencies,
    offset: FixedOffset,
) -> Result<TriageItem> {
    let mine = Claim::of(&record);
    let mut alike: Vec<(f64, bool, &Record)> = others
        .iter()
        .filter(|(other, claim)| other.id != record.id && mine.is_similar(claim))
        .map(|(other, claim)| (mine.closeness(claim), mine.is_same(claim), other))
        .collect();
    alike.sort_by(|(a, _, one), (b, _, other)| b.total_cmp(a).then_with(|| one.id.cmp(&other.id)));
    let mut same = Vec::new();
    for (_, _, other) in alike.iter().filter(|(_, is_same, _)| *is_same) {
        let since = record_history::last_at(conn, &other.id)?.unwrap_or(other.created);
        same.push(Alike { record: other, since });
    }
    let sightings = sighting::of_record(conn, &record.id)?;
    let said_by_operator = said_by_operator(conn, &record)?;
    let was_judged = |(_, _, other): &(f64, bool, &Record)| other.state != RecordState::Pending;
    let suggestion = suggest(Grounds {
        record: &record,
        same: &same,
        is_near_judged: alike.iter().any(was_judged),
        said: sightings.len() + 1,
        said_by_operator,
        likely: &likely,
        known,
        offset,
    });
    let similar = |(_, _, other): (f64, bool, &Record)| Similar {
        id: other.id.clone(),
        kind: other.kind,
        state: other.state,
        title: other.title.to_string(),
    };
    Ok(TriageItem {
        neighbours: neighbours_of(conn, &record)?,
        similar: alike.into_iter().take(MAX_SIMILAR).map(similar).collect(),
        suggestion,
        fired: likely.named,
        sightings,
        record,
    })
}

/// How often the operator said it, as far as extraction found that: a verdict that merges is no word of the operator's.
fn said_by_operator(conn: &Connection, record: &Record) -> Result<usize> {
    let first = usize::from(record.origin == Origin::Operator);
    let again = sighting::count_found(conn, &record.id, Origin::Operator)?;
    Ok(first.saturating_add(usize::try_from(again).unwrap_or(usize::MAX)))
}

fn neighbours_of(conn: &Connection, record: &Record) -> Result<(String, String)> {
    let Some(turn) = record.turn.as_deref() else { return Ok(<_>::default()) };
    let Some(id) = entry::id(conn, Source::Transcript, turn)? else { return Ok(<_>::default()) };
    Ok(neighbours(&entry::text(conn, id)?, record.quote.as_str()))
}
