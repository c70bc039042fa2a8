//! Faults of the check `derived`.

use std::fs::{self, File};
use std::time::{Duration, SystemTime};

use six_core::health::{CheckName, DerivedKind, Fault};
use six_store::Spoil;

use super::injection::{Eyes, Heal, Inject, Injection, Unproven};
use super::machine::Machine;
use crate::clock;

/// Days since the state of the project was written.
const DAYS: u32 = 16;

const fn injection(fault: Fault, what: &'static str, inject: Inject) -> Injection {
    Injection { check: CheckName::Derived, fault, what, eyes: Eyes::Command, inject, heal: Heal::Fix }
}

/// What becomes of what other programs write.
pub(super) const INJECTIONS: &[Injection] = &[
    injection(Fault::DerivedMissing, "the project's state is configured and was never written", |m| {
        configure(m, DerivedKind::ProjectState, "state.json")
    }),
    injection(Fault::DerivedEmpty, "the graph of the code is a folder without a file", |m| {
        fs::create_dir(m.app().join("graph"))?;
        configure(m, DerivedKind::CodeGraph, "graph")
    }),
    injection(Fault::DerivedStale, "the project's state was written 16 active days ago", grow_old),
];

fn grow_old(machine: &mut Machine) -> Result<bool, Unproven> {
    let path = machine.app().join("state.json");
    fs::write(&path, "{}")?;
    let then = SystemTime::now() - Duration::from_secs(u64::from(DAYS) * 24 * 60 * 60);
    File::options().write(true).open(&path)?.set_modified(then)?;
    configure(machine, DerivedKind::ProjectState, "state.json")?;
    machine.spoil(Spoil::LiveDays { now: clock::now(), days: DAYS })
}

fn configure(machine: &Machine, kind: DerivedKind, path: &str) -> Result<bool, Unproven> {
    machine.runner().six(&["config", "set", kind.key(), path].map(String::from))?;
    Ok(true)
}
