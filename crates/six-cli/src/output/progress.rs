//! The progress bar of ingest.

use indicatif::{ProgressBar, ProgressDrawTarget, ProgressStyle};
use six_runtime::ingest::Progress;

/// A bar on a terminal; nothing elsewhere, where only the summary at the end is printed.
#[derive(Debug)]
pub struct Bar {
    bar: ProgressBar,
}

impl Bar {
    /// A bar on stderr, hidden when `quiet` or when stderr is no terminal.
    pub fn new(quiet: bool) -> Self {
        let target = if quiet { ProgressDrawTarget::hidden() } else { ProgressDrawTarget::stderr() };
        let bar = ProgressBar::with_draw_target(Some(0), target);
        if let Ok(style) = ProgressStyle::with_template("  {msg:12} {bar:28} {bytes}/{total_bytes} {bytes_per_sec} {eta} left") {
            bar.set_style(style);
        }
        Self { bar }
    }
}

impl Progress for Bar {
    fn total(&mut self, bytes: u64) {
        self.bar.set_length(bytes);
    }

    fn source(&mut self, name: &'static str) {
        self.bar.set_message(name);
    }

    fn step(&mut self, bytes: u64) {
        self.bar.inc(bytes);
    }
}

impl Drop for Bar {
    fn drop(&mut self) {
        self.bar.finish_and_clear();
    }
}
