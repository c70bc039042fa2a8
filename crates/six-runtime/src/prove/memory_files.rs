//! Faults of the check `memory_files`.

use std::fs::{self, File};
use std::path::Path;
use std::time::{Duration, SystemTime};

use six_core::health::{CheckName, Fault};
use six_store::Spoil;

use super::injection::{Eyes, Heal, Inject, Injection, Unproven};
use super::machine::Machine;
use crate::clock;

const DAY: Duration = Duration::from_secs(24 * 60 * 60);

/// Days since the anchor was written.
const DAYS: u32 = 9;

const fn injection(fault: Fault, what: &'static str, inject: Inject) -> Injection {
    let heal = Heal::ByHand("the file is corrected", Machine::put_back_files);
    Injection { check: CheckName::MemoryFiles, fault, what, eyes: Eyes::Command, inject, heal }
}

/// What becomes of the host's memory folder.
pub(super) const INJECTIONS: &[Injection] = &[
    injection(Fault::MemoryConflict, "a merge leaves a conflict in MEMORY.md", |m| {
        extend_index(m, "<<<<<<< HEAD\nThe lamp is amber.\n=======\nThe lamp is red.\n>>>>>>> other\n")
    }),
    injection(Fault::MemoryOverLimit, "MEMORY.md has more than 200 lines", |m| {
        extend_index(m, &"- The lamp is amber.\n".repeat(200))
    }),
    injection(Fault::MemoryOverLimit, "MEMORY.md has more than 25 000 characters", |m| {
        extend_index(m, &format!("{}\n", "amber ".repeat(5_000)))
    }),
    injection(Fault::MemoryLinkBroken, "MEMORY.md links a file that is gone", |m| extend_index(m, LINE)),
    injection(Fault::MemoryFrontMatter, "the front matter of a file can't be parsed", |m| {
        write_topic(m, "---\nname: lamps\nthis is no field\n---\n\nThe lamp is amber.\n")?;
        extend_index(m, LINE)
    }),
    injection(Fault::MemoryOrphan, "MEMORY.md does not name a file", |m| write_topic(m, "The lamp is amber.\n")),
    injection(Fault::AnchorMissing, "the section LATEST is taken out of MEMORY.md", |m| {
        edit_index(m, |index| index.replace("## LATEST", "## Lamps"))
    }),
    injection(Fault::AnchorStale, "work is to be taken up that was left 9 active days ago", leave_work),
];

const TOPIC: &str = "lamps.md";
const LINE: &str = "\n- [Lamps](lamps.md): which is which\n";

fn edit_index(machine: &Machine, edit: impl FnOnce(&str) -> String) -> Result<bool, Unproven> {
    let path = machine.memory_dir()?.join("MEMORY.md");
    let index = fs::read_to_string(&path)?;
    let edited = edit(&index);
    fs::write(&path, &edited)?;
    Ok(edited != index)
}

fn extend_index(machine: &Machine, text: &str) -> Result<bool, Unproven> {
    edit_index(machine, |index| format!("{index}{text}"))
}

/// A topic file that was written a day ago: one that is newer may still get its line.
fn write_topic(machine: &Machine, text: &str) -> Result<bool, Unproven> {
    let path = machine.memory_dir()?.join(TOPIC);
    fs::write(&path, text)?;
    set_back(&path, DAY)?;
    Ok(true)
}

fn leave_work(machine: &mut Machine) -> Result<bool, Unproven> {
    let is_left = edit_index(machine, |index| index.replace("Nothing is in progress.", "The lamps are half painted."))?;
    set_back(&machine.memory_dir()?.join("MEMORY.md"), DAY * DAYS)?;
    // It is read: otherwise it would be a source that was left out, too.
    machine.runner().six(&["ingest".into()])?;
    machine.spoil(Spoil::LiveDays { now: clock::now(), days: DAYS })?;
    Ok(is_left)
}

fn set_back(path: &Path, age: Duration) -> Result<(), Unproven> {
    File::options().write(true).open(path)?.set_modified(SystemTime::now() - age)?;
    Ok(())
}
