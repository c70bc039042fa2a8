//! Running a process as the host does, and what came of it.

use std::fs::File;
use std::io::{ErrorKind, Read, Seek, Write};
use std::process::{Command, Stdio};
use std::thread;
use std::time::{Duration, Instant};

use serde_json::Value;
use wait_timeout::ChildExt;

/// No hook and no command of a test takes that long; what does, hangs. The longest measures hundreds of prompts with a debug
/// build, half a minute on a machine of its own.
pub(crate) const LIMIT: Duration = Duration::from_secs(300);

/// What a command left behind.
#[derive(Debug)]
pub struct Ran {
    /// The exit code; `None`: a signal ended it.
    pub status: Option<i32>,
    /// Standard output.
    pub stdout: String,
    /// Standard error.
    pub stderr: String,
}

impl Ran {
    /// Standard output as the one JSON value that it must be.
    pub fn json(&self) -> Value {
        serde_json::from_str(&self.stdout)
            .unwrap_or_else(|why| panic!("stdout is not one JSON value ({why}):\n{}\n{}", self.stdout, self.stderr))
    }

    /// Fails the test unless the command succeeded.
    pub fn ok(&self) -> &Self {
        assert_eq!(self.status, Some(0), "stdout:\n{}\nstderr:\n{}", self.stdout, self.stderr);
        self
    }
}

/// What a hook left behind.
#[derive(Debug)]
pub struct HookRun {
    /// The exit code; `None`: a signal ended it.
    pub exit: Option<i32>,
    /// Standard output, byte for byte.
    pub stdout: Vec<u8>,
    /// Standard error.
    pub stderr: String,
    /// From the start to the end of the process.
    pub took: Duration,
    /// How many times as long as in earnest it might have taken.
    pub(crate) patience: u32,
}

impl HookRun {
    /// The control output: the JSON object on stdout. `None` when the hook said nothing at all; anything else but one
    /// object is no valid answer to the host, and fails the test.
    pub fn output(&self) -> Option<Value> {
        if self.stdout.is_empty() {
            return None;
        }
        let said: Value = serde_json::from_slice(&self.stdout)
            .unwrap_or_else(|why| panic!("no JSON ({why}): {}", String::from_utf8_lossy(&self.stdout)));
        assert!(said.is_object(), "the host takes an object, not {said}");
        Some(said)
    }

    /// The text that the host would hand to the model.
    pub fn context(&self) -> Option<String> {
        Some(self.output()?["hookSpecificOutput"]["additionalContext"].as_str()?.to_owned())
    }
}

/// Runs `command` with `input` on its stdin. It waits for the process and not for the end of its output, as the host
/// does: a child that keeps a descriptor open holds nobody up. What runs longer than `limit` fails the test.
pub(crate) fn run(command: Command, input: &[u8], limit: Duration) -> HookRun {
    run_with(command, input, Stdin::Closed, limit)
}

/// What happens to stdin after the input.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Stdin {
    /// It ends.
    Closed,
    /// It stays open until the process has ended.
    Open,
}

/// See [`run`].
pub(crate) fn run_with(mut command: Command, input: &[u8], after: Stdin, limit: Duration) -> HookRun {
    let mut out = tempfile::tempfile().expect("a temporary file");
    let mut err = tempfile::tempfile().expect("a temporary file");
    command
        .stdin(Stdio::piped())
        .stdout(out.try_clone().expect("a second handle"))
        .stderr(err.try_clone().expect("a second handle"));
    let patience = command.get_envs().find(|(name, _)| *name == "SIX_PATIENCE").and_then(|(_, value)| value);
    let patience = patience.map_or(1, |times| times.to_string_lossy().parse().expect("a number"));
    let started = Instant::now();
    let mut child = command.spawn().unwrap_or_else(|why| panic!("{command:?} does not start: {why}"));
    let mut stdin = child.stdin.take().expect("stdin is piped");
    let (status, took) = thread::scope(|scope| {
        let writer = scope.spawn(move || match stdin.write_all(input) {
            Err(why) if why.kind() != ErrorKind::BrokenPipe => panic!("stdin can't be written: {why}"),
            _ => (after == Stdin::Open).then_some(stdin),
        });
        let status = child.wait_timeout(limit).expect("a child can be waited for");
        let took = started.elapsed();
        if status.is_none() {
            child.kill().and_then(|()| child.wait()).expect("a hanging child can be killed");
        }
        drop(writer.join().expect("the writer ends with the process"));
        (status, took)
    });
    let status = status.unwrap_or_else(|| panic!("{command:?} still ran after {limit:?}; stderr: {}", text(&mut err)));
    HookRun { exit: status.code(), stdout: bytes(&mut out), stderr: text(&mut err), took, patience }
}

fn bytes(file: &mut File) -> Vec<u8> {
    let mut bytes = Vec::new();
    file.rewind().and_then(|()| file.read_to_end(&mut bytes)).expect("our own temporary file can be read");
    bytes
}

fn text(file: &mut File) -> String {
    String::from_utf8_lossy(&bytes(file)).into_owned()
}

impl From<HookRun> for Ran {
    fn from(run: HookRun) -> Self {
        let stdout = String::from_utf8(run.stdout).expect("a command prints UTF-8");
        Self { status: run.exit, stdout, stderr: run.stderr }
    }
}
