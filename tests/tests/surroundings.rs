//! A home that is not there, a store that can't be written, a missing git: one clear line and the next command, and a
//! hook that lets the host go on.
#![expect(clippy::expect_used, reason = "a test without its ground has to stop, and say where")]

use std::fs;
use std::path::Path;
use std::time::Duration;

use serde_json::json;
use testkit::{HOOKS, HookRun, Ran, Scratch, Tree, payload};

const DECIDED: &str = "Ship manifests are kept in Parquet files";
const BUILD: &str = "Build a Parquet writer for the ship manifests.";

/// Every command that needs a project, as it is typed.
const COMMANDS: [&[&str]; 12] = [
    &["status"],
    &["health"],
    &["search", "ships"],
    &["show", "chunk:1"],
    &["decision", "add", "Lamps are green"],
    &["decision", "list"],
    &["correction", "list"],
    &["thread", "list"],
    &["subsystem", "list"],
    &["ingest"],
    &["project", "where"],
    &["worker"],
];

fn installed() -> Scratch {
    let scratch = Scratch::new();
    scratch.six(&["install", "--no-templates"]).ok();
    scratch.six(&["decision", "add", DECIDED, "--why", "row stores took an hour"]).ok();
    scratch
}

/// Runs every hook in a changed surrounding.
fn all_hooks(scratch: &Scratch, change: impl Fn(&mut std::process::Command)) -> Vec<HookRun> {
    let mut session = scratch.session(1);
    HOOKS
        .iter()
        .map(|(hook, _)| {
            let payload = match *hook {
                "session-start" => payload::session_start(&session, "startup"),
                "stop" => payload::stop(&session, "The lamp is lit."),
                "pre-compact" => payload::pre_compact(&session, "auto"),
                "session-end" => payload::session_end(&session, "other"),
                "pre-tool-use" => payload::pre_tool_use(&session, "Bash", &json!({ "command": "make lamp" })),
                _ => payload::user_prompt(&mut session, BUILD),
            };
            let mut command = scratch.hook_command(hook);
            change(&mut command);
            scratch.hook_bytes(command, payload.to_string().as_bytes()).keeping_the_contract(hook)
        })
        .collect()
}

/// Fails unless a command ended with this exit code, nothing on stdout, and one line with its next step.
#[track_caller]
fn complains(ran: &Ran, exit: i32, about: &str) {
    assert_eq!(ran.status, Some(exit), "{}{}", ran.stdout, ran.stderr);
    assert_eq!(ran.stdout, "");
    let lines: Vec<&str> = ran.stderr.lines().collect();
    assert_eq!(lines.len(), 2, "{}", ran.stderr);
    assert!(lines[0].starts_with("six: ") && lines[0].contains(about), "{}", ran.stderr);
    assert!(lines[1].starts_with("  next: ") && lines[1].len() > 12, "{}", ran.stderr);
}

/// Root is not kept out by permissions; then there is nothing to see, and that is said.
#[cfg(unix)]
fn permissions_count(folder: &Path) -> bool {
    use std::io::Write as _;
    use std::os::unix::fs::PermissionsExt;
    let probe = folder.join("probe");
    fs::write(&probe, "").expect("a file can be written");
    fs::set_permissions(&probe, fs::Permissions::from_mode(0o000)).expect("a mode can be set");
    let count = fs::File::open(&probe).is_err();
    fs::remove_file(&probe).expect("a file can be removed");
    if !count {
        let _ = writeln!(std::io::stderr(), "SKIPPED: permissions do not keep this user out (root)");
    }
    count
}

#[test]
fn without_a_project_every_command_says_how_to_get_one() {
    let scratch = Scratch::new();
    for args in COMMANDS {
        complains(&scratch.six(args), 2, "no memory here");
        assert!(scratch.six(args).stderr.contains("six install "), "{args:?}");
    }
    let plain = scratch.folder("without git");
    for args in COMMANDS {
        complains(&scratch.six_in(&plain, args), 2, "no memory here");
    }
    assert!(!scratch.six_home().exists(), "asking makes nothing");
}

#[test]
fn a_folder_that_is_not_there_is_named() {
    let scratch = Scratch::new();
    for args in COMMANDS {
        let mut with: Vec<&str> = vec!["--project", "no/such folder"];
        with.extend(args);
        complains(&scratch.six(&with), 2, "no/such folder");
    }
    complains(&scratch.six(&["install", "no/such folder"]), 2, "no/such folder");
    complains(&scratch.six(&["install", "README.md"]), 2, "README.md");
}

#[test]
fn without_any_home_the_hooks_are_silent_and_commands_say_what_to_set() {
    let scratch = installed();
    let lost = |command: &mut std::process::Command| {
        command.env_remove("SIX_HOME").env("HOME", "/nonexistent/home");
    };
    for run in all_hooks(&scratch, lost) {
        assert!(run.took < Duration::from_secs(1), "{:?}", run.took);
    }
    for (name, value) in [("SIX_HOME", "relative/home"), ("SIX_HOME", "/dev/null/six"), ("SIX_HOME", "/proc/six")] {
        let before = Tree::of(&scratch.project());
        for run in all_hooks(&scratch, |command| {
            command.env(name, value);
        }) {
            assert!(run.took < Duration::from_secs(1), "{value}: {:?}", run.took);
        }
        let mut install = scratch.six_command(&["install", "--no-templates"]);
        install.env(name, value);
        let ran = scratch.run(install);
        assert_ne!(ran.status, Some(0), "{value}: {}", ran.stdout);
        assert!(ran.stderr.starts_with("six: ") && ran.stderr.contains("  next: "), "{value}: {}", ran.stderr);
        before.is_unchanged(&Tree::of(&scratch.project()));
    }
}

#[test]
fn home_unset_still_finds_the_store_of_six_home() {
    let scratch = installed();
    let runs = all_hooks(&scratch, |command| {
        command.env_remove("HOME");
    });
    assert!(runs[0].context().is_some_and(|told| told.contains("MEMORY-HEALTH")));
    assert!(runs[1].context().is_some_and(|told| told.contains(DECIDED)));
    let mut search = scratch.six_command(&["search", "Parquet"]);
    search.env_remove("HOME");
    scratch.run(search).ok();
}

#[test]
fn a_store_that_is_gone_is_said_and_not_made_anew() {
    let scratch = installed();
    fs::remove_dir_all(scratch.store_folder()).expect("a folder can be removed");
    let runs = all_hooks(&scratch, |_| {});
    let told = runs[0].context().unwrap_or_default();
    assert!(told.contains("MEMORY-HEALTH") && told.contains("RED"), "{told}");
    assert!(runs[1].stdout.is_empty());
    assert_eq!(fs::read_dir(scratch.six_home().join("projects")).map_or(0, Iterator::count), 0);
    complains(&scratch.six(&["search", "Parquet"]), 3, "memory.db");
    let health = scratch.six(&["health"]);
    assert_eq!(health.status, Some(1));
    assert!(health.stdout.contains("six install"), "{}", health.stdout);
    scratch.six(&["install", "--no-templates"]).ok();
    scratch.six(&["health"]).ok();
}

#[test]
fn a_store_that_is_no_database_is_red_and_left_alone() {
    let scratch = installed();
    let file = scratch.store_folder().join("memory.db");
    for (what, bytes) in [("text", b"this is no database, and was never one".repeat(200)), ("nothing", Vec::new())] {
        for end in ["memory.db-wal", "memory.db-shm"] {
            let _ = fs::remove_file(scratch.store_folder().join(end));
        }
        fs::write(&file, &bytes).expect("a file can be written");
        let runs = all_hooks(&scratch, |_| {});
        let told = runs[0].context().unwrap_or_default();
        assert!(told.contains("RED"), "{what}: {told}");
        assert!(runs[1].stdout.is_empty(), "{what}");
        assert_eq!(fs::read(&file).expect("it is there"), bytes, "{what}");
        let search = scratch.six(&["search", "Parquet"]);
        assert_eq!(search.status, Some(3), "{what}: {}{}", search.stdout, search.stderr);
        assert!(search.stderr.contains("  next: "), "{what}: {}", search.stderr);
        assert_eq!(scratch.six(&["health"]).status, Some(1), "{what}");
    }
}

#[cfg(unix)]
#[test]
fn a_store_that_can_not_be_written_is_still_searched() {
    use std::os::unix::fs::PermissionsExt;
    let scratch = installed();
    if !permissions_count(&scratch.folder("tmp")) {
        return;
    }
    let folder = scratch.store_folder();
    let set = |mode_of_files: u32, mode: u32| {
        fs::set_permissions(&folder, fs::Permissions::from_mode(0o700)).expect("a mode can be set");
        for file in fs::read_dir(&folder).expect("a folder").flatten().filter(|entry| entry.path().is_file()) {
            fs::set_permissions(file.path(), fs::Permissions::from_mode(mode_of_files)).expect("a mode can be set");
        }
        fs::set_permissions(&folder, fs::Permissions::from_mode(mode)).expect("a mode can be set");
    };
    set(0o400, 0o500);
    let runs = all_hooks(&scratch, |_| {});
    scratch.six(&["search", "Parquet"]).ok();
    let told = runs[0].context().unwrap_or_default();
    assert!(told.contains("RED"), "{told}");
    assert!(runs[1].stdout.is_empty(), "no row, no block");
    complains(&scratch.six(&["decision", "add", "Lamps are green"]), 3, "memory.db");
    set(0o400, 0o000);
    all_hooks(&scratch, |_| {});
    assert_eq!(scratch.six(&["search", "Parquet"]).status, Some(3));
    set(0o600, 0o700);
    scratch.six(&["health"]).ok();
}

#[test]
fn without_git_on_the_path_hooks_and_search_work() {
    let scratch = installed();
    let empty = scratch.folder("empty");
    let runs = all_hooks(&scratch, |command| {
        command.env("PATH", &empty);
    });
    assert!(runs[0].context().is_some() && runs[1].context().is_some_and(|told| told.contains(DECIDED)));
    let without = |args: &[&str]| {
        let mut command = scratch.six_command(args);
        command.env("PATH", &empty);
        scratch.run(command)
    };
    without(&["search", "Parquet"]).ok();
    let ingest = without(&["ingest"]);
    assert!(format!("{}{}", ingest.stdout, ingest.stderr).contains("git"), "{}{}", ingest.stdout, ingest.stderr);
    scratch.six(&["search", "ships"]).ok();
    let other = scratch.repository("other");
    let mut install = scratch.six_command(&["install"]);
    install.current_dir(&other).env("PATH", &empty);
    let ran = scratch.run(install);
    assert!(ran.status == Some(0) || ran.stderr.contains("  next: "), "{}{}", ran.stdout, ran.stderr);
}

#[test]
fn a_broken_repository_is_named() {
    let scratch = Scratch::new();
    let folder = scratch.folder("broken");
    for (what, link) in [("gone", "gitdir: /nonexistent/.git/worktrees/x\n"), ("nonsense", "hello\n"), ("empty", "")] {
        fs::write(folder.join(".git"), link).expect("a file can be written");
        complains(&scratch.six_in(&folder, &["status"]), 2, "no memory here");
        let ran = scratch.six_in(&folder, &["install"]);
        assert_eq!(ran.status, Some(2), "{what}: {}", ran.stdout);
        assert!(ran.stderr.contains("  next: "), "{what}: {}", ran.stderr);
    }
    assert!(!scratch.six_home().join("projects").exists());
}

#[test]
fn a_damaged_registry_or_config_is_named_and_never_overwritten() {
    let scratch = installed();
    let registry = scratch.six_home().join("registry.json");
    fs::write(&registry, "{ broken").expect("a file can be written");
    let runs = all_hooks(&scratch, |_| {});
    assert!(runs[1].context().is_some_and(|told| told.contains(DECIDED)), "the identity is in the git config");
    scratch.six(&["search", "Parquet"]).ok();
    complains(&scratch.six(&["project", "list"]), 2, "registry.json");
    assert_eq!(fs::read_to_string(&registry).expect("it is there"), "{ broken");

    scratch.git(&["config", "six.id", "not an id"]);
    complains(&scratch.six(&["status"]), 2, "six.id");
    for run in all_hooks(&scratch, |_| {}) {
        assert!(run.stdout.is_empty());
    }
}
