//! A child process whose output is read under a time limit, and that does not outlive its owner.

use std::io::{self, ErrorKind, Read};
use std::process::{Child, ExitStatus};
use std::sync::mpsc::{Receiver, RecvTimeoutError, sync_channel};
use std::thread;
use std::time::{Duration, Instant};

/// What is kept of git's complaint.
const STDERR_BYTES: u64 = 2000;

/// A child that does not outlive its owner.
pub(super) struct Running(pub(super) Child);

impl Running {
    /// Its status, or `None` when the time is over before it ends.
    pub(super) fn wait(&mut self, clock: &mut Clock) -> io::Result<Option<ExitStatus>> {
        loop {
            if let Some(status) = self.0.try_wait()? {
                return Ok(Some(status));
            }
            if clock.left.is_zero() {
                return Ok(None);
            }
            let step = clock.left.min(Duration::from_millis(1));
            thread::sleep(step);
            clock.left -= step;
        }
    }
}

impl Drop for Running {
    fn drop(&mut self) {
        if !matches!(self.0.try_wait(), Ok(Some(_))) {
            end_group(&mut self.0);
            let _ = self.0.wait();
        }
    }
}

#[cfg(unix)]
fn end_group(child: &mut Child) {
    let group = i32::try_from(child.id()).ok().and_then(rustix::process::Pid::from_raw);
    if let Some(group) = group {
        let _ = rustix::process::kill_process_group(group, rustix::process::Signal::KILL);
    }
}

#[cfg(not(unix))]
fn end_group(child: &mut Child) {
    let _ = child.kill();
}

/// How long git may still keep us waiting. What we do with its output in the meantime costs it nothing.
pub(super) struct Clock {
    pub(super) left: Duration,
}

impl Clock {
    /// The next chunk; `Some(None)` at the end, `None` when the time is over.
    #[expect(clippy::option_option, reason = "out of time and out of data are different, and both are no chunk")]
    pub(super) fn next<T>(&mut self, chunks: &Receiver<T>) -> Option<Option<T>> {
        let began = Instant::now();
        let chunk = match chunks.recv_timeout(self.left) {
            Ok(chunk) => Some(Some(chunk)),
            Err(RecvTimeoutError::Disconnected) => Some(None),
            Err(RecvTimeoutError::Timeout) => None,
        };
        self.left = self.left.saturating_sub(began.elapsed());
        chunk
    }
}

/// Reads a pipe on a thread of its own, four chunks ahead; a pipe that stays open holds that thread and nobody else.
pub(super) fn pump(pipe: Option<impl Read + Send + 'static>) -> Receiver<io::Result<Vec<u8>>> {
    let (send, receive) = sync_channel(4);
    if let Some(mut pipe) = pipe {
        thread::spawn(move || {
            let mut buffer = vec![0; 64 << 10];
            loop {
                let chunk = match pipe.read(&mut buffer) {
                    Ok(0) => return,
                    Ok(n) => Ok(buffer.get(..n).unwrap_or_default().to_vec()),
                    Err(error) if error.kind() == ErrorKind::Interrupted => continue,
                    Err(error) => Err(error),
                };
                let failed = chunk.is_err();
                if send.send(chunk).is_err() || failed {
                    return;
                }
            }
        });
    }
    receive
}

/// The beginning of what a pipe says. The rest is read too: git must never wait for us to hear it out.
pub(super) fn complaint(pipe: Option<impl Read + Send + 'static>) -> Receiver<Vec<u8>> {
    let (send, receive) = sync_channel(1);
    if let Some(mut pipe) = pipe {
        thread::spawn(move || {
            let mut said = Vec::new();
            let _ = pipe.by_ref().take(STDERR_BYTES).read_to_end(&mut said);
            let _ = io::copy(&mut pipe, &mut io::sink());
            let _ = send.send(said);
        });
    }
    receive
}
