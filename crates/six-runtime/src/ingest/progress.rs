//! How far a run is, for whoever shows it.

use six_core::record::Source;

/// Is told what a run is about to do and what it has done. Called from the thread that runs the ingest.
pub trait Progress {
    /// A source will be worked through: that many files, and bytes in those that must be read.
    fn total(&mut self, source: Source, files: u64, bytes: u64);

    /// So many further bytes of it are stored.
    fn step(&mut self, source: Source, bytes: u64);
}

/// Nobody watches.
#[derive(Debug, Clone, Copy, Default)]
pub struct NoProgress;

impl Progress for NoProgress {
    fn total(&mut self, _: Source, _: u64, _: u64) {}

    fn step(&mut self, _: Source, _: u64) {}
}
