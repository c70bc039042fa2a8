//! The shell of every hook: read one payload, answer within the deadline, exit 0.
//!
//! The work runs on the main thread. A second one watches the clock and the host's SIGTERM, and ends the process whatever
//! the work is doing. A panic is caught, recorded, and never reaches the host.
//!
//! Not the other way round: the allocator grows the heap of any thread but the first by a page and a system call at a
//! time, which was a tenth of a session start.

mod stdin;

use std::ffi::OsString;
use std::panic::AssertUnwindSafe;
use std::process::ExitCode;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, AtomicU64, Ordering};
use std::sync::mpsc::{self, RecvTimeoutError};
use std::time::{Duration, Instant};

use six_core::record::OutcomeKind;
use six_runtime::clock;
use six_runtime::home::Environment;
use six_runtime::hook::{Call, Ended, Hook, Ledger, answer, overrun};

/// How often the watching thread looks at the SIGTERM flag; the end of the work wakes it at once.
const WATCH: Duration = Duration::from_millis(5);

/// Runs one hook. Always success: an exit code of a hook is read by the host as a verdict on the user's action.
pub fn main<H: Hook>() -> ExitCode {
    let started = (Instant::now(), clock::now());
    let env = Environment::from_process();
    if env.six_child {
        return ExitCode::SUCCESS;
    }
    std::panic::set_hook(Box::new(|_| {}));
    let cancelled = Arc::new(AtomicBool::new(false));
    watch_sigterm(&cancelled);

    let via = via_argument(std::env::args_os().skip(1));
    let cwd = std::env::current_dir().ok();
    let call = &Call { via: &via, env: &env, cwd: cwd.as_deref(), started, granted_ms: AtomicU64::new(0) };
    let ledger = &Ledger::default();
    let (done, wait) = mpsc::sync_channel::<()>(1);
    std::thread::scope(|threads| {
        // Where no thread can be had, the host's own time limit is what watches.
        let _ = std::thread::Builder::new().spawn_scoped(threads, move || {
            if let Some(kind) = watch(&wait, || call.deadline::<H>(), &cancelled) {
                overrun::<H>(call, ledger, kind);
                std::process::exit(0);
            }
        });
        // Of what a panic leaves half done only the ledger is looked at again, and its lock survives one.
        let work = AssertUnwindSafe(|| answer::<H>(call, &stdin::read_payload(), ledger));
        if let Err(panic) = std::panic::catch_unwind(work) {
            ledger.abandon(&Ended::failed("panic", panic_text(panic.as_ref())));
        }
        drop(done);
    });
    ExitCode::SUCCESS
}

/// Waits for the work; answers how it was cut short, or nothing when it ended by itself.
fn watch(done: &mpsc::Receiver<()>, deadline: impl Fn() -> Instant, cancelled: &AtomicBool) -> Option<OutcomeKind> {
    loop {
        let left = deadline().saturating_duration_since(Instant::now());
        match done.recv_timeout(left.min(WATCH)) {
            Ok(()) | Err(RecvTimeoutError::Disconnected) => return None,
            Err(RecvTimeoutError::Timeout) if cancelled.load(Ordering::Relaxed) => return Some(OutcomeKind::Cancelled),
            Err(RecvTimeoutError::Timeout) if left.is_zero() => return Some(OutcomeKind::TimedOut),
            Err(RecvTimeoutError::Timeout) => {}
        }
    }
}

#[cfg(unix)]
fn watch_sigterm(cancelled: &Arc<AtomicBool>) {
    // A hook that can't be told to stop is ended by the host's SIGKILL: worse, but no reason not to answer.
    let _ = signal_hook::flag::register(signal_hook::consts::SIGTERM, Arc::clone(cancelled));
}

#[cfg(not(unix))]
fn watch_sigterm(_: &Arc<AtomicBool>) {}

/// The value of `--via`; anything else on the command line is ignored, since a hook never fails.
fn via_argument(mut args: impl Iterator<Item = OsString>) -> String {
    let via = args.find(|arg| arg == "--via").and_then(|_| args.next());
    via.map(|via| via.to_string_lossy().into_owned()).unwrap_or_default()
}

fn panic_text(panic: &(dyn std::any::Any + Send)) -> &str {
    panic
        .downcast_ref::<&str>()
        .copied()
        .or_else(|| panic.downcast_ref::<String>().map(String::as_str))
        .unwrap_or("panic")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn via_is_found_among_whatever_else_was_given() {
        let args = |text: &str| via_argument(text.split(' ').map(OsString::from).collect::<Vec<_>>().into_iter());
        assert_eq!(args("--via settings"), "settings");
        assert_eq!(args("--loud --via plugin x"), "plugin");
        assert_eq!(args("--via"), "");
    }

    #[test]
    fn work_that_ends_is_not_cut_short_and_work_that_hangs_is() {
        let never = AtomicBool::new(false);
        let (done, wait) = mpsc::sync_channel::<()>(1);
        drop(done);
        assert_eq!(watch(&wait, || Instant::now() + Duration::from_secs(60), &never), None);
        let (_done, wait) = mpsc::sync_channel::<()>(1);
        assert_eq!(watch(&wait, Instant::now, &never), Some(OutcomeKind::TimedOut));
        assert_eq!(
            watch(&wait, || Instant::now() + Duration::from_secs(60), &AtomicBool::new(true)),
            Some(OutcomeKind::Cancelled)
        );
    }
}
