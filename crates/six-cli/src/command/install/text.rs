//! What `six install` says.

use std::fmt::Write as _;
use std::path::Path;

use six_core::event::settings::Wired;
use six_core::text::printable;
use six_runtime::home::Environment;
use six_runtime::install::{FileChange, FileKind, Identity, InstallPlan, Installed, Note, Scope, StoreState};
use six_runtime::project::adopt::{Adoption, Doubt};
use six_runtime::project::enrol::Origin;

use crate::output::bytes;

/// What an install would write: every file, and for one that is there the exact edit.
pub(crate) fn render_plan(plan: &InstallPlan, env: &Environment) -> String {
    let mut text = format!("six would be installed in {}\n", shown(&plan.root));
    row(&mut text, "identity", &identity(&plan.identity));
    hooks(&mut text, plan, env);
    if plan.changes.is_empty() {
        row(&mut text, "files", "nothing to write");
    }
    for change in &plan.changes {
        let path = home_path(&change.path, env);
        if change.before.is_none() {
            let size = bytes(u64::try_from(change.after.len()).unwrap_or(u64::MAX));
            row(&mut text, "new", &format!("{path} ({size})"));
        } else {
            row(&mut text, "change", &path);
        }
        edit(&mut text, change);
    }
    notes(&mut text, &plan.notes);
    text.push_str("nothing was written\n");
    text
}

/// What an install did, and what the person does next.
pub(crate) fn render_installed(installed: &Installed, env: &Environment) -> String {
    let (plan, project) = (&installed.plan, &installed.enrolled.project);
    let is_unchanged = plan.changes.is_empty() && installed.enrolled.origin == Origin::Kept;
    let root = shown(&project.root);
    let mut text = if is_unchanged && installed.store == StoreState::Kept {
        format!("six is installed in {root} already; nothing had to be changed\n")
    } else {
        format!("six is installed in {root}\n")
    };
    hooks(&mut text, plan, env);
    let seeded: Vec<String> = plan
        .changes
        .iter()
        .filter(|change| change.kind == FileKind::Template)
        .map(|change| match change.path.strip_prefix(&plan.root) {
            Ok(inside) => shown(inside),
            Err(_) => home_path(&change.path, env),
        })
        .collect();
    if !seeded.is_empty() {
        row(&mut text, "seeded", &seeded.join(", "));
    }
    let state = match installed.store {
        StoreState::Created => String::from("new"),
        StoreState::Kept => String::from("kept"),
        StoreState::Migrated { from, to } => format!("brought from schema {from} to {to}"),
    };
    row(&mut text, "store", &format!("{} ({state})", home_path(&project.store_dir.join("memory.db"), env)));
    if let Origin::Judged(adoption) = &installed.enrolled.origin {
        row(&mut text, "identity", &adopted(adoption));
    }
    if let Some(fault) = &installed.enrolled.unwritten {
        row(&mut text, "note", &format!("the identity is in six's registry alone: {fault}"));
    }
    if let Some(aside) = &installed.enrolled.set_aside {
        row(&mut text, "note", &format!("the registry was damaged; it is now {}", shown(aside)));
    }
    for change in plan.changes.iter().filter(|change| change.kind == FileKind::Exclude) {
        let list = home_path(&change.path, env);
        row(&mut text, "ignored", &format!("the settings file, in {list}: it holds paths of this machine"));
    }
    for backup in &installed.backups {
        row(&mut text, "backup", &home_path(backup, env));
    }
    for path in &installed.secretive {
        row(&mut text, "no backup", &format!("of {}: it holds secrets", home_path(path, env)));
    }
    notes(&mut text, &plan.notes);
    if plan.wirings.iter().any(|wiring| !wiring.added.is_empty() || !wiring.repaired.is_empty()) {
        text.push_str(&next_start(plan.scope));
    }
    text
}

/// What the host will ask, and from where it will see the hooks.
fn next_start(scope: Scope) -> String {
    let mut text = String::from(
        "At its next start here Claude Code asks whether you trust this folder, and\n\
         names these hooks. \"No, exit\" is preselected: choose yes by hand.\n\
         Sessions that run already take the hooks up by themselves.\n",
    );
    if scope != Scope::User {
        text.push_str(
            "It sees the hooks only when it is started in that folder itself. For starts in\n\
             sub folders and worktrees (silent wherever six is not installed):\n\
             \x20 six install --scope user\n",
        );
    }
    text
}

fn hooks(text: &mut String, plan: &InstallPlan, env: &Environment) {
    for wiring in &plan.wirings {
        let path = home_path(&wiring.path, env);
        let events = |wired: &[Wired]| wired.iter().map(|wired| wired.event.as_str()).collect::<Vec<_>>().join(", ");
        let mut parts = Vec::new();
        if !wiring.added.is_empty() {
            parts.push(format!("{} added", events(&wiring.added)));
        }
        if !wiring.repaired.is_empty() {
            parts.push(format!("{} put right", events(&wiring.repaired)));
        }
        let what = if parts.is_empty() { String::from("wired already") } else { parts.join("; ") };
        row(text, "hooks", &format!("{path}: {what}"));
    }
}

fn identity(identity: &Identity) -> String {
    match identity {
        Identity::Kept(id) => format!("{id}, as it is"),
        Identity::Given(adoption) => adopted(adoption),
    }
}

fn adopted(adoption: &Adoption) -> String {
    match adoption {
        Adoption::Fresh => String::from("new"),
        Adoption::Adopt(id) => format!("that of {id}, which has the same origin: its memory is this folder's too"),
        Adoption::Name { id, why } => {
            let why = match why {
                Doubt::Shallow => "this is a shallow clone",
                Doubt::NoRemote => "this repository has no remote",
                Doubt::Several => "several projects have this origin",
            };
            format!("new; it may be the project {id}, but {why}: six project adopt takes that memory over")
        }
    }
}

fn edit(text: &mut String, change: &FileChange) {
    for span in &change.spans {
        let inserted = change.after.get(span.at..span.at.saturating_add(span.inserted_bytes)).unwrap_or_default();
        for line in span.removed.lines().filter(|line| !line.trim().is_empty()) {
            let _ = writeln!(text, "    - {}", printable(line));
        }
        for line in String::from_utf8_lossy(inserted).lines().filter(|line| !line.trim().is_empty()) {
            let _ = writeln!(text, "    + {}", printable(line));
        }
    }
}

fn notes(text: &mut String, notes: &[Note]) {
    for note in notes {
        row(text, "note", &render_note(note));
    }
}

/// One note.
pub(crate) fn render_note(note: &Note) -> String {
    match note {
        Note::OwnConstitution(path) => format!(
            "{} is yours and stays as it is; a line for it: \"Before building, run `six search WHAT`; record decisions \
             with `six decision add`.\"",
            shown(path)
        ),
        Note::NotSeeded(why) => format!("a convention was not seeded: {why}"),
        Note::NotExcluded(why) => format!("keep .claude/settings.local.json out of commits yourself: {why}"),
        Note::AlsoWired(path) => {
            format!("{} starts hooks of six as well; the host runs equal entries once", shown(path))
        }
        Note::SharedPath(path) => {
            format!("{} is shared with your team, and the hooks' paths in it are those of this machine", shown(path))
        }
    }
}

fn row(text: &mut String, name: &str, value: &str) {
    let _ = writeln!(text, "  {name:<9} {value}");
}

/// A path with `~` for the home folder.
pub(crate) fn home_path(path: &Path, env: &Environment) -> String {
    match env.home.as_ref().and_then(|home| path.strip_prefix(home).ok()) {
        Some(inside) => shown(&Path::new("~").join(inside)),
        None => shown(path),
    }
}

/// A path without terminal control sequences.
pub(crate) fn shown(path: &Path) -> String {
    printable(&path.to_string_lossy()).to_string()
}

#[cfg(test)]
mod tests {
    use std::fs;
    use std::path::PathBuf;

    use six_core::record::UnixMs;
    use six_runtime::install::{HOOKS, Request, apply, plan};

    use super::*;

    /// A home with a project without git and a folder of programs.
    fn machine() -> (tempfile::TempDir, Environment, PathBuf) {
        let dir = tempfile::tempdir().unwrap();
        let home = dir.path().canonicalize().unwrap();
        let (root, bin) = (home.join("api"), home.join("bin"));
        fs::create_dir_all(root.join(".claude")).unwrap();
        fs::write(root.join(".claude/settings.local.json"), "{\"model\":\"opus\"}").unwrap();
        fs::write(root.join("CLAUDE.md"), "mine").unwrap();
        fs::create_dir(&bin).unwrap();
        for hook in HOOKS {
            fs::write(bin.join(hook.binary), "").unwrap();
        }
        let env = Environment { six_home: Some(home.join("six")), home: Some(home.clone()), ..Environment::default() };
        (dir, env, home)
    }

    /// The text without what differs from run to run.
    fn stable(text: &str, home: &Path) -> String {
        let slug: String =
            home.to_str().unwrap().chars().map(|c| if c.is_ascii_alphanumeric() { c } else { '-' }).collect();
        let text = text.replace(home.to_str().unwrap(), "/home/ada").replace(&slug, "-home-ada");
        let id = text.split("projects/").find_map(|rest| rest.split_once("/memory.db").map(|(id, _)| id.to_owned()));
        id.map_or(text.clone(), |id| text.replace(&id, "ID"))
    }

    #[test]
    fn a_dry_run_shows_every_file_and_every_edit() {
        let (_dir, env, home) = machine();
        let (root, bin) = (home.join("api"), home.join("bin"));
        let request = Request { env: &env, start: &root, scope: Scope::Local, binaries: &bin, templates: true };
        let text = stable(&render_plan(&plan(&request).unwrap(), &env), &home);
        insta::assert_snapshot!(text, @r#"
        six would be installed in /home/ada/api
          identity  new
          hooks     ~/api/.claude/settings.local.json: SessionStart, UserPromptSubmit, PreToolUse, Stop, PreCompact, SessionEnd added
          new       ~/api/.claude/skills/six-memory/SKILL.md (3.2 kB)
          new       ~/.claude/projects/-home-ada-api/memory/MEMORY.md (447 B)
          change    ~/api/.claude/settings.local.json
            + ,"hooks":{"SessionStart":[{"hooks":[{"type":"command","command":"/home/ada/bin/six-session-start","args":["--via","settings"],"timeout":20,"statusMessage":"six: reading the project's memory"}]}],"UserPromptSubmit":[{"hooks":[{"type":"command","command":"/home/ada/bin/six-user-prompt-submit","args":["--via","settings"],"timeout":5,"statusMessage":"six: looking things up"}]}],"PreToolUse":[{"matcher":"Edit|MultiEdit|Write|NotebookEdit|Bash|Agent|Task","hooks":[{"type":"command","command":"/home/ada/bin/six-pre-tool-use","args":["--via","settings"],"timeout":3,"statusMessage":"six: checking what was tried before"}]}],"Stop":[{"hooks":[{"type":"command","command":"/home/ada/bin/six-stop","args":["--via","settings"],"timeout":5,"statusMessage":"six: taking in the turn"}]}],"PreCompact":[{"hooks":[{"type":"command","command":"/home/ada/bin/six-pre-compact","args":["--via","settings"],"timeout":5,"statusMessage":"six: taking in the conversation"}]}],"SessionEnd":[{"hooks":[{"type":"command","command":"/home/ada/bin/six-session-end","args":["--via","settings"],"timeout":10,"statusMessage":"six: taking in the session"}]}]}
          note      /home/ada/api/CLAUDE.md is yours and stays as it is; a line for it: "Before building, run `six search WHAT`; record decisions with `six decision add`."
        nothing was written
        "#);
    }

    #[test]
    fn an_install_says_what_was_done_and_what_comes_next() {
        let (_dir, env, home) = machine();
        let (root, bin) = (home.join("api"), home.join("bin"));
        let request = Request { env: &env, start: &root, scope: Scope::Local, binaries: &bin, templates: true };
        let first = apply(&request, UnixMs(1_767_225_600_000)).unwrap();
        insta::assert_snapshot!(stable(&render_installed(&first, &env), &home), @r#"
        six is installed in /home/ada/api
          hooks     ~/api/.claude/settings.local.json: SessionStart, UserPromptSubmit, PreToolUse, Stop, PreCompact, SessionEnd added
          seeded    .claude/skills/six-memory/SKILL.md, ~/.claude/projects/-home-ada-api/memory/MEMORY.md
          store     ~/six/projects/ID/memory.db (new)
          identity  new
          backup    ~/six/projects/ID/backup/settings.local.json-1767225600000
          note      /home/ada/api/CLAUDE.md is yours and stays as it is; a line for it: "Before building, run `six search WHAT`; record decisions with `six decision add`."
        At its next start here Claude Code asks whether you trust this folder, and
        names these hooks. "No, exit" is preselected: choose yes by hand.
        Sessions that run already take the hooks up by themselves.
        It sees the hooks only when it is started in that folder itself. For starts in
        sub folders and worktrees (silent wherever six is not installed):
          six install --scope user
        "#);
        let second = apply(&request, UnixMs(1_767_225_600_000)).unwrap();
        insta::assert_snapshot!(stable(&render_installed(&second, &env), &home), @r#"
        six is installed in /home/ada/api already; nothing had to be changed
          hooks     ~/api/.claude/settings.local.json: wired already
          store     ~/six/projects/ID/memory.db (kept)
          note      /home/ada/api/CLAUDE.md is yours and stays as it is; a line for it: "Before building, run `six search WHAT`; record decisions with `six decision add`."
        "#);
    }
}
