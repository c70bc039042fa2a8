//! A disk without room: hooks go on and print only what is recorded, reading goes on, commands say it; with room again all is
//! taken in once.
#![cfg(target_os = "linux")]

use std::io::Write as _;
use std::process::Command;

use testkit::{Scratch, payload};

const DECIDED: &str = "Ship manifests are kept in Parquet files";
const BUILD: &str = "Build a Parquet writer for the ship manifests.";

fn installed() -> Scratch {
    let scratch = Scratch::new();
    scratch.six(&["install", "--no-templates"]).ok();
    scratch.six(&["decision", "add", DECIDED, "--why", "row stores took an hour"]).ok();
    scratch.work();
    scratch
}

/// A script of a shell that has the machine's environment and may mount; `None` where that is not allowed, which is said.
fn in_namespace(scratch: &Scratch, script: &str) -> Option<Command> {
    let may = Command::new("unshare")
        .args(["-Urm", "sh", "-c", "mount -t tmpfs -o size=64k tmpfs /tmp"])
        .output()
        .is_ok_and(|ran| ran.status.success());
    if !may {
        let _ = writeln!(std::io::stderr(), "SKIPPED: this user may not mount a small file system");
        return None;
    }
    let mut command = scratch.command("unshare");
    command.args(["-Urm", "sh", "-euc", script]);
    Some(command)
}

#[test]
fn on_a_full_disk_hooks_go_on_and_what_they_left_is_taken_in_once_there_is_room() {
    let scratch = installed();
    let mut session = scratch.session(1);
    let six = scratch.six_command(&[]).get_program().to_owned();
    let hook = scratch.hook_command("user-prompt-submit").get_program().to_owned();
    let start = scratch.hook_command("session-start").get_program().to_owned();
    // The store's folder on a disk of its own, filled to the last byte, then with a little room, then with enough.
    let script = r#"
        cp -a "$STORE" "$OUT/copy"
        mount -t tmpfs -o size=4m,mode=700 tmpfs "$STORE"
        cp -a "$OUT/copy/." "$STORE"
        cd "$PROJECT"
        dd if=/dev/zero of="$STORE/ballast" bs=4096 2>/dev/null || true
        printf '%s' "$PROMPT1" | "$HOOK" >"$OUT/full.out" 2>"$OUT/full.err"; echo $? >"$OUT/full.exit"
        printf '%s' "$START" | "$START_HOOK" >"$OUT/start.out" 2>"$OUT/start.err"; echo $? >"$OUT/start.exit"
        "$SIX" search Parquet >"$OUT/search.out" 2>&1 || echo "search: $?" >>"$OUT/search.out"
        "$SIX" decision add "Lamps are green" >"$OUT/add.out" 2>&1 || echo "exit $?" >>"$OUT/add.out"
        "$SIX" health >"$OUT/health.out" 2>&1 || true
        truncate -s -16384 "$STORE/ballast"
        printf '%s' "$PROMPT2" | "$HOOK" >"$OUT/little.out" 2>"$OUT/little.err"; echo $? >"$OUT/little.exit"
        rm "$STORE/ballast"
        "$SIX" ingest >"$OUT/ingest.out" 2>&1
        "$SIX" health >"$OUT/after.out" 2>&1 || true
        ls "$STORE/spool" >"$OUT/left.out" 2>/dev/null || true
        cp "$STORE/memory.db"* "$OUT/"
    "#;
    let out = scratch.folder("out");
    let Some(mut command) = in_namespace(&scratch, script) else { return };
    command
        .env("STORE", scratch.store_folder())
        .env("PROJECT", scratch.project())
        .env("CLAUDE_PROJECT_DIR", scratch.project())
        .env("OUT", &out)
        .env("SIX", six)
        .env("HOOK", hook)
        .env("START_HOOK", start)
        .env("START", payload::session_start(&session, "startup").to_string())
        .env("PROMPT1", payload::user_prompt(&mut session, BUILD).to_string())
        .env("PROMPT2", payload::user_prompt(&mut session, BUILD).to_string());
    scratch.run(command).ok();
    let read = |name: &str| std::fs::read_to_string(out.join(name)).unwrap_or_default();
    for run in ["full", "start", "little"] {
        assert_eq!((read(&format!("{run}.exit")).as_str(), read(&format!("{run}.err")).as_str()), ("0\n", ""), "{run}");
    }
    assert_eq!(read("full.out"), "", "no row, no block");
    assert!(read("start.out").contains("the disk is full"), "{}", read("start.out"));
    assert!(read("search.out").contains("Parquet"), "{}", read("search.out"));
    let add = read("add.out");
    assert!(
        add.contains("the disk is full") && add.contains("next: free disk space") && add.contains("exit 3"),
        "{add}"
    );
    assert!(read("health.out").contains("RED store: "), "{}", read("health.out"));
    assert_eq!(read("left.out"), "", "nothing waits any more");
    let store = rusqlite::Connection::open(out.join("memory.db")).expect("the copy opens");
    let count = |sql: &str| store.query_row(sql, [], |row| row.get::<_, i64>(0)).expect("a count");
    assert_eq!(count("SELECT count(*) FROM record"), 1, "what was refused is not half there");
    assert_eq!(count("SELECT count(*) FROM receipt"), count("SELECT count(DISTINCT prompt_id) FROM receipt"));
    let whole: String = store.query_row("PRAGMA integrity_check", [], |row| row.get(0)).expect("a check");
    assert_eq!(whole, "ok");
}

#[test]
fn a_process_that_may_write_no_larger_file_spools_or_is_silent_and_damages_nothing() {
    let scratch = installed();
    let mut session = scratch.session(1);
    for blocks in [0, 1, 8, 64] {
        let hook = scratch.hook_command("user-prompt-submit");
        let mut bounded = scratch.command("sh");
        bounded
            .env("HOOK", hook.get_program())
            .env("CLAUDE_PROJECT_DIR", scratch.project())
            .args(["-c", &format!("trap '' XFSZ; ulimit -f {blocks}; exec \"$HOOK\"")]);
        let prompt = payload::user_prompt(&mut session, BUILD).to_string();
        let run = scratch.hook_bytes(bounded, prompt.as_bytes());
        assert_eq!((run.exit, run.stderr.as_str()), (Some(0), ""), "{blocks}");
    }
    scratch.six(&["ingest"]).ok();
    scratch.six(&["search", "Parquet"]).ok();
    assert_eq!(scratch.store_rows("PRAGMA integrity_check")[0]["integrity_check"], "ok");
    let receipts = scratch.store_rows("SELECT count(*) AS n, count(DISTINCT prompt_id) AS prompts FROM receipt");
    assert_eq!(receipts[0]["n"], receipts[0]["prompts"]);
    assert_eq!(std::fs::read_dir(scratch.store_folder().join("spool")).map_or(0, Iterator::count), 0);
}
