//! `six repair`

use std::process::ExitCode;

use serde_json::{Value, json};
use six_core::record::Why;
use six_runtime::project::identity::Project;
use six_runtime::repair::{RepairError, Report, run as repair};
use six_store::{RepairMode, StoreError, TableRead};

use crate::cli::RepairArgs;
use crate::context::Context;
use crate::failure::{Exit, Failure, beyond_repair, store_failure};
use crate::output::{count, object, quoted};

/// Runs it.
pub(crate) fn run(context: &Context, args: &RepairArgs) -> Result<ExitCode, Failure> {
    let project = context.project()?;
    let mode = if args.dry_run { RepairMode::Try } else { RepairMode::Swap };
    let report = repair(&project, mode, context.now).map_err(|fault| failed(&project, fault))?;
    context.print(&if context.json { object("repair", as_json(&report)) } else { as_text(&report) });
    Ok(ExitCode::SUCCESS)
}

fn failed(project: &Project, fault: RepairError) -> Failure {
    match fault {
        RepairError::Store(fault) if fault.why() == Why::Corrupt => Failure::new(
            Exit::Store,
            format_args!("the store can't be repaired, and is as it was: {}", unrepairable(&fault)),
            beyond_repair(project),
        ),
        RepairError::Store(fault) => store_failure(project, &fault),
        RepairError::Held(fault) => Failure::misuse(fault, "wait for the other six to end, then run this again"),
        RepairError::Spool(fault) => Failure::misuse(
            format_args!("the store is repaired; {fault}"),
            format_args!(
                "give yourself {} to read and write, then: six ingest",
                quoted(&project.store_dir.join("spool"))
            ),
        ),
    }
}

fn unrepairable(fault: &StoreError) -> String {
    match fault {
        StoreError::Corrupt | StoreError::MissingTable => String::from("nothing of it can be read"),
        fault => fault.to_string(),
    }
}

fn as_text(report: &Report) -> String {
    let repaired = &report.repaired;
    let rows = count(repaired.rows, "row");
    let indexed = count(repaired.bodies, "text");
    let mut lines = vec![match &repaired.kept {
        Some(_) => format!("repaired: {rows} kept, {indexed} indexed anew"),
        None => format!("a repair would keep {rows} and index {indexed} anew; nothing is changed"),
    }];
    let lost: Vec<&TableRead> = repaired.tables.iter().filter(|table| !table.is_whole()).collect();
    if lost.is_empty() {
        lines.push(String::from("  everything could be read"));
    }
    lines.extend(lost.into_iter().map(|table| {
        let (name, read) = (&table.table, table.read);
        match table.held {
            Some(held) => format!("  not read whole: {name}, {read} of {held} rows"),
            None => format!("  not read whole: {name}, {read} rows of nobody knows how many"),
        }
    }));
    if report.drained.replayed > 0 {
        lines.push(format!("  {} taken in from the spool", count(report.drained.replayed, "event")));
    }
    if let Some(kept) = &repaired.kept {
        lines.push(format!("  the old file is kept: {}", kept.display()));
        if !repaired.is_whole() {
            lines.push(String::from("  to read again what the sources still hold: six ingest"));
        }
    }
    lines.join("\n")
}

fn as_json(report: &Report) -> Value {
    let repaired = &report.repaired;
    json!({
        "dry_run": repaired.kept.is_none(),
        "whole": repaired.is_whole(),
        "rows": repaired.rows,
        "bodies": repaired.bodies,
        "tables": repaired.tables.iter().map(|table| json!({
            "table": table.table,
            "read": table.read,
            "held": table.held,
        })).collect::<Vec<_>>(),
        "kept": repaired.kept,
        "replayed": report.drained.replayed,
    })
}

#[cfg(test)]
mod tests {
    use six_runtime::spool::Drained;
    use six_store::Repaired;

    use super::*;

    fn table(name: &str, read: u64, held: Option<u64>) -> TableRead {
        TableRead { table: name.to_owned(), read, held }
    }

    fn report(tables: Vec<TableRead>, kept: Option<&str>) -> Report {
        // One row meant nothing without another.
        let rows = tables.iter().map(|table| table.read).sum::<u64>() - 1;
        let repaired = Repaired { tables, rows, bodies: 1, kept: kept.map(Into::into) };
        Report { repaired, drained: Drained { replayed: kept.map_or(0, |_| 2), ..Drained::default() } }
    }

    #[test]
    fn a_repair_says_what_it_kept_what_it_lost_and_where_the_old_file_is() {
        let whole = vec![table("entry", 40, Some(40)), table("record", 7, Some(7))];
        let short = vec![table("chunk", 0, None), table("entry", 38, Some(40)), table("record", 7, Some(7))];
        let told = [
            report(whole.clone(), None),
            report(whole, Some("/six/backup/memory-before-repair-5.db")),
            report(short, Some("/six/backup/memory-damaged-5.db")),
        ];
        insta::assert_snapshot!(told.each_ref().map(as_text).join("\n\n"), @r"
        a repair would keep 46 rows and index 1 text anew; nothing is changed
          everything could be read

        repaired: 46 rows kept, 1 text indexed anew
          everything could be read
          2 events taken in from the spool
          the old file is kept: /six/backup/memory-before-repair-5.db

        repaired: 44 rows kept, 1 text indexed anew
          not read whole: chunk, 0 rows of nobody knows how many
          not read whole: entry, 38 of 40 rows
          2 events taken in from the spool
          the old file is kept: /six/backup/memory-damaged-5.db
          to read again what the sources still hold: six ingest
        ");
        insta::assert_snapshot!(as_json(&told[2]), @r#"{"bodies":1,"dry_run":false,"kept":"/six/backup/memory-damaged-5.db","replayed":2,"rows":44,"tables":[{"held":null,"read":0,"table":"chunk"},{"held":40,"read":38,"table":"entry"},{"held":7,"read":7,"table":"record"}],"whole":false}"#);
    }
}
