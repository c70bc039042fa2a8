//! `six uninstall`

use std::borrow::Cow;
use std::fmt::Write as _;
use std::path::{Path, PathBuf};
use std::process::ExitCode;

use serde_json::{Value, json};
use six_runtime::home::Environment;
use six_runtime::install::{self, Audit, Outcome, UninstallPlan, UninstallRequest};
use six_runtime::project::config_file::Removed;

use super::install::{failed, home_path, refused, running_exe, shown};
use super::refused::check_person;
use crate::cli::UninstallArgs;
use crate::context::Context;
use crate::failure::Failure;
use crate::output::{bytes, object};

/// Runs it: exit code 1 when there is nothing of ours.
pub(crate) fn run(context: &Context, args: &UninstallArgs) -> Result<ExitCode, Failure> {
    if args.purge && !args.dry_run {
        check_person(context)?;
    }
    // The hooks may be gone already; then the folder of this program is all that is left to look at.
    let exe = running_exe()?;
    let binaries = exe.parent().unwrap_or(Path::new("/"));
    if args.audit {
        let audit = install::audit(&context.env, binaries).map_err(refused)?;
        context.print(&if context.json {
            object("uninstall", audit_json(&audit))
        } else {
            audit_text(&audit, &context.env)
        });
        return Ok(ExitCode::SUCCESS);
    }
    let start = context.dir(args.dir.as_deref());
    let request = UninstallRequest { env: &context.env, start: &start, binaries, purge: args.purge };
    let (plan, config) = if args.dry_run {
        (install::plan_uninstall(&request).map_err(refused)?, None)
    } else {
        let gone = install::apply_uninstall(&request).map_err(failed)?;
        (gone.plan, gone.config)
    };
    context.print(&if context.json {
        object("uninstall", plan_json(&plan, args.dry_run))
    } else {
        plan_text(&plan, config, args, &context.env)
    });
    Ok(ExitCode::SUCCESS)
}

fn word(outcome: &Outcome) -> &'static str {
    match outcome {
        Outcome::Restored(_) => "restored",
        Outcome::Removed => "removed",
        Outcome::Cut(_) => "cut",
    }
}

fn plan_text(plan: &UninstallPlan, config: Option<Removed>, args: &UninstallArgs, env: &Environment) -> String {
    let would = if args.dry_run { "would be " } else { "is " };
    let mut text = format!("six {would}uninstalled from {}\n", shown(&plan.root));
    for (path, outcome) in &plan.files {
        let how = match outcome {
            Outcome::Restored(_) => "has its earlier bytes",
            Outcome::Removed => "removed, it was ours",
            Outcome::Cut(_) => "was changed since; only what is ours was taken out",
        };
        row(&mut text, "file", &format!("{}: {how}", home_path(path, env)));
    }
    for kept in &plan.kept {
        row(&mut text, "kept", &format!("{}: you changed it since", home_path(&kept.0, env)));
    }
    if plan.relied_on_by > 0 {
        let n = plan.relied_on_by;
        row(&mut text, "kept", &format!("the hooks in your own settings: {n} other projects rely on them"));
    }
    if config == Some(Removed::Cut) {
        row(&mut text, "git", "only six.id was taken out of its config, which is not as install left it");
    }
    if let Some(project) = &plan.project {
        let store = home_path(&project.store_dir, env);
        row(
            &mut text,
            "store",
            &match (plan.purge, args.purge) {
                (true, _) => format!("{store} deleted"),
                (false, true) => format!("{store} kept: another folder has the same memory"),
                (false, false) if args.dry_run => format!("{store} kept (--purge deletes it)"),
                (false, false) => format!("{store} kept: installing here again finds it, deleting it forgets all"),
            },
        );
    }
    for binary in &plan.binaries {
        row(&mut text, "program", &format!("{} removed", home_path(binary, env)));
    }
    if args.dry_run {
        text.push_str("nothing was changed\n");
    }
    text
}

fn plan_json(plan: &UninstallPlan, dry_run: bool) -> Value {
    let files: Vec<Value> = plan
        .files
        .iter()
        .map(|(path, outcome)| json!({"path": path.to_string_lossy(), "outcome": word(outcome)}))
        .collect();
    let store =
        plan.project.as_ref().map(|project| json!({"path": project.store_dir.to_string_lossy(), "purged": plan.purge}));
    json!({
        "dry_run": dry_run,
        "project": {"id": plan.project.as_ref().map(|project| &project.id), "root": plan.root.to_string_lossy()},
        "files": files,
        "kept": plan.kept.iter().map(|kept| kept.0.to_string_lossy()).collect::<Vec<_>>(),
        "user_settings_relied_on_by": plan.relied_on_by,
        "store": store,
        "programs": texts(&plan.binaries),
    })
}

fn audit_text(audit: &Audit, env: &Environment) -> String {
    let mut text = format!("what is six's on this machine (its own folder is {})\n", home_path(&audit.home, env));
    for project in &audit.projects {
        let roots: Vec<String> = project.roots.iter().map(|root| home_path(root, env)).collect();
        let place = if roots.is_empty() { String::from("uninstalled") } else { roots.join(", ") };
        row(&mut text, "project", &format!("{} {place}", project.id));
        if let Some((path, size)) = &project.store {
            row(&mut text, "store", &format!("{} ({})", home_path(path, env), bytes(*size)));
        }
        for (path, is_ours) in &project.files {
            let state = if *is_ours { "as six wrote it" } else { "changed since" };
            row(&mut text, "file", &format!("{} ({state})", home_path(path, env)));
        }
    }
    for stray in &audit.strays {
        row(&mut text, "stray", &format!("{}: a store of no known project", home_path(stray, env)));
    }
    for (path, wired) in &audit.settings {
        let events: Vec<&str> = wired.iter().map(|wired| wired.event.as_str()).collect();
        row(&mut text, "hooks", &format!("{}: {}", home_path(path, env), events.join(", ")));
    }
    for binary in &audit.binaries {
        row(&mut text, "program", &home_path(binary, env));
    }
    text
}

fn audit_json(audit: &Audit) -> Value {
    let projects: Vec<Value> = audit
        .projects
        .iter()
        .map(|project| {
            let files: Vec<Value> = project
                .files
                .iter()
                .map(|(path, is_ours)| json!({"path": path.to_string_lossy(), "unchanged": is_ours}))
                .collect();
            let store =
                project.store.as_ref().map(|(path, size)| json!({"path": path.to_string_lossy(), "bytes": size}));
            json!({
                "id": project.id,
                "roots": texts(&project.roots),
                "aliases": texts(&project.aliases),
                "store": store,
                "files": files,
            })
        })
        .collect();
    let settings: Vec<Value> =
        audit.settings.iter().map(|(path, wired)| json!({"path": path.to_string_lossy(), "hooks": wired})).collect();
    json!({
        "home": audit.home.to_string_lossy(),
        "projects": projects,
        "strays": texts(&audit.strays),
        "settings": settings,
        "programs": texts(&audit.binaries),
    })
}

fn texts(paths: &[PathBuf]) -> Vec<Cow<'_, str>> {
    paths.iter().map(|path| path.to_string_lossy()).collect()
}

fn row(text: &mut String, name: &str, value: &str) {
    let _ = writeln!(text, "  {name:<9} {value}");
}
