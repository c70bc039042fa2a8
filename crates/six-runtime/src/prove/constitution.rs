//! Faults of the check `constitution`.

use std::fs;

use six_core::health::{CheckName, Fault};

use super::injection::{Eyes, Heal, Inject, Injection, Unproven};
use super::machine::Machine;

const fn injection(fault: Fault, what: &'static str, inject: Inject) -> Injection {
    let heal = Heal::ByHand("the line is corrected", Machine::put_back_files);
    Injection { check: CheckName::Constitution, fault, what, eyes: Eyes::Command, inject, heal }
}

/// What becomes of standing rules.
pub(super) const INJECTIONS: &[Injection] = &[
    injection(Fault::ConstitutionTerm, "a rule uses a word that was given up", |m| {
        m.runner().six(&["config", "set", "health.deprecated_terms", "fathom"].map(String::from))?;
        add_rule(m, "Depths are given in fathom.")
    }),
    injection(Fault::ConstitutionSlot, "a rule has a place to fill in", |m| add_rule(m, "Pilot: {{name}}")),
    injection(Fault::ConstitutionPath, "a rule names a file that is gone", |m| {
        add_rule(m, "The tides are in `docs/tides.md`.")
    }),
    injection(Fault::ConstitutionCommand, "a rule names a command that is gone", |m| {
        fs::write(m.app().join("Makefile"), "soundings:\n\ttrue\n")?;
        add_rule(m, "Run `make tides` before a ship sails.")
    }),
];

fn add_rule(machine: &Machine, rule: &str) -> Result<bool, Unproven> {
    let path = machine.app().join("CLAUDE.md");
    let rules = fs::read_to_string(&path)?;
    fs::write(&path, format!("{rules}\n## The port\n\n{rule}\n"))?;
    Ok(true)
}
