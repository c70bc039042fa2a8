//! The full-screen inbox in a real terminal: tmux types, and its pane is read.

#![expect(clippy::expect_used, reason = "a test without its ground has to stop, and say where")]

use std::fs;
use std::io::{Write as _, stderr};
use std::path::PathBuf;
use std::process::{Command, Stdio};
use std::sync::atomic::{AtomicU32, Ordering};
use std::thread;
use std::time::{Duration, Instant};

use serde_json::Value;
use testkit::{Scratch, binaries};

/// What the screen shows within less than a second is waited for so long.
const DEADLINE: Duration = Duration::from_secs(60);

/// Between two looks at the pane.
const LOOK: Duration = Duration::from_millis(40);

/// A shell in a terminal of 80 columns and 24 rows.
struct Pane<'a> {
    scratch: &'a Scratch,
    socket: PathBuf,
}

impl<'a> Pane<'a> {
    /// A terminal with these variables beside those of the scratch machine.
    fn open(scratch: &'a Scratch, variables: &[(&str, &str)]) -> Self {
        static OPENED: AtomicU32 = AtomicU32::new(0);

        // A server that is being killed may still hold its socket.
        let folder = scratch.folder(&format!("tmux-{}", OPENED.fetch_add(1, Ordering::Relaxed)));
        fs::write(folder.join("conf"), "set -g status off\nset -g default-shell /bin/sh\n").expect("a scratch file");
        let pane = Self { scratch, socket: folder.join("socket") };
        let mut command = pane.tmux(&["-f"]);
        command.arg(folder.join("conf")).args(["new-session", "-d", "-x", "80", "-y", "24", "/bin/sh"]);
        command.env("PS1", "ready> ").env("PATH", path_with_binaries()).envs(variables.iter().copied());
        scratch.run(command).ok();
        pane.shows("ready>");
        pane
    }

    fn tmux(&self, args: &[&str]) -> Command {
        let mut command = self.scratch.command("tmux");
        command.arg("-u").arg("-S").arg(&self.socket).args(args);
        command
    }

    fn told(&self, args: &[&str]) -> String {
        self.scratch.run(self.tmux(args)).ok().stdout.clone()
    }

    /// Types text as it is.
    fn types(&self, text: &str) -> &Self {
        self.told(&["send-keys", "-l", text]);
        self
    }

    /// Presses a key by its name in tmux.
    fn presses(&self, key: &str) -> &Self {
        self.told(&["send-keys", key]);
        self
    }

    fn text(&self) -> String {
        self.told(&["capture-pane", "-p"])
    }

    /// Waits until the pane shows the text.
    fn shows(&self, text: &str) -> &Self {
        let begun = Instant::now();
        loop {
            let seen = self.text();
            if seen.contains(text) {
                return self;
            }
            assert!(begun.elapsed() < DEADLINE, "{text:?} is not shown:\n{seen}");
            thread::sleep(LOOK);
        }
    }

    /// Waits for the shell, and fails unless the terminal is as it was: no second screen, a cursor, lines that are echoed.
    fn is_restored(&self) {
        self.shows("ready>")
            .types("stty -a | tr ' ;' '\\n\\n' | grep -x -e echo -e icanon | tr '\\n' '+'")
            .presses("Enter");
        self.shows("icanon+echo+");
        let flags = self.told(&["display-message", "-p", "#{alternate_on} #{cursor_flag} #{bracket_paste_flag}"]);
        // Older ones don't know the third.
        assert!(flags.starts_with("0 1") && !flags.trim_end().ends_with("1 1"), "{flags:?}");
    }
}

impl Drop for Pane<'_> {
    fn drop(&mut self) {
        let _ = self.tmux(&["kill-server"]).stderr(Stdio::null()).status();
    }
}

fn path_with_binaries() -> String {
    format!("{}:{}", binaries().display(), std::env::var("PATH").expect("PATH is set"))
}

/// Says that the test is skipped where there is no tmux.
fn has_tmux() -> bool {
    let found = Command::new("tmux").arg("-V").stdout(Stdio::null()).status().is_ok_and(|status| status.success());
    if !found {
        let _ = writeln!(stderr(), "SKIPPED: tmux is not there; the triage screen was tried in no terminal");
    }
    found
}

/// A project with three candidates of an agent.
fn waiting() -> Scratch {
    let scratch = Scratch::new();
    scratch.six(&["install", "--no-templates", "--no-ingest"]).ok();
    for title in ["Berths are numbered from the harbour mouth", "潮汐表放进数据库", "Every pilot carries a radio"]
    {
        scratch.six_as_agent(&["decision", "add", title]).ok();
    }
    scratch
}

/// State and title of every decision, by title.
fn decisions(scratch: &Scratch) -> Vec<(String, String)> {
    let states = ["pending", "confirmed", "rejected"].map(|state| ["--state", state]).concat();
    let listed = scratch.six(&[&["decision", "list", "--json"], states.as_slice()].concat()).json();
    let text = |value: &Value| value.as_str().expect("a text").to_owned();
    let records = listed["records"].as_array().expect("a list").iter();
    let mut found: Vec<_> = records.map(|record| (text(&record["title"]), text(&record["state"]))).collect();
    found.sort();
    found
}

/// Opens, moves, confirms one, edits a title, rejects and takes that back, leaves.
fn judged(variables: &[(&str, &str)]) -> String {
    let scratch = waiting();
    let pane = Pane::open(&scratch, variables);
    pane.types("six triage").presses("Enter").shows("3 left").shows("1 of 3");
    pane.types("j").shows("2 of 3").presses("Up").shows("1 of 3");
    let look = pane.told(&["capture-pane", "-p", "-e"]);
    pane.types("/BERTHS").shows("1 of 1").presses("Enter").types("c").shows("confirmed: Berths").shows("2 left");
    pane.presses("Escape").shows("1 of 2").types("/潮汐").shows("1 of 1").presses("Enter").types("e").shows("title: ");
    for key in ["BSpace", "BSpace", "BSpace"] {
        pane.presses(key);
    }
    pane.types("文件👩‍🚀")
        .presses("BSpace")
        .shows("title: 潮汐表放进文件 ")
        .presses("Enter")
        .shows("goes with your verdict");
    pane.types("c").shows("confirmed: 潮汐表放进文件").shows("2 confirmed");
    pane.presses("Escape").shows("1 of 1").types("r").shows("rejected: Every pilot").shows("0 left");
    pane.types("u").shows("taken back: Every pilot").shows("1 left");
    pane.types("q").shows("2 confirmed; 1 candidate left");
    pane.is_restored();
    let wanted = [
        ("Berths are numbered from the harbour mouth", "confirmed"),
        ("Every pilot carries a radio", "pending"),
        ("潮汐表放进文件", "confirmed"),
    ];
    assert_eq!(decisions(&scratch), wanted.map(|(title, state)| (title.to_owned(), state.to_owned())));
    look
}

#[test]
fn verdicts_given_on_the_screen_are_in_the_store_and_the_terminal_is_as_it_was() {
    if has_tmux() {
        let look = judged(&[]);
        assert!(look.contains("\u{1b}["), "there is colour:\n{look}");
    }
}

#[test]
fn the_screen_works_without_colour() {
    if has_tmux() {
        let look = judged(&[("NO_COLOR", "1")]);
        assert!(!look.contains("\u{1b}["), "there is no colour:\n{look}");
    }
}

#[test]
fn whatever_ends_the_screen_the_terminal_is_restored() {
    if !has_tmux() {
        return;
    }
    let scratch = waiting();
    for signal in ["TERM", "HUP", "INT"] {
        let pane = Pane::open(&scratch, &[]);
        let pid = opened_as_process(&pane);
        scratch.run(killing(&scratch, signal, &pid)).ok();
        pane.is_restored();
    }
    let pane = Pane::open(&scratch, &[]);
    pane.types("six triage").presses("Enter").shows("3 left").presses("C-c").shows("no verdict; 3 candidates left");
    pane.is_restored();
}

#[test]
fn a_terminal_that_goes_away_takes_the_screen_with_it() {
    if !has_tmux() {
        return;
    }
    let scratch = waiting();
    let pane = Pane::open(&scratch, &[]);
    let pid = opened_as_process(&pane);
    drop(pane);
    let begun = Instant::now();
    while scratch.run(killing(&scratch, "0", &pid)).status == Some(0) {
        assert!(begun.elapsed() < DEADLINE, "process {pid} outlives its terminal");
        thread::sleep(LOOK);
    }
}

#[test]
fn the_screen_stops_and_comes_back_where_it_was() {
    if !has_tmux() {
        return;
    }
    let scratch = waiting();
    let pane = Pane::open(&scratch, &[]);
    pane.types("six triage").presses("Enter").shows("1 of 3").types("j").shows("2 of 3");
    pane.presses("C-z");
    pane.is_restored();
    pane.types("clear; fg").presses("Enter").shows("2 of 3").types("k").shows("1 of 3").types("q");
    pane.is_restored();
}

#[test]
fn the_picture_follows_the_size_of_the_terminal() {
    if !has_tmux() {
        return;
    }
    let scratch = waiting();
    let pane = Pane::open(&scratch, &[]);
    pane.types("six triage").presses("Enter").shows("s:supersede");
    pane.told(&["resize-window", "-x", "44", "-y", "12"]);
    pane.shows("0 conf., 0 rej.");
    pane.told(&["resize-window", "-x", "39", "-y", "9"]);
    pane.shows("needs 40x10, this is 39x9");
    pane.told(&["resize-window", "-x", "120", "-y", "40"]);
    pane.shows("/:filter").types("q");
    pane.is_restored();
}

#[test]
fn an_agent_and_a_terminal_without_a_screen_are_told_what_to_do() {
    if !has_tmux() {
        return;
    }
    let scratch = waiting();
    let pane = Pane::open(&scratch, &[]);
    pane.types("TERM=dumb six triage").presses("Enter").shows("next: six triage --list");
    pane.types("clear; CLAUDECODE=1 six triage").presses("Enter").shows("next: six triage --list --json");
    pane.is_restored();
}

/// Opens the screen in a process of known id.
fn opened_as_process(pane: &Pane<'_>) -> String {
    let file = pane.socket.with_file_name("pid");
    let command = format!("sh -c 'echo $$ > {}; exec six triage'", file.display());
    pane.types(&command).presses("Enter").shows("3 left");
    fs::read_to_string(&file).expect("the shell wrote its id").trim().to_owned()
}

fn killing(scratch: &Scratch, signal: &str, pid: &str) -> Command {
    let mut command = scratch.command("kill");
    command.args(["-s", signal, pid]);
    command
}
