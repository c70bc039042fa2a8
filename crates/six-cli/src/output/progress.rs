//! The progress bar of ingest.

use indicatif::{ProgressBar, ProgressDrawTarget, ProgressStyle};
use six_core::record::Source;
use six_runtime::ingest::Progress;

/// A bar on a terminal; nothing elsewhere, where only the summary at the end is printed.
#[derive(Debug)]
pub(crate) struct Bar {
    bar: ProgressBar,
}

impl Bar {
    /// A bar on stderr, hidden when `quiet` or when stderr is no terminal.
    pub(crate) fn new(quiet: bool) -> Self {
        let target = if quiet { ProgressDrawTarget::hidden() } else { ProgressDrawTarget::stderr() };
        let bar = ProgressBar::with_draw_target(Some(0), target);
        let template = "  {msg:10} {bar:28} {bytes}/{total_bytes}  {bytes_per_sec}  {eta} left";
        if let Ok(style) = ProgressStyle::with_template(template) {
            bar.set_style(style);
        }
        Self { bar }
    }
}

impl Progress for Bar {
    fn total(&mut self, _: Source, _: u64, bytes: u64) {
        self.bar.inc_length(bytes);
    }

    fn step(&mut self, source: Source, bytes: u64) {
        self.bar.set_message(source.as_str());
        self.bar.inc(bytes);
    }
}

impl Drop for Bar {
    fn drop(&mut self) {
        self.bar.finish_and_clear();
    }
}
