//! What `six backup` prints.

use std::path::Path;

use serde_json::{Value, json};
use six_runtime::backup::{Made, Plan};
use six_runtime::spool::Drained;
use six_store::{Contents, HAND_KEPT, KeptFor, KeptState, Restored};

use crate::context::Context;
use crate::failure::Failure;
use crate::output::{bytes, count, object};

/// What is in a store, in a line.
fn held(contents: &Contents) -> String {
    let Contents { entries, records, vectors, receipts, .. } = *contents;
    let entries = if entries == 1 { String::from("1 entry") } else { format!("{entries} entries") };
    format!("{entries}, {}, {}, {}", count(records, "record"), count(vectors, "vector"), count(receipts, "receipt"))
}

fn held_json(contents: &Contents) -> Value {
    json!({
        "schema": contents.schema,
        "entries": contents.entries,
        "records": contents.records,
        "subsystems": contents.subsystems,
        "vectors": contents.vectors,
        "heartbeats": contents.heartbeats,
        "receipts": contents.receipts,
    })
}

pub(super) fn made(made: &Made, is_own_folder: bool) -> String {
    let mut lines = vec![
        format!("backed up to {}", made.path.display()),
        format!("  {}, schema {}: {}", bytes(made.bytes), made.contents.schema, held(&made.contents)),
    ];
    if made.drained.replayed > 0 {
        lines.push(format!("  {} taken in from the spool before", count(made.drained.replayed, "event")));
    }
    if made.drained.left > 0 {
        lines.push(format!(
            "  not in it: {} that the store did not take (six health)",
            count(made.drained.left, "event")
        ));
    }
    lines.extend(made.removed.iter().map(|path| format!("  removed, an older one: {}", path.display())));
    if is_own_folder {
        lines.push(format!(
            "  the newest {HAND_KEPT} stay there; --to FILE keeps one elsewhere for as long as you like"
        ));
    }
    lines.join("\n")
}

pub(super) fn made_json(made: &Made) -> String {
    object(
        "backup",
        json!({
            "path": made.path,
            "bytes": made.bytes,
            "holds": held_json(&made.contents),
            "removed": made.removed,
            "replayed": made.drained.replayed,
            "waiting": made.drained.left,
        }),
    )
}

/// Why an old state is there, for a person.
fn why(kept_for: KeptFor) -> &'static str {
    match kept_for {
        KeptFor::Hand => "asked for",
        KeptFor::Upgrade => "before an upgrade",
        KeptFor::Repair => "before a repair",
        KeptFor::Restore => "before a restore",
        KeptFor::Damage => "damaged",
    }
}

fn why_name(kept_for: KeptFor) -> &'static str {
    match kept_for {
        KeptFor::Hand => "hand",
        KeptFor::Upgrade => "upgrade",
        KeptFor::Repair => "repair",
        KeptFor::Restore => "restore",
        KeptFor::Damage => "damage",
    }
}

pub(super) fn list(context: &Context, folder: &Path, states: &[KeptState]) -> String {
    let rows = states.iter().map(|state| {
        let schema = state.schema.map_or_else(|| String::from("unreadable"), |schema| format!("schema {schema}"));
        format!(
            "{}  {:<17}  {:>9}  {schema:<10}  {}",
            state.at.minute(context.offset),
            why(state.kept_for),
            bytes(state.bytes),
            state.path.file_name().unwrap_or_default().to_string_lossy()
        )
    });
    let end = [format!("in {}", folder.display()), String::from("to go back to one: six backup restore FILE")];
    rows.chain(end).collect::<Vec<_>>().join("\n")
}

pub(super) fn list_json(folder: &Path, states: &[KeptState]) -> String {
    let states: Vec<Value> = states
        .iter()
        .map(|state| {
            json!({
                "path": state.path,
                "why": why_name(state.kept_for),
                "at": state.at.rfc3339(),
                "bytes": state.bytes,
                "schema": state.schema,
            })
        })
        .collect();
    object("backup", json!({"folder": folder, "backups": states}))
}

pub(super) fn question(plan: &Plan, root: &Path) -> String {
    format!(
        "The memory of {} would be what {} holds: {}.\nWhat it holds now is kept beside. Go on? [y/N]",
        root.display(),
        plan.path.display(),
        held(&plan.prepared.contents)
    )
}

pub(super) fn restored(plan: &Plan, restored: &Restored, drained: &Result<Drained, Failure>) -> String {
    let mut lines = vec![
        format!("restored from {}", plan.path.display()),
        format!("  the memory holds {}", held(&restored.contents)),
    ];
    let (from, to) = (plan.prepared.contents.schema, restored.contents.schema);
    if from != to {
        lines.push(format!("  brought from schema {from} to {to}"));
    }
    lines.push(match (&restored.kept, &restored.former) {
        (Some(kept), Some(former)) => format!("  what it held before ({}) is kept: {}", held(former), kept.display()),
        (Some(kept), None) => format!("  what was there could not be read, and is kept: {}", kept.display()),
        (None, _) => String::from("  there was no store"),
    });
    lines.extend(restored.removed.iter().map(|path| format!("  removed, an older one: {}", path.display())));
    match drained {
        Ok(Drained { replayed: 0, .. }) => {}
        Ok(drained) => lines.push(format!("  {} taken in from the spool", count(drained.replayed, "event"))),
        Err(fault) => lines.push(format!("  not taken in, what waits in the spool: {}", fault.note())),
    }
    lines.join("\n")
}

pub(super) fn restored_json(plan: &Plan, restored: &Restored, drained: &Result<Drained, Failure>) -> String {
    object(
        "backup",
        json!({
            "from": plan.path,
            "from_schema": plan.prepared.contents.schema,
            "holds": held_json(&restored.contents),
            "held_before": restored.former.as_ref().map(held_json),
            "kept": restored.kept,
            "removed": restored.removed,
            "replayed": drained.as_ref().map_or(0, |drained| drained.replayed),
            "not_replayed": drained.as_ref().err().map(Failure::note),
        }),
    )
}

#[cfg(test)]
mod tests {
    use six_core::record::UnixMs;
    use six_store::Prepared;

    use super::*;

    const HELD: Contents =
        Contents { schema: 6, entries: 40, records: 7, subsystems: 1, vectors: 38, heartbeats: 90, receipts: 12 };

    #[test]
    fn a_backup_says_where_it_is_what_it_holds_and_how_many_stay() {
        let done = Made {
            path: "/six/backup/memory-by-hand-9.db".into(),
            bytes: 40_960,
            contents: HELD,
            removed: vec!["/six/backup/memory-by-hand-1.db".into()],
            drained: Drained { replayed: 2, left: 1, bad: 0 },
        };
        insta::assert_snapshot!(made(&done, true));
    }

    #[test]
    fn the_list_says_of_every_old_state_when_and_why_it_was_kept() {
        let state = |name: &str, kept_for, schema| KeptState {
            path: format!("/six/backup/{name}").into(),
            kept_for,
            at: UnixMs(1_767_225_600_000),
            bytes: 40_960,
            schema,
        };
        let states = [
            state("memory-by-hand-9.db", KeptFor::Hand, Some(6)),
            state("memory-schema-5-8.db", KeptFor::Upgrade, Some(5)),
            state("memory-before-repair-7.db", KeptFor::Repair, Some(6)),
            state("memory-before-restore-6.db", KeptFor::Restore, Some(6)),
            state("memory-damaged-5.db", KeptFor::Damage, None),
        ];
        insta::assert_snapshot!(list(&Context::fixed(), Path::new("/six/backup"), &states));
    }

    #[test]
    fn a_restore_says_what_the_memory_holds_and_where_the_former_one_is() {
        let plan = Plan {
            path: "/six/backup/memory-schema-5-8.db".into(),
            prepared: Prepared { contents: Contents { schema: 5, ..HELD }, project: None },
            is_own: true,
        };
        let told = [
            (Some(HELD), Some("/six/backup/memory-before-restore-9.db"), 1),
            (None, Some("/six/backup/memory-damaged-9.db"), 0),
            (None, None, 0),
        ]
        .map(|(former, kept, removed)| Restored {
            contents: HELD,
            former,
            kept: kept.map(Into::into),
            removed: vec!["/six/backup/memory-before-restore-1.db".into(); removed],
        });
        let drained = Drained { replayed: 1, ..Drained::default() };
        let shut = || Failure::misuse("the spool can't be read", "give yourself it to read and write");
        let told = told.map(|done| {
            let drained = if done.former.is_some() { Err(shut()) } else { Ok(drained) };
            restored(&plan, &done, &drained)
        });
        insta::assert_snapshot!(format!("{}\n\n{}", question(&plan, Path::new("/home/ada/api")), told.join("\n\n")));
    }
}
