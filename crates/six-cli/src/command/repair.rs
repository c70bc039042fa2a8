//! `six repair`

use std::path::Path;
use std::process::ExitCode;

use serde_json::{Value, json};
use six_core::event::settings::Wired;
use six_core::record::Why;
use six_runtime::end::EndSignal;
use six_runtime::install::{self, Relink, Scope};
use six_runtime::project::identity::Project;
use six_runtime::repair::{RepairError, Report, run as repair};
use six_runtime::spool::Drained;
use six_store::{RepairMode, Repaired, StoreError, TableRead};

use crate::cli::RepairArgs;
use crate::context::Context;
use crate::failure::{Exit, Failure, beyond_repair, not_replayed, store_failure};
use crate::output::{count, object, quoted};

/// Runs it.
pub(crate) fn run(context: &Context, args: &RepairArgs) -> Result<ExitCode, Failure> {
    let project = context.project()?;
    let mode = if args.dry_run { RepairMode::Try } else { RepairMode::Swap };
    let Report { repaired, drained } = repair(&project, mode, context.now, &|holder| context.say_waiting(holder))
        .map_err(|fault| failed(&project, fault))?;
    let drained = drained.map_err(|fault| not_replayed(&project, &fault));
    // Whatever comes after it, what was done is told.
    if !context.json {
        context.print(&as_text(&repaired, &drained));
    }
    let end = EndSignal::watch();
    let embedded = if args.dry_run { None } else { Some(embed(context, &project, &end)) };
    let ended = end.exit_code();
    let hooks = hooks(context, &project, args.dry_run);
    if context.json {
        let mut body = as_json(&repaired, &drained);
        if let Some(fields) = body.as_object_mut() {
            fields.insert(String::from("embedded"), embedded_json(embedded));
            fields.insert(String::from("hooks"), hooks_json(&hooks));
        }
        context.print(&object("repair", body));
    } else {
        let hooks = hooks_text(&hooks, &project.root, args.dry_run);
        let rest = [embedded.map_or_else(String::new, embedded_text), hooks];
        rest.iter().filter(|part| !part.is_empty()).for_each(|part| context.print(part));
    }
    Ok(ended.map_or(ExitCode::SUCCESS, ExitCode::from))
}

/// Makes the vectors that the new file lacks; without any a text is still found by its words. The store is repaired by then:
/// what is in the way here is told, and no more.
fn embed(context: &Context, project: &Project, end: &EndSignal) -> Result<(String, Value), Failure> {
    let config = context.config(project)?.embed;
    let store = context.writer(project)?;
    super::embed::follow(context, project, &store, &config, end)
}

fn embedded_text(embedded: Result<(String, Value), Failure>) -> String {
    embedded.map_or_else(|fault| format!("the vectors could not be looked at: {}", fault.note()), |(text, _)| text)
}

fn embedded_json(embedded: Option<Result<(String, Value), Failure>>) -> Value {
    match embedded {
        None => Value::Null,
        Some(Ok((_, json))) => json,
        Some(Err(fault)) => json!({"error": fault.note()}),
    }
}

/// Wires hooks again whose program is gone. The store is repaired by then: what is in the way here is told, and no more.
fn hooks(context: &Context, project: &Project, is_try: bool) -> Result<Relink, String> {
    let binaries = super::install::binaries().map_err(|fault| fault.to_string())?;
    if is_try {
        install::plan_relink(&context.env, project, &binaries).map_err(|fault| fault.to_string())
    } else {
        install::apply_relink(&context.env, project, &binaries, context.now).map_err(|fault| fault.to_string())
    }
}

fn hooks_text(hooks: &Result<Relink, String>, root: &Path, is_try: bool) -> String {
    let relink = match hooks {
        Ok(relink) => relink,
        Err(why) => return format!("the hooks could not be looked at: {why}"),
    };
    let events = |wired: &[Wired]| wired.iter().map(|wired| wired.event.as_str()).collect::<Vec<_>>().join(", ");
    let would = if is_try { "hooks that a repair would wire again" } else { "hooks wired again" };
    let mut lines: Vec<String> = relink
        .wired
        .iter()
        .map(|wiring| {
            format!("{would}, their program was gone: {} in {}", events(&wiring.repaired), wiring.path.display())
        })
        .collect();
    lines.extend(relink.left.iter().map(|left| {
        let (which, file) = (events(&left.dead), left.path.display());
        if let Some(why) = &left.why {
            return format!("hooks whose program is gone: {which} in {file}: {why}; once that is put right: six repair");
        }
        let dir = if left.root == root { String::new() } else { format!(" {}", quoted(&left.root)) };
        format!(
            "hooks whose program is gone, in a file that is not of this machine's making: {which} in {file}; to wire them \
             again: six install{dir} --scope {}",
            scope_name(left.scope)
        )
    }));
    if !relink.unwired.is_empty() {
        lines.push(format!("hooks that are wired nowhere: {}; to wire them: six install", relink.unwired.join(", ")));
    }
    lines.join("\n")
}

const fn scope_name(scope: Scope) -> &'static str {
    match scope {
        Scope::Local => "local",
        Scope::Project => "project",
        Scope::User => "user",
    }
}

fn hooks_json(hooks: &Result<Relink, String>) -> Value {
    let events = |wired: &[Wired]| wired.iter().map(|wired| wired.event.clone()).collect::<Vec<_>>();
    match hooks {
        Ok(relink) => json!({
            "wired": relink.wired.iter().map(|wiring| json!({
                "path": wiring.path,
                "events": events(&wiring.repaired),
            })).collect::<Vec<_>>(),
            "left": relink.left.iter().map(|left| json!({
                "path": left.path,
                "events": events(&left.dead),
                "why": left.why.as_ref().map(ToString::to_string),
            })).collect::<Vec<_>>(),
            "unwired": relink.unwired,
        }),
        Err(why) => json!({"error": why}),
    }
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
    }
}

fn unrepairable(fault: &StoreError) -> String {
    match fault {
        StoreError::Corrupt | StoreError::MissingTable => String::from("nothing of it can be read"),
        fault => fault.to_string(),
    }
}

fn as_text(repaired: &Repaired, drained: &Result<Drained, Failure>) -> String {
    let rows = count(repaired.rows, "row");
    let indexed = count(repaired.bodies, "text");
    let vectors = count(repaired.vectors, "vector");
    let mut lines = vec![match &repaired.kept {
        Some(_) => format!("repaired: {rows} kept, {vectors} among them, {indexed} indexed anew"),
        None => {
            format!("a repair would keep {rows}, {vectors} among them, and index {indexed} anew; nothing is changed")
        }
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
    match drained {
        Ok(Drained { replayed: 0, .. }) => {}
        Ok(drained) => lines.push(format!("  {} taken in from the spool", count(drained.replayed, "event"))),
        Err(fault) => lines.push(format!("  not taken in, what waits in the spool: {}", fault.note())),
    }
    if let Some(kept) = &repaired.kept {
        lines.push(format!("  the old file is kept: {}", kept.display()));
        if !repaired.is_whole() {
            lines.push(String::from("  to read again what the sources still hold: six ingest"));
        }
    }
    lines.join("\n")
}

fn as_json(repaired: &Repaired, drained: &Result<Drained, Failure>) -> Value {
    json!({
        "dry_run": repaired.kept.is_none(),
        "whole": repaired.is_whole(),
        "rows": repaired.rows,
        "bodies": repaired.bodies,
        "vectors": repaired.vectors,
        "tables": repaired.tables.iter().map(|table| json!({
            "table": table.table,
            "read": table.read,
            "held": table.held,
        })).collect::<Vec<_>>(),
        "kept": repaired.kept,
        "replayed": drained.as_ref().map_or(0, |drained| drained.replayed),
        "not_replayed": drained.as_ref().err().map(Failure::note),
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    fn table(name: &str, read: u64, held: Option<u64>) -> TableRead {
        TableRead { table: name.to_owned(), read, held }
    }

    fn report(tables: Vec<TableRead>, kept: Option<&str>) -> (Repaired, Result<Drained, Failure>) {
        // One row meant nothing without another.
        let rows = tables.iter().map(|table| table.read).sum::<u64>() - 1;
        let repaired = Repaired { tables, rows, bodies: 1, vectors: 3, kept: kept.map(Into::into) };
        (repaired, Ok(Drained { replayed: kept.map_or(0, |_| 2), ..Drained::default() }))
    }

    #[test]
    fn a_repair_says_what_it_kept_what_it_lost_and_where_the_old_file_is() {
        let whole = vec![table("entry", 40, Some(40)), table("record", 7, Some(7))];
        let short = vec![table("chunk", 0, None), table("entry", 38, Some(40)), table("record", 7, Some(7))];
        let told = [
            report(whole.clone(), None),
            report(whole, Some("/six/backup/memory-before-repair-5.db")),
            report(short.clone(), Some("/six/backup/memory-damaged-5.db")),
            (
                report(short, Some("/six/backup/memory-damaged-5.db")).0,
                Err(Failure::misuse("the spool is shut", "six health")),
            ),
        ];
        insta::assert_snapshot!(told.each_ref().map(|(repaired, drained)| as_text(repaired, drained)).join("\n\n"), @r"
        a repair would keep 46 rows, 3 vectors among them, and index 1 text anew; nothing is changed
          everything could be read

        repaired: 46 rows kept, 3 vectors among them, 1 text indexed anew
          everything could be read
          2 events taken in from the spool
          the old file is kept: /six/backup/memory-before-repair-5.db

        repaired: 44 rows kept, 3 vectors among them, 1 text indexed anew
          not read whole: chunk, 0 rows of nobody knows how many
          not read whole: entry, 38 of 40 rows
          2 events taken in from the spool
          the old file is kept: /six/backup/memory-damaged-5.db
          to read again what the sources still hold: six ingest

        repaired: 44 rows kept, 3 vectors among them, 1 text indexed anew
          not read whole: chunk, 0 rows of nobody knows how many
          not read whole: entry, 38 of 40 rows
          not taken in, what waits in the spool: the spool is shut; next: six health
          the old file is kept: /six/backup/memory-damaged-5.db
          to read again what the sources still hold: six ingest
        ");
        insta::assert_snapshot!(as_json(&told[2].0, &told[2].1), @r#"{"bodies":1,"dry_run":false,"kept":"/six/backup/memory-damaged-5.db","not_replayed":null,"replayed":2,"rows":44,"tables":[{"held":null,"read":0,"table":"chunk"},{"held":40,"read":38,"table":"entry"},{"held":7,"read":7,"table":"record"}],"vectors":3,"whole":false}"#);
    }
}
