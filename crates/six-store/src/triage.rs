//! Triage: what waits with all that helps to judge it, verdicts that are applied together, and taken back together.

mod inbox;
mod review;
#[cfg(test)]
mod tests;
mod undo;

use rusqlite::Connection;
use six_core::curate::{Batch, Judged, JudgedBatch, Named, Ruling, RulingFault, judge_rulings};

use crate::error::Result;
use crate::open::Store;
use crate::records::{answering, change};
use crate::table::{batch, sighting, thread};

pub use review::UnseenBatch;
pub use undo::{NotUndone, Undone};

impl Store {
    /// Judges a batch of verdicts and, unless `dry_run`, applies it in one transaction. One fault refuses all of it. A batch of
    /// no verdicts leaves no row.
    pub fn apply_rulings(
        &self,
        rulings: &[Ruling],
        batch: Batch<'_>,
        dry_run: bool,
    ) -> Result<std::result::Result<JudgedBatch, Vec<RulingFault>>> {
        let judge = |conn: &Connection| Ok(judge_rulings(rulings, &named(conn, rulings)?, batch));
        if dry_run || rulings.is_empty() {
            return self.read(judge);
        }
        self.write(|conn| {
            let judged = judge(conn)?;
            if let Ok(judged) = &judged {
                apply(conn, judged, batch)?;
            }
            Ok(judged)
        })
    }
}

fn named(conn: &Connection, rulings: &[Ruling]) -> Result<Named> {
    let mut named = Named { threads: thread::all(conn)?, ..Named::default() };
    for id in rulings.iter().flat_map(|ruling| [Some(&ruling.id), ruling.into.as_ref(), ruling.by.as_ref()]).flatten() {
        if !id.is_empty() && !named.records.contains_key(id) {
            named.records.insert(id.clone(), answering(conn, id)?);
        }
    }
    Ok(named)
}

fn apply(conn: &Connection, judged: &JudgedBatch, batch: Batch<'_>) -> Result<()> {
    batch::insert(conn, &batch)?;
    for opened in &judged.opened {
        thread::insert(conn, opened, Some(batch.id))?;
    }
    for Judged { old, new, sighting, reason, .. } in &judged.judged {
        change(conn, old, new, &batch.judge.into(), reason, Some(batch.id), batch.now)?;
        let Some(seen) = sighting else { continue };
        sighting::insert(conn, seen, Some(batch.id))?;
        for further in sighting::of_record(conn, &old.id)? {
            let further = six_core::curate::Sighting { record: seen.record.clone(), ..further };
            sighting::insert(conn, &further, Some(batch.id))?;
        }
    }
    Ok(())
}
