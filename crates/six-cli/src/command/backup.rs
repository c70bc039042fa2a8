//! `six backup`: a copy of the store, what is kept of it, and the way back.

mod text;

use std::io::{self, BufRead as _, IsTerminal as _};
use std::path::{Path, PathBuf};
use std::process::ExitCode;

use six_runtime::backup::{self, BackupError, Plan};
use six_runtime::project::identity::Project;
use six_store::StoreError;

use super::refused::check_person;
use crate::cli::{BackupArgs, BackupVerb, RestoreArgs};
use crate::context::Context;
use crate::failure::{Exit, Failure, next_step, not_replayed, store_failure};
use crate::output::{bytes, complain, quoted};

/// Runs it: exit code 1 when there is nothing to list.
pub(crate) fn run(context: &Context, args: &BackupArgs) -> Result<ExitCode, Failure> {
    let project = context.project()?;
    match &args.verb {
        None => make(context, &project, args.to.as_deref()),
        Some(BackupVerb::List) => list(context, &project),
        Some(BackupVerb::Restore(args)) => restore(context, &project, args),
    }
}

fn make(context: &Context, project: &Project, to: Option<&Path>) -> Result<ExitCode, Failure> {
    let to = to.map(|to| context.dir(Some(to)));
    // A copy of an older schema would be one that nobody has looked at.
    drop(context.writer(project)?);
    let made = backup::make(project, to.as_deref(), context.now, &|holder| context.say_waiting(holder))
        .map_err(|fault| failed(project, &fault))?;
    context.print(&if context.json { text::made_json(&made) } else { text::made(&made, to.is_none()) });
    Ok(ExitCode::SUCCESS)
}

fn list(context: &Context, project: &Project) -> Result<ExitCode, Failure> {
    let states = backup::list(project).map_err(|fault| store_failure(project, &fault))?;
    let folder = backup::folder(project);
    if states.is_empty() && !context.json {
        return Err(Failure::new(
            Exit::Nothing,
            format_args!("no old state of this memory is kept in {}", folder.display()),
            "six backup",
        ));
    }
    context.print(&if context.json {
        text::list_json(&folder, &states)
    } else {
        text::list(context, &folder, &states)
    });
    Ok(if states.is_empty() { Exit::Nothing.into() } else { ExitCode::SUCCESS })
}

fn restore(context: &Context, project: &Project, args: &RestoreArgs) -> Result<ExitCode, Failure> {
    check_person(context)?;
    let plan =
        backup::plan_restore(project, &named(context, project, &args.file)).map_err(|fault| failed(project, &fault))?;
    if !plan.is_own && !args.other_project {
        return Err(of_another(&plan));
    }
    if !args.yes && !is_wanted(context, project, &plan)? {
        return Err(Failure::misuse(
            "nothing was restored",
            format_args!("six backup restore {} --yes", quoted(&plan.path)),
        ));
    }
    let (restored, drained) = backup::apply_restore(project, &plan, context.now, &|holder| context.say_waiting(holder))
        .map_err(|fault| failed(project, &fault))?;
    let drained = drained.map_err(|fault| not_replayed(project, &fault));
    context.print(&if context.json {
        text::restored_json(&plan, &restored, &drained)
    } else {
        text::restored(&plan, &restored, &drained)
    });
    context.say("six ingest reads what the sources have had since, and six health looks at the whole");
    Ok(ExitCode::SUCCESS)
}

/// A file that is named without its folder may be one of those that the list shows.
fn named(context: &Context, project: &Project, file: &Path) -> PathBuf {
    let typed = context.dir(Some(file));
    let is_bare = file.parent().is_some_and(|folder| folder.as_os_str().is_empty());
    if is_bare && !typed.exists() { backup::folder(project).join(file) } else { typed }
}

fn of_another(plan: &Plan) -> Failure {
    let path = quoted(&plan.path);
    let what = match &plan.prepared.project {
        Some(id) => format!("{path} is a backup of another project ({id})"),
        None => format!("{path} does not say which project it is a backup of"),
    };
    Failure::misuse(what, format_args!("if it is the right one: six backup restore {path} --other-project"))
}

/// Asks the person, where there is one to ask.
fn is_wanted(context: &Context, project: &Project, plan: &Plan) -> Result<bool, Failure> {
    let again = format!("six backup restore {} --yes", quoted(&plan.path));
    if context.json || !io::stdin().is_terminal() {
        return Err(Failure::misuse("what the memory holds would be replaced by what the backup holds", again));
    }
    complain(text::question(plan, &project.root));
    let mut line = String::new();
    io::stdin().lock().read_line(&mut line).map_err(|fault| Failure::misuse(fault, again))?;
    Ok(matches!(line.trim(), "y" | "Y" | "yes"))
}

fn failed(project: &Project, fault: &BackupError) -> Failure {
    match fault {
        BackupError::Store(fault) => store_failure(project, fault),
        BackupError::Taken(path) => {
            Failure::misuse(fault, format_args!("name another file, or remove {} yourself", quoted(path)))
        }
        BackupError::NoFolder(folder) => Failure::misuse(fault, format_args!("mkdir {}", quoted(folder))),
        BackupError::NoRoom { folder, needed, free } => Failure::misuse(
            format_args!("a copy needs {} in {}, which has {}", bytes(*needed), folder.display(), bytes(*free)),
            "free some, or: six backup --to FOLDER",
        ),
        BackupError::Write { .. } => Failure::misuse(fault, "six backup --to FOLDER, one that you may write to"),
        BackupError::Spool(_) => Failure::misuse(
            fault,
            format_args!("give yourself {} to read and write", quoted(&project.store_dir.join("spool"))),
        ),
        BackupError::Held(_) => Failure::misuse(fault, "wait for the other six to end, then run this again"),
        BackupError::Backup { path, why } => Failure::misuse(
            fault,
            match why {
                StoreError::NewerSchema { .. } => next_step(path, why),
                _ => String::from("six backup list"),
            },
        ),
    }
}
