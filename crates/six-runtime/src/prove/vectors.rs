//! Faults of the check `vectors`.

use six_core::health::{CheckName, Fault};
use six_store::Spoil;

use super::injection::{Eyes, Heal, Inject, Injection};
use crate::clock;

const fn injection(fault: Fault, what: &'static str, inject: Inject) -> Injection {
    Injection { check: CheckName::Vectors, fault, what, eyes: Eyes::Command, inject, heal: Heal::Fix }
}

/// What becomes of vectors.
pub(super) const INJECTIONS: &[Injection] = &[
    injection(Fault::VectorsLost, "vectors are removed behind their texts' backs", |m| m.spoil(Spoil::LoseVectors)),
    injection(Fault::VectorsStuck, "texts wait for vectors over three sessions", |m| {
        m.spoil(Spoil::StallVectors { now: clock::now(), boundaries: 3 })
    }),
    injection(Fault::VectorsOrphaned, "a text forgets that it has a vector", |m| m.spoil(Spoil::OrphanVector)),
    injection(Fault::VectorsUnfound, "all vectors have half their width", |m| m.spoil(Spoil::HalveVectors)),
];
