//! Faults of the check `queue`.

use serde_json::{Value, json};
use six_core::health::{CheckName, Fault};
use six_core::record::{Origin, Record, RecordId, RecordKind, RecordState, UnixMs};
use six_core::text::Redactor;

use super::injection::{Eyes, Heal, Injection, Unproven};
use super::machine::Machine;
use crate::clock;

/// What waits.
pub(super) const INJECTIONS: &[Injection] = &[
    Injection {
        check: CheckName::Queue,
        fault: Fault::QueueLong,
        what: "41 candidates wait",
        eyes: Eyes::Command,
        inject: |m| wait(m, 41, 0),
        heal: Heal::ByHand("every candidate is judged with `six triage --apply`", judge_all),
    },
    Injection {
        check: CheckName::Queue,
        fault: Fault::QueueLong,
        what: "a candidate waits for 22 days",
        eyes: Eyes::Command,
        inject: |m| wait(m, 1, 22),
        heal: Heal::ByHand("every candidate is judged with `six triage --apply`", judge_all),
    },
];

fn wait(machine: &mut Machine, candidates: u32, days: i64) -> Result<bool, Unproven> {
    let store = machine.store()?;
    let created = UnixMs(clock::now().0 - days * UnixMs::DAY_MS);
    for n in 0..candidates {
        store.add_record(&decision(n, RecordState::Pending, created), Origin::Agent)?;
    }
    Ok(true)
}

/// The decision of that number.
pub(super) fn decision(n: u32, state: RecordState, created: UnixMs) -> Record {
    let (id, title) = (RecordId::new(format!("proof{n:011}")), format!("Berth {n} is kept free"));
    let title = Redactor::new().redact(&title);
    Record { state, ..Record::pending(id, RecordKind::Decision, Origin::Agent, title, created) }
}

fn judge_all(machine: &mut Machine) -> Result<bool, Unproven> {
    let six = |arguments: &[&str]| machine.runner().six(&arguments.iter().map(|&a| a.to_owned()).collect::<Vec<_>>());
    let listed = six(&["triage", "--list", "--json", "--limit", "1000"])?;
    let listed: Value = serde_json::from_str(&listed).map_err(|_| Unproven::Strange(listed))?;
    let items = listed["items"].as_array().into_iter().flatten();
    let verdicts: Value = items.map(|item| json!({"id": item["id"], "verdict": "reject"})).collect();
    let file = machine.root().join("verdicts.json");
    std::fs::write(&file, verdicts.to_string())?;
    six(&["triage", "--apply", &file.display().to_string()])?;
    Ok(true)
}
