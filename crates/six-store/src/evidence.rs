//! What hooks ask: candidates for a prompt, the view of a session's start.

use std::collections::{BTreeMap, HashMap};

use rusqlite::Connection;
use six_core::inject::{Candidate, CandidateQuery, Candidates};
use six_core::record::{EntryKind, ItemId, RecordId, RecordKind, RecordState, SessionId, SubsystemId};
use six_core::session::{InvariantView, StartView};
use six_core::text::Redacted;

use crate::error::Result;
use crate::open::Store;
use crate::table::{anchor, body_fts, delivery, entry, meta, record, render, subsystem, term, thread};

/// How the file name of an invariant begins.
const INVARIANT: &str = "invariant_";

impl Store {
    /// Confirmed records and subsystems that share terms with a prompt, those with the most rare matches first. The
    /// frequencies are those of the whole index. What a branch left behind or a person has not confirmed is never among
    /// them.
    pub fn gather_candidates(&self, query: &CandidateQuery, session: &SessionId) -> Result<Candidates> {
        self.read(|conn| {
            let corpus = meta::counter(conn, meta::BODIES)?;
            let mut df = BTreeMap::new();
            let mut sums: HashMap<i64, f64> = HashMap::new();
            for term in &query.terms {
                let count = term::df(conn, term)?;
                df.insert(term.clone(), count);
                if count == 0 {
                    continue;
                }
                for body in body_fts::records_with(conn, term)? {
                    *sums.entry(body).or_default() += idf(corpus, count);
                }
            }
            let items = finalists(conn, query, sums)?
                .into_iter()
                .map(|(kind, key)| candidate(conn, kind, &key, session))
                .filter_map(Result::transpose)
                .collect::<Result<_>>()?;
            Ok(Candidates { corpus, df, items })
        })
    }

    /// What a session's start shows: invariants, the newest `decisions`, all corrections, those shown longest ago first.
    pub fn gather_start(&self, session: &SessionId, decisions: usize) -> Result<StartView> {
        self.read(|conn| {
            Ok(StartView {
                invariants: invariants(conn)?,
                corrections: record::least_served(conn, RecordKind::Correction)?,
                decisions: record::newest(conn, RecordKind::Decision, decisions)?,
                decisions_total: record::count_of(conn, RecordKind::Decision, RecordState::Confirmed)?,
                pending: record::count(conn, RecordState::Pending)?,
                chunks: meta::counter(conn, meta::CHUNKS)?,
                last_hash: render::last_hash(conn, session)?,
            })
        })
    }
}

/// Inverse document frequency, 0 for what is everywhere.
#[expect(clippy::cast_precision_loss, reason = "counts of chunks stay far below 2^52")]
fn idf(corpus: u64, df: u64) -> f64 {
    ((corpus as f64 + 1.0) / (df as f64 + 1.0)).ln().max(0.0)
}

/// The wanted number of items, heaviest sum first, in a stable order.
fn finalists(conn: &Connection, query: &CandidateQuery, sums: HashMap<i64, f64>) -> Result<Vec<(EntryKind, String)>> {
    let mut bodies: Vec<(i64, f64)> = sums.into_iter().collect();
    bodies.sort_by(|(a, sa), (b, sb)| sb.total_cmp(sa).then(a.cmp(b)));
    let mut items = Vec::new();
    for (body, _) in bodies {
        for (kind, key) in entry::records_of_body(conn, body)? {
            if query.kinds.contains(&kind) && items.len() < query.limit {
                items.push((kind, key));
            }
        }
        if items.len() >= query.limit {
            break;
        }
    }
    Ok(items)
}

fn candidate(conn: &Connection, kind: EntryKind, key: &str, session: &SessionId) -> Result<Option<Candidate>> {
    let found = if kind == EntryKind::Subsystem { of_subsystem(conn, key)? } else { of_record(conn, kind, key)? };
    found.map(|c| Ok(Candidate { delivered: delivery::count(conn, session, &c.item)?, ..c })).transpose()
}

fn of_subsystem(conn: &Connection, key: &str) -> Result<Option<Candidate>> {
    let Some(found) = subsystem::one(conn, &SubsystemId::new(key))? else { return Ok(None) };
    Ok(Some(Candidate {
        item: found.item(),
        kind: EntryKind::Subsystem,
        origin: found.origin,
        title: found.name.to_string(),
        body: found.purpose.to_string(),
        paths: found.paths.iter().map(Redacted::to_string).collect(),
        state: found.state.as_str().to_owned(),
        revive_if: String::new(),
        thread: None,
        validated: found.created,
        delivered: 0,
    }))
}

fn of_record(conn: &Connection, kind: EntryKind, key: &str) -> Result<Option<Candidate>> {
    let id = RecordId::new(key);
    let Some(found) = record::one(conn, &id)?.filter(|r| r.state == RecordState::Confirmed) else { return Ok(None) };
    let thread = match &found.thread {
        Some(id) => thread::one(conn, id)?.map(|t| t.name.to_string()),
        None => None,
    };
    Ok(Some(Candidate {
        item: ItemId::new(found.item().as_str()),
        kind,
        origin: found.origin,
        title: found.title.to_string(),
        body: found.body.to_string(),
        paths: anchor::of_record(conn, &id)?.iter().map(|a| a.path.to_string()).collect(),
        state: String::new(),
        revive_if: found.revive_if.to_string(),
        thread,
        validated: found.validated,
        delivered: 0,
    }))
}

fn invariants(conn: &Connection) -> Result<Vec<InvariantView>> {
    let mut views: Vec<InvariantView> = entry::memory_files(conn, INVARIANT)?
        .into_iter()
        .map(|(title, path)| InvariantView {
            title,
            file: path.rsplit(['/', '\\']).next().unwrap_or_default().to_owned(),
        })
        .filter(|view| view.file.starts_with(INVARIANT))
        .collect();
    views.sort_by(|a, b| a.file.cmp(&b.file));
    Ok(views)
}
