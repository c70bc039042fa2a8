//! The evidence of the check `render`.

use six_core::health::RenderEvidence;
use six_core::record::UnixMs;
use six_store::{Store, StoreError};

/// Looks.
pub(super) fn gather(_: &Store, _: UnixMs) -> Result<RenderEvidence, StoreError> {
    Ok(RenderEvidence::default())
}
