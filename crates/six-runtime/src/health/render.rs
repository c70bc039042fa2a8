//! The evidence of the check `render`.

use six_core::health::RenderEvidence;
use six_core::record::UnixMs;
use six_store::{Store, StoreError};

/// Looks.
pub(super) fn gather(store: &Store, now: UnixMs) -> Result<RenderEvidence, StoreError> {
    store.gather_render(now)
}
