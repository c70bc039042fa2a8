//! The evidence of the check `ingest`.

use six_core::health::{ActiveDays, FileFailing, IngestEvidence};
use six_store::{Store, StoreError};

use super::FindUnread;
use crate::ingest::Place;

/// Looks at what was consumed, and for what was not.
pub(super) fn gather(place: &Place, store: &Store, find_unread: FindUnread) -> Result<IngestEvidence, StoreError> {
    let facts = store.gather_ingest()?;
    let mut lags = find_unread(place, store)?;
    lags.sort_by_key(|lag| lag.changed);
    Ok(IngestEvidence {
        active_days_behind: lags
            .first()
            .map_or(Ok(ActiveDays::default()), |oldest| store.active_days(oldest.changed))?,
        lags,
        failing: facts.failing.into_iter().map(|(path, error, fails)| FileFailing { path, fails, error }).collect(),
        last_run: facts.last_run,
    })
}
