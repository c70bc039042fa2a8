//! A store's folder on a file system that is mounted read-only: every hook goes on, what can be read is read, what must write
//! says what is in the way, and afterwards all is as before. Modes of files would not keep root out; a mount does.
#![cfg(target_os = "linux")]

use std::fmt::Write as _;
use std::fs;
use std::io::Write as _;
use std::process::Command;

use serde_json::{Value, json};
use testkit::{HOOKS, Scratch, payload};

const BUILD: &str = "Build a Parquet writer for the ship manifests.";

/// Whether this user may mount a folder read-only in a namespace of its own; where not, that is said.
fn may_mount(scratch: &Scratch) -> bool {
    let folder = scratch.folder("mountable");
    let script = format!("mount --bind {0} {0} && mount -o remount,bind,ro {0} && ! touch {0}/x", folder.display());
    let may = Command::new("unshare").args(["-Urm", "sh", "-c", &script]).output();
    let may = may.is_ok_and(|ran| ran.status.success());
    if !may {
        let _ = writeln!(std::io::stderr(), "SKIPPED: this user may not mount a folder read-only");
    }
    may
}

/// The payload of every hook, in the order of a session.
fn payloads(scratch: &Scratch) -> Vec<(&'static str, Value)> {
    let mut session = scratch.session(1);
    scratch.transcript(&session).prompt(BUILD).answer("It is built.").write();
    let prompt = payload::user_prompt(&mut session, BUILD);
    let of = |name: &str| match name {
        "session-start" => payload::session_start(&session, "startup"),
        "user-prompt-submit" => prompt.clone(),
        "pre-tool-use" => payload::pre_tool_use(&session, "Bash", &json!({ "command": "npm ci" })),
        "stop" => payload::stop(&session, "It is built."),
        "pre-compact" => payload::pre_compact(&session, "auto"),
        _ => payload::session_end(&session, "other"),
    };
    HOOKS.iter().map(|(name, _)| (*name, of(name))).collect()
}

#[test]
fn on_a_read_only_store_every_hook_goes_on_reading_goes_on_and_what_must_write_says_why_it_can_not() {
    let scratch = Scratch::new();
    if !may_mount(&scratch) {
        return;
    }
    scratch.six(&["install", "--no-templates"]).ok();
    scratch
        .six(&["decision", "add", "Ship manifests are kept in Parquet files", "--why", "row stores took an hour"])
        .ok();
    scratch.six(&["correction", "add", "use pnpm, not npm"]).ok();
    scratch.work();
    let out = scratch.folder("out");
    let mut script =
        String::from("mount --bind \"$STORE\" \"$STORE\"\nmount -o remount,bind,ro \"$STORE\"\ncd \"$PROJECT\"\n");
    for (name, payload) in payloads(&scratch) {
        fs::write(out.join(format!("{name}.in")), payload.to_string()).expect("a scratch file can be written");
        let hook = scratch.hook_command(name).get_program().display().to_string();
        let files = format!("<\"$OUT/{name}.in\" >\"$OUT/{name}.out\" 2>\"$OUT/{name}.err\"");
        let _ = writeln!(script, "\"{hook}\" {files}; echo $? >\"$OUT/{name}.exit\"");
    }
    let six = scratch.six_command(&[]).get_program().display().to_string();
    let commands = [
        ("search", "search Parquet"),
        ("status", "status"),
        ("health", "health"),
        ("ingest", "ingest"),
        ("worker", "worker"),
        ("add", "decision add 'Lamps are green'"),
        ("backup", "backup"),
    ];
    for (name, command) in commands {
        let _ = writeln!(script, "\"{six}\" {command} >\"$OUT/{name}.out\" 2>&1; echo $? >\"$OUT/{name}.exit\"");
    }
    let mut command = scratch.command("unshare");
    command
        .args(["-Urm", "sh", "-uc", &script])
        .env("STORE", scratch.store_folder())
        .env("PROJECT", scratch.project())
        .env("CLAUDE_PROJECT_DIR", scratch.project())
        .env("OUT", &out);
    scratch.run(command).ok();

    let read = |name: String| fs::read_to_string(out.join(name)).unwrap_or_default();
    for (name, _) in HOOKS {
        let (exit, complaint, said) =
            (read(format!("{name}.exit")), read(format!("{name}.err")), read(format!("{name}.out")));
        assert_eq!((exit.as_str(), complaint.as_str()), ("0\n", ""), "{name}");
        match name {
            "session-start" => assert!(said.contains("RED store"), "{said}"),
            _ => assert_eq!(said, "", "{name}: no row, no block"),
        }
    }
    let ran = |name: &str| (read(format!("{name}.exit")), read(format!("{name}.out")));
    for name in ["search", "status"] {
        let (exit, said) = ran(name);
        assert_eq!(exit, "0\n", "{name}: {said}");
    }
    assert!(ran("search").1.contains("Parquet"), "{}", ran("search").1);
    let (exit, said) = ran("health");
    assert!(exit == "1\n" && said.contains("RED store"), "{said}");
    for name in ["ingest", "worker", "add", "backup"] {
        let (exit, said) = ran(name);
        assert_ne!(exit, "0\n", "{name}: {said}");
        assert!(
            said.contains("read-only") || said.contains("can't be written") || said.contains("Read-only"),
            "{name}: {said}"
        );
    }

    scratch.six(&["search", "Parquet"]).ok();
    assert_eq!(scratch.store_rows("SELECT id FROM record").len(), 2, "what was refused is not half there");
    let mut session = scratch.session(2);
    let run = scratch.answer("user-prompt-submit", &payload::user_prompt(&mut session, BUILD));
    assert!(run.context().is_some_and(|block| block.contains("Parquet")), "writable again, it answers again");
    scratch.six(&["ingest"]).ok();
    assert_eq!(scratch.store_rows("PRAGMA integrity_check")[0]["integrity_check"], "ok");
}
