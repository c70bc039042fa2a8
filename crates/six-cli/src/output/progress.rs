//! Progress bars: of ingest in bytes, of embedding in texts, of extraction in sessions.

use indicatif::{ProgressBar, ProgressDrawTarget, ProgressStyle};
use six_core::record::Source;
use six_runtime::{embed, ingest};

/// A bar on a terminal; nothing elsewhere, where only the summary at the end is printed.
#[derive(Debug)]
pub(crate) struct Bar {
    bar: ProgressBar,
}

impl Bar {
    /// A bar of bytes on stderr, hidden when `quiet` or when stderr is no terminal.
    pub(crate) fn of_bytes(quiet: bool) -> Self {
        Self::new(quiet, "  {msg:10} {bar:28} {bytes}/{total_bytes}  {bytes_per_sec}  {eta} left")
    }

    /// The same of texts.
    pub(crate) fn of_texts(quiet: bool) -> Self {
        Self::new(quiet, "  embed      {bar:28} {pos}/{len} texts  {per_sec}  {eta} left")
    }

    /// The same of so many sessions.
    pub(crate) fn of_sessions(quiet: bool, sessions: u64) -> Self {
        let bar = Self::new(quiet, "  extract    {bar:28} {pos}/{len} sessions  {eta} left");
        bar.bar.inc_length(sessions);
        bar
    }

    /// The same of faults that are proved.
    pub(crate) fn of_faults(quiet: bool) -> Self {
        Self::new(quiet, "  prove      {bar:28} {pos}/{len} faults  {eta} left")
    }

    /// So many of them are done.
    pub(crate) fn at(&self, done: usize, total: usize) {
        let count = |n: usize| u64::try_from(n).unwrap_or(u64::MAX);
        self.bar.set_length(count(total));
        self.bar.set_position(count(done));
    }

    /// One of them is done.
    pub(crate) fn done_one(&self) {
        self.bar.inc(1);
    }

    fn new(quiet: bool, template: &str) -> Self {
        let target = if quiet { ProgressDrawTarget::hidden() } else { ProgressDrawTarget::stderr() };
        let bar = ProgressBar::with_draw_target(Some(0), target);
        if let Ok(style) = ProgressStyle::with_template(template) {
            bar.set_style(style);
        }
        Self { bar }
    }
}

impl ingest::Progress for Bar {
    fn total(&mut self, _: Source, _: u64, bytes: u64) {
        self.bar.inc_length(bytes);
    }

    fn step(&mut self, source: Source, bytes: u64) {
        self.bar.set_message(source.as_str());
        self.bar.inc(bytes);
    }
}

impl embed::Progress for Bar {
    fn total(&mut self, texts: u64) {
        self.bar.inc_length(texts);
    }

    fn step(&mut self, texts: u64) {
        self.bar.inc(texts);
    }
}

impl Drop for Bar {
    fn drop(&mut self) {
        self.bar.finish_and_clear();
    }
}
