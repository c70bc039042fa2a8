//! `six project`

use std::path::Path;
use std::process::ExitCode;

use serde_json::{Value, json};
use six_core::record::ProjectId;
use six_runtime::git::Git;
use six_runtime::home::SixHome;
use six_runtime::install::{copy_over, ensure_store, hand_over, record_identity};
use six_runtime::project::adopt::{Adoption, RootFacts, judge_adoption};
use six_runtime::project::enrol::{EnrolError, Wish, enrol};
use six_runtime::project::facts::gather_root_facts;
use six_runtime::project::identity::{Located, Project, Standing, locate_at};
use six_runtime::project::registry::{Entry, Registry, root_of_common_dir};

use super::install::{refused, shown};
use super::project_merge;
use crate::cli::ProjectCommand;
use crate::context::Context;
use crate::failure::{Exit, Failure, store_failure};
use crate::output::object;

/// Runs one of its verbs.
pub(crate) fn run(context: &Context, verb: &ProjectCommand) -> Result<ExitCode, Failure> {
    match verb {
        ProjectCommand::Where => show(context),
        ProjectCommand::List => list(context),
        ProjectCommand::Adopt => {
            let id = original(context)?;
            change(context, &Wish::Adopt(id))
        }
        ProjectCommand::Split => {
            check_shared(context)?;
            change(context, &Wish::Split)
        }
        ProjectCommand::Merge(args) => project_merge::run(context, args),
    }
}

fn show(context: &Context) -> Result<ExitCode, Failure> {
    let project = context.project()?;
    let registry = registry(context)?;
    let entry = registry.projects.get(&project.id);
    let store = project.store_dir.join("memory.db");
    let standing = match &project.standing {
        Standing::Listed => "listed",
        Standing::Unlisted => "new here",
        Standing::Moved { .. } => "moved here",
        Standing::Unknown => "unknown: the registry can't be read",
    };
    context.print(&if context.json {
        let body = json!({
            "project": project_json(&project.id, entry, Some(&project)),
            "store": {"path": store.to_string_lossy(), "exists": store.exists()},
            "standing": standing,
        });
        object("project", body)
    } else {
        let mut lines = vec![
            format!("project  {}", project.id),
            format!("root     {}{}", shown(&project.root), if project.worktree { " (a worktree)" } else { "" }),
            format!("store    {}{}", shown(&store), if store.exists() { "" } else { " (missing: six install)" }),
            format!("standing {standing}"),
        ];
        let aliases = entry.map(|entry| entry.aliases.as_slice()).unwrap_or_default();
        lines.extend(aliases.iter().map(|alias| format!("alias    {}", shown(alias.as_ref()))));
        let merged = entry.map(|entry| entry.merged.as_slice()).unwrap_or_default();
        let home = six_home(context)?;
        lines.extend(merged.iter().map(|id| format!("merged   {id}, kept in {}", shown(&home.projects_dir(id)))));
        lines.join("\n")
    });
    Ok(ExitCode::SUCCESS)
}

fn list(context: &Context) -> Result<ExitCode, Failure> {
    let registry = registry(context)?;
    context.print(&if context.json {
        let projects: Vec<Value> =
            registry.projects.iter().map(|(id, entry)| project_json(id, Some(entry), None)).collect();
        object("project", json!({"projects": projects}))
    } else {
        registry.projects.iter().map(|(id, entry)| line(id, entry)).collect::<Vec<_>>().join("\n")
    });
    if registry.projects.is_empty() {
        context.say("no project on this machine has a memory yet: six install DIR");
        return Ok(Exit::Nothing.into());
    }
    Ok(ExitCode::SUCCESS)
}

fn line(id: &ProjectId, entry: &Entry) -> String {
    let roots: Vec<String> = roots(entry).iter().map(|root| shown(root)).collect();
    let former: Vec<String> = entry.aliases.iter().map(|alias| shown(alias.as_ref())).collect();
    let line = match (roots.is_empty(), former.is_empty()) {
        (true, true) => format!("{id}  (uninstalled)"),
        (true, false) => format!("{id}  (uninstalled, was {})", former.join(", ")),
        (false, true) => format!("{id}  {}", roots.join(", ")),
        (false, false) => format!("{id}  {} (before: {})", roots.join(", "), former.join(", ")),
    };
    let merged: Vec<&str> = entry.merged.iter().map(ProjectId::as_str).collect();
    if merged.is_empty() { line } else { format!("{line} (merged: {})", merged.join(", ")) }
}

fn roots(entry: &Entry) -> Vec<&Path> {
    let with_git = entry.common_dirs.iter().map(|dir| root_of_common_dir(dir.path.as_ref()));
    entry.roots.iter().map(AsRef::as_ref).chain(with_git).collect()
}

fn project_json(id: &ProjectId, entry: Option<&Entry>, here: Option<&Project>) -> Value {
    let aliases: Vec<_> =
        entry.iter().flat_map(|entry| entry.aliases.iter().map(|alias| alias.0.to_string_lossy())).collect();
    let roots: Vec<_> = entry.map(roots).unwrap_or_default().into_iter().map(Path::to_string_lossy).collect();
    let merged = entry.map(|entry| entry.merged.as_slice()).unwrap_or_default();
    let mut body = json!({"id": id, "roots": roots, "aliases": aliases, "merged": merged});
    if let (Some(fields), Some(here)) = (body.as_object_mut(), here) {
        fields.insert(String::from("root"), json!(here.root.to_string_lossy()));
        fields.insert(String::from("worktree"), json!(here.worktree));
    }
    body
}

fn registry(context: &Context) -> Result<Registry, Failure> {
    let home = six_home(context)?;
    Registry::read(&home.registry_path()).map_err(|fault| refused(fault.into()))
}

pub(crate) fn six_home(context: &Context) -> Result<SixHome, Failure> {
    SixHome::resolve(&context.env).map_err(|fault| refused(fault.into()))
}

/// The project that this folder was copied or cloned from.
fn original(context: &Context) -> Result<ProjectId, Failure> {
    let (own, root) = match locate_at(&context.env, &context.dir(None)) {
        Located::Copied { id, .. } => return Ok(id),
        Located::Installed(project) => (Some(project.id), Some(project.root)),
        Located::NotInstalled { root, .. } => (None, root),
    };
    let none = || {
        Failure::misuse(
            format_args!("{} was copied or cloned from no project of this machine", context.dir(None).display()),
            "six project list",
        )
    };
    let root = root.ok_or_else(none)?;
    let facts = gather_root_facts(&Git::new(&root), &root).unwrap_or_default();
    let known: Vec<_> =
        registry(context)?.known().into_iter().filter(|known| Some(&known.id) != own.as_ref()).collect();
    match judge_adoption(&root, &facts, &known) {
        Adoption::Adopt(id) | Adoption::Name { id, .. } => Ok(id),
        Adoption::Fresh => Err(none()),
    }
}

/// To split makes sense where two folders have one memory; anywhere else it would only put the memory out of sight.
fn check_shared(context: &Context) -> Result<(), Failure> {
    let Located::Installed(project) = locate_at(&context.env, &context.dir(None)) else { return Ok(()) };
    let is_alone = registry(context)?.projects.get(&project.id).is_some_and(|entry| roots(entry).len() == 1);
    if is_alone && project.standing == Standing::Listed {
        return Err(Failure::misuse(
            format_args!("{} shares its memory with no other folder", shown(&project.root)),
            "nothing to do; six project list names all projects",
        ));
    }
    Ok(())
}

/// Gives the folder another identity; what was written for it is listed with its new project from then on.
fn change(context: &Context, wish: &Wish) -> Result<ExitCode, Failure> {
    let home = six_home(context)?;
    let dir = context.dir(None);
    let former = locate_at(&context.env, &dir);
    let enrolled = enrol(&context.env, &dir, &RootFacts::default(), wish, context.now.0).map_err(|fault| {
        let next = match fault {
            EnrolError::UnknownProject(_) => "six project list",
            EnrolError::NothingToSplit(_) => "six install gives it a memory of its own",
            _ => "put that right, then run this again",
        };
        Failure::misuse(fault, next)
    })?;
    let project = &enrolled.project;
    ensure_store(&project.store_dir, context.now).map_err(|fault| store_failure(project, &fault))?;
    let place = project.common_dir.as_deref().unwrap_or(&project.root);
    let handed = match (&former, &enrolled.edit) {
        (Located::Installed(former), _) if former.id != project.id => {
            hand_over(&former.store_dir, &project.store_dir, place)
        }
        (Located::Copied { id, listed, .. }, _) => copy_over(&home.projects_dir(id), &project.store_dir, listed, place),
        (Located::NotInstalled { .. }, Some(edit)) => record_identity(&project.store_dir, edit),
        _ => Ok(()),
    };
    handed.map_err(|fault| Failure::misuse(fault, "put that right, then run six install"))?;
    context.print(&if context.json {
        let body = json!({
            "project": {"id": project.id, "root": project.root.to_string_lossy()},
            "store": {"path": project.store_dir.to_string_lossy()},
        });
        object("project", body)
    } else {
        format!("{} has the memory {}\n  store {}", shown(&project.root), project.id, shown(&project.store_dir))
    });
    context.say("six install checks that its hooks are wired");
    Ok(ExitCode::SUCCESS)
}
