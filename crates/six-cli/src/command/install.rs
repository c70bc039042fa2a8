//! `six install`

mod text;

pub(crate) use text::{home_path, shown};

use std::path::PathBuf;
use std::process::ExitCode;

use serde_json::{Value, json};
use six_core::event::settings::Wired;
use six_runtime::end::EndSignal;
use six_runtime::home::HomeError;
use six_runtime::install::{self, Identity, InstallError, InstallPlan, Installed, Refusal, Request};
use six_runtime::lock::LockError;
use six_runtime::project::adopt::Adoption;

use crate::cli::{InstallArgs, Scope};
use crate::context::Context;
use crate::failure::{Exit, Failure, next_step};
use crate::output::{object, quoted};

/// Runs it.
pub(crate) fn run(context: &Context, args: &InstallArgs) -> Result<ExitCode, Failure> {
    let start = context.dir(args.dir.as_deref());
    let binaries = binaries()?;
    let request = Request {
        env: &context.env,
        start: &start,
        scope: scope(args.scope),
        binaries: &binaries,
        templates: !args.no_templates,
    };
    if args.dry_run {
        let plan = install::plan(&request).map_err(refused)?;
        context.print(&if context.json {
            object("install", plan_json(&plan, true))
        } else {
            text::render_plan(&plan, request.env)
        });
        return Ok(ExitCode::SUCCESS);
    }
    let installed = install::apply(&request, context.now).map_err(failed)?;
    if !context.json && !context.quiet {
        context.print(&text::render_installed(&installed, request.env));
    }
    finish(context, &installed, !args.no_ingest)
}

/// The last step: reads what is there, with a bar, and ends with the health of the memory.
fn finish(context: &Context, installed: &Installed, ingest: bool) -> Result<ExitCode, Failure> {
    let project = &installed.enrolled.project;
    let end = EndSignal::watch();
    let ingested = if ingest { super::ingest::take_in(context, project, &end)? } else { Value::Null };
    let (health, health_json) = super::health::report(context, project);
    context.print(&if context.json {
        let mut body = installed_json(installed);
        if let Some(fields) = body.as_object_mut() {
            fields.insert(String::from("ingest"), ingested);
            fields.insert(String::from("health"), health_json);
        }
        object("install", body)
    } else {
        health
    });
    Ok(end.exit_code().map_or(ExitCode::SUCCESS, ExitCode::from))
}

const fn scope(scope: Scope) -> install::Scope {
    match scope {
        Scope::Local => install::Scope::Local,
        Scope::Project => install::Scope::Project,
        Scope::User => install::Scope::User,
    }
}

/// The folder whose hooks are wired: that of the path that this program was called by, if it is a stable one.
pub(crate) fn binaries() -> Result<PathBuf, Failure> {
    install::find_binaries(&running_exe()?, &called_as()).map_err(refused)
}

/// The running program.
pub(crate) fn running_exe() -> Result<PathBuf, Failure> {
    std::env::current_exe().map_err(|fault| {
        Failure::misuse(
            format_args!("the system does not tell where this program is: {fault}"),
            "call it by its full path",
        )
    })
}

fn called_as() -> Vec<PathBuf> {
    let Some(name) = std::env::args_os().next().map(PathBuf::from) else { return Vec::new() };
    if name.components().count() > 1 {
        return std::env::current_dir().map(|cwd| vec![cwd.join(name)]).unwrap_or_default();
    }
    let path = std::env::var_os("PATH").unwrap_or_default();
    std::env::split_paths(&path).map(|folder| folder.join(&name)).collect()
}

/// A refusal as an error: nothing was changed.
pub(crate) fn refused(refusal: Refusal) -> Failure {
    let next = match &refusal {
        Refusal::NoSixHome(HomeError::Nowhere) => String::from("set HOME, or SIX_HOME to an absolute folder"),
        Refusal::NoSixHome(HomeError::Relative { variable, .. }) => format!("set {variable} to an absolute folder"),
        Refusal::NoHostFolder => String::from("set HOME, or take another scope: six install --scope local"),
        Refusal::NoFolder(_) => String::from("name the folder of your project: six install DIR"),
        Refusal::NotPossible { .. } => String::from("name the folder of one project: six install DIR"),
        Refusal::NotInstalled(_) => String::from("six uninstall --audit lists what is ours on this machine"),
        Refusal::Copied { .. } => {
            String::from("six project split (a memory of its own) or six project adopt (take the memory over)")
        }
        Refusal::NoBinary(_) => String::from("install all programs of six into one folder again: ./install.sh"),
        Refusal::NotUtf8Path(_) => String::from("install to a folder with another name: ./install.sh --prefix DIR"),
        Refusal::Settings { .. } => String::from("put that place right, then run this again; nothing was changed"),
        Refusal::NotUtf8 { .. } => String::from("save it as UTF-8, then run this again; nothing was changed"),
        Refusal::BrokenLink(_) => String::from("make its target or remove the link, then run this again"),
        Refusal::NotRegular(_) | Refusal::NotFolder(_) => String::from("move it away, then run this again"),
        Refusal::ReadOnly(path) => format!("chmod u+w {}, then run this again; nothing was changed", quoted(path)),
        Refusal::Unreadable(_) => String::from("make it readable, then run this again; nothing was changed"),
        Refusal::Manifest { .. } | Refusal::Registry(_) => {
            String::from("look at that file and put it right, or move it away; then run this again")
        }
        Refusal::Locked(LockError::Io { .. }) => {
            String::from("make six's own folder writable, or set SIX_HOME to another one")
        }
        Refusal::Locked(LockError::Busy { .. }) => String::from("wait for the other six to end, then run this again"),
    };
    let exit = if matches!(refusal, Refusal::NotInstalled(_)) { Exit::Nothing } else { Exit::Misuse };
    Failure::new(exit, refusal, next)
}

/// An error of an install or an uninstall.
pub(crate) fn failed(fault: InstallError) -> Failure {
    match fault {
        InstallError::Refused(refusal) => refused(refusal),
        InstallError::Store { ref path, ref why } => {
            let next = next_step(path, why);
            Failure::new(Exit::Store, fault, next)
        }
        fault => Failure::misuse(fault, "put that right, then run this again: it goes on where it ended"),
    }
}

fn plan_json(plan: &InstallPlan, dry_run: bool) -> Value {
    let hooks: Vec<Value> = plan
        .wirings
        .iter()
        .map(|wiring| {
            let events = |wired: &[Wired]| -> Vec<String> {
                wired.iter().map(|wired| wired.event.clone()).collect()
            };
            json!({"path": wiring.path.to_string_lossy(), "added": events(&wiring.added), "repaired": events(&wiring.repaired)})
        })
        .collect();
    let files: Vec<Value> = plan
        .changes
        .iter()
        .map(|change| {
            json!({
                "path": change.path.to_string_lossy(),
                "new": change.before.is_none(),
                "bytes": change.after.len(),
                "spans": change.spans,
            })
        })
        .collect();
    let (identity, id) = match &plan.identity {
        Identity::Kept(id) => ("kept", Some(id)),
        Identity::Given(Adoption::Adopt(id)) => ("adopted", Some(id)),
        Identity::Given(Adoption::Fresh | Adoption::Name { .. }) => ("new", None),
    };
    json!({
        "dry_run": dry_run,
        "project": {"id": id, "root": plan.root.to_string_lossy()},
        "identity": identity,
        "scope": plan.scope.as_str(),
        "hooks": hooks,
        "files": files,
        "notes": plan.notes.iter().map(text::render_note).collect::<Vec<_>>(),
    })
}

fn installed_json(installed: &Installed) -> Value {
    let project = &installed.enrolled.project;
    let mut body = plan_json(&installed.plan, false);
    if let Some(fields) = body.as_object_mut() {
        fields.insert(String::from("project"), json!({"id": project.id, "root": project.root.to_string_lossy()}));
        fields.insert(
            String::from("store"),
            json!({
                "path": project.store_dir.join("memory.db").to_string_lossy(),
                "new": installed.store == install::StoreState::Created,
            }),
        );
        fields.insert(
            String::from("backups"),
            json!(installed.backups.iter().map(|path| path.to_string_lossy()).collect::<Vec<_>>()),
        );
        fields.insert(
            String::from("not_backed_up"),
            json!(installed.secretive.iter().map(|path| path.to_string_lossy()).collect::<Vec<_>>()),
        );
    }
    body
}
