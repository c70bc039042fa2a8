//! `six subsystem`

use std::process::ExitCode;

use serde_json::json;
use six_core::record::{Origin, Subsystem, SubsystemId, SubsystemState};
use six_core::text::{Redactor, printable};

use super::records::{embed_at_once, fresh_id, rows};
use crate::cli::SubsystemCommand;
use crate::context::Context;
use crate::failure::{Exit, Failure, nearest, store_failure};
use crate::output::object;

/// Runs one of its verbs.
pub(crate) fn run(context: &Context, verb: SubsystemCommand) -> Result<ExitCode, Failure> {
    match verb {
        SubsystemCommand::Add { name, purpose, path, state } => {
            add(context, &name, purpose.as_deref().unwrap_or_default(), &path, &state)
        }
        SubsystemCommand::List => list(context),
    }
}

fn add(context: &Context, name: &str, purpose: &str, paths: &[String], state: &str) -> Result<ExitCode, Failure> {
    if name.trim().is_empty() {
        return Err(Failure::misuse("the name is empty", "six subsystem add NAME"));
    }
    let known = SubsystemState::ALL.map(SubsystemState::as_str);
    let state = SubsystemState::parse(state).ok_or_else(|| {
        let next = nearest(state, &known)
            .map_or_else(|| format!("one of: {}", known.join(", ")), |near| format!("did you mean --state {near}?"));
        Failure::misuse(format_args!("there is no state {state:?}"), next)
    })?;
    let project = context.project()?;
    let store = context.writer(&project)?;
    let redactor = Redactor::new();
    let name = redactor.redact(name.trim());
    let inventory = store.subsystems().map_err(|fault| store_failure(&project, &fault))?;
    if let Some(known) = inventory.iter().find(|known| known.name == name) {
        return Err(Failure::misuse(
            format_args!("{:?} is in the inventory already: {}", printable(name.as_str()), known.id),
            "six subsystem list",
        ));
    }
    let origin = context.origin();
    let subsystem = Subsystem {
        id: SubsystemId::new(fresh_id()?),
        name,
        purpose: redactor.redact(purpose),
        paths: paths.iter().map(|path| redactor.redact(path)).collect(),
        entry_points: Vec::new(),
        state,
        origin,
        source_path: None,
        created: context.now,
    };
    store.add_subsystem(&subsystem).map_err(|fault| store_failure(&project, &fault))?;
    embed_at_once(context, &project, &store, 1);
    context.print(&if context.json {
        object("subsystem", json!({"subsystem": subsystem}))
    } else {
        format!("subsystem {} is in the inventory", subsystem.id)
    });
    if origin == Origin::Agent {
        context.say("entered by an agent: it is listed and searched, but shown with no prompt");
    }
    Ok(ExitCode::SUCCESS)
}

fn list(context: &Context) -> Result<ExitCode, Failure> {
    let project = context.project()?;
    let store = Context::reader(&project)?;
    let subsystems = store.subsystems().map_err(|fault| store_failure(&project, &fault))?;
    context.print(&if context.json {
        rows("subsystem", "subsystems", &subsystems)
    } else {
        subsystems.iter().map(line).collect::<Vec<_>>().join("\n")
    });
    if subsystems.is_empty() {
        context.say("the inventory is empty: six subsystem add NAME --purpose TEXT --path PATH");
        return Ok(Exit::Nothing.into());
    }
    Ok(ExitCode::SUCCESS)
}

fn line(subsystem: &Subsystem) -> String {
    let paths: Vec<_> = subsystem.paths.iter().map(|path| printable(path.as_str())).collect();
    let named_in =
        subsystem.source_path.as_ref().map_or_else(String::new, |path| format!("  ({})", printable(path.as_str())));
    format!(
        "{}  {:<8} {}  {}  {}{named_in}",
        subsystem.id,
        subsystem.state.as_str(),
        printable(subsystem.name.as_str()),
        paths.join(" "),
        printable(subsystem.purpose.as_str())
    )
}
