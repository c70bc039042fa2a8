//! Killed at any moment: nothing is lost, nothing is there twice, and the next run completes it.
#![expect(clippy::expect_used, reason = "a test without its ground has to stop, and say where")]

use std::fs;
use std::path::{Path, PathBuf};
use std::process::{Child, Command, Stdio};
use std::thread;
use std::time::Duration;

use serde_json::Value;
use testkit::{Scratch, payload};

/// Kills a command so long after `seen` says that it has got somewhere; whether it was still running then.
fn kill_when(mut command: Command, seen: impl Fn() -> bool, delay: Duration) -> bool {
    let mut child: Child = command.stdout(Stdio::null()).stderr(Stdio::null()).spawn().expect("six starts");
    let runs = |child: &mut Child| child.try_wait().expect("a child can be looked at").is_none();
    while !seen() && runs(&mut child) {
        thread::yield_now();
    }
    thread::sleep(delay);
    let was_running = runs(&mut child);
    let _ = child.kill();
    child.wait().expect("a child can be waited for");
    was_running
}

fn size(path: &Path) -> u64 {
    fs::metadata(path).map_or(0, |file| file.len())
}

#[test]
fn an_ingest_that_is_killed_again_and_again_takes_every_entry_once() {
    let scratch = Scratch::new();
    scratch.six(&["install", "--no-templates", "--no-ingest"]).ok();
    let session = scratch.session(1);
    let mut told = scratch.transcript(&session);
    for number in 0..4_000 {
        told = told
            .prompt(&format!("Where is pier {number}? {}", "words ".repeat(60)))
            .answer(&format!("Behind {number}."));
    }
    told.write();
    let (store, journal) = (scratch.store_folder().join("memory.db"), scratch.store_folder().join("memory.db-wal"));
    let mut killed = 0;
    for step in 0..8 {
        let before = size(&store) + size(&journal);
        let grown = || size(&store) + size(&journal) > before + 100_000;
        killed += u32::from(kill_when(scratch.six_command(&["ingest"]), grown, Duration::from_millis(step * 15)));
    }
    assert!(killed > 0, "every run was over before it could be killed");
    scratch.six(&["ingest"]).ok();
    let rows = "SELECT count(*) AS n, count(DISTINCT key) AS keys FROM entry WHERE source = 'transcript'";
    let rows = &scratch.store_rows(rows)[0];
    assert_eq!((&rows["n"], &rows["keys"]), (&8_000.into(), &8_000.into()));
    scratch.six(&["search", "pier 3999"]).ok();
    scratch.six(&["health"]).ok();
    assert_eq!(scratch.six(&["ingest", "--json"]).ok().json()["entries"], 0);
}

#[test]
fn an_install_that_is_killed_at_any_file_is_completed_by_the_next() {
    type Place = fn(&Scratch) -> PathBuf;
    let places: [Place; 5] = [
        |scratch| scratch.six_home(),
        |scratch| scratch.six_home().join("registry.json"),
        |scratch| scratch.six_home().join("projects"),
        |scratch| scratch.project().join(".claude/settings.local.json"),
        |scratch| scratch.project().join(".git/config.lock"),
    ];
    for place in places {
        for delay in [0, 3, 12] {
            let scratch = Scratch::new();
            let path = place(&scratch);
            kill_when(scratch.six_command(&["install"]), || path.exists(), Duration::from_millis(delay));
            let what = format!("{} + {delay} ms", path.display());
            let lock = scratch.project().join(".git/config.lock");
            if lock.exists() {
                // As after a git that was killed: whose lock it is nobody can tell, so a person removes it.
                fs::remove_file(&lock).expect("it is there");
            }
            scratch.six(&["install"]).ok();
            scratch.six(&["health"]).ok();
            let settings = fs::read_to_string(scratch.project().join(".claude/settings.local.json")).expect(&what);
            for hook in [
                "six-session-start",
                "six-user-prompt-submit",
                "six-pre-tool-use",
                "six-stop",
                "six-pre-compact",
                "six-session-end",
            ] {
                assert_eq!(settings.matches(hook).count(), 1, "{what}: {settings}");
            }
            scratch.six(&["search", "ships"]).ok();
            assert_eq!(fs::read_dir(scratch.six_home().join("projects")).map_or(0, Iterator::count), 1, "{what}");
            scratch.six(&["uninstall"]).ok();
            assert!(!scratch.project().join(".claude/settings.local.json").exists(), "{what}");
        }
    }
}

#[test]
fn a_hook_that_is_killed_leaves_its_turn_once_or_a_row_that_says_that_it_crashed() {
    let scratch = Scratch::new();
    scratch.six(&["install", "--no-templates"]).ok();
    let mut session = scratch.session(1);
    let journal = scratch.store_folder().join("memory.db-wal");
    let input = scratch.folder("tmp").join("payload");
    for step in 0..12 {
        let prompt: Value = payload::user_prompt(&mut session, "Build a pier of oak.");
        fs::write(&input, prompt.to_string()).expect("a scratch file can be written");
        let mut hook = scratch.hook_command("user-prompt-submit");
        hook.stdin(fs::File::open(&input).expect("it was written"));
        let before = size(&journal);
        kill_when(hook, || size(&journal) != before, Duration::from_micros(step * 400));
    }
    scratch.six(&["ingest"]).ok();
    let twice = "SELECT prompt_id FROM receipt GROUP BY prompt_id HAVING count(*) > 1";
    assert!(scratch.store_rows(twice).is_empty());
    let spoken = "SELECT 1 FROM heartbeat h WHERE outcome = 'ok' AND hook = 'user-prompt-submit' \
        AND NOT EXISTS (SELECT 1 FROM receipt r WHERE r.event_id = h.event_id)";
    assert!(scratch.store_rows(spoken).is_empty());
    assert_eq!(scratch.store_rows("PRAGMA integrity_check")[0]["integrity_check"], "ok");
    assert_eq!(fs::read_dir(scratch.store_folder().join("spool")).map_or(0, Iterator::count), 0);
}
