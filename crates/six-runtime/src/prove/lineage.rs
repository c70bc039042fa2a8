//! Faults of the check `lineage`.

use six_core::health::{CheckName, Fault};
use six_store::Spoil;

use super::injection::{Eyes, Heal, Injection};
use crate::clock;

/// What becomes of stories.
pub(super) const INJECTIONS: &[Injection] = &[Injection {
    check: CheckName::Lineage,
    fault: Fault::LineageStale,
    what: "a story was told of records that have changed since",
    eyes: Eyes::Command,
    inject: |m| m.spoil(Spoil::StaleLineage { now: clock::now() }),
    heal: Heal::Fix,
}];
