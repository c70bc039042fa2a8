//! Which memory a folder has: twins, odd folders, moves, links, worktrees.
#![expect(clippy::expect_used, reason = "a test without its ground has to stop, and say where")]

use std::collections::BTreeSet;
use std::fs;
use std::path::{Path, PathBuf};
use std::sync::atomic::{AtomicU16, Ordering};

use serde_json::Value;
use testkit::{Scratch, Tree, payload};

const DECIDED: &str = "Ship manifests are kept in Parquet files, one a berth";
const BUILD: &str = "Build a Parquet writer for the ship manifests of a berth.";

fn path(path: &Path) -> &str {
    path.to_str().expect("scratch paths are UTF-8")
}

fn install(scratch: &Scratch, folder: &Path) {
    scratch.six_in(folder, &["install", "--no-templates", "--no-ingest"]).ok();
}

fn decide(scratch: &Scratch, folder: &Path) {
    scratch.six_in(folder, &["decision", "add", DECIDED, "--why", "row stores took an hour"]).ok();
}

fn id(scratch: &Scratch, folder: &Path) -> String {
    let known = scratch.six_in(folder, &["project", "where", "--json"]).ok().json();
    known["project"]["id"].as_str().expect("a project has an id").to_owned()
}

/// What the prompt hook says to a new session that was started in `folder`.
fn told(scratch: &Scratch, folder: &Path) -> Option<String> {
    static SESSIONS: AtomicU16 = AtomicU16::new(1_000);
    let mut session = scratch.session_in(SESSIONS.fetch_add(1, Ordering::Relaxed), folder);
    scratch.answer("user-prompt-submit", &payload::user_prompt(&mut session, BUILD)).context()
}

fn is_told(scratch: &Scratch, folder: &Path) -> bool {
    told(scratch, folder).is_some_and(|context| context.contains(DECIDED))
}

fn stores(scratch: &Scratch) -> usize {
    fs::read_dir(scratch.six_home().join("projects")).map_or(0, Iterator::count)
}

#[test]
fn projects_whose_names_are_alike_share_nothing() {
    let scratch = Scratch::new();
    let names =
        ["a/api", "b/api", "my-app", "my app", "my_app", "my.app", "my/app", "mÿ-app", "my\u{308}-app", "港 湾"];
    let folders: Vec<PathBuf> = names.iter().map(|name| scratch.repository(name)).collect();
    for (folder, remote) in folders.iter().zip(["one", "two"]) {
        scratch.git_in(folder, &["remote", "add", "origin", &format!("https://{remote}.example.invalid/api.git")]);
    }
    for folder in &folders {
        install(&scratch, folder);
    }
    decide(&scratch, &folders[0]);
    assert!(is_told(&scratch, &folders[0]));

    for folder in &folders[1..] {
        assert_eq!(told(&scratch, folder), None, "{}", folder.display());
        let search = scratch.six_in(folder, &["search", "Parquet manifests berth"]);
        assert_eq!((search.status, search.stdout.trim()), (Some(1), ""), "{}", folder.display());
    }
    let ids: BTreeSet<String> = folders.iter().map(|folder| id(&scratch, folder)).collect();
    assert_eq!(ids.len(), names.len());
    let listed = scratch.six(&["project", "list", "--json"]).ok().json();
    assert_eq!(listed["projects"].as_array().map(Vec::len), Some(names.len()));
}

#[test]
fn a_second_checkout_of_one_remote_is_silent_until_somebody_installs_it() {
    let scratch = Scratch::new();
    let (one, two) = (scratch.repository("one/api"), scratch.repository("two/api"));
    for folder in [&one, &two] {
        scratch.git_in(folder, &["remote", "add", "origin", "https://example.invalid/api.git"]);
    }
    install(&scratch, &one);
    let silent = told(&scratch, &two);
    assert_eq!(silent, None, "nobody has installed the second one");
    assert_eq!(stores(&scratch), 1);
}

#[test]
fn a_project_is_one_from_its_root_and_from_every_folder_below() {
    let scratch = Scratch::new();
    install(&scratch, &scratch.project());
    let deep = scratch.folder("project/src/inner space/ünder");
    decide(&scratch, &deep);
    for folder in [scratch.project(), deep.clone(), scratch.folder("project/.claude"), scratch.folder("project/.git")] {
        assert!(is_told(&scratch, &folder), "{}", folder.display());
        assert_eq!(id(&scratch, &folder), id(&scratch, &scratch.project()));
    }
    assert_eq!(stores(&scratch), 1);
}

#[test]
fn a_folder_that_was_deleted_stands_for_what_is_left_of_it() {
    let scratch = Scratch::new();
    install(&scratch, &scratch.project());
    decide(&scratch, &scratch.project());
    let gone = scratch.folder("project/gone/for good");
    let prompt = payload::user_prompt(&mut scratch.session_in(1, &gone), BUILD);
    let hook = scratch.hook_command("user-prompt-submit");
    let mut command = scratch.command("sh");
    command
        .current_dir(&gone)
        .env("HOOK", hook.get_program())
        .args(["-c", "rm -r ../../gone; exec \"$HOOK\" --via settings"])
        .env("CLAUDE_PROJECT_DIR", &gone);
    let run = scratch.hook_bytes(command, prompt.to_string().as_bytes()).keeping_the_contract("user-prompt-submit");
    assert!(run.context().is_some_and(|context| context.contains(DECIDED)));
    assert!(!gone.exists());
}

#[test]
fn home_and_the_root_are_never_projects() {
    let scratch = Scratch::new();
    scratch.git_in(&scratch.home(), &["init", "--quiet"]);
    let before = Tree::of(&scratch.home());
    for folder in [scratch.home(), PathBuf::from("/")] {
        let refused = scratch.six(&["install", path(&folder)]);
        assert_eq!(refused.status, Some(2), "{}", folder.display());
        assert!(refused.stderr.contains("can never be") && refused.stderr.contains("next: "), "{}", refused.stderr);
        let mut session = scratch.session_in(1, &folder);
        for (hook, payload) in [
            ("session-start", payload::session_start(&session, "startup")),
            ("user-prompt-submit", payload::user_prompt(&mut session, BUILD)),
            ("session-end", payload::session_end(&session, "other")),
        ] {
            assert!(scratch.answer(hook, &payload).stdout.is_empty(), "{hook} in {}", folder.display());
        }
    }
    before.is_unchanged(&Tree::of(&scratch.home()));
    assert_eq!(stores(&scratch), 0);
}

#[test]
fn a_submodule_has_a_memory_of_its_own() {
    let scratch = Scratch::new();
    install(&scratch, &scratch.project());
    decide(&scratch, &scratch.project());
    let library = scratch.repository("library");
    let project = scratch.project();
    scratch.git(&["-c", "protocol.file.allow=always", "submodule", "--quiet", "add", path(&library), "lib/quay"]);
    let inside = project.join("lib/quay");
    assert_eq!(told(&scratch, &inside), None, "it is not installed there");
    install(&scratch, &inside);
    assert_eq!(told(&scratch, &inside), None, "what the outer project decided is not its own");
    assert_ne!(id(&scratch, &inside), id(&scratch, &project));
    assert!(is_told(&scratch, &project));
}

#[test]
fn a_worktree_shares_the_memory_and_leaves_it_behind() {
    let scratch = Scratch::new();
    install(&scratch, &scratch.project());
    let (tree, project) = (scratch.project().with_file_name("work tree"), scratch.project());
    scratch.git(&["worktree", "add", "--quiet", path(&tree), "-b", "feature"]);
    assert_eq!(id(&scratch, &tree), id(&scratch, &project));
    decide(&scratch, &tree);

    let session = scratch.session_in(3, &tree);
    let mut transcript = scratch.transcript(&session);
    transcript = transcript.prompt("Which lamp marks the zebrawood pier?").answer("The third one.");
    transcript.write();
    scratch.answer("session-end", &payload::session_end(&session, "other"));
    scratch.git(&["worktree", "remove", "--force", path(&tree)]);

    assert!(is_told(&scratch, &project));
    scratch.six(&["ingest"]).ok();
    let found = scratch.six(&["search", "zebrawood pier", "--json"]).ok().json();
    assert_eq!(found["hits"][0]["session"], session.id.as_str(), "{found:#}");
    assert_eq!(stores(&scratch), 1);
}

#[test]
fn a_session_of_a_worktree_is_found_under_the_worktrees_own_name() {
    let scratch = Scratch::new();
    install(&scratch, &scratch.project());
    let tree = scratch.project().with_file_name("wt.2");
    scratch.git(&["worktree", "add", "--quiet", path(&tree), "-b", "feature"]);
    let session = scratch.session_in(4, &tree);
    scratch.transcript(&session).prompt("Where does the zebrawood pier end?").answer("At the mole.").write();
    scratch.six(&["ingest"]).ok();
    scratch.six(&["search", "zebrawood pier"]).ok();
}

#[test]
fn a_project_that_was_moved_keeps_its_memory() {
    let scratch = Scratch::new();
    let old = scratch.repository("old name");
    install(&scratch, &old);
    decide(&scratch, &old);
    let before = id(&scratch, &old);
    let new = old.with_file_name("nouveau nom é");
    fs::rename(&old, &new).expect("a folder can be renamed");

    assert!(is_told(&scratch, &new), "before anybody has run six there");
    assert_eq!(id(&scratch, &new), before);
    scratch.six_in(&new, &["install", "--no-templates"]).ok();
    let status = scratch.six_in(&new, &["status", "--json"]).ok().json();
    let aliases = &status["project"]["aliases"];
    assert!(aliases.as_array().is_some_and(|all| all.iter().any(|one| one == path(&old))), "{status:#}");
    assert!(is_told(&scratch, &new));
    assert_eq!(stores(&scratch), 1);
}

#[test]
fn a_copy_is_silent_and_says_what_to_do() {
    let scratch = Scratch::new();
    install(&scratch, &scratch.project());
    decide(&scratch, &scratch.project());
    let copy = scratch.project().with_file_name("copy");
    let mut cp = scratch.command("cp");
    cp.arg("-R").arg(scratch.project()).arg(&copy);
    scratch.run(cp).ok();

    assert_eq!(told(&scratch, &copy), None);
    let status = scratch.six_in(&copy, &["status"]);
    assert_eq!(status.status, Some(2));
    assert!(status.stderr.contains("six project split") && status.stderr.contains("six project adopt"));
    scratch.six_in(&copy, &["project", "split"]).ok();
    assert_ne!(id(&scratch, &copy), id(&scratch, &scratch.project()));
    assert_eq!(told(&scratch, &copy), None);
    assert!(is_told(&scratch, &scratch.project()), "the first one lost nothing");
}

#[test]
fn a_second_clone_takes_the_memory_over() {
    let scratch = Scratch::new();
    install(&scratch, &scratch.project());
    decide(&scratch, &scratch.project());
    let clone = scratch.project().with_file_name("clone");
    scratch.git(&["clone", "--quiet", path(&scratch.project()), path(&clone)]);
    assert_eq!(told(&scratch, &clone), None, "a clone is not installed by itself");
    install(&scratch, &clone);
    assert_eq!(id(&scratch, &clone), id(&scratch, &scratch.project()));
    assert!(is_told(&scratch, &clone) && is_told(&scratch, &scratch.project()));
    assert_eq!(stores(&scratch), 1);
}

#[cfg(unix)]
#[test]
fn a_link_leads_to_the_same_memory() {
    use std::os::unix::fs::symlink;
    let scratch = Scratch::new();
    let link = scratch.project().with_file_name("by link");
    symlink(scratch.project(), &link).expect("a link can be made");
    install(&scratch, &link);
    decide(&scratch, &scratch.project());
    assert!(is_told(&scratch, &link));
    assert_eq!(id(&scratch, &link), id(&scratch, &scratch.project()));
    assert_eq!(stores(&scratch), 1);
}

#[cfg(unix)]
#[test]
fn sessions_are_found_through_a_linked_folder_and_a_loop_of_links_ends() {
    use std::os::unix::fs::symlink;
    let scratch = Scratch::new();
    let plain = scratch.folder("without git");
    fs::create_dir_all(plain.join("docs/a")).expect("a folder can be made");
    fs::write(plain.join("docs/pier.md"), "# Pier\n\nThe zebrawood pier has three lamps.\n").expect("a file");
    symlink("..", plain.join("docs/a/b")).expect("a link can be made");
    symlink("pier.md", plain.join("docs/second.md")).expect("a link can be made");
    let session = scratch.session_in(5, &plain);
    scratch.transcript(&session).prompt("Where is the barnacle sensor?").answer("Under the quay.").write();
    let slug = session.transcript.parent().expect("a transcript has a folder");
    let elsewhere = scratch.folder("elsewhere").join("sessions");
    fs::rename(slug, &elsewhere).expect("a folder can be moved");
    symlink(&elsewhere, slug).expect("a link can be made");

    scratch.six_in(&plain, &["install", "--no-templates"]).ok();
    let hits = |query: &str| -> Vec<Value> {
        let found = scratch.six_in(&plain, &["search", query, "--json"]).ok().json();
        found["hits"].as_array().cloned().unwrap_or_default()
    };
    assert_eq!(hits("zebrawood lamps").len(), 1, "one file, once");
    assert_eq!(hits("barnacle sensor")[0]["session"], session.id.as_str());
}

#[test]
fn sessions_are_found_whatever_the_folder_is_called() {
    let scratch = Scratch::new();
    for (number, name) in
        (10..).zip(["my_app", "site.github.io", ".cfg/x v2", "C:\\w\\my_project", "naïve café", "日本"])
    {
        let folder = scratch.repository(name);
        let session = scratch.session_in(number, &folder);
        scratch.transcript(&session).prompt("Where does the zebrawood pier end?").answer("At the mole.").write();
        scratch.six_in(&folder, &["install", "--no-templates"]).ok();
        let found = scratch.six_in(&folder, &["search", "zebrawood", "--json"]).ok().json();
        assert_eq!(found["hits"][0]["session"], session.id.as_str(), "{name}: {found:#}");
    }
    assert_eq!(stores(&scratch), 6);
}

#[test]
fn a_sibling_whose_host_folder_has_the_same_name_keeps_its_sessions() {
    let scratch = Scratch::new();
    let (one, two) = (scratch.repository("my_app"), scratch.repository("my.app"));
    for (number, folder, word) in [(20, &one, "zebrawood"), (21, &two, "mahogany")] {
        let session = scratch.session_in(number, folder);
        scratch.transcript(&session).prompt(&format!("Where is the {word} pier?")).answer("There.").write();
    }
    for (folder, own, foreign) in [(&one, "zebrawood", "mahogany"), (&two, "mahogany", "zebrawood")] {
        scratch.six_in(folder, &["install", "--no-templates"]).ok();
        scratch.six_in(folder, &["search", own]).ok();
        let found = scratch.six_in(folder, &["search", foreign, "--json"]).stdout;
        assert!(!found.contains(foreign), "{}: {found}", folder.display());
    }
}

#[cfg(unix)]
#[test]
fn the_wired_command_runs_in_a_folder_with_any_name() {
    use std::os::unix::fs::symlink;
    let scratch = Scratch::new();
    let programs = scratch.folder("My Drive/it's $HOME \"bin\"");
    let real = Path::new(scratch.six_command(&[]).get_program()).parent().expect("a folder").to_path_buf();
    for name in [
        "six",
        "six-session-start",
        "six-user-prompt-submit",
        "six-pre-tool-use",
        "six-stop",
        "six-pre-compact",
        "six-session-end",
    ] {
        symlink(real.join(name), programs.join(name)).expect("a link can be made");
    }
    let project = scratch.repository("My Drive/prö j'ect");
    let mut install = scratch.command(programs.join("six"));
    install.current_dir(&project).args(["install", "--no-templates"]);
    scratch.run(install).ok();

    let settings = fs::read_to_string(project.join(".claude/settings.local.json")).expect("settings were written");
    let settings: Value = serde_json::from_str(&settings).expect("settings are JSON");
    let entry = &settings["hooks"]["SessionStart"][0]["hooks"][0];
    assert!(entry["args"].is_array(), "without args the host hands the command to a shell: {entry}");
    let mut command = scratch.command(entry["command"].as_str().expect("a command"));
    let args = entry["args"].as_array().expect("args");
    command.current_dir(&project).env("CLAUDE_PROJECT_DIR", &project).args(args.iter().filter_map(Value::as_str));
    let start = payload::session_start(&scratch.session_in(1, &project), "startup");
    let run = scratch.hook_bytes(command, start.to_string().as_bytes()).keeping_the_contract("session-start");
    assert!(run.context().is_some_and(|context| context.contains("MEMORY-HEALTH")));
}
