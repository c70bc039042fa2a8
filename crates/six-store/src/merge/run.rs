//! What is taken, in which order.

use six_core::record::{Boundary, Edge, SessionId, UnixMs};
use six_core::text::Redacted;

use super::curated::Curated;
use super::text::Texts;
use crate::error::Result;
use crate::open::Store;
use crate::table::{boundary, meta};

/// Makes the id of what can't keep its own out of the one that it had: the same one every time, so that a merge that was
/// interrupted takes nothing twice when it is run again.
pub type Rename<'r> = &'r dyn Fn(&str) -> String;

/// What of the other store is new here.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub struct Taken {
    /// It is added.
    pub new: u64,
    /// It is here already.
    pub known: u64,
}

impl Taken {
    pub(super) fn add(&mut self, is_known: bool) {
        *(if is_known { &mut self.known } else { &mut self.new }) += 1;
    }
}

/// What a merge takes in.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Merged {
    /// Records in every state, with their history and anchors.
    pub records: Taken,
    /// Threads.
    pub threads: Taken,
    /// Subsystems.
    pub subsystems: Taken,
    /// Messages, documents, commits.
    pub entries: Taken,
    /// Files that they were read from.
    pub files: Taken,
    /// Sessions.
    pub sessions: Taken,
    /// Of two different things with one id the other store's has a new one: that which it had, and that which it has.
    pub renamed: Vec<(String, String)>,
}

impl Store {
    /// What [`Store::merge`] would take in.
    pub fn plan_merge(&self, other: &Store, rename: Rename<'_>) -> Result<Merged> {
        let mut merged = Merged::default();
        Curated::gather(self, other, rename, &mut merged)?;
        Texts { here: self, other }.count(&mut merged)?;
        Ok(merged)
    }

    /// Takes in what `other` holds, in short transactions: records, threads, subsystems, and all text with the files that it
    /// was read from, so that reading them again adds nothing. What is here stays as it is. Telemetry stays behind.
    ///
    /// Nobody may ingest into either store meanwhile. Interrupted, it goes on when it is run again.
    pub fn merge(&self, other: &Store, rename: Rename<'_>, now: UnixMs) -> Result<Merged> {
        let mut merged = Merged::default();
        let curated = Curated::gather(self, other, rename, &mut merged)?;
        let texts = Texts { here: self, other };
        texts.count(&mut merged)?;
        let rules = if other.redaction_is_current()? { None } else { other.meta(meta::REDACTION)? };
        self.write(|conn| {
            if let Some(older) = rules {
                // What comes along was redacted under them: the next worker re-scans.
                meta::set(conn, meta::REDACTION, &older)?;
                meta::remove(conn, meta::RESCAN)?;
            }
            // Before the sessions come: they left no heartbeat in this store, and are no hook's fault.
            let (session, detail) = (SessionId::new(""), Redacted::literal("merge"));
            Ok(boundary::insert(conn, &Boundary { session, edge: Edge::Start, detail, at: now })?)
        })?;
        texts.take()?;
        curated.take(self)?;
        Ok(merged)
    }
}
