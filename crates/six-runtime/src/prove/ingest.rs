//! Faults of the check `ingest`.

use std::fs::{self, File};
use std::time::{Duration, SystemTime};

use six_core::health::{CheckName, Fault};
use six_core::record::Source;
use six_core::text::Redacted;
use six_store::Spoil;

use super::injection::{Eyes, Heal, Injection, Unproven};
use super::machine::Machine;
use crate::clock;

/// Days that a change lies back.
const DAYS: u32 = 6;

/// What is left out.
pub(super) const INJECTIONS: &[Injection] = &[
    Injection {
        check: CheckName::Ingest,
        fault: Fault::IngestLag,
        what: "a document changed 6 active days ago and was not read",
        eyes: Eyes::Command,
        inject: fall_behind,
        heal: Heal::Fix,
    },
    Injection {
        check: CheckName::Ingest,
        fault: Fault::IngestFailing,
        what: "reading a document failed four times",
        eyes: Eyes::Command,
        inject: fail,
        heal: Heal::ByHand("the document can be read again", |_| Ok(true)),
    },
];

fn fall_behind(machine: &mut Machine) -> Result<bool, Unproven> {
    let path = machine.app().join("docs/tides.md");
    fs::write(&path, "# Tides\n\nThe gauge at the mole is read every ten minutes.\n")?;
    let then = SystemTime::now() - Duration::from_secs(u64::from(DAYS) * 24 * 60 * 60);
    File::options().write(true).open(&path)?.set_modified(then)?;
    machine.spoil(Spoil::LiveDays { now: clock::now(), days: DAYS })
}

/// A file that root can't read either does not exist; what four tries would have left is written down.
fn fail(machine: &mut Machine) -> Result<bool, Unproven> {
    let store = machine.store()?;
    // One of the scratch project: the sources of a copied store are not here to be read again.
    let states = store.file_states(Source::Doc)?;
    let found = states.into_iter().find(|state| state.path.as_str() == "docs/berths.md");
    let Some(mut state) = found else { return Ok(false) };
    (state.fails, state.last_error) = (4, Redacted::literal("permission denied"));
    for _ in 0..4 {
        store.note_failure(&state)?;
    }
    Ok(true)
}
