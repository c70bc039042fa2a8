//! One process that the soak started, and what is seen of it from outside.

use std::io::{Read as _, Seek as _, Write as _};
use std::os::unix::process::ExitStatusExt as _;
use std::process::{Child, Command, ExitStatus, Stdio};
use std::time::{Duration, Instant, SystemTime, UNIX_EPOCH};

use rustix::process::{Pid, Signal, kill_process};
use wait_timeout::ChildExt as _;

use crate::ran::LIMIT;

/// A process and its end.
#[derive(Debug)]
pub(super) struct Call {
    /// The end of a hook's name, or `six COMMAND`.
    pub(super) kind: &'static str,
    /// Its process id. These come again.
    pub(super) pid: u32,
    /// Before it was started and after it had ended, in milliseconds since 1970.
    pub(super) window: (i64, i64),
    /// From the start to the end.
    pub(super) took: Duration,
    /// The exit code; `None`: a signal ended it.
    pub(super) exit: Option<i32>,
    /// The signal that was sent while it ran.
    pub(super) killed: Option<&'static str>,
    /// Standard output.
    pub(super) stdout: String,
    /// Standard error.
    pub(super) stderr: String,
    /// It still ran when nobody waited any longer.
    pub(super) hung: bool,
    /// The prompt that it was given.
    pub(super) prompt: Option<String>,
    /// The payload is none that the host sends.
    pub(super) hostile: bool,
    /// Which pair of calls with one payload it belongs to.
    pub(super) pair: Option<(usize, usize)>,
}

impl Call {
    /// Whether the host starts it.
    pub(super) fn is_hook(&self) -> bool {
        !self.kind.starts_with("six ")
    }

    /// How it ended, for the table.
    pub(super) fn end(&self) -> String {
        match (self.hung, self.killed, self.exit) {
            (true, ..) => String::from("hung"),
            (_, Some(signal), _) => signal.to_owned(),
            (_, None, Some(code)) => format!("exit {code}"),
            (_, None, None) => String::from("died"),
        }
    }
}

/// A signal and when it is sent, from the start of the process on.
pub(super) type Kill = (Signal, Duration);

/// A process that was started and not yet waited for.
pub(super) struct Running {
    kind: &'static str,
    child: Child,
    started: Instant,
    started_unix_ms: i64,
    out: std::fs::File,
    err: std::fs::File,
}

impl Running {
    /// Starts `command` with `input` on its stdin.
    pub(super) fn start(kind: &'static str, mut command: Command, input: &[u8]) -> Self {
        let file = || tempfile::tempfile().expect("a temporary file");
        let (mut given, out, err) = (file(), file(), file());
        given.write_all(input).and_then(|()| given.rewind()).expect("our own temporary file can be written");
        command
            .stdin(given)
            .stdout(Stdio::from(out.try_clone().expect("a second handle")))
            .stderr(Stdio::from(err.try_clone().expect("a second handle")));
        let (started, started_unix_ms) = (Instant::now(), now_ms());
        let child = command.spawn().unwrap_or_else(|why| panic!("{command:?} does not start: {why}"));
        Self { kind, child, started, started_unix_ms, out, err }
    }

    /// Waits for its end, and hastens that.
    pub(super) fn end(mut self, kill: Option<Kill>) -> Call {
        let mut killed = None;
        let mut status = None;
        if let Some((signal, after)) = kill {
            status = self.wait(after.saturating_sub(self.started.elapsed()));
            if status.is_none() {
                let pid = i32::try_from(self.child.id()).ok().and_then(Pid::from_raw).expect("a process id");
                // It is not waited for yet, so the number is still its own.
                kill_process(pid, signal).expect("a child can be signalled");
                killed = Some(if signal == Signal::KILL { "SIGKILL" } else { "SIGTERM" });
            }
        }
        let status = status.or_else(|| self.wait(LIMIT));
        let took = self.started.elapsed();
        if status.is_none() {
            self.child.kill().and_then(|()| self.child.wait()).expect("a hanging child can be killed");
        }
        Call {
            kind: self.kind,
            pid: self.child.id(),
            window: (self.started_unix_ms, now_ms()),
            took,
            exit: status.and_then(|status| if status.signal().is_some() { None } else { status.code() }),
            killed,
            stdout: text(&mut self.out),
            stderr: text(&mut self.err),
            hung: status.is_none(),
            prompt: None,
            hostile: false,
            pair: None,
        }
    }

    fn wait(&mut self, limit: Duration) -> Option<ExitStatus> {
        self.child.wait_timeout(limit).expect("a child can be waited for")
    }
}

/// The clock that heartbeats are written by.
pub(super) fn now_ms() -> i64 {
    let since = SystemTime::now().duration_since(UNIX_EPOCH).expect("a clock after 1970");
    i64::try_from(since.as_millis()).expect("a year that is near")
}

fn text(file: &mut std::fs::File) -> String {
    let mut bytes = Vec::new();
    file.rewind().and_then(|()| file.read_to_end(&mut bytes)).expect("our own temporary file can be read");
    String::from_utf8_lossy(&bytes).into_owned()
}
