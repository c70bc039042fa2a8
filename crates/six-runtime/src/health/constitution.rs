//! The evidence of the check `constitution`.

use six_core::config::HealthConfig;
use six_core::health::ConstitutionEvidence;
use six_core::record::Why;

use crate::ingest::Place;

/// Looks.
pub(super) fn gather(_: &Place, _: &HealthConfig) -> Result<ConstitutionEvidence, Why> {
    Ok(ConstitutionEvidence::default())
}
