//! The evidence of the check `ingest`.

use six_core::health::{ActiveDays, FileFailing, FileLag, IngestEvidence};
use six_store::{Store, StoreError};

/// Looks at what was consumed, beside what was not.
pub(super) fn gather(store: &Store, mut lags: Vec<FileLag>) -> Result<IngestEvidence, StoreError> {
    let facts = store.gather_ingest()?;
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
