//! Faults of the check `store`.

use std::fs;

use six_core::health::{CheckName, Fault};
use six_store::Spoil;

use super::injection::{Eyes, Heal, Injection, Unproven};
use super::machine::Machine;
use crate::clock;

const fn of_command(fault: Fault, what: &'static str, inject: super::injection::Inject, heal: Heal) -> Injection {
    Injection { check: CheckName::Store, fault, what, eyes: Eyes::Command, inject, heal }
}

const fn of_start(fault: Fault, what: &'static str, inject: super::injection::Inject, heal: Heal) -> Injection {
    Injection { check: CheckName::Store, fault, what, eyes: Eyes::Start, inject, heal }
}

/// What is done to the file, its folder and its room.
pub(super) const INJECTIONS: &[Injection] = &[
    of_command(Fault::StoreUnusable, "the store file is removed", remove, Heal::Fix),
    of_command(
        Fault::StoreUnusable,
        "another file is put in its place",
        replace,
        Heal::ByHand("that file is moved aside", remove),
    ),
    of_command(Fault::StoreUnusable, "the full-text index is dropped", |m| m.spoil(Spoil::DropIndex), Heal::Fix),
    of_command(
        Fault::StoreSchema,
        "the schema is a newer one",
        |m| m.spoil(Spoil::NewerSchema),
        Heal::ByHand("the newer six is there again", |m| m.spoil(Spoil::OurSchema)),
    ),
    of_command(Fault::StoreSchema, "the schema is an older one", |m| m.spoil(Spoil::OlderSchema), Heal::Fix),
    of_start(Fault::StoreParity, "a row of the index is lost", |m| m.spoil(Spoil::LoseIndexRow), Heal::Fix),
    of_start(Fault::StoreParity, "the counter is one too high", |m| m.spoil(Spoil::Miscount), Heal::Fix),
    of_command(Fault::StoreDamaged, "a page is turned round", |m| m.spoil(Spoil::FlipPage), Heal::Fix),
    of_start(Fault::StoreUnchecked, "the last full check is 5 days old", age_check, Heal::Fix),
    #[cfg(unix)]
    of_command(Fault::StoreMode, "the file can be read by others", expose, Heal::Fix),
    of_start(Fault::DiskFull, "more free disk is wanted than there is (by the limit)", want_all_disk, Heal::LimitBack),
    of_command(Fault::Quota, "the store has more than its quota", swell, Heal::Fix),
    of_start(Fault::JournalLarge, "the journal is not moved into the file (by the limit)", keep_journal, Heal::Fix),
    of_command(
        Fault::Configuration,
        "the project's configuration is no JSON",
        break_configuration,
        Heal::ByHand("that file is removed", remove_configuration),
    ),
    of_start(Fault::SpoolStuck, "an event waits in the spool for two sessions", fill_spool, Heal::Fix),
];

fn remove(machine: &mut Machine) -> Result<bool, Unproven> {
    for suffix in ["", "-wal", "-shm"] {
        let mut name = machine.store_file().into_os_string();
        name.push(suffix);
        match fs::remove_file(name) {
            Err(fault) if fault.kind() != std::io::ErrorKind::NotFound => return Err(fault.into()),
            _ => {}
        }
    }
    Ok(true)
}

fn replace(machine: &mut Machine) -> Result<bool, Unproven> {
    fs::write(machine.store_file(), "a letter to the harbour master\n".repeat(500))?;
    Ok(true)
}

fn age_check(machine: &mut Machine) -> Result<bool, Unproven> {
    machine.spoil(Spoil::AgeFullCheck { now: clock::now(), days: 5 })
}

#[cfg(unix)]
fn expose(machine: &mut Machine) -> Result<bool, Unproven> {
    use std::os::unix::fs::PermissionsExt as _;
    fs::set_permissions(machine.store_file(), fs::Permissions::from_mode(0o644))?;
    Ok(true)
}

#[expect(clippy::unnecessary_wraps, reason = "one of many injections; the others can fail")]
fn want_all_disk(machine: &mut Machine) -> Result<bool, Unproven> {
    machine.limits.min_free_bytes = u64::MAX;
    Ok(true)
}

/// A quota is whole mebibytes: with two of them more, twice the quota is enough for whatever store.
fn swell(machine: &mut Machine) -> Result<bool, Unproven> {
    machine.spoil(Spoil::Swell { bytes: 2 << 20 })?;
    let quota = fs::metadata(machine.store_file())?.len() >> 20;
    machine.runner().six(&["config".into(), "set".into(), "store.quota_mib".into(), quota.to_string()])?;
    Ok(true)
}

fn keep_journal(machine: &mut Machine) -> Result<bool, Unproven> {
    machine.limits.max_wal_bytes = 16 << 10;
    machine.spoil(Spoil::KeepJournal)
}

fn break_configuration(machine: &mut Machine) -> Result<bool, Unproven> {
    fs::write(machine.configuration(), "{\"store\": ")?;
    Ok(true)
}

fn remove_configuration(machine: &mut Machine) -> Result<bool, Unproven> {
    fs::remove_file(machine.configuration())?;
    Ok(true)
}

fn fill_spool(machine: &mut Machine) -> Result<bool, Unproven> {
    super::heartbeats::spool_event(machine)?;
    machine.hold_sessions()?;
    Ok(true)
}
