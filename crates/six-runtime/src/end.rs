//! Being told to end: a command that works long stops at its next safe point, the second time it ends at once.

use std::sync::Arc;
use std::sync::atomic::{AtomicUsize, Ordering};

/// Which signal came, if any did.
#[derive(Debug, Clone, Default)]
pub struct EndSignal {
    number: Arc<AtomicUsize>,
}

impl EndSignal {
    /// That of a process that ends as every other does.
    pub fn never() -> Self {
        Self::default()
    }

    /// That of a process to which this signal came.
    #[cfg(test)]
    pub(crate) fn of(number: usize) -> Self {
        Self { number: Arc::new(AtomicUsize::new(number)) }
    }

    /// Keeps SIGTERM, SIGINT and SIGHUP from ending this process the first time. One that whoever started it has it ignore
    /// (`nohup`, a job in the background) stays ignored.
    #[cfg(unix)]
    pub fn watch() -> Self {
        use signal_hook::consts::{SIGHUP, SIGINT, SIGTERM};
        use signal_hook::flag::{register, register_conditional_default, register_usize};
        use std::sync::atomic::AtomicBool;
        let (this, again) = (Self::default(), Arc::new(AtomicBool::new(false)));
        let ignored = ignored();
        for signal in [SIGTERM, SIGINT, SIGHUP].into_iter().filter(|signal| ignored >> (signal - 1) & 1 == 0) {
            // Where no handler can be set the signal ends the process; what was committed stays.
            let _ = register_conditional_default(signal, Arc::clone(&again));
            let _ = register(signal, Arc::clone(&again));
            let _ = register_usize(signal, Arc::clone(&this.number), usize::try_from(signal).unwrap_or_default());
        }
        this
    }

    /// There are none that a process could answer.
    #[cfg(not(unix))]
    pub fn watch() -> Self {
        Self::default()
    }

    /// Whether one came.
    pub fn came(&self) -> bool {
        self.number.load(Ordering::Relaxed) != 0
    }

    /// How a process that it ended exits, by the shell's convention: 128 and the signal's number.
    pub fn exit_code(&self) -> Option<u8> {
        let number = u8::try_from(self.number.load(Ordering::Relaxed)).ok()?;
        (number != 0).then_some(number.saturating_add(128))
    }
}

/// The signals that this process ignores, one bit each from signal 1 on. Other systems than Linux do not tell.
#[cfg(unix)]
fn ignored() -> u64 {
    let status = std::fs::read_to_string("/proc/self/status").unwrap_or_default();
    let mask = status.lines().find_map(|line| line.strip_prefix("SigIgn:"));
    mask.and_then(|mask| u64::from_str_radix(mask.trim(), 16).ok()).unwrap_or(0)
}

#[cfg(all(test, unix))]
mod tests {
    use super::*;

    #[test]
    fn a_command_that_was_told_to_end_exits_as_the_shell_expects() {
        assert_eq!((EndSignal::never().came(), EndSignal::never().exit_code()), (false, None));
        for (number, code) in [(15, 143), (2, 130), (1, 129)] {
            let end = EndSignal::of(number);
            assert_eq!((end.came(), end.exit_code()), (true, Some(code)));
        }
    }
}
